/** Stored replies. The lock is held until the transaction ends, so that two requests with one key cannot both run. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { fromExactJson, toExactJson } from '../exact-json.ts'

export async function tryLockKey(db: Db, userName: string, key: string): Promise<boolean> {
  const row = await db.row<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${userName}\n${key}`}, 7)) as free`,
  )
  return row!.free
}

export async function findReply<T>(db: Db, userName: string, key: string) {
  const row = await db.row<{ request: string; reply: string }>(
    sql`select request, reply::text from idempotency_key where user_name = ${userName} and key = ${key}`,
  )
  return row && { request: row.request, reply: fromExactJson<T>(row.reply) }
}

export const insertReply = (db: Db, userName: string, key: string, request: string, reply: unknown) =>
  db.run(sql`
    insert into idempotency_key (user_name, key, request, reply)
    values (${userName}, ${key}, ${request}, ${toExactJson(reply)}::jsonb)`)

export const deleteOldReplies = (db: Db, hours: number) =>
  db.run(sql`delete from idempotency_key where created_at < now() - make_interval(hours => ${hours})`)
