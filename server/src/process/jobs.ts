/** Starts the background work of this process: jobs, and the delivery of changes to webhooks. */
import { setTimeout as pause } from 'node:timers/promises'
import { type JobTable, startWorker } from '../adapters/jobs/jobs.ts'
import type { App } from '../app.ts'

/** Seconds that jobs have to hand back their work. The long ones do so after their present chunk or page. */
const handBackSeconds = 10

export interface Jobs {
  /** The number of jobs that this process is running. */
  running(): number
  /** Starts nothing more. Returns whether the running jobs ended in time; other processes take over the rest. */
  stop(): Promise<boolean>
}

export async function startJobs(app: App, config: Parameters<typeof startWorker>[0]): Promise<Jobs> {
  const { jobs, running } = countRunning(app.jobs)
  const worker = await startWorker(config, jobs, app.timeTable, (level, message) => app.http.log[level](message))
  const follower = await app.follow()
  return {
    running,
    async stop() {
      const ended = Promise.all([follower.stop(), worker.stop()]).then(() => true)
      return Promise.race([ended, pause(handBackSeconds * 1000, false, { ref: false })])
    },
  }
}

function countRunning(table: JobTable) {
  let count = 0
  const jobs: JobTable = Object.fromEntries(
    Object.entries(table).map(([name, job]) => [
      name,
      async (payload, ...rest) => {
        count++
        await job(payload, ...rest).finally(() => count--)
      },
    ]),
  )
  return { jobs, running: () => count }
}
