/** Every statement about presence. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

/** A page that is open announces itself every 15 seconds; one lost call does not count. */
const lifetime = sql`interval '40 seconds'`

/** Notes that the user has the object open. Rows of users who have left are removed with it. */
export const noteUser = (db: Db, objectId: number, userName: string, editing: boolean) =>
  db.run(sql`
    with gone as (
      delete from presence where seen_at < now() - ${lifetime} and (object_id, user_name) <> (${objectId}, ${userName}))
    insert into presence (object_id, user_name, editing) values (${objectId}, ${userName}, ${editing})
    on conflict (object_id, user_name) do update set editing = excluded.editing, seen_at = now()`)
export const removeUser = (db: Db, objectId: number, userName: string) =>
  db.run(sql`delete from presence where object_id = ${objectId} and user_name = ${userName}`)

export const findOthers = (db: Db, objectId: number, userName: string) =>
  db.rows<{ user: string; displayName: string | null; editing: boolean }>(sql`
    select p.user_name as "user", u.display_name as "displayName", p.editing
    from presence p left join user_account u on u.name = p.user_name
    where p.object_id = ${objectId} and p.user_name <> ${userName} and p.seen_at > now() - ${lifetime}
    order by p.user_name limit 20`)
