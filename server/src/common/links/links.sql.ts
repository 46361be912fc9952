/** Every statement about links. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface NewLink {
  kind: string
  type: string
  fromId: number
  toId: number
}

/** Inserts what does not exist yet and returns the links that are new. */
export const insertLinks = (db: Db, links: readonly NewLink[], userName: string) =>
  db.rows<NewLink & { id: number }>(sql`
    insert into link (kind, type, from_id, to_id, created_by)
    select distinct on ("fromId", kind, "toId", type) kind, type, "fromId", "toId", ${userName}
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as l (kind text, type text, "fromId" bigint, "toId" bigint)
    on conflict do nothing
    returning id, kind, type, from_id as "fromId", to_id as "toId"`)

export const linksFrom = (db: Db, kind: string, fromIds: readonly number[]) =>
  db.rows<{ fromId: number; toId: number; type: string }>(sql`
    select from_id as "fromId", to_id as "toId", type from link
    where kind = ${kind} and from_id = any(${fromIds}::bigint[]) order by from_id, id`)
