import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildOrdinalSets } from './ordinal-sets.ts'

/** The ordinals of each document, read back from the sets. */
function readBack(lists: readonly (readonly number[])[]): number[][] {
  const offsets = Uint32Array.from([0, ...lists].map((_, i) => lists.slice(0, i).flat().length))
  const { held, starts, ords } = buildOrdinalSets(offsets, Uint32Array.from(lists.flat()))
  return Array.from(held, (set) => Array.from(ords.subarray(starts[set], starts[set + 1])))
}

test('documents with equal values share one set, and documents without values have the empty set', () => {
  const { held, starts, ords } = buildOrdinalSets(Uint32Array.of(0, 2, 2, 3, 5), Uint32Array.of(3, 7, 3, 3, 7))
  expect([...held]).toEqual([1, 0, 2, 1])
  expect([...starts]).toEqual([0, 0, 2, 3])
  expect([...ords]).toEqual([3, 7, 3])
})

test('any values are read back', () => {
  const ordinals = fc.oneof(fc.nat(5), fc.nat(0xffffffff))
  const list = fc.uniqueArray(ordinals, { maxLength: 4 }).map((some) => some.sort((a, b) => a - b))
  fc.assert(
    fc.property(fc.array(list, { maxLength: 200 }), (lists) => {
      expect(readBack(lists)).toEqual(lists)
    }),
  )
})
