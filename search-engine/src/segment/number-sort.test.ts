import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortByValue } from './number-sort.ts'

const byComparing = (values: Float64Array, places: Uint32Array) =>
  [...places].sort((a, b) => values[a]! - values[b]! || a - b)

test('indexes are sorted by value, and equal values keep their order', () => {
  const number = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double({ noNaN: true }).map((value) => value + 0),
    fc.constantFrom(1e-320, -1e-320, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1_700_000_000_000),
  )
  fc.assert(
    fc.property(fc.array(number, { minLength: 40, maxLength: 80 }), fc.integer({ min: 1, max: 3 }), (some, step) => {
      // Enough for the radix sort, with every number several times.
      const values = Float64Array.from({ length: 15_000 }, (_, i) => some[(i * 31) % some.length]!)
      const places = Uint32Array.from({ length: 5000 }, (_, i) => i * step)
      expect([...sortByValue(values, places.slice())]).toEqual(byComparing(values, places))
    }),
    { numRuns: 30 },
  )
})

test('a few numbers are sorted too', () => {
  const values = Float64Array.of(2, -1, 2, -5.5, 0)
  expect([...sortByValue(values, Uint32Array.of(0, 1, 2, 3, 4))]).toEqual([3, 1, 4, 0, 2])
})
