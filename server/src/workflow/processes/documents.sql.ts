/** SQL for the search documents of processes. */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { FoundObject } from '../../core/outbox/documents.ts'

export interface DocumentRow {
  readonly id: number
  readonly tid: string
  readonly name: string
  readonly configIdentifier: string
  readonly definitionKey: string
  readonly state: string
  readonly starter: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly problem: string | null
  readonly openTasks: readonly string[]
  readonly assignees: readonly string[]
  readonly nextDue: Date | null
  readonly objectTypes: readonly string[]
  readonly objectTids: readonly string[]
  readonly objectIds: readonly number[]
  readonly users: readonly string[]
  readonly roles: readonly string[]
}

export const readProcesses = (db: Db, ids: readonly number[]) =>
  db.rows<DocumentRow>(sql`
    select p.id, p.tid, p.name, p.config_identifier as "configIdentifier", d.key as "definitionKey", p.state, p.starter,
           p.started_at as "startedAt", p.ended_at as "endedAt", p.problem, t.*, o.*
    from workflow_process p join workflow_definition d on d.id = p.definition_id
    cross join lateral (
      select coalesce(array_agg(distinct name) filter (where state = 'open'), '{}') as "openTasks",
             coalesce(array_agg(distinct assignee) filter (where state = 'open' and assignee is not null), '{}') as assignees,
             min(due_at) filter (where state = 'open') as "nextDue",
             array(
               select distinct w.who from workflow_task u,
                 unnest(u.candidate_users || array_remove(array[u.assignee, u.completed_by], null)) as w (who)
               where u.process_id = p.id) as users,
             array(
               select distinct w.who from workflow_task r, unnest(r.candidate_roles) as w (who)
               where r.process_id = p.id) as roles
      from workflow_task where process_id = p.id
    ) as t
    cross join lateral (
      select coalesce(array_agg(distinct type), '{}') as "objectTypes", coalesce(array_agg(tid order by pos), '{}') as "objectTids",
             coalesce(array_agg(object_id order by pos), '{}') as "objectIds"
      from workflow_object where process_id = p.id
    ) as o
    where p.id = any(${ids}::bigint[]) order by p.id`)

export const listProcessIds = async (db: Db, after: number, limit: number) =>
  (
    await db.rows<{ id: number }>(sql`select id from workflow_process where id > ${after} order by id limit ${limit}`)
  ).map(({ id }) => id)

export const countAll = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*)::int as count from workflow_process`))!.count

export const findByTid = (db: Db, tids: readonly string[]) =>
  db.rows<FoundObject>(sql`
    select id, tid, '{}'::json as scopes from workflow_process where tid = any(${tids}::text[])`)

/** Processes as objects of events: whom they concern. */
export const describeProcesses = async (db: Db, ids: readonly Long[]) =>
  (await readProcesses(db, ids.map(Number))).map(({ id, tid, name, starter, users, roles }) => ({
    id,
    tid,
    path: name,
    audience: { users: [starter, ...users], roles },
  }))
