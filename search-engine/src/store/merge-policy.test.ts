/** The merge policy. */
import { expect, test } from 'vitest'
import { partsToMerge } from './merge-policy.ts'
import type { Part } from './snapshot.ts'

const part = (maxDoc: number, live = maxDoc) => ({ segment: { maxDoc }, live, file: `${maxDoc}.segment` }) as Part
const several = (count: number, maxDoc: number) => Array.from({ length: count }, () => part(maxDoc))
const sizesOf = (parts: readonly Part[], isReplaced = false) => partsToMerge(parts, isReplaced).map(({ live }) => live)

test('eight segments of one size class are merged', () => {
  expect(sizesOf([...several(7, 600), part(5000)])).toEqual([])
  expect(sizesOf([...several(8, 600), part(5000)])).toEqual(Array.from({ length: 8 }, () => 600))
})
test('segments of rebuild size are not merged with later changes', () => {
  expect(sizesOf([...several(4, 250_000), part(125_000), ...several(3, 33_000)])).toEqual([])
})
test('a large segment with many deletions is rewritten alone, a small one is not', () => {
  expect(sizesOf([part(250_000, 170_000), part(600, 100)])).toEqual([170_000])
  expect(sizesOf([part(250_000, 180_000), part(600, 100)])).toEqual([])
})
test('during a rebuild only small segments are merged', () => {
  const others = [...several(8, 5000), part(250_000, 100_000)]
  expect(sizesOf([...others, ...several(8, 600)], true)).toEqual(Array.from({ length: 8 }, () => 600))
  expect(sizesOf(others, true)).toEqual([])
  expect(sizesOf(others)).toEqual(Array.from({ length: 8 }, () => 5000))
})
