/**
 * The model in memory: definitions, their groups, classifications, nodes, and the attributes of each node.
 *
 * A `Model` is one immutable state. `Models` caches the current one: a small statement reads the version, and only if it
 * differs, the changed rows are read (see 0005-pim-model.sql). A transaction that has changed the model itself gets a
 * state of its own, which is not shared.
 *
 *   load   to read: the state that the transaction sees now
 *   hold   to write products by the model: no one changes it until the transaction ends
 *   lock   to change it: no one else changes it or writes by it
 */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { cleanPath } from '../../core/batch/names.ts'
import { type Definition, type DefinitionRow, toDefinition, toTerms, toWords, type Words } from '../../values/api.ts'
import { type EffectiveAttribute, toEffective } from './effective.ts'
import * as rows from './model.sql.ts'

export interface Model {
  readonly version: number
  /** In the order of ids. */
  readonly definitions: readonly Definition[]
  /** In their order. */
  readonly groups: readonly rows.GroupRow[]
  readonly classifications: readonly rows.ClassificationRow[]
  readonly nodes: readonly rows.NodeRow[]
  readonly attributes: readonly rows.AttributeRow[]
  definition(tid: string): Definition | undefined
  definitionById(id: Long): Definition | undefined
  /** The attributes of a group, in their order. */
  membersOf(group: string): readonly Definition[]
  /** The place of an attribute among all attributes, by group and by place in it; those without a group are last. */
  orderOf(tid: string): number
  classification(tid: string): rows.ClassificationRow | undefined
  classificationById(id: Long): rows.ClassificationRow | undefined
  rootOf(classificationId: number): rows.NodeRow | undefined
  /** By id, or by path: `/Standard/Shoes`; `/` is the root if there is only one. */
  node(key: Long | string): rows.NodeRow | undefined
  /** In their order. */
  childrenOf(nodeId: number): readonly rows.NodeRow[]
  /** The attributes that the node itself has, in the order of ids. */
  ownAttributes(nodeId: number): readonly rows.AttributeRow[]
  attribute(id: Long): rows.AttributeRow | undefined
  attributesOfDefinition(definitionId: number): readonly rows.AttributeRow[]
  /** All attributes that hold at the node, by the tid of the definition; inherited ones come first. */
  attributesOf(nodeId: number): ReadonlyMap<string, EffectiveAttribute>
  /** The forbidden words of all glossaries, and the terms of enforced ones. */
  readonly words: Words
}

export interface Models {
  load(db: Db): Promise<Model>
  /** The state of a version that another statement has read, or a newer one. */
  at(db: Db, version: number): Promise<Model>
  hold(db: Db): Promise<Model>
  lock(db: Db): Promise<Model>
}

/** The rows of one state. */
interface State {
  readonly version: number
  readonly definitions: ReadonlyMap<number, DefinitionRow>
  readonly groups: ReadonlyMap<number, rows.GroupRow>
  readonly classifications: ReadonlyMap<number, rows.ClassificationRow>
  readonly nodes: ReadonlyMap<number, rows.NodeRow>
  readonly attributes: ReadonlyMap<number, rows.AttributeRow>
  readonly words: Words
}
interface CachedModel {
  readonly state: State
  readonly model: Model
}

const emptyState: State = {
  version: 0,
  definitions: new Map(),
  groups: new Map(),
  classifications: new Map(),
  nodes: new Map(),
  attributes: new Map(),
  words: toWords([]),
}

export function createModels(): Models {
  const definitionOf = memoized(toDefinition)
  let shared: CachedModel = { state: emptyState, model: toModel(emptyState, definitionOf) }

  const load = async (db: Db): Promise<Model> => {
    const known = shared
    const current = await rows.findVersion(db)
    if (current.version === known.state.version && !current.own) return known.model
    // A transaction with a repeatable snapshot may be behind the shared state.
    const base = current.version < known.state.version ? emptyState : known.state
    const changed = await rows.findRows(db, base.version)
    const state = advance(base, changed)
    const fresh = { state, model: toModel(state, definitionOf) }
    if (!changed.own && changed.version > shared.state.version) shared = fresh
    return fresh.model
  }
  return {
    load,
    at: async (db, version) => (version === shared.state.version ? shared.model : load(db)),
    hold: async (db) => (await Promise.all([rows.holdModel(db), load(db)]))[1],
    lock: async (db) => (await Promise.all([rows.lockModel(db), load(db)]))[1],
  }
}

function advance(base: State, changed: rows.ModelRows): State {
  const over = <R extends { id: number }>(kept: ReadonlyMap<number, R>, fresh: readonly R[]) => {
    if (fresh.length === 0 && changed.gone.length === 0) return kept
    const all = new Map(kept)
    for (const id of changed.gone) all.delete(id)
    for (const row of fresh) all.set(row.id, row)
    return all
  }
  return {
    version: changed.version,
    definitions: over(base.definitions, changed.definitions),
    groups: over(base.groups, changed.groups),
    classifications: over(base.classifications, changed.classifications),
    nodes: over(base.nodes, changed.nodes),
    attributes: over(base.attributes, changed.attributes),
    words: changed.words ? toWords(changed.words, toTerms(changed.terms ?? [])) : base.words,
  }
}

function toModel(state: State, definitionOf: (row: DefinitionRow) => Definition): Model {
  const definitions = [...state.definitions.values()].sort(byId).map(definitionOf)
  const definitionByTid = new Map(definitions.map((definition) => [definition.tid, definition]))
  const definitionById = new Map<Long, Definition>(definitions.map((definition) => [definition.id, definition]))
  const groups = [...state.groups.values()].sort((a, b) => a.pos - b.pos || a.id - b.id)
  const placed = definitions.filter(({ row }) => row.definition.group).sort(byPlace)
  const members = Map.groupBy(placed, ({ row }) => row.definition.group!.tid!)
  const order = new Map(groups.flatMap(({ tid }) => members.get(tid) ?? []).map(({ tid }, i) => [tid, i]))
  const classifications = [...state.classifications.values()].sort(byId)
  const classificationByTid = new Map(classifications.map((row) => [row.tid, row]))
  const nodes = [...state.nodes.values()].sort(byPosition)
  const nodeByPath = new Map(nodes.map((node) => [node.path, node]))
  const roots = new Map(nodes.filter(({ parentId }) => parentId === null).map((node) => [node.classificationId, node]))
  const children = Map.groupBy(nodes, ({ parentId }) => parentId)
  const attributes = [...state.attributes.values()].sort(byId)
  const byNode = Map.groupBy(attributes, ({ nodeId }) => nodeId)
  const byDefinition = Map.groupBy(attributes, ({ definitionId }) => definitionId)
  const effective = new Map<number, ReadonlyMap<string, EffectiveAttribute>>()

  const attributesOf = (nodeId: number): ReadonlyMap<string, EffectiveAttribute> => {
    const known = effective.get(nodeId)
    if (known) return known
    const node = state.nodes.get(nodeId)
    const above = node && node.parentId !== null ? attributesOf(node.parentId) : nothingInherited
    const own = byNode.get(nodeId)
    const all = node && own ? withOwn(above, own, node, definitionById) : above
    effective.set(nodeId, all)
    return all
  }
  return {
    version: state.version,
    definitions,
    groups,
    classifications,
    nodes,
    attributes,
    definition: (tid) => definitionByTid.get(tid),
    definitionById: (id) => definitionById.get(id),
    membersOf: (group) => members.get(group) ?? [],
    orderOf: (tid) => order.get(tid) ?? order.size,
    classification: (tid) => classificationByTid.get(tid),
    classificationById: (id) => (typeof id === 'number' ? state.classifications.get(id) : undefined),
    rootOf: (classificationId) => roots.get(classificationId),
    node(key) {
      if (typeof key !== 'string') return typeof key === 'number' ? state.nodes.get(key) : undefined
      const path = cleanPath(key)
      return path === '' && roots.size === 1 ? roots.values().next().value : nodeByPath.get(path)
    },
    childrenOf: (nodeId) => children.get(nodeId) ?? [],
    ownAttributes: (nodeId) => byNode.get(nodeId) ?? [],
    attribute: (id) => (typeof id === 'number' ? state.attributes.get(id) : undefined),
    attributesOfDefinition: (definitionId) => byDefinition.get(definitionId) ?? [],
    attributesOf,
    words: state.words,
  }
}

const nothingInherited: ReadonlyMap<string, EffectiveAttribute> = new Map()

function withOwn(
  above: ReadonlyMap<string, EffectiveAttribute>,
  own: readonly rows.AttributeRow[],
  node: rows.NodeRow,
  definitions: ReadonlyMap<Long, Definition>,
): ReadonlyMap<string, EffectiveAttribute> {
  const all = new Map(above)
  for (const row of own) {
    const definition = definitions.get(row.definitionId)!
    all.set(definition.tid, toEffective(row, node, definition, above.get(definition.tid)))
  }
  return all
}

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
const byPlace = (a: Definition, b: Definition) =>
  (a.row.definition.group?.pos ?? 0) - (b.row.definition.group?.pos ?? 0) || byId(a, b)
const byPosition = (a: rows.NodeRow, b: rows.NodeRow) => a.position - b.position || a.id - b.id

/** Caches what is derived from an immutable row or model, as long as that is in memory. */
export function memoized<Row extends object, Made>(make: (row: Row) => Made): (row: Row) => Made {
  const made = new WeakMap<Row, Made>()
  return (row) => {
    const known = made.get(row)
    if (known !== undefined) return known
    const fresh = make(row)
    made.set(row, fresh)
    return fresh
  }
}
