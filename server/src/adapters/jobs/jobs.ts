/**
 * Jobs in PostgreSQL: enqueued in the transaction that needs them, run by any process with the worker role.
 *
 * A job runs at least once: after a crash, or when the database was unavailable, it runs again, perhaps while the first run
 * has not quite ended. So a job stores its own progress in transactions and locks what it works on.
 *
 * The queue keeps a job of a crashed worker locked for hours. Therefore every worker holds an advisory lock of its own
 * (session-locks.ts) before it takes its first job. A worker that finds a job whose worker lost its lock releases the job.
 */
import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Logger,
  type ParsedCronItem,
  parseCronItems,
  run,
  runMigrations,
  type Task,
  type WorkerEvents,
} from 'graphile-worker'
import { Pool, type PoolConfig } from 'pg'
import type { Db } from '../postgres/db.ts'
import { createSessionLocks } from '../postgres/session-locks.ts'
import { sql } from '../postgres/sql.ts'
import { type TraceContext, traceContext, type Tracing, untilEnd } from '../tracing/tracing.ts'

/**
 * `stop` is aborted when the worker is about to end; a long job may then leave the rest to another job. `attempt` counts
 * from 1; a process that was killed has made one, too.
 */
export type Job = (payload: never, stop: AbortSignal, attempt?: number) => Promise<void>
export type JobTable = Readonly<Record<string, Job>>
/** Job name -> five-field cron expression, for scheduled jobs. */
export type TimeTable = Readonly<Record<string, string>>
export type Log = (level: 'error' | 'warn' | 'info' | 'debug', message: string) => void

interface JobOptions {
  readonly runAt?: Date
  /** A job with the same key that has not started yet is replaced. */
  readonly key?: string
  readonly maxAttempts?: number
  /** Of the jobs of one queue, one runs at a time in all processes. */
  readonly queue?: string
}

export const addJob = (db: Db, name: string, payload: object, options: JobOptions = {}) =>
  db.run(sql`
    select from graphile_worker.add_job(
      ${name}, payload := ${JSON.stringify(withTrace({ payload, ...options }).payload)}::json, run_at := ${options.runAt ?? null}::timestamptz,
      queue_name := ${options.queue ?? null}::text, job_key := ${options.key ?? null}::text, max_attempts := ${options.maxAttempts ?? 25}::int)`)

interface ManyJobs {
  readonly payload: object
  readonly key: string
  readonly runAt?: Date
}

/** Adds many jobs with one statement. */
export const addJobs = (db: Db, name: string, jobs: readonly ManyJobs[], maxAttempts = 25) =>
  db.run(sql`
    select from graphile_worker.add_jobs(array(
      select row(${name}, payload, null, "runAt", ${maxAttempts}::int, key, null, null)::graphile_worker.job_spec
      from jsonb_to_recordset(${JSON.stringify(jobs.map(withTrace))}::jsonb) as j (payload json, key text, "runAt" timestamptz)))`)

/** A job continues the trace in which it was added, unless it waits for its time. Jobs ignore this part of the payload. */
interface Traced {
  readonly _trace?: TraceContext
}
function withTrace<J extends { readonly payload: object; readonly runAt?: Date }>(job: J): J {
  const context = job.runAt ? undefined : traceContext()
  return context ? { ...job, payload: { ...job.payload, _trace: context } satisfies Traced } : job
}

export function traceJobs(tracing: Tracing | undefined, jobs: JobTable): JobTable {
  if (!tracing) return jobs
  const traced = (name: string, job: Job): Job => {
    const attributes = { 'kontor.job.name': name }
    return (payload, ...rest) =>
      untilEnd(tracing.begin(`job ${name}`, 'consumer', attributes, (payload as Traced | null)?._trace), () =>
        job(payload, ...rest),
      )
  }
  return Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, traced(name, job)]))
}

/** Creates or migrates the tables of the queue. */
export async function migrateJobs(config: PoolConfig): Promise<void> {
  const pool = openPool(config, 1)
  await runMigrations({ pgPool: pool, logger: toLogger(() => {}) })
  await pool.end()
}

export interface Worker {
  /** Resolves when the running jobs have ended. */
  stop(): Promise<void>
}

export async function startWorker(
  config: PoolConfig,
  jobs: JobTable,
  timeTable: TimeTable,
  log: Log,
  concurrency = 2,
): Promise<Worker> {
  const pool = openPool(config, concurrency + 3)
  const stopping = new AbortController()
  const { signal } = stopping
  const start = () => startQueue({ config, pool, jobs, timeTable, log, concurrency, stop: signal })
  let queue = await start()
  /** The queue stops when it cannot store the end of a job because the database is unavailable. */
  const keepRunning = async () => {
    for (;;) {
      await Promise.race([queue.ended, aborted(signal)])
      if (signal.aborted) return queue.stop()
      log('error', 'the job queue ended; it is being started again')
      await queue.stop()
      await pause(restartPause, undefined, { signal }).catch(() => {})
      queue = await start().catch((error: Error) => {
        log('error', error.message)
        return noQueue
      })
    }
  }
  const running = keepRunning()
  let stopped: Promise<void> | undefined
  const stop = async () => {
    stopping.abort()
    await running
    await pool.end()
  }
  return { stop: () => (stopped ??= stop()) }
}

const restartPause = 1000
const aborted = async (signal: AbortSignal) => signal.aborted || once(signal, 'abort')

interface Queue {
  /** Resolves when the queue has stopped, by itself or on request. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}
const noQueue: Queue = { ended: Promise.resolve(), stop: async () => {} }

interface QueueParts {
  readonly config: PoolConfig
  readonly pool: Pool
  readonly jobs: JobTable
  readonly timeTable: TimeTable
  readonly log: Log
  readonly concurrency: number
  readonly stop: AbortSignal
}

async function startQueue({ config, pool, jobs, timeTable, log, concurrency, stop }: QueueParts): Promise<Queue> {
  const events: WorkerEvents = new EventEmitter()
  const id = new Promise<string>((resolve) => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))
  const locks = createSessionLocks(config, lockSpace)
  let holding: Promise<unknown> | undefined
  const hold = async () => {
    holding ??= id.then((worker) => locks.take([worker])).finally(() => (holding = undefined))
    await holding
  }
  // The queue tries to stop when the end of a job cannot be stored. If that happens twice at once, it never does.
  const broken = new Promise<void>((resolve) => events.once('pool:fatalError', () => resolve()))
  const running = new Map<string, Promise<void>>()
  // The end of a job is stored a moment later.
  const forget = (id: string, run: Promise<void>) => {
    const isSame = () => running.get(id) === run
    setTimeout(() => isSame() && running.delete(id), longestTake * 1000).unref()
  }
  const runner = await run({
    pgPool: pool,
    events,
    // The payload is what `addJob` stored for this job name; only the job knows its type.
    taskList: Object.fromEntries(
      Object.entries(jobs).map(([name, job]): [string, Task] => [
        name,
        async (payload, { job: { id, attempts } }) => {
          const run = job(payload as never, stop, attempts)
          running.set(id, run)
          await run.finally(() => forget(id, run))
        },
      ]),
    ),
    parsedCronItems: toCronItems(timeTable),
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: toLogger(log),
    // Completing jobs in batches of one: unlike the queue's default, its failures are caught.
    preset: {
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      // Runs before the first job is taken.
      plugins: [{ name: 'kontor', version: '1.0.0', worker: { hooks: { startWorker: () => hold() } } }],
    },
  })
  const sweep = async () => {
    await hold()
    await releaseDead(pool)
    await releaseLost(pool, await id, [...running.keys()])
  }
  const sweepSafely = () => sweep().catch((error: Error) => log('warn', error.message))
  let sweeping = sweepSafely()
  const timer = setInterval(() => void (sweeping = sweeping.then(sweepSafely)), sweepInterval)
  await sweeping
  const ranOut = async () => {
    await broken
    const over = pause(longestEnd, undefined, { ref: false })
    await Promise.race([Promise.allSettled(running.values()), over])
  }
  return {
    ended: Promise.race([runner.promise, ranOut()]),
    async stop() {
      clearInterval(timer)
      const stopped = runner.stop().catch(() => {}) // it has stopped already
      await Promise.race([stopped, ranOut()])
      await sweeping
      await locks.close()
    },
  }
}

const sweepInterval = 2000
/** Milliseconds that a broken queue waits for its jobs before another one takes over. */
const longestEnd = 30_000
/** Seconds within which a worker knows the jobs that it has taken, and the end of one is stored. */
const longestTake = 30
const lockSpace = 11

/** Releases the jobs of workers that have lost their lock. */
const releaseDead = (pool: Pool) =>
  pool.query(
    `with holder as (
       select distinct locked_by from graphile_worker._private_jobs where locked_at is not null
     ), dead as (
       select locked_by from holder where pg_try_advisory_xact_lock(hashtextextended(locked_by, $1))
     )
     select graphile_worker.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`,
    [lockSpace],
  )

/** Releases the jobs that this worker took without knowing, because the reply of the database was lost. */
const releaseLost = (pool: Pool, worker: string, running: readonly string[]) =>
  pool.query(
    `with lost as (
       update graphile_worker._private_jobs set locked_by = null, locked_at = null
       where locked_by = $1 and locked_at < now() - make_interval(secs => $2) and id <> all ($3::bigint[])
       returning job_queue_id
     )
     update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
     from lost where q.id = lost.job_queue_id and q.locked_by = $1`,
    [worker, longestTake, running],
  )

function toCronItems(timeTable: TimeTable): ParsedCronItem[] {
  return parseCronItems(Object.entries(timeTable).map(([task, match]) => ({ task, match })))
}

function openPool(config: PoolConfig, max: number): Pool {
  const pool = new Pool({ ...config, statement_timeout: 0, max })
  // The statement on a broken connection fails too, and the queue reconnects.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  return pool
}

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const
const toLogger = (log: Log) => new Logger(() => (level, message) => log(levels[level as keyof typeof levels], message))
