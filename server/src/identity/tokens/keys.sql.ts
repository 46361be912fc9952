/** Every SQL statement about signing keys. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface StoredKey {
  readonly kid: string
  readonly algorithm: string
  readonly sealed: Buffer
  /** Null for the next key. */
  readonly activeAt: Date | null
  /** The time after which the key is no longer published. */
  readonly retiredAt: Date | null
}

/** The current key is first, the next one last. */
export const findKeys = (db: Db) =>
  db.rows<StoredKey>(sql`
    select kid, algorithm, sealed, active_at as "activeAt", retired_at as "retiredAt" from signing_key
    where retired_at is null or retired_at > now() order by active_at desc nulls last, kid`)

/** Ensures that processes that start at the same time create one key, not one each. */
export const lockKeys = (db: Db) => db.lock(sql`lock table signing_key in share row exclusive mode`)

export const insertKey = (db: Db, key: { kid: string; algorithm: string; sealed: Buffer; active: boolean }) =>
  db.run(sql`
    insert into signing_key (kid, algorithm, sealed, active_at)
    values (${key.kid}, ${key.algorithm}, ${key.sealed}, case when ${key.active}::boolean then now() end)`)

/** Promotes the next key and keeps publishing the previous one for `publishedFor` (an SQL interval). */
export const promoteKey = async (db: Db, algorithm: string, publishedFor: string): Promise<void> => {
  await db.run(sql`
    update signing_key set retired_at = now() + ${publishedFor}::interval
    where algorithm = ${algorithm} and active_at is not null and retired_at is null`)
  await db.run(sql`update signing_key set active_at = now() where algorithm = ${algorithm} and active_at is null`)
}

export const deleteRetiredKeys = (db: Db) => db.run(sql`delete from signing_key where retired_at < now()`)
