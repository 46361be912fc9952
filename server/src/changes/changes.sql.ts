/** Every statement about changes of many objects. */
import type { Db } from '../adapters/postgres/db.ts'
import { type Sql, sql } from '../adapters/postgres/sql.ts'
import { newestFirst, olderThan } from '../core/batch/paging.sql.ts'
import type { StoredCaller } from '../core/context.ts'
import type { MatchDetail } from './link-by-name.ts'
import type { Kind } from './needs.ts'
import type { Operation } from './operations.ts'
import type { SlotChange } from './slots.ts'

export type State =
  'ready' | 'previewing' | 'previewed' | 'running' | 'finished' | 'failed' | 'cancelled' | 'undoing' | 'undone'

export interface ChangeRow {
  readonly id: string
  readonly kind: Kind
  readonly name: string | null
  /** The name of the rule that made it. */
  readonly rule: string | null
  readonly operations: readonly Operation[]
  readonly userName: string
  readonly principal: StoredCaller
  readonly state: State
  /** The outcomes are those of a preview. */
  readonly dry: boolean
  readonly total: number
  /** The number of the last object that was processed, and that was undone. */
  readonly position: number
  readonly undoPosition: number
  readonly processed: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  readonly undone: number
  readonly undoRefused: number
  /** A digest of the rights with which the values were read. */
  readonly rights: string | null
  readonly problem: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}
const columns = sql`id, kind, name, rule, operations, user_name as "userName", principal, state, dry, total, position,
  undo_position as "undoPosition", processed, changed, unchanged, refused, undone, undo_refused as "undoRefused", rights, problem,
  created_at as "createdAt", started_at as "startedAt", ended_at as "endedAt"`

type NewChange = Pick<ChangeRow, 'kind' | 'name' | 'operations' | 'principal'> & {
  readonly rule?: { readonly id: number; readonly name: string }
}

export const insertChange = async (db: Db, { kind, name, operations, principal, rule }: NewChange) =>
  (await db.writeRow<{ id: string }>(sql`
    insert into bulk_change (kind, name, operations, user_name, principal, rule_id, rule)
    values (${kind}, ${name}, ${JSON.stringify(operations)}::jsonb, ${principal.userName},
      ${JSON.stringify(principal)}::jsonb, ${rule?.id ?? null}, ${rule?.name ?? null}) returning id`))!.id

/** Adds objects by tid, numbered after `first`. Repeated tids are added once. */
export const addNamed = (db: Db, id: string, first: number, tids: readonly string[]) =>
  db.run(sql`
    insert into bulk_change_item (change_id, number, tid)
    select ${id}::uuid, ${first} + named.n, named.tid from unnest(${tids}::text[]) with ordinality as named (tid, n)
    on conflict do nothing`)
export const addSelected = (db: Db, id: string, selected: Sql, most: number) =>
  db.run(sql`
    insert into bulk_change_item (change_id, number, tid)
    select ${id}::uuid, s.id, s.tid from (${selected}) as s order by s.id limit ${most}`)
export const listSelected = async (db: Db, selected: Sql, most: number) =>
  (await db.rows<{ tid: string }>(sql`select s.tid from (${selected}) as s order by s.id limit ${most}`)).map(
    ({ tid }) => tid,
  )
export const countItems = async (db: Db, id: string) =>
  (await db.writeRow<{ total: number }>(sql`
    update bulk_change set total = (select count(*) from bulk_change_item where change_id = ${id}::uuid)
    where id = ${id}::uuid returning total`))!.total

export const findChange = (db: Db, id: string) =>
  db.row<ChangeRow>(sql`select ${columns} from bulk_change where id = ${id}::uuid`)
export const lockChange = (db: Db, id: string) =>
  db.row<ChangeRow>(sql`select ${columns} from bulk_change where id = ${id}::uuid for update`)
/** May return one row more than `count`. */
export const listChanges = (db: Db, userName: string | null, after: string | undefined, count: number) =>
  db.rows<ChangeRow>(sql`
    select ${columns} from bulk_change
    where user_name = coalesce(${userName}, user_name) ${olderThan(after, sql`bulk_change`)} ${newestFirst(count)}`)
/** The changes that a rule made, newest first. May return one row more than `count`. */
export const listOfRule = (db: Db, ruleId: number, after: string | undefined, count: number) =>
  db.rows<ChangeRow>(sql`
    select ${columns} from bulk_change
    where rule_id = ${ruleId} ${olderThan(after, sql`bulk_change`)} ${newestFirst(count)}`)
export const lastOfRules = (db: Db, ruleIds: readonly number[]) =>
  db.rows<ChangeRow & { ruleId: number }>(sql`
    select distinct on (rule_id) rule_id as "ruleId", ${columns} from bulk_change where rule_id = any(${ruleIds}::bigint[])
    order by rule_id, created_at desc, id desc`)
/** Which of these rules have a run that has not ended. */
export const runningRules = async (db: Db, ruleIds: readonly number[]) =>
  (
    await db.rows<{ ruleId: number }>(sql`
      select distinct rule_id as "ruleId" from bulk_change where rule_id = any(${ruleIds}::bigint[]) and state = 'running'`)
  ).map(({ ruleId }) => ruleId)
export const deleteChange = (db: Db, id: string) => db.run(sql`delete from bulk_change where id = ${id}::uuid`)
export const deleteOld = (db: Db, days: number) =>
  db.run(sql`
    delete from bulk_change where created_at < now() - make_interval(days => ${days})
      and state not in ('previewing', 'running', 'undoing')`)

/** Starts a preview or the change itself, at its first object. */
export const begin = (db: Db, id: string, state: State, dry: boolean) =>
  db.run(sql`
    update bulk_change set state = ${state}, dry = ${dry}, position = 0, processed = 0, changed = 0, unchanged = 0, refused = 0,
      rights = null, problem = null, ended_at = null, started_at = now() where id = ${id}::uuid`)
export const beginUndo = (db: Db, id: string) =>
  db.run(sql`
    update bulk_change set state = 'undoing', undo_position = 0, undo_refused = 0, problem = null, ended_at = null
    where id = ${id}::uuid`)
export const setState = (db: Db, id: string, state: State, problem: string | null = null) =>
  db.run(sql`
    update bulk_change set state = ${state}, problem = ${problem},
      ended_at = case when ${state} in ('finished', 'failed', 'cancelled', 'previewed', 'undone') then now() end
    where id = ${id}::uuid`)

// Objects

/** More about the outcome for an object. */
interface ItemDetail extends MatchDetail {
  readonly warnings?: readonly string[]
}

export interface ItemRow {
  readonly number: number
  readonly tid: string
  readonly name: string | null
  readonly status: 'changed' | 'unchanged' | 'refused' | null
  readonly reason: string | null
  readonly changes: readonly SlotChange[] | null
  readonly detail: ItemDetail | null
  readonly undo: 'undone' | 'refused' | null
  readonly undoReason: string | null
}
const itemColumns = sql`number, tid, name, status, reason, changes, detail, undo, undo_reason as "undoReason"`

/** PostgreSQL does not know that a change has just got many objects, and would sort the rest of them for every batch. */
export const noteStatistics = (db: Db) => db.run(sql`analyze bulk_change_item`)
export const nextItems = (db: Db, { id, position }: ChangeRow, count: number) =>
  db.rows<ItemRow>(sql`
    select ${itemColumns} from bulk_change_item
    where change_id = ${id}::uuid and number > ${position} order by number limit ${count}`)
/** The next objects that were changed and are not undone. */
export const nextChanged = (db: Db, { id, position, undoPosition }: ChangeRow, count: number) =>
  db.rows<ItemRow>(sql`
    select ${itemColumns} from bulk_change_item
    where change_id = ${id}::uuid and number > ${undoPosition} and number <= ${position} and status = 'changed'
      and undo is distinct from 'undone' order by number limit ${count}`)

interface Filter {
  readonly status: string | undefined
  readonly undo: string | undefined
}
/** The processed objects after a number. */
export const listItems = (
  db: Db,
  { id, position }: ChangeRow,
  { status, undo }: Filter,
  after: number,
  count: number,
) =>
  db.rows<ItemRow>(sql`
    select ${itemColumns} from bulk_change_item
    where change_id = ${id}::uuid and number > ${after} and number <= ${position}
      and status = coalesce(${status ?? null}, status) and (${undo ?? null}::text is null or undo = ${undo ?? null})
    order by number limit ${count}`)
export const countReasons = (db: Db, { id, position }: ChangeRow) =>
  db.rows<{ reason: string; count: number }>(sql`
    select coalesce(undo_reason, reason) as reason, count(*)::int as count from bulk_change_item
    where change_id = ${id}::uuid and number <= ${position} and (status = 'refused' or undo = 'refused')
    group by 1 order by 2 desc, 1 limit 10`)

export type Outcome = Pick<ItemRow, 'number' | 'name' | 'reason' | 'changes' | 'detail'> & {
  readonly status: 'changed' | 'unchanged' | 'refused'
}

/** Stores the outcomes of the next objects. Values that were read with different rights are shown to nobody but administrators. */
export const noteOutcomes = (db: Db, id: string, outcomes: readonly Outcome[], rights: string) => {
  const count = (status: Outcome['status']) => outcomes.filter((one) => one.status === status).length
  return db.run(sql`
    with noted as (
      update bulk_change_item i set name = o.name, status = o.status, reason = o.reason, changes = o.changes, detail = o.detail,
        undo = null, undo_reason = null
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
        as o (number bigint, name text, status text, reason text, changes jsonb, detail jsonb)
      where i.change_id = ${id}::uuid and i.number = o.number)
    update bulk_change set position = ${outcomes.at(-1)!.number}, processed = processed + ${outcomes.length},
      changed = changed + ${count('changed')}, unchanged = unchanged + ${count('unchanged')},
      refused = refused + ${count('refused')},
      rights = case when coalesce(rights, ${rights}) = ${rights} then ${rights} else 'several' end
    where id = ${id}::uuid`)
}

export interface UndoOutcome {
  readonly number: number
  readonly undo: 'undone' | 'refused'
  readonly undoReason: string | null
}
export const noteUndone = (db: Db, id: string, outcomes: readonly UndoOutcome[]) => {
  const undone = outcomes.filter(({ undo }) => undo === 'undone').length
  return db.run(sql`
    with noted as (
      update bulk_change_item i set undo = o.undo, undo_reason = o."undoReason"
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o (number bigint, undo text, "undoReason" text)
      where i.change_id = ${id}::uuid and i.number = o.number)
    update bulk_change set undo_position = ${outcomes.at(-1)!.number}, undone = undone + ${undone},
      undo_refused = undo_refused + ${outcomes.length - undone}
    where id = ${id}::uuid`)
}
