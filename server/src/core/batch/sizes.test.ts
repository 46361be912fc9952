import { expect, test } from 'vitest'
import { sizeOf, slicesOf } from './sizes.ts'

test('a size is roughly that of the texts, at any depth', () => {
  expect(sizeOf({ a: 'x'.repeat(100), b: [{ c: 'x'.repeat(50) }, null, 7] })).toBe(100 + 50 + 10 - 2)
})

test('items are divided in order, and an item that is too large is alone', () => {
  const [small, large] = ['x'.repeat(1_500_000), 'x'.repeat(9_000_000)]
  const lengths = (items: string[]) => slicesOf(items).map((slice) => slice.map(({ length }) => length / 1_500_000))
  expect(lengths([])).toEqual([[]])
  expect(lengths([small, small])).toEqual([[1, 1]])
  expect(lengths([small, small, small, large, small])).toEqual([[1, 1], [1], [6], [1]])
})
