/** All SQL for jobs. */
import type { Db } from '../../adapters/postgres/db.ts'
import { join, nothing, sql } from '../../adapters/postgres/sql.ts'
import type { StoredCaller } from '../../core/context.ts'

export interface OpenJob {
  readonly id: number
  readonly processId: number
  readonly waitKey: string
  readonly kind: 'service' | 'timer' | 'message'
  readonly element: string
  readonly job: string | null
  readonly item: unknown
  readonly state: string
  readonly attempts: number
}
const columns = sql`
  j.id, j.process_id as "processId", j.wait_key as "waitKey", j.kind, j.element, j.job, j.item, j.state, j.attempts`

export interface FoundJob extends OpenJob {
  readonly tid: string
  readonly name: string
  readonly definitionId: number
  readonly principal: StoredCaller
  readonly variables: Record<string, unknown>
}

/** A job that is still open, with its process. */
export const findOpen = (db: Db, id: number) =>
  db.row<FoundJob>(sql`
    select ${columns}, p.tid, p.name, p.definition_id as "definitionId", p.principal, p.variables
    from workflow_job j join workflow_process p on p.id = j.process_id
    where j.id = ${id} and j.state = 'waiting' and p.state = 'running'`)

/** Call it while holding the lock of the process. */
export const findJob = (db: Db, id: number) =>
  db.row<OpenJob>(sql`select ${columns} from workflow_job j where j.id = ${id}`)

export const endJob = (db: Db, id: number, state: 'done' | 'failed', problem?: string) =>
  db.run(sql`
    update workflow_job
    set state = ${state}, ended_at = now(), attempts = attempts + 1, problem = ${problem ?? null}
    where id = ${id}`)

export const delayJob = (db: Db, id: number, runAt: Date, problem: string) =>
  db.run(sql`
    update workflow_job set attempts = attempts + 1, run_at = ${runAt}, problem = ${problem} where id = ${id}`)

/** Sets the failed ones among these jobs to waiting again and returns them. */
export const reopenJobs = (db: Db, ids: readonly number[]) =>
  db.writeRows<{ id: number; processId: number; kind: 'service' | 'timer' | 'message' }>(sql`
    update workflow_job j set state = 'waiting', ended_at = null, attempts = 0, run_at = null
    from workflow_process p
    where j.id = any(${ids}::bigint[]) and j.state = 'failed' and p.id = j.process_id and p.state = 'running'
    returning j.id, j.process_id as "processId", j.kind`)

export const findStates = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; state: string }>(sql`select id, state from workflow_job where id = any(${ids}::bigint[])`)

export interface JobRow {
  readonly id: number
  readonly processId: number
  readonly element: string
  readonly name: string
  readonly kind: 'service' | 'timer' | 'message'
  readonly job: string | null
  readonly item: unknown
  readonly state: 'waiting' | 'done' | 'failed' | 'cancelled'
  readonly attempts: number
  readonly runAt: Date | null
  readonly endedAt: Date | null
  readonly problem: string | null
}
const jobColumns = sql`
  id, process_id as "processId", element, name, kind, job, item, state, attempts, run_at as "runAt", ended_at as "endedAt",
  problem`

interface JobFilter {
  readonly states?: readonly string[]
  readonly kinds?: readonly string[]
  readonly processIds?: readonly number[]
}
const conditionsOf = ({ states, kinds, processIds }: JobFilter) =>
  join(
    [
      sql`true`,
      ...(states ? [sql`state = any(${states}::text[])`] : []),
      ...(kinds ? [sql`kind = any(${kinds}::text[])`] : []),
      ...(processIds ? [sql`process_id = any(${processIds}::bigint[])`] : []),
    ],
    ' and ',
  )

export const listJobs = (db: Db, filter: JobFilter, before: number | undefined, count: number) =>
  db.rows<JobRow>(sql`
    select ${jobColumns} from workflow_job
    where ${conditionsOf(filter)} ${before === undefined ? nothing : sql`and id < ${before}`}
    order by id desc limit ${count}`)

export const countJobs = async (db: Db, filter: JobFilter) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from workflow_job where ${conditionsOf(filter)}`))!
    .count

export const jobsOf = (db: Db, processId: number) =>
  db.rows<JobRow>(sql`select ${jobColumns} from workflow_job where process_id = ${processId} order by id`)
