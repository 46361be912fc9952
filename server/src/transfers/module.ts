/** Import and export: the routes and the jobs behind them. */
import { addJob, type Job, type JobTable } from '../adapters/jobs/jobs.ts'
import { exportJob, runExport } from './exports.ts'
import { importJob, runImport } from './imports.ts'
import type { TransferNeeds } from './needs.ts'
import { deleteOld, setState } from './transfers.sql.ts'

export type { TransferNeeds } from './needs.ts'
export { orderExport, transfers } from './transfers.ts'

const tidyJob = 'transfer.tidy'
export const transferTimes = { [tidyJob]: '37 * * * *' }

export const transferJobs = (needs: TransferNeeds): JobTable => {
  const runner =
    (name: string, run: typeof runImport): Job =>
    ({ id }: { id: string }, stop) =>
      orFailed(needs, id, async () => {
        if (await run(needs, id, stop)) await addJob(needs.database, name, { id })
      })
  return {
    [importJob]: runner(importJob, runImport),
    [exportJob]: runner(exportJob, runExport),
    [tidyJob]: async () => void (await deleteOld(needs.database, needs.config.transferDays)),
  }
}

/** The queue retries the job when the database is unavailable. An internal error ends the transfer. */
async function orFailed({ database, fail, isPassing }: TransferNeeds, id: string, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (isPassing(error)) throw error
    await setState(database, id, 'failed', `internal error, support id ${fail(error)}`)
  }
}
