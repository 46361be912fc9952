/** CSV: RFC 4180 with any delimiter, quotes, a byte order mark, and any encoding. */
import { because } from '@kontor/contract'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Problem } from '../../errors.ts'
import { unescapeFormula } from '../formulas.ts'
import type { Encoding } from '../options.ts'
import { decoded, lost } from './encoding.ts'
import {
  type Bytes,
  cellErrors,
  maxCell,
  noHeadings,
  type Source,
  type SourceRow,
  tableRow,
  toHeadings,
} from './source.ts'

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
    yield head
    yield* texts
  }
  const parser = parse({
    bom: true,
    delimiter: delimiter ?? guessDelimiter(head),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxCell,
    relax_quotes: true,
  })
  // A pipe does not pass on errors of its source. Without the handler, a damaged zip would end the process.
  Readable.from(whole(), { objectMode: false })
    .on('error', (error) => parser.destroy(error))
    .pipe(parser)
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<string[]>
  const heading = await records.next().catch(toProblem)
  if (heading.done) throw noHeadings('file', headerRow)
  const headings = toHeadings(cellsOf(heading.value))
  const unread = headings.findIndex((text) => text.includes(lost))
  if (unread >= 0) throw new Problem('invalid', `the heading of column ${unread + 1} ${notIn(encoding)}`)
  return { headings, rows: rowsOf(records, cellsOf, headings, encoding) }
}

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
  records: AsyncIterator<string[]>,
  cellsOf: (cells: string[]) => string[],
  headings: readonly string[],
  encoding: Encoding,
): AsyncGenerator<SourceRow> {
  for (let number = 1; ; number++) {
    const { done, value } = await records.next().catch(toProblem)
    if (done) return
    const cells = cellsOf(value)
    const faults = cells.flatMap((cell, index) => {
      const reason = faultOf(cell, encoding)
      return reason === undefined ? [] : [{ index, reason }]
    })
    yield tableRow(number, cells, headings, faults)
  }
}

function faultOf(cell: string, encoding: Encoding): string | undefined {
  if (cell.includes(lost)) return notIn(encoding)
  return cellErrors.has(cell)
    ? `has the error ${cell} of a spreadsheet; correct it, or leave the cell empty`
    : undefined
}

const notIn = (encoding: Encoding) => `has a character that cannot be read as ${encoding}; give the encoding of the file, or correct the character` // prettier-ignore

function toProblem(error: Error): never {
  if (!(error instanceof CsvError)) throw error // of the source
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
