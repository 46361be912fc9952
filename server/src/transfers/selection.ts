/**
 * The content of an export: a list in the database, because it may be too long for memory, and because it must be the
 * same when products are read a second time.
 *
 * For a series, the list contains products that changed since the last export or were not in it; products that were in
 * it and are no longer selected are deletions.
 */
import type { Caller, Context } from '../core/context.ts'
import type { TransferNeeds } from './needs.ts'
import * as rows from './selection.sql.ts'
import type { TransferRow } from './transfers.sql.ts'

const pageSize = 500
/** Few enough for a statement to finish in time on a busy machine. */
const collectedAtOnce = 10_000
/** Includes changes of transactions that were running when the last export began. */
const overlap = 10 * 60_000

export interface Selection {
  /** The number of products. */
  readonly count: number
  /** Tids, page by page. */
  wanted(): AsyncIterable<readonly string[]>
  gone(): AsyncIterable<string>
  /** Called at the end of the export: updates the content of the series. */
  remember(): Promise<void>
}

/** Series belong to a user. */
const seriesOf = ({ userName }: Caller, series: string) => `${userName}/${series}`

export async function select(needs: TransferNeeds, ctx: Context, { id, options }: TransferRow): Promise<Selection> {
  const { db } = ctx
  const { series: asked } = options.request!
  const series = asked === undefined ? undefined : seriesOf(ctx.caller, asked)
  const since = new Date()
  await rows.forgetItems(db, id)
  await collect(needs, ctx, id, options.request!)
  const last = series === undefined ? undefined : await rows.findSeries(db, series)
  if (last) {
    const modifiedFrom = new Date(last.since.getTime() - overlap).toISOString().replace('Z', '')
    await rows.leaveUnchanged(db, id, series!, await needs.selectProducts(ctx, { modifiedFrom }))
  }
  return {
    count: await rows.countWanted(db, id),
    async *wanted() {
      let after = -1
      for (;;) {
        const page = await rows.nextWanted(db, id, after, pageSize)
        if (page.length === 0) return
        yield page.map(({ tid }) => tid)
        after = page.at(-1)!.number
      }
    },
    async *gone() {
      if (series === undefined) return
      let after = ''
      for (;;) {
        const page = await rows.nextGone(db, id, series, after, pageSize)
        if (page.length === 0) return
        for (const { tid } of page) yield tid
        after = page.at(-1)!.tid
      }
    },
    async remember() {
      if (series !== undefined) await rows.replaceSeries(db, id, series, since)
    },
  }
}

async function collect(
  needs: TransferNeeds,
  ctx: Context,
  id: string,
  { tids, nodePaths, storedSearch }: NonNullable<TransferRow['options']['request']>,
): Promise<void> {
  if (tids) return void (await rows.addNamed(ctx.db, id, 0, tids))
  if (storedSearch === undefined) {
    const selected = await needs.selectProducts(ctx, nodePaths ? { nodePaths } : {})
    let last: number | null = 0
    while (last !== null) last = await rows.addSelected(ctx.db, id, selected, last, collectedAtOnce)
    return
  }
  let first = 0
  for await (const page of needs.findStored(ctx, String(storedSearch))) {
    await rows.addNamed(ctx.db, id, first, page)
    first += page.length
  }
}
