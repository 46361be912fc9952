/** CSV: RFC 4180 with any delimiter, quotes, a byte order mark, and rows of any length. */
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Problem } from '../../errors.ts'
import { unescapeFormula } from '../formulas.ts'
import { type Bytes, maxCell, type Source, type SourceRow, toHeadings } from './source.ts'

const delimiters = [';', '\t', ',', '|']

interface CsvOptions {
  /** Detected by default. */
  readonly delimiter?: string | undefined
  /** Whether cells are read as they are, without removing the apostrophe of an escaped formula. */
  readonly keepsFormulas?: boolean
}

export async function readCsv(bytes: Bytes, { delimiter, keepsFormulas }: CsvOptions = {}): Promise<Source> {
  const cellsOf = (cells: string[]) => (keepsFormulas ? cells : cells.map(unescapeFormula))
  const iterator = bytes[Symbol.asyncIterator]()
  const first = await iterator.next()
  const head = first.done ? Buffer.alloc(0) : first.value
  async function* whole() {
    yield head
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      yield value
    }
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
  if (heading.done) throw new Problem('invalid', 'the file is empty: the first line must have the headings')
  return { headings: toHeadings(cellsOf(heading.value)), rows: rowsOf(records, cellsOf) }
}

async function* rowsOf(
  records: AsyncIterator<string[]>,
  cellsOf: (cells: string[]) => string[],
): AsyncGenerator<SourceRow> {
  for (let number = 1; ; number++) {
    const { done, value } = await records.next().catch(toProblem)
    if (done) return
    yield { number, cells: cellsOf(value) }
  }
}

function toProblem(error: Error): never {
  if (!(error instanceof CsvError)) throw error // of the source
  throw new Problem('invalid', `the CSV cannot be read: ${error.message}`, { cause: error })
}

/** The character that occurs most often in the first line, outside of quotes. */
function guessDelimiter(head: Buffer): string {
  const line = head.toString('utf8').replaceAll(/"[^"]*"/g, '').split(/\r?\n/, 1)[0]! // prettier-ignore
  const counted = delimiters.map((sign) => ({ sign, count: line.split(sign).length }))
  return counted.toSorted((a, b) => b.count - a.count)[0]!.sign
}
