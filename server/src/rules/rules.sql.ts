/** Every statement about rules. */
import type { Infer, Long, Rule } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import type { StoredCaller } from '../core/context.ts'

/** A rule as its owner sent it, without the fields of replies. */
export type Definition = Pick<Infer<typeof Rule>, 'description' | 'condition' | 'operations' | 'schedule'>

export interface RuleRow {
  readonly id: number
  readonly name: string
  readonly kind: 'product' | 'asset'
  readonly definition: Definition
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly enabled: boolean
  readonly onChange: boolean
  readonly userName: string
  readonly principal: StoredCaller
  readonly problem: string | null
  readonly nextAt: Date | null
  readonly position: string | null
  readonly modifiedAt: Date
  readonly modifiedBy: string
}
const columns = sql`id, name, kind, definition, reads, writes, enabled, on_change as "onChange", user_name as "userName", principal,
  problem, next_at as "nextAt", position, modified_at as "modifiedAt", modified_by as "modifiedBy"`

/** `userName`: only rules of this user. Those behind the name, one more than `count`. */
export const listRules = (db: Db, userName: string | null, after: string, count: number) =>
  db.rows<RuleRow>(sql`
    select ${columns} from rule where user_name = coalesce(${userName}, user_name) and name > ${after}
    order by name limit ${count + 1}`)
export const findRule = (db: Db, name: string) => db.row<RuleRow>(sql`select ${columns} from rule where name = ${name}`)
export const lockRule = (db: Db, name: string) =>
  db.row<RuleRow>(sql`select ${columns} from rule where name = ${name} for update`)

/** Rules are saved one after another, because two that fit each of the others can make a cycle together. */
export const lockOrder = (db: Db) => db.lock(sql`select pg_advisory_xact_lock(hashtextextended('rules', 45))`)

export type OrderRow = Pick<RuleRow, 'id' | 'name' | 'kind' | 'reads' | 'writes' | 'userName'>
export const listOrder = (db: Db, kind: RuleRow['kind']) =>
  db.rows<OrderRow>(sql`
    select id, name, kind, reads, writes, user_name as "userName" from rule where kind = ${kind} order by name`)

type NewRule = Omit<RuleRow, 'userName' | 'problem' | 'modifiedAt'>
export const upsertRule = (db: Db, rule: NewRule) =>
  db.run(sql`
    insert into rule (id, name, kind, definition, reads, writes, enabled, on_change, user_name, principal, next_at, position, modified_by)
    values (${rule.id}, ${rule.name}, ${rule.kind}, ${JSON.stringify(rule.definition)}::jsonb, ${rule.reads}::text[],
      ${rule.writes}::text[], ${rule.enabled}, ${rule.onChange}, ${rule.principal.userName},
      ${JSON.stringify(rule.principal)}::jsonb, ${rule.nextAt}::timestamptz, ${rule.position}, ${rule.modifiedBy})
    on conflict (id) do update set kind = excluded.kind, definition = excluded.definition, reads = excluded.reads,
      writes = excluded.writes, enabled = excluded.enabled, on_change = excluded.on_change, user_name = excluded.user_name,
      principal = excluded.principal, next_at = excluded.next_at, position = excluded.position, problem = null,
      modified_at = now(), modified_by = excluded.modified_by`)
export const deleteRule = (db: Db, id: number) => db.run(sql`delete from rule where id = ${id}`)
export const switchOff = (db: Db, id: number, problem: string) =>
  db.run(sql`update rule set enabled = false, next_at = null, problem = ${problem} where id = ${id}`)

/** Rules that may have something to do, in the order of their times. */
export const listDue = (db: Db) =>
  db.rows<Pick<RuleRow, 'id' | 'kind'>>(sql`
    select id, kind from rule where enabled and (on_change or next_at <= now()) order by next_at nulls last, id`)
/** Undefined if another process works on it, or if it is no longer enabled. */
export const takeRule = (db: Db, id: number) =>
  db.writeRows<RuleRow & { isDue: boolean }>(sql`
    select ${columns}, coalesce(next_at <= now(), false) as "isDue" from rule where id = ${id} and enabled
    for update skip locked`)
export const setProgress = (db: Db, id: number, nextAt: Date | null, position: string | null) =>
  db.run(sql`update rule set next_at = ${nextAt}::timestamptz, position = ${position} where id = ${id}`)

/** For events: a rule concerns its owner. */
export const describeRules = async (db: Db, ids: readonly Long[]) =>
  (
    await db.rows<{ id: number; name: string; userName: string }>(sql`
      select id, name, user_name as "userName" from rule where id = any(${ids.map(Number)}::bigint[])`)
  ).map(({ id, ...rule }) => ({ id, ...shownRule(rule) }))

/** How events name a rule, and for whom they are. */
export const shownRule = ({ name, userName }: Pick<RuleRow, 'name' | 'userName'>) => ({
  tid: name,
  path: name,
  audience: { users: [userName], roles: [] },
})
