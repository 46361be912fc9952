/** Tables as files: CSV as text, XLSX as a zip that is written while it is sent. */
import { Readable } from 'node:stream'
import { escapeFormula } from '../formulas.ts'
import type { Bytes } from '../read/source.ts'
import { inChunks } from './chunks.ts'
import { toZip, type ZipEntry } from '../../adapters/zip.ts'

export type TableRows = AsyncIterable<readonly string[]>

/** The headings are in this row, from 1; the rows above it are empty, so that the profile can read the table again. */
interface Layout {
  readonly headerRow?: number | undefined
}
interface CsvOptions extends Layout {
  /** Whether cells that begin like a formula are written as they are. */
  readonly keepsFormulas: boolean
  readonly delimiter?: string | undefined
}

/** With a byte order mark; without it spreadsheets misread umlauts. */
export const toCsv = (headings: readonly string[], rows: TableRows, options: CsvOptions): AsyncGenerator<Buffer> =>
  inChunks(csvOf(headings, rows, options))

async function* csvOf(
  headings: readonly string[],
  rows: TableRows,
  { keepsFormulas, delimiter = ',', headerRow = 1 }: CsvOptions,
): AsyncGenerator<string> {
  const quoted = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
  const cellOf = keepsFormulas ? quoted : (cell: string) => quoted(escapeFormula(cell))
  const lineOf = (cells: readonly string[]) => `${cells.map(cellOf).join(delimiter)}\r\n`
  yield `\ufeff${'\r\n'.repeat(headerRow - 1)}${lineOf(headings)}`
  for await (const row of rows) yield lineOf(row)
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of a workbook with one sheet, besides the sheet. */
const partsWith = (sheet: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
  '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escape(sheet).replaceAll('"', '&quot;')}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
})

interface XlsxOptions extends Layout {
  readonly sheet?: string | undefined
}

export function toXlsx(headings: readonly string[], rows: TableRows, options: XlsxOptions = {}): Bytes {
  return toZip(partsOf(headings, rows, options))
}

async function* partsOf(
  headings: readonly string[],
  rows: TableRows,
  { sheet = 'Kontor', headerRow = 1 }: XlsxOptions,
): AsyncGenerator<ZipEntry> {
  for (const [name, text] of Object.entries(partsWith(sheet)))
    yield { name, bytes: Readable.from([Buffer.from(head + text)]), compress: true }
  yield { name: 'xl/worksheets/sheet1.xml', bytes: inChunks(sheetOf(headings, rows, headerRow)), compress: true }
}

async function* sheetOf(headings: readonly string[], rows: TableRows, headerRow: number): AsyncGenerator<string> {
  yield `${head}<worksheet xmlns="${main}"><sheetData>${rowOf([]).repeat(headerRow - 1)}${rowOf(headings)}`
  for await (const row of rows) yield rowOf(row)
  yield '</sheetData></worksheet>'
}

/** Every cell is a text, so that 007 stays 007. */
const rowOf = (cells: readonly string[]) => `<row>${cells.map(cellOf).join('')}</row>`
const cellOf = (text: string) =>
  text === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`
const signs = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;']]) // prettier-ignore
/** Characters that XML cannot carry or changes, and underscores that a reader would take for such an escape. */
// oxlint-disable-next-line no-control-regex -- they are the ones to escape
const unsafe = /[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/gi
const escape = (text: string) =>
  text
    .replaceAll(unsafe, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>]/g, (sign) => signs.get(sign)!)
