/** Every statement about the state of the installation. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

export const findDatabase = async (db: Db) =>
  (await db.row<{ version: string; size: number; changes: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      coalesce((
        select sum(greatest(c.reltuples, 0))::bigint from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'outbox'::regclass), 0) as changes`))!

/** A job is dead when it has used up its attempts. */
const isDead = sql`attempts >= max_attempts and locked_at is null`

export const countJobs = async (db: Db) =>
  (await db.row<{ waiting: number; scheduled: number; running: number; failed: number; oldest: Date | null }>(sql`
    with open as (select *, ${isDead} as dead from graphile_worker.jobs)
    select count(*) filter (where not dead and locked_at is null and run_at <= now())::int as waiting,
      count(*) filter (where not dead and locked_at is null and run_at > now())::int as scheduled,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where dead)::int as failed,
      min(run_at) filter (where not dead and locked_at is null and run_at <= now()) as oldest
    from open`))!

interface DeadJob {
  readonly id: string
  readonly job: string
  readonly attempts: number
  readonly failedAt: Date
  readonly problem: string | null
}
export const findDeadJobs = (db: Db, limit: number) =>
  db.rows<DeadJob>(sql`
    select id::text, task_identifier as job, attempts, updated_at as "failedAt", last_error as problem
    from graphile_worker.jobs where ${isDead} order by updated_at desc limit ${limit}`)

/** Only dead jobs: the others are in the hands of the workers. Returns the number of jobs. */
export const retryDeadJob = (db: Db, id: string) =>
  db.run(sql`
    select graphile_worker.reschedule_jobs(array[id], run_at := now(), attempts := 0)
    from graphile_worker.jobs where id = ${id}::bigint and ${isDead}`)
export const deleteDeadJob = (db: Db, id: string) =>
  db.run(sql`
    select graphile_worker.complete_jobs(array[id]) from graphile_worker.jobs where id = ${id}::bigint and ${isDead}`)

export const countDeliveries = async (db: Db) =>
  (await db.row<{ waiting: number; failing: number }>(sql`
    select (select count(*) from webhook_delivery where state = 'waiting')::int as waiting,
      (select count(*) from webhook where failing_since is not null or problem is not null)::int as failing`))!

export const findLastBackup = (db: Db) =>
  db.row<{ at: Date; object: string; detail: string }>(sql`
    select at, object, detail from audit_event where action = 'backup.take' order by seq desc limit 1`)
