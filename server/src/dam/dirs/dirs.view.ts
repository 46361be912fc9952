/**
 * An in-memory view of the directories of a batch: the directories it names, names it could conflict with, and the
 * changes so far.
 */
import { sql } from '../../adapters/postgres/sql.ts'
import type { Context } from '../../core/context.ts'
import { soundOf } from '../../core/batch/batch.ts'
import { isWithin, pathAndAbove } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import { type Address, type Destination, slotOf, namesOf, slotKey, containerOf, visible } from '../entries.ts'
import {
  type EntryRow,
  findEntries,
  findHolders,
  findStorages,
  lockStorages,
  parkNames,
  type NameSlot,
  type Storage,
} from '../entries.sql.ts'
import { keyOf } from '../names.ts'
import { insideOf, noStorage, type Location, storageOf, topOf } from '../locations.ts'
import { type Deletions, prepareDeletions } from '../trash/deletion.ts'
import * as rows from './dirs.sql.ts'

/** The locations in an edit; the other fields are not needed here. */
export interface Located {
  readonly target?: Address | undefined
  readonly destination?: Destination | undefined
  readonly name?: string
  /** Names below the destination that must all exist afterwards. */
  readonly segments?: readonly string[]
  readonly overwrite?: boolean | undefined
}

export interface View {
  readonly storages: readonly Storage[]
  readonly byId: Map<unknown, EntryRow>
  readonly byTid: Map<string, EntryRow>
  readonly byPath: Map<string, EntryRow>
  /** Directories along a path, visible to the caller or not. */
  readonly steps: Map<string, EntryRow>
  /** The entry that has a name in a directory; also assets. */
  readonly holders: Map<string, EntryRow>
  /** tids of directories that are not visible to the caller. */
  readonly hiddenTids: ReadonlySet<string>
  /** The number of bytes that paths below a directory add to its own. */
  readonly depths: ReadonlyMap<number, number>
  /** Assets below a moved directory that others have checked out, by the directory. */
  readonly locks: ReadonlyMap<number, { readonly path: string; readonly lockedBy: string }>
  readonly deletions: Deletions | undefined
  readonly created: EntryRow[]
  /** Changed directories with their path at the time the view was loaded. */
  readonly changed: Map<EntryRow, string>
  /** Keys of paths whose meaning has changed since the view was loaded. */
  readonly moved: Set<string>
  readonly replaced: number[]
  readonly forced: number[]
  readonly freed: Set<string>
  readonly crossed: Set<number>
  exchanged: boolean
}

export async function loadView<E extends Located>(
  ctx: Context,
  edits: readonly (E | Problem)[],
  locked: Set<number>,
): Promise<View> {
  const sound = soundOf(edits) as E[]
  const storages = await findStorages(ctx.db)
  const named = await lockNamed(ctx, storages, sound, locked)
  const view: View = {
    storages,
    byId: new Map(),
    byTid: new Map(),
    byPath: new Map(),
    steps: new Map(),
    holders: new Map(),
    hiddenTids: new Set(),
    depths: new Map(),
    locks: new Map(),
    deletions: undefined,
    created: [],
    changed: new Map(),
    moved: new Set(),
    replaced: [],
    forced: [],
    freed: new Set(),
    crossed: new Set(),
    exchanged: false,
  }
  for (const row of named) addRow(view, row)
  for (const row of await findSteps(ctx, storages, sound)) view.steps.set(keyOf(row.path), row)
  const wanted = sound.map((edit) => wantedSlot(view, edit))
  for (const row of await findHolders(
    ctx.db,
    wanted.filter((one) => one !== undefined),
  ))
    view.holders.set(slotOf(row), row)
  return { ...view, ...(await lookAhead(ctx, view, sound, wanted)) }
}

/** The directories that the edits name, after their storages have been locked. */
async function lockNamed(ctx: Context, storages: readonly Storage[], edits: readonly Located[], locked: Set<number>) {
  const names = namesOf(edits.flatMap((edit) => addressesOf(storages, edit)))
  const tops = edits.flatMap(({ destination }) => (destination && storageOf(storages, destination)?.id) ?? [])
  for (;;) {
    const found = await findEntries(ctx.db, 'dir', names, visible(ctx, 'dir'), 'none')
    const missing = [...tops, ...found.map(({ rncId }) => rncId)].filter((id) => !locked.has(id))
    if (missing.length === 0) return found
    await lockStorages(ctx.db, missing)
    for (const id of missing) locked.add(id)
  }
}

/** Every directory that an edit names: targets and destinations. */
export function addressesOf(storages: readonly Storage[], { target, destination }: Located): Address[] {
  const inside = destination && !('rncTid' in destination) && !storageOf(storages, destination) ? [destination] : []
  return [...(target ? [target] : []), ...inside]
}

/** Every directory along the paths to create. */
export function stepsOf(storages: readonly Storage[], { destination, segments = [] }: Located): { path: string }[] {
  const top = destination && storageOf(storages, destination)
  return top ? segments.map((_, i) => ({ path: `/${[top.tid, ...segments.slice(0, i + 1)].join('/')}` })) : []
}

async function findSteps({ db }: Context, storages: readonly Storage[], edits: readonly Located[]) {
  const steps = edits.flatMap((edit) => stepsOf(storages, edit))
  return steps.length === 0 ? [] : findEntries(db, 'dir', namesOf(steps), sql`true`, 'none')
}

/** The directory and name that the edit would use. */
function wantedSlot(view: View, { target, destination, name, segments }: Located): NameSlot | undefined {
  const row = target && find(view, target)
  const location = destination ? findLocation(view, destination) : undefined
  if (location instanceof Problem) return undefined
  if (segments) {
    const missing = firstMissing(view, location!, segments)
    return missing && { containerId: containerOf(missing.location), nameKey: keyOf(missing.name) }
  }
  const at = location ? containerOf(location) : row && containerOf(row)
  const called = name ?? row?.name
  return at === undefined || called === undefined ? undefined : { containerId: at, nameKey: keyOf(called) }
}

/** The first missing name of a path, and the directory in which it is missing. */
export function firstMissing(view: View, top: Location, segments: readonly string[]) {
  let location = top
  for (const [i, name] of segments.entries()) {
    const dir = stepAt(view, `${location.path}/${name}`)
    if (!dir) return { location, name, rest: segments.slice(i + 1) }
    location = insideOf(dir)
  }
  return undefined
}

export const stepAt = ({ byPath, steps }: View, path: string) => byPath.get(keyOf(path)) ?? steps.get(keyOf(path))

/** Data that only some edits need: hidden tids, depths of moved trees, and reasons against a replacement. */
async function lookAhead(
  ctx: Context,
  view: View,
  edits: readonly Located[],
  wanted: readonly (NameSlot | undefined)[],
) {
  const unknown = edits.flatMap(({ target }) => (target && 'tid' in target && !find(view, target) ? [target.tid] : []))
  const moving = edits.flatMap(({ target, destination, name }) =>
    target && (destination || name !== undefined) ? (find(view, target) ?? []) : [],
  )
  const replaceable = edits.flatMap(({ overwrite }, i) =>
    overwrite && wanted[i] ? (view.holders.get(slotKey(wanted[i])) ?? []) : [],
  )
  const ids = moving.map(({ id }) => id)
  const depths = ids.length > 0 ? await rows.findDepths(ctx.db, ids) : []
  const locks = ids.length > 0 ? await rows.findLocked(ctx.db, ids, ctx.caller.userName) : []
  return {
    hiddenTids: new Set(unknown.length > 0 ? (await rows.findTids(ctx.db, unknown)).map(({ tid }) => tid) : []),
    depths: new Map(depths.map(({ id, below }) => [id, below ?? 0])),
    locks: new Map(locks.map(({ id, ...lock }) => [id, lock])),
    deletions: replaceable.length > 0 ? await prepareDeletions(ctx, replaceable) : undefined,
  }
}

export function addRow(view: View, row: EntryRow): void {
  view.byId.set(row.id, row)
  view.byTid.set(row.tid, row)
  view.byPath.set(keyOf(row.path), row)
}

export function find(view: View, address: Address): EntryRow | undefined {
  if ('tid' in address) return view.byTid.get(address.tid)
  return 'id' in address ? view.byId.get(address.id) : view.byPath.get(keyOf(address.path))
}

export function findLocation(view: View, destination: Destination): Location | Problem {
  const storage = storageOf(view.storages, destination)
  if (storage) return topOf(storage)
  if ('rncTid' in destination) return noStorage(destination.rncTid)
  const dir = find(view, destination)
  return dir
    ? insideOf(dir)
    : new Problem('notFound', `no directory has the ${Object.entries(destination)[0]!.join(' ')}`)
}

/** True if the meaning of a path has changed since the view was loaded. */
export const isStale = ({ moved }: View, address: Address) =>
  'path' in address && moved.size > 0 && [...pathAndAbove(keyOf(address.path))].some((path) => moved.has(path))

/** True if a directory's contents have changed since the view was loaded. */
export const isTouched = ({ moved, created }: View, path: string) =>
  [...moved].some((one) => isWithin(one, keyOf(path))) || created.some((row) => isWithin(row.path, path))

/** Changes the name or location of a directory; its descendants in the view follow. */
export function relocate(view: View, row: EntryRow, location: Location, name: string): void {
  const oldPath = row.path
  const path = `${location.path}/${name}`
  const held = slotOf(row)
  if (view.holders.get(held)?.id === row.id) view.holders.delete(held)
  view.freed.add(held)
  if (row.rncId !== location.rncId) view.crossed.add(row.id)
  view.moved.add(keyOf(oldPath)).add(keyOf(path))
  const moving = [...view.byId.values()].filter((one) => isWithin(one.path, oldPath))
  for (const one of moving) view.byPath.delete(keyOf(one.path))
  for (const one of moving) {
    one.path = path + one.path.slice(oldPath.length)
    one.dirPath = one === row ? location.path : one.path.slice(0, one.path.lastIndexOf('/'))
    one.rncId = location.rncId
    one.rnc = location.rnc
    view.byPath.set(keyOf(one.path), one)
  }
  Object.assign(row, { parentId: location.parentId, parent: location.parent, name })
  hold(view, row)
}

export function hold(view: View, row: EntryRow): void {
  const held = slotOf(row)
  if (view.freed.has(held)) view.exchanged = true
  view.holders.set(held, row)
}

/** Removes a replaced directory and its descendants from the view. */
export function forget(view: View, holder: EntryRow): void {
  view.moved.add(keyOf(holder.path))
  view.holders.delete(slotOf(holder))
  for (const row of view.byId.values()) {
    if (holder.kind !== 'dir' || !isWithin(row.path, holder.path)) continue
    view.byId.delete(row.id)
    view.byTid.delete(row.tid)
    view.byPath.delete(keyOf(row.path))
  }
}

/** Thrown if an upload took a name while the batch was applied. The caller repeats the batch. */
const raced = (cause: unknown) =>
  Object.assign(new Error('another request took a name meanwhile', { cause }), { code: '40001' })

export async function writeView({ db, caller }: Context, view: View): Promise<void> {
  const { changed, created, deletions, replaced, forced, crossed, exchanged } = view
  const changes = [...changed].map(([row, oldPath]) => ({ ...row, oldPath }))
  try {
    if (deletions && replaced.length > 0) await deletions.run(replaced, forced)
    if (exchanged && changes.length > 0)
      await parkNames(
        db,
        changes.map(({ id }) => id),
      )
    if (changes.length > 0) await rows.updateDirs(db, changes, caller.userName)
    if (crossed.size > 0) await rows.followStorage(db, [...crossed])
    if (created.length > 0) await rows.insertDirs(db, created, caller.userName)
  } catch (error) {
    throw (error as { code?: string }).code === '23505' ? raced(error) : error
  }
}
