/** Removes expired data every hour: idempotent replies, bulk runs, history, the outbox, sessions. */
import type { Db } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { deleteOldRuns } from '../core/batch/bulk.sql.ts'
import { deleteOldHistory } from '../core/outbox/history.sql.ts'
import { deleteOldReplies } from '../core/http/idempotency.sql.ts'
import { trimOutbox } from '../core/outbox/outbox.ts'

export const sweepJob = 'operations.sweep'
export const sweepTimes = '17 * * * *'

export async function sweep(db: Db, config: Config, ...others: (() => Promise<void>)[]): Promise<void> {
  await deleteOldReplies(db, config.idempotencyHours)
  await deleteOldRuns(db, config.bulkDays)
  await deleteOldHistory(db, config.historyDays)
  await trimOutbox(db, config.outboxHours)
  for (const other of others) await other()
}
