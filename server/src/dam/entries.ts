/** How callers identify directories and assets, and how they are found: by tid, else by id, else by path. */
import { because, type Long } from '@kontor/contract'
import { sql } from '../adapters/postgres/sql.ts'
import type { Context } from '../core/context.ts'
import type { ActionValue } from '../core/batch/handlers.ts'
import { cleanPath } from '../core/batch/names.ts'
import { type Action, allowsAt, type Rights, rightsAt, within } from '../core/access/permissions.ts'
import { metaOf } from '../core/batch/settle.ts'
import { Problem } from '../errors.ts'
import {
  dirPath,
  type EntryRow,
  findEntries,
  type Kind,
  type Names,
  type NameSlot,
  type RowLock,
} from './entries.sql.ts'
import { keyOf } from './names.ts'

/** One way to identify an entry. */
export type Address = { readonly tid: string } | { readonly id: Long } | { readonly path: string }

export interface Named {
  readonly tid?: string | undefined
  readonly id?: Long | undefined
  readonly path?: string | undefined
}

export function addressOf({ tid, id, path }: Named): Address | undefined {
  if (tid !== undefined) return { tid }
  if (id !== undefined) return { id }
  return path === undefined ? undefined : { path: cleanPath(path) }
}

/** `tid x`, `id 7`, `path /MAM/a.jpg`: for error messages. */
const describeAddress = (address: Address) =>
  'tid' in address ? `tid ${address.tid}` : 'id' in address ? `id ${address.id}` : `path ${address.path || '/'}`
const addressKey = (address: Address) => ('path' in address ? `path ${keyOf(address.path)}` : describeAddress(address))

export const notFound = (what: string, address: Address) =>
  new Problem('notFound', `no ${what} has the ${describeAddress(address)}`)

export function namesOf(addresses: readonly Address[]): Names {
  return {
    tids: addresses.flatMap((address) => ('tid' in address ? [address.tid] : [])),
    ids: addresses.flatMap((address) => ('id' in address ? [address.id] : [])),
    paths: addresses.flatMap((address) => ('path' in address ? [address.path] : [])),
  }
}

/** Indexes rows by tid, id and path. */
export function indexOf<R extends Pick<EntryRow, 'id' | 'tid' | 'path'>>(rows: readonly R[]) {
  const index = new Map<string, R>()
  for (const row of rows) {
    for (const address of [{ tid: row.tid }, { id: row.id }, { path: row.path }]) index.set(addressKey(address), row)
  }
  return (address: Address): R | undefined => index.get(addressKey(address))
}

/** The SQL condition for entries that the caller may see. Other entries are treated as missing. */
export const visible = ({ caller }: Context, kind: Kind) =>
  within(caller.permissions, 'read', kind, kind === 'dir' ? sql`e.path` : dirPath)

/** Finds the entries that a batch names, with one statement. */
export async function findNamed(ctx: Context, kind: Kind, addresses: readonly Address[], lock: RowLock = 'none') {
  if (addresses.length === 0) return () => undefined
  return indexOf(await findEntries(ctx.db, kind, namesOf(addresses), visible(ctx, kind), lock))
}

export const isReadable = ({ caller }: Context, kind: Kind, path: string) =>
  allowsAt(caller.permissions, 'read', kind, path)

/** Throws unless the caller may perform the action at a path. */
export function demand({ caller }: Context, action: Action, kind: Kind, path: string): void {
  if (allowsAt(caller.permissions, action, kind, path)) return
  throw new Problem('forbidden', because('mayNotEntry', { action, kind, path }))
}

/** The caller's attribute rights, by the path of the directory (for assets, of their directory). */
export function rightsOf({ caller }: Context, kind: Kind): (path: string) => Rights {
  const known = new Map<string, Rights>()
  return (path) => {
    const rights = known.get(path) ?? rightsAt(caller.permissions, kind, [path])
    known.set(path, rights)
    return rights
  }
}

/** Throws if another user has checked out the asset. */
export function demandUnlocked({ caller }: Context, { path, lockedBy }: EntryRow): void {
  if (lockedBy === null || lockedBy === caller.userName) return
  throw new Problem('locked', because('checkedOut', { path, user: lockedBy }))
}

export const containerOf = ({ parentId, rncId }: Pick<EntryRow, 'parentId' | 'rncId'>) => parentId ?? rncId
export const slotKey = ({ containerId, nameKey }: NameSlot) => `${containerId} ${nameKey}`
export const slotOf = (row: Pick<EntryRow, 'parentId' | 'rncId' | 'name'>) =>
  slotKey({ containerId: containerOf(row), nameKey: keyOf(row.name) })

// Parameters of actions

export function flagOf(action: ActionValue, ...keys: readonly string[]): boolean {
  const meta = metaOf(action)
  const value = keys.map((key) => meta.get(key)).find((text) => text !== undefined)
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new Problem('invalid', `meta ${keys[0]}: ${value} is not true or false`)
}

/** True if an existing entry of the same name is replaced. */
export const overwriteOf = (action: ActionValue) => flagOf(action, 'doOverwrite', 'overwrite')

/** The destination of an action: a directory or, by its path or tid, the top of a storage. */
export type Destination = Address | { readonly rncTid: string }

export function destinationOf(action: ActionValue): Destination | undefined {
  const meta = metaOf(action)
  const id = meta.get('destinationDirId')
  if (id !== undefined && !/^\d{1,15}$/.test(id))
    throw new Problem('invalid', `meta destinationDirId: ${id} is not an id`)
  const rncTid = meta.get('destinationRncTid')
  const address = addressOf({
    tid: meta.get('destinationDirTid'),
    id: id === undefined ? undefined : Number(id),
    path: meta.get('destinationDirPath'),
  })
  return address ?? (rncTid === undefined ? undefined : { rncTid })
}

export function demandDestination(action: ActionValue): Destination {
  const destination = destinationOf(action)
  if (destination) return destination
  throw new Problem(
    'invalid',
    `${action.type} needs meta destinationDirTid, destinationDirId or destinationDirPath, or for a directory destinationRncTid`,
  )
}
