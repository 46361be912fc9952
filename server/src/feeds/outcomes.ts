/**
 * The ends of a run: finished, failed, held, or another attempt. Each is one transaction with its event, and with a message
 * to the owner where a person has to act.
 */
import { addJob } from '../adapters/jobs/jobs.ts'
import type { Db } from '../adapters/postgres/db.ts'
import { ForbiddenAddress } from '../adapters/web/post.ts'
import { notify } from '../common/api.ts'
import { writeChanges } from '../core/outbox/history.sql.ts'
import { Problem } from '../errors.ts'
import * as feeds from './feeds.sql.ts'
import type { FeedNeeds } from './needs.ts'
import * as runs from './runs.sql.ts'

export const runJob = 'feed.run'

export interface FeedAndRun {
  readonly feed: feeds.FeedRow
  readonly run: runs.RunRow
}

/** A place outside cannot be reached or refuses a file: the attempt is repeated. */
export class PlaceFailure extends Error {}

/** Milliseconds. A place that never answers must not keep a worker for ever. */
const longestCall = 3_600_000

/** Calls a place outside of Kontor. */
export async function outside<T>(call: () => T | Promise<T>): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error('no end within an hour')), longestCall)
  try {
    return await Promise.race([call(), limit.promise])
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new Problem('invalid', error.message, { cause: error })
    const { message, code } = error as NodeJS.ErrnoException
    throw new PlaceFailure((message || code || 'no answer').slice(0, 1000), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * One job per run waits at a time. Of the feeds of one user, one step runs at a time: a place that is slow for an hour must
 * not keep the workers that others need.
 */
export async function addRunJob(db: Db, id: number, runAt?: Date): Promise<void> {
  const owner = await runs.ownerOf(db, id)
  await addJob(db, runJob, { id }, { key: `${runJob}:${id}`, queue: `${runJob} ${owner}`, ...(runAt && { runAt }) })
}

/** There may be more files in the folder of an import. */
async function beginNext(db: Db, feedId: number): Promise<void> {
  const next = await runs.insertRun(db, feedId, {})
  if (next) await addRunJob(db, next.id)
}

const record = (db: Db, { id, userName }: feeds.FeedRow, action: string) =>
  writeChanges(db, userName, [{ dataType: 'feed', id, event: 'UPDATE', action }])

interface Notice {
  readonly subject: string
  readonly body: string
  readonly severity: 'WARN' | 'ERROR'
}
const tell = (db: Db, { feed, run }: FeedAndRun, what: string, notice: Notice) =>
  notify(db, {
    tid: `feed-run-${run.id}-${what}`,
    recipientUser: feed.userName,
    parameters: { feed: feed.name },
    ...notice,
  })

export const finish = ({ database }: FeedNeeds, { feed, run }: FeedAndRun, problem: string | null = null) =>
  database.transaction(async (db) => {
    if ((await runs.endRun(db, run.id, 'finished', problem)) === 0) return
    await runs.forgetSeries(db, run.id)
    await runs.forgetPrint(db, run.id)
    if (run.file !== null && feed.definition.direction === 'import') await beginNext(db, feed.id)
    if (problem !== null && feed.definition.direction === 'import')
      await tell(db, { feed, run }, 'refused', {
        subject: `The feed ${feed.name} refused rows of ${run.file}`,
        body: `${problem}. Open run ${run.id} of the feed to see the rows.`,
        severity: 'WARN',
      })
    await record(db, feed, 'finish')
  })

/** `isFileMoved`: the file of an import is no longer in its folder. */
export const failRun = (
  { database }: FeedNeeds,
  { feed, run }: FeedAndRun,
  problem: string,
  options: { readonly isFileMoved?: boolean; readonly pauses?: boolean } = {},
) =>
  database.transaction(async (db) => {
    if ((await runs.endRun(db, run.id, 'failed', problem)) === 0) return
    const isAboutFile = feed.definition.direction === 'import' && run.file !== null
    await runs.restoreSeries(db, run.id)
    if (options.isFileMoved) {
      await runs.forgetPrint(db, run.id)
      await beginNext(db, feed.id)
    }
    if (options.pauses) await pause(db, { feed, run }, problem)
    else if (isAboutFile || (await runs.findPrevious(db, run, 'any'))?.state !== 'failed')
      // A place that is down for days is reported once.
      await tell(db, { feed, run }, 'failed', {
        subject: `The feed ${feed.name} failed`,
        body: `${problem}. Run ${run.id} has ended; the next one begins anew.`,
        severity: 'ERROR',
      })
    await record(db, feed, 'fail')
  })

async function pause(db: Db, { feed, run }: FeedAndRun, problem: string): Promise<void> {
  await feeds.pauseFeed(db, feed.id, problem)
  await notify(db, {
    tid: `feed-run-${run.id}-paused`,
    recipientRole: 'admin',
    subject: `The feed ${feed.name} was paused`,
    body: `${problem}. An administrator who stores it again takes it over.`,
    severity: 'ERROR',
    parameters: { feed: feed.name },
  })
}

/** Whether a run has so many fewer items than the last one that a person has to decide. */
export const hasShrunk = (maxShrink: number | undefined, items: number, previous: number | null): previous is number =>
  maxShrink !== undefined && previous !== null && items < previous * (1 - maxShrink / 100)

interface Held {
  readonly problem: string
  /** The step that follows when it is released. */
  readonly step: runs.Step
  readonly transferId: string
}

export const hold = ({ database }: FeedNeeds, { feed, run }: FeedAndRun, { problem, step, transferId }: Held) =>
  database.transaction(async (db) => {
    if ((await runs.holdRun(db, run.id, problem, step, transferId)) === 0) return
    const verb = feed.definition.direction === 'export' ? 'deliver' : 'import'
    await tell(db, { feed, run }, 'held', {
      subject: `The feed ${feed.name} waits for your decision`,
      body: `${problem}. Release run ${run.id} to ${verb} it, or discard it.`,
      severity: 'WARN',
    })
    await record(db, feed, 'hold')
  })

const longestPause = 3_600_000

/** Plans the next attempt, or ends the run after the last one. */
export async function retry(needs: FeedNeeds, { feed, run }: FeedAndRun, problem: string): Promise<void> {
  const { database, config } = needs
  if (run.attempts + 1 >= config.feedTries) return failRun(needs, { feed, run }, problem)
  // Exponential back-off with jitter.
  const pause = Math.min(config.feedRetry * 1000 * 2 ** run.attempts, longestPause) * (0.8 + Math.random() * 0.4)
  const retryAt = new Date(Date.now() + pause)
  await database.transaction(async (db) => {
    await runs.noteAttempt(db, run.id, problem, retryAt)
    await addRunJob(db, run.id, retryAt)
  })
}

/** A person decides on a held run. */
export async function decide(db: Db, { feed, run }: FeedAndRun, decision: 'release' | 'discard', user: string) {
  await runs.noteDecision(db, run.id, user)
  if (decision === 'release') {
    await runs.releaseRun(db, run.id)
    await addRunJob(db, run.id)
    return
  }
  if (feed.definition.direction === 'import') {
    await runs.discardFile(db, run.id)
    await addRunJob(db, run.id)
    return
  }
  await runs.endRun(db, run.id, 'discarded', run.problem)
  await runs.restoreSeries(db, run.id)
  await record(db, feed, 'discard')
}

/** The file of a discarded import is no longer in its folder. */
export const endDiscarded = ({ database }: FeedNeeds, { feed, run }: FeedAndRun) =>
  database.transaction(async (db) => {
    if ((await runs.endRun(db, run.id, 'discarded', run.problem)) === 0) return
    await runs.forgetPrint(db, run.id)
    await beginNext(db, feed.id)
    await record(db, feed, 'discard')
  })
