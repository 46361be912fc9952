/** History and outbox: one statement writes both from the same list of changes. */
import type { Db } from '../../adapters/postgres/db.ts'
import { fragmentOf, sql } from '../../adapters/postgres/sql.ts'
import type { Change } from '../context.ts'
import type { OutboxRow } from './outbox.sql.ts'

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
  const written = db.writeRow<Pick<OutboxRow, 'xid' | 'at'> & { seqs: number[] }>(sql`
    with change as (
      select * from rows from (
        jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
          as (id bigint, "dataType" text, event text, action text, changes jsonb)
      ) with ordinality as c (id, data_type, event, action, changes, n)
    ), entry as (
      insert into outbox (object_id, data_type, event, action)
      select id, data_type, event, action from change order by n
      returning seq, xid, at
    ), noted as (
      insert into history (object_id, data_type, action, user_name, changes)
      select id, data_type, coalesce(action, lower(event)), ${userName}, coalesce(changes, '{}') from change order by n
    )
    select xid::text, at, array_agg(seq order by seq) as seqs, set_config('kontor.tells', ${String(announces)}, true)
    from entry group by xid, at`)
  return written.then((row) => {
    const { seqs, xid, at } = row!
    return changes.map(({ id, dataType, event, action = null }, i) => {
      return { seq: seqs[i]!, xid, at, objectId: id, dataType, event, action }
    })
  })
}

/** `partition`: see dropPartitions. */
export const deleteOldHistory = (db: Db, partition: string, before: Date) =>
  db.run(sql`delete from ${fragmentOf(partition)} where at < ${before}`)
