/** Every SQL statement about users and their roles. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql, type Sql } from '../../adapters/postgres/sql.ts'
import { isOfUser } from '../sessions/sign-in.sql.ts'

export interface User {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly displayName: string | null
  readonly enabled: boolean
  /** Somebody else chose the password; the login page asks for a new one. */
  readonly mustChangePassword: boolean
  /** Incremented by every change of roles. */
  readonly epoch: number
  /** The user's own roles and those of their groups. */
  readonly roles: readonly string[]
}

/** A user in the lists of administrators. */
export interface ListedUser extends User {
  /** Without the roles of groups. */
  readonly ownRoles: readonly string[]
  readonly groups: readonly string[]
  readonly issuer: string | null
  readonly locked: boolean
  readonly twoFactor: boolean
  readonly createdAt: Date
}

export interface NewUser {
  readonly name: string
  readonly nameKey: string
  readonly email?: string | undefined
  readonly displayName?: string | undefined
  readonly passwordHash?: string | undefined
  readonly mustChangePassword?: boolean
  readonly issuer?: string
  readonly subject?: string
}

const ownRoles = sql`
  select role from user_role where user_id = user_account.id
  union select role from group_member join group_role using (group_name) where user_id = user_account.id
  order by role`
const columns = sql`
  id, name, email, display_name as "displayName", enabled, must_change_password as "mustChangePassword",
  permission_epoch as epoch, array(${ownRoles}) as roles`
const secondFactor = sql`
  exists (select from second_factor where user_id = user_account.id and confirmed_at is not null)`
const listedColumns = sql`${columns}, issuer, ${secondFactor} as "twoFactor", created_at as "createdAt",
  array(select role from user_role where user_id = user_account.id order by role) as "ownRoles",
  array(select group_name from group_member where user_id = user_account.id order by group_name) as groups,
  exists (
    select from sign_in_failure
    where kind in ('user', 'known') and ${isOfUser(sql`key`, sql`left(name_key, 255)`)} and locked_until > now()
  ) as locked`

const userWhere = (condition: Sql) => sql`select ${columns} from user_account where ${condition}`

export const findUserById = (db: Db, id: string) => db.row<User>(userWhere(sql`id = ${id}`))

export const findUserByName = (db: Db, nameKey: string) => db.row<User>(userWhere(sql`name_key = ${nameKey}`))

export type PresentUser = Pick<User, 'id' | 'name' | 'enabled' | 'roles'>

/**
 * Of a user of an external provider, the roles that the provider reported last to the client, or to any if none is given,
 * and those of the groups that it reported.
 */
export const findPresentUser = (db: Db, by: { id: string } | { nameKey: string }, clientId?: string) =>
  db.row<PresentUser>(sql`
    select id, name, enabled, case when issuer is null then array(${ownRoles}) else coalesce((
      select array(select unnest(roles) union select role from group_role where group_name = any (groups))
      from reported_roles
      where user_id = user_account.id and client_id = coalesce(${clientId}, client_id)
      order by reported_at desc limit 1), '{}') end as roles
    from user_account where ${'id' in by ? sql`id = ${by.id}` : sql`name_key = ${by.nameKey}`}`)

/** The roles and groups in a token of an external provider. */
interface RoleReport {
  readonly userId: string
  readonly clientId: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  readonly issuedAt: Date
}

/** Stores the roles of a token, unless a newer token has reported others already. */
export const reportRoles = (db: Db, report: RoleReport) =>
  db.run(sql`
    insert into reported_roles as known (user_id, client_id, roles, groups, reported_at)
    values (${report.userId}, ${report.clientId}, ${report.roles}, ${report.groups}, ${report.issuedAt})
    on conflict (user_id, client_id) do update
      set roles = excluded.roles, groups = excluded.groups, reported_at = excluded.reported_at
      where known.reported_at < excluded.reported_at`)

export const findListedUser = (db: Db, id: string) =>
  db.row<ListedUser>(sql`select ${listedColumns} from user_account where id = ${id}`)

/** A filter of users; an empty one matches all. */
interface UserQuery {
  /** A part of the name, the display name or the e-mail address. */
  readonly search?: string | undefined
  /** A role that the user has directly or through a group. */
  readonly role?: string | undefined
  readonly group?: string | undefined
  readonly enabled?: boolean | undefined
}

const matches = ({ search, role, group, enabled }: UserQuery) => sql`
  (${search}::text is null or position(lower(${search}) in lower(concat_ws(' ', name, display_name, email))) > 0)
  and (${enabled}::boolean is null or enabled = ${enabled})
  and (${group}::text is null
    or exists (select from group_member where user_id = user_account.id and group_name = ${group}))
  and (${role}::text is null or exists (
    select from user_role where user_id = user_account.id and role = ${role}
    union all
    select from group_member join group_role using (group_name) where user_id = user_account.id and role = ${role}))`

/** A page of users in the order of their names, starting after `after`. */
export const listUsers = (
  db: Db,
  { after, limit, ...query }: UserQuery & { after?: string | undefined; limit: number },
) =>
  db.rows<ListedUser>(sql`
    select ${listedColumns} from user_account
    where (${after}::text is null or name_key > ${after}) and ${matches(query)}
    order by name_key limit ${limit}`)

export const countUsers = async (db: Db, query: UserQuery) =>
  (await db.row<{ count: number }>(sql`select count(*)::int as count from user_account where ${matches(query)}`))!.count

export const findExternalUser = (db: Db, issuer: string, subject: string) =>
  db.row<User>(userWhere(sql`issuer = ${issuer} and subject = ${subject}`))

/** A user with the hash of their password. */
export const findUserToSignIn = (db: Db, nameKey: string) =>
  db.row<User & { hash: string | null; secondFactor: boolean }>(sql`
    select ${columns}, password_hash as hash, ${secondFactor} as "secondFactor"
    from user_account where name_key = ${nameKey}`)

export const anyUser = async (db: Db) =>
  (await db.row<{ any: boolean }>(sql`select exists (select from user_account) as any`))!.any

/** Blocks changes of users by other transactions until this one ends; reading is not blocked. */
export const lockUsers = (db: Db) => db.lock(sql`lock table user_account in share row exclusive mode`)

/** Returns undefined if the name is taken. */
export const insertUser = async (db: Db, user: NewUser) =>
  (
    await db.writeRow<{ id: string }>(sql`
      insert into user_account (name, name_key, email, display_name, password_hash, must_change_password, issuer, subject)
      values (${user.name}, ${user.nameKey}, ${user.email}, ${user.displayName}, ${user.passwordHash},
        ${user.mustChangePassword ?? false}, ${user.issuer}, ${user.subject})
      on conflict do nothing
      returning id`)
  )?.id

/** Stores a new hash of the same password. */
export const updatePasswordHash = (db: Db, id: string, hash: string) =>
  db.run(sql`update user_account set password_hash = ${hash} where id = ${id}`)

export const replacePassword = (db: Db, id: string, hash: string, mustChange: boolean) =>
  db.run(sql`update user_account set password_hash = ${hash}, must_change_password = ${mustChange} where id = ${id}`)

/** Keeps values that are undefined and removes values that are empty. */
export const updateProfile = (
  db: Db,
  id: string,
  { email, displayName }: { email?: string | undefined; displayName?: string | undefined },
) =>
  db.run(sql`
    update user_account set email = nullif(coalesce(${email}, email), ''),
      display_name = nullif(coalesce(${displayName}, display_name), '')
    where id = ${id}`)

/** Undefined: the default ones. */
export const findHomeWidgets = async (db: Db, id: string) =>
  (await db.row<{ widgets: string[] | null }>(sql`select home_widgets as widgets from user_account where id = ${id}`))
    ?.widgets ?? undefined

/** An empty list restores the default. */
export const updateHomeWidgets = (db: Db, id: string, widgets: readonly string[]) =>
  db.run(sql`update user_account set home_widgets = nullif(${widgets}::text[], '{}') where id = ${id}`)

export const updateEnabled = (db: Db, id: string, enabled: boolean) =>
  db.run(sql`update user_account set enabled = ${enabled} where id = ${id}`)

/** The id makes the old name unique. */
export const retireUser = (db: Db, id: string) =>
  db.run(sql`
    update user_account set enabled = false, name = name || ' ' || id, name_key = name_key || ' ' || id where id = ${id}`)

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
