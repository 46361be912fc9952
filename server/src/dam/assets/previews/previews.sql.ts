/** SQL statements about the import of files. */
import type { Db } from '../../../adapters/postgres/db.ts'
import { sql } from '../../../adapters/postgres/sql.ts'
import { holdOf } from '../../care/hold.sql.ts'
import type { StoredValues } from '../../../values/api.ts'
import type { PreviewRow } from '../../files.sql.ts'

export interface Source {
  id: number
  sha256: string
  size: number
  mime: string
  name: string
  settings: Record<string, string>
  /** The second of a film that its previews show, if somebody chose one. */
  posterTime: string | null
}

/**
 * Marks an asset whose import is pending or was interrupted as running. Returns the source for the previews. Held content
 * stays pending.
 */
export const startImport = (db: Db, id: number) =>
  db.writeRow<Source>(sql`
    update dam_entry e set import_status = 'running' from rnc r
    where e.id = ${id} and e.kind = 'asset' and e.import_status in ('pending', 'running') and r.id = e.rnc_id and ${holdOf(sql`e.sha256`)} is null
    returning e.id, e.sha256, e.size, e.mime, e.name, r.settings,
      (select m ->> 'value' from jsonb_array_elements(e.meta) m where m ->> 'key' = 'posterTime' limit 1) as "posterTime"`)

export interface Imported {
  readonly status: 'available' | 'incomplete'
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly embedded: object
}

/** Updates nothing if the asset has got another file meanwhile; that file has its own import. */
export const endImport = (db: Db, id: number, source: string, imported: Imported) =>
  db.run(sql`
    update dam_entry set import_status = ${imported.status}, width = ${imported.width ?? null},
      height = ${imported.height ?? null}, embedded = ${JSON.stringify(imported.embedded)}::jsonb
    where id = ${id} and sha256 = ${source} and import_status = 'running'`)

/** Locks the asset. False if it has got another file meanwhile. */
export const isImporting = async (db: Db, id: number, source: string) =>
  (await db.row(sql`
    select from dam_entry where id = ${id} and sha256 = ${source} and import_status = 'running' for update`)) !==
  undefined

export const deletePreview = (db: Db, assetId: number, format: PreviewRow['format']) =>
  db.run(sql`delete from asset_preview where asset_id = ${assetId} and format = ${format}`)

export const deletePreviews = (db: Db, assetId: number) =>
  db.run(sql`delete from asset_preview where asset_id = ${assetId}`)

export const insertPreview = (db: Db, source: string, preview: PreviewRow) =>
  db.run(sql`
    insert into asset_preview (asset_id, format, source, sha256, size, mime, width, height)
    values (${preview.assetId}, ${preview.format}, ${source}, ${preview.sha256}, ${preview.size}, ${preview.mime},
      ${preview.width}, ${preview.height})`)

export const lockVals = (db: Db, id: number) =>
  db.row<{ type: string; vals: StoredValues }>(sql`select type, vals from dam_entry where id = ${id} for update`)

export const writeVals = (db: Db, id: number, vals: StoredValues) =>
  db.run(sql`update dam_entry set vals = ${JSON.stringify(vals)}::jsonb where id = ${id}`)
