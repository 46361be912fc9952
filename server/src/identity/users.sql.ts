/** Every SQL statement about users and their roles. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql, type Sql } from '../adapters/postgres/sql.ts'

export interface User {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly displayName: string | null
  readonly enabled: boolean
  /** Rises with every change of roles. */
  readonly epoch: number
  readonly roles: readonly string[]
}

export interface NewUser {
  readonly name: string
  readonly nameKey: string
  readonly email?: string
  readonly displayName?: string
  readonly passwordHash?: string
}

const columns = sql`
  id, name, email, display_name as "displayName", enabled, permission_epoch as epoch,
  array(select role from user_role where user_id = user_account.id order by role) as roles`

const userWhere = (condition: Sql) => sql`select ${columns} from user_account where ${condition}`

export const findUserById = (db: Db, id: string) => db.row<User>(userWhere(sql`id = ${id}`))

export const findUserByName = (db: Db, nameKey: string) => db.row<User>(userWhere(sql`name_key = ${nameKey}`))

export const findPasswordHash = async (db: Db, id: string) =>
  (await db.row<{ hash: string | null }>(sql`select password_hash as hash from user_account where id = ${id}`))?.hash

export const anyUser = async (db: Db) =>
  (await db.row<{ any: boolean }>(sql`select exists (select from user_account) as any`))!.any

/** Nobody else adds a user until the transaction ends; reading goes on. */
export const lockUsers = (db: Db) => db.run(sql`lock table user_account in share row exclusive mode`)

/** Undefined when the name is taken. */
export const insertUser = async (db: Db, { name, nameKey, email, displayName, passwordHash }: NewUser) =>
  (
    await db.row<{ id: string }>(sql`
      insert into user_account (name, name_key, email, display_name, password_hash)
      values (${name}, ${nameKey}, ${email}, ${displayName}, ${passwordHash})
      on conflict (name_key) do nothing
      returning id`)
  )?.id

export const updatePasswordHash = (db: Db, id: string, hash: string) =>
  db.run(sql`update user_account set password_hash = ${hash} where id = ${id}`)

export const updateEnabled = (db: Db, id: string, enabled: boolean) =>
  db.run(sql`update user_account set enabled = ${enabled} where id = ${id}`)

export const raiseEpoch = (db: Db, id: string) =>
  db.run(sql`update user_account set permission_epoch = permission_epoch + 1 where id = ${id}`)

export const deleteOtherRoles = (db: Db, id: string, roles: readonly string[]) =>
  db.run(sql`delete from user_role where user_id = ${id} and role <> all (${roles}::text[])`)

export const insertRoles = (db: Db, id: string, roles: readonly string[]) =>
  db.run(sql`
    insert into user_role (user_id, role) select ${id}, unnest(${roles}::text[])
    on conflict do nothing`)

export const unknownRoles = async (db: Db, roles: readonly string[]) =>
  (
    await db.rows<{ role: string }>(sql`
      select role from unnest(${roles}::text[]) as given (role) where role not in (select name from role)`)
  ).map(({ role }) => role)
