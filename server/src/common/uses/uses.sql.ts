/** Finds the users of objects, with one statement for all objects and all kinds of use. */
import type { Db } from '../../adapters/postgres/db.ts'
import { join, type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { Part } from '../../core/context.ts'
import { linkKinds } from '../links/link-kinds.ts'

export interface UseRow {
  readonly topId: number
  readonly ofId: number
  readonly dataType: string
  readonly id: number
  /** The kind of link, or a word for another kind of use. */
  readonly kind: string
  readonly linkType: string
  /** Whether it protects the object from deletion. */
  readonly keeps: boolean
  /** The total number of users of the top object, listed or not. */
  readonly total: number
}

const kinds = sql`jsonb_to_recordset(${JSON.stringify(
  [...linkKinds].map(([kind, { from, to, keeps }]) => ({
    kind,
    fromType: from.dataType,
    toType: to.dataType,
    keepsFrom: keeps.includes('from'),
    keepsTo: keeps.includes('to'),
  })),
)}::jsonb) as k (kind text, "fromType" text, "toType" text, "keepsFrom" boolean, "keepsTo" boolean)`

const byLinks = sql`
  select part.top_id, part.id as of_id, k."toType" as data_type, l.to_id as id, l.kind, l.type as link_type, k."keepsFrom" as keeps
  from part join link l on l.from_id = part.id join ${kinds} on k.kind = l.kind
  union all
  select part.top_id, part.id, k."fromType", l.from_id, l.kind, l.type, k."keepsTo"
  from part join link l on l.to_id = part.id join ${kinds} on k.kind = l.kind`

/**
 * The users of parts. Users that are parts of the same whole, or in a trash, do not count. `others` are selects of the
 * same columns as `byLinks`.
 */
export const findUses = (
  db: Db,
  parts: readonly Part[],
  others: readonly Sql[],
  trashes: readonly ((id: Sql) => Sql)[],
  { most, keepingOnly }: { readonly most: number; readonly keepingOnly: boolean },
) =>
  db.rows<UseRow>(sql`
    with part as (
      select * from unnest(${parts.map(({ topId }) => topId)}::bigint[], ${parts.map(({ id }) => id)}::bigint[]) as p (top_id, id)
    ), found as (
      select u.*, row_number() over (partition by u.top_id order by u.data_type, u.id, u.kind, u.link_type) as n,
        count(*) over (partition by u.top_id) as total
      from (${join([byLinks, ...others], ' union all ')}) as u
      where (u.keeps or not ${keepingOnly}::boolean)
        and not exists (select from part own where own.top_id = u.top_id and own.id = u.id)
        ${join(
          trashes.map((inTrash) => sql`and not ${inTrash(sql`u.id`)}`),
          ' ',
        )}
    )
    select top_id as "topId", of_id as "ofId", data_type as "dataType", id, kind, link_type as "linkType", keeps,
      total::int as total
    from found where n <= ${most}::int order by top_id, n`)
