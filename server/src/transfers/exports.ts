/**
 * The export: selects products and writes them in the requested format, piece by piece, into the file of the transfer.
 *
 * An export of a series contains the changes since the last one, and a deletion record for everything that the last one
 * had and this one no longer has. An interrupted export starts again.
 */
import { hash } from 'node:crypto'
import { type Deletion, encode, formats, type Infer, Pim, Product, schemaVersion } from '@kontor/contract'
import { demandRight } from '../core/access/access.ts'
import type { Caller, Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { storeFile } from './files.ts'
import { allColumns, assetsOf, noteUsed, toRows } from './flatten.ts'
import type { ProductItem } from './mapping.ts'
import { keepsFormulas } from './formulas.ts'
import { entryOf } from './media.ts'
import { type LinkedFile, readerOf, type TransferNeeds } from './needs.ts'
import { readDefinitions } from './open.ts'
import type { Profile } from './options.ts'
import { type Column, columnOf } from './plan.ts'
import type { Bytes } from './read/source.ts'
import { forgetItems } from './selection.sql.ts'
import { select, type Selection } from './selection.ts'
import * as rows from './transfers.sql.ts'
import { type TableRows, toCsv, toXlsx } from './write/tables.ts'
import { toZip, type ZipEntry } from '../adapters/zip.ts'

export const exportJob = 'transfer.export'

const askedTogether = 100

/** The export was cancelled meanwhile. */
class NoLongerWanted extends Error {}
/** This process stops; another one starts the export again. */
class HandedBack extends Error {}

/** Returns whether it has to be run again. */
export async function runExport(needs: TransferNeeds, id: string, stop: AbortSignal): Promise<boolean> {
  const { database } = needs
  const row = await rows.findTransfer(database, id)
  if (row?.state !== 'running') return false
  const now = readerNow(needs, row, stop)
  try {
    const ctx = await now()
    await rows.setRights(database, id, digestOf(ctx.caller))
    const selection = await select(needs, ctx, row)
    await rows.setTotal(database, id, selection.count)
    await rows.deletePieces(database, id)
    await storeFile(database, id, await fileOf(needs, now, row, selection))
    await note(needs, row, selection.count, 1)
    await selection.remember()
    await forgetItems(database, id)
    await rows.setState(database, id, 'finished', null, 'running')
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

/** Equal for callers with the same permissions. */
export const digestOf = ({ permissions }: Caller): string =>
  hash(
    'sha256',
    permissions
      .map((grant) => JSON.stringify(grant))
      .toSorted()
      .join('\n'),
  )

/** The context of the user who ordered the export, with their present rights. Asked again for every page. */
type Now = () => Promise<Context>

const readerNow =
  (needs: TransferNeeds, { principal }: rows.TransferRow, stop: AbortSignal): Now =>
  async () => {
    if (stop.aborted) throw new HandedBack()
    const caller = await needs.callerNow(principal)
    demandRight(caller, 'user', { kind: 'product', any: ['read'] })
    return readerOf(needs, caller)
  }

async function note({ database }: TransferNeeds, { id }: rows.TransferRow, done: number, share: number): Promise<void> {
  if ((await rows.setProgress(database, id, done, share)) === 0) throw new NoLongerWanted()
}

/** The products, page by page; `noteDone` receives the number done so far. */
async function* productsIn(
  needs: TransferNeeds,
  now: Now,
  selection: Selection,
  noteDone: (done: number) => Promise<unknown>,
) {
  let done = 0
  for await (const tids of selection.wanted()) {
    yield* thoseLeft(needs, await now(), tids)
    await noteDone((done += tids.length))
  }
  if (done !== selection.count) throw new Error(`an export of ${selection.count} products came to an end after ${done}`)
}

/** Some or all of them may have been deleted meanwhile. */
async function* thoseLeft(needs: TransferNeeds, ctx: Context, tids: readonly string[]) {
  try {
    const { products } = await needs.retrieveProducts(ctx, tids)
    yield* products as AsyncIterable<ProductItem>
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'notFound') throw error
  }
}

async function fileOf(needs: TransferNeeds, now: Now, row: rows.TransferRow, selection: Selection): Promise<Bytes> {
  const { count, gone } = selection
  // If the columns are not given, products are read twice, and the first pass is half of the work.
  const half = row.format === 'xml' || row.format === 'jsonl' || askedColumns(row) ? 0 : 0.5
  const products = productsIn(needs, now, selection, (done) =>
    note(needs, row, done, half + (done / count) * (1 - half)),
  )
  if (row.format === 'xml') return toEnvelope(products, gone())
  if (row.format === 'jsonl') return toLines(products, gone())
  const columns = await columnsOf(needs, now, row, selection)
  const linked = row.format === 'zip' ? new Map<string, LinkedFile>() : undefined
  const live = tableRows(needs, now, products, columns, linked)
  const isSeries = row.options.request!.series !== undefined
  const headings = [...columns.map(({ heading }) => heading), ...(isSeries ? ['deleted'] : [])]
  const table = isSeries ? withDeleted(columns, live, gone()) : live
  if (row.format === 'xlsx') return toXlsx(headings, table)
  const csv = toCsv(headings, table, { keepsFormulas: keepsFormulas(row.options) })
  return linked ? toZip(withFiles(needs, now, csv, linked)) : csv
}

/** The table, then the files that it names, as far as the user may still read them. */
async function* withFiles(
  needs: TransferNeeds,
  now: Now,
  csv: Bytes,
  linked: ReadonlyMap<string, LinkedFile>,
): AsyncGenerator<ZipEntry> {
  yield { name: 'products.csv', bytes: csv, compress: true }
  for await (const page of pagesOf(linked.keys())) {
    for (const { path, open } of await needs.findFiles(await now(), { tids: page }))
      yield { name: entryOf(path), bytes: await open(), compress: false }
  }
}

/** Fills `linked`, if files are included, with those that the rows name, by the tids of their assets. */
async function* tableRows(
  needs: TransferNeeds,
  now: Now,
  products: AsyncIterable<ProductItem>,
  columns: readonly Column[],
  linked: Map<string, LinkedFile> | undefined,
): AsyncGenerator<string[]> {
  const isLinking = columns.some(({ field }) => field === 'asset')
  for await (const page of pagesOf(products)) {
    const known = linked ?? new Map<string, LinkedFile>()
    const tids = isLinking ? page.flatMap(assetsOf).filter((tid) => !known.has(tid)) : []
    if (tids.length > 0) for (const file of await needs.findFiles(await now(), { tids })) known.set(file.tid, file)
    for (const product of page) yield* toRows(product, columns, (tid) => known.get(tid)?.path)
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

/** Queries run per page, not per product. */
async function* pagesOf<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
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

/**
 * The requested columns; otherwise all columns with at least one value, which needs an extra pass over the products.
 */
async function columnsOf(
  needs: TransferNeeds,
  now: Now,
  row: rows.TransferRow,
  selection: Selection,
): Promise<Column[]> {
  const asked = askedColumns(row)
  if (asked) return asked.map((heading) => demandColumn(heading, row.options.profile))
  const used = new Set(['tid', 'name', 'node'])
  const noteRead = (done: number) => note(needs, row, 0, done / selection.count / 2)
  for await (const product of productsIn(needs, now, selection, noteRead)) noteUsed(product, used)
  const ctx = await now()
  const definitions = (await readDefinitions(ctx, needs.retrieveDefinitions)).map((one) => ({
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

async function* toEnvelope(products: AsyncIterable<ProductItem>, gone: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const writer = formats.xml.codec.writer(Pim)
  yield Buffer.from(writer.start({ schemaVersion, products: {} }))
  for await (const tid of gone) yield Buffer.from(writer.item('deletions', deletionOf(tid)))
  for await (const product of products) yield Buffer.from(writer.item('products', product))
  yield Buffer.from(writer.end())
}

async function* toLines(products: AsyncIterable<ProductItem>, gone: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const product of products) yield Buffer.from(`${encode(formats.json, Product, product)}\n`)
  for await (const tid of gone) yield Buffer.from(`${JSON.stringify({ deletion: deletionOf(tid) })}\n`)
}
