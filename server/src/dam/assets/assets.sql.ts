/** SQL statements about assets. Statements shared with directories are in entries.sql.ts. */
import type { Long } from '@kontor/contract'
import { columns, type Row, stampColumns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { join, type Sql, sql } from '../../adapters/postgres/sql.ts'
import { dirPath, type EntryRow, entryColumns, idsOf, inPlace, type Names } from '../entries.sql.ts'
import { type Hold, holdOf } from '../care/hold.sql.ts'
import { lookOf, type LookRow } from '../found/analysis.sql.ts'
import { usageOf, type UsageRow } from '../usage/usage.sql.ts'
import type { Paging } from '../../core/context.ts'
import { atMost, behind } from '../../core/batch/paging.sql.ts'

const isAsset = sql`e.kind = 'asset' and e.deleted_at is null`

export interface Filter {
  readonly modifiedFrom?: string
  readonly modifiedUntil?: string
  readonly types?: readonly string[]
  /** Name keys (case-folded). */
  readonly names?: readonly string[]
  /** The id of a directory, or of a storage for its top level. */
  readonly containerId?: number
}

export function queryAssets(
  db: Db,
  { modifiedFrom, modifiedUntil, types, names, containerId }: Filter,
  visible: Sql,
  paging: Paging,
) {
  const conditions = [
    isAsset,
    visible,
    ...(modifiedFrom === undefined ? [] : [sql`e.modified_at >= ${modifiedFrom}::timestamptz`]),
    ...(modifiedUntil === undefined ? [] : [sql`e.modified_at <= ${modifiedUntil}::timestamptz`]),
    ...(types === undefined ? [] : [sql`e.type = any(${types}::text[])`]),
    ...(names === undefined ? [] : [sql`e.name_key = any(${names}::text[])`]),
    ...(containerId === undefined ? [] : [sql`coalesce(e.parent_id, e.rnc_id) = ${containerId}::bigint`]),
  ]
  return db.rows<{ id: number; tid: string }>(sql`
    select e.id, e.tid from ${inPlace} where ${join(conditions, ' and ')} ${behind(paging, sql`e.id`)}
    order by e.id ${atMost(paging)}`)
}

// prettier-ignore
const asset = columns(
  'dam_entry', 'size', 'mime', 'width', 'height', 'sha256', 'embedded', 'import_status', 'locked_at', 'deleted_at',
  ...stampColumns,
)
/** Null in the table for directories; a constraint demands them of assets. */
type FileColumns = 'size' | 'mime' | 'sha256' | 'importStatus'
type StoredAsset = Row<typeof asset>

export type AssetRow = EntryRow &
  Omit<StoredAsset, FileColumns> & { [K in FileColumns]: NonNullable<StoredAsset[K]> } & {
    embedded: Readonly<Record<string, unknown>>
    versions: number
    usage: UsageRow | null
    look: LookRow | null
    hold: Hold | null
  }
const assetColumns = sql`
  ${entryColumns}, ${asset.select('e')},
  (select count(*)::int from asset_version v where v.asset_id = e.id) as versions, ${usageOf} as usage,
  ${lookOf} as look, ${holdOf(sql`e.sha256`)} as hold`

/** Resolves names to ids. Only ids are loaded, so that a long list fits in memory. */
export const findIds = (db: Db, names: Names, visible: Sql) =>
  db.rows<{ id: number; tid: string; path: string }>(sql`
    select e.id, e.tid, ${dirPath} || '/' || e.name as path from ${inPlace}
    where e.id = any(array(${idsOf('asset', names)})) and ${isAsset} and ${visible}`)

export const readAssets = (db: Db, ids: readonly number[]) =>
  db.rows<AssetRow>(
    sql`select ${assetColumns} from ${inPlace} where e.id = any(${ids}::bigint[]) and ${isAsset} order by e.id`,
  )

/** Includes assets in the trash. If several have the same tid, the live one or else the latest is returned. */
export const findStatuses = (db: Db, by: { tids: readonly string[]; ids: readonly Long[] }, visible: Sql) =>
  db.rows<AssetRow>(sql`
    select distinct on (e.tid) ${assetColumns} from ${inPlace}
    where e.kind = 'asset' and ${visible}
      and e.id = any(array(
        select id from dam_entry where kind = 'asset' and tid = any(${by.tids}::text[])
        union all select id from dam_entry where id = any(${by.ids}::bigint[])))
    order by e.tid, e.deleted_at desc nulls first, e.id desc`)

export const findKeywords = (db: Db, ids: readonly number[]) =>
  db.rows<{ assetId: number; keywordId: number; path: string }>(sql`
    select l.to_id as "assetId", l.from_id as "keywordId", k.path from link l join keyword k on k.id = l.from_id
    where l.to_id = any(${ids}::bigint[]) and l.kind = 'keywordToAsset' order by l.to_id, l.id`)

export interface HistoryRow {
  id: number
  objectId: number
  action: string
  at: Date
  userName: string
  rule: string | null
  changes: Readonly<Record<string, unknown>>
}
export const findHistories = (db: Db, ids: readonly number[]) =>
  db.rows<HistoryRow>(sql`
    select id, object_id as "objectId", action, at, user_name as "userName", rule, changes from history
    where object_id = any(${ids}::bigint[]) order by object_id, id`)

/** Writes meta and values. */
export const writeContents = (db: Db, assets: readonly EntryRow[], userName: string) =>
  db.run(sql`
    update dam_entry e set meta = n.meta, vals = n.vals, modified_at = now(), modified_by = ${userName}
    from jsonb_to_recordset(${JSON.stringify(assets.map(({ id, meta, vals }) => ({ id, meta, vals })))}::jsonb)
      as n (id bigint, meta jsonb, vals jsonb)
    where e.id = n.id`)

/** Sets or clears the lock holder. */
export const writeLocks = (db: Db, locks: readonly { id: number; lockedBy: string | null }[]) =>
  db.run(sql`
    update dam_entry e set locked_by = n."lockedBy", locked_at = case when n."lockedBy" is null then null else now() end
    from jsonb_to_recordset(${JSON.stringify(locks)}::jsonb) as n (id bigint, "lockedBy" text)
    where e.id = n.id`)

export const findTids = (db: Db, tids: readonly string[]) =>
  db.rows<{ tid: string }>(sql`
    select tid from dam_entry where kind = 'asset' and deleted_at is null and tid = any(${tids}::text[])`)

// Links

interface LinkedAsset {
  id: number
  tid: string
  /** The path in messages, without a leading slash. */
  path: string
  /** The directory, which scopes of grants refer to. */
  scopes: readonly string[]
}

export const lockAssets = (db: Db, by: { ids: readonly Long[]; tids: readonly string[] }) =>
  db.rows<LinkedAsset>(sql`
    select e.id, e.tid, ltrim(${dirPath}, '/') || '/' || e.name as path, array[${dirPath}] as scopes from ${inPlace}
    where e.id = any(array(${idsOf('asset', { ...by, paths: [] })})) and ${isAsset} order by e.id for key share of e`)

export const describeAssets = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<LinkedAsset>(sql`
    select e.id, e.tid, ltrim(${dirPath}, '/') || '/' || e.name as path, array[${dirPath}] as scopes from ${inPlace}
    where e.id = any(array(${idsOf('asset', { ids, tids, paths: [] })})) and ${isAsset}`)

export const inTrash = (id: Sql) =>
  sql`exists (select from dam_entry t where t.id = ${id} and t.deleted_at is not null)`

// Duplicates

/** Assets with identical content, page by page; only those named, if any are named. */
export const listDuplicates = (
  db: Db,
  named: { checksums: readonly string[]; ids: readonly number[] } | undefined,
  visible: Sql,
  after: { sha256: string; id: number },
  limit: number,
) => {
  const wanted = named
    ? sql`e.sha256 = any(${named.checksums}::text[])
        or e.sha256 in (select sha256 from dam_entry where id = any(${named.ids}::bigint[]))`
    : sql`exists (select from dam_entry o where o.sha256 = e.sha256 and o.id <> e.id and o.kind = 'asset' and o.deleted_at is null)`
  return db.rows<AssetRow>(sql`
    select ${assetColumns} from ${inPlace}
    where ${isAsset} and ${visible} and (${wanted}) and (e.sha256, e.id) > (${after.sha256}, ${after.id}::bigint)
    order by e.sha256, e.id limit ${limit}`)
}
