/** Every statement about variation axes. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface Axes {
  readonly articles: readonly string[]
  readonly variations: readonly string[]
}

export const findAxes = (db: Db, nodeIds: readonly number[]) =>
  db.rows<Axes & { readonly nodeId: number }>(sql`
    select node_id as "nodeId", articles, variations from variation_axes where node_id = any(${nodeIds}::bigint[])`)

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
