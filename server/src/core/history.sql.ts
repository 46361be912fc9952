/** History and outbox: both are written from the same list of changes, with one statement. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import type { Change } from './context.ts'

export async function writeChanges(db: Db, userName: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  await db.run(sql`
    with change as (
      select * from rows from (
        jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
          as (id bigint, "dataType" text, event text, action text, changes jsonb)
      ) with ordinality as c (id, data_type, event, action, changes, n)
    ), entry as (
      insert into outbox (object_id, data_type, event, action)
      select id, data_type, event, action from change order by n
    )
    insert into history (object_id, data_type, action, user_name, changes)
    select id, data_type, coalesce(action, lower(event)), ${userName}, coalesce(changes, '{}') from change order by n`)
}

export const deleteOldHistory = (db: Db, days: number) =>
  db.run(sql`delete from history where at < now() - make_interval(days => ${days})`)
