/**
 * Edits the keyword tree, a whole batch at a time.
 *
 * Edits are applied one after the other to a view of the tree in memory and then written as sets: a batch of any size
 * costs the same few statements. The view holds the keywords that the batch names and those it could collide with. An
 * edit that names a path which an earlier edit of the batch has moved needs a fresh view, so pending edits are written
 * first.
 */
import { because, type Infer, type Keyword, type Long } from '@kontor/contract'
import { rightsAt } from '../../core/access/permissions.ts'
import { type Done, orProblem, type Outcome, soundOf } from '../../core/batch/batch.ts'
import type { Change, Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import {
  checkLevels,
  checkNewName,
  cleanPath,
  isWithin,
  maxLevels,
  parentPathOf,
  pathAndAbove,
} from '../../core/batch/names.ts'
import { allowsAt } from '../../core/access/permissions.ts'
import { difference } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import { mergeMeta, stampKeys } from '../meta.ts'
import { demandLocales, demandRight } from './keywords.access.ts'
import * as rows from './keywords.sql.ts'

type KeywordValue = Infer<typeof Keyword>

/** The address of a keyword: its id or its path; the root of the tree is the path ''. */
export type Address = { readonly id: Long } | { readonly path: string }

export interface Edit {
  /** The keyword to change; absent to create one. */
  readonly target?: Address | undefined
  readonly parent?: Address | undefined
  readonly name?: string
  /** Localized names; an empty text removes one. */
  readonly names?: Readonly<Record<string, string>>
  readonly meta?: KeywordValue['meta'] | undefined
  readonly action: 'create' | 'update' | 'move'
}

interface View {
  readonly byId: Map<Long, rows.KeywordRow>
  readonly byPath: Map<string, rows.KeywordRow>
  readonly created: rows.KeywordRow[]
  /** Changed keywords with the path they had when the view was loaded. */
  readonly changed: Map<rows.KeywordRow, string>
  /** Paths whose meaning has changed since the view was loaded. */
  readonly movedPaths: Set<string>
}

export async function applyEdits(ctx: Context, edits: readonly (Edit | Problem)[]): Promise<Outcome[]> {
  await rows.lockTree(ctx.db)
  return settleEdits(ctx, edits)
}

/**
 * Keywords below a moved keyword move with it, and only the database knows how long their paths become. When it
 * refuses, the edits are halved until the failing one is found.
 */
async function settleEdits(ctx: Context, edits: readonly (Edit | Problem)[]): Promise<Outcome[]> {
  if (!soundOf(edits).some(mayMove)) return playEdits(ctx, edits)
  const changes: Change[] = []
  const record = (change: Change) => changes.push(change)
  try {
    const outcomes = await ctx.db.transaction((db) => playEdits({ ...ctx, db, record }, edits))
    changes.forEach(ctx.record)
    return outcomes
  } catch (error) {
    const { constraint = '' } = error as { constraint?: string }
    if (!/^keyword_path_(length|levels)$/.test(constraint)) throw error
    if (edits.length === 1) return [tooLong('a path below the keyword')]
    const half = edits.length >> 1
    return [...(await settleEdits(ctx, edits.slice(0, half))), ...(await settleEdits(ctx, edits.slice(half)))]
  }
}

const mayMove = ({ target, name, parent }: Edit) => target && (name ?? parent) !== undefined

async function playEdits(ctx: Context, edits: readonly (Edit | Problem)[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (outcomes.length < edits.length) {
    const pending = edits.slice(outcomes.length)
    const view = await loadView(ctx, pending)
    const ids = await newIds(ctx.db, pending.filter((edit) => !(edit instanceof Problem) && !edit.target).length)
    for (const edit of pending) {
      if (!(edit instanceof Problem) && addressesOf(edit).some((address) => isStale(view, address))) break
      outcomes.push(edit instanceof Problem ? edit : orProblem(() => apply(ctx, view, edit, ids))(edit))
    }
    await writeView(ctx, view)
  }
  return outcomes
}

const addressesOf = ({ target, parent }: Edit) => [target, parent].filter((address) => address !== undefined)
const isStale = ({ movedPaths }: View, address: Address) =>
  'path' in address && movedPaths.size > 0 && [...pathAndAbove(address.path)].some((path) => movedPaths.has(path))

async function loadView(ctx: Context, edits: readonly (Edit | Problem)[]): Promise<View> {
  const view: View = { byId: new Map(), byPath: new Map(), created: [], changed: new Map(), movedPaths: new Set() }
  const add = (row: rows.KeywordRow) => {
    if (!view.byId.has(row.id)) place(view, row)
  }
  const sound = soundOf(edits)
  for (const row of await named(ctx, sound.flatMap(addressesOf))) add(row)
  const collisions = sound.flatMap((edit) => {
    const target = edit.target && find(view, edit.target)
    const parent = edit.parent && find(view, edit.parent)
    const parentPath = parent?.path ?? (edit.parent ? rootPath(edit.parent) : target ? parentPathOf(target.path) : '')
    const name = edit.name ?? target?.name
    return parentPath === undefined || name === undefined ? [] : [`${parentPath}/${name}`]
  })
  for (const row of await rows.findKeywords(ctx.db, [], collisions)) add(row)
  return view
}

const rootPath = (address: Address) => ('path' in address && address.path === '' ? '' : undefined)

function place(view: View, row: rows.KeywordRow): void {
  view.byId.set(row.id, row)
  view.byPath.set(row.path, row)
}

function find(view: View, address: Address): rows.KeywordRow | undefined {
  return 'id' in address ? view.byId.get(address.id) : view.byPath.get(address.path)
}

/**
 * The view contains every keyword that could collide, readable or not. A caller cannot find a keyword by name that they
 * may not read.
 */
function demand({ caller }: Context, view: View, address: Address, what: string): rows.KeywordRow {
  const row = find(view, address)
  if (row && allowsAt(caller.permissions, 'read', 'keyword', row.path)) return row
  throw notFound(what, address)
}

function apply(ctx: Context, view: View, edit: Edit, ids: number[]): Done {
  const target = edit.target && demand(ctx, view, edit.target, 'keyword')
  const isRoot = edit.parent ? rootPath(edit.parent) === '' : target ? target.parentId === null : true
  const parent = isRoot ? undefined : edit.parent ? demand(ctx, view, edit.parent, 'parent keyword') : undefined
  const parentId = isRoot ? null : (parent?.id ?? target!.parentId)
  const parentPath = isRoot ? '' : (parent?.path ?? parentPathOf(target!.path))
  const name = edit.name ?? target!.name
  const path = `${parentPath}/${name}`
  if (target) demandRight(ctx, 'update', target.path)
  demandRight(ctx, target ? 'update' : 'create', path)
  demandLocales(ctx, path, Object.keys(edit.names ?? {}))
  const holder = view.byPath.get(path)
  if (holder && holder !== target) throw new Problem('exists', because('keywordTaken', { path, id: holder.id }))
  if (target && isWithin(parentPath, target.path)) {
    throw new Problem('invalid', because('keywordBelowItself', { path: target.path }))
  }
  checkLength(path)
  if (path !== target?.path) checkLevels(path)
  checkNames(edit, target)
  const names = mergeNames(target?.names ?? {}, edit.names)
  const rights = () => rightsAt(ctx.caller.permissions, 'keyword', [path])
  const meta = edit.meta ? mergeMeta(target?.meta ?? [], edit.meta, systemKeys, rights()) : (target?.meta ?? [])
  return target
    ? change(ctx, view, target, { parentId, name, path, names, meta }, edit.action)
    : create(ctx, view, { id: ids.shift()!, parentId, name, path, names, meta })
}

const systemKeys: ReadonlySet<string> = new Set([...stampKeys, 'orderNumber'])

/** The part of a keyword that the history keeps. */
const factsOf = ({ path, names, meta }: Omit<rows.KeywordRow, 'id'>) => ({ path, names, meta })

function create(ctx: Context, view: View, row: rows.KeywordRow): Done {
  place(view, row)
  view.created.push(row)
  ctx.record({ dataType: 'keyword', id: row.id, event: 'CREATE', changes: factsOf(row) })
  return { action: 'create', id: row.id, path: row.path }
}

function change(
  ctx: Context,
  view: View,
  row: rows.KeywordRow,
  next: Omit<rows.KeywordRow, 'id'>,
  action: string,
): Done {
  const changes = difference(factsOf(row), factsOf(next))
  if (Object.keys(changes).length > 0) {
    if (!view.changed.has(row) && !view.created.includes(row)) view.changed.set(row, row.path)
    if (next.path !== row.path) rename(view, row.path, next.path)
    Object.assign(row, next)
    ctx.record({ dataType: 'keyword', id: row.id, event: 'UPDATE', action, changes })
  }
  return { action, id: row.id, path: row.path }
}

/** Moves everything in the view at or below the old path. */
function rename(view: View, oldPath: string, newPath: string): void {
  view.movedPaths.add(oldPath).add(newPath)
  const moving = [...view.byPath.values()].filter((row) => isWithin(row.path, oldPath))
  for (const row of moving) view.byPath.delete(row.path)
  for (const row of moving) {
    row.path = newPath + row.path.slice(oldPath.length)
    view.byPath.set(row.path, row)
  }
}

/** The names that the edit changes. */
function checkNames({ name, names = {} }: Edit, target: rows.KeywordRow | undefined): void {
  if (name !== undefined && name !== target?.name) checkNewName('the technical name', name)
  for (const [loc, text] of Object.entries(names))
    if (text !== '' && text !== target?.names[loc]) checkNewName(`the name in ${loc}`, text)
}

function mergeNames(stored: Readonly<Record<string, string>>, sent: Edit['names'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...stored, ...sent }).filter(([, value]) => value !== ''))
}

async function writeView({ db, caller }: Context, { changed, created }: View): Promise<void> {
  const changes = [...changed].map(([row, oldPath]) => ({ ...row, oldPath }))
  if (changes.length > 0) await rows.updateKeywords(db, changes, caller.userName)
  if (created.length > 0) await rows.insertKeywords(db, created, caller.userName)
}

/** An index holds the paths, and its entries have a maximum length. */
const maxPathBytes = 2000
export function checkLength(path: string): void {
  if (Buffer.byteLength(path) > maxPathBytes) throw tooLong(`the path ${path.slice(0, 100)}…`)
}
const tooLong = (what: string) =>
  new Problem('invalid', `${what} would have more than ${maxPathBytes} bytes or ${maxLevels} levels`)

/** Finds subtrees among loaded rows; parents come before children. */
export function subtreesIn(loaded: readonly rows.KeywordRow[]) {
  const childrenOf = Map.groupBy(loaded, ({ parentId }) => parentId)
  return (top: rows.KeywordRow): rows.KeywordRow[] => {
    const tree = [top]
    for (const row of tree) for (const child of childrenOf.get(row.id) ?? []) tree.push(child)
    return tree
  }
}

// Addresses

export const toAddress = (id: Long | undefined, path: string | undefined): Address | undefined =>
  id !== undefined ? { id } : path !== undefined ? { path: cleanPath(path) } : undefined

export const sameAs = (address: Address) => (row: rows.KeywordRow) =>
  'id' in address ? row.id === address.id : row.path === address.path

/** The keywords at the addresses, with one statement. A keyword that the caller may not read counts as missing. */
export const named = ({ db, caller }: Context, addresses: readonly Address[]) =>
  rows.findKeywords(
    db,
    addresses.flatMap((address) => ('id' in address ? [address.id] : [])),
    addresses.flatMap((address) => ('path' in address ? [address.path] : [])),
    rows.readable(caller),
  )

export const notFound = (what: string, address: Address) =>
  new Problem('notFound', `no ${what} has the ${'id' in address ? `id ${address.id}` : `path ${address.path || '/'}`}`)
