/** Every SQL statement about signing keys. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface StoredKey {
  readonly kid: string
  readonly algorithm: string
  readonly sealed: Buffer
  /** Null for the key to come. */
  readonly activeAt: Date | null
  /** When the key is published no longer. */
  readonly retiredAt: Date | null
}

/** The one that signs is first, the one to come last. */
export const findKeys = (db: Db) =>
  db.rows<StoredKey>(sql`
    select kid, algorithm, sealed, active_at as "activeAt", retired_at as "retiredAt" from signing_key
    where retired_at is null or retired_at > now() order by active_at desc nulls last, kid`)

/** Processes that start together make one key, not one each. */
export const lockKeys = (db: Db) => db.lock(sql`lock table signing_key in share row exclusive mode`)

export const insertKey = (db: Db, key: { kid: string; algorithm: string; sealed: Buffer; active: boolean }) =>
  db.run(sql`
    insert into signing_key (kid, algorithm, sealed, active_at)
    values (${key.kid}, ${key.algorithm}, ${key.sealed}, case when ${key.active}::boolean then now() end)`)

/** The key to come signs from now on; the one before is published for another while (an interval of PostgreSQL). */
export const promoteKey = async (db: Db, algorithm: string, publishedFor: string): Promise<void> => {
  await db.run(sql`
    update signing_key set retired_at = now() + ${publishedFor}::interval
    where algorithm = ${algorithm} and active_at is not null and retired_at is null`)
  await db.run(sql`update signing_key set active_at = now() where algorithm = ${algorithm} and active_at is null`)
}

export const deleteRetiredKeys = (db: Db) => db.run(sql`delete from signing_key where retired_at < now()`)
