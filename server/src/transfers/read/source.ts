import { illegalTextFault } from '@kontor/contract'
import { Problem } from '../../errors.ts'

/** The output of file readers: rows of a table, or objects of messages. Row numbers count from 1. */
export type SourceRow =
  | {
      readonly number: number
      readonly cells: readonly string[]
      readonly faults?: readonly CellFault[]
      /** For a layout: the cells as they were sent. */
      readonly sent?: readonly string[]
      /** For a layout: whether the row asks to delete the product. */
      readonly isDeletion?: boolean
    }
  | {
      readonly number: number
      readonly container: string
      readonly item: object
      readonly sent?: readonly string[]
      /** For a translated text. */
      readonly translated?: Translated
    }
  | { readonly number: number; readonly fault: string }

/** A translated text, and the source texts that it was made from. */
export interface Translated {
  readonly product: string
  /** The tids from the article down to the object. */
  readonly below: readonly string[]
  readonly attribute: string
  /** Locales. */
  readonly source: string
  readonly target: string
  readonly isRich: boolean
  readonly texts: readonly string[]
}

/** The reason why a cell cannot be read. */
export interface CellFault {
  /** The position of the column, from 0. */
  readonly index: number
  readonly reason: string
}

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
      read = 0 // a file may be read several times
      for await (const piece of bytes) {
        read += piece.length
        yield piece
      }
    },
  }
}

/** The errors that spreadsheets write into cells, in English and German. */
export const cellErrors: ReadonlySet<string> = new Set([
  '#DIV/0!', '#N/A', '#NAME?', '#NULL!', '#NUM!', '#REF!', '#VALUE!', '#SPILL!', '#CALC!',
  '#NV', '#ZAHL!', '#BEZUG!', '#WERT!', '#ÜBERLAUF!', '#KALK!',
]) // prettier-ignore

const noHeading = (cell: string, index: number) =>
  `the value "${cell.slice(0, 50)}" in column ${index + 1} has no heading; give the column a heading (ignore to leave it out), or quote texts that contain the delimiter`

/**
 * A row of a table, with the faults of its cells: those that the reader found, characters that no text may
 * have, and values without a heading.
 */
export function tableRow(
  number: number,
  cells: readonly string[],
  headings: readonly string[],
  found: readonly CellFault[],
): SourceRow {
  const illegal = cells.flatMap((cell, index) => {
    const reason = illegalTextFault(cell)
    return reason === undefined ? [] : [{ index, reason }]
  })
  const surplus = cells.flatMap((cell, index) =>
    (headings[index] ?? '') !== '' || cell.trim() === '' ? [] : [{ index, reason: noHeading(cell, index) }],
  )
  const faults = [...found, ...illegal, ...surplus]
  return faults.length === 0 ? { number, cells } : { number, cells, faults }
}

/** A longer cell, row or line is an error of the sender. */
export const maxCell = 4 * 1024 * 1024
const maxHeading = 1000
export const maxColumns = 2000

export const noHeadings = (what: 'file' | 'sheet', headerRow: number) =>
  new Problem(
    'invalid',
    headerRow === 1
      ? `the ${what} is empty: its first row must have the headings`
      : `the ${what} has no row ${headerRow}, in which the profile expects the headings`,
  )

/** The headings of a table, which replies and messages repeat. */
export function toHeadings(cells: readonly string[]): string[] {
  if (cells.length > maxColumns) throw new Problem('invalid', `more than ${maxColumns} columns`)
  return cells.map((cell, i) => {
    if (cell.length <= maxHeading) return cell.trim()
    throw new Problem('invalid', `the heading of column ${i + 1} is longer than ${maxHeading} characters`)
  })
}
