/** Every SQL statement about clients. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface Client {
  readonly id: string
  readonly name: string | null
  /** Null for a public client. */
  readonly secretHash: Buffer | null
  readonly redirectUris: readonly string[]
  readonly serviceUser: string | null
  readonly enabled: boolean
  readonly createdAt: Date
}

const columns = sql`
  id, name, secret_hash as "secretHash", redirect_uris as "redirectUris", service_user as "serviceUser", enabled,
  created_at as "createdAt"`

export const ensureClient = (db: Db, id: string) =>
  db.run(sql`insert into oidc_client (id) values (${id}) on conflict do nothing`)

/** RFC 6749 allows only visible ASCII in a client id, so the database is not asked for other ids. */
export const findClient = async (db: Db, id: string) =>
  /^[\x21-\x7e]{1,255}$/.test(id) ? db.row<Client>(sql`select ${columns} from oidc_client where id = ${id}`) : undefined

export const listClients = (db: Db) => db.rows<Client>(sql`select ${columns} from oidc_client order by id`)

/** Returns the number of inserted rows: 0 if the id is taken. */
export const insertClient = (db: Db, client: Omit<Client, 'enabled' | 'createdAt'>) =>
  db.run(sql`
    insert into oidc_client (id, name, secret_hash, service_user, redirect_uris)
    values (${client.id}, ${client.name}, ${client.secretHash}, ${client.serviceUser}, ${client.redirectUris})
    on conflict do nothing`)

export const updateClient = (
  db: Db,
  {
    id,
    name,
    redirectUris,
    enabled,
    secretHash,
  }: Pick<Client, 'id' | 'name' | 'redirectUris' | 'enabled' | 'secretHash'>,
) =>
  db.run(sql`
    update oidc_client
    set name = ${name}, redirect_uris = ${redirectUris}, enabled = ${enabled}, secret_hash = ${secretHash}
    where id = ${id}`)

export const deleteClient = (db: Db, id: string) => db.run(sql`delete from oidc_client where id = ${id}`)

export const endSessionsOfClient = async (db: Db, id: string): Promise<void> => {
  await db.run(sql`update offline_session set ended_at = now() where client_id = ${id} and ended_at is null`)
  await db.run(sql`update user_session set ended_at = now() where client_id = ${id} and ended_at is null`)
}
