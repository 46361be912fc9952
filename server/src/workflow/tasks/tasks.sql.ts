/** All SQL for tasks. */
import type { Db } from '../../adapters/postgres/db.ts'
import { join, sql, type Sql } from '../../adapters/postgres/sql.ts'
import {
  objectIs,
  objectsOf,
  type LinkedRow,
  type ProcessFilter,
  taskIsOf,
  type Viewer,
} from '../processes/processes.sql.ts'

export interface FieldRow {
  readonly key: string
  readonly name: string
  readonly type: 'string' | 'double' | 'integer' | 'long' | 'boolean' | 'date' | 'language'
  readonly required: boolean
  readonly multiple: boolean
  readonly allowedValues: readonly string[]
  readonly defaultValue?: string
}

export interface TaskRow {
  readonly id: number
  readonly processId: number
  readonly processName: string
  readonly starter: string
  readonly configIdentifier: string
  readonly element: string
  readonly name: string
  readonly description: string
  readonly item: string | null
  readonly state: 'open' | 'completed' | 'cancelled'
  readonly assignee: string | null
  readonly candidateUsers: readonly string[]
  readonly candidateRoles: readonly string[]
  readonly priority: number
  readonly dueDate: Date | null
  readonly overdue: boolean
  readonly createdAt: Date
  readonly claimedAt: Date | null
  readonly endedAt: Date | null
  readonly completedBy: string | null
  readonly form: readonly FieldRow[]
  readonly values: object | null
  readonly linkedObjects: readonly LinkedRow[]
  readonly comments: readonly { at: string; user: string; text: string }[]
}

const columns = sql`
  t.id, t.process_id as "processId", p.name as "processName", p.starter, p.config_identifier as "configIdentifier", t.element, t.name,
  t.description, t.item, t.state, t.assignee, t.candidate_users as "candidateUsers", t.candidate_roles as "candidateRoles",
  t.priority, t.due_at as "dueDate", t.state = 'open' and coalesce(t.due_at < now(), false) as overdue,
  t.created_at as "createdAt", t.claimed_at as "claimedAt", t.ended_at as "endedAt", t.completed_by as "completedBy",
  t.form, t.values, ${objectsOf(sql`t.process_id`)} as "linkedObjects",
  coalesce((
    select jsonb_agg(jsonb_build_object('at', c.at, 'user', c.user_name, 'text', c.text) order by c.id)
    from workflow_comment c where c.task_id = t.id), '[]') as comments`

interface TaskFilter {
  readonly scope: 'mine' | 'candidate' | 'inbox' | 'all'
  readonly states: readonly string[]
  readonly assignee?: string
  readonly processIds?: readonly number[]
  readonly configIdentifier?: string
  readonly overdue?: boolean
  readonly dueBefore?: string
  readonly object?: ProcessFilter['object']
}

const mine = ({ userName }: Viewer) => sql`t.assignee = ${userName}`
const mayClaim = ({ userName, roles }: Viewer) =>
  sql`(t.assignee is null and (${userName} = any(t.candidate_users) or t.candidate_roles && ${roles}::text[]))`

/** A condition on the task t of the process p: whether the viewer may see it. */
const taskIsFor = (viewer: Viewer): Sql =>
  viewer.isAdmin ? sql`true` : sql`(${taskIsOf(viewer)} or p.starter = ${viewer.userName})`

const scopes: Readonly<Record<TaskFilter['scope'], (viewer: Viewer) => Sql>> = {
  mine,
  candidate: mayClaim,
  inbox: (viewer) => sql`(${mine(viewer)} or ${mayClaim(viewer)})`,
  all: taskIsFor,
}

function conditionsOf(viewer: Viewer, filter: TaskFilter): Sql {
  const { states, assignee, processIds, configIdentifier, overdue, dueBefore, object } = filter
  return join(
    [
      scopes[filter.scope](viewer),
      sql`t.state = any(${states}::text[])`,
      ...(assignee === undefined ? [] : [sql`t.assignee = ${assignee}`]),
      ...(processIds ? [sql`t.process_id = any(${processIds}::bigint[])`] : []),
      ...(configIdentifier === undefined ? [] : [sql`p.config_identifier = ${configIdentifier}`]),
      ...(overdue ? [sql`t.state = 'open' and t.due_at < now()`] : []),
      ...(dueBefore === undefined ? [] : [sql`t.due_at < ${dueBefore}::timestamptz`]),
      ...(object
        ? [sql`exists (select from workflow_object o where o.process_id = t.process_id and ${objectIs(object)})`]
        : []),
    ],
    ' and ',
  )
}

const orders = {
  newest: sql`t.id desc`,
  dueDate: sql`t.due_at nulls last, t.priority desc, t.id`,
  priority: sql`t.priority desc, t.due_at nulls last, t.id`,
} as const

export const listTasks = (
  db: Db,
  viewer: Viewer,
  filter: TaskFilter,
  page: { sort: keyof typeof orders; offset: number; count: number },
) =>
  db.rows<TaskRow>(sql`
    select ${columns} from workflow_task t join workflow_process p on p.id = t.process_id
    where ${conditionsOf(viewer, filter)} order by ${orders[page.sort]} limit ${page.count} offset ${page.offset}`)

export const countTasks = async (db: Db, viewer: Viewer, filter: TaskFilter) =>
  (await db.row<{ count: number }>(sql`
    select count(*) as count from workflow_task t join workflow_process p on p.id = t.process_id
    where ${conditionsOf(viewer, filter)}`))!.count

export const findTask = (db: Db, viewer: Viewer, id: number) =>
  db.row<TaskRow>(sql`
    select ${columns} from workflow_task t join workflow_process p on p.id = t.process_id
    where t.id = ${id} and ${taskIsFor(viewer)}`)

export const tasksOf = (db: Db, viewer: Viewer, processId: number) =>
  db.rows<TaskRow>(sql`
    select ${columns} from workflow_task t join workflow_process p on p.id = t.process_id
    where t.process_id = ${processId} and ${taskIsFor(viewer)} order by t.id`)

export interface HeldTask {
  readonly id: number
  readonly processId: number
  readonly waitKey: string
  readonly name: string
  readonly state: string
  readonly assignee: string | null
  readonly isCandidate: boolean
  readonly form: readonly FieldRow[]
}

const held = (viewer: Viewer) => sql`
  t.id, t.process_id as "processId", t.wait_key as "waitKey", t.name, t.state, t.assignee, t.form,
  ${viewer.userName} = any(t.candidate_users) or t.candidate_roles && ${viewer.roles}::text[] as "isCandidate"`

/** Locks the tasks that the viewer may see, ordered by id to avoid deadlocks. */
export const lockTasks = (db: Db, viewer: Viewer, ids: readonly number[]) =>
  db.rows<HeldTask>(sql`
    select ${held(viewer)} from workflow_task t join workflow_process p on p.id = t.process_id
    where t.id = any(${ids}::bigint[]) and ${taskIsFor(viewer)} order by t.id for update of t`)

export const findProcessOf = async (db: Db, id: number) =>
  (await db.row<{ processId: number }>(sql`select process_id as "processId" from workflow_task where id = ${id}`))
    ?.processId

export const assignTasks = (db: Db, ids: readonly number[], assignee: string | null) =>
  db.run(sql`
    update workflow_task set assignee = ${assignee}, claimed_at = case when ${assignee}::text is null then null else now() end
    where id = any(${ids}::bigint[])`)

export const changeTasks = (
  db: Db,
  ids: readonly number[],
  priority: number | undefined,
  dueDate: string | undefined,
) =>
  db.run(sql`
    update workflow_task set
      priority = coalesce(${priority ?? null}::int, priority),
      overdue_told_at = case when ${dueDate ?? null}::timestamptz is null then overdue_told_at end,
      due_at = coalesce(${dueDate ?? null}::timestamptz, due_at)
    where id = any(${ids}::bigint[])`)

export const completeTask = (db: Db, id: number, userName: string, values: object) =>
  db.run(sql`
    update workflow_task
    set state = 'completed', ended_at = now(), completed_by = ${userName}, assignee = coalesce(assignee, ${userName}),
        values = ${JSON.stringify(values)}::jsonb
    where id = ${id}`)

export const insertComments = (db: Db, ids: readonly number[], userName: string, text: string) =>
  db.run(sql`
    insert into workflow_comment (task_id, user_name, text) select unnest(${ids}::bigint[]), ${userName}, ${text}`)

export interface OverdueRow {
  readonly id: number
  readonly processId: number
  readonly name: string
  readonly assignee: string | null
  readonly candidateUsers: readonly string[]
  readonly candidateRoles: readonly string[]
  readonly dueAt: Date
  readonly processName: string
  readonly escalationRole: string | null
  /** Of the linked objects. */
  readonly tids: readonly string[]
}

/**
 * Marks newly overdue tasks as notified and returns them. Skips locked rows, so two servers never take the same task.
 */
export const takeOverdue = (db: Db, limit: number) =>
  db.writeRows<OverdueRow>(sql`
    update workflow_task t set overdue_told_at = now(), priority = least(100, t.priority + 25)
    from workflow_process p
    where p.id = t.process_id and t.id in (
      select id from workflow_task
      where state = 'open' and overdue_told_at is null and due_at < now()
      order by due_at limit ${limit} for update skip locked)
    returning t.id, t.process_id as "processId", t.name, t.assignee, t.candidate_users as "candidateUsers",
      t.candidate_roles as "candidateRoles", t.due_at as "dueAt", p.name as "processName",
      p.defaults->>'escalationRole' as "escalationRole",
      array(select o.tid from workflow_object o where o.process_id = p.id) as tids`)
