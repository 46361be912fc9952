/** Every SQL statement about the audit log. A trigger builds the hash chain (0004-access.sql). */
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

const columns = sql`seq, at, actor, client, session, address, action, object, outcome, detail, support_id as "supportId"`

export type NewAuditRow = Omit<AuditRow, 'seq' | 'at'>

/** In the order given. */
export const insertEvents = (db: Db, rows: readonly NewAuditRow[]) =>
  db.run(sql`
    insert into audit_event (actor, client, session, address, action, object, outcome, detail, support_id)
    select actor, client, session, address, action, object, outcome, detail, "supportId"
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (actor text, client text, session text,
      address text, action text, object text, outcome text, detail text, "supportId" text)) with ordinality
    order by ordinality`)

interface AuditQuery {
  readonly actor?: string
  readonly action?: string
  readonly object?: string
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
    query.object !== undefined && sql`object = ${query.object}`,
    query.from !== undefined && sql`at >= ${query.from}`,
    query.to !== undefined && sql`at < ${query.to}`,
    query.before !== undefined && sql`seq < ${query.before}`,
  ].filter((condition) => condition !== false)
  return db.rows<AuditRow>(sql`
    select ${columns} from audit_event ${conditions.length > 0 ? sql`where ${join(conditions, ' and ')}` : nothing}
    order by seq desc limit ${query.limit}`)
}

export const findChain = (db: Db, after: number, limit: number) =>
  db.rows<ChainedRow>(sql`
    select ${columns}, previous, hash from audit_event where seq > ${after} order by seq limit ${limit}`)

export const findLastLink = (db: Db) =>
  db.row<{ seq: number; hash: Buffer }>(sql`select seq, hash from audit_event order by seq desc limit 1`)
