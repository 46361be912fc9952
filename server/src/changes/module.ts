/** Changes of many objects at once: the routes and the job behind them. */
import { addJob, type JobTable } from '../adapters/jobs/jobs.ts'
import { deleteOld, setState } from './changes.sql.ts'
import type { ChangeNeeds } from './needs.ts'
import { changeJob, runChange } from './run.ts'

export { changes } from './changes.ts'
export type { ChangeNeeds } from './needs.ts'

const tidyJob = 'change.tidy'
export const changeTimes = { [tidyJob]: '47 * * * *' }

export const changeJobs = (needs: ChangeNeeds): JobTable => ({
  async [changeJob]({ id }: { id: string }, stop) {
    try {
      if (await runChange(needs, id, stop)) await addJob(needs.database, changeJob, { id })
    } catch (error) {
      if (needs.isPassing(error)) throw error // the queue repeats it
      await setState(needs.database, id, 'failed', `internal error, support id ${needs.fail(error)}`)
    }
  },
  [tidyJob]: async () => void (await deleteOld(needs.database, needs.config.changeDays)),
})
