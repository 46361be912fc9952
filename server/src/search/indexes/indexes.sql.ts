/** SQL for index administration. Commands are written to the outbox, so that every process receives them in order. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export const setUpdates = (db: Db, name: string, enabled: boolean) =>
  db.run(sql`
    insert into search_index (name, updates_enabled) values (${name}, ${enabled})
    on conflict (name) do update set updates_enabled = excluded.updates_enabled`)

export const announceCommand = (db: Db, dataType: string, action: string) =>
  db.run(sql`insert into outbox (object_id, data_type, event, action) values (0, ${dataType}, 'UPDATE', ${action})`)

export interface DocumentRow {
  readonly id: number
  readonly event: string
}
export const announceDocuments = (db: Db, dataType: string, documents: readonly DocumentRow[]) =>
  db.run(sql`
    insert into outbox (object_id, data_type, event)
    select id, ${dataType}, event from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) as d (id bigint, event text)`)

/** Which of these ids belong to deleted objects. History and outbox still have their deletion. */
export const findRemembered = async (db: Db, ids: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select distinct object_id as id from history where object_id = any(${ids}::bigint[]) and action like 'delete%'
      union
      select object_id from outbox where object_id = any(${ids}::bigint[]) and event = 'DELETE'`)
  ).map(({ id }) => id)
