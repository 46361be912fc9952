/** Where the table of a file begins: its sheet or delimiter, and the row with the headings below title rows. */
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { encodingOf, type PlainFile, withFile } from '../open.ts'
import type { Profile } from '../options.ts'
import { decoded } from '../read/encoding.ts'
import { readCsv } from '../read/csv.ts'
import { type SourceRow, createGauge, maxColumns } from '../read/source.ts'
import { visibleSheets } from '../read/workbook.ts'
import { firstRows, readXlsx } from '../read/xlsx.ts'
import type { TransferRow } from '../transfers.sql.ts'

/** Rows among which the headings are expected, and rows whose cells are inspected. */
const headRows = 30
const sampleRows = 1000
const sampleSize = 1024 * 1024
const headSize = 64 * 1024
const maxSheets = 20
const delimiters = [';', '\t', ',', '|']

export interface Layout {
  readonly profile: Pick<Profile, 'delimiter' | 'headerRow' | 'sheet'>
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly sheets?: readonly string[]
}

/** Stands for the decimal sign of numbers that a workbook stores as such: they say nothing about texts. */
export const storedDecimal = '\u2396'

/** `isKnown`: whether a heading means something. */
export const layoutOf = (ctx: Context, row: TransferRow, isKnown: (heading: string) => boolean): Promise<Layout> =>
  withFile(ctx, row, async (file) => {
    if ('book' in file) {
      const sheets = (await visibleSheets(file.book)).slice(0, maxSheets)
      const heads = []
      for (const sheet of sheets)
        heads.push({ sheet, ...headIn(await firstRows(file.book, sheet, storedDecimal, headRows), isKnown) })
      const best = heads.toSorted((a, b) => b.score - a.score)[0]
      if (!best) throw new Problem('invalid', 'the workbook has no sheet that can be read')
      const profile = {
        ...(best.sheet !== sheets[0] && { sheet: best.sheet }),
        ...(best.line > 1 && { headerRow: best.line }),
      }
      const source = await readXlsx(file.book, createGauge(), { ...profile, decimal: storedDecimal })
      return { profile, headings: source.headings!, rows: await sampled(source.rows), sheets }
    }
    if (file.plain.format !== 'csv')
      throw new Problem(
        'invalid',
        `only tables are mapped: CSV or XLSX, alone or in a zip; this is ${file.plain.format}`,
      )
    return csvLayout(ctx, row, file.plain, isKnown)
  })

async function csvLayout(ctx: Context, row: TransferRow, file: PlainFile, isKnown: (heading: string) => boolean) {
  const encoding = await encodingOf(ctx, row, file.open)
  let text = ''
  for await (const piece of decoded(await file.open(), encoding)) if ((text += piece).length >= headSize) break
  const lines = text.slice(0, headSize).replace(/^\ufeff/, '').split(/\r\n|\r|\n/).slice(0, headRows) // prettier-ignore
  const heads = delimiters.map((delimiter) => {
    const rows = lines.map((line, i) => ({ line: i + 1, cells: cellsOf(line, delimiter) }))
    return { delimiter, ...headIn(rows, isKnown) }
  })
  const best = heads.toSorted((a, b) => b.score - a.score)[0]!
  const isDelimited = lines[best.line - 1]?.includes(best.delimiter)
  const profile = { ...(isDelimited && { delimiter: best.delimiter }), ...(best.line > 1 && { headerRow: best.line }) }
  const source = await readCsv(await file.open(), { encoding, ...profile })
  return { profile, headings: source.headings!, rows: await sampled(source.rows) }
}

/** Good enough for headings: a quoted cell may contain the delimiter. */
function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = []
  for (const part of line.split(delimiter)) {
    const last = cells.at(-1)
    const isOpen = last !== undefined && last.trimStart().startsWith('"') && !/[^"]"\s*$|^\s*""\s*$/.test(last)
    if (isOpen) cells[cells.length - 1] = `${last}${delimiter}${part}`
    else if (cells.push(part) > maxColumns) break
  }
  return cells.map((cell) => cell.trim().replace(/^"(.*)"$/s, '$1'))
}

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/** The row with most known headings; without any, the first one of the widest. Headings are texts. */
function headIn(rows: readonly Row[], isKnown: (heading: string) => boolean): { line: number; score: number } {
  const scored = rows.map(({ line, cells }) => {
    const texts = cells.filter((cell) => /\p{L}/u.test(cell))
    return { line, score: new Set(texts.filter(isKnown)).size * 1000 + Math.min(texts.length, 999) }
  })
  return scored.toSorted((a, b) => b.score - a.score || a.line - b.line)[0] ?? { line: 1, score: 0 }
}

async function sampled(rows: AsyncIterable<SourceRow>): Promise<(readonly string[])[]> {
  const found: (readonly string[])[] = []
  let size = 0
  for await (const row of rows) {
    if (!('cells' in row)) continue
    found.push(row.cells)
    size += row.cells.reduce((sum, cell) => sum + cell.length, 0)
    if (found.length >= sampleRows || size >= sampleSize) break
  }
  return found
}
