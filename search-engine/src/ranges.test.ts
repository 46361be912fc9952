/** Round ranges contain every value exactly once and respect the limit. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundRanges } from './ranges.ts'
import { inRange } from './values.ts'

const decimal = fc.tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 8 }))
const number = fc.oneof(
  decimal.map(([digits, places]) => digits / 10 ** places),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const date = fc.integer({ min: Date.UTC(-100, 0), max: Date.UTC(9999, 11) })
const limit = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 }))

test.each([
  ['numbers', 'number', number],
  ['dates', 'date', date],
] as const)('%s are each in one range', (_what, type, value) => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), limit, (values, most) => {
      const ranges = roundRanges(type, Math.min(...values), Math.max(...values), most)
      expect(ranges.length).toBeLessThanOrEqual(most)
      for (const each of values) expect(ranges.filter((range) => inRange(range, each))).toHaveLength(1)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  [0.2, 0.7, { from: 0.7, to: 0.75 }],
  [0, 0.6, { from: 0.6, to: 0.7 }],
  [1_234_567_890_123_456, 1_234_567_890_123_486, { from: 1_234_567_890_123_485, to: 1_234_567_890_123_490 }],
])('from %d to %d the last range is %o', (smallest, largest, last) => {
  expect(roundRanges('number', smallest, largest, 12).at(-1)).toEqual(last)
})
