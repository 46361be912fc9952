/** Tables of texts: what contains a needle is found whichever way it is looked for. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readerOf, type Sections } from './container.ts'
import { containing, readStrings, writeStrings } from './strings.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü', '漢'), maxLength: 9 })
const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü', '漢'), minLength: 1, maxLength: 5 })

test.each([
  ['a few texts', 20],
  ['so many texts that their pieces are listed', 400],
])('in %s, those that contain a needle or end with it are found', (_, count) => {
  fc.assert(
    fc.property(fc.array(text, { minLength: count, maxLength: count }), needle, (texts, wanted) => {
      const sections: Sections = new Map()
      writeStrings(sections, 'texts', texts)
      const strings = readStrings(readerOf(sections), 'texts')
      const numbers = (passes: (each: string) => boolean) => texts.flatMap((each, i) => (passes(each) ? [i] : []))
      expect(containing(strings, wanted)).toEqual(numbers((each) => each.includes(wanted)))
      expect(containing(strings, wanted, true)).toEqual(numbers((each) => each.endsWith(wanted)))
    }),
    { numRuns: 40 },
  )
})
