/** Every SQL statement about signing keys. */
import type { JWK } from 'jose'
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

export interface StoredKey {
  readonly kid: string
  readonly algorithm: string
  readonly jwk: JWK
}

/** Newest first. */
export const findKeys = (db: Db) =>
  db.rows<StoredKey>(sql`
    select kid, algorithm, private_jwk as jwk from signing_key
    where retired_at is null order by created_at desc, kid`)

/** Processes that start together make one key, not one each. */
export const lockKeys = (db: Db) => db.run(sql`lock table signing_key in share row exclusive mode`)

export const insertKey = (db: Db, { kid, algorithm, jwk }: StoredKey) =>
  db.run(sql`
    insert into signing_key (kid, algorithm, private_jwk) values (${kid}, ${algorithm}, ${JSON.stringify(jwk)})`)
