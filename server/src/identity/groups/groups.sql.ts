/** Every SQL statement about groups and their members. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

interface GroupRow {
  readonly name: string
  readonly description: string
  readonly roles: readonly string[]
  readonly members: number
}

export const raiseEpochOfGroup = (db: Db, group: string) =>
  db.run(sql`
    update user_account set permission_epoch = permission_epoch + 1
    where id in (select user_id from group_member where group_name = ${group})`)

export const listGroups = (db: Db) =>
  db.rows<GroupRow>(sql`
    select name, description,
      array(select role from group_role where group_name = name order by role) as roles,
      (select count(*)::int from group_member where group_name = name) as members
    from user_group order by name`)

/** The roles of every group, by its name. */
export const rolesByGroup = async (db: Db) =>
  new Map(
    (
      await db.rows<{ name: string; roles: readonly string[] }>(sql`
        select group_name as name, array_agg(role) as roles from group_role group by group_name`)
    ).map(({ name, roles }) => [name, roles]),
  )

export const upsertGroup = async (db: Db, name: string, description: string, roles: readonly string[]) => {
  await db.run(sql`
    insert into user_group (name, description) values (${name}, ${description})
    on conflict (name) do update set description = excluded.description`)
  await db.run(sql`delete from group_role where group_name = ${name} and role <> all (${roles}::text[])`)
  await db.run(sql`
    insert into group_role (group_name, role) select ${name}, unnest(${roles}::text[]) on conflict do nothing`)
}

export const deleteGroup = (db: Db, name: string) => db.run(sql`delete from user_group where name = ${name}`)

export const replaceGroups = async (db: Db, userId: string, groups: readonly string[]) => {
  await db.run(sql`delete from group_member where user_id = ${userId} and group_name <> all (${groups}::text[])`)
  await db.run(sql`
    insert into group_member (group_name, user_id) select unnest(${groups}::text[]), ${userId} on conflict do nothing`)
}

export const unknownGroups = async (db: Db, groups: readonly string[]) =>
  (
    await db.rows<{ name: string }>(sql`
      select name from unnest(${groups}::text[]) as given (name) where name not in (select name from user_group)`)
  ).map(({ name }) => name)
