/** Putting things into the trash: what hinders it, and how a set of trees and assets goes. */
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { findTrees } from '../dirs/dirs.sql.ts'
import { expectTrees, type EntryRow } from '../entries.sql.ts'
import * as rows from './trash.sql.ts'

export interface Deletions {
  /** Why an entry cannot be deleted, if it cannot. `force` deletes also what is in use. */
  refusal(id: number, force: boolean): Problem | undefined
  /** Deletes some of them. */
  run(ids: readonly number[], force: readonly number[]): Promise<void>
}

/** Looks at everything that would go with these entries. Directories stay as they are until the transaction ends. */
export async function prepareDeletions(ctx: Context, tops: readonly EntryRow[]): Promise<Deletions> {
  await expectTrees(ctx.db)
  const unique = [...new Map(tops.map((row) => [row.id, row])).values()]
  const dirs = unique.filter(({ kind }) => kind === 'dir')
  const trees = dirs.length > 0 ? await findTrees(ctx.db, dirs) : []
  const assets = unique.flatMap(({ id, kind }) => (kind === 'asset' ? [{ id, topId: id }] : []))
  const going: rows.Going[] = [...trees.map(({ id, topId }) => ({ id, topId })), ...assets]
  const found = going.length > 0 ? await rows.findHindrances(ctx.db, going, ctx.caller.userName) : []
  const hindrances = Map.groupBy(found, ({ topId }) => topId)
  const blockers = await ctx.deletionBlockers(
    'asset',
    found.filter(({ links }) => links > 0),
  )
  const byTop = Map.groupBy(going, ({ topId }) => topId)
  /** Of trees inside each other, the one deleted first takes what is in both. */
  const ofTops = (ids: readonly number[]) => [
    ...new Map(ids.toReversed().flatMap((top) => (byTop.get(top) ?? []).map((one) => [one.id, one]))).values(),
  ]
  return {
    refusal(id, force) {
      const own = hindrances.get(id) ?? []
      const locked = own.find(({ lockedBy }) => lockedBy !== null)
      if (locked) return new Problem('locked', `${locked.path} is checked out by ${locked.lockedBy}`)
      const used = own.find(({ links }) => links > 0)
      return used && !force ? blockers(id, used.path, new Set()) : undefined
    },
    async run(ids, force) {
      if (force.length > 0) await rows.unlinkAssets(ctx.db, ofTops(force))
      if (ids.length > 0) await rows.trashEntries(ctx.db, ofTops(ids), ctx.caller.userName)
    },
  }
}
