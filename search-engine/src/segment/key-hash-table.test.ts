/** The hash table finds the same keys as a binary search. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSections, type Sections } from './container.ts'
import { createKeyTable, hashKeys } from './key-hash-table.ts'
import { compareInBytes, equalRange, readStrings, writeStrings } from './strings.ts'

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), maxLength: 4 })

test('all positions of a key are found, and none for a missing key', () => {
  fc.assert(
    fc.property(fc.array(key), fc.array(key), (kept, wanted) => {
      const sections: Sections = new Map()
      writeStrings(sections, 'keys', kept.sort(compareInBytes))
      const keys = readStrings(readSections(sections), 'keys')
      const table = createKeyTable(keys)
      const all = [...kept, ...wanted].map((each) => Buffer.from(each))
      const places = all.flatMap((each) => {
        const [from, to] = equalRange(keys, each)
        return Array.from({ length: to - from }, (_, i) => from + i)
      })
      expect(table.findAll(hashKeys(all))).toEqual(places)
    }),
  )
})
