/** Moves entries to the trash: checks whether they can be deleted, and deletes trees and assets as a set. */
import { because } from '@kontor/contract'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { findTrees } from '../dirs/dirs.sql.ts'
import { allowLongStatements, type EntryRow } from '../entries.sql.ts'
import * as rows from './trash.sql.ts'

export interface Deletions {
  /** The reason why an entry cannot be deleted, if there is one. `force` also deletes entries in use. */
  refusal(id: number, force: boolean): Problem | undefined
  /** Moves these entries to the trash. */
  run(ids: readonly number[], force: readonly number[]): Promise<void>
}

/** Loads everything that would be deleted with these entries. Directories are locked until the transaction ends. */
export async function prepareDeletions(ctx: Context, tops: readonly EntryRow[]): Promise<Deletions> {
  await allowLongStatements(ctx.db)
  const unique = [...new Map(tops.map((row) => [row.id, row])).values()]
  const dirs = unique.filter(({ kind }) => kind === 'dir')
  const trees = dirs.length > 0 ? await findTrees(ctx.db, dirs) : []
  const assets = unique.flatMap(({ id, kind }) => (kind === 'asset' ? [{ id, topId: id }] : []))
  const parts: rows.TreePart[] = [...trees.map(({ id, topId }) => ({ id, topId })), ...assets]
  const found = parts.length > 0 ? await rows.findBlockers(ctx.db, parts, ctx.caller.userName) : []
  const ownBlockers = Map.groupBy(found, ({ topId }) => topId)
  const blockers = await ctx.deletionBlockers(
    'asset',
    found.filter(({ links }) => links > 0),
  )
  const dirIds = new Set(trees.map(({ id }) => id))
  const byTop = Map.groupBy(parts, ({ topId }) => topId)
  /** If trees overlap, the one deleted first takes the common part. */
  const ofTops = (ids: readonly number[]) => [
    ...new Map(ids.toReversed().flatMap((top) => (byTop.get(top) ?? []).map((one) => [one.id, one]))).values(),
  ]
  return {
    refusal(id, force) {
      const own = ownBlockers.get(id) ?? []
      const locked = own.find(({ lockedBy }) => lockedBy !== null)
      if (locked) return new Problem('locked', because('checkedOut', { path: locked.path, user: locked.lockedBy! }))
      const used = own.find(({ links }) => links > 0)
      return used && !force ? blockers(id, used.path, new Set()) : undefined
    },
    async run(ids, force) {
      if (force.length > 0) await rows.unlinkAssets(ctx.db, ofTops(force), ctx.caller.userName)
      if (ids.length === 0) return
      const leaving = ofTops(ids)
      await rows.trashEntries(ctx.db, leaving, ctx.caller.userName)
      const left = leaving.filter(({ id }) => dirIds.has(id)).map(({ id }) => id)
      if (left.length > 0 && (await rows.anyLeft(ctx.db, left, ctx.caller.userName))) throw raced()
    },
  }
}

/** The batch is repeated, and then sees the lock. */
const raced = () =>
  Object.assign(new Error('an asset was checked out while its directory was deleted'), { code: '40001' })
