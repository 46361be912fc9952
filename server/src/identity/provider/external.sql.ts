/** Every SQL statement about sessions that an external identity provider has ended. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface ExternalLogout {
  readonly issuer: string
  /** The id of the logout token. */
  readonly jti: string
  readonly subject?: string | undefined
  readonly session?: string | undefined
  readonly issuedAt: Date
}

/** Returns false if a logout token with this id was stored before. */
export const insertLogout = async (db: Db, { issuer, jti, subject, session, issuedAt }: ExternalLogout) =>
  (await db.run(sql`
    insert into external_logout (issuer, jti, subject, session, issued_at)
    values (${issuer}, ${jti}, ${subject}, ${session}, ${issuedAt})
    on conflict do nothing`)) === 1

/** When the provider last ended the session, and all sessions of the subject; null if never. */
export interface LastLogouts {
  readonly session: Date | null
  readonly subject: Date | null
}

export const findLogouts = async (db: Db, issuer: string, subject: string, session: string | undefined) =>
  (await db.row<LastLogouts>(sql`
    select
      (select max(issued_at) from external_logout where issuer = ${issuer} and session = ${session}) as session,
      (select max(issued_at) from external_logout
        where issuer = ${issuer} and subject = ${subject} and session is null) as subject`))!

export const deleteOldLogouts = (db: Db) =>
  db.run(sql`delete from external_logout where received_at < now() - interval '30 days'`)
