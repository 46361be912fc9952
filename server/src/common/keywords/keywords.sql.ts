/** Every statement about keywords. A subtree is a range of paths: everything between `/Sea/` and `/Sea0`. */
import { columns, type Row, stampColumns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { Caller } from '../../core/context.ts'
import { within } from '../../core/access/permissions.ts'
import type { ItemValue } from '../meta.ts'

const keyword = columns('keyword', 'id', 'parent_id', 'name', 'path', 'names', 'meta')
const listed = columns('keyword', 'order_number', ...stampColumns)

export interface KeywordRow extends Row<typeof keyword> {
  /** Localized names by locale. */
  names: Record<string, string>
  /** The items that senders put into meta. */
  meta: ItemValue[]
}
export interface ListedKeyword extends KeywordRow, Row<typeof listed> {}
const below = (path: Sql) => sql`(k.path collate "C" > ${path} || '/' and k.path collate "C" < ${path} || '0')`

/** One writer at a time changes the tree, so that paths stay correct and two moves cannot make a cycle. */
export const lockTree = (db: Db) => db.lock(sql`select pg_advisory_xact_lock(hashtext('keyword'))`)

/** A condition: keywords that the caller may read. */
export const readable = ({ permissions }: Caller) => within(permissions, 'read', 'keyword', sql`k.path`)

export const findKeywords = (db: Db, ids: readonly unknown[], paths: readonly string[], among: Sql = sql`true`) =>
  db.rows<KeywordRow>(sql`
    select ${keyword.select('k')} from keyword k
    where (k.id = any(${ids}::bigint[]) or k.path = any(${paths}::text[])) and ${among}`)

/** The descendants of a path down to a level, parents before children. */
export const listKeywords = (db: Db, path: string, level: number, after: string, limit: number, among: Sql) =>
  db.rows<ListedKeyword>(sql`
    select ${keyword.select('k')}, ${listed.select('k')} from keyword k
    where ${below(sql`${path}::text`)} and k.path collate "C" > ${after} and ${among}
      ${level === -1 ? nothing : sql`and length(k.path) - length(replace(k.path, '/', '')) <= ${level + depthOf(path)}::bigint`}
    order by k.path collate "C" limit ${limit}`)
const depthOf = (path: string) => path.split('/').length - 1

/** The planner expects a ninth of all keywords in each subtree. With an array of ids it reads only those. */
const subtrees = (paths: readonly string[]) => sql`
  select ${keyword.select('k')} from keyword k where k.id = any(array(
    select k.id from unnest(${paths}::text[]) as top (path)
    join keyword k on k.path = top.path or ${below(sql`top.path`)}))`

/** Keywords and all their descendants; siblings in their order. */
export const findSubtrees = (db: Db, paths: readonly string[]) =>
  db.rows<KeywordRow>(sql`${subtrees(paths)} order by k.order_number, k.id`)

/** The same, and prevents new links to them until the transaction ends. */
export const lockSubtrees = (db: Db, paths: readonly string[]) =>
  db.rows<KeywordRow>(sql`${subtrees(paths)} order by k.id for update of k`)

/** The number of keywords in each subtree. */
export const countSubtrees = (db: Db, paths: readonly string[]) =>
  db.rows<{ path: string; size: number }>(sql`
    select top.path, count(*)::int as size from (select distinct unnest(${paths}::text[])) as top (path)
    join keyword k on k.path = top.path or ${below(sql`top.path`)} group by 1`)

/** New keywords come after those that their parent has. PostgreSQL finds `max` by an index, but not among nulls. */
export const insertKeywords = (db: Db, rows: readonly KeywordRow[], userName: string) =>
  db.run(sql`
    with fresh as (
      select * from ${keyword.recordset(rows)}
    ), parent as (
      select p.id, case when p.id is null
        then (select order_number from keyword where parent_id is null order by parent_id desc, order_number desc limit 1)
        else (select max(order_number) from keyword where parent_id = p.id) end as last
      from (select distinct "parentId" from fresh) as p (id)
    )
    insert into keyword (${keyword.names}, order_number, created_by, modified_by)
    select ${keyword.fields('n')},
           coalesce(p.last, -1) + row_number() over (partition by n."parentId" order by n.id), ${userName}, ${userName}
    from fresh n join parent p on coalesce(p.id, 0) = coalesce(n."parentId", 0)`)

/** A keyword after the edit, with the path it had before. */
interface ChangedKeyword extends KeywordRow {
  oldPath: string
}

/**
 * Writes changed keywords, and new paths for all descendants of moved ones, by their nearest moved ancestor. One statement,
 * because paths must be unique after each statement and two keywords may have swapped their paths. The lateral join and
 * the arrays lead to index scans, whatever the planner expects.
 */
export const updateKeywords = (db: Db, rows: readonly ChangedKeyword[], userName: string) =>
  db.run(sql`
    with change as (
      select * from ${keyword.recordset(rows, 'c', sql`"oldPath" text`)}
    ), member as materialized (
      select c.id as member, c.* from change c
      union all
      select k.id, c.* from change c
      cross join lateral (select k.id from keyword k where ${below(sql`c."oldPath"`)} offset 0) k
      where c.path <> c."oldPath"
    ), next as materialized (
      select distinct on (k.id) k.id, m.id = k.id as itself, m."parentId", m.name, m.names, m.meta,
             m.path || substr(k.path, length(m."oldPath") + 1) as path
      from keyword k join member m on m.member = k.id
      where k.id = any(array(select member from member))
      order by k.id, m.id = k.id desc, length(m."oldPath") desc
    )
    update keyword k
    set path = next.path,
        parent_id = case when itself then next."parentId" else k.parent_id end,
        name = case when itself then next.name else k.name end,
        names = case when itself then next.names else k.names end,
        meta = case when itself then next.meta else k.meta end,
        modified_at = case when itself then now() else k.modified_at end,
        modified_by = case when itself then ${userName} else k.modified_by end
    from next where k.id = next.id and k.id = any(array(select id from next))`)

export const deleteKeywords = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from keyword where id = any(${ids}::bigint[])`)

/** Keywords as ends of links; prevents their deletion until the transaction ends. */
export const shareKeywords = (db: Db, ids: readonly unknown[], paths: readonly string[]) =>
  db.rows<{ id: number; path: string }>(sql`
    select id, path from keyword where id = any(${ids}::bigint[]) or path = any(${paths}::text[])
    order by id for key share`)
