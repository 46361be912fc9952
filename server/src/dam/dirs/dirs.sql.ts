/** Every statement about directories. A subtree is a range of path keys: everything between `/mam/a/` and `/mam/a0`. */
import { columns, type Row, stampColumns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import { type EntryRow, entryColumns, inPlace } from '../entries.sql.ts'
import { keyOf } from '../names.ts'

const below = (key: Sql, column = sql`e.path_key`) =>
  sql`(${column} collate "C" > ${key} || '/' and ${column} collate "C" < ${key} || '0')`
/** Only directories have a path column. */
const isDir = sql`e.path_key is not null and e.deleted_at is null`
/**
 * The entries below each of many directories. The lateral join forces an index scan for each of them, whatever the
 * planner estimates.
 */
const eachBelow = (key: Sql) =>
  sql`cross join lateral (select e.id from dam_entry e where ${isDir} and ${below(key)} offset 0) e`

// prettier-ignore
const dir = columns('dam_entry', 'id', 'tid', 'rnc_id', 'parent_id', 'name', 'name_key', 'path', 'path_key', 'meta', 'vals')
const stamps = columns('dam_entry', ...stampColumns)

export interface ListedDir extends EntryRow, Row<typeof stamps> {}

/** The start of a listing: a storage or directory with its id and path. */
export interface Top {
  readonly containerId: number
  readonly path: string
}

/** Page by page, parents before children. The direct children are found by parent id, deeper levels by path. */
export const listDirs = (
  db: Db,
  { containerId, path }: Top,
  level: number,
  visible: Sql,
  after: string,
  limit: number,
) =>
  db.rows<ListedDir>(sql`
    select ${entryColumns}, ${stamps.select('e')} from ${inPlace}
    where ${level === 1 ? sql`e.kind = 'dir' and e.deleted_at is null` : isDir} and ${level === 1 ? sql`coalesce(e.parent_id, e.rnc_id) = ${containerId}` : below(sql`${keyOf(path)}::text`)}
      ${level > 1 ? sql`and length(e.path) - length(replace(e.path, '/', '')) <= ${level + depthOf(path)}` : nothing}
      and e.path_key collate "C" > ${after} and ${visible}
    order by e.path_key collate "C" limit ${limit}`)
const depthOf = (path: string) => path.split('/').length - 1

/** A directory of a tree, and the root of that tree. */
export interface TreeDir extends EntryRow {
  topId: number
}

/** The directories of whole trees, parents before children, locked until the transaction ends. */
export const findTrees = (db: Db, tops: readonly { id: number; path: string }[]) =>
  db.rows<TreeDir>(sql`
    with top as (
      select * from jsonb_to_recordset(${JSON.stringify(tops.map(({ id, path }) => ({ id, key: keyOf(path) })))}::jsonb)
        as t (id bigint, key text)
    ), member as materialized (
      select id, id as "topId" from top
      union all
      select e.id, top.id from top ${eachBelow(sql`top.key`)}
    )
    select ${entryColumns}, m."topId" from member m join ${inPlace} on e.id = m.id and ${isDir}
    order by e.path_key collate "C", e.id for update of e`)

/** The number of bytes that the longest path below each directory adds to the directory's own path. */
export const findDepths = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; below: number }>(sql`
    select top.id, (select max(octet_length(e.path_key)) from dam_entry e where ${isDir} and ${below(sql`top.path_key`)})
      - octet_length(top.path_key) as below
    from dam_entry top where top.id = any(${ids}::bigint[])`)

/** Of each directory, one asset below it that another user has checked out. */
export const findLocked = (db: Db, ids: readonly number[], userName: string) =>
  db.rows<{ id: number; path: string; lockedBy: string }>(sql`
    with top as (
      select id, path_key as key from dam_entry where id = any(${ids}::bigint[])
    ), member as materialized (
      select id, id as "topId" from top
      union all
      select e.id, top.id from top ${eachBelow(sql`top.key`)}
    )
    select distinct on (m."topId") m."topId" as id, d.path || '/' || a.name as path, a.locked_by as "lockedBy"
    from dam_entry a join dam_entry d on d.id = a.parent_id join member m on m.id = d.id
    where a.parent_id = any(array(select id from member)) and a.locked_by <> ${userName} and a.kind = 'asset'
      and a.deleted_at is null
    order by m."topId", a.id`)

const withKeys = (dir: EntryRow) => ({ ...dir, nameKey: keyOf(dir.name), pathKey: keyOf(dir.path) })

export const insertDirs = (db: Db, dirs: readonly EntryRow[], userName: string) =>
  db.run(sql`
    insert into dam_entry (${dir.names}, kind, created_by, modified_by)
    select ${dir.fields('d')}, 'dir', ${userName}, ${userName} from ${dir.recordset(dirs.map(withKeys), 'd')}`)

/** The new state of a directory, with its previous path. */
interface ChangedDir extends EntryRow {
  oldPath: string
}

/**
 * Writes changed directories and the new paths of their descendants; the nearest moved ancestor determines the path.
 * Assets have no path column and are not touched. Grants scoped to a directory follow it. Paths are changed in two
 * steps, so that two directories can swap them. The arrays lead to index scans, whatever the planner expects.
 */
export const updateDirs = (db: Db, dirs: readonly ChangedDir[], userName: string) => {
  const changed = dirs.map((dir) => ({ ...withKeys(dir), oldPathKey: keyOf(dir.oldPath) }))
  return db.run(sql`
    with change as (
      select * from ${dir.recordset(changed, 'c', sql`"oldPath" text, "oldPathKey" text`)}
    ), member as materialized (
      select c.id, c.id as top from change c
      union all
      select e.id, c.id from change c ${eachBelow(sql`c."oldPathKey"`)} where c.path <> c."oldPath"
    ), next as materialized (
      select distinct on (e.id) e.id, c.id = e.id as itself, c."rncId", c."parentId", c.name, c."nameKey", c.meta, c.vals,
             c.path || substr(e.path, length(c."oldPath") + 1) as path,
             c."pathKey" || substr(e.path_key, length(c."oldPathKey") + 1) as path_key, e.path as before
      from member m join change c on c.id = m.top join dam_entry e on e.id = m.id
      where e.id = any(array(select id from member))
      order by e.id, c.id = e.id desc, length(c."oldPath") desc
    ), left_behind as (
      delete from grant_scope s using next
      where s.tree = 'dir' and s.path = next.before and next.before <> next.path
      returning s.grant_id, s.tree, next.path
    ), arrived as (
      insert into grant_scope (grant_id, tree, path)
      select grant_id, tree, path from left_behind order by grant_id, path on conflict do nothing
    )
    update dam_entry e
    set path = next.path, path_key = next.path_key, rnc_id = next."rncId",
        parent_id = case when itself then next."parentId" else e.parent_id end,
        name = case when itself then next.name else e.name end,
        name_key = case when itself then next."nameKey" else e.name_key end,
        meta = case when itself then next.meta else e.meta end,
        vals = case when itself then next.vals else e.vals end,
        modified_at = case when itself then now() else e.modified_at end,
        modified_by = case when itself then ${userName} else e.modified_by end
    from next where e.id = next.id and e.id = any(array(select id from next))`)
}

/** After directories moved to another storage: updates the storage of their contents. */
export const followStorage = (db: Db, ids: readonly number[]) =>
  db.run(sql`
    update dam_entry a set rnc_id = d.rnc_id from dam_entry top
    cross join lateral (
      select top.id, top.rnc_id
      union all select d.id, d.rnc_id from dam_entry d
      where d.path_key is not null and d.deleted_at is null and ${below(sql`top.path_key`, sql`d.path_key`)}) d
    where top.id = any(${ids}::bigint[]) and a.parent_id = d.id and a.rnc_id <> d.rnc_id`)

/** Returns the tids that exist already, visible to the caller or not. */
export const findTids = (db: Db, tids: readonly string[]) =>
  db.rows<{ tid: string }>(sql`
    select tid from dam_entry where kind = 'dir' and deleted_at is null and tid = any(${tids}::text[])`)
