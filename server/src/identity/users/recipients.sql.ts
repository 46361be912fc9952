/** Looks up the recipients of messages. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

/** The e-mail addresses of the enabled users who have one, by user name. */
export async function addressesOf(db: Db, users: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ name: string; email: string }>(sql`
    select name, email from user_account where name = any(${users}::text[]) and email is not null and enabled`)
  return new Map(rows.map(({ name, email }) => [name, email]))
}

/** The enabled users of these names or with one of these roles, of their own or by a group, in alphabetical order. */
export async function peopleWith(db: Db, users: readonly string[], roles: readonly string[], most: number) {
  const rows = await db.rows<{ name: string }>(sql`
    select name from user_account
    where enabled and (name = any(${users}::text[]) or id in (
      select user_id from user_role where role = any(${roles}::text[])
      union select user_id from group_member join group_role using (group_name) where role = any(${roles}::text[])))
    order by lower(name) limit ${most}`)
  return rows.map(({ name }) => name)
}

/** Returns the users and roles that exist, as `user kim` and `role admin`. */
export async function recipients(
  db: Db,
  users: readonly string[],
  roles: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ name: string }>(sql`
    select 'user ' || name as name from user_account where name = any(${users}::text[])
    union all select 'role ' || name from role where name = any(${roles}::text[])`)
  return new Set(rows.map(({ name }) => name))
}
