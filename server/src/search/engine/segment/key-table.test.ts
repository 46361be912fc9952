/** Keys are found by hash where a binary search finds them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readerOf, type Sections } from './container.ts'
import { createKeyTable } from './key-table.ts'
import { equalRange, readStrings, sortTexts, writeStrings } from './strings.ts'

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), maxLength: 4 })

test('the first of equal keys is found, and nothing for a key that is not there', () => {
  fc.assert(
    fc.property(fc.array(key), fc.array(key), (kept, wanted) => {
      const sections: Sections = new Map()
      writeStrings(
        sections,
        'keys',
        sortTexts(kept, (each) => each),
      )
      const keys = readStrings(readerOf(sections), 'keys')
      const table = createKeyTable(keys)
      for (const each of [...kept, ...wanted]) {
        const [from, to] = equalRange(keys, Buffer.from(each))
        expect(table.find(Buffer.from(each))).toBe(from < to ? from : -1)
      }
    }),
  )
})
