/** Every statement about variation axes. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'

export interface Axes {
  readonly articles: readonly string[]
  readonly variations: readonly string[]
}

/** Without attributes that were deleted since. A category that has no other axes inherits again. */
export const findAxes = (db: Db, nodeIds: readonly number[]) =>
  db.rows<Axes & { readonly nodeId: number }>(sql`
    select * from (
      select node_id as "nodeId", ${existing(sql`articles`)} as articles, ${existing(sql`variations`)} as variations
      from variation_axes where node_id = any(${nodeIds}::bigint[])) a
    where cardinality(articles) + cardinality(variations) > 0`)

const existing = (tids: Sql) => sql`array(
  select axis from unnest(${tids}) with ordinality as n (axis, place)
  where exists (select from attr_def d where d.tid = axis) order by place)`

export const upsertAxes = (db: Db, nodeId: number, { articles, variations }: Axes, userName: string) =>
  db.run(sql`
    insert into variation_axes (node_id, articles, variations, modified_by)
    values (${nodeId}, ${articles}::text[], ${variations}::text[], ${userName})
    on conflict (node_id) do update
      set articles = excluded.articles, variations = excluded.variations, modified_at = now(), modified_by = excluded.modified_by`)

export const deleteAxes = (db: Db, nodeId: number) => db.run(sql`delete from variation_axes where node_id = ${nodeId}`)

const membersIn = (nodeIds: readonly number[]) => sql`
  select m.id from product r join product m on m.root_id = r.id where r.node_id = any(${nodeIds}::bigint[])`

/** The tid of a product in the nodes with two equal combinations by the axes of now. */
export const findDuplicate = async (db: Db, nodeIds: readonly number[]) =>
  (
    await db.row<{ tid: string }>(sql`
      select min(r.tid) as tid
      from variation_combinations c join product p on p.id = c.product_id join product r on r.id = p.root_id
      where c.product_id in (${membersIn(nodeIds)})
      group by c.parent_id, c.digest having count(*) > 1 limit 1`)
  )?.tid

export const storeKeys = (db: Db, nodeIds: readonly number[]) =>
  db.run(sql`select store_variation_keys(array(${membersIn(nodeIds)}))`)
