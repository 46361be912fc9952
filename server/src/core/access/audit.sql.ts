/** Every SQL statement about the audit log. A trigger builds the hash chain (0004-access.sql). */
import { columns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { join, nothing, sql } from '../../adapters/postgres/sql.ts'

export interface AuditRow {
  readonly seq: number
  readonly at: Date
  readonly actor: string
  readonly client: string
  readonly session: string
  readonly address: string
  readonly action: string
  readonly object: string
  readonly outcome: 'success' | 'failure'
  /** JSON as text: its hash must not depend on how jsonb would format it. */
  readonly detail: string
  readonly supportId: string
}
export interface ChainedRow extends AuditRow {
  readonly previous: Buffer
  readonly hash: Buffer
}

const who = ['actor', 'client', 'session', 'address'] as const
const what = ['action', 'object', 'outcome', 'detail', 'support_id'] as const
const event = columns('audit_event', ...who, ...what)

export type NewAuditRow = Omit<AuditRow, 'seq' | 'at'>

/** In the order given. */
export const insertEvents = (db: Db, rows: readonly NewAuditRow[]) => {
  const numbered = rows.map((row, number) => ({ ...row, number }))
  return db.run(sql`
    insert into audit_event (${event.names})
    select ${event.fields()} from ${event.recordset(numbered, 'n', sql`number int`)} order by n.number`)
}

interface AuditQuery {
  readonly actor?: string
  readonly action?: string
  /** Actions that are left out. */
  readonly except?: readonly string[]
  readonly object?: string
  readonly outcome?: string
  readonly from?: Date
  readonly to?: Date
  readonly before?: number
  readonly limit: number
}

/** Newest first. */
export const findEvents = (db: Db, query: AuditQuery) => {
  const conditions = [
    query.actor !== undefined && sql`actor = ${query.actor}`,
    query.action !== undefined && sql`(action = ${query.action} or starts_with(action, ${`${query.action}.`}))`,
    query.except !== undefined && sql`action <> all (${query.except}::text[])`,
    query.outcome !== undefined && sql`outcome = ${query.outcome}`,
    query.object !== undefined && sql`object = ${query.object}`,
    query.from !== undefined && sql`at >= ${query.from}`,
    query.to !== undefined && sql`at < ${query.to}`,
    query.before !== undefined && sql`seq < ${query.before}`,
  ].filter((condition) => condition !== false)
  return db.rows<AuditRow>(sql`
    select seq, at, ${event.select()} from audit_event ${conditions.length > 0 ? sql`where ${join(conditions, ' and ')}` : nothing}
    order by seq desc limit ${query.limit}`)
}

export const findChain = (db: Db, after: number, limit: number) =>
  db.rows<ChainedRow>(sql`
    select seq, at, ${event.select()}, previous, hash from audit_event where seq > ${after} order by seq limit ${limit}`)

export const findLastLink = (db: Db) =>
  db.row<{ seq: number; hash: Buffer }>(sql`select seq, hash from audit_event order by seq desc limit 1`)
