/**
 * persist of channels: create, rename, re-parent, reorder, values.
 *
 * The items are applied in order to the named channels and their ancestors in memory. So a channel can be created below
 * one of the same message, and cycles are detected. Paths are computed at the end.
 */
import { because, type Infer, type Project } from '@kontor/contract'
import { mergeMeta } from '../../common/api.ts'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { nameOf, namesOf } from '../../core/batch/identify.ts'
import { checkLevels, maxLevels, newName, newSegment } from '../../core/batch/names.ts'
import { type Action, allowsAt, rightsAt } from '../../core/access/permissions.ts'
import { upsert, type UpsertRules } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import { checkLocales, keyOf, noValues, type StoredValues } from '../../values/api.ts'
import { toTypeRules, type TypeRules } from './types/rules.ts'
import { findTypes, holdTypes, type TypeRow } from './types/types.sql.ts'
import * as rows from './channels.sql.ts'

export type ChannelMessage = Infer<typeof Project>

/** System fields. Clients may send them back from a retrieve; they are ignored. */
export const systemKeys: ReadonlySet<string> = new Set([
  'id',
  'creationDate',
  'creationUser',
  'modificationDate',
  'modificationUser',
  'icon',
  'htmlIcon',
  'allowedFunctions',
])

/** The gap between siblings leaves 20 bits for inserting in between. */
const orderStep = 2 ** 20
const maxPathBytes = 2000

export async function persistChannels(ctx: Context, items: readonly ChannelMessage[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  await holdTypes(ctx.db)
  const forest = await loadForest(ctx, items)
  const outcomes = await upsert(ctx, rulesFor(ctx, forest), items)
  if (forest.moved.size > 0) await moveAllBelow(ctx, [...forest.moved])
  return outcomes
}

async function moveAllBelow({ db }: Context, ids: readonly number[]): Promise<void> {
  try {
    await rows.movePaths(db, ids)
  } catch (error) {
    const { constraint = '' } = error as { constraint?: string }
    if (!/^project_path_(length|levels)$/.test(constraint)) throw error
    const limits = `${maxPathBytes} bytes or ${maxLevels} levels`
    throw new Problem('invalid', `a channel below would have a path of more than ${limits}`)
  }
}

/** The state of the channels while a batch is applied. */
interface Forest {
  readonly types: ReadonlyMap<string, TypeRow & { readonly rules: TypeRules }>
  readonly typesById: ReadonlyMap<number, TypeRow & { readonly rules: TypeRules }>
  readonly loaded: readonly rows.ChannelRow[]
  readonly byId: Map<number, rows.ChannelRow>
  readonly byTid: Map<string, rows.ChannelRow>
  /** Ids by parent and name. */
  readonly byName: Map<string, number>
  readonly lastOrder: Map<number | null, number>
  readonly moved: Set<number>
}

const nameKeyOf = ({ parentId, name }: { parentId: number | null; name: string }) => `${parentId ?? ''}/${name}`

async function loadForest({ db }: Context, items: readonly ChannelMessage[]): Promise<Forest> {
  const types = (await findTypes(db)).map((row) => ({ ...row, rules: toTypeRules(row) }))
  const targets = namesOf(items)
  const parents = namesOf(items.map(parentOf).filter((parent) => parent !== undefined))
  const named = await rows.findWithAbove(db, [...targets.ids, ...parents.ids], [...targets.tids, ...parents.tids])
  const forest: Forest = {
    types: new Map(types.map((type) => [type.tid, type])),
    typesById: new Map(types.map((type) => [type.id, type])),
    loaded: named,
    byId: new Map(),
    byTid: new Map(),
    byName: new Map(),
    lastOrder: new Map(),
    moved: new Set(),
  }
  for (const row of named) addRow(forest, row)
  const wanted = items.flatMap((item) => {
    const target = find(forest, item)
    const parent = parentOf(item)
    const parentId = parent ? (find(forest, parent)?.id ?? -1) : (target?.parentId ?? null)
    return [{ parentId: parent && isRoot(parent) ? null : parentId, name: (item.name ?? '').normalize('NFC').trim() }]
  })
  const namesakes = await rows.findNamesakes(
    db,
    wanted.map(({ parentId }) => parentId),
    wanted.map(({ name }) => name),
  )
  for (const row of namesakes) forest.byName.set(nameKeyOf(row), row.id)
  const orders = await rows.findLastOrders(
    db,
    wanted.flatMap(({ parentId }) => parentId ?? []),
  )
  for (const { parentId, last } of orders) forest.lastOrder.set(parentId, last)
  return forest
}

type Named = Pick<ChannelMessage, 'id' | 'tid'>
const parentOf = ({ parentTid, parentId }: ChannelMessage): Named | undefined =>
  parentTid !== undefined ? { tid: parentTid } : parentId !== undefined ? { id: parentId } : undefined
/** An empty parentTid makes the channel a root. */
const isRoot = ({ tid }: Named) => tid?.trim() === ''

const find = ({ byId, byTid }: Forest, { tid, id }: Named) =>
  tid === undefined ? byId.get(Number(id ?? -1)) : byTid.get(tid.normalize('NFC').trim())

function addRow(forest: Forest, row: rows.ChannelRow): rows.ChannelRow {
  const before = forest.byId.get(row.id)
  if (before && forest.byName.get(nameKeyOf(before)) === row.id) forest.byName.delete(nameKeyOf(before))
  forest.byId.set(row.id, row)
  forest.byTid.set(row.tid, row)
  forest.byName.set(nameKeyOf(row), row.id)
  forest.lastOrder.set(row.parentId, Math.max(row.orderSequence, forest.lastOrder.get(row.parentId) ?? 0))
  return row
}

function pathOf({ byId }: Forest, { tid, parentId }: Pick<rows.ChannelRow, 'tid' | 'parentId'>): string {
  let path = `/${tid}`
  for (let at = parentId; at !== null;) {
    const above: rows.ChannelRow = byId.get(at)!
    path = `/${above.tid}${path}`
    at = above.parentId
  }
  return path
}

function rulesFor(ctx: Context, forest: Forest): UpsertRules<ChannelMessage, rows.ChannelRow> {
  const { userName } = ctx.caller
  const withPath = (set: readonly rows.ChannelRow[]) => set.map((row) => ({ ...row, path: pathOf(forest, row) }))
  return {
    dataType: 'project',
    load: async () => forest.loaded,
    create(item, { id }) {
      if (item.tid === undefined) throw new Problem('invalid', 'tid is missing; a new channel needs one')
      const type = forest.types.get(item.type ?? '')
      if (!type) throw unknownType(forest, item.type)
      const fresh = { id, tid: newSegment('tid', item.tid), typeId: type.id, parentId: null, meta: [], vals: noValues }
      return settle(ctx, forest, item, fresh, 'create')
    },
    change(item, row) {
      const type = forest.typesById.get(row.typeId)!
      if (!allows(ctx, 'read', pathOf(forest, row))) throw new Problem('notFound', `no project has the ${nameOf(item)}`)
      demand(ctx, 'update', pathOf(forest, row))
      if (item.type !== undefined && item.type !== type.tid)
        throw new Problem('invalid', `type: the channel is a ${type.tid}, which cannot be changed to ${item.type}`)
      return settle(ctx, forest, item, row, 'update')
    },
    insert: (db, set) => rows.insertChannels(db, withPath(set), userName),
    update: (db, set) => rows.updateChannels(db, withPath(set), userName),
    unique: ({ parentId, name }) => `name ${name}${parentId === null ? '' : ` in ${forest.byId.get(parentId)?.tid}`}`,
    facts: ({ name, parentId, orderSequence, meta, vals }) => ({ name, parentId, orderSequence, meta, vals }),
  }
}

function unknownType({ types }: Forest, type: string | undefined): Problem {
  const known = [...types.keys()].join(', ')
  return new Problem('invalid', `type: ${type ?? 'nothing'} is not a channel type; expected ${known}`)
}

type Base = Omit<rows.ChannelRow, 'name' | 'orderSequence'> & Partial<rows.ChannelRow>

/** Computes the new row of a channel. Throws before anything is changed. */
function settle(ctx: Context, forest: Forest, item: ChannelMessage, base: Base, action: Action): rows.ChannelRow {
  const parentId = parentFor(ctx, forest, item, base)
  const name = newName('name', item.name, base.name)
  const isMoved = parentId !== base.parentId && action === 'update'
  const path = pathOf(forest, { tid: base.tid, parentId })
  if (isMoved || action === 'create') checkLevels(path)
  if (Buffer.byteLength(path) > maxPathBytes)
    throw new Problem('invalid', `the path of the channel would be longer than ${maxPathBytes} bytes`)
  demand(ctx, action, path)
  const holder = forest.byName.get(nameKeyOf({ parentId, name }))
  if (holder !== undefined && holder !== base.id)
    throw new Problem(
      'exists',
      because('channelTaken', { name, place: path.slice(0, path.lastIndexOf('/')) || 'the root' }),
    )
  const next = (forest.lastOrder.get(parentId) ?? 0) + orderStep
  const row = {
    ...base,
    parentId,
    name,
    orderSequence: orderOf(item) ?? (isMoved || base.orderSequence === undefined ? next : base.orderSequence),
    meta: item.meta
      ? mergeMeta(base.meta, item.meta, systemKeys, rightsAt(ctx.caller.permissions, 'project', [path]))
      : base.meta,
    vals: valuesFor(ctx, forest, item, base, path),
  }
  if (isMoved) forest.moved.add(base.id)
  return addRow(forest, row)
}

function orderOf({ orderSequence }: ChannelMessage): number | undefined {
  if (orderSequence === undefined) return undefined
  if (typeof orderSequence === 'bigint' || orderSequence < 0)
    throw new Problem('invalid', `orderSequence: ${orderSequence} is out of range; expected 0 to 2^53`)
  return orderSequence
}

function parentFor(ctx: Context, forest: Forest, item: ChannelMessage, base: Base): number | null {
  const named = parentOf(item)
  if (!named) return base.parentId
  if (isRoot(named)) return null
  const parent = find(forest, named)
  if (!parent || !allows(ctx, 'read', pathOf(forest, parent)))
    throw new Problem('notFound', `no project has the ${nameOf(named)}, which was sent as the parent`)
  for (let at: number | null = parent.id; at !== null; at = forest.byId.get(at)!.parentId) {
    if (at === base.id) throw new Problem('invalid', because('channelBelowItself', { tid: base.tid }))
  }
  return parent.id
}

function valuesFor(ctx: Context, forest: Forest, item: ChannelMessage, base: Base, path: string): StoredValues {
  const sent = item.vals?.val ?? []
  if (sent.length === 0) return base.vals
  const rights = rightsAt(ctx.caller.permissions, 'project', [path])
  checkLocales(sent, rights)
  const refused = sent.find((val) => !rights.attribute(keyOf(val)).editable)
  if (refused) throw new Problem('forbidden', because('mayNotAttribute', { attribute: refused.attr ?? '' }))
  return forest.typesById.get(base.typeId)!.rules.merge(base.vals, sent, rights)
}

const allows = ({ caller }: Context, action: Action, path: string) =>
  allowsAt(caller.permissions, action, 'project', path)

function demand(ctx: Context, action: Action, path: string): void {
  if (!allows(ctx, action, path)) throw new Problem('forbidden', because('mayNotChannel', { action, path }))
}
