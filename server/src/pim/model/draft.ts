/**
 * A draft of classifications, nodes and attributes: the model as it will be when a batch is done.
 *
 * Items are applied to it in memory, one after the other, so that each sees the effects of those before it. Then all
 * differences are written, with the same few statements for any number of items. If an item is refused half-way, all of
 * its changes are undone (`attempt`). The caller holds the lock of the model, so no one else changes it meanwhile.
 */
import { because, type Long } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Change, Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { checkLevels, isWithin } from '../../core/batch/names.ts'
import { allows, allowsAt, type Permissions, seesDefinition } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import type { Definition } from '../../values/api.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import * as rows from './draft.sql.ts'
import type { Model } from './model.ts'
import type { AttributeRow, ClassificationRow, NodeRow } from './model.sql.ts'

/** Paths are indexed, and a B-tree index does not accept longer texts. */
const maxPathBytes = 2000

export interface Draft {
  readonly model: Model
  newId(): number
  classification(by: {
    readonly id?: Long | undefined
    readonly tid?: string | undefined
  }): ClassificationRow | undefined
  rootOf(classificationId: number): NodeRow | undefined
  /**
   * By id, or by normalised path; '' is the root if there is only one. Nodes, definitions and attributes that the caller may
   * not see are missing.
   */
  node(key: Long | string): NodeRow | undefined
  definition(tid: string): Definition | undefined
  attribute(id: Long): AttributeRow | undefined
  attributeAt(nodeId: number, definitionId: number): AttributeRow | undefined
  putClassification(row: ClassificationRow): void
  /** Adds or changes a node; the nodes below a moved node move with it. */
  putNode(row: NodeRow): void
  putAttribute(row: AttributeRow): void
  /** The position after the last child of a parent. */
  lastPosition(parentId: number): number
  /** Throws a Problem unless the caller's roles allow the action. */
  demand(action: 'create' | 'update', kind: 'classification' | 'node' | 'attribute', path: string): void
  record(change: Change): void
  /** Applies one item; if it is refused, its changes are undone. */
  attempt(apply: () => Outcome): Outcome
  write(ctx: Context): Promise<void>
}

/** `most`: the largest number of objects that the batch could create. */
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
  const isVisible = allows(permissions, 'read', 'node') ? visibleTo({ permissions }) : () => true
  const tidOf = ({ definitionId }: AttributeRow) => model.definitionById(definitionId)!.tid

  return {
    model,
    newId: () => ids.shift()!,
    classification: ({ id, tid }) => (tid === undefined ? classifications.get(id) : classifications.by(tid)),
    rootOf: (id) => nodes.get(roots.get(id) ?? model.rootOf(id)?.id),
    node(key) {
      const row = key === '' ? nodes.get(model.node('')?.id) : typeof key === 'string' ? nodes.by(key) : nodes.get(key)
      return row && isVisible(row) ? row : undefined
    },
    definition(tid) {
      const definition = model.definition(tid)
      return definition && seesDefinition(permissions, 'product', tid) ? definition : undefined
    },
    attribute(id) {
      const row = attributes.get(id)
      const isSeen = row && isVisible(nodes.get(row.nodeId)!) && seesDefinition(permissions, 'product', tidOf(row))
      return isSeen ? row : undefined
    },
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
      for (const { path } of before?.path === row.path ? [] : [row, ...moved]) {
        checkLevels(path)
        checkLength(path)
      }
      nodes.replace([row, ...moved])
    },
    lastPosition(parentId) {
      const last = positions.get(parentId) ?? model.childrenOf(parentId).at(-1)?.position ?? -1
      positions.set(parentId, last + 1)
      return last + 1
    },
    demand(action, kind, path) {
      if (allowsAt(permissions, action, kind, path)) return
      throw new Problem('forbidden', because('mayNotModel', { action, kind, path }))
    },
    record: (change) => changes.push(change),
    attempt(apply) {
      const [undoMark, changeMark] = [undo.length, changes.length]
      try {
        return apply()
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

/** The rows of a table by id and by a second key, with the changes of the draft. */
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
  /** Removes all old keys before adding new ones, because rows may swap their keys. */
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
