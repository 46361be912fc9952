/** Who there is to deliver a message to. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

/** Those of the users and roles that exist, as `user kim` and `role admin`. */
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
