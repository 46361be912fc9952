/** Starts the background work of this process: jobs, and the delivery of changes to webhooks. */
import { startWorker, type Worker } from '../adapters/jobs/jobs.ts'
import type { App } from '../app.ts'

export async function startJobs(app: App, config: Parameters<typeof startWorker>[0]): Promise<Worker> {
  const worker = await startWorker(config, app.jobs, app.timeTable, (level, message) => app.http.log[level](message))
  const follower = await app.follow()
  return {
    async stop() {
      await follower.stop()
      await worker.stop()
    },
  }
}
