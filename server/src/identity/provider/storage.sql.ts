/** Every SQL statement about the provider's records. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface Stored {
  readonly payload: Record<string, unknown>
  readonly consumed: boolean
}

export const upsertModel = (
  db: Db,
  row: {
    model: string
    idHash: Buffer
    uid: string | undefined
    accountId: string | undefined
    payload: object
    seconds: number
  },
) =>
  db.run(sql`
    insert into oidc_model (model, id_hash, uid, account_id, payload, expires_at)
    values (${row.model}, ${row.idHash}, ${row.uid}, ${row.accountId}, ${JSON.stringify(row.payload)},
      now() + make_interval(secs => ${row.seconds}))
    on conflict (model, id_hash) do update set uid = excluded.uid, account_id = excluded.account_id,
      payload = excluded.payload, expires_at = excluded.expires_at`)

const stored = sql`select payload, consumed_at is not null as consumed from oidc_model`

export const findModel = (db: Db, model: string, idHash: Buffer) =>
  db.row<Stored>(sql`${stored} where model = ${model} and id_hash = ${idHash} and expires_at > now()`)

export const findModelByUid = (db: Db, model: string, uid: string) =>
  db.row<Stored>(sql`${stored} where model = ${model} and uid = ${uid} and expires_at > now()`)

/** Returns the number of updated rows: 0 if another request was first. */
export const consumeModel = (db: Db, model: string, idHash: Buffer) =>
  db.run(sql`
    update oidc_model set consumed_at = now()
    where model = ${model} and id_hash = ${idHash} and consumed_at is null and expires_at > now()`)

export const deleteModel = (db: Db, model: string, idHash: Buffer) =>
  db.run(sql`delete from oidc_model where model = ${model} and id_hash = ${idHash}`)

export const deleteExpiredModels = (db: Db) => db.run(sql`delete from oidc_model where expires_at < now()`)
