import { expect, test } from 'vitest'
import { nextKey } from './keyset-pages.ts'

const keyOf = ({ name }: { name: string }) => name

test('the next page begins after the last row of a full page', () => {
  expect(nextKey([{ name: 'anna' }, { name: 'berta' }], keyOf, 2)).toBe('berta')
})

test('a page that is not full is the last one', () => {
  expect(nextKey([{ name: 'anna' }], keyOf, 2)).toBeUndefined()
  expect(nextKey([], keyOf, 2)).toBeUndefined()
})
