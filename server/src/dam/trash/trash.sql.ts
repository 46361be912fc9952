/** SQL statements about the trash: deleting, restoring and purging. */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { AreaUses, TargetRow } from '../../common/api.ts'
import { dirPath, type EntryRow, entryColumns, idsOf, inPlace, type Kind } from '../entries.sql.ts'
import { keyOf } from '../names.ts'

/** A directory of a tree to delete, and the entry whose deletion was requested. */
export interface TreePart {
  readonly id: number
  readonly topId: number
}

/** Directories, and the entries in them. */
export const damUses: AreaUses = {
  kinds: [
    [
      'dir',
      {
        describe: (db, ids, tids = []) =>
          db.rows<TargetRow>(sql`
            select e.id, e.tid, e.path, array[e.path] as scopes from dam_entry e
            where e.id = any(array(${idsOf('dir', { ids, tids, paths: [] })})) and e.kind = 'dir' and e.deleted_at is null`),
      },
    ],
  ],
  uses: [
    [
      'dir',
      sql`select part.top_id, part.id as of_id, e.kind as data_type, e.id, 'below' as kind, '' as link_type, false as keeps
        from part join dam_entry e on e.parent_id = part.id and e.deleted_at is null`,
    ],
  ],
}

/** Kinds of links that mark an asset as in use; keywords do not. */
const usingLinks = ['assetToProduct', 'assetToProject']

interface Blocker {
  topId: number
  id: number
  /** The user who has checked it out, or the number of links to it. */
  lockedBy: string | null
  links: number
  path: string
}

/** The assets in each directory `g`; by index, whatever number of assets is expected in a directory. */
const eachAsset = sql`cross join lateral (
  select id from dam_entry where parent_id = g.id and kind = 'asset' and deleted_at is null offset 0) e`

/**
 * Assets that are checked out by others or in use: one of each kind per requested entry, which may itself be an asset.
 */
export const findBlockers = (db: Db, parts: readonly TreePart[], userName: string) =>
  db.rows<Blocker>(sql`
    with parts as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as g (id bigint, "topId" bigint)
    ), asset as materialized (
      select e.id, g."topId" from parts g ${eachAsset}
      union all
      select e.id, g."topId" from parts g join dam_entry e on e.id = g.id and e.kind = 'asset'
    )
    select distinct on (a."topId", lock.by is not null) a."topId", a.id, lock.by as "lockedBy", used.links,
           ${dirPath} || '/' || e.name as path
    from asset a join ${inPlace} on e.id = a.id and e.id = any(array(select id from asset))
    cross join lateral (select case when e.locked_by <> ${userName} then e.locked_by end as by) lock
    cross join lateral (
      select count(*)::int as links from link l where l.from_id = a.id and l.kind = any(${usingLinks}::text[])) used
    where lock.by is not null or used.links > 0
    order by a."topId", lock.by is not null, e.id`)

/** Removes the links that mark these assets as in use. The objects at the other ends have changed with that. */
export const unlinkAssets = (db: Db, parts: readonly TreePart[], userName: string) => {
  const ids = parts.map(({ id }) => id)
  return db.run(sql`
    with removed as (
      delete from link where kind = any(${usingLinks}::text[]) and from_id = any(array(
        select id from dam_entry where kind = 'asset' and deleted_at is null
          and (parent_id = any(${ids}::bigint[]) or id = any(${ids}::bigint[]))))
      returning id, kind, type, from_id, to_id, lower(split_part(kind, 'To', 2)) as data_type
    ), announced as (
      insert into outbox (object_id, data_type, event, action, user_name, fields)
      select to_id, data_type, 'UPDATE', 'unlink', ${userName}, array['link'] from removed order by to_id, id
    )
    insert into history (object_id, data_type, action, user_name, changes)
    select to_id, data_type, 'unlink', ${userName},
      jsonb_build_object('link', jsonb_build_object('kind', kind, 'type', type, 'from', from_id, 'to', to_id))
    from removed order by to_id, id`)
}

/** Writes the history and the outbox for entries that one statement changed; `changed` has id, kind and path. */
const recordChanges = (changed: Sql, event: 'CREATE' | 'DELETE', action: string, userName: string, gone: Sql) => sql`
  , announced as (
    insert into outbox (object_id, data_type, event, user_name, gone)
    select id, kind, ${event}, ${userName}, ${gone} from ${changed} order by id
  )
  insert into history (object_id, data_type, action, user_name, changes)
  select id, kind, ${action}, ${userName}, jsonb_build_object('path', path) from ${changed} order by id`

/** A right to an asset depends on its directory, that to a directory on itself. */
const named = sql`jsonb_build_object(
  'tid', tid, 'path', path, 'scopes', jsonb_build_array(case kind when 'dir' then path else dir end))`

/** Moves directories with their assets, and single assets, to the trash. Also writes the history and the outbox. */
export const trashEntries = (db: Db, parts: readonly TreePart[], userName: string) =>
  db.run(sql`
    with parts as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as g (id bigint, "topId" bigint)
    ), leaving as materialized (
      select e.id, g."topId" from parts g join dam_entry e on e.id = g.id where e.deleted_at is null
      union all
      select e.id, g."topId" from parts g ${eachAsset}
    ), gone as (
      update dam_entry e set deleted_at = now(), deleted_by = ${userName}, locked_by = null, locked_at = null,
        deleted_with = nullif(l."topId", e.id)
      from leaving l where e.id = l.id and e.id = any(array(select id from leaving))
        and (e.locked_by is null or e.locked_by = ${userName})
      returning e.id, e.kind, e.tid, e.name, e.path, e.parent_id, e.rnc_id
    ), changed as (
      select g.id, g.kind, g.tid, p.dir, coalesce(g.path, p.dir || '/' || g.name) as path
      from gone g join rnc r on r.id = g.rnc_id
      left join dam_entry d on d.id = g.parent_id and d.id = any(array(select parent_id from gone))
      cross join lateral (select coalesce(d.path, '/' || r.tid) as dir) p
    )
    ${recordChanges(sql`changed`, 'DELETE', 'delete', userName, named)}`)

/** Whether the directories still have assets, because another user has checked them out meanwhile. */
export const anyLeft = async (db: Db, dirs: readonly number[], userName: string) =>
  (await db.row(sql`
    select from dam_entry where parent_id = any(${dirs}::bigint[]) and kind = 'asset' and deleted_at is null
      and locked_by <> ${userName} limit 1`)) !== undefined

export interface TrashRow extends EntryRow {
  deletedAt: Date
  deletedBy: string
  /** The entry whose deletion included this one. */
  deletedWith: number | null
  /** The number of entries that would be restored with it. */
  inside: number
}
const trashColumns = sql`
  ${entryColumns}, e.deleted_at as "deletedAt", e.deleted_by as "deletedBy", e.deleted_with as "deletedWith",
  (select count(*)::int from dam_entry i where i.deleted_with = e.id) as inside`

export interface TrashFilter {
  readonly rncTid?: string | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** Entries that were deleted on request, not as part of a directory; latest first. */
export const listTrash = (
  db: Db,
  kind: Kind,
  { rncTid, from, until }: TrashFilter,
  visible: Sql,
  before: { at: Date; id: number } | undefined,
  limit: number,
) =>
  db.rows<TrashRow>(sql`
    select ${trashColumns} from ${inPlace}
    where e.kind = ${kind} and e.deleted_at is not null and e.deleted_with is null and ${visible}
      ${rncTid === undefined ? nothing : sql`and r.tid = ${rncTid}`}
      ${from === undefined ? nothing : sql`and e.deleted_at >= ${from}::timestamptz`}
      ${until === undefined ? nothing : sql`and e.deleted_at <= ${until}::timestamptz`}
      ${before === undefined ? nothing : sql`and (e.deleted_at, e.id) < (${before.at}::timestamptz, ${before.id}::bigint)`}
    order by e.deleted_at desc, e.id desc limit ${limit}`)

export interface Restorable extends TrashRow {
  /** True if its directory is in the trash too. */
  dirDeleted: boolean
  /** The path of a directory at the time of its deletion. */
  oldPath: string | null
  /** The number of bytes that the longest path below a directory adds to its own. */
  below: number | null
}

/** Entries that can be restored, by id or tid. If several have the same tid, the latest is first. */
export const findTrash = (db: Db, kind: Kind, by: { ids: readonly Long[]; tids: readonly string[] }, visible: Sql) =>
  db.rows<Restorable>(sql`
    select ${trashColumns}, d.deleted_at is not null as "dirDeleted", e.path as "oldPath",
      (select max(octet_length(i.path_key)) from dam_entry i where i.deleted_with = e.id) - octet_length(e.path_key) as below
    from ${inPlace}
    where e.kind = ${kind} and e.deleted_at is not null and ${visible} and e.id = any(array(
      select id from dam_entry where id = any(${by.ids}::bigint[])
      union all select id from dam_entry where kind = ${kind} and deleted_at is not null and tid = any(${by.tids}::text[])))
    order by e.deleted_at desc, e.id desc for update of e`)

/** tids of entries to restore that other entries use now. */
export const findTakenTids = (db: Db, ids: readonly number[]) =>
  db.rows<{ topId: number; tid: string }>(sql`
    select coalesce(e.deleted_with, e.id) as "topId", e.tid from dam_entry e
    join dam_entry taken on taken.kind = e.kind and taken.tid = e.tid and taken.deleted_at is null
    where e.id = any(${ids}::bigint[]) or e.deleted_with = any(${ids}::bigint[])`)

/** An entry to restore, with its location and, for a directory, its previous path. */
export interface Returning {
  readonly id: number
  readonly rncId: number
  readonly parentId: number | null
  readonly name: string
  readonly path: string
  readonly oldPath: string
}

export const restoreEntries = (db: Db, entries: readonly Returning[], userName: string) => {
  const rows = entries.map((one) => ({
    ...one,
    nameKey: keyOf(one.name),
    pathKey: keyOf(one.path),
    oldPathKey: keyOf(one.oldPath),
  }))
  return db.run(sql`
    with back as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as b (id bigint, "rncId" bigint, "parentId" bigint, name text, "nameKey" text, path text, "pathKey" text,
              "oldPath" text, "oldPathKey" text)
    ), member as materialized (
      select id, id as top from back
      union all
      select e.id, b.id from back b join dam_entry e on e.deleted_with = b.id and e.deleted_at is not null
    ), came as (
      update dam_entry e set deleted_at = null, deleted_by = null, deleted_with = null, rnc_id = b."rncId",
        parent_id = case when e.id = b.id then b."parentId" else e.parent_id end,
        name = case when e.id = b.id then b.name else e.name end,
        name_key = case when e.id = b.id then b."nameKey" else e.name_key end,
        path = b.path || substr(e.path, length(b."oldPath") + 1),
        path_key = b."pathKey" || substr(e.path_key, length(b."oldPathKey") + 1)
      from member m join back b on b.id = m.top where e.id = m.id
      returning e.id, e.kind, e.name, e.parent_id, b.id as top
    ), changed as (
      -- A directory is read as it was before this statement: its path begins as that of the entry it was deleted with.
      select c.id, c.kind,
        case when c.id = b.id then b.path else b.path || substr(d.path, length(b."oldPath") + 1) || '/' || c.name end as path
      from came c join back b on b.id = c.top left join dam_entry d on d.id = c.parent_id
    )
    ${recordChanges(sql`changed`, 'CREATE', 'restore', userName, sql`null::jsonb`)}`)
}

/** Deletes rows for good, with their links, versions and previews. The collector deletes unreferenced bytes later. */
export const purge = async (db: Db, days: number): Promise<void> => {
  const old = sql`deleted_at < now() - make_interval(days => ${days})`
  await db.transaction(async (one) => {
    await one.run(sql`
      update dam_entry set variation_of = null, variation_type = null
      where variation_of in (select id from dam_entry where ${old})`)
    await one.run(sql`delete from dam_entry where ${old}`)
  })
}
