/**
 * A draft of classifications, nodes and attributes: the model as it will be when a batch is done.
 *
 * Items are played on it one after the other, in memory, so that each sees what the ones before it did; then all that
 * differs is written, with the same few statements for any number of items. An item that is refused half-way is taken
 * back whole (`attempt`). Whoever makes a draft holds the lock of the model, so that what is true here stays true.
 */
import type { Long } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Change, Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { isWithin } from '../../core/batch/names.ts'
import { allowsAt, type Permissions } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import * as rows from './draft.sql.ts'
import type { Model } from './model.ts'
import type { AttributeRow, ClassificationRow, NodeRow } from './model.sql.ts'

/** Paths are indexed, and an index takes no longer texts. */
const maxPathBytes = 2000

export interface Draft {
  readonly model: Model
  newId(): number
  classification(by: { readonly id?: Long; readonly tid?: string }): ClassificationRow | undefined
  rootOf(classificationId: number): NodeRow | undefined
  /** By id, or by path in its one form; '' is the root where there is only one. */
  node(key: Long | string): NodeRow | undefined
  attribute(id: Long): AttributeRow | undefined
  attributeAt(nodeId: number, definitionId: number): AttributeRow | undefined
  putClassification(row: ClassificationRow): void
  /** Adds a node, or changes one; what stands below a moved node goes with it. */
  putNode(row: NodeRow): void
  putAttribute(row: AttributeRow): void
  /** The place behind the last child of a parent. */
  lastPosition(parentId: number): number
  /** Refuses what the caller's roles do not allow. */
  demand(action: 'create' | 'update', kind: 'classification' | 'node' | 'attribute', path: string): void
  record(change: Change): void
  /** Plays one item; when it is refused, nothing of it stays. */
  attempt(play: () => Outcome): Outcome
  write(ctx: Context): Promise<void>
}

/** `most` is the largest number of objects that the batch could create. */
export async function startDraft({ db, caller }: Context, model: Model, most: number): Promise<Draft> {
  return createDraft(model, await newIds(db, most), caller.permissions)
}

function createDraft(model: Model, ids: number[], permissions: Permissions): Draft {
  const undo: (() => void)[] = []
  const changes: Change[] = []
  const classifications = table(model.classifications, undo, ({ tid }) => tid)
  const nodes = table(model.nodes, undo, ({ path }) => path)
  const attributes = table(model.attributes, undo, ({ nodeId, definitionId }) => `${nodeId}/${definitionId}`)
  const roots = new Map<number, number>() // of classifications that the draft adds
  const positions = new Map<number, number>()

  return {
    model,
    newId: () => ids.shift()!,
    classification: ({ id, tid }) => (tid === undefined ? classifications.get(id) : classifications.by(tid)),
    rootOf: (id) => nodes.get(roots.get(id) ?? model.rootOf(id)?.id),
    node: (key) =>
      key === '' ? nodes.get(model.node('')?.id) : typeof key === 'string' ? nodes.by(key) : nodes.get(key),
    attribute: attributes.get,
    attributeAt: (nodeId, definitionId) => attributes.by(`${nodeId}/${definitionId}`),
    putClassification: classifications.put,
    putAttribute: attributes.put,
    putNode(row) {
      const before = nodes.get(row.id)
      if (row.parentId === null) roots.set(row.classificationId, row.id)
      const below = before && before.path !== row.path ? nodes.all().filter(isBelow(before)) : []
      const moved = below.map((node) => ({
        ...node,
        classificationId: row.classificationId,
        path: row.path + node.path.slice(before!.path.length),
      }))
      for (const node of [row, ...moved]) checkLength(node.path)
      nodes.replace([row, ...moved])
    },
    lastPosition(parentId) {
      const last = positions.get(parentId) ?? model.childrenOf(parentId).at(-1)?.position ?? -1
      positions.set(parentId, last + 1)
      return last + 1
    },
    demand(action, kind, path) {
      if (allowsAt(permissions, action, kind, path)) return
      throw new Problem('forbidden', `your roles do not allow to ${action} the ${kind} at ${path}`)
    },
    record: (change) => changes.push(change),
    attempt(play) {
      const [undoMark, changeMark] = [undo.length, changes.length]
      try {
        return play()
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        while (undo.length > undoMark) undo.pop()!()
        changes.length = changeMark
        return error
      }
    },
    async write(ctx) {
      const { userName } = ctx.caller
      await rows.writeClassifications(ctx.db, classifications.written(), userName)
      await rows.writeNodes(ctx.db, nodes.written(), userName)
      await rows.writeAttributes(ctx.db, attributes.written(), userName)
      for (const change of changes) ctx.record(change)
    },
  }
}

const isBelow = (top: NodeRow) => (node: NodeRow) => node.id !== top.id && isWithin(node.path, top.path)

function checkLength(path: string): void {
  const length = Buffer.byteLength(path)
  if (length <= maxPathBytes) return
  throw new Problem(
    'invalid',
    `the path ${path.slice(0, 60)}… would have ${length} bytes; at most ${maxPathBytes} are allowed: use shorter tids`,
  )
}

/** Rows by id and by one more key, over those that exist. */
function table<Row extends { readonly id: number }>(
  existing: readonly Row[],
  undo: (() => void)[],
  keyOf: (row: Row) => string,
) {
  const base = new Map(existing.map((row) => [row.id, row]))
  const byId = new Map(base)
  const byKey = new Map(existing.map((row) => [keyOf(row), row.id]))
  const set = (id: number, row: Row | undefined) => {
    if (row) byId.set(id, row)
    else byId.delete(id)
  }
  const get = (id: Long | undefined) => (typeof id === 'number' ? byId.get(id) : undefined)
  /** Old keys go before new ones come, because rows may exchange them. */
  const swap = (from: readonly (Row | undefined)[], to: readonly (Row | undefined)[]) => {
    for (const row of from) if (row) byKey.delete(keyOf(row))
    for (const row of to) if (row) byKey.set(keyOf(row), row.id)
  }
  const replace = (fresh: readonly Row[]) => {
    const before = fresh.map(({ id }) => byId.get(id))
    swap(before, fresh)
    for (const row of fresh) set(row.id, row)
    undo.push(() => {
      swap(fresh, before)
      fresh.forEach(({ id }, i) => set(id, before[i]))
    })
  }
  return {
    get,
    by: (key: string) => get(byKey.get(key)),
    all: () => [...byId.values()],
    replace,
    put: (row: Row) => replace([row]),
    written(): rows.Written<Row> {
      const differing = [...byId.values()].filter((row) => base.get(row.id) !== row)
      return {
        created: differing.filter(({ id }) => !base.has(id)),
        changed: differing.filter(({ id }) => base.has(id)),
      }
    },
  }
}
