import { expect, test } from 'vitest'
import { type Group, groupOf, groupQuery } from './conditions.ts'

test('conditions become a query and the same conditions again', () => {
  const group: Group = {
    operator: 'AND',
    of: [
      { name: 'material', comparator: 'IN', value: 'Wool, Silk' },
      { operator: 'OR', of: [{ name: 'weight', comparator: 'GT', value: '7' }, { name: 'code', comparator: 'IS_EMPTY', value: '' }] }, // prettier-ignore
    ],
  }
  expect(groupOf(groupQuery(group))).toEqual(group)
  expect(groupOf(undefined)).toEqual({ operator: 'AND', of: [] })
})

test('a query with full text, or in one language, cannot be shown as conditions', () => {
  expect(groupOf({ queryType: 'FULLTEXT', value: 'x' })).toBeUndefined()
  expect(groupOf({ queryType: 'FIELD', name: 'title', language: 'de_DE', value: 'x' })).toBeUndefined()
})
