/** Terms by stem: terms with a common stem are listed, and self-stemmed terms are found without a list. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSections, type Sections } from './container.ts'
import { stemStatistics } from './merge.ts'
import { compareInBytes, textAt } from './strings.ts'
import { readTextIndex, wordsOf, type TextIndex } from './text-index.ts'
import { createTextWriter } from './text-writer.ts'

/** Drops the last letter, so that a stem may be a term with the same stem, a term with another stem, or not a term. */
const stem = (term: string) => (/^[a-z]{2,}$/.test(term) ? term.slice(0, -1) : term)

/** Each term occurs in as many documents as it has letters. */
function writeTerms(terms: readonly string[]): TextIndex {
  const writer = createTextWriter({ locale: '', stem }, new Map())
  for (const term of [...terms].sort(compareInBytes)) {
    writer.beginTerm(term, term)
    for (let doc = 0; doc < term.length; doc++) writer.posting(doc, writer.single(0), Uint8Array.of(0), 0, 1)
  }
  const out: Sections = new Map()
  writer.finish(out, 'words', new Uint32Array(9))
  return readTextIndex(readSections(out), 'words')
}

const words = fc.uniqueArray(fc.stringMatching(/^[ab7]{1,4}$/), { maxLength: 12 })

test('a stem finds the terms with that stem, and not a term that merely equals it', () => {
  fc.assert(
    fc.property(words, (terms) => {
      const text = writeTerms(terms)
      for (const wanted of [...terms, ...terms.map(stem), 'aaaaa']) {
        const found = Array.from(wordsOf(text, wanted), (word) => textAt(text.terms, word))
        const having = terms.filter((term) => stem(term) === wanted)
        expect(found).toEqual(having.sort(compareInBytes))
      }
    }),
  )
})

test('each stem is counted once, with the documents of its terms', () => {
  fc.assert(
    fc.property(words, (terms) => {
      const counted = new Map<string, number>()
      for (const term of terms) counted.set(stem(term), (counted.get(stem(term)) ?? 0) + term.length)
      const statistics = [...stemStatistics(writeTerms(terms))]
      expect(statistics).toHaveLength(counted.size)
      expect(new Map(statistics.map((each) => [each.stem, each.documents]))).toEqual(counted)
    }),
  )
})

test('a self-stemmed term is not listed among the stems', () => {
  const text = writeTerms(['77a', 'ab', 'abb', 'b7'])
  expect(Array.from({ length: text.stems.names.count }, (_, i) => textAt(text.stems.names, i))).toEqual(['a', 'ab'])
  expect(text.selfStems).toEqual(Uint8Array.of(1, 0, 0, 1))
})
