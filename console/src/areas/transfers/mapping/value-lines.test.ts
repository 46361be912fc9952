import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linesOf, valuesIn } from './value-lines.ts'

describe('lines of replaced values', () => {
  test.each([
    ['rot = red', { rot: 'red' }],
    ['rot=red', { rot: 'red' }],
    ['rot = a=b', { rot: 'a=b' }],
    ['a=b = red', { 'a=b': 'red' }],
    ['rot =', { rot: '' }],
    ['27" = big', { '27"': 'big' }],
    ['"a = b" = "c = d"', { 'a = b': 'c = d' }],
    ['a note without a sign\nrot = red\n', { rot: 'red' }],
  ])('%j', (lines, values) => expect(valuesIn(lines)).toEqual(values))

  test('are written without quotes where they are clear', () => {
    expect(linesOf({ rot: 'red', 'a=b': 'c', '27"': 'x', 'a = b': 'c', d: '' })).toBe(
      'rot = red\na=b = c\n27" = x\n"a = b" = "c"\n"d" = ""',
    )
  })

  test('have the same values when they are opened and saved', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '=', ' ', '"', '\\', '\n', '\r', 'ß'), maxLength: 8 })
    fc.assert(
      fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (values) => {
        expect(valuesIn(linesOf(values))).toEqual(values)
      }),
      { numRuns: 3000 },
    )
  })
})
