/** CSV: RFC 4180 with any delimiter, quotes, a byte order mark, and any encoding. */
import { because } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { unescapeFormula } from '../formulas.ts'
import type { Encoding } from '../options.ts'
import { CsvFault, type CsvRecord, csvRecords } from './csv-records.ts'
import { decoded, lost } from './encoding.ts'
import { type Bytes, cellErrors, noHeadings, type Source, type SourceRow, tableRow, toHeadings } from './source.ts'

/** Characters in which the first line is expected. */
const maxHead = 64 * 1024
const delimiters = [';', '\t', ',', '|']

interface CsvOptions {
  /** The line with the headings, from 1. */
  readonly headerRow?: number | undefined
  readonly encoding?: Encoding
  /** Detected by default. */
  readonly delimiter?: string | undefined
  /** Whether cells are read as they are, without removing the apostrophe of an escaped formula. */
  readonly keepsFormulas?: boolean
}

export async function readCsv(
  bytes: Bytes,
  { encoding = 'utf-8', headerRow = 1, delimiter, keepsFormulas }: CsvOptions = {},
): Promise<Source> {
  const cellsOf = (cells: string[]) => (keepsFormulas ? cells : cells.map(unescapeFormula))
  const texts = withoutLines(decoded(bytes, encoding), headerRow - 1)
  let head = ''
  // Pieces can be small. The delimiter is in the first line with a text.
  while (!/[^\r\n\ufeff][\r\n]/.test(head) && head.length < maxHead) {
    const { done, value } = await texts.next()
    if (done) break
    head += value
  }
  async function* whole() {
    yield head.replace(/^\ufeff/, '')
    yield* texts
  }
  const named = headerRow === 1 ? delimiterLine.exec(head)?.[1] : undefined
  const table = named === undefined ? whole() : withoutLines(whole(), 1)
  const records = csvRecords(table, delimiter ?? named ?? guessDelimiter(head))
  const heading = await records.next().catch(toProblem)
  if (heading.done) throw noHeadings('file', headerRow)
  const headings = toHeadings(cellsOf(heading.value.cells))
  const [swallowed] = heading.value.torn
  if (swallowed !== undefined) throw new Problem('invalid', `the heading of column ${swallowed + 1} ${tearing}`)
  const unread = headings.findIndex((text) => text.includes(lost))
  if (unread >= 0) throw new Problem('invalid', `the heading of column ${unread + 1} ${notIn(encoding)}`)
  return { headings, rows: rowsOf(records, cellsOf, headings, encoding) }
}

/** By this line above the headings, spreadsheets learn the delimiter. */
const delimiterLine = /^\ufeff?"?sep=([^"\r\n])"?[\r\n]/i

/** The text without its first lines. Pieces can end within a line break. */
async function* withoutLines(texts: AsyncIterable<string>, count: number): AsyncGenerator<string> {
  let left = count
  let isBreakOpen = false
  for await (const piece of texts) {
    let text: string = isBreakOpen && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') isBreakOpen = false
    for (; left > 0 && text !== ''; left--) {
      const end = text.search(/[\r\n]/)
      if (end < 0) break
      isBreakOpen = text.endsWith('\r') && end === text.length - 1
      text = text.slice(end + (text.startsWith('\r\n', end) ? 2 : 1))
    }
    if (left === 0 && text !== '') yield text
  }
}

async function* rowsOf(
  records: AsyncIterator<CsvRecord>,
  cellsOf: (cells: string[]) => string[],
  headings: readonly string[],
  encoding: Encoding,
): AsyncGenerator<SourceRow> {
  for (let number = 1; ; number++) {
    const { done, value } = await nextFilled(records)
    if (done) return
    const cells = cellsOf(value.cells)
    const faults = cells.flatMap((cell, index) => {
      const reason = value.torn.includes(index) ? tearing : faultOf(cell, encoding)
      return reason === undefined ? [] : [{ index, reason }]
    })
    yield tableRow(number, cells, headings, faults)
  }
}

/** The next row with a text: spreadsheets write rows of delimiters alone below a table. */
async function nextFilled(records: AsyncIterator<CsvRecord>): Promise<IteratorResult<CsvRecord>> {
  for (;;) {
    const next = await records.next().catch(toProblem)
    if (next.done || next.value.cells.some((cell) => cell !== '')) return next
  }
}

function faultOf(cell: string, encoding: Encoding): string | undefined {
  if (cell.includes(lost)) return notIn(encoding)
  return cellErrors.has(cell)
    ? `has the error ${cell} of a spreadsheet; correct it, or leave the cell empty`
    : undefined
}

const tearing = 'begins with a quote that is not closed before the next line, so it contains other rows; close the quote, or double it' // prettier-ignore
const notIn = (encoding: Encoding) => `has a character that cannot be read as ${encoding}; give the encoding of the file, or correct the character` // prettier-ignore

function toProblem(error: Error): never {
  if (!(error instanceof CsvFault)) throw error // of the source
  throw new Problem('invalid', because('csvUnread', { cause: error.message }), { cause: error })
}

/** Does not occur in texts: the delimiter of a table with one column. */
const noDelimiter = '\u001f'

/** The character that occurs most often in the first line with a text, outside of quotes. */
function guessDelimiter(head: string): string {
  const line = head.replaceAll(/"[^"]*"/g, '""').replace(/^[\ufeff\r\n]+/, '').split(/[\r\n]/, 1)[0]! // prettier-ignore
  const counted = delimiters.map((sign) => ({ sign, count: line.split(sign).length - 1 }))
  const best = counted.toSorted((a, b) => b.count - a.count)[0]!
  return best.count === 0 ? noDelimiter : best.sign
}
