/**
 * The export itself: which products, in which format, written piece by piece into the file of the transfer.
 *
 * An export of a series contains what changed since the last one of it, and a record of deletion for everything that the
 * last one had and that is not there, or not meant, any more. An export that broke off begins anew.
 */
import { type Deletion, encode, formats, type Infer, Pim, Product, schemaVersion } from '@kontor/contract'
import type { Caller, Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { storeFile } from './files.ts'
import { allColumns, assetsOf, noteUsed, toRows } from './flatten.ts'
import type { ProductItem } from './mapping.ts'
import { entryOf } from './media.ts'
import { callerOfJob, definitionsOf, type LinkedFile, productsOf, readerOf, type TransferNeeds } from './needs.ts'
import { readDefinitions } from './open.ts'
import type { Profile } from './options.ts'
import { type Column, columnOf } from './plan.ts'
import type { Bytes } from './read/source.ts'
import * as rows from './transfer.sql.ts'
import { type TableRows, toCsv, toXlsx } from './write/tables.ts'
import { toZip, type ZipEntry } from './write/zip.ts'

export const exportJob = 'transfer.export'

const pageSize = 500
const askedTogether = 100
/** Changes of transactions that were running when the last export began are taken again. */
const overlap = 10 * 60_000

interface Selection {
  /** What is written. */
  readonly tids: readonly string[]
  /** What went away since the last export of the series. */
  readonly gone: readonly string[]
  /** Everything that the series contains from now on. */
  readonly present: readonly string[]
  readonly since: Date
}

export async function runExport(needs: TransferNeeds, id: string): Promise<void> {
  const { database } = needs
  const row = await rows.findTransfer(database, id)
  if (row?.state !== 'running') return
  const caller = await callerOfJob(needs, row.principal)
  const ctx = readerOf(needs, caller)
  try {
    const selection = await select(needs, ctx, row)
    await rows.setTotal(database, id, selection.tids.length)
    await rows.deletePieces(database, id)
    await storeFile(database, id, await fileOf(needs, ctx, row, selection))
    const { series } = row.options.request!
    if (series !== undefined) await rows.replaceSeries(database, seriesOf(caller, series), selection.since, selection.present) // prettier-ignore
    await rows.setState(database, id, 'finished')
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
    await rows.setState(database, id, 'failed', error.message)
  }
}

/** Everybody has series of their own. */
const seriesOf = ({ userName }: Caller, series: string) => `${userName}/${series}`

async function select(needs: TransferNeeds, ctx: Context, { options }: rows.TransferRow): Promise<Selection> {
  const { series } = options.request!
  const since = new Date()
  const present = await presentTids(needs, ctx, options.request!)
  const last = series === undefined ? undefined : await rows.findSeries(ctx.db, seriesOf(ctx.caller, series))
  if (!last) return { tids: present, gone: [], present, since }
  const name = seriesOf(ctx.caller, series!)
  const modifiedFrom = new Date(last.since.getTime() - overlap).toISOString().replace('Z', '')
  const changed = new Set(await query(needs, ctx, { modifiedFrom }))
  const known = new Set((await rows.findKnown(ctx.db, name, present)).map(({ tid }) => tid))
  const tids = present.filter((tid) => changed.has(tid) || !known.has(tid))
  const gone = (await rows.findGone(ctx.db, name, present)).map(({ tid }) => tid)
  return { tids, gone, present, since }
}

async function presentTids(
  needs: TransferNeeds,
  ctx: Context,
  { tids, nodePaths, storedSearch }: NonNullable<rows.TransferRow['options']['request']>,
): Promise<readonly string[]> {
  if (tids) return tids
  if (storedSearch !== undefined) return needs.findStored(ctx, String(storedSearch))
  return query(needs, ctx, nodePaths ? { nodePaths } : {})
}

async function query(needs: TransferNeeds, ctx: Context, request: object): Promise<readonly string[]> {
  const found = (await productsOf(needs).handlers.query!(ctx, request as never)) as { tids?: string[] }
  return found.tids ?? []
}

/** The products, page by page; `note` is told after how many. */
async function* productsIn(
  needs: TransferNeeds,
  ctx: Context,
  tids: readonly string[],
  note: (done: number) => Promise<unknown>,
) {
  const { handlers } = productsOf(needs)
  for (let from = 0; from < tids.length; from += pageSize) {
    const page = tids.slice(from, from + pageSize)
    const contents = await handlers.retrieve!(ctx, { tids: page } as never).catch(orNothing)
    for await (const product of contents.products as AsyncIterable<object>) yield product as ProductItem
    await note(from + page.length)
  }
}

/** All of a page may have been deleted meanwhile. */
function orNothing(error: unknown): { products: object[] } {
  if (error instanceof Problem && error.kind === 'notFound') return { products: [] }
  throw error
}

async function fileOf(needs: TransferNeeds, ctx: Context, row: rows.TransferRow, selection: Selection): Promise<Bytes> {
  const { tids } = selection
  // Products are read twice for a table whose columns are found out, and the first time is half of the work.
  const half = row.format === 'xml' || row.format === 'jsonl' || askedColumns(row) ? 0 : 0.5
  const products = productsIn(needs, ctx, tids, (done) =>
    rows.setProgress(needs.database, row.id, done, half + (done / tids.length) * (1 - half)),
  )
  if (row.format === 'xml') return toEnvelope(products, selection.gone)
  if (row.format === 'jsonl') return toLines(products, selection.gone)
  const columns = await columnsOf(needs, ctx, row, tids)
  const linked = new Map<string, LinkedFile>()
  const live = tableRows(needs, ctx, products, columns, linked)
  const isSeries = row.options.request!.series !== undefined
  const headings = [...columns.map(({ heading }) => heading), ...(isSeries ? ['deleted'] : [])]
  const table = isSeries ? withDeleted(columns, live, selection.gone) : live
  if (row.format === 'xlsx') return toXlsx(headings, table)
  return row.format === 'zip' ? toZip(withFiles(headings, table, linked)) : toCsv(headings, table)
}

/** The table, then the files that it names. */
async function* withFiles(
  headings: readonly string[],
  table: TableRows,
  linked: ReadonlyMap<string, LinkedFile>,
): AsyncGenerator<ZipEntry> {
  yield { name: 'products.csv', bytes: toCsv(headings, table), compress: true }
  for (const { path, open } of linked.values()) yield { name: entryOf(path), bytes: await open(), compress: false }
}

/** Fills `linked` with the files of the assets that the rows name, by their tids. */
async function* tableRows(
  needs: TransferNeeds,
  ctx: Context,
  products: AsyncIterable<ProductItem>,
  columns: readonly Column[],
  linked: Map<string, LinkedFile>,
): AsyncGenerator<string[]> {
  const isLinking = columns.some(({ field }) => field === 'asset')
  for await (const page of pagesOf(products)) {
    const tids = isLinking ? page.flatMap(assetsOf).filter((tid) => !linked.has(tid)) : []
    if (tids.length > 0) for (const file of await needs.findFiles(ctx, { tids })) linked.set(file.tid, file)
    for (const product of page) yield* toRows(product, columns, (tid) => linked.get(tid)?.path)
  }
}

/** A last column says what went away; of that there is no more than the tid. */
async function* withDeleted(
  columns: readonly Column[],
  live: TableRows,
  gone: readonly string[],
): AsyncGenerator<string[]> {
  for await (const row of live) yield [...row, '']
  const tid = columns.findIndex(({ level, field }) => level === 0 && field === 'tid')
  for (const one of gone) yield [...columns.map((_, i) => (i === tid ? one : '')), 'true']
}

/** What is asked about many is asked by the page. */
async function* pagesOf<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = []
  for await (const item of items) {
    if (page.push(item) < askedTogether) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

const askedColumns = ({ options: { request, profile } }: rows.TransferRow) =>
  request!.columns ?? profile?.columns?.map(({ column }) => column)

/** The columns that were asked for; else all in which a product says something, for which they are read once before. */
async function columnsOf(
  needs: TransferNeeds,
  ctx: Context,
  row: rows.TransferRow,
  tids: readonly string[],
): Promise<Column[]> {
  const asked = askedColumns(row)
  if (asked) return asked.map((heading) => demandColumn(heading, row.options.profile))
  const used = new Set(['tid', 'name', 'node'])
  const note = (done: number) => rows.setProgress(needs.database, row.id, 0, done / tids.length / 2)
  for await (const product of productsIn(needs, ctx, tids, note)) noteUsed(product, used)
  const definitions = (await readDefinitions(ctx, definitionsOf(needs))).map((one) => ({
    ...one,
    localized: one.localized === 'true',
    columns: (one.references?.itm ?? []).flatMap(({ value, key }) => value ?? key ?? []),
  }))
  const linking = [...used]
    .toSorted()
    .flatMap((heading) => columnOf(heading) ?? [])
    .filter(({ field }) => field === 'asset')
  const saying = allColumns(definitions, await needs.contentLocales(ctx)).filter(({ heading }) => used.has(heading))
  return [...saying, ...linking]
}

function demandColumn(heading: string, profile: Profile | undefined): Column {
  const column = columnOf(heading, profile)
  if (column) return column
  throw new Problem('invalid', `column ${heading}: not understood; expected tid, TITLE or TITLE@de_DE`)
}

const deletionOf = (tid: string): Infer<typeof Deletion> => ({ dataType: 'product', tid })

async function* toEnvelope(products: AsyncIterable<ProductItem>, gone: readonly string[]): AsyncGenerator<Buffer> {
  const writer = formats.xml.codec.writer(Pim)
  const deletions = gone.length > 0 && { deletions: { deletion: gone.map(deletionOf) } }
  yield Buffer.from(writer.start({ schemaVersion, ...deletions, products: {} }))
  for await (const product of products) yield Buffer.from(writer.item('products', product))
  yield Buffer.from(writer.end())
}

async function* toLines(products: AsyncIterable<ProductItem>, gone: readonly string[]): AsyncGenerator<Buffer> {
  for await (const product of products) yield Buffer.from(`${encode(formats.json, Product, product)}\n`)
  for (const tid of gone) yield Buffer.from(`${JSON.stringify({ deletion: deletionOf(tid) })}\n`)
}
