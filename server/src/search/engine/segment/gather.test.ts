/** What a segment is gathered in: tables of runs and of values, and streams of bytes. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../analysis/tokenize.ts'
import { createRunTable } from './runs.ts'
import { createStreams } from './streams.ts'
import { createValueTable } from './value-table.ts'

test('a table of runs finds the runs that the tokenizer finds, and asks for each once', () => {
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

test('a table of values gives every value one number and has it back, through any growth', () => {
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

test('streams that grow side by side each have all their bytes, however they are cut', () => {
  const piece = fc.record({ stream: fc.nat(40), length: fc.oneof(fc.nat(6), fc.nat(3000)) })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
      const streams = createStreams()
      const wanted = new Map<number, number[]>()
      pieces.forEach(({ stream, length }, i) => {
        const data = Uint8Array.from({ length }, (_, k) => i * 7 + k)
        streams.append(stream, { data, length })
        wanted.set(stream, [...(wanted.get(stream) ?? []), ...data])
      })
      for (const [stream, bytes] of wanted) {
        const { data, length } = streams.read(stream)
        expect(Buffer.from(data.subarray(0, length)).equals(Buffer.from(bytes))).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})
