/** Statements for changes of many assets: those below folders, and names that are taken. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import { dirPath, inPlace } from '../entries.sql.ts'

interface Folder {
  readonly containerId: number
  readonly pathKey: string
}
/** Rows of `id`, which is the place in the order of paths, and tid. `visible` is a condition on assets `e`. */
export const selectBelow = (folders: readonly Folder[], visible: Sql) => sql`
  select row_number() over (order by ${dirPath} collate "C", e.name_key collate "C", e.id) as id, e.tid from ${inPlace}
  where e.kind = 'asset' and e.deleted_at is null and ${visible}
    and coalesce(e.parent_id, e.rnc_id) in (
      select unnest(${folders.map(({ containerId }) => containerId)}::bigint[])
      union
      select f.id from unnest(${folders.map(({ pathKey }) => pathKey)}::text[]) as top (key)
      cross join lateral (select i.id from dam_entry i where i.path_key is not null and i.deleted_at is null
        and i.path_key collate "C" > top.key || '/' and i.path_key collate "C" < top.key || '0' offset 0) f)`

interface NameInFolder {
  /** Both as keys. */
  readonly folder: string
  readonly name: string
}
/** The entries with these names, or whose names begin so. */
export const findNames = (db: Db, slots: readonly NameInFolder[], isPrefix: boolean) =>
  db.rows<NameInFolder>(sql`
    select w.folder, e.name_key as name
    from unnest(${slots.map(({ folder }) => folder)}::text[], ${slots.map(({ name }) => name)}::text[]) as w (folder, name)
    left join lateral (select id from dam_entry where path_key is not null and deleted_at is null
      and path_key collate "C" = w.folder limit 1) d on true
    left join lateral (select id from rnc where '/' || lower(tid) = w.folder limit 1) top on true
    join dam_entry e on coalesce(e.parent_id, e.rnc_id) = coalesce(d.id, top.id) and e.deleted_at is null
      and ${isPrefix ? sql`starts_with(e.name_key, w.name)` : sql`e.name_key = w.name`}`)
