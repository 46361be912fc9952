/**
 * Edits of directories, a whole batch at a time: create, change, move, create a path.
 *
 * The edits are applied one after the other to a view in memory and then written as sets, so any batch costs the same
 * few statements. If an edit depends on directories that earlier edits moved, pending changes are written first and the
 * view is loaded again.
 */
import { randomUUID } from 'node:crypto'
import { because } from '@kontor/contract'
import { mergeMeta } from '../../common/api.ts'
import { type Done, orProblem, type Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { checkNewName, isWithin } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import { noValues, type ValMessage, valueChanges } from '../../values/api.ts'
import { loadRules, type Rules } from '../attribute-definitions/rules.ts'
import { holdDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'
import { demand, notFound, slotKey, containerOf, rightsOf } from '../entries.ts'
import { type EntryRow, allowLongStatements } from '../entries.sql.ts'
import { checkPath, keyOf } from '../names.ts'
import { insideOf, type Location } from '../locations.ts'
import * as views from './dirs.view.ts'

export interface Edit extends views.Located {
  readonly action: 'persist' | 'move' | 'createPath'
  /** True if an unknown tid creates a directory. */
  readonly creates?: boolean
  readonly force?: boolean
  readonly sent?: { readonly meta?: { itm?: EntryRow['meta'] }; readonly vals?: readonly ValMessage[] }
}

export async function applyEdits(ctx: Context, edits: readonly (Edit | Problem)[]): Promise<Outcome[]> {
  await allowLongStatements(ctx.db)
  const locked = new Set<number>()
  const outcomes: Outcome[] = []
  const needsRules = edits.some((edit) => !(edit instanceof Problem) && edit.sent?.vals)
  if (needsRules) await holdDefinitions(ctx.db)
  const rules = needsRules ? await loadRules(ctx.db) : undefined
  while (outcomes.length < edits.length) {
    const pending = edits.slice(outcomes.length)
    const view = await views.loadView(ctx, pending, locked)
    const ids = await newIds(
      ctx.db,
      pending.reduce((sum, edit) => sum + maxNew(edit), 0),
    )
    for (const edit of pending) {
      if (!(edit instanceof Problem) && needsFreshView(view, edit)) break
      outcomes.push(edit instanceof Problem ? edit : orProblem(() => apply({ ctx, view, rules, ids }, edit))(edit))
    }
    await views.writeView(ctx, view)
  }
  return outcomes
}

const maxNew = (edit: Edit | Problem) =>
  edit instanceof Problem ? 0 : (edit.segments?.length ?? (edit.creates ? 1 : 0))

function needsFreshView(view: views.View, edit: Edit): boolean {
  const named = [...views.addressesOf(view.storages, edit), ...views.stepsOf(view.storages, edit)]
  if (named.some((address) => views.isStale(view, address))) return true
  const row = edit.overwrite && edit.target ? views.find(view, edit.target) : undefined
  const location = row && edit.destination && views.findLocation(view, edit.destination)
  if (!row || !location || location instanceof Problem) return false
  const holder = view.holders.get(slotKey({ containerId: containerOf(location), nameKey: keyOf(row.name) }))
  return holder !== undefined && holder.id !== row.id && views.isTouched(view, holder.path)
}

interface BatchState {
  readonly ctx: Context
  readonly view: views.View
  readonly rules: Rules | undefined
  readonly ids: number[]
}

function apply(state: BatchState, edit: Edit): Done {
  const { view } = state
  const location = edit.destination && views.findLocation(view, edit.destination)
  if (location instanceof Problem) throw location
  if (edit.segments) return createPath(state, location!, edit.segments)
  const row = edit.target && views.find(view, edit.target)
  if (row) return change(state, row, edit, location)
  if (edit.target && !edit.creates) throw notFound('directory', edit.target)
  return create(state, edit, location)
}

function create(state: BatchState, edit: Edit, location: Location | undefined): Done {
  const tid = edit.target && 'tid' in edit.target ? edit.target.tid : undefined
  if (edit.name === undefined) {
    if (tid !== undefined) throw notFound('directory', { tid })
    throw new Problem('invalid', 'name is missing')
  }
  if (!location)
    throw new Problem('invalid', 'a new directory needs a location: send parent (a directory) or rnc (a storage)')
  if (tid !== undefined && state.view.hiddenTids.has(tid))
    throw new Problem('exists', `a directory with the tid ${tid} exists already`)
  checkPath(`${location.path}/${edit.name}`)
  const row = add(
    state,
    location,
    edit.name,
    tid,
    contentOf(state, `${location.path}/${edit.name}`, emptyContent, edit),
  )
  return { action: 'create', id: row.id, tid: row.tid, path: row.path }
}

/** All checks run before anything is changed. */
function createPath(state: BatchState, top: Location, segments: readonly string[]): Done {
  checkPath(`${top.path}/${segments.join('/')}`)
  const missing = views.firstMissing(state.view, top, segments)
  if (!missing) {
    const { id, tid, path } = views.stepAt(state.view, `${top.path}/${segments.join('/')}`)!
    return { action: 'createPath', id, tid, path, description: 'all directories exist already' }
  }
  let row = add(state, missing.location, missing.name)
  for (const name of missing.rest) row = add(state, insideOf(row), name)
  return { action: 'createPath', id: row.id, tid: row.tid, path: row.path }
}

type Content = Pick<EntryRow, 'meta' | 'vals'>
const emptyContent: Content = { meta: [], vals: noValues }

function add(
  { ctx, view, ids }: BatchState,
  location: Location,
  name: string,
  tid = randomUUID().toUpperCase(),
  content = emptyContent,
): EntryRow {
  demand(ctx, 'create', 'dir', location.path)
  checkNewName('name', name)
  refuseHeld(view, location, name)
  const row: EntryRow = {
    id: ids.shift()!,
    kind: 'dir',
    tid,
    rncId: location.rncId,
    rnc: location.rnc,
    parentId: location.parentId,
    parent: location.parent,
    name,
    dirPath: location.path,
    path: `${location.path}/${name}`,
    type: null,
    lockedBy: null,
    ...content,
  }
  views.addRow(view, row)
  views.hold(view, row)
  view.created.push(row)
  ctx.record({
    dataType: 'dir',
    id: row.id,
    event: 'CREATE',
    changes: { path: row.path, ...valueChanges(noValues, row.vals) },
  })
  return row
}

function refuseHeld(view: views.View, location: Location, name: string, itself?: EntryRow): void {
  const holder = view.holders.get(slotKey({ containerId: containerOf(location), nameKey: keyOf(name) }))
  if (!holder || holder.id === itself?.id) return
  const what = holder.kind === 'dir' ? 'a directory' : 'an asset'
  throw new Problem('exists', because('entryTaken', { what, path: `${location.path}/${holder.name}`, tid: holder.tid }))
}

function change(state: BatchState, row: EntryRow, edit: Edit, sent: Location | undefined): Done {
  const { ctx, view } = state
  demand(ctx, 'update', 'dir', row.path)
  const location = newLocation(row, edit, sent)
  const name = edit.name ?? row.name
  const isMoved = containerOf(location) !== containerOf(row) || name !== row.name
  const { meta, vals } = contentOf(state, row.path, row, edit)
  const before = { path: row.path, meta: row.meta, vals: row.vals }
  if (name !== row.name) checkNewName('name', name)
  if (isMoved) move(state, row, location, name, edit)
  else if (!view.changed.has(row) && !view.created.includes(row)) view.changed.set(row, row.path)
  Object.assign(row, { meta, vals })
  const changes = {
    ...(before.path !== row.path && { path: { from: before.path, to: row.path } }),
    ...(JSON.stringify(before.meta) !== JSON.stringify(meta) && { meta: { from: before.meta, to: meta } }),
    ...valueChanges(before.vals, vals),
  }
  const action = edit.action === 'move' ? 'move' : isMoved && Object.keys(changes).length === 1 ? 'rename' : 'update'
  if (Object.keys(changes).length > 0) ctx.record({ dataType: 'dir', id: row.id, event: 'UPDATE', action, changes })
  const done = edit.action === 'move' ? 'move' : 'update'
  return { action: done, id: row.id, tid: row.tid, path: row.path }
}

/** In persist, `rnc` names the storage of a directory. It does not move the directory to the top of the storage. */
function newLocation(row: EntryRow, edit: Edit, sent: Location | undefined): Location {
  const here: Location = { ...row, path: row.dirPath }
  if (!sent) return here
  if (edit.action === 'move' || sent.parentId !== null) return sent
  if (sent.rncId === row.rncId) return here
  throw new Problem(
    'invalid',
    `the directory is in the storage ${row.rnc}; use the action move to put it into ${sent.rnc}`,
  )
}

function move(
  state: BatchState,
  row: EntryRow,
  location: Location,
  name: string,
  { overwrite, force = false }: Edit,
): void {
  const { ctx, view } = state
  if (isWithin(location.path, row.path)) throw new Problem('invalid', because('folderIntoItself', { path: row.path }))
  const lock = view.locks.get(row.id)
  if (lock) throw new Problem('locked', because('checkedOut', { path: lock.path, user: lock.lockedBy }))
  if (containerOf(location) !== containerOf(row)) demand(ctx, 'create', 'dir', location.path)
  checkPath(`${location.path}/${name}`, view.depths.get(row.id) ?? 0)
  const holder = view.holders.get(slotKey({ containerId: containerOf(location), nameKey: keyOf(name) }))
  if (overwrite && holder && holder.id !== row.id) replace(state, holder, row.path, force)
  else refuseHeld(view, location, name, row)
  if (!view.changed.has(row) && !view.created.includes(row)) view.changed.set(row, row.path)
  views.relocate(view, row, location, name)
}

/** Moves the entry of the same name to the trash, if that is allowed. */
function replace({ ctx, view }: BatchState, holder: EntryRow, by: string, force: boolean): void {
  if (isWithin(by, holder.path)) throw new Problem('invalid', `${by} cannot replace ${holder.path}, which contains it`)
  demand(ctx, 'delete', holder.kind, holder.kind === 'dir' ? holder.path : holder.dirPath)
  const refusal = view.deletions?.refusal(holder.id, force)
  if (refusal) throw refusal
  view.replaced.push(holder.id)
  if (force) view.forced.push(holder.id)
  views.forget(view, holder)
}

const systemKeys: ReadonlySet<string> = new Set([
  'creationDate',
  'creationUser',
  'modificationDate',
  'modificationUser',
  'id',
  'path',
])

function contentOf({ ctx, rules }: BatchState, path: string, row: Content, { sent }: Edit): Content {
  const rights = rightsOf(ctx, 'dir')
  return {
    meta: sent?.meta ? mergeMeta(row.meta, sent.meta, systemKeys, rights(path)) : row.meta,
    vals: sent?.vals && rules ? rules.merge('DIR', row.vals, sent.vals, rights(path)) : row.vals,
  }
}
