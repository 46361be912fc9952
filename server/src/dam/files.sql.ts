/** SQL statements about the current files of assets and their previews. */
import type { Db } from '../adapters/postgres/db.ts'
import { nothing, type Sql, sql } from '../adapters/postgres/sql.ts'
import { entryColumns, type EntryRow, idsOf, inPlace, type Names } from './entries.sql.ts'
import { holdOf, type Hold } from './care/hold.sql.ts'
import { usageOf, type UsageRow } from './usage/usage.sql.ts'

export interface FileRow extends EntryRow {
  type: string
  sha256: string
  size: number
  mime: string
  width: number | null
  height: number | null
  importStatus: 'pending' | 'running' | 'available' | 'incomplete'
  modifiedAt: Date
  modifiedBy: string
  usage: UsageRow | null
  hold: Hold | null
}
/** As people outside see it: refusals name the path of a file, and they learn its name, not its folder. */
export const withoutFolder = (asset: FileRow): FileRow => ({ ...asset, path: asset.name })

const columns = sql`${entryColumns}, e.sha256, e.size, e.mime, e.width, e.height, e.import_status as "importStatus",
  e.modified_at as "modifiedAt", e.modified_by as "modifiedBy", ${usageOf} as usage, ${holdOf(sql`e.sha256`)} as hold`

export const findFiles = (db: Db, names: Names, visible: Sql, lock = false) =>
  db.rows<FileRow>(sql`
    select ${columns} from ${inPlace}
    where e.id = any(array(${idsOf('asset', names)})) and e.kind = 'asset' and e.deleted_at is null and ${visible}
    order by e.id ${lock ? sql`for update of e` : nothing}`)

export interface PreviewRow {
  assetId: number
  format: PreviewFormat
  sha256: string
  size: number
  mime: string
  width: number
  height: number
}
export type SizedFormat = 'thumbnail' | 'preview' | 'fullsize'
/** For documents, also the pages after the first. */
export type PreviewFormat = SizedFormat | `page-${number}`

/** Previews of the current files. Previews of an earlier file are left out. */
export const findPreviews = (db: Db, assetIds: readonly number[]) =>
  db.rows<PreviewRow>(sql`
    select p.asset_id as "assetId", p.format, p.sha256, p.size, p.mime, p.width, p.height
    from asset_preview p join dam_entry e on e.id = p.asset_id and e.sha256 = p.source
    where p.asset_id = any(${assetIds}::bigint[])
    order by p.asset_id, array_position(array['thumbnail', 'preview', 'fullsize'], p.format), length(p.format), p.format`)
