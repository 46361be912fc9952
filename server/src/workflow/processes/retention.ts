/** Deletes processes after the retention period, with their tasks, jobs and history, and notifies search. */
import { inBatch, type Services } from '../../core/batch/batch.ts'
import { system } from '../tasks/overdue.ts'
import { findExpired } from './processes.sql.ts'
import { removeEnded } from './processes.ts'

const atOnce = 500

export async function removeExpired(services: Services): Promise<void> {
  for (let removed = atOnce; removed === atOnce;) {
    removed = await inBatch(services, system, async (ctx) => {
      const expired = await findExpired(ctx.db, services.config.workflowDays, atOnce)
      return (
        await removeEnded(
          ctx,
          expired.map(({ id }) => id),
        )
      ).size
    })
  }
}
