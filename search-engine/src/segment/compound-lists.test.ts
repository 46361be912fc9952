/** One posting list for all compounds of a part: all their documents, with the sum of their frequencies. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSections, type Sections } from './container.ts'
import { createBlock } from './postings-block.ts'
import { blocksOf, readPostings } from './postings.ts'
import { textAt } from './strings.ts'
import { compoundListOf, readTextIndex, profileOf, wordsIn, type TextIndex } from './text-index.ts'
import { createTextWriter } from './text-writer.ts'

const lexicon = new Map([['de', new Set(['dam', 'led', 'schuh'])]])
const words = ['damenschuhe', 'damenschuhen', 'hut', 'lederdamen', 'lederschuh', 'schuh', 'schuhschuhe']
const partsOf: Record<string, string[]> = {
  dam: ['damenschuhe', 'damenschuhen', 'lederdamen'],
  led: ['lederdamen', 'lederschuh'],
  schuh: ['damenschuhe', 'damenschuhen', 'lederschuh', 'schuhschuhe'],
}

/** The frequency of a term by document and field. */
interface Occurrence {
  readonly word: string
  readonly doc: number
  readonly field: number
  readonly count: number
}
const key = ({ doc, field }: Occurrence) => `${doc}/${field}`

function writeOccurrences(occurrences: readonly Occurrence[]): TextIndex {
  const writer = createTextWriter({ locale: 'de_DE', stem: (term) => term }, lexicon)
  for (const word of words) {
    writer.beginTerm(word, word)
    const own = Object.groupBy(
      occurrences.filter((each) => each.word === word),
      ({ doc }) => doc,
    )
    for (const [doc, some] of Object.entries(own)) {
      const pairs = some!.toSorted((a, b) => a.field - b.field).flatMap(({ field, count }) => [field, count])
      writer.posting(Number(doc), writer.profile(pairs), new Uint8Array(), 0, 0)
    }
  }
  const out: Sections = new Map()
  writer.finish(out, 'words', new Uint32Array(1))
  return readTextIndex(readSections(out), 'words')
}

function readList(text: TextIndex, list: number): { docs: number[]; counts: Record<string, number> } {
  const block = createBlock()
  const docs: number[] = []
  const counts: Record<string, number> = {}
  for (let number = 0; number < blocksOf(text, list); number++) {
    const inBlock = readPostings(text, list, number, block)
    for (let i = 0; i < inBlock; i++) {
      docs.push(block.docs[i]!)
      const pairs = profileOf(text, block.profiles[i]!)
      for (let at = 0; at < pairs.length; at += 2) counts[`${block.docs[i]}/${pairs[at]}`] = pairs[at + 1]!
    }
  }
  return { docs, counts }
}

test('a part has one posting list of all its compounds, with summed frequencies', () => {
  const occurrence = fc.record({
    word: fc.constantFrom(...words),
    doc: fc.nat(400),
    field: fc.nat(2),
    count: fc.integer({ min: 1, max: 3 }),
  })
  const some = fc.uniqueArray(occurrence, {
    selector: (each) => `${each.word} ${key(each)}`,
    maxLength: 800,
    size: 'max',
  })
  fc.assert(
    fc.property(some, (occurrences) => {
      const text = writeOccurrences(occurrences)
      for (const [part, compounds] of Object.entries(partsOf)) {
        const own = occurrences.filter(({ word }) => compounds.includes(word))
        const counts: Record<string, number> = {}
        for (const each of own) counts[key(each)] = (counts[key(each)] ?? 0) + each.count
        const docs = [...new Set(own.map(({ doc }) => doc))].sort((a, b) => a - b)
        expect(readList(text, compoundListOf(text, part))).toEqual({ docs, counts })
        expect(Array.from(wordsIn(text.parts, part), (word) => textAt(text.terms, word))).toEqual(compounds)
      }
    }),
    { numRuns: 50 },
  )
})
test('there is no list for other stems, nor for the stem of the term itself', () => {
  const text = writeOccurrences([])
  expect(compoundListOf(text, 'hut')).toBe(-1)
  const writer = createTextWriter({ locale: 'de_DE', stem: () => 'schuh' }, lexicon)
  writer.beginTerm('damenschuhe', 'damenschuhe')
  const out: Sections = new Map()
  writer.finish(out, 'words', new Uint32Array(1))
  const own = readTextIndex(readSections(out), 'words')
  expect([compoundListOf(own, 'dam'), compoundListOf(own, 'schuh')]).toEqual([1, -1])
})
