/** Every SQL statement about second factors and recovery codes. Each code is consumed by a single statement. */
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

/** Replaces an unconfirmed second factor. Returns false if a confirmed one exists. */
export const putUnconfirmed = async (db: Db, userId: string, sealed: Buffer) =>
  (await db.run(sql`
    insert into second_factor as known (user_id, sealed) values (${userId}, ${sealed})
    on conflict (user_id) do update set sealed = excluded.sealed, last_step = 0, created_at = now()
    where known.confirmed_at is null`)) === 1

/** Returns false if a code of this period or a later one was used before. */
export const useStep = async (db: Db, userId: string, step: number) =>
  (await db.run(sql`
    update second_factor set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where user_id = ${userId} and last_step < ${step}`)) === 1

export const insertRecoveryCodes = (db: Db, userId: string, hashes: readonly Buffer[]) =>
  db.run(sql`insert into recovery_code (user_id, hash) select ${userId}, unnest(${hashes}::bytea[])`)

/** Returns false if the code is unknown or was used before. */
export const useRecoveryCode = async (db: Db, userId: string, hash: Buffer) =>
  (await db.run(sql`
    update recovery_code set used_at = now() where user_id = ${userId} and hash = ${hash} and used_at is null`)) === 1

export const deleteSecondFactor = async (db: Db, userId: string) =>
  (await db.run(sql`delete from second_factor where user_id = ${userId}`)) === 1
