/** Every SQL statement about second factors and recovery codes. What is good once is used by one statement. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface SecondFactorRow {
  readonly sealed: Buffer
  readonly confirmed: boolean
  readonly recoveryCodes: number
}

export const findSecondFactor = (db: Db, userId: string) =>
  db.row<SecondFactorRow>(sql`
    select sealed, confirmed_at is not null as confirmed,
      (select count(*)::int from recovery_code where user_id = second_factor.user_id and used_at is null) as "recoveryCodes"
    from second_factor where user_id = ${userId}`)

/** One that waits for its confirmation is replaced. Tells whether it was stored. */
export const putUnconfirmed = async (db: Db, userId: string, sealed: Buffer) =>
  (await db.run(sql`
    insert into second_factor as known (user_id, sealed) values (${userId}, ${sealed})
    on conflict (user_id) do update set sealed = excluded.sealed, last_step = 0, created_at = now()
    where known.confirmed_at is null`)) === 1

/** Tells whether we were the first with a code of this period or a later one. */
export const useStep = async (db: Db, userId: string, step: number) =>
  (await db.run(sql`
    update second_factor set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where user_id = ${userId} and last_step < ${step}`)) === 1

export const insertRecoveryCodes = (db: Db, userId: string, hashes: readonly Buffer[]) =>
  db.run(sql`insert into recovery_code (user_id, hash) select ${userId}, unnest(${hashes}::bytea[])`)

/** Tells whether it was one that had not been used. */
export const useRecoveryCode = async (db: Db, userId: string, hash: Buffer) =>
  (await db.run(sql`
    update recovery_code set used_at = now() where user_id = ${userId} and hash = ${hash} and used_at is null`)) === 1

export const deleteSecondFactor = async (db: Db, userId: string) =>
  (await db.run(sql`delete from second_factor where user_id = ${userId}`)) === 1
