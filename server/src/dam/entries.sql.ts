/** Statements about directories and assets alike: finding them, the names they hold, and the locks of storages. */
import type { Long } from '@kontor/contract'
import { columns, type Row } from '../adapters/postgres/columns.ts'
import type { Db } from '../adapters/postgres/db.ts'
import { join, nothing, type Sql, sql } from '../adapters/postgres/sql.ts'
import type { StoredValues } from '../pim/api.ts'
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
  /** Its own path. */
  path: string
  meta: { key?: string; value?: string; loc?: string }[]
  vals: StoredValues
}

/** The entry `e` in its storage `r` and its directory `d`. */
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

/** Entries by tid, id or path, of those that `visible` lets through. */
export const findEntries = (db: Db, kind: Kind, names: Names, visible: Sql, lock: RowLock) =>
  db.rows<EntryRow>(sql`
    select ${entryColumns} from ${inPlace}
    where e.id = any(array(${idsOf(kind, names)})) and e.deleted_at is null and ${visible}
    order by e.id ${locks[lock]}`)

/** One branch per way of naming that is used, each by its own index, whatever the planner believes about the table. */
export function idsOf(kind: Kind, { tids, ids, paths }: Names): Sql {
  const places = paths.map(splitPath)
  const branches = [
    tids.length > 0 &&
      sql`select id from dam_entry where kind = ${kind} and deleted_at is null and tid = any(${tids}::text[])`,
    ids.length > 0 && sql`select id from dam_entry where kind = ${kind} and id = any(${ids}::bigint[])`,
    paths.length > 0 &&
      sql`
      select c.id from unnest(${places.map(({ parent }) => parent)}::text[], ${places.map(({ name }) => name)}::text[])
        as place (parent, name)
      left join lateral (select id from dam_entry where path_key is not null and deleted_at is null
        and path_key collate "C" = place.parent limit 1) p on true
      left join lateral (select id from rnc where '/' || lower(tid) = place.parent limit 1) top on true
      cross join lateral (select id from dam_entry where coalesce(parent_id, rnc_id) = coalesce(p.id, top.id)
        and name_key = place.name and deleted_at is null and kind = ${kind} limit 1) c`,
  ].filter((branch) => branch !== false)
  return branches.length === 0 ? sql`select null::bigint` : join(branches, ' union all ')
}

/** A name in a directory, or at the top of a storage. */
export interface Place {
  /** The id of the directory or of the storage. */
  readonly place: number
  readonly nameKey: string
}

/** What holds the names, of either kind. */
export const findHolders = (db: Db, places: readonly Place[]) =>
  db.rows<EntryRow>(sql`
    select ${entryColumns}
    from unnest(${places.map(({ place }) => place)}::bigint[], ${places.map(({ nameKey }) => nameKey)}::text[])
      as held (place, name_key)
    cross join lateral (select id from dam_entry where coalesce(parent_id, rnc_id) = held.place
      and name_key = held.name_key and deleted_at is null limit 1) holder
    join ${inPlace} on e.id = holder.id`)

/** An entry as it shall be. */
export interface Placed {
  readonly id: number
  readonly rncId: number
  readonly parentId: number | null
  readonly name: string
}

/** Two entries may exchange names: out of the way first, under names that nothing can have. */
export const parkNames = (db: Db, ids: readonly number[]) =>
  db.run(sql`update dam_entry set name_key = '/' || id where id = any(${ids}::bigint[])`)

export const placeEntries = (db: Db, entries: readonly Placed[], userName: string) =>
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

/** One writer at a time changes the directories of a storage, so that paths stay true and no two moves make a cycle. */
export const lockStorages = (db: Db, ids: readonly number[]) =>
  db.lock(sql`
    select pg_advisory_xact_lock(hashtextextended('rnc', s.id))
    from (select id from rnc where id = any(${ids}::bigint[]) order by id offset 0) s`)

/**
 * Before whole trees are touched: they may hold hundreds of thousands of assets, so that statements get more time than
 * others; and every step goes by an index, also while PostgreSQL has not counted the rows yet. Until the transaction ends.
 */
export const expectTrees = (db: Db) => db.run(sql`select set_config('statement_timeout', '300s', true)`)
