import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvRecord, csvRecords } from './csv-records.ts'

/** As a widely used library reads it. undefined: not at all. */
function peer(text: string): string[][] | undefined {
  try {
    return parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      relax_quotes: true,
    })
  } catch {
    return undefined
  }
}

async function own(pieces: readonly string[]) {
  const texts = (async function* () {
    yield* pieces
  })()
  const all = Readable.from(csvRecords(texts, ',')).toArray() as Promise<CsvRecord[]>
  const records = await all.catch(() => undefined)
  return records && { cells: records.map(({ cells }) => cells), isTorn: records.some(({ torn }) => torn.length > 0) }
}

/** Rows without a text are left out later. */
const filled = (rows: string[][]) => rows.filter((cells) => cells.some((cell) => cell !== ''))

const piece = fc.string({
  unit: fc.constantFrom('a', 'b', '"', '""', ',', '\n', '\r\n', '\r', ' ', 'ä'),
  maxLength: 20,
})

test('random texts, received in random pieces, have the cells that another reader finds', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const [found, wanted] = [await own(pieces), peer(pieces.join(''))]
      if (!found || !wanted || found.isTorn) return
      expect(filled(found.cells)).toEqual(filled(wanted))
      compared++
    }),
    { numRuns: 3000 },
  )
  expect(compared).toBeGreaterThan(1000)
})
