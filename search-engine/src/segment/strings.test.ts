/** String tables: substring search and lower bounds, by every strategy. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSections, type Sections } from './container.ts'
import { compareInBytes, containing, firstFrom, readStrings, textAt, type Strings, writeStrings } from './strings.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü', '漢'), maxLength: 9 })
const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü', '漢'), minLength: 1, maxLength: 5 })

function tableOf(texts: readonly string[]): Strings {
  const sections: Sections = new Map()
  writeStrings(sections, 'texts', texts)
  return readStrings(readSections(sections), 'texts')
}

test.each([
  ['a few texts', 20],
  ['enough texts for the trigram index', 400],
])('in %s, those that contain a needle or end with it are found', (_, count) => {
  fc.assert(
    fc.property(fc.array(text, { minLength: count, maxLength: count }), needle, (texts, wanted) => {
      const strings = tableOf(texts)
      const numbers = (passes: (each: string) => boolean) => texts.flatMap((each, i) => (passes(each) ? [i] : []))
      expect(containing(strings, wanted)).toEqual(numbers((each) => each.includes(wanted)))
      expect(containing(strings, wanted, true)).toEqual(numbers((each) => each.endsWith(wanted)))
    }),
    { numRuns: 40 },
  )
})

test('the lower bound is found, however many strings share a prefix', () => {
  const beginning = fc.constantFrom('', 'a', 'abcabc')
  fc.assert(
    fc.property(
      beginning,
      fc.array(text, { maxLength: 600, size: 'max' }),
      text,
      fc.nat(600),
      (all, some, end, from) => {
        const texts = [...new Set(some.map((each) => all + each))].sort(compareInBytes)
        const wanted = Buffer.from(all + end)
        const isBefore = (each: string) => Buffer.compare(Buffer.from(each), wanted) < 0
        const expected = Math.max(Math.min(from, texts.length), texts.filter(isBefore).length)
        expect(firstFrom(tableOf(texts), Math.min(from, texts.length), wanted, wanted.length)).toBe(expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('a table that is written in several batches is complete', () => {
  const texts = Array.from({ length: 140_000 }, (_, i) => i.toString(36))
  const strings = tableOf(texts)
  expect(Array.from({ length: strings.count }, (_, i) => textAt(strings, i))).toEqual(texts)
})
