/**
 * The content of an export: a list, because it must be the same when products are read a second time. The ids of products
 * of categories are kept in memory, where a million of them need 8 MB. Named products and those of a series are listed in
 * the database, because tids need much more, and because a series is compared with its last export.
 *
 * An export of a series contains the products whose content differs from what the last export wrote. Products that it
 * wrote and that are no longer selected are deletions. To find the differences, not all products are read:
 *
 *   outbox since the last export ---> products that a change can have affected ---> digests that differ: written
 *   selected and not in the series ---------------------------------------------------------------> written
 *
 * The position in the outbox is taken before anything is read, and a digest is that of the written content. So a change
 * that is committed while an export runs is in this export or in the next. All products are compared if the position is
 * no longer kept.
 */
import type { Db } from '../adapters/postgres/db.ts'
import type { Sql } from '../adapters/postgres/sql.ts'
import type { Caller, Context } from '../core/context.ts'
import {
  currentPosition,
  isKept,
  type Position,
  positionAt,
  readCommitted,
  transactionOf,
} from '../core/outbox/outbox.ts'
import { Problem } from '../errors.ts'
import { readColumns } from './asked-columns.ts'
import { type Content, contentsOf, pagesOf, readProducts } from './contents.ts'
import { namesGroup } from './groups.ts'
import type { ProductNames, TransferNeeds } from './needs.ts'
import * as rows from './selection.sql.ts'
import type { TransferRow } from './transfers.sql.ts'

const pageSize = 500
/** Few enough for a statement to finish in time on a busy machine. */
const collectedAtOnce = 10_000
/** With more affected products than this, all are compared. */
const mostAffected = 100_000

export interface Selection {
  /** The number of products. */
  readonly count: number
  /** When they were selected, by performance.now. */
  readonly time: number
  /** Page by page. */
  wanted(): AsyncIterable<ProductNames>
  readonly series: SeriesSelection | undefined
}

interface SeriesSelection {
  /** The number of deletions. */
  readonly deleted: number
  /** The columns of the last export, if they were not requested. */
  readonly headings: readonly string[]
  gone(): AsyncIterable<string>
  /** Notes the content that is written. */
  note(contents: readonly Content[]): Promise<unknown>
  /** Called at the end of the export. Returns false if another export of the series has ended meanwhile. */
  remember(db: Db, headings: readonly string[]): Promise<boolean>
}

/** The context of the user, with their present rights. Asked again for every page; throws if the export was cancelled. */
export type Now = () => Promise<Context>

/** Series belong to a user. */
export const seriesOf = ({ userName }: Pick<Caller, 'userName'>, series: string) => `${userName}/${series}`

/** `rights` is a digest of the permissions. */
export async function select(needs: TransferNeeds, now: Now, row: TransferRow, rights: string): Promise<Selection> {
  const ctx = await now()
  const { db } = ctx
  const { id, options } = row
  const asked = options.request!.series
  const position = asked === undefined ? undefined : await currentPosition(db)
  await rows.forgetItems(db, id)
  const listed = await collect(needs, ctx, id, options.request!)
  if (listed)
    return { count: listed.length, time: performance.now(), wanted: () => pagesOfIds(listed), series: undefined }
  const series =
    asked === undefined
      ? undefined
      : await compare(needs, now, row, seriesOf(ctx.caller, asked), { rights, position: position! })
  return {
    count: await rows.countWanted(db, id),
    time: performance.now(),
    async *wanted() {
      for (let after = -1; ;) {
        const page = await rows.nextWanted(db, id, after, pageSize)
        if (page.length === 0) return
        yield { tids: page.map(({ tid }) => tid) }
        after = page.at(-1)!.number
      }
    },
    series,
  }
}

/** A series does not send deletions then: the category may have been renamed, and a shop would lose its products. */
function namesCategory(error: unknown): never {
  if (!(error instanceof Problem) || error.kind !== 'notFound') throw error
  throw new Problem('notFound', `${error.message}: the category was deleted, renamed or moved, or you may no longer see it; choose the categories of the export again`) // prettier-ignore
}

async function* pagesOfIds(ids: Float64Array): AsyncGenerator<ProductNames> {
  for (let from = 0; from < ids.length; from += pageSize) yield { ids: [...ids.subarray(from, from + pageSize)] }
}

/** In the order of creation. */
async function idsOf(db: Db, selected: Sql): Promise<Float64Array> {
  let ids = new Float64Array(collectedAtOnce)
  let count = 0
  for (let after = 0; ;) {
    const page = await rows.nextSelected(db, selected, after, collectedAtOnce)
    if (page.length === 0) return ids.subarray(0, count)
    if (count + page.length > ids.length) {
      const larger = new Float64Array(ids.length * 2)
      larger.set(ids)
      ids = larger
    }
    ids.set(page, count)
    count += page.length
    after = page.at(-1)!
  }
}

/** Fills the list in the database, or returns the ids. */
async function collect(
  needs: TransferNeeds,
  ctx: Context,
  id: string,
  { tids, nodePaths, storedSearch, series }: NonNullable<TransferRow['options']['request']>,
): Promise<Float64Array | undefined> {
  const isNamed = tids !== undefined || storedSearch !== undefined
  const selected = await needs.selectProducts(ctx, nodePaths && !isNamed ? { nodePaths } : {}).catch(namesCategory)
  if (!isNamed && series === undefined) return idsOf(ctx.db, selected)
  if (!isNamed) {
    let last: number | null = 0
    while (last !== null) last = await rows.addSelected(ctx.db, id, selected, last, collectedAtOnce)
    return undefined
  }
  if (tids) await rows.addNamed(ctx.db, id, 0, tids)
  else {
    let first = 0
    for await (const page of needs.findStored(ctx, String(storedSearch))) {
      await rows.addNamed(ctx.db, id, first, page)
      first += page.length
    }
  }
  await rows.leaveMissing(ctx.db, id, selected)
  return undefined
}

// Series

/**
 * If it changes, the next export contains everything: columns that were not requested before are needed for all
 * products, values are written in another way, and an export that was made with other rights cannot be downloaded any
 * more.
 */
async function shapeOf(needs: TransferNeeds, ctx: Context, row: TransferRow, rights: string): Promise<string> {
  const { request, profile } = row.options
  const hasGroup = request!.columns?.some(namesGroup) ?? false
  const columns = hasGroup ? (await readColumns(needs, ctx, row)).asked : (request!.columns ?? profile?.columns ?? null)
  const { separator, decimal, dateFormat, trueWords, falseWords } = profile ?? {}
  // Of columns that the request names, the profile says how they are written.
  const mapped = request!.columns && profile?.columns
  const { pictures, channelTid, medium, territory } = request!
  const inherited = request!.inherited || undefined
  const notation = { separator, decimal, dateFormat, trueWords, falseWords, mapped }
  const writing = { pictures, ...notation, channelTid, medium, territory, inherited }
  const shape = [columns, request!.locales ?? null, rights]
  // Series of older versions without a profile continue.
  return JSON.stringify(Object.values(writing).some((one) => one !== undefined) ? [...shape, writing] : shape)
}

async function compare(
  needs: TransferNeeds,
  now: Now,
  row: TransferRow,
  name: string,
  { rights, position }: { readonly rights: string; readonly position: Position },
): Promise<SeriesSelection> {
  const { db } = await now()
  const { id } = row
  const last = await rows.findSeries(db, name)
  const shape = await shapeOf(needs, await now(), row, rights)
  if (last?.shape === shape) {
    const affected = await affectedSince(needs, db, last)
    if (affected !== 'all') await rows.leaveUnaffected(db, id, name, [...affected.tids], affected.linked)
    await leaveUnchanged(needs, now, row, name)
  }
  return {
    deleted: await rows.countGone(db, id, name),
    headings: last?.headings ?? [],
    async *gone() {
      for (let after = ''; ;) {
        const page = await rows.nextGone(db, id, name, after, pageSize)
        if (page.length === 0) return
        for (const { tid } of page) yield tid
        after = page.at(-1)!.tid
      }
    },
    note: (contents) => rows.noteContent(db, id, contents),
    remember: (inside, headings) =>
      rows.replaceSeries(inside, id, name, last?.transferId ?? null, {
        xid: transactionOf(position),
        shape,
        headings,
      }),
  }
}

async function affectedSince(
  { affectedProducts, hasUsageTurned }: TransferNeeds,
  db: Db,
  { xid, begunAt }: rows.SeriesRow,
) {
  if (xid === null) return 'all'
  const position = positionAt(xid)
  const tids = new Set<string>()
  // Files begin and cease to be usable at a time, without a change.
  let linked = begunAt === null || (await hasUsageTurned(db, begunAt))
  for await (const changes of readCommitted(db, position)) {
    const affected = await affectedProducts(db, changes)
    if (affected.tids === 'all') return 'all'
    for (const tid of affected.tids) tids.add(tid)
    if (tids.size > mostAffected) return 'all'
    linked ||= affected.linked
  }
  // Asked last: rows may be removed while others are read.
  return (await isKept(db, position)) ? { tids, linked } : 'all'
}

/** Reads the products that the series contains and that are still wanted, and leaves out those with the same content. */
async function leaveUnchanged(
  needs: TransferNeeds,
  now: Now,
  { id, options }: TransferRow,
  series: string,
): Promise<void> {
  const { locales } = options.request!
  for (let after = -1; ;) {
    const ctx = await now()
    const known = await rows.nextKnown(ctx.db, id, series, after, pageSize)
    if (known.length === 0) return
    after = known.at(-1)!.number
    const changed = new Set<string>()
    const written = new Map(known.map(({ tid, digest }) => [tid, digest]))
    for await (const page of pagesOf(readProducts(needs, ctx, { tids: [...written.keys()] }, locales)))
      for (const { tid, digest } of await contentsOf(needs, ctx, page, options.request!))
        if (!digest.equals(written.get(tid)!)) changed.add(tid)
    // A product that was deleted meanwhile is a deletion of the next export.
    const others = known.flatMap(({ tid }) => (changed.has(tid) ? [] : tid))
    await rows.leaveOut(ctx.db, id, others)
  }
}
