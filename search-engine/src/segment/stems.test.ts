/** Words by their stem: those that have it in common are listed, and one that is alone is found without a list. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSections, type Sections } from './container.ts'
import { stemStatistics } from './merge.ts'
import { sortTexts, textAt } from './strings.ts'
import { readTextIndex, wordsOf, type TextIndex } from './text-index.ts'
import { createTextWriter } from './text-writer.ts'

/** Cuts the last letter, so that a stem is now a word with that stem, now one with another, and now no word at all. */
const stem = (term: string) => (/^[a-z]{2,}$/.test(term) ? term.slice(0, -1) : term)

/** Each word stands in as many documents as it has letters. */
function numberText(terms: readonly string[]): TextIndex {
  const writer = createTextWriter({ locale: '', stem }, new Map())
  for (const term of sortTexts([...terms], (each) => each)) {
    writer.beginTerm(term, term)
    for (let doc = 0; doc < term.length; doc++) writer.posting(doc, writer.single(0), Uint8Array.of(0), 0, 1)
  }
  const out: Sections = new Map()
  writer.finish(out, 'words', new Uint32Array(9))
  return readTextIndex(readSections(out), 'words')
}

const words = fc.uniqueArray(fc.stringMatching(/^[ab7]{1,4}$/), { maxLength: 12 })

test('a stem finds the words that have it, and no word that is only written like it', () => {
  fc.assert(
    fc.property(words, (terms) => {
      const text = numberText(terms)
      for (const wanted of [...terms, ...terms.map(stem), 'aaaaa']) {
        const found = Array.from(wordsOf(text, wanted), (word) => textAt(text.terms, word))
        const having = terms.filter((term) => stem(term) === wanted)
        expect(found).toEqual(sortTexts(having, (each) => each))
      }
    }),
  )
})

test('stems are counted by the documents of their words, each stem once', () => {
  fc.assert(
    fc.property(words, (terms) => {
      const counted = new Map<string, number>()
      for (const term of terms) counted.set(stem(term), (counted.get(stem(term)) ?? 0) + term.length)
      const options = [...stemStatistics(numberText(terms))]
      expect(options).toHaveLength(counted.size)
      expect(new Map(options.map((each) => [each.stem, each.documents]))).toEqual(counted)
    }),
  )
})

test('a word that is alone takes no place among the stems', () => {
  const text = numberText(['77a', 'ab', 'abb', 'b7'])
  expect(Array.from({ length: text.stems.names.count }, (_, i) => textAt(text.stems.names, i))).toEqual(['a', 'ab'])
  expect(text.selfStems).toEqual(Uint8Array.of(1, 0, 0, 1))
})
