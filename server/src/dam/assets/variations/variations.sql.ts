/** SQL statements about variations: assets derived from other assets. */
import type { Db } from '../../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../../adapters/postgres/sql.ts'
import { inPlace } from '../../entries.sql.ts'

export const listTypes = (db: Db) => db.rows<{ tid: string }>(sql`select tid from variation_type order by pos, tid`)

interface VariationRow {
  id: number
  tid: string
  parentTid: string | null
  type: string | null
}

/** The complete variation trees of the assets, limited to visible assets and visible parents; parents before children. */
export const findTrees = (db: Db, ids: readonly number[], visible: Sql) =>
  db.rows<VariationRow>(sql`
    with recursive above as (
      select id, variation_of from dam_entry where id = any(${ids}::bigint[])
      union select p.id, p.variation_of from above a join dam_entry p on p.id = a.variation_of and p.deleted_at is null
    ), tree as (
      select a.id, array[a.id] as line from above a
      where not exists (select from dam_entry p where p.id = a.variation_of and p.deleted_at is null)
      union all
      select c.id, t.line || c.id from tree t join dam_entry c on c.variation_of = t.id and c.deleted_at is null
    ), seen as materialized (
      select e.id, e.tid, e.variation_of, e.variation_type, t.line from tree t join ${inPlace} on e.id = t.id
      where ${visible}
    )
    select s.id, s.tid, p.tid as "parentTid", s.variation_type as type
    from seen s left join seen p on p.id = s.variation_of order by s.line`)
