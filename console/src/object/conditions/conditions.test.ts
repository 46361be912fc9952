import { expect, test } from 'vitest'
import { areComplete, completeOf, type Group, groupOf, groupQuery } from './conditions.ts'

const material = { name: 'material', comparator: 'IN', value: ['Wool', 'Silk, raw'] } as const
const code = { name: 'code', comparator: 'IS_EMPTY', value: '', language: 'de_DE' } as const
const alternatives = { operator: 'OR', of: [{ name: 'weight', comparator: 'GT', value: '7' }, code] } as const

test('conditions become a query and the same conditions again, with values that contain commas, and languages', () => {
  const group: Group = { operator: 'AND', of: [material, alternatives] }
  expect(groupOf(groupQuery(group))).toEqual(group)
  expect(groupOf(undefined)).toEqual({ operator: 'AND', of: [] })
})

test('values that were separated by commas are a list', () => {
  const { queries } = groupQuery({ operator: 'AND', of: [{ ...material, value: 'Wool, Silk' }] })
  expect(queries).toMatchObject([{ value: ['Wool', 'Silk'] }])
})

test('a query with full text cannot be shown as conditions', () => {
  expect(groupOf({ queryType: 'FULLTEXT', value: 'x' })).toBeUndefined()
})

test('a code with leading zeros, or with more digits than a number has, stays a text', () => {
  const compared = (value: string) =>
    groupQuery({ operator: 'AND', of: [{ name: 'ean', comparator: 'EQ', value }] }).queries?.[0]?.value
  expect(['7', '-1.5', '0401', '12345678901234567890'].map(compared)).toEqual([7, -1.5, '0401', '12345678901234567890'])
})

test('conditions without a value are incomplete, and left out of a search', () => {
  const empty = { name: 'name', comparator: 'EQ', value: ' ' }
  const group: Group = { operator: 'AND', of: [material, empty, { operator: 'OR', of: [{ ...material, value: [] }] }] }
  expect(areComplete(group)).toBe(false)
  expect(areComplete({ operator: 'AND', of: [material, alternatives] })).toBe(true)
  expect(completeOf(group)).toEqual({ operator: 'AND', of: [material] })
})
