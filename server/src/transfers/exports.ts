/**
 * The export: selects products and writes them in the requested format, piece by piece, into the file of the transfer.
 *
 * An export of a series contains the products that changed since the last one, each of them whole, and a deletion record
 * for each product that the last one knew and this one no longer selects. An interrupted export starts again.
 */
import { Readable } from 'node:stream'
import { because, type Deletion, encode, formats, type Infer, Pim, Product, schemaVersion } from '@kontor/contract'
import { demandRight } from '../core/access/access.ts'
import { digestOf } from '../core/access/permissions.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { askedColumns, readColumns } from './asked-columns.ts'
import { contentsOf, pagesOf, readProducts } from './contents.ts'
import { storeFile } from './files.ts'
import { allColumns, assetsOf, completeKeys, type ExportColumn, noteUsed, noteValue, rowsBy } from './flatten.ts'
import type { ProductItem } from './mapping.ts'
import { keepsFormulas } from './formulas.ts'
import { demandWriter } from './layouts/layouts.ts'
import { chosenLocales } from './languages.ts'
import { entryOf } from './media.ts'
import { type FindLinked, LinkedFiles, linkedFinder } from './linked-files.ts'
import { type ProductNames, readerOf, type TransferNeeds } from './needs.ts'
import { notationOf } from './notation.ts'
import { givenLayout, type LayoutName, type Profile } from './options.ts'
import { type Column, columnOf, headingOf, linkFields, ownHeadingOf } from './plan.ts'
import type { Bytes } from './read/source.ts'
import { forgetItems } from './selection.sql.ts'
import { type Now, select, type Selection } from './selection.ts'
import { scoreFiller } from './scores.ts'
import * as rows from './transfers.sql.ts'
import { inChunks } from './write/chunks.ts'
import { type TableRows, toCsv, toXlsx } from './write/tables.ts'
import { withLinked, writerScope } from './write/layouts.ts'
import { toZip, type ZipEntry } from '../adapters/zip.ts'

export const exportJob = 'transfer.export'

/** The export was cancelled meanwhile. */
class NoLongerWanted extends Error {}
/** This process stops, or another export of the series has ended: the export starts again. */
class HandedBack extends Error {}

/** Returns whether it has to be run again. */
export async function runExport(needs: TransferNeeds, id: string, stop: AbortSignal): Promise<boolean> {
  const { database } = needs
  const row = await rows.findTransfer(database, id)
  if (row?.state !== 'running') return false
  const now = readerNow(needs, row, stop)
  try {
    const { caller } = await now()
    const rights = digestOf(caller)
    await rows.setRights(database, id, rights)
    const selection = await select(needs, now, row, rights)
    await rows.setTotal(database, id, selection.count, selection.series?.deleted)
    await rows.deletePieces(database, id)
    const { bytes, headings } = await fileOf(needs, now, row, selection)
    await storeFile(database, id, bytes)
    await finish(needs, row, selection, headings)
    return false
  } catch (error) {
    if (error instanceof HandedBack) return true
    if (needs.isPassing(error)) throw error // the queue repeats it
    await forgetItems(database, id)
    if (error instanceof NoLongerWanted) return false
    if (!(error instanceof Problem)) throw error
    await rows.setState(database, id, 'failed', error.message, 'running')
    return false
  }
}

/** One transaction: a series moves on with an export that finishes, and only then. */
const finish = (
  { database }: TransferNeeds,
  { id }: rows.TransferRow,
  { count, series }: Selection,
  headings: string[],
) =>
  database.transaction(async (db) => {
    if ((await rows.setProgress(db, id, count, 1)) === 0) throw new NoLongerWanted()
    // Its position has moved, so this export would repeat the other one.
    if (series && !(await series.remember(db, headings))) throw new HandedBack()
    await forgetItems(db, id)
    await rows.setState(db, id, 'finished')
  })

/** The context of the user who ordered the export. */
const readerNow =
  (needs: TransferNeeds, { id, principal }: rows.TransferRow, stop: AbortSignal): Now =>
  async () => {
    if (stop.aborted) throw new HandedBack()
    if (!(await rows.isRunning(needs.database, id))) throw new NoLongerWanted()
    const caller = await needs.callerNow(principal)
    demandRight(caller, 'user', { kind: 'product', any: ['read'] })
    return readerOf(needs, caller)
  }

async function note({ database }: TransferNeeds, { id }: rows.TransferRow, done: number, share: number): Promise<void> {
  if ((await rows.setProgress(database, id, done, share)) === 0) throw new NoLongerWanted()
}

const countOf = (names: ProductNames) => ('ids' in names ? names.ids : names.tids).length

/** A replica serves as soon as it has everything that the primary had when the products were selected. */
const readingAt = ({ replica }: TransferNeeds, { time }: Selection, ctx: Context): Context => ({
  ...ctx,
  db: replica?.asOf(time) ?? ctx.db,
})

/** The products, page by page; `noteDone` receives the number done so far. */
async function* productsIn(
  needs: TransferNeeds,
  now: Now,
  { options }: rows.TransferRow,
  selection: Selection,
  noteDone: (done: number) => Promise<unknown>,
) {
  let done = 0
  for await (const names of selection.wanted()) {
    yield* readProducts(needs, readingAt(needs, selection, await now()), names, options.request!.locales)
    await noteDone((done += countOf(names)))
  }
  if (done !== selection.count) throw new Error(`an export of ${selection.count} products came to an end after ${done}`)
}

/** Notes what is written, if a series will be compared with it. */
async function* noted(
  needs: TransferNeeds,
  now: Now,
  { options }: rows.TransferRow,
  { series }: Selection,
  products: AsyncIterable<ProductItem>,
) {
  if (!series) return yield* products
  for await (const page of pagesOf(products)) {
    await series.note(await contentsOf(needs, await now(), page, options.request!))
    yield* page
  }
}

interface ExportFile {
  readonly bytes: Bytes
  /** The columns that were chosen by the values of products; a series keeps them. */
  readonly headings: string[]
}

async function fileOf(
  needs: TransferNeeds,
  now: Now,
  row: rows.TransferRow,
  selection: Selection,
): Promise<ExportFile> {
  const { count, series } = selection
  const known = await needs.contentLocales(await now())
  chosenLocales(row.options.request!.locales, known)
  checkPair(row.options.request!.translation, known, await needs.sourceLocale(await now()))
  await linkedFinder(needs, row)(await now(), []) // refuses an unknown profile before any product is read
  const asked = askedColumns(row)
  // If the columns are not given, their values are looked for first, which counts as half of the work.
  const half = row.format === 'xml' || row.format === 'jsonl' || asked || isLaidOut(row) ? 0 : 0.5
  const read = productsIn(needs, now, row, selection, (done) =>
    note(needs, row, done, half + (done / count) * (1 - half)),
  )
  const products = noted(needs, now, row, selection, read)
  const kept = [...(series?.headings ?? [])]
  const name = givenLayout(row.options) ?? 'plain'
  if (name !== 'plain') return { bytes: await laidOut(needs, now, row, name, products), headings: kept }
  if (row.format === 'xml') return { bytes: inChunks(toEnvelope(products, series?.gone())), headings: kept }
  if (row.format === 'jsonl') return { bytes: inChunks(toLines(products, series?.gone())), headings: kept }
  const columns = await columnsOf(needs, now, row, selection)
  const linked = row.format === 'zip' ? new LinkedFiles() : undefined
  const find = linkedFinder(needs, row)
  const { profile } = row.options
  const toRows = rowsBy(columns, profile?.separator, row.options.request!.inherited)
  const ownHeadings = columns.map(({ heading }) => heading)
  const scores = scoreFiller(needs, ownHeadings)
  const live = tableRows({ find, scores }, now, products, columns, linked, toRows)
  const headings = [...ownHeadings, ...(series ? ['deleted'] : [])]
  const table = series ? withDeleted(columns, live, series.gone()) : live
  const layout = { delimiter: profile?.delimiter, headerRow: profile?.headerRow, sheet: profile?.sheet }
  const csv = () => toCsv(headings, table, { ...layout, keepsFormulas: keepsFormulas(row.options) })
  return {
    bytes:
      row.format === 'xlsx'
        ? toXlsx(headings, table, layout)
        : linked
          ? toZip(withFiles(find, now, { name: 'products.csv', bytes: csv() }, linked))
          : csv(),
    headings: asked ? kept : ownHeadings,
  }
}

function checkPair(
  order: NonNullable<rows.TransferRow['options']['request']>['translation'],
  known: readonly string[],
  usual: string,
): void {
  if (!order) return
  const { source = usual, target } = order
  const unknown = [source, target].find((locale) => !known.includes(locale))
  if (unknown !== undefined)
    throw new Problem('invalid', `translation: unknown locale ${unknown.slice(0, 50)}; expected one of ${known.join(', ')}`) // prettier-ignore
  if (source === target)
    throw new Problem('invalid', `translation: ${target} is the locale to translate from; choose another one`)
}

/** A file in the layout of another system; in a zip with the files that it names. */
async function laidOut(
  needs: TransferNeeds,
  now: Now,
  row: rows.TransferRow,
  name: LayoutName,
  products: AsyncIterable<ProductItem>,
): Promise<Bytes> {
  const { format } = row
  const files = new LinkedFiles()
  const find = linkedFinder(needs, row)
  const scope = await writerScope(needs, now, row, files)
  const pages = withLinked(find, now, products, files, format === 'zip')
  const bytes = demandWriter(name, format).write(format, pages, scope)
  return format === 'zip' ? toZip(withFiles(find, now, { name: 'catalog.xml', bytes }, files)) : bytes
}

/** The table, then the files that it names, as far as the user may still read them. */
async function* withFiles(
  find: FindLinked,
  now: Now,
  table: { readonly name: string; readonly bytes: Bytes },
  linked: LinkedFiles,
): AsyncGenerator<ZipEntry> {
  const refused: string[] = []
  yield { ...table, compress: true }
  for await (const page of pagesOf(linked.keys())) {
    for (const { tid, open } of await find(await now(), page)) {
      const { path } = linked.get(tid)!
      try {
        yield { name: entryOf(path), bytes: await open(), compress: false }
      } catch (error) {
        if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
        refused.push(`${path}: ${error.message}\n`)
      }
    }
  }
  if (refused.length > 0) yield { name: 'not-included.txt', bytes: Readable.from(refused), compress: true }
}

/** Fills `linked`, if files are included, with those that the rows name, by the tids of their assets. */
async function* tableRows(
  { find, scores }: { readonly find: FindLinked; readonly scores: ReturnType<typeof scoreFiller> },
  now: Now,
  products: AsyncIterable<ProductItem>,
  columns: readonly ExportColumn[],
  linked: LinkedFiles | undefined,
  toRows: ReturnType<typeof rowsBy>,
): AsyncGenerator<string[]> {
  const isLinking = columns.some(({ field }) => field === 'asset')
  for await (const page of pagesOf(products)) {
    const known = linked ?? new LinkedFiles()
    const tids = isLinking ? page.flatMap(assetsOf).filter((tid) => !known.has(tid)) : []
    if (tids.length > 0) for (const file of await find(await now(), [...new Set(tids)])) known.add(file)
    const fill = await scores?.(await now(), page)
    for (const product of page) {
      const made = toRows(product, (tid) => known.get(tid)?.path)
      yield* fill ? made.map((row) => fill(product, row)) : made
    }
  }
}

/** A last column marks deletions; they have no other value than the tid. */
async function* withDeleted(
  columns: readonly Column[],
  live: TableRows,
  gone: AsyncIterable<string>,
): AsyncGenerator<string[]> {
  for await (const row of live) yield [...row, '']
  const tid = columns.findIndex(({ level, field }) => level === 0 && field === 'tid')
  for await (const one of gone) yield [...columns.map((_, i) => (i === tid ? one : '')), 'true']
}

const isLaidOut = ({ options }: rows.TransferRow) => (givenLayout(options) ?? 'plain') !== 'plain'

/**
 * The requested columns; otherwise all columns with at least one value, which are found before products are read.
 */
async function columnsOf(
  needs: TransferNeeds,
  now: Now,
  row: rows.TransferRow,
  selection: Selection,
): Promise<ExportColumn[]> {
  const ctx = await now()
  const locales = chosenLocales(row.options.request!.locales, await needs.contentLocales(ctx))
  const { definitions, byTid, kinds, asked } = await readColumns(needs, ctx, row)
  const withNotation = (column: Column): ExportColumn => {
    const kind = kinds.get(column.attr ?? '')
    const notation = notationOf(row.options.profile, column.heading, kind?.type, kind?.units)
    const said = row.options.profile?.columns?.find((one) => one.column === column.heading)
    return {
      ...column,
      ...(notation && { write: notation.write }),
      ...(said?.split !== undefined && said.template === undefined && { separator: said.split }),
    }
  }
  if (asked) return demandColumns(asked, row, byTid, locales).map(withNotation)
  const columns = allColumns(definitions, locales)
  const used = await usedHeadings(needs, now, row, selection, columns)
  const linking = [...used]
    .toSorted()
    .flatMap((heading) => columnOf(heading) ?? [])
    .filter(({ field }) => linkFields.has(field))
  const saying = columns.filter(({ heading }) => used.has(heading))
  return [...saying, ...linking].map(withNotation)
}

/** The headings of the columns with at least one value. Only products with links have to be read for that. */
async function usedHeadings(
  needs: TransferNeeds,
  now: Now,
  row: rows.TransferRow,
  selection: Selection,
  columns: readonly Column[],
): Promise<Set<string>> {
  const { locales, inherited } = row.options.request!
  const used = new Set(['tid', 'name', 'node', ...(selection.series?.headings ?? [])])
  let done = 0
  for await (const names of selection.wanted()) {
    const ctx = readingAt(needs, selection, await now())
    // Inherited values are not stored with the products.
    const found = inherited ? undefined : await needs.usedValues(ctx, names, completeKeys(columns, used))
    for (const value of found?.values ?? []) noteValue(value, used)
    const unread: ProductNames = found ? { ids: found.linked } : names
    if (countOf(unread) > 0) for await (const product of readProducts(needs, ctx, unread, locales)) noteUsed(product, used, inherited) // prettier-ignore
    done += countOf(names)
    await note(needs, row, 0, done / selection.count / 2)
  }
  return used
}

/** A localized attribute without a locale becomes a column for each locale. */
function demandColumns(
  headings: readonly string[],
  { options: { request, profile } }: rows.TransferRow,
  definitions: ReadonlyMap<string, { readonly localized: boolean }>,
  locales: readonly string[],
): Column[] {
  const columns = headings.flatMap((heading) => {
    const isGiven = profile?.columns?.some(({ column }) => column === heading)
    const column = demandColumn(isGiven || !definitions.has(heading) ? heading : ownHeadingOf(heading), profile)
    const { attr, parent, locale } = column
    if (attr === undefined) return column
    const unknown = [parent, attr].find((tid) => tid !== undefined && !definitions.has(tid))
    if (unknown !== undefined)
      throw new Problem('invalid', because('columnUnknown', { column: heading, attribute: unknown }))
    if (!definitions.get(attr)!.localized || locale !== undefined) return column
    const isPlain = heading === headingOf(column)
    return locales.map((one) => {
      const made = { ...column, locale: one }
      return { ...made, heading: isPlain ? headingOf(made) : `${heading}@${one}` }
    })
  })
  if (request!.series !== undefined && !columns.some(({ level, field }) => level === 0 && field === 'tid'))
    throw new Problem('invalid', 'columns: a series needs the column tid, because deletions are named by it')
  return columns
}

function demandColumn(heading: string, profile: Profile | undefined): Column {
  const column = columnOf(heading, profile)
  if (column) return column
  throw new Problem('invalid', `column ${heading}: not understood; expected tid, TITLE or TITLE@de_DE`)
}

const deletionOf = (tid: string): Infer<typeof Deletion> => ({ dataType: 'product', tid })

type Tids = AsyncIterable<string> | readonly string[]

async function* toEnvelope(products: AsyncIterable<ProductItem>, gone: Tids = []): AsyncGenerator<string> {
  const writer = formats.xml.codec.writer(Pim)
  yield writer.start({ schemaVersion, products: {} })
  for await (const tid of gone) yield writer.item('deletions', deletionOf(tid))
  for await (const product of products) yield writer.item('products', product)
  yield writer.end()
}

async function* toLines(products: AsyncIterable<ProductItem>, gone: Tids = []): AsyncGenerator<string> {
  for await (const product of products) yield `${encode(formats.json, Product, product)}\n`
  for await (const tid of gone) yield `${JSON.stringify({ deletion: deletionOf(tid) })}\n`
}
