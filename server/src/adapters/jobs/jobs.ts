/**
 * Jobs in PostgreSQL: enqueued in the transaction that needs them, run by any process with the worker role.
 *
 * The queue keeps a job of a crashed worker locked for hours. So every worker holds an advisory lock of its own on one
 * connection, which the database releases the moment the process dies; whoever finds a job locked by a worker whose
 * lock is free gives the job back.
 */
import { EventEmitter } from 'node:events'
import { Logger, type ParsedCronItem, parseCronItems, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Db } from '../postgres/db.ts'
import { sql } from '../postgres/sql.ts'

export type Job = (payload: never) => Promise<void>
export type JobTable = Readonly<Record<string, Job>>
/** Job name -> five-field time table, for jobs that run by the clock. */
export type TimeTable = Readonly<Record<string, string>>
export type Log = (level: 'error' | 'warn' | 'info' | 'debug', message: string) => void

export interface JobOptions {
  readonly runAt?: Date
  /** A job with the same key that has not started yet is replaced. */
  readonly key?: string
  readonly maxAttempts?: number
}

export const addJob = (db: Db, name: string, payload: object, options: JobOptions = {}) =>
  db.run(sql`
    select from graphile_worker.add_job(
      ${name}, payload := ${JSON.stringify(payload)}::json, run_at := ${options.runAt ?? null}::timestamptz,
      job_key := ${options.key ?? null}::text, max_attempts := ${options.maxAttempts ?? 25}::int)`)

/** Creates or updates the queue's own tables. */
export async function migrateJobs(config: pg.PoolConfig): Promise<void> {
  const pool = openPool(config, 1)
  await runMigrations({ pgPool: pool, logger: toLogger(() => {}) })
  await pool.end()
}

export interface Worker {
  stop(): Promise<void>
}

export async function startWorker(
  config: pg.PoolConfig,
  jobs: JobTable,
  timeTable: TimeTable,
  log: Log,
  concurrency = 2,
): Promise<Worker> {
  const pool = openPool(config, concurrency + 4)
  const holder = await pool.connect()
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => void holdLock(holder, workerPool.id))
  const runner = await run({
    pgPool: pool,
    events,
    taskList: Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, (payload) => job(payload as never)])),
    parsedCronItems: toCronItems(timeTable),
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: toLogger(log),
  })
  const release = () => releaseDead(pool).catch((error: Error) => log('warn', error.message))
  const sweep = setInterval(release, 5000)
  await release()
  return {
    async stop() {
      clearInterval(sweep)
      await runner.stop()
      holder.release()
      await pool.end()
    },
  }
}

const lockSpace = 11
const holdLock = (client: pg.PoolClient, worker: string) =>
  client.query('select pg_advisory_lock(hashtextextended($1, $2))', [worker, lockSpace])

/** Gives back the jobs of workers that are gone. The ten seconds cover a worker that has just begun and not locked yet. */
const releaseDead = (pool: pg.Pool) =>
  pool.query(
    `with holder as (
       select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '10 seconds'
     ), dead as (
       select locked_by from holder where pg_try_advisory_xact_lock(hashtextextended(locked_by, $1))
     )
     select graphile_worker.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`,
    [lockSpace],
  )

function toCronItems(timeTable: TimeTable): ParsedCronItem[] {
  return parseCronItems(Object.entries(timeTable).map(([task, match]) => ({ task, match })))
}

function openPool(config: pg.PoolConfig, max: number): pg.Pool {
  const pool = new pg.Pool({ ...config, statement_timeout: 0, max })
  // A connection that breaks, idle or in use, fails its statement; the queue then connects again.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  return pool
}

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const
const toLogger = (log: Log) => new Logger(() => (level, message) => log(levels[level as keyof typeof levels], message))
