/** Looks up the recipients of messages. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

/** The e-mail addresses of the enabled users who have one, by user name. */
export async function addressesOf(db: Db, users: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ name: string; email: string }>(sql`
    select name, email from user_account where name = any(${users}::text[]) and email is not null and enabled`)
  return new Map(rows.map(({ name, email }) => [name, email]))
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
