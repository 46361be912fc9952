/** Every SQL statement about roles and their grants. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql, type Sql } from '../../adapters/postgres/sql.ts'
import type { StoredGrant, Tree } from '../../core/access/permissions.ts'

interface RoleRow {
  readonly name: string
  readonly description: string
  readonly grants: readonly StoredGrant[]
}

/** All roles, with their grants as JSON in the shape of `StoredGrant`. */
export const listRoles = (db: Db) =>
  db.rows<RoleRow>(sql`
    select r.name, r.description, coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'kind', g.kind, 'actions', to_jsonb(g.actions),
        'scopes', (
          select jsonb_object_agg(tree, to_jsonb(array(
            select path from grant_scope s where s.grant_id = g.id and s.tree = narrowed.tree order by path
          )))
          from (select unnest(g.narrowed) as tree union select tree from grant_scope where grant_id = g.id) as narrowed
        ),
        'visibleAttributes', g.visible_attributes, 'editableAttributes', g.editable_attributes,
        'visibleLocales', g.visible_locales, 'editableLocales', g.editable_locales
      )) order by g.id)
      from role_grant g where g.role = r.name
    ), '[]') as grants
    from role r order by r.name`)

export const upsertRole = (db: Db, name: string, description: string) =>
  db.run(sql`
    insert into role (name, description) values (${name}, ${description})
    on conflict (name) do update set description = excluded.description`)

export const deleteGrants = (db: Db, role: string) => db.run(sql`delete from role_grant where role = ${role}`)

/** `groups`: those that its rules about attributes name. */
export const insertGrant = async (
  db: Db,
  role: string,
  grant: StoredGrant,
  groups: readonly string[],
): Promise<void> => {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  const scopes = Object.entries(grant.scopes ?? {}).flatMap(([tree, paths]) => paths.map((path) => ({ tree, path })))
  await db.run(sql`
    with added as (
      insert into role_grant (role, kind, actions, narrowed, visible_attributes, editable_attributes, visible_locales, editable_locales)
      values (${role}, ${grant.kind}, ${grant.actions}::text[], ${Object.keys(grant.scopes ?? {})}::text[], ${json(grant.visibleAttributes)},
        ${json(grant.editableAttributes)}, ${json(grant.visibleLocales)}, ${json(grant.editableLocales)})
      returning id
    ), named as (
      insert into grant_attr_group (grant_id, tid) select added.id, tid from added, unnest(${groups}::text[]) as tid
    )
    insert into grant_scope (grant_id, tree, path)
    select distinct added.id, s.tree, s.path
    from added, jsonb_to_recordset(${JSON.stringify(scopes)}::jsonb) as s (tree text, path text)`)
}

/** The attributes of every group. */
export const findMembers = (db: Db) =>
  db.rows<{ tid: string; attributes: string[] }>(sql`
    select group_tid as tid, array_agg(tid order by tid) as attributes
    from attr_def where group_tid is not null group by group_tid`)

/** Groups that are being named are not deleted meanwhile. */
export const keepGroups = async (db: Db, tids: readonly string[]): Promise<void> => {
  if (tids.length > 0) await db.rows(sql`select tid from attr_group where tid = any(${tids}::text[]) for key share`)
}

/** The sorts of names in a grant besides kinds and actions: paths of the four trees, attributes, their groups, and locales. */
export type Named = Tree | 'attribute' | 'attrGroup' | 'locale'

/** All names of that sort, as rows with the column `name`. */
const namesOf: Record<Named, Sql> = {
  node: sql`select path as name from node`,
  dir: sql`
    select path as name from dam_entry where kind = 'dir' and deleted_at is null
    union all select '/' || tid from rnc`,
  channel: sql`select path as name from project`,
  keyword: sql`select path as name from keyword`,
  attribute: sql`
    select tid as name from attr_def union select tid from dam_attr_def
    union select definition ->> 'tid' from project_type, jsonb_array_elements(attr_defs) as definition`,
  attrGroup: sql`select tid as name from attr_group`,
  locale: sql`select tid as name from locale`,
}

export const unknownNames = async (db: Db, of: Named, names: readonly string[]) =>
  (
    await db.rows<{ name: string }>(sql`
      select name from unnest(${names}::text[]) as given (name)
      where name not in (select name from (${namesOf[of]}) as known where name = any (${names}::text[]))`)
  ).map(({ name }) => name)

/** Some known names as examples, the shortest paths first. */
export const someNames = async (db: Db, of: Named, limit: number) =>
  (
    await db.rows<{ name: string }>(sql`
      select name from (${namesOf[of]}) as known
      order by length(name) - length(replace(name, '/', '')), name limit ${limit}`)
  ).map(({ name }) => name)

export const deleteRole = (db: Db, name: string) => db.run(sql`delete from role where name = ${name}`)

/** Increments the epoch of all users who have the role, directly or through a group. */
export const raiseEpochOfRole = (db: Db, role: string) =>
  db.run(sql`
    update user_account set permission_epoch = permission_epoch + 1 where id in (
      select user_id from user_role where role = ${role}
      union select user_id from group_member join group_role using (group_name) where role = ${role})`)

/** Whether there is an enabled administrator. Users of an external provider count, because it may give them the role. */
export const anyAdmin = async (db: Db) =>
  (await db.row(sql`
    select u.id from user_account u
    where u.enabled and (u.issuer is not null or exists (
      select from user_role r where r.user_id = u.id and r.role = 'admin'
      union all
      select from group_member m join group_role r using (group_name) where m.user_id = u.id and r.role = 'admin'))
    limit 1`)) !== undefined
