/** SQL statements that read assets as search documents. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface LinkRow {
  readonly assetId: number
  readonly kind: 'assetToProduct' | 'assetToProject' | 'keywordToAsset'
  readonly otherId: number
}
export const readLinks = (db: Db, ids: readonly number[]) =>
  db.rows<LinkRow>(sql`
    select from_id as "assetId", kind, to_id as "otherId" from link
    where from_id = any(${ids}::bigint[]) and kind in ('assetToProduct', 'assetToProject')
    union all
    select to_id, kind, from_id from link where to_id = any(${ids}::bigint[]) and kind = 'keywordToAsset'`)

/** Keywords with their ancestors, root first. */
export const readKeywords = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; path: string; names: Readonly<Record<string, string>>; above: number[] }>(sql`
    select k.id, k.path, k.names, array(
      select a.id from keyword a where k.path = a.path or starts_with(k.path, a.path || '/')
    ) as above
    from keyword k where k.id = any(${ids}::bigint[])`)

/** The directories of entries with their ancestors. */
export const readDirs = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; above: number[] }>(sql`
    with recursive up as (
      select id, id as dir_id, parent_id from dam_entry where id = any(${ids}::bigint[])
      union all
      select up.id, d.id, d.parent_id from up join dam_entry d on d.id = up.parent_id
    )
    select id, array_agg(dir_id) as above from up group by id`)

const asset = sql`kind = 'asset' and deleted_at is null`

export const listIds = async (db: Db, after: number, limit: number) =>
  (
    await db.rows<{ id: number }>(
      sql`select id from dam_entry where id > ${after}::bigint and ${asset} order by id limit ${limit}`,
    )
  ).map(({ id }) => id)

export const countAll = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from dam_entry where ${asset}`))!.count

/** Assets linked to these products. Copying a product copies its links without recording a change of the assets. */
export const assetsOfProducts = async (db: Db, ids: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select from_id as id from link where to_id = any(${ids}::bigint[]) and kind = 'assetToProduct'`)
  ).map(({ id }) => id)

/** Entries with a value of these attributes. There is no index, because only changes of definitions need this. */
export const findHaving = async (db: Db, definitionIds: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select e.id from dam_entry e where ${asset}
        and exists (select from dam_attr_def d where d.id = any(${definitionIds}::bigint[]) and e.vals ? d.tid)`)
  ).map(({ id }) => id)
