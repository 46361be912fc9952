/**
 * The rules of /dam/trash, an extension of the interface: deleted entries can be restored until they are purged.
 *
 * A directory is restored with everything that was deleted with it. By default an entry returns to its previous
 * location. If that no longer exists or the name is in use, the action must name another one.
 */
import { because } from '@kontor/contract'
import type { dam } from '@kontor/contract'
import { toMeta } from '../../common/api.ts'
import { orProblem, type Outcome, writeEach } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { namesOf } from '../../core/batch/identify.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { demand, type Destination, destinationOf, slotOf, slotKey, containerOf, visible } from '../entries.ts'
import { allowLongStatements, findHolders, type Kind, lockStorages } from '../entries.sql.ts'
import { checkPath, newEntryName, keyOf } from '../names.ts'
import { findLocations, type Location } from '../locations.ts'
import * as rows from './trash.sql.ts'

const pageSize = 1000

export const trash: Handlers<typeof dam.resources.trash> = {
  async retrieve(ctx, { rncTid, deletedFrom: from, deletedUntil: until }) {
    const filter = { rncTid, from, until }
    return { assets: list(ctx, 'asset', filter), dirs: list(ctx, 'dir', filter) }
  },
  perform: { restore: restoreAll },
}

async function* list(ctx: Context, kind: Kind, filter: rows.TrashFilter) {
  for (let before: { at: Date; id: number } | undefined; ;) {
    const page = await rows.listTrash(ctx.db, kind, filter, visible(ctx, kind), before, pageSize)
    for (const row of page) yield toMessage(row)
    if (page.length < pageSize) return
    const { deletedAt: at, id } = page.at(-1)!
    before = { at, id }
  }
}

function toMessage({ id, kind, tid, name, rnc, parent, type, path, deletedAt, deletedBy, inside }: rows.TrashRow) {
  const facts = { deletionDate: deletedAt.toISOString(), deletionUser: deletedBy }
  const identity = { tid, rnc, ...(parent !== null && { parent }) }
  return kind === 'asset'
    ? { name, meta: toMeta(facts), ...identity, id, type: type!, path }
    : { name, meta: toMeta({ id: String(id), path, ...facts, entries: String(inside) }), ...identity }
}

interface Request {
  readonly kind: Kind
  readonly row: rows.Restorable
  readonly destination?: Destination
  readonly newName?: string
}

async function restoreAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  await allowLongStatements(ctx.db)
  const find = await findDeleted(ctx, actions)
  const requests = actions.map(
    orProblem((action): Request => {
      const destination = destinationOf(action)
      const newName = metaOf(action).get('newName')
      return {
        kind: action.dataType as Kind,
        row: find(action),
        ...(destination && { destination }),
        ...(newName !== undefined && { newName: newEntryName('meta newName', newName) }),
      }
    }),
  )
  const sound = requests.filter((request): request is Request => !(request instanceof Problem))
  const locationOf = await lockLocations(ctx, sound)
  const taken = new Map(
    (
      await rows.findTakenTids(
        ctx.db,
        sound.map(({ row }) => row.id),
      )
    ).map((one) => [one.topId, one.tid]),
  )
  const slots = sound.flatMap((request) => {
    const location = locationOf(request)
    return location instanceof Problem
      ? []
      : [{ containerId: containerOf(location), nameKey: keyOf(request.newName ?? request.row.name) }]
  })
  const holders = new Set((await findHolders(ctx.db, slots)).map(slotOf))
  const back: Back[] = []
  const outcomes = requests.map((request, item): Outcome => {
    if (request instanceof Problem) return request
    return orProblem((): Outcome => {
      const one = restore(ctx, request, locationOf(request), { taken, holders, back })
      back.push({ ...one, item })
      return { action: 'restore', dataType: request.kind, id: one.id, tid: request.row.tid, path: one.path }
    })(undefined)
  })
  const write = async (db: Context['db'], set: readonly Back[]) =>
    void (await rows.restoreEntries(db, set, ctx.caller.userName))
  await writeEach(ctx.db, back, write, ({ item, path }) => {
    outcomes[item] = new Problem('exists', `another request took ${path} meanwhile`)
  })
  return outcomes
}

interface Back extends rows.Returning {
  readonly item: number
}

async function findDeleted(ctx: Context, actions: readonly ActionValue[]) {
  const index = new Map<string, rows.Restorable>()
  for (const kind of ['asset', 'dir'] as const) {
    const names = namesOf(actions.filter(({ dataType }) => dataType === kind))
    if (names.ids.length + names.tids.length === 0) continue
    for (const row of await rows.findTrash(ctx.db, kind, names, visible(ctx, kind))) {
      for (const key of [`${kind} tid ${row.tid}`, `${kind} id ${row.id}`]) if (!index.has(key)) index.set(key, row)
    }
  }
  return ({ dataType, tid, id }: ActionValue): rows.Restorable => {
    const by = tid === undefined ? `id ${id}` : `tid ${tid}`
    const row = index.get(`${dataType} ${by}`)
    if (row) return row
    throw new Problem('notFound', `the trash has no ${dataType === 'dir' ? 'directory' : 'asset'} with the ${by}`)
  }
}

/** The location of each restored entry. Storages and destination directories are locked. */
async function lockLocations(ctx: Context, requests: readonly Request[]) {
  const find = await findLocations(
    ctx,
    requests.flatMap(({ destination }) => destination ?? []),
  )
  const parents = requests.flatMap(({ row, destination }) =>
    destination || row.parentId === null ? [] : [{ id: row.parentId }],
  )
  const home = await findLocations(ctx, parents)
  const locationOf = ({ row, destination }: Request): Location | Problem => {
    if (destination) return find(destination)
    if (row.parentId === null)
      return { rncId: row.rncId, rnc: row.rnc, parentId: null, parent: null, path: `/${row.rnc}` }
    if (!row.dirDeleted) return home({ id: row.parentId })
    return new Problem('notFound', because('parentInTrash', { path: row.dirPath }))
  }
  const storages = requests.flatMap((request) => {
    const location = locationOf(request)
    return location instanceof Problem ? [] : [location.rncId]
  })
  if (storages.length > 0) await lockStorages(ctx.db, storages)
  return locationOf
}

interface RestoreState {
  readonly taken: ReadonlyMap<number, string>
  readonly holders: Set<string>
  readonly back: readonly Back[]
}

function restore(
  ctx: Context,
  { kind, row, newName }: Request,
  location: Location | Problem,
  { taken, holders, back }: RestoreState,
) {
  if (back.some(({ id }) => id === row.id || id === row.deletedWith))
    throw new Problem('notFound', because('restoredAlready', { path: row.path }))
  if (kind === 'dir' && row.deletedWith !== null)
    throw new Problem('invalid', because('deletedWithFolder', { path: row.path, id: row.deletedWith }))
  if (location instanceof Problem) throw location
  const name = newName ?? row.name
  const path = `${location.path}/${name}`
  demand(ctx, 'create', kind, location.path)
  const tid = taken.get(row.id)
  if (tid !== undefined) throw new Problem('exists', `another ${kind} has the tid ${tid} now`)
  const held = slotKey({ containerId: containerOf(location), nameKey: keyOf(name) })
  if (holders.has(held)) throw new Problem('exists', because('placeTaken', { path }))
  if (kind === 'dir') checkPath(path, row.below ?? 0)
  holders.add(held)
  return {
    id: row.id,
    rncId: location.rncId,
    parentId: location.parentId,
    name,
    path,
    oldPath: row.oldPath ?? row.path,
  }
}
