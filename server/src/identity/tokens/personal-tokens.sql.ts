/** Every SQL statement about personal tokens. Tokens whose session has ended are not listed. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface PersonalTokenRow {
  readonly id: string
  readonly name: string
  readonly kind: 'access' | 'offline'
  readonly createdAt: Date
  readonly usedAt: Date | null
  readonly usedFrom: string | null
  /** The session; for an offline token, the session of its last exchange. */
  readonly session: string | null
  readonly expiresAt: Date
}

const expiry = sql`case kind when 'access' then p.created_at + interval '1 hour' else o.used_at + interval '30 days' end`
const live = sql`
  personal_token p
  left join user_session s on s.id = p.session_id
  left join offline_session o on o.id = p.offline_session_id
  where coalesce(s.ended_at, o.ended_at) is null and ${expiry} > now()`

export const listPersonalTokens = (db: Db, userId: string) =>
  db.rows<PersonalTokenRow>(sql`
    select p.id, p.name, p.kind, p.created_at as "createdAt", p.used_at as "usedAt", p.used_from as "usedFrom",
      coalesce(p.session_id, o.session_id) as session, ${expiry} as "expiresAt"
    from ${live} and p.user_id = ${userId} order by p.created_at desc, p.id`)

interface NewPersonalToken {
  readonly userId: string
  readonly name: string
  readonly kind: 'access' | 'offline'
  readonly sessionId?: string
  readonly offlineId?: string
}

export const insertPersonalToken = async (db: Db, token: NewPersonalToken) =>
  (await db.writeRow<{ id: string }>(sql`
    insert into personal_token (user_id, name, kind, session_id, offline_session_id)
    values (${token.userId}, ${token.name}, ${token.kind}, ${token.sessionId}, ${token.offlineId})
    returning id`))!.id

/** The session of a live token of the user. */
export const findPersonalToken = (db: Db, userId: string, id: string) =>
  db.row<{ name: string; sessionId: string | null; offlineId: string | null }>(sql`
    select p.name, p.session_id as "sessionId", p.offline_session_id as "offlineId"
    from ${live} and p.user_id = ${userId} and p.id = ${id}`)

export const recordUse = (db: Db, by: { sessionId?: string; offlineId?: string }, from: string) =>
  db.run(sql`
    update personal_token set used_at = now(), used_from = ${from}
    where session_id = ${by.sessionId} or offline_session_id = ${by.offlineId}`)
