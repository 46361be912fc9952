/**
 * Feeds: exports and imports by a schedule.
 *
 *   tick     every minute: a feed that is due gets a run. The table allows one run per time and one at a time per feed
 *   run      one step of a run: begin -> transfer -> deliver. A process that dies leaves the step to another one, which
 *            does it again: files have the same names in every attempt
 *   watch    the jobs of transfers: when the export or import of a run has ended, the run continues
 */
import type { Job, JobTable } from '../adapters/jobs/jobs.ts'
import { demandRight } from '../core/access/access.ts'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { exportJob, importJob } from '../transfers/api.ts'
import { exportSteps } from './export-steps.ts'
import * as feeds from './feeds.sql.ts'
import { importSteps } from './import-steps.ts'
import type { FeedNeeds } from './needs.ts'
import { addRunJob, failRun, PlaceFailure, retry, runJob } from './outcomes.ts'
import { kindRules } from './places.ts'
import * as runs from './runs.sql.ts'
import { nextTime } from './schedule.ts'

export { describeFeeds } from './feeds.sql.ts'
export { feedRoutes } from './feeds.ts'
export type { FeedNeeds } from './needs.ts'

const tickJob = 'feed.tick'
const tidyJob = 'feed.tidy'
export const feedTimes = { [tickJob]: '* * * * *', [tidyJob]: '47 * * * *' }

/** The jobs of feeds, and those of transfers, which feeds wait for. */
export const feedJobs = (needs: FeedNeeds, transferJobs: JobTable): JobTable => ({
  ...transferJobs,
  [exportJob]: watch(needs, transferJobs[exportJob]!),
  [importJob]: watch(needs, transferJobs[importJob]!),
  [runJob]: ({ id }: { id: number }) => takeStep(needs, id),
  [tickJob]: () => tick(needs),
  [tidyJob]: async () => void (await runs.deleteOldRuns(needs.database, needs.config.feedDays)),
})

const dueAtOnce = 100

async function tick({ database }: FeedNeeds): Promise<void> {
  await database.transaction(async (db) => {
    for (const { id, nextAt, definition } of await feeds.takeDue(db, dueAtOnce)) {
      const run = await runs.insertRun(db, id, { dueAt: nextAt! })
      if (run) await addRunJob(db, run.id)
      const from = new Date(Math.max(Date.now(), nextAt!.getTime()))
      await feeds.setNext(db, id, (definition.schedule && nextTime(definition.schedule, from)) ?? null)
    }
  })
  for (const { id } of await runs.findLeft(database)) await addRunJob(database, id)
}

const watch =
  ({ database }: FeedNeeds, job: Job): Job =>
  async (payload: { id: string }, ...rest) => {
    await job(payload as never, ...rest)
    const run = await runs.runOfTransfer(database, payload.id)
    if (run) await addRunJob(database, run.id)
  }

async function takeStep(needs: FeedNeeds, id: number): Promise<void> {
  const { database } = needs
  const run = await runs.findRun(database, id)
  if (run?.state !== 'running') return
  const feed = (await feeds.findFeedById(database, run.feedId))!
  const owner = await ownerNow(needs, feed)
  if (owner instanceof Problem) return failRun(needs, { feed, run }, owner.message, { pauses: true })
  const steps = feed.definition.direction === 'export' ? exportSteps : importSteps
  try {
    await steps[run.step](needs, { feed, run, owner })
  } catch (error) {
    if (error instanceof PlaceFailure) return retry(needs, { feed, run }, error.message)
    if (needs.isPassing(error)) throw error // the queue repeats it
    const problem = error instanceof Problem ? error.message : `internal error, support id ${needs.fail(error)}`
    await failRun(needs, { feed, run }, problem)
  }
}

/** The owner with the rights of now; a Problem if the owner is gone or may no longer have such a feed. */
async function ownerNow({ callerNow }: FeedNeeds, { principal, definition }: feeds.FeedRow): Promise<Caller | Problem> {
  try {
    const owner = await callerNow(principal)
    const { direction, place } = definition
    demandRight(owner, kindRules[place.kind].adminOnly ? 'admin' : 'user', direction === 'export' ? { kind: 'product', any: ['read'] } : { any: ['update'] }) // prettier-ignore
    return owner
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return error
    throw error
  }
}
