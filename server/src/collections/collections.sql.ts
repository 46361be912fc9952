/** Every statement about collections. */
import type { Long, Search } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { type Sql, sql } from '../adapters/postgres/sql.ts'
import { inPlace, pathOf } from '../dam/api.ts'

export interface CollectionRow {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly userName: string
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly search: Search | null
  readonly searchId: number | null
  readonly modifiedAt: Date
  readonly modifiedBy: string
}
const columns = sql`id, name, description, user_name as "userName", users, roles, search, search_id as "searchId",
  modified_at as "modifiedAt", modified_by as "modifiedBy"`

interface Reader {
  readonly userName: string
  readonly roles: ReadonlySet<string>
}
/** The collections that a user may see: own and shared ones; all for administrators. */
const visibleTo = ({ userName, roles }: Reader): Sql =>
  roles.has('admin')
    ? sql`true`
    : sql`(user_name = ${userName} or ${userName} = any(users) or roles && ${[...roles]}::text[])`

/** The position of a list is name and id, because names are not unique. */
export const listCollections = (db: Db, reader: Reader, after: { name: string; id: number }, count: number) =>
  db.rows<CollectionRow>(sql`
    select ${columns} from collection
    where ${visibleTo(reader)} and (lower(name), id) > (${after.name}, ${after.id}::bigint)
    order by lower(name), id limit ${count + 1}`)

export const findCollection = (db: Db, reader: Reader, id: number) =>
  db.row<CollectionRow>(sql`select ${columns} from collection where id = ${id} and ${visibleTo(reader)}`)
export const lockCollection = (db: Db, reader: Reader, id: number) =>
  db.row<CollectionRow>(sql`select ${columns} from collection where id = ${id} and ${visibleTo(reader)} for update`)

type NewCollection = Omit<CollectionRow, 'modifiedAt'>
export const upsertCollection = (db: Db, one: NewCollection) =>
  db.run(sql`
    insert into collection (id, name, description, user_name, users, roles, search, search_id, modified_by)
    values (${one.id}, ${one.name}, ${one.description}, ${one.userName}, ${one.users}::text[], ${one.roles}::text[],
      ${one.search && JSON.stringify(one.search)}::jsonb, ${one.searchId}, ${one.modifiedBy})
    on conflict (id) do update set name = excluded.name, description = excluded.description, users = excluded.users,
      roles = excluded.roles, search = excluded.search, search_id = excluded.search_id, modified_at = now(),
      modified_by = excluded.modified_by`)
export const deleteCollection = (db: Db, id: number) => db.run(sql`delete from collection where id = ${id}`)

export interface AssetRow {
  readonly id: number
  readonly tid: string
  readonly path: string
}
/** The assets of a collection by hand, in order. `visible` is a condition on them. */
export const listAssets = (db: Db, id: number, visible: Sql, only?: number) =>
  db.rows<AssetRow>(sql`
    select e.id, e.tid, ${pathOf} as path from collection_asset c join ${inPlace} on e.id = c.asset_id
    where c.collection_id = ${id} and ${only === undefined ? sql`true` : sql`c.asset_id = ${only}`}
      and e.deleted_at is null and ${visible} order by c.pos, e.id`)

export const countAssets = async (db: Db, ids: readonly number[], visible: Sql) =>
  new Map(
    (
      await db.rows<{ id: number; count: number }>(sql`
        select c.collection_id as id, count(*)::int as count
        from collection_asset c join ${inPlace} on e.id = c.asset_id
        where c.collection_id = any(${ids}::bigint[]) and e.deleted_at is null and ${visible} group by 1`)
    ).map(({ id, count }) => [id, count]),
  )

/** Every asset in order, also those that the caller may not read or that are in the trash. */
export const listIds = async (db: Db, id: number) =>
  (
    await db.rows<{ id: number }>(
      sql`select asset_id as id from collection_asset where collection_id = ${id} order by pos, asset_id`,
    )
  ).map((row) => row.id)

/** Replaces the assets and their order. */
export async function writeIds(db: Db, id: number, ids: readonly number[], userName: string): Promise<void> {
  await db.run(sql`
    delete from collection_asset where collection_id = ${id} and asset_id <> all(${ids}::bigint[])`)
  await db.run(sql`
    insert into collection_asset (collection_id, asset_id, pos)
    select ${id}::bigint, n.id, n.pos from unnest(${ids}::bigint[]) with ordinality as n (id, pos)
    on conflict (collection_id, asset_id) do update set pos = excluded.pos where collection_asset.pos <> excluded.pos`)
  await db.run(sql`update collection set modified_at = now(), modified_by = ${userName} where id = ${id}`)
}

/** For events: a collection concerns those who may see it. */
export const describeCollections = async (db: Db, ids: readonly Long[]) =>
  (
    await db.rows<CollectionRow>(sql`select ${columns} from collection where id = any(${ids.map(Number)}::bigint[])`)
  ).map((row) => ({ id: row.id, ...shownCollection(row) }))

export const shownCollection = ({ name, userName, users, roles }: NewCollection) => ({
  tid: name,
  path: name,
  audience: { users: [...new Set([userName, ...users])], roles: [...roles] },
})
