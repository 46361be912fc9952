/**
 * XLSX: the first sheet of a workbook, row by row.
 *
 * A sheet refers to most of its texts by number in a shared list. That list is held in memory, within bounds; the sheet
 * itself is not. Numbers are read as they are stored, dates as ISO texts if the cell is formatted as a date.
 */
import { SaxesParser } from 'saxes'
import { Problem } from '../../errors.ts'
import {
  type Bytes,
  type Gauge,
  maxCell,
  maxColumns,
  type Source,
  type SourceRow,
  textOf,
  toHeadings,
} from './source.ts'
import type { Zip } from './zip.ts'

/** Characters of all shared texts, and what each text costs besides. */
const maxShared = 64 * 1024 * 1024
const sharedCost = 16
/** Characters of a format; Excel allows 255. */
const maxFormat = 1000
/** Bytes of a part that is read before the first row. */
const maxPart = 512 * 1024 * 1024

export async function readXlsx(zip: Zip, gauge: Gauge): Promise<Source> {
  const sheet = ['xl/worksheets/sheet1.xml', ...zip.names].find((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name) && zip.names.includes(name)) // prettier-ignore
  if (sheet === undefined) throw new Problem('invalid', 'the workbook has no sheet')
  const shared = (await readPart(zip, 'xl/sharedStrings.xml', readShared)) ?? []
  const dates = (await readPart(zip, 'xl/styles.xml', readDateStyles)) ?? new Set<number>()
  const rows = sheetRows(gauge.over(await zip.read(sheet), zip.sizeOf(sheet)), shared, dates)
  const first = await rows.next()
  if (first.done) throw new Problem('invalid', 'the sheet is empty: its first row must have the headings')
  return { headings: toHeadings(first.value), rows: numbered(rows) }
}

async function readPart<T>(zip: Zip, name: string, read: (bytes: Bytes) => Promise<T>): Promise<T | undefined> {
  if (!zip.names.includes(name)) return undefined
  if (zip.sizeOf(name) > maxPart)
    throw new Problem('invalid', `${name} is larger than ${maxPart} bytes; save it as CSV`)
  return read(await zip.read(name))
}

async function* numbered(rows: AsyncGenerator<string[]>): AsyncGenerator<SourceRow> {
  let number = 0
  for await (const cells of rows) yield { number: ++number, cells }
}

/** Texts of the elements `t` in each element `si`, without the phonetic ones (rPh). */
async function readShared(bytes: Bytes): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let size = 0
  let inText = false
  let inPhonetic = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    if (name === 'si') text = ''
    if (name === 'rPh') inPhonetic = true
    inText = name === 't' && !inPhonetic
  })
  parser.on('text', (piece) => void (inText && (text = withinCell(text + piece))))
  parser.on('closetag', ({ name }) => {
    if (name === 't') inText = false
    if (name === 'rPh') inPhonetic = false
    if (name !== 'si') return
    texts.push(text)
    size += text.length + sharedCost
    if (size > maxShared) throw new Problem('invalid', 'the workbook has too many texts for one import; save it as CSV')
  })
  await feed(parser, bytes)
  return texts
}

/** Cell styles that show a date: the built-in formats 14 to 22 and 45 to 47, and custom ones with a year or day. */
async function readDateStyles(bytes: Bytes): Promise<Set<number>> {
  const formats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])
  const dates = new Set<number>()
  let inCells = false
  let style = 0
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const of = attributes as Record<string, string>
    if (
      name === 'numFmt' &&
      /[yd]/i.test((of.formatCode ?? '').slice(0, maxFormat).replaceAll(/"[^"]*"|\[[^\]]*\]/g, ''))
    )
      formats.add(Number(of.numFmtId))
    if (name === 'cellXfs') inCells = true
    if (name === 'xf' && inCells && formats.has(Number(of.numFmtId))) dates.add(style)
    if (name === 'xf' && inCells) style++
  })
  parser.on('closetag', ({ name }) => void (name === 'cellXfs' && (inCells = false)))
  await feed(parser, bytes)
  return dates
}

async function* sheetRows(bytes: Bytes, shared: readonly string[], dates: ReadonlySet<number>) {
  const ready: string[][] = []
  let row: string[] = []
  let length = 0
  let cell = { column: 0, type: '', style: 0, text: '' }
  let inValue = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const of = attributes as Record<string, string>
    if (name === 'row') {
      row = []
      length = 0
    }
    if (name === 'c') cell = { column: columnOf(of.r, row.length), type: of.t ?? 'n', style: Number(of.s ?? -1), text: '' } // prettier-ignore
    inValue = name === 'v' || name === 't'
  })
  parser.on('text', (piece) => {
    if (inValue) cell.text = withinCell(cell.text + piece)
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'v' || name === 't') inValue = false
    if (name === 'c') {
      if (cell.column >= maxColumns) throw new Problem('invalid', `more than ${maxColumns} columns`)
      while (row.length < cell.column) row.push('')
      row[cell.column] = valueOf(cell, shared, dates)
      length += row[cell.column]!.length
      if (length > maxCell) throw new Problem('invalid', `a row is longer than ${maxCell} characters`)
    }
    if (name === 'row' && row.some((text) => text !== '')) ready.push(row)
  })
  const write = writerTo(parser)
  for await (const piece of textOf(bytes)) {
    write(piece)
    yield* ready.splice(0)
  }
  yield* ready
}

/** B7 is column 1; a cell without an address follows the previous one. */
function columnOf(address: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}/.exec(address ?? '')?.[0]
  if (letters === undefined) return next
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueOf(
  { type, style, text }: { type: string; style: number; text: string },
  shared: readonly string[],
  dates: ReadonlySet<number>,
): string {
  if (type === 's') return shared[Number(text)] ?? ''
  if (type === 'b') return text === '1' ? 'true' : 'false'
  if (type === 'n' && text !== '' && dates.has(style)) return dateOf(Number(text))
  return text
}

/** Days since 30 December 1899, the epoch of Excel. */
const dateOf = (days: number) => new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString()

async function feed(parser: SaxesParser, bytes: Bytes): Promise<void> {
  const write = writerTo(parser)
  for await (const piece of textOf(bytes)) write(piece)
}

function withinCell(text: string): string {
  if (text.length <= maxCell) return text
  throw new Problem('invalid', `a cell is longer than ${maxCell} characters`)
}

/** Passes pieces to the parser. It collects a text until its end, so a text is bounded before the parser reports it. */
function writerTo(parser: SaxesParser): (piece: string) => void {
  let ends = 0
  let endsBefore = 0
  let length = 0
  parser.on('opentagstart', () => void ends++)
  return (piece) => {
    length = ends === endsBefore ? length + piece.length : piece.length
    endsBefore = ends
    if (length > 2 * maxCell) throw new Problem('invalid', `a cell is longer than ${maxCell} characters`)
    try {
      parser.write(piece)
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('invalid', `the workbook cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }
}
