/** Removes expired data every hour: idempotent replies, bulk runs, history, the outbox, sessions. Makes partitions ahead, and does what other areas do by the hour. */
import type { Db } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { deleteOldRuns } from '../core/batch/bulk.sql.ts'
import { deleteOldHistory } from '../core/outbox/history.sql.ts'
import { deleteOldReplies } from '../core/http/idempotency.sql.ts'
import { trimOutbox } from '../core/outbox/outbox.ts'
import { dropPartitions, makePartitions, partitionedTables } from '../core/partitions/partitions.ts'

export const sweepJob = 'operations.sweep'
export const sweepTimes = '17 * * * *'

export async function sweep(db: Db, config: Config, ...others: (() => Promise<void>)[]): Promise<void> {
  await deleteOldReplies(db, config.idempotencyHours)
  await deleteOldRuns(db, config.bulkDays)
  await trimHistory(db, config.historyDays)
  await trimOutbox(db, config.outboxHours)
  await makePartitions(db, partitionedTables(config))
  for (const other of others) await other()
}

async function trimHistory(db: Db, days: number): Promise<void> {
  const before = new Date(Date.now() - days * 24 * 3_600_000)
  for (const partition of await dropPartitions(db, 'history', before)) await deleteOldHistory(db, partition, before)
}
