/** SQL statements that count the products of channels. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { within } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'
import { belowPath, readable } from './channels.sql.ts'

export interface CountRow {
  readonly id: number
  readonly own: number
  readonly total: number
}
/** A product is in a channel by a link, or by a channel text of its own there. Articles and variations count as their product. */
export const countProducts = (db: Db, ids: readonly number[], caller: Caller) =>
  db.rows<CountRow>(sql`
    with inside as (
      select top.id as top_id, p.id, p.path from project top join project p on p.id = top.id or ${belowPath(sql`top.path`)}
      where top.id = any(${ids}::bigint[]) and ${readable(caller)}
    ), placed as (
      select i.top_id, i.id, l.from_id as product_id
      from inside i join link l on l.to_id = i.id and l.kind = 'productToProject'
      union all
      select p.top_id, p.id, e.product_id
      from inside p join link l on l.to_id = p.id and l.kind = 'peoToProject' join peo e on e.id = l.from_id
      where ${within(caller.permissions, 'read', 'peo', sql`p.path`)}
    )
    select placed.top_id as id, count(distinct r.id)::int as total,
      count(distinct r.id) filter (where placed.id = placed.top_id)::int as own
    from placed join product m on m.id = placed.product_id
    join product r on r.id = coalesce(m.root_id, m.id) join node n on n.id = r.parent_id
    where ${within(caller.permissions, 'read', 'product', sql`n.path`)}
    group by placed.top_id`)
