/**
 * Applies classifications and nodes to a draft: create, rename, move, with everything nested in them.
 *
 * A node is changed by id or path, and created by its tid below a parent. The root of a classification is created with it,
 * has its tid, and never moves. A node nested in another becomes its child, wherever it was before.
 */
import { randomUUID } from 'node:crypto'
import { because, type Classification, type Infer, type Node } from '@kontor/contract'
import { checkLocale } from '../../common/api.ts'
import type { Done } from '../../core/batch/batch.ts'
import {
  cleanName,
  cleanPath,
  cleanSegment,
  isWithin,
  newName,
  newSegment,
  parentPathOf,
} from '../../core/batch/names.ts'
import { difference } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import { applyAttribute } from '../attributes/attributes.edit.ts'
import type { LocaleOf, Names } from '../../values/api.ts'
import type { Draft } from '../model/draft.ts'
import type { ClassificationRow, NodeRow } from '../model/model.sql.ts'

type ClassificationValue = Infer<typeof Classification>

// Classifications

export function applyClassification(draft: Draft, sent: ClassificationValue, localeOf: LocaleOf): Done {
  const tid = sent.tid === undefined ? undefined : cleanSegment('tid', sent.tid)
  const stored = draft.classification({ id: sent.id, tid })
  if (!stored && tid === undefined && sent.id !== undefined) {
    throw new Problem('notFound', `no classification has the id ${sent.id}`)
  }
  const row = stored
    ? { ...stored, name: mergeNames(stored.name, sent.name) }
    : {
        id: draft.newId(),
        tid: tid === undefined ? randomUUID() : newSegment('tid', sent.tid),
        name: mergeNames({}, sent.name),
      }
  draft.demand(stored ? 'update' : 'create', 'classification', `/${row.tid}`)
  draft.putClassification(row)
  const root = putRoot(draft, stored, row)
  const changes = difference(stored ? { name: stored.name } : {}, { ...(!stored && { tid: row.tid }), name: row.name })
  if (!stored || Object.keys(changes).length > 0) {
    draft.record({ dataType: 'classification', id: row.id, event: stored ? 'UPDATE' : 'CREATE', changes })
  }
  if (sent.node) {
    const { id: _id, path: _path, ...node } = sent.node
    applyNode(draft, { ...node, ...(root && { id: root.id }), classificationTid: row.tid }, localeOf)
  }
  return { action: stored ? 'update' : 'create', id: row.id, tid: row.tid }
}

/** Creates the root of a new classification. A renamed classification renames its root, if both had the same names. */
function putRoot(draft: Draft, before: ClassificationRow | undefined, row: ClassificationRow): NodeRow | undefined {
  const root = before && draft.rootOf(row.id)
  if (!before) return createNode(draft, row.id, undefined, row.tid, row.name)
  if (root && isSame(root.name, before.name) && !isSame(before.name, row.name)) {
    return changeNode(draft, root, { ...root, name: row.name })
  }
  return root
}

// Nodes

/** Applies a node with its attributes and child nodes. `within`: the enclosing node of a nested message, if any. */
export function applyNode(draft: Draft, sent: Node, localeOf: LocaleOf, within?: NodeRow): Done {
  const target = within ? childOf(draft, within, sent) : targetOf(draft, sent)
  const parent = within ?? parentOf(draft, sent)
  const row = target ? update(draft, target, parent, sent) : create(draft, parent, sent)
  for (const attribute of sent.attr ?? []) applyAttribute(draft, attribute, localeOf, row)
  for (const child of sent.node ?? []) applyNode(draft, child, localeOf, draft.node(row.id))
  return { action: target ? 'update' : 'create', id: row.id, tid: row.tid, path: row.path }
}

/** The largest number of objects that an item can create, itself included. */
export const countObjects = (sent: Node): number =>
  1 + (sent.attr?.length ?? 0) + (sent.node ?? []).reduce((sum, child) => sum + countObjects(child), 0)

function targetOf(draft: Draft, sent: Node): NodeRow | undefined {
  const { id, path, parentId, parentPath, classificationTid } = sent
  const address = id ?? (path === undefined ? undefined : cleanPath(path))
  if (address !== undefined) {
    const node = draft.node(address)
    if (node) return node
    const named = id === undefined ? `path ${path}` : `id ${id}`
    throw new Problem('notFound', `no node has the ${named}; to create one, send parentPath or parentId and tid`)
  }
  if (classificationTid === undefined || parentId !== undefined || parentPath !== undefined) return undefined
  return draft.rootOf(demandClassification(draft, classificationTid).id)
}

/** Finds a nested node by its own id or path, else the child with its tid. */
function childOf(draft: Draft, within: NodeRow, sent: Node): NodeRow | undefined {
  if (sent.id !== undefined || sent.path !== undefined) return targetOf(draft, sent)
  return draft.node(`${within.path}/${cleanSegment('tid', sent.tid)}`)
}

function parentOf(draft: Draft, { parentId, parentPath }: Node): NodeRow | undefined {
  const address = parentId ?? (parentPath === undefined ? undefined : cleanPath(parentPath))
  if (address === undefined) return undefined
  const parent = draft.node(address)
  if (parent) return parent
  throw new Problem(
    'notFound',
    `no parent node has the ${parentId === undefined ? `path ${parentPath}` : `id ${parentId}`}`,
  )
}

function demandClassification(draft: Draft, tid: string): ClassificationRow {
  const classification = draft.classification({ tid: cleanName('classificationTid', tid) })
  if (classification) return classification
  throw new Problem('notFound', `no classification has the tid ${tid}; create it first`)
}

function create(draft: Draft, parent: NodeRow | undefined, sent: Node): NodeRow {
  if (parent) {
    const tid = newSegment('tid', sent.tid)
    refuseTaken(draft, `${parent.path}/${tid}`)
    return createNode(draft, parent.classificationId, parent, tid, mergeNames({}, sent.name))
  }
  if (sent.classificationTid === undefined) {
    throw new Problem(
      'invalid',
      'no address; send parentPath or parentId to create a node, classificationTid for a root, path or id to change one',
    )
  }
  const classification = demandClassification(draft, sent.classificationTid)
  checkRootTid(classification.tid, sent)
  const names = sent.name ? mergeNames({}, sent.name) : classification.name
  return createNode(draft, classification.id, undefined, classification.tid, names)
}

function createNode(
  draft: Draft,
  classificationId: number,
  parent: NodeRow | undefined,
  tid: string,
  name: Names,
): NodeRow {
  const row: NodeRow = {
    id: draft.newId(),
    classificationId,
    parentId: parent?.id ?? null,
    tid,
    name,
    path: `${parent?.path ?? ''}/${tid}`,
    position: parent ? draft.lastPosition(parent.id) : 0,
  }
  draft.demand('create', 'node', row.path)
  draft.putNode(row)
  draft.record({ dataType: 'node', id: row.id, event: 'CREATE', changes: { path: row.path, name } })
  return row
}

function update(draft: Draft, target: NodeRow, parent: NodeRow | undefined, sent: Node): NodeRow {
  const name = mergeNames(target.name, sent.name)
  if (target.parentId === null) {
    checkRootTid(target.tid, sent)
    if (parent) throw new Problem('invalid', because('rootFixed', { path: target.path }))
    refuseOtherName(draft, target, name)
    return changeNode(draft, target, { ...target, name })
  }
  const tid = newSegment('tid', sent.tid, target.tid)
  if (parent && isWithin(parent.path, target.path)) {
    throw new Problem('invalid', because('nodeBelowItself', { path: target.path }))
  }
  const path = `${parent?.path ?? parentPathOf(target.path)}/${tid}`
  refuseTaken(draft, path, target)
  const isMove = parent !== undefined && parent.id !== target.parentId
  return changeNode(draft, target, {
    ...target,
    ...(isMove && {
      parentId: parent.id,
      classificationId: parent.classificationId,
      position: draft.lastPosition(parent.id),
    }),
    tid,
    name,
    path,
  })
}

function changeNode(draft: Draft, before: NodeRow, row: NodeRow): NodeRow {
  const changes = difference({ path: before.path, name: before.name }, { path: row.path, name: row.name })
  if (Object.keys(changes).length === 0) return before
  for (const path of new Set([before.path, row.path])) draft.demand('update', 'node', path)
  draft.putNode(row)
  const action = before.parentId === row.parentId ? undefined : 'move'
  draft.record({ dataType: 'node', id: row.id, event: 'UPDATE', ...(action && { action }), changes })
  return row
}

function refuseTaken(draft: Draft, path: string, but?: NodeRow): void {
  const holder = draft.node(path)
  if (!holder || holder.id === but?.id) return
  throw new Problem('exists', because('nodeTaken', { path, id: holder.id }))
}

function checkRootTid(tid: string, sent: Node): void {
  if (sent.tid === undefined || sent.tid.normalize('NFC').trim() === tid) return
  throw new Problem('invalid', `the root node of the classification ${tid} has the same tid; send ${tid} or no tid`)
}

/** The root of a classification that the same batch creates must have the same names. */
function refuseOtherName(draft: Draft, root: NodeRow, name: Names): void {
  const isNew = draft.model.classificationById(root.classificationId) === undefined
  if (!isNew || isSame(name, draft.classification({ id: root.classificationId })!.name)) return
  throw new Problem(
    'invalid',
    `the root node of the new classification ${root.tid} has the same name; send that name or no name`,
  )
}

const isSame = (a: Names, b: Names) => {
  const text = (names: Names) => JSON.stringify(Object.entries(names).sort())
  return text(a) === text(b)
}

/** Merges names by locale; a name without text is removed. */
export function mergeNames(stored: Names, sent: Node['name']): Names {
  const names = { ...stored }
  for (const { loc, value } of sent?.itm ?? []) {
    const key = loc === undefined ? '' : checkLocale('name', loc)
    if (value === undefined) delete names[key]
    else names[key] = newName(loc === undefined ? 'the name' : `the name in ${loc}`, value, stored[key])
  }
  return names
}
