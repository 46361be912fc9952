/**
 * Moves and copies of assets, a whole batch at a time.
 *
 * The actions are applied in order in memory to the names that the batch touches, and then written as sets. An asset of
 * the same name at the destination is moved to the trash if the action allows overwriting.
 */
import { randomUUID } from 'node:crypto'
import { because } from '@kontor/contract'
import { type Done, orProblem, type Outcome, soundOf, writeEach } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { cleanName } from '../../core/batch/names.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import type { MakePreviews } from '../dirs/dirs.copy.ts'
import {
  type Address,
  addressOf,
  demand,
  demandDestination,
  demandUnlocked,
  type Destination,
  findNamed,
  flagOf,
  slotOf,
  notFound,
  overwriteOf,
  slotKey,
  containerOf,
} from '../entries.ts'
import { type EntryRow, findHolders, parkNames, writeLocations } from '../entries.sql.ts'
import { newEntryName, keyOf } from '../names.ts'
import { findLocations, type Location } from '../locations.ts'
import { type Deletions, prepareDeletions } from '../trash/deletion.ts'
import { findTids } from './assets.sql.ts'
import { type Copy, copyAssets } from './copies.sql.ts'

interface Request {
  readonly address: Address
  readonly destination: Destination
  readonly overwrite: boolean
  readonly force: boolean
  readonly newName?: string
  readonly newTid?: string
}

function toRequest(action: ActionValue): Request {
  const meta = metaOf(action)
  const newName = meta.get('newName')
  const newTid = meta.get('newTid')
  return {
    address: addressOf(action)!,
    destination: demandDestination(action),
    overwrite: overwriteOf(action),
    force: flagOf(action, 'force'),
    ...(newName !== undefined && { newName: newEntryName('meta newName', newName) }),
    ...(newTid !== undefined && { newTid: cleanName('meta newTid', newTid) }),
  }
}

/** The state shared by the actions of a batch. */
interface BatchState {
  readonly ctx: Context
  readonly holders: Map<string, EntryRow>
  readonly deletions: Deletions
  readonly replaced: number[]
  readonly forced: number[]
  /** Names released earlier in this batch. */
  readonly freed: Set<string>
  exchanged: boolean
  asset(address: Address): EntryRow | undefined
  location(destination: Destination): Location | Problem
}

async function prepare(ctx: Context, requests: readonly (Request | Problem)[]): Promise<BatchState> {
  const sound = soundOf(requests)
  const asset = await findNamed(
    ctx,
    'asset',
    sound.map(({ address }) => address),
    'update',
  )
  const location = await findLocations(
    ctx,
    sound.map(({ destination }) => destination),
  )
  const slots = sound.flatMap(({ address, destination, newName }) => {
    const [row, at] = [asset(address), location(destination)]
    return row && !(at instanceof Problem)
      ? [{ containerId: containerOf(at), nameKey: keyOf(newName ?? row.name) }]
      : []
  })
  const holders = new Map((await findHolders(ctx.db, slots)).map((row) => [slotOf(row), row]))
  // Overwriting can replace assets already at the destination and assets that this batch moves there.
  const moving = sound.flatMap(({ address }) => asset(address) ?? [])
  const replaceable = sound.some(({ overwrite }) => overwrite) ? [...holders.values(), ...moving] : []
  const deletions = await prepareDeletions(
    ctx,
    replaceable.filter(({ kind }) => kind === 'asset'),
  )
  return { ctx, asset, location, holders, deletions, replaced: [], forced: [], freed: new Set(), exchanged: false }
}

function demandAsset({ asset }: BatchState, { address }: Request): EntryRow {
  const row = asset(address)
  if (row) return row
  throw notFound('asset', address)
}

function demandLocation({ location }: BatchState, { destination }: Request): Location {
  const at = location(destination)
  if (at instanceof Problem) throw at
  return at
}

/** Frees the name at the destination, or throws if overwriting is not allowed. */
function clear(state: BatchState, at: Location, name: string, itself: number, { overwrite, force }: Request): void {
  const { ctx, holders, deletions } = state
  const holder = holders.get(slotKey({ containerId: containerOf(at), nameKey: keyOf(name) }))
  if (!holder || holder.id === itself) return
  const path = `${at.path}/${holder.name}`
  if (!overwrite) throw new Problem('exists', because('replaceable', { path }))
  if (holder.kind === 'dir') throw new Problem('exists', because('folderNotReplaceable', { path }))
  demand(ctx, 'delete', 'asset', at.path)
  const refusal = deletions.refusal(holder.id, force)
  if (refusal) throw refusal
  state.replaced.push(holder.id)
  if (force) state.forced.push(holder.id)
  holders.delete(slotOf(holder))
}

interface Moved {
  readonly row: EntryRow
  readonly from: string
  readonly items: number[]
}

export async function moveAssets(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const requests = actions.map(orProblem(toRequest))
  const state = await prepare(ctx, requests)
  const moved = new Map<number, Moved>()
  const outcomes = requests.map((request, i): Outcome => {
    if (request instanceof Problem) return request
    return orProblem(() => {
      const row = demandAsset(state, request)
      if (state.replaced.includes(row.id)) throw notFound('asset', request.address)
      const from = row.path
      const done = move(state, row, request)
      const one = moved.get(row.id) ?? { row, from, items: [] }
      one.items.push(i)
      moved.set(row.id, one)
      return done
    })(undefined)
  })
  await writeMoves(state, [...moved.values()], outcomes)
  return outcomes
}

function move(state: BatchState, row: EntryRow, request: Request): Done {
  const { ctx, holders, freed } = state
  const at = demandLocation(state, request)
  demand(ctx, 'update', 'asset', row.dirPath)
  demandUnlocked(ctx, row)
  if (containerOf(at) !== containerOf(row)) {
    demand(ctx, 'create', 'asset', at.path)
    clear(state, at, row.name, row.id, request)
    const held = slotOf(row)
    if (holders.get(held)?.id === row.id) holders.delete(held)
    freed.add(held)
    Object.assign(row, { ...at, dirPath: at.path, path: `${at.path}/${row.name}` })
    if (freed.has(slotOf(row))) state.exchanged = true
    holders.set(slotOf(row), row)
  }
  return { action: 'move', id: row.id, tid: row.tid, path: row.path }
}

async function writeMoves(
  { ctx, deletions, replaced, forced, exchanged }: BatchState,
  moved: readonly Moved[],
  outcomes: Outcome[],
) {
  await deletions.run(replaced, forced)
  const write = async (db: Context['db'], set: readonly Moved[]) => {
    if (exchanged)
      await parkNames(
        db,
        set.map(({ row }) => row.id),
      )
    await writeLocations(
      db,
      set.map(({ row: { id, rncId, parentId, name } }) => ({ id, rncId, parentId, name })),
      ctx.caller.userName,
    )
  }
  const staying = moved.filter(({ row, from }) => row.path !== from && !replaced.includes(row.id))
  const refused = new Set<number>()
  await writeEach(ctx.db, staying, write, ({ row, items }) => {
    refused.add(row.id)
    for (const item of items) outcomes[item] = new Problem('exists', because('fileTaken', { path: row.path }))
  })
  for (const { row, from } of staying) {
    if (refused.has(row.id)) continue
    const changes = { path: { from, to: row.path } }
    ctx.record({ dataType: 'asset', id: row.id, event: 'UPDATE', action: 'move', changes })
  }
}

export async function copyAll(
  ctx: Context,
  actions: readonly ActionValue[],
  makePreviews: MakePreviews,
): Promise<Outcome[]> {
  const requests = actions.map(orProblem(toRequest))
  const state = await prepare(ctx, requests)
  const sent = soundOf(requests).flatMap(({ newTid }) => newTid ?? [])
  const tids = new Set(sent.length > 0 ? (await findTids(ctx.db, sent)).map(({ tid }) => tid) : [])
  const ids = await newIds(ctx.db, actions.length)
  const copies: (Copy & { item: number })[] = []
  const outcomes = requests.map((request, item): Outcome => {
    if (request instanceof Problem) return request
    return orProblem((): Outcome => {
      const made = copy(state, request, ids, tids)
      copies.push({ ...made, item })
      return { action: 'copy', id: made.id, tid: made.tid, path: made.path }
    })(undefined)
  })
  await state.deletions.run(state.replaced, state.forced)
  const unfinished: number[] = []
  const write = async (db: Context['db'], set: readonly Copy[]) => {
    for (const { id } of await copyAssets(db, set, ctx.caller.userName)) unfinished.push(id)
  }
  const staying = copies.filter(({ id }) => !state.replaced.includes(id))
  await writeEach(ctx.db, staying, write, ({ item, path }) => {
    outcomes[item] = new Problem('exists', because('fileTaken', { path }))
  })
  if (unfinished.length > 0) await makePreviews(ctx, unfinished)
  return outcomes
}

function copy(state: BatchState, request: Request, ids: number[], tids: Set<string>): Copy {
  const row = demandAsset(state, request)
  const at = demandLocation(state, request)
  const name = request.newName ?? row.name
  demand(state.ctx, 'create', 'asset', at.path)
  const tid = request.newTid ?? randomUUID().toUpperCase()
  if (tids.has(tid)) throw new Problem('exists', `an asset with the tid ${tid} exists already`)
  clear(state, at, name, -1, request)
  tids.add(tid)
  const made: Copy = {
    sourceId: row.id,
    id: ids.shift()!,
    tid,
    rncId: at.rncId,
    parentId: at.parentId,
    name,
    path: `${at.path}/${name}`,
  }
  const { rnc, parent, path: dirPath } = at
  state.holders.set(slotOf(made), { ...row, ...made, rnc, parent, dirPath })
  return made
}
