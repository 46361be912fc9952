/** Every statement about products as search documents. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { shown, shownWithoutValues, type ShownRow } from './products.sql.ts'

/** Products, articles and variations, and what stands above them; with their values or without. */
export const readWithAbove = (db: Db, ids: readonly number[], withValues: boolean) =>
  db.rows<ShownRow & { asked: boolean }>(sql`
    with asked as materialized (select id, level, parent_id, root_id from product where id = any(${ids}::bigint[]))
    select ${withValues ? shown : shownWithoutValues}, p.id in (select id from asked) as asked from product p
    where p.id in (
      select id from asked union select root_id from asked where level > 0 union select parent_id from asked where level = 2
    )`)

export interface LinkRow {
  readonly id: number
  readonly kind: 'productToProject' | 'assetToProduct' | 'productToProduct'
  readonly otherId: number
}
export const readLinks = (db: Db, ids: readonly number[]) =>
  db.rows<LinkRow>(sql`
    select from_id as id, kind, to_id as "otherId" from link
    where from_id = any(${ids}::bigint[]) and kind in ('productToProject', 'productToProduct')
    union all
    select to_id, kind, from_id from link where to_id = any(${ids}::bigint[]) and kind = 'assetToProduct'`)

export const listIds = async (db: Db, after: number, limit: number) =>
  (
    await db.rows<{ id: number }>(sql`select id from product where id > ${after}::bigint order by id limit ${limit}`)
  ).map(({ id }) => id)

export const countAll = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from product`))!.count

export const findIds = (db: Db, tids: readonly string[]) =>
  db.rows<{ id: number; tid: string }>(sql`select id, tid from product where tid = any(${tids}::text[])`)

/** The products of articles and variations: their date changes with them. */
export const productsOf = async (db: Db, ids: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select distinct root_id as id from product where id = any(${ids}::bigint[]) and root_id is not null`)
  ).map(({ id }) => id)

/** The nodes of attributes; of those that are gone, as the history remembers it: a change has from and to, an end neither. */
export const nodesOfAttributes = async (db: Db, ids: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select node_id as id from node_attribute where id = any(${ids}::bigint[])
      union
      select coalesce(changes #>> '{nodeId,to}', changes #>> '{nodeId,from}', changes ->> 'nodeId')::bigint from history
      where object_id = any(${ids}::bigint[]) and data_type = 'attribute' and changes ? 'nodeId'`)
  ).map(({ id }) => id)

/** What has values of the attributes itself. There is no index: only changes of definitions ask. */
export const findHaving = async (db: Db, definitionIds: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select p.id from product p
      where exists (select from attr_def d where d.id = any(${definitionIds}::bigint[]) and p.vals ? d.tid)`)
  ).map(({ id }) => id)
