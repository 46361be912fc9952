/**
 * XLSX: a sheet of a workbook, row by row.
 *
 * A sheet refers to most of its texts by number in a shared list. That list is held in memory, within bounds; the sheet
 * itself is not. Numbers are read as people see them (numbers.ts), dates as ISO texts if the cell is formatted as a date,
 * and times of day as HH:MM. Formulas are not calculated: their stored results are read, and a cell without one is a fault.
 */
import { Problem } from '../../errors.ts'
import { notationOf } from '../notation.ts'
import { numberText } from './numbers.ts'
import {
  type Bytes,
  type CellFault,
  type Gauge,
  maxCell,
  maxColumns,
  noHeadings,
  type Source,
  type SourceRow,
  tableRow,
  toHeadings,
} from './source.ts'
import { type Listener, readWorkbook, unescapeText, withinCell, type Workbook, xmlPieces } from './workbook.ts'
import type { Zip } from './zip.ts'

interface XlsxOptions {
  /** Numbers of the workbook are written with it, as in the other files of the profile. Default: a point. */
  readonly decimal?: string
  /** In the same way, of dates. Default: ISO 8601. */
  readonly dateFormat?: string
  /** By name; the first visible one by default. */
  readonly sheet?: string
  /** The row with the headings, from 1. */
  readonly headerRow?: number
}

export async function readXlsx(
  zip: Zip,
  gauge: Gauge,
  { decimal = '.', dateFormat, sheet, headerRow = 1 }: XlsxOptions = {},
): Promise<Source> {
  const book = await readWorkbook(zip, sheet)
  const rows = sheetRows(gauge.over(await zip.read(book.sheet), zip.sizeOf(book.sheet)), book, {
    decimal,
    dateOf: dateWriter(dateFormat),
  })
  let first = await rows.next()
  while (!first.done && first.value.line < headerRow) first = await rows.next()
  if (first.done) throw noHeadings('sheet', headerRow)
  const [fault] = first.value.faults
  if (fault) throw new Problem('invalid', `the heading of column ${fault.index + 1}: ${fault.reason}`)
  const headings = toHeadings(first.value.cells)
  return { headings, rows: numbered(rows, headings) }
}

/** The first rows of a sheet, as they are. Numbers have the sign `decimal`. */
export async function firstRows(zip: Zip, sheet: string, decimal: string, count: number): Promise<SheetRow[]> {
  const book = await readWorkbook(zip, sheet)
  const found: SheetRow[] = []
  for await (const row of sheetRows(await zip.read(book.sheet), book, { decimal, dateOf: dateWriter() }))
    if (found.push(row) >= count) break
  return found
}

interface SheetRow {
  readonly line: number
  readonly cells: string[]
  readonly faults: CellFault[]
}

async function* numbered(rows: AsyncGenerator<SheetRow>, headings: readonly string[]): AsyncGenerator<SourceRow> {
  let number = 0
  for await (const { cells, faults } of rows) yield tableRow(++number, cells, headings, faults)
}

interface Cell {
  readonly column: number
  /** For example B7. */
  readonly address: string
  readonly type: string
  readonly style: number
  text: string
  hasFormula: boolean
  hasValue: boolean
}

/** How numbers and dates are written. */
interface Writing {
  readonly decimal: string
  /** `stored`: with the time, as in ISO 8601. */
  dateOf(stored: string): string
}

const dateWriter = (dateFormat?: string) =>
  (dateFormat === undefined ? undefined : notationOf({ dateFormat }, '', 'date')?.write) ??
  ((stored: string) => stored.replace('T00:00:00.000Z', ''))

async function* sheetRows(bytes: Bytes, book: Workbook, writing: Writing): AsyncGenerator<SheetRow> {
  const ready: SheetRow[] = []
  for await (const _ of xmlPieces(
    bytes,
    sheetListener(book, writing, (row) => void ready.push(row)),
  ))
    yield* ready.splice(0)
}

function sheetListener(book: Workbook, writing: Writing, emit: (row: SheetRow) => void): Listener {
  let row: SheetRow = { line: 0, cells: [], faults: [] }
  let length = 0
  let cell: Cell | undefined
  let inValue = false
  let inPhonetic = false
  const finish = ({ column, address, ...rest }: Cell) => {
    if (column >= maxColumns) throw new Problem('invalid', `more than ${maxColumns} columns`)
    const { text, fault } = valueOf(rest, book, writing)
    while (row.cells.length < column) row.cells.push('')
    row.cells[column] = text
    if (fault !== undefined) row.faults.push({ index: column, reason: `cell ${address} ${fault}` })
    length += text.length
    if (length > maxCell) throw new Problem('invalid', `a row is longer than ${maxCell} characters`)
  }
  return {
    open(name, { r, t = 'n', s = -1 }) {
      if (name === 'row') {
        row = { line: r === undefined ? row.line + 1 : Number(r), cells: [], faults: [] }
        length = 0
      }
      if (name === 'c') {
        const column = columnOf(r, row.cells.length)
        const address = r ?? `${lettersOf(column)}${row.line}`
        cell = { column, address, type: t, style: Number(s), text: '', hasFormula: false, hasValue: false }
      }
      if (name === 'rPh') inPhonetic = true
      inValue = name === 'v' || (name === 't' && !inPhonetic)
      if (cell && name === 'f') cell.hasFormula = true
      if (cell && inValue) cell.hasValue = true
    },
    text(piece) {
      if (cell && inValue) cell.text = withinCell(cell.text + piece)
    },
    close(name) {
      inValue = false
      if (name === 'rPh') inPhonetic = false
      if (name === 'c' && cell) {
        finish(cell)
        cell = undefined
      }
      if (name === 'row' && (row.faults.length > 0 || row.cells.some((text) => text !== ''))) emit(row)
    },
  }
}

/** B7 is column 1; a cell without an address follows the previous one. */
function columnOf(address: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}/.exec(address ?? '')?.[0]
  if (letters === undefined) return next
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

const remedy = 'open the workbook in a spreadsheet program, save it and send it again'

/** The text in the result file for a value that is not known: an import of that file refuses it again. */
const unknown = '#N/A'

/** The text of a cell, and why it cannot be read. */
function valueOf(
  { type, style, text, hasFormula, hasValue }: Omit<Cell, 'column' | 'address'>,
  { shared, formats, is1904, isUncalculated }: Workbook,
  { decimal, dateOf }: Writing,
): { text: string; fault?: string } {
  if (type === 'e') return { text, fault: `has the error ${text}; correct its formula` }
  if (hasFormula && (!hasValue || (text === '' && type !== 'str')))
    return { text: unknown, fault: `has a formula without a result; ${remedy}` }
  if (hasFormula && isUncalculated && type === 'n' && Number(text) === 0)
    return { text: unknown, fault: `has a formula that may not have been calculated; ${remedy}` }
  if (type === 's') {
    const found = text === '' ? '' : shared[Number(text)]
    return found === undefined ? { text: unknown, fault: 'refers to a text that the workbook does not have' } : { text: found } // prettier-ignore
  }
  if (type === 'b') return { text: text === '1' || text === 'true' ? 'true' : 'false' }
  if (type !== 'n') return { text: unescapeText(text) }
  const format = formats.get(style)
  if (text === '') return { text }
  if (format !== 'date' && format !== 'time') return { text: numberText(text, format).replace('.', decimal) }
  const isTime = format === 'time' && Number(text) >= 0 && Number(text) < mostDays
  const date = isTime ? timeOf(Number(text)) : dateAt(Number(text), is1904)
  if (date === undefined) return { text, fault: `is formatted as a date but contains ${text}` }
  return { text: isTime ? date : dateOf(date) }
}

/** A number formatted as a time is a time of day or a duration; a larger one is a date of which only the time is shown. */
const mostDays = 366

/** HH:MM, or HH:MM:SS if there are seconds. A duration may have more than 24 hours. */
function timeOf(days: number): string {
  const seconds = Math.round(days * 86_400)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.slice(0, seconds % 60 === 0 ? 2 : 3).map((part) => String(part).padStart(2, '0')).join(':') // prettier-ignore
}

/** Days since 30 December 1899, or since 1 January 1904. Excel counts a 29 February 1900, so earlier days are off by one. */
function dateAt(days: number, is1904: boolean): string | undefined {
  const since1899 = is1904 ? days + 1462 : days >= 1 && days < 60 ? days + 1 : days
  const date = new Date(Math.round((since1899 - 25_569) * 86_400) * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
