/** SQL statements about versions: the earlier files of assets. */
import type { Db } from '../../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../../adapters/postgres/sql.ts'
import { dirPath, inPlace } from '../../entries.sql.ts'
import { usageOf, type UsageRow } from '../../usage/usage.sql.ts'

export interface VersionRow {
  id: number
  tid: string
  assetId: number
  assetTid: string
  name: string
  type: string
  sha256: string
  size: number
  mime: string
  width: number | null
  height: number | null
  comment: string | null
  timeoutAt: Date | null
  protectedAfter: Date | null
  protectedBefore: Date | null
  fileDate: Date
  fileUser: string
  createdAt: Date
  createdBy: string
  usage: UsageRow | null
}
const columns = sql`
  v.id, v.tid, v.asset_id as "assetId", e.tid as "assetTid", v.name, v.type, v.sha256, v.size, v.mime, v.width, v.height, v.comment,
  v.timeout_at as "timeoutAt", v.protected_after as "protectedAfter", v.protected_before as "protectedBefore",
  v.file_date as "fileDate", v.file_user as "fileUser", v.created_at as "createdAt", v.created_by as "createdBy", v.usage`

export const listVersions = (db: Db, assetIds: readonly number[]) =>
  db.rows<VersionRow>(sql`
    select ${columns} from asset_version v join dam_entry e on e.id = v.asset_id
    where v.asset_id = any(${assetIds}::bigint[]) order by v.asset_id, v.id desc`)

/** Versions of visible assets, with the path of their directory. */
export const findVersions = (db: Db, ids: readonly unknown[], tids: readonly string[], visible: Sql) =>
  db.rows<VersionRow & { dirPath: string }>(sql`
    select ${columns}, ${dirPath} as "dirPath" from ${inPlace} join asset_version v on v.asset_id = e.id
    where (v.id = any(${ids}::bigint[]) or v.tid = any(${tids}::text[])) and e.deleted_at is null and ${visible}
    order by v.id for update of v`)

/** The file of a version, for a download. */
export const findVersionFile = (db: Db, tid: string, visible: Sql) =>
  db.row<{ sha256: string; size: number; mime: string; name: string; modifiedAt: Date }>(sql`
    select v.sha256, v.size, v.mime, v.name, v.file_date as "modifiedAt"
    from asset_version v join ${inPlace} on e.id = v.asset_id
    where v.tid = ${tid} and e.deleted_at is null and ${visible}`)

export interface NewVersion {
  readonly tid: string
  readonly comment?: string
  readonly timeoutAt?: string
  readonly protectedAfter?: string
  readonly protectedBefore?: string
}

/** Stores the current file of the asset as a version. */
export const keepAsVersion = (db: Db, assetId: number, version: NewVersion, userName: string) =>
  db.run(sql`
    insert into asset_version (tid, asset_id, name, type, sha256, size, mime, width, height, comment, timeout_at,
      protected_after, protected_before, file_date, file_user, created_by, usage)
    select ${version.tid}, id, name, type, sha256, size, mime, width, height, ${version.comment ?? null},
      ${version.timeoutAt ?? null}, ${version.protectedAfter ?? null}, ${version.protectedBefore ?? null}, modified_at,
      modified_by, ${userName}, ${usageOf}
    from dam_entry e where id = ${assetId}`)

/** A version is protected between its dates; without dates it is not protected. */
const isProtected = sql`
  (num_nonnulls(protected_after, protected_before) > 0
   and now() >= coalesce(protected_after, '-infinity') and now() < coalesce(protected_before, 'infinity'))`

/** Deletes the oldest versions above the limit, except protected ones. */
export const trimVersions = (db: Db, assetId: number, keep: number) =>
  db.run(sql`
    delete from asset_version where id in (
      select id from asset_version where asset_id = ${assetId} and not ${isProtected}
      order by id desc offset greatest(0, ${keep}::int - (
        select count(*)::int from asset_version where asset_id = ${assetId} and ${isProtected})))`)

export const countVersions = async (db: Db, assetId: number) =>
  (await db.row<{ count: number }>(sql`select count(*)::int as count from asset_version where asset_id = ${assetId}`))!
    .count

/** Returns the deleted versions. */
export const deleteVersions = (db: Db, ids: readonly number[]) =>
  db.writeRows<{ id: number }>(sql`
    delete from asset_version where id = any(${ids}::bigint[]) and not ${isProtected} returning id`)

export const removeVersion = (db: Db, id: number) => db.run(sql`delete from asset_version where id = ${id}`)

export const deleteTimedOut = (db: Db) =>
  db.run(sql`delete from asset_version where timeout_at < now() and not ${isProtected}`)
