import { Problem } from '../../errors.ts'

/** The output of file readers: rows of a table, or objects of messages. Row numbers count from 1. */
export type SourceRow =
  | { readonly number: number; readonly cells: readonly string[] }
  | { readonly number: number; readonly container: string; readonly item: object }
  | { readonly number: number; readonly fault: string }

export interface Source {
  /** The headings of a table; none for messages. */
  readonly headings?: readonly string[]
  readonly rows: AsyncIterable<SourceRow>
}

export type Bytes = AsyncIterable<Buffer>

/** Reports how much of a file has been read: the number of rows is not known before the last one. */
export interface Gauge {
  /** From 0 to 1. */
  share(): number
  /** The same bytes, `size` in total. */
  over(bytes: Bytes, size: number): Bytes
}

export function createGauge(): Gauge {
  let read = 0
  let whole = 0
  return {
    share: () => (whole === 0 ? 0 : Math.min(read / whole, 1)),
    async *over(bytes, size) {
      whole = size
      for await (const piece of bytes) {
        read += piece.length
        yield piece
      }
    },
  }
}

export async function* textOf(bytes: Bytes): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf8')
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/** A longer cell, row or line is an error of the sender. */
export const maxCell = 4 * 1024 * 1024
const maxHeading = 1000
export const maxColumns = 2000

/** The headings of a table, which replies and messages repeat. */
export function toHeadings(cells: readonly string[]): string[] {
  if (cells.length > maxColumns) throw new Problem('invalid', `more than ${maxColumns} columns`)
  return cells.map((cell, i) => {
    if (cell.length <= maxHeading) return cell.trim()
    throw new Problem('invalid', `the heading of column ${i + 1} is longer than ${maxHeading} characters`)
  })
}
