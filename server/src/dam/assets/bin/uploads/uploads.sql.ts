/** SQL statements that assign files to assets, and statements about uploads in chunks. */
import type { Db } from '../../../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../../../adapters/postgres/sql.ts'
import { inPlace } from '../../../entries.sql.ts'

/** The file columns of an asset. */
export interface FileOf {
  readonly sha256: string
  readonly size: number
  readonly mime: string
  readonly type: string
  readonly importStatus: 'pending' | 'available'
}

export interface NewAsset extends FileOf {
  readonly tid: string
  readonly rncId: number
  readonly parentId: number | null
  readonly name: string
  readonly nameKey: string
  readonly variationOf?: number
  readonly variationType?: string
}

export const insertAsset = async (db: Db, asset: NewAsset, userName: string) =>
  (await db.writeRow<{ id: number }>(sql`
    insert into dam_entry (kind, tid, rnc_id, parent_id, name, name_key, type, sha256, size, mime, import_status,
      variation_of, variation_type, created_by, modified_by)
    values ('asset', ${asset.tid}, ${asset.rncId}, ${asset.parentId}, ${asset.name}, ${asset.nameKey}, ${asset.type},
      ${asset.sha256}, ${asset.size}, ${asset.mime}, ${asset.importStatus}, ${asset.variationOf ?? null},
      ${asset.variationType ?? null}, ${userName}, ${userName})
    returning id`))!.id

/**
 * Replaces the file of an asset. Its previews are kept until new ones exist, but are not returned, because they refer
 * to the old file.
 */
export const replaceFile = (db: Db, id: number, file: FileOf, userName: string) =>
  db.run(sql`
    update dam_entry set sha256 = ${file.sha256}, size = ${file.size}, mime = ${file.mime}, type = ${file.type},
      width = null, height = null, embedded = '{}', import_status = ${file.importStatus}, modified_at = now(),
      modified_by = ${userName}
    where id = ${id}`)

export const isPending = async (db: Db, id: number) =>
  (await db.row<{ id: number }>(sql`select id from dam_entry where id = ${id} and import_status = 'pending'`)) !==
  undefined

/** Marks those of the assets that can be imported, so that their import runs again. */
export const markPending = (db: Db, ids: readonly number[], types: readonly string[]) =>
  db.writeRows<{ id: number }>(sql`
    update dam_entry set import_status = 'pending'
    where id = any(${ids}::bigint[]) and kind = 'asset' and deleted_at is null and type = any(${types}::text[])
    returning id`)

/** Other assets with the same bytes that the caller may see, oldest first. */
export const findDuplicates = (db: Db, sha256: string, id: number, visible: Sql) =>
  db.rows<{ tid: string }>(sql`
    select e.tid from ${inPlace}
    where e.sha256 = ${sha256} and e.kind = 'asset' and e.id <> ${id} and e.deleted_at is null and ${visible}
    order by e.id limit 10`)

// Uploads in chunks

export interface Upload {
  readonly id: string
  readonly kind: 'asset' | 'version'
  readonly userName: string
  readonly path: string | null
  readonly tid: string | null
  readonly assetId: number | null
  /** The expected checksum, if announced. */
  readonly checksum: string | null
  readonly size: number
  /** The size of the largest chunk so far. */
  readonly chunkSize: number
  readonly expiresAt: Date
}
const columns = sql`
  id, kind, user_name as "userName", path, tid, asset_id as "assetId", checksum, size, chunk_size as "chunkSize",
  expires_at as "expiresAt"`

export const countUploads = async (db: Db, userName: string) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from upload where user_name = ${userName} and expires_at > now()`))!.count

export const insertUpload = (db: Db, upload: Omit<Upload, 'size' | 'chunkSize' | 'expiresAt'>, hours: number) =>
  db.run(sql`
    insert into upload (id, kind, user_name, path, tid, asset_id, checksum, expires_at)
    values (${upload.id}, ${upload.kind}, ${upload.userName}, ${upload.path}, ${upload.tid}, ${upload.assetId},
      ${upload.checksum}, now() + make_interval(hours => ${hours}))`)

export const findUpload = (db: Db, id: string, kinds: readonly Upload['kind'][], userName: string) =>
  db.row<Upload>(sql`
    select ${columns} from upload
    where id = ${id} and kind = any(${kinds}::text[]) and user_name = ${userName} and expires_at > now()`)

export const lockUpload = (db: Db, id: string) =>
  db.row<Upload>(sql`select ${columns} from upload where id = ${id} and expires_at > now() for update`)

export interface Chunk {
  readonly number: number
  readonly size: number
  /** The key of the chunk in the blob store. */
  readonly place: string
}
export const findChunks = (db: Db, uploadId: string) =>
  db.rows<Chunk>(sql`select number, size, place from upload_chunk where upload_id = ${uploadId} order by number`)

export const findChunk = (db: Db, uploadId: string, number: number) =>
  db.row<Chunk>(sql`
    select number, size, place from upload_chunk where upload_id = ${uploadId} and number = ${number}`)

/**
 * Inserts a chunk unless its number exists already or the upload would become too large. A single statement, because
 * chunks are frequent. Returns no row if the upload has ended.
 */
export const insertChunk = (db: Db, uploadId: string, chunk: Chunk, { maxFile, uploadHours }: ChunkLimits) =>
  db.writeRow<{ isStored: boolean }>(sql`
    with held as (
      select size from upload where id = ${uploadId} and expires_at > now() for update
    ), chunk as (
      insert into upload_chunk (upload_id, number, size, place)
      select ${uploadId}, ${chunk.number}::int, ${chunk.size}::bigint, ${chunk.place} from held
      where held.size + ${chunk.size}::bigint <= ${maxFile}::bigint
      on conflict do nothing returning size
    ), noted as (
      update upload set size = upload.size + chunk.size, chunk_size = greatest(chunk_size, chunk.size),
        expires_at = now() + make_interval(hours => ${uploadHours})
      from chunk where id = ${uploadId}
    )
    select exists (select from chunk) as "isStored" from held`)

interface ChunkLimits {
  readonly maxFile: number
  readonly uploadHours: number
}

/**
 * Reserves a key in the blob store for a chunk; the same key if requested again for the same size. The key is null if
 * the upload would become too large. Returns no row if the upload has ended.
 */
export const reserveChunk = (db: Db, uploadId: string, chunk: Chunk, { maxFile, uploadHours }: ChunkLimits) =>
  db.writeRow<{ place: string | null }>(sql`
    with held as (
      select size from upload where id = ${uploadId} and expires_at > now() for update
    ), others as (
      select coalesce(sum(size), 0) as size from upload_address
      where upload_id = ${uploadId} and number <> ${chunk.number}::int
    ), promised as (
      insert into upload_address (upload_id, number, size, place)
      select ${uploadId}, ${chunk.number}::int, ${chunk.size}::bigint, ${chunk.place} from held, others
      where held.size + others.size + ${chunk.size}::bigint <= ${maxFile}::bigint
      on conflict (upload_id, number) do update set size = excluded.size,
        place = case when upload_address.size = excluded.size then upload_address.place else excluded.place end
      returning place
    ), noted as (
      update upload set expires_at = now() + make_interval(hours => ${uploadHours})
      from promised where id = ${uploadId}
    )
    select (select place from promised) as place from held`)

export const findReservations = (db: Db, uploadId: string) =>
  db.rows<Chunk>(sql`select number, size, place from upload_address where upload_id = ${uploadId} order by number`)

/** Turns reserved chunks that have arrived into chunks, unless their number was uploaded in another way. */
export const takeChunks = (db: Db, uploadId: string, numbers: readonly number[]) =>
  db.run(sql`
    with held as (
      select id from upload where id = ${uploadId} for update
    ), arrived as (
      delete from upload_address a using held where a.upload_id = held.id and a.number = any(${numbers}::int[])
      returning a.number, a.size, a.place
    ), taken as (
      insert into upload_chunk (upload_id, number, size, place) select ${uploadId}, number, size, place from arrived
      on conflict do nothing returning size
    )
    update upload set size = size + (select coalesce(sum(size), 0) from taken) where id = ${uploadId}`)

export const deleteUpload = (db: Db, id: string) => db.run(sql`delete from upload where id = ${id}`)

export const deleteExpired = (db: Db) => db.run(sql`delete from upload where expires_at <= now()`)

export const knownUploads = (db: Db, ids: readonly string[]) =>
  db.rows<{ id: string }>(sql`select id from upload where id = any(${ids}::uuid[])`)
