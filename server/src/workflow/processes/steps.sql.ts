/** SQL that stores the results of steps: one statement each, for one process or a thousand. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

interface MovedRow {
  readonly id: number
  readonly state: 'running' | 'finished' | 'failed' | 'cancelled'
  /** Absent if the process was inserted with it. */
  readonly engine: string
  readonly problem?: string | undefined
  readonly variables: object
}

export const updateProcess = (db: Db, { id, state, engine, problem, variables }: MovedRow) =>
  db.run(sql`
    update workflow_process
    set state = ${state}, engine = ${engine}, problem = ${problem ?? null}, variables = ${JSON.stringify(variables)}::jsonb,
        ended_at = case when ${state} = 'running' then null else now() end
    where id = ${id}`)

export interface NewTask {
  readonly id: number
  readonly processId: number
  readonly waitKey: string
  readonly element: string
  readonly name: string
  readonly description: string
  readonly item?: string
  readonly assignee?: string
  readonly candidateUsers: readonly string[]
  readonly candidateRoles: readonly string[]
  readonly priority: number
  readonly dueAt?: Date
  readonly form: readonly object[]
}

export const insertTasks = (db: Db, tasks: readonly NewTask[]) =>
  db.run(sql`
    insert into workflow_task (id, process_id, wait_key, element, name, description, item, assignee, claimed_at,
                               candidate_users, candidate_roles, priority, due_at, form)
    select id, "processId", "waitKey", element, name, description, item, assignee,
           case when assignee is not null then now() end,
           array(select jsonb_array_elements_text("candidateUsers")), array(select jsonb_array_elements_text("candidateRoles")),
           priority, "dueAt", form
    from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as t (
      id bigint, "processId" bigint, "waitKey" text, element text, name text, description text, item text,
      assignee text, "candidateUsers" jsonb, "candidateRoles" jsonb, priority integer, "dueAt" timestamptz, form jsonb)`)

export interface NewJob {
  readonly id: number
  readonly processId: number
  readonly waitKey: string
  readonly kind: 'service' | 'timer' | 'message'
  readonly element: string
  readonly name: string
  readonly job?: string
  readonly messageId?: string
  readonly item?: unknown
  readonly runAt?: Date
}

export const insertJobs = (db: Db, jobs: readonly NewJob[]) =>
  db.run(sql`
    insert into workflow_job (id, process_id, wait_key, kind, element, name, job, message_id, item, run_at)
    select id, "processId", "waitKey", kind, element, name, job, "messageId", item, "runAt"
    from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as j (
      id bigint, "processId" bigint, "waitKey" text, kind text, element text, name text, job text, "messageId" text,
      item jsonb, "runAt" timestamptz)`)

/** Cancels the open tasks and jobs that the process no longer waits for. */
export const cancelOthers = (db: Db, processId: number, waitKeys: readonly string[]) =>
  db.run(sql`
    with gone as (
      update workflow_task set state = 'cancelled', ended_at = now()
      where process_id = ${processId} and state = 'open' and wait_key <> all (${waitKeys}::text[])
    )
    update workflow_job set state = 'cancelled', ended_at = now()
    where process_id = ${processId} and state in ('waiting', 'failed') and wait_key <> all (${waitKeys}::text[])`)

export interface NewEvent {
  readonly processId: number
  readonly element: string
  readonly event: string
  readonly text?: string
}

export const insertEvents = (db: Db, userName: string, events: readonly NewEvent[]) =>
  db.run(sql`
    insert into workflow_event (process_id, element, event, user_name, text, at)
    select "processId", element, event, ${userName}, text, clock_timestamp()
    from rows from (jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as ("processId" bigint, element text, event text, text text)) with ordinality as e
    order by e.ordinality`)
