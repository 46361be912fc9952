/** All SQL for processes. */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { join, nothing, sql, type Sql } from '../../adapters/postgres/sql.ts'
import type { StoredCaller } from '../../core/context.ts'

/** Defaults for tasks from the configuration of the process. */
export interface Defaults {
  readonly candidateRoles: readonly string[]
  readonly deadline?: string
  readonly escalationRole?: string
}

interface NewProcess {
  readonly id: number
  readonly tid: string
  readonly variables: object
  readonly state: string
  /** Position in the list of engine states, because processes with equal first steps share one. */
  readonly engine: number
  readonly problem?: string
  readonly objects: readonly { type: string; dataType: string; id: number; tid: string }[]
}

interface StartFacts {
  readonly configIdentifier: string
  readonly name: string
  readonly definitionId: number
  readonly principal: StoredCaller
  readonly defaults: Defaults
}

export async function insertProcesses(
  db: Db,
  facts: StartFacts,
  engines: readonly string[],
  processes: readonly NewProcess[],
): Promise<void> {
  await db.run(sql`
    insert into workflow_process (id, tid, config_identifier, name, definition_id, state, starter, principal, defaults,
                                  variables, engine, problem, ended_at)
    select id, tid, ${facts.configIdentifier}, ${facts.name}, ${facts.definitionId}, state, ${facts.principal.userName},
           ${JSON.stringify(facts.principal)}::jsonb, ${JSON.stringify(facts.defaults)}::jsonb, variables,
           (${engines}::text[])[engine + 1], problem, case when state <> 'running' then now() end
    from jsonb_to_recordset(${JSON.stringify(processes)}::jsonb)
      as p (id bigint, tid text, variables jsonb, state text, engine integer, problem text)`)
  const objects = processes.flatMap(({ id: processId, objects }) =>
    objects.map((one, pos) => ({ processId, pos, ...one })),
  )
  if (objects.length === 0) return
  await db.run(sql`
    insert into workflow_object (process_id, pos, type, data_type, object_id, tid)
    select "processId", pos, type, "dataType", id, tid
    from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb)
      as o ("processId" bigint, pos integer, type text, "dataType" text, id bigint, tid text)`)
}

export interface LockedProcess {
  readonly id: number
  readonly tid: string
  readonly name: string
  readonly definitionId: number
  readonly state: string
  readonly starter: string
  readonly principal: StoredCaller
  readonly defaults: Defaults
  readonly variables: Record<string, unknown>
  readonly engine: string
}

/** Locks a process. Every change of a process happens under this lock. */
export const lockProcess = (db: Db, id: number) =>
  db.row<LockedProcess>(sql`
    select id, tid, name, definition_id as "definitionId", state, starter, principal, defaults, variables, engine
    from workflow_process where id = ${id} for update`)

/** Cancels a process together with its open tasks and jobs. */
export const cancelProcess = (db: Db, id: number, reason: string) =>
  db.run(sql`
    with tasks as (
      update workflow_task set state = 'cancelled', ended_at = now() where process_id = ${id} and state = 'open'
    ), jobs as (
      update workflow_job set state = 'cancelled', ended_at = now()
      where process_id = ${id} and state in ('waiting', 'failed')
    )
    update workflow_process set state = 'cancelled', ended_at = now(), problem = ${reason}, engine = '' where id = ${id}`)

/** The user who is asking. Administrators see everything, others the processes they started or have tasks in. */
export interface Viewer {
  readonly userName: string
  readonly roles: readonly string[]
  readonly isAdmin: boolean
}

/** A condition on the task t. */
export const taskIsOf = ({ userName, roles }: Viewer): Sql => sql`
  (t.assignee = ${userName} or ${userName} = any(t.candidate_users) or t.candidate_roles && ${roles}::text[]
   or t.completed_by = ${userName})`

/** A condition on the process p. */
const processIsFor = (viewer: Viewer): Sql =>
  viewer.isAdmin
    ? sql`true`
    : sql`(p.starter = ${viewer.userName}
        or exists (select from workflow_task t where t.process_id = p.id and ${taskIsOf(viewer)}))`

export interface ProcessFilter {
  readonly states?: readonly string[]
  readonly configIdentifier?: string
  readonly definitionKey?: string
  readonly starter?: string
  readonly object?: { readonly type: string; readonly id?: Long; readonly tid?: string }
  readonly startedAfter?: string
  readonly startedBefore?: string
  readonly overdue?: boolean
}

function conditionsOf(viewer: Viewer, filter: ProcessFilter): Sql {
  const { states, configIdentifier, definitionKey, starter, object, startedAfter, startedBefore, overdue } = filter
  const conditions = [
    processIsFor(viewer),
    ...(states ? [sql`p.state = any(${states}::text[])`] : []),
    ...(configIdentifier === undefined ? [] : [sql`p.config_identifier = ${configIdentifier}`]),
    ...(definitionKey === undefined ? [] : [sql`d.key = ${definitionKey}`]),
    ...(starter === undefined ? [] : [sql`p.starter = ${starter}`]),
    ...(object ? [sql`exists (select from workflow_object o where o.process_id = p.id and ${objectIs(object)})`] : []),
    ...(startedAfter === undefined ? [] : [sql`p.started_at >= ${startedAfter}::timestamptz`]),
    ...(startedBefore === undefined ? [] : [sql`p.started_at < ${startedBefore}::timestamptz`]),
    ...(overdue
      ? [
          sql`exists (
      select from workflow_task t where t.process_id = p.id and t.state = 'open' and t.due_at < now())`,
        ]
      : []),
  ]
  return join(conditions, ' and ')
}

/** A condition on the object o. */
export const objectIs = ({ type, id, tid }: NonNullable<ProcessFilter['object']>): Sql =>
  id === undefined ? sql`o.type = ${type} and o.tid = ${tid ?? ''}` : sql`o.type = ${type} and o.object_id = ${id}`

export interface LinkedRow {
  readonly type: string
  readonly id: number
  readonly tid: string
}

export interface ProcessRow {
  readonly id: number
  readonly tid: string
  readonly name: string
  readonly configIdentifier: string
  readonly definitionId: number
  readonly definitionKey: string
  readonly definitionVersion: number
  readonly state: 'running' | 'finished' | 'cancelled' | 'failed'
  readonly starter: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly problem: string | null
  readonly linkedObjects: readonly LinkedRow[]
  readonly openTasks: number
  readonly failedJobs: number
  readonly nextDue: string | null
  readonly activeElements: readonly string[]
}

export const objectsOf = (processId: Sql): Sql => sql`coalesce((
  select jsonb_agg(jsonb_build_object('type', o.type, 'id', o.object_id, 'tid', o.tid) order by o.pos)
  from workflow_object o where o.process_id = ${processId}), '[]')`

const columns = sql`
  p.id, p.tid, p.name, p.config_identifier as "configIdentifier", p.definition_id as "definitionId", d.key as "definitionKey",
  d.version as "definitionVersion", p.state, p.starter, p.started_at as "startedAt", p.ended_at as "endedAt", p.problem,
  ${objectsOf(sql`p.id`)} as "linkedObjects", w.*`
/** Counts of open tasks and jobs. */
const waiting = sql`
  cross join lateral (
    select count(*) filter (where kind = 'task')::int as "openTasks",
           count(*) filter (where kind = 'failed')::int as "failedJobs",
           min(due) as "nextDue",
           coalesce(array_agg(distinct element), '{}') as "activeElements"
    from (
      select 'task' as kind, element, due_at as due from workflow_task where process_id = p.id and state = 'open'
      union all
      select state, element, null from workflow_job where process_id = p.id and state in ('waiting', 'failed')
    ) as open
  ) as w`

export const listProcesses = (
  db: Db,
  viewer: Viewer,
  filter: ProcessFilter,
  before: number | undefined,
  count: number,
) =>
  db.rows<ProcessRow>(sql`
    select ${columns}
    from (
      select p.* from workflow_process p join workflow_definition d on d.id = p.definition_id
      where ${conditionsOf(viewer, filter)} ${before === undefined ? nothing : sql`and p.id < ${before}`}
      order by p.id desc limit ${count}
    ) p join workflow_definition d on d.id = p.definition_id ${waiting}
    order by p.id desc`)

export const countProcesses = async (db: Db, viewer: Viewer, filter: ProcessFilter) =>
  (await db.row<{ count: number }>(sql`
    select count(*) as count from workflow_process p join workflow_definition d on d.id = p.definition_id
    where ${conditionsOf(viewer, filter)}`))!.count

export const findProcess = (db: Db, viewer: Viewer, id: number) =>
  db.row<ProcessRow & { variables: Record<string, unknown> }>(sql`
    select ${columns}, p.variables
    from workflow_process p join workflow_definition d on d.id = p.definition_id ${waiting}
    where p.id = ${id} and ${processIsFor(viewer)}`)

export interface EventRow {
  readonly at: Date
  readonly element: string
  readonly event: string
  readonly user: string
  readonly text: string | null
}

export const listEvents = (db: Db, processId: number, limit: number) =>
  db.rows<EventRow>(sql`
    select at, element, event, user_name as "user", text from workflow_event
    where process_id = ${processId} order by id limit ${limit}`)

/** Deletes those of the processes that have ended; returns their ids. */
export const deleteEnded = (db: Db, ids: readonly number[]) =>
  db.writeRows<{ id: number }>(
    sql`delete from workflow_process where id = any(${ids}::bigint[]) and state <> 'running' returning id`,
  )

export const findStates = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; state: string }>(sql`select id, state from workflow_process where id = any(${ids}::bigint[])`)

/** Ended processes whose retention period is over, up to `limit`. */
export const findExpired = (db: Db, days: number, limit: number) =>
  db.rows<{ id: number }>(sql`
    select id from workflow_process where ended_at < now() - make_interval(days => ${days}) order by ended_at limit ${limit}`)

/** The jobs that wait for a message or signal of this name, in processes that the viewer may see. */
export const findWaiting = (db: Db, viewer: Viewer, name: string, ids: readonly number[] | undefined) =>
  db.rows<{ id: number; processId: number; messageId: string }>(sql`
    select j.id, j.process_id as "processId", j.message_id as "messageId"
    from workflow_job j join workflow_process p on p.id = j.process_id
    where j.kind = 'message' and j.state = 'waiting' and j.job = ${name} and ${processIsFor(viewer)}
      ${ids ? sql`and j.process_id = any(${ids}::bigint[])` : nothing}
    order by j.process_id limit 1000`)

interface CountRow {
  readonly configIdentifier: string
  readonly name: string
  readonly running: number
  readonly finished: number
  readonly cancelled: number
  readonly failed: number
  readonly averageSeconds: number | null
  readonly openTasks: number
  readonly overdueTasks: number
  readonly failedJobs: number
}

export const countByConfiguration = (db: Db, viewer: Viewer) =>
  db.rows<CountRow>(sql`
    with process as (
      select p.id, p.config_identifier, p.name, p.state, p.started_at, p.ended_at from workflow_process p
      where ${processIsFor(viewer)}
    ), tasks as (
      select process_id, count(*) as open, count(*) filter (where due_at < now()) as overdue
      from workflow_task where state = 'open' group by process_id
    ), jobs as (
      select process_id, count(*) as failed from workflow_job where state = 'failed' group by process_id
    )
    select p.config_identifier as "configIdentifier", max(p.name) as name,
           count(*) filter (where p.state = 'running')::int as running,
           count(*) filter (where p.state = 'finished')::int as finished,
           count(*) filter (where p.state = 'cancelled')::int as cancelled,
           count(*) filter (where p.state = 'failed')::int as failed,
           round(extract(epoch from avg(p.ended_at - p.started_at) filter (where p.state = 'finished')))::int as "averageSeconds",
           coalesce(sum(t.open), 0)::int as "openTasks", coalesce(sum(t.overdue), 0)::int as "overdueTasks",
           coalesce(sum(j.failed), 0)::int as "failedJobs"
    from process p left join tasks t on t.process_id = p.id left join jobs j on j.process_id = p.id
    group by p.config_identifier order by p.config_identifier`)
