/** Statements with which processes that share the search indexes agree. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export const channel = 'kontor_search'
export const sendMessage = (db: Db, message: string) => db.run(sql`select pg_notify(${channel}, ${message})`)

/** A number that is higher than every number drawn before, in any process. */
export const drawVersion = async (db: Db) =>
  (await db.writeRow<{ version: number }>(sql`select pg_current_xact_id()::text::bigint as version`))!.version
