/**
 * Records a change of each file whose usage rights have begun or ended. The passing of a time is not a change by itself, so
 * search, events and completeness would keep what they knew before.
 */
import { inBatch, type Services } from '../../core/batch/batch.ts'
import type { Caller } from '../../core/context.ts'
import { takeTurned } from './usage.sql.ts'

export const turnJob = 'dam.usageTurns'
export const turnTimes = '*/10 * * * *'

const pageSize = 1000
const nobody: Caller = { userId: '', userName: 'kontor', roles: new Set(), permissions: [] }

/** Marking and recording are one transaction, so each time is recorded once. */
export async function recordTurns(services: Omit<Services, 'callerNow'>): Promise<void> {
  for (let count = pageSize; count === pageSize;) {
    count = await inBatch(services, nobody, async (ctx) => {
      const turned = await takeTurned(ctx.db, pageSize)
      for (const { id } of turned) ctx.record({ dataType: 'asset', id, event: 'UPDATE', action: 'usagePeriod' })
      return turned.length
    })
  }
}
