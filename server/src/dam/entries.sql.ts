/** SQL statements for both directories and assets: finding them, names in use, and locks of storages. */
import type { Long } from '@kontor/contract'
import { columns, type Row } from '../adapters/postgres/columns.ts'
import type { Db } from '../adapters/postgres/db.ts'
import { join, nothing, type Sql, sql } from '../adapters/postgres/sql.ts'
import type { StoredValues } from '../values/api.ts'
import { keyOf, splitPath } from './names.ts'

export type Kind = 'dir' | 'asset'

/** `type` is the type of the file; directories have none. */
// prettier-ignore
const entry = columns('dam_entry', 'id', 'kind', 'tid', 'rnc_id', 'parent_id', 'name', 'type', 'locked_by', 'meta', 'vals')

export interface EntryRow extends Row<typeof entry> {
  kind: Kind
  rnc: string
  /** The tid of the directory that contains it. */
  parent: string | null
  /** The path of the directory that contains it, or of the storage. */
  dirPath: string
  /** The path of the entry itself. */
  path: string
  meta: { key?: string; value?: string; loc?: string }[]
  vals: StoredValues
}

/** The entry `e` joined with its storage `r` and its directory `d`. */
export const inPlace = sql`dam_entry e join rnc r on r.id = e.rnc_id left join dam_entry d on d.id = e.parent_id`
export const dirPath = sql`coalesce(d.path, '/' || r.tid)`
export const entryColumns = sql`
  ${entry.select('e')}, r.tid as rnc, d.tid as parent, ${dirPath} as "dirPath", ${dirPath} || '/' || e.name as path`

export interface Names {
  readonly tids: readonly string[]
  readonly ids: readonly Long[]
  readonly paths: readonly string[]
}
export type RowLock = 'none' | 'share' | 'update'
const locks: Record<RowLock, Sql> = { none: nothing, share: sql`for share of e`, update: sql`for update of e` }

/** Entries by tid, id or path, limited by the condition `visible`. */
export const findEntries = (db: Db, kind: Kind, names: Names, visible: Sql, lock: RowLock) =>
  db.rows<EntryRow>(sql`
    select ${entryColumns} from ${inPlace}
    where e.id = any(array(${idsOf(kind, names)})) and e.deleted_at is null and ${visible}
    order by e.id ${locks[lock]}`)

/** One branch for each kind of name that is used, each with its own index, whatever the planner estimates. */
export function idsOf(kind: Kind, { tids, ids, paths }: Names): Sql {
  const split = paths.map(splitPath)
  const branches = [
    tids.length > 0 &&
      sql`select id from dam_entry where kind = ${kind} and deleted_at is null and tid = any(${tids}::text[])`,
    ids.length > 0 && sql`select id from dam_entry where kind = ${kind} and id = any(${ids}::bigint[])`,
    paths.length > 0 &&
      sql`
      select c.id from unnest(${split.map(({ parent }) => parent)}::text[], ${split.map(({ name }) => name)}::text[])
        as wanted (parent, name)
      left join lateral (select id from dam_entry where path_key is not null and deleted_at is null
        and path_key collate "C" = wanted.parent limit 1) p on true
      left join lateral (select id from rnc where '/' || lower(tid) = wanted.parent limit 1) top on true
      cross join lateral (select id from dam_entry where coalesce(parent_id, rnc_id) = coalesce(p.id, top.id)
        and name_key = wanted.name and deleted_at is null and kind = ${kind} limit 1) c`,
  ].filter((branch) => branch !== false)
  return branches.length === 0 ? sql`select null::bigint` : join(branches, ' union all ')
}

/** A name in a directory, or at the top of a storage. */
export interface NameSlot {
  /** The id of the directory or of the storage. */
  readonly containerId: number
  readonly nameKey: string
}

/** The entries that have these names, directories or assets. */
export const findHolders = (db: Db, slots: readonly NameSlot[]) =>
  db.rows<EntryRow>(sql`
    select ${entryColumns}
    from unnest(${slots.map(({ containerId }) => containerId)}::bigint[], ${slots.map(({ nameKey }) => nameKey)}::text[])
      as held (container_id, name_key)
    cross join lateral (select id from dam_entry where coalesce(parent_id, rnc_id) = held.container_id
      and name_key = held.name_key and deleted_at is null limit 1) holder
    join ${inPlace} on e.id = holder.id`)

/** The new location of an entry. */
interface EntryLocation {
  readonly id: number
  readonly rncId: number
  readonly parentId: number | null
  readonly name: string
}

/** Renames entries to impossible names first, so that two entries can swap names. */
export const parkNames = (db: Db, ids: readonly number[]) =>
  db.run(sql`update dam_entry set name_key = '/' || id where id = any(${ids}::bigint[])`)

export const writeLocations = (db: Db, entries: readonly EntryLocation[], userName: string) =>
  db.run(sql`
    update dam_entry e set rnc_id = n."rncId", parent_id = n."parentId", name = n.name, name_key = n."nameKey",
      modified_at = now(), modified_by = ${userName}
    from jsonb_to_recordset(${JSON.stringify(entries.map((entry) => ({ ...entry, nameKey: keyOf(entry.name) })))}::jsonb)
      as n (id bigint, "rncId" bigint, "parentId" bigint, name text, "nameKey" text)
    where e.id = n.id`)

// Storages

export interface Storage {
  readonly id: number
  readonly tid: string
}
export const findStorages = (db: Db) => db.rows<Storage>(sql`select id, tid from rnc order by id`)

/**
 * Only one transaction at a time changes the directories of a storage. This keeps paths consistent and prevents cycles.
 */
export const lockStorages = (db: Db, ids: readonly number[]) =>
  db.lock(sql`
    select pg_advisory_xact_lock(hashtextextended('rnc', s.id))
    from (select id from rnc where id = any(${ids}::bigint[]) order by id offset 0) s`)

/**
 * Call this before statements on whole trees. They may contain hundreds of thousands of assets, so the statement
 * timeout is raised until the transaction ends.
 */
export const allowLongStatements = (db: Db) => db.run(sql`select set_config('statement_timeout', '300s', true)`)
