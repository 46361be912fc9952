/**
 * Copies of directories with their contents, a whole batch at a time. The number of statements does not depend on the
 * size of the batch.
 *
 * If a copy depends on the result of an earlier one in the batch, the earlier ones are written first, and the rest of
 * the batch is planned against fresh data.
 */
import { because } from '@kontor/contract'
import { randomUUID } from 'node:crypto'
import { type Done, orProblem, type Outcome, soundOf } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { isWithin } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import { copyContents, type DirCopy } from '../assets/copies.sql.ts'
import { demand, notFound, slotKey, containerOf } from '../entries.ts'
import { allowLongStatements, type EntryRow } from '../entries.sql.ts'
import { checkPath, keyOf } from '../names.ts'
import type { Location } from '../locations.ts'
import { findTrees, insertDirs, type TreeDir } from './dirs.sql.ts'
import * as views from './dirs.view.ts'

export interface TreeCopy extends views.Located {
  readonly force: boolean
}

/** Schedules previews of copies whose originals have none yet. */
export type MakePreviews = (ctx: Context, assetIds: readonly number[]) => Promise<void>

export async function copyTrees(
  ctx: Context,
  copies: readonly (TreeCopy | Problem)[],
  makePreviews: MakePreviews,
): Promise<Outcome[]> {
  await allowLongStatements(ctx.db)
  const locked = new Set<number>()
  const outcomes: Outcome[] = []
  while (outcomes.length < copies.length)
    outcomes.push(...(await copySome(ctx, copies.slice(outcomes.length), locked, makePreviews)))
  return outcomes
}

interface Made {
  readonly dirs: EntryRow[]
  readonly contents: DirCopy[]
}

/** Plans copies from the first on, until one depends on a result that is not written yet. */
async function copySome(
  ctx: Context,
  copies: readonly (TreeCopy | Problem)[],
  locked: Set<number>,
  makePreviews: MakePreviews,
): Promise<Outcome[]> {
  const view = await views.loadView(ctx, copies, locked)
  const sources = soundOf(copies).flatMap(({ target }) => views.find(view, target!) ?? [])
  const unique = [...new Map(sources.map((row) => [row.id, row])).values()]
  const trees = Map.groupBy(await findTrees(ctx.db, unique), ({ topId }) => topId)
  const ids = await newIds(
    ctx.db,
    sources.reduce((sum, { id }) => sum + (trees.get(id)?.length ?? 0), 0),
  )
  const made: Made = { dirs: [], contents: [] }
  const outcomes: Outcome[] = []
  for (const copy of copies) {
    if (!(copy instanceof Problem) && made.dirs.length > 0 && dependsOn(view, copy, made)) break
    outcomes.push(copy instanceof Problem ? copy : orProblem(() => copyTree(ctx, view, copy, trees, ids, made))(copy))
  }
  await views.writeView(ctx, view)
  if (made.dirs.length > 0) await insertDirs(ctx.db, made.dirs, ctx.caller.userName)
  const unfinished = made.contents.length > 0 ? await copyContents(ctx.db, made.contents, ctx.caller.userName) : []
  if (unfinished.length > 0)
    await makePreviews(
      ctx,
      unfinished.map(({ id }) => id),
    )
  return outcomes
}

/**
 * True if the copy names a directory that does not exist yet, copies one that is being filled, or replaces something.
 */
function dependsOn(view: views.View, { target, destination, overwrite }: TreeCopy, made: Made): boolean {
  const source = views.find(view, target!)
  const location = views.findLocation(view, destination!)
  if (!source || location instanceof Problem) return true
  if (views.addressesOf(view.storages, { target, destination }).some((one) => views.isStale(view, one))) return true
  return overwrite === true || made.dirs.some(({ path }) => isWithin(path, source.path))
}

function copyTree(
  ctx: Context,
  view: views.View,
  { target, destination, name: newName, overwrite, force }: TreeCopy,
  trees: ReadonlyMap<number, TreeDir[]>,
  ids: number[],
  made: Made,
): Done {
  const source = views.find(view, target!)
  if (!source) throw notFound('directory', target!)
  const location = views.findLocation(view, destination!)
  if (location instanceof Problem) throw location
  if (isWithin(location.path, source.path))
    throw new Problem('invalid', because('folderCopyIntoItself', { path: source.path }))
  const name = newName ?? source.name
  const tree = trees.get(source.id)!
  demand(ctx, 'create', 'dir', location.path)
  const longest = Math.max(...tree.map(({ path }) => Buffer.byteLength(keyOf(path))))
  checkPath(`${location.path}/${name}`, longest - Buffer.byteLength(keyOf(source.path)))
  const holder = view.holders.get(slotKey({ containerId: containerOf(location), nameKey: keyOf(name) }))
  if (holder) replaceHolder(ctx, view, holder, source, { overwrite, force })
  return addTree(ctx, view, { source, location, name }, tree, ids, made)
}

function replaceHolder(
  ctx: Context,
  view: views.View,
  holder: EntryRow,
  source: EntryRow,
  { overwrite, force }: Pick<TreeCopy, 'overwrite' | 'force'>,
): void {
  if (!overwrite) throw new Problem('exists', because('folderTaken', { path: holder.path, tid: holder.tid }))
  if (isWithin(source.path, holder.path))
    throw new Problem('invalid', `a copy of ${source.path} cannot replace ${holder.path}`)
  demand(ctx, 'delete', holder.kind, holder.kind === 'dir' ? holder.path : holder.dirPath)
  const refusal = view.deletions?.refusal(holder.id, force)
  if (refusal) throw refusal
  view.replaced.push(holder.id)
  if (force) view.forced.push(holder.id)
  views.forget(view, holder)
}

/** Trees are sorted parents first, so the copy of a parent exists before its children are copied. */
function addTree(
  ctx: Context,
  view: views.View,
  { source, location, name }: { source: EntryRow; location: Location; name: string },
  tree: readonly TreeDir[],
  ids: number[],
  made: Made,
): Done {
  const copyOf = new Map<number, EntryRow>()
  for (const { topId: _, ...row } of tree) {
    const parent = row.id === source.id ? undefined : copyOf.get(row.parentId!)
    const dirPath = parent?.path ?? location.path
    const copied: EntryRow = {
      ...row,
      id: ids.shift()!,
      tid: randomUUID().toUpperCase(),
      rncId: location.rncId,
      rnc: location.rnc,
      parentId: parent?.id ?? location.parentId,
      parent: parent?.tid ?? location.parent,
      name: parent ? row.name : name,
      dirPath,
      path: `${dirPath}/${parent ? row.name : name}`,
    }
    copyOf.set(row.id, copied)
    made.dirs.push(copied)
    made.contents.push({ sourceId: row.id, id: copied.id, rncId: copied.rncId, path: copied.path })
    const changes = { path: copied.path, copyOf: row.id }
    ctx.record({ dataType: 'dir', id: copied.id, event: 'CREATE', action: 'copy', changes })
  }
  const top = copyOf.get(source.id)!
  views.hold(view, top)
  return { action: 'copy', id: top.id, tid: top.tid, path: top.path }
}
