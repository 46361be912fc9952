/** History and outbox: one statement writes both from the same list of changes. */
import type { Db } from '../../adapters/postgres/db.ts'
import { fragmentOf, nothing, sql } from '../../adapters/postgres/sql.ts'
import type { Change } from '../context.ts'
import type { OutboxRow } from './outbox.sql.ts'

/** An update with more changed fields names none of them in its event. */
const mostFields = 1000

/** Rows that triggers wrote in this transaction get its user. */
const byUser = (userName: string) => sql`, attributed as (
  update outbox set user_name = ${userName}
  where xid >= pg_current_xact_id() and writer = pg_current_xact_id() and user_name is null
  returning object_id
), by_user as (
  update history set user_name = ${userName}
  where at = now() and user_name = 'system' and object_id = any(array(select object_id from attributed))
)`

/**
 * Returns the rows of the outbox. Throws synchronously if the statement cannot be built, before the COMMIT that travels
 * with it is sent. With `announces` the caller announces the rows after the commit, and the trigger sends no NOTIFY
 * (notifier.ts).
 */
export function writeChanges(
  db: Db,
  userName: string,
  changes: readonly Change[],
  announces = false,
): Promise<OutboxRow[]> {
  if (changes.length === 0) return Promise.resolve([])
  const deletes = changes.some(({ event }) => event === 'DELETE')
  const written = db.writeRow<{ at: Date; seqs: number[]; xids: string[] }>(sql`
    with change as (
      select * from rows from (
        jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
          as (id bigint, "dataType" text, event text, action text, changes jsonb, gone jsonb, rule text)
      ) with ordinality as c (id, data_type, event, action, changes, gone, rule, n)
    ), entry as (
      insert into outbox (object_id, data_type, event, action, user_name, fields, gone)
      select id, data_type, event, action, ${userName}, f.fields, gone
      from change left join lateral (
        select array_agg(field) as fields from jsonb_object_keys(changes) as field
        where event = 'UPDATE' having count(*) <= ${mostFields}
      ) as f on true order by n
      returning seq, xid, at
    ) ${deletes ? byUser(userName) : nothing}, noted as (
      insert into history (object_id, data_type, action, user_name, changes, rule)
      select id, data_type, coalesce(action, lower(event)), ${userName}, coalesce(changes, '{}'), rule from change order by n
    )
    select at, array_agg(seq order by seq) as seqs, array_agg(xid::text order by seq) as xids,
      set_config('kontor.tells', ${String(announces)}, true)
    from entry group by at`)
  return written.then((row) => {
    const { seqs, xids, at } = row!
    return changes.map(({ id, dataType, event, action = null }, i) => {
      return { seq: seqs[i]!, xid: xids[i]!, at, objectId: id, dataType, event, action }
    })
  })
}

/** `partition`: see dropPartitions. */
export const deleteOldHistory = (db: Db, partition: string, before: Date) =>
  db.run(sql`delete from ${fragmentOf(partition)} where at < ${before}`)
