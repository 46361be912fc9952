/** Data structures of the segment builder: run table, value table and occurrence log. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../analysis/tokenize.ts'
import { createRunTable } from './run-table.ts'
import { createValueTable } from './value-table.ts'
import { createOccurrenceLog } from './occurrence-log.ts'

test('the run table finds the runs of the tokenizer, and analyses each once', () => {
  const pieces = fc.constantFrom('rot', 'Größe', 'M8x20', 'a-b', '-', ' ', "l'eau", '1,5', 'Жук', '𝒳', 'ab', '.')
  fc.assert(
    fc.property(fc.array(fc.array(pieces, { maxLength: 30 }), { maxLength: 20 }), (texts) => {
      const learned: string[] = []
      const table = createRunTable((run) => learned.push(run) - 1)
      for (const text of texts.map((some) => some.join(''))) {
        const count = table.read(text)
        expect(Array.from(table.codes().subarray(0, count), (code) => learned[code])).toEqual([...runsOf(text)])
      }
      expect(new Set(learned).size).toBe(learned.length)
    }),
  )
})

test('the value table numbers every value and returns it, also after growing', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 300 }), (values) => {
      const table = createValueTable()
      const numbers = values.map(table.numberOf)
      const kept = table.values()
      expect(numbers.map((number) => kept[number])).toEqual(values)
      expect(kept).toEqual([...new Set(values)])
    }),
  )
})

test('the occurrence log returns occurrences by term, then by document, then in their original order', () => {
  const word = fc.record({ term: fc.nat(6), step: fc.constantFrom<0 | 1>(0, 1) })
  const text = fc.record({ doc: fc.nat(5), field: fc.nat(2), position: fc.nat(50), words: fc.array(word) })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      const log = createOccurrenceLog()
      const wanted: { term: number; doc: number; field: number; position: number }[] = []
      for (const { doc, field, position, words } of texts) {
        log.begin(doc, field, position)
        let at = position
        for (const { term, step } of words) {
          log.add(term, step)
          wanted.push({ term, doc, field, position: (at += step) })
        }
      }
      const { starts, positions, docAt, fieldAt, lengths } = log.byTerm(7, 6)
      const found = Array.from({ length: 7 }, (_, term) =>
        Array.from({ length: starts[term + 1]! - starts[term]! }, (_unused, i) => starts[term]! + i).map((i) => ({
          term,
          doc: docAt(i),
          field: fieldAt(i),
          position: positions[i]!,
        })),
      ).flat()
      expect(found).toEqual(wanted.toSorted((a, b) => a.term - b.term || a.doc - b.doc))
      expect([...lengths]).toEqual([0, 1, 2, 3, 4, 5].map((doc) => wanted.filter((w) => w.doc === doc).length))
    }),
  )
})
