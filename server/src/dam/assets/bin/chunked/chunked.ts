/**
 * Uploads in chunks, of a new asset or of a version.
 *
 *   start    checks the announced upload as far as possible; the reply names the upload
 *   chunk    in any order and in parallel; a repeated chunk must have the same bytes
 *   finish   requires all chunks from 0 on; joins them to one file and stores it as the asset or its new version
 *
 * The database records which chunks have arrived, so an upload can continue after a restart of either side. It expires
 * a day after its last chunk. If the finish is refused, the upload stays as it is, and the client may correct the
 * request and retry. Chunks may also arrive through presigned URLs (presigned.ts).
 */
import { because } from '@kontor/contract'
import { randomUUID } from 'node:crypto'
import type { Staged } from '../../../../adapters/blobs/blobs.ts'
import type { Received } from '../../../../adapters/blobs/chunks.ts'
import { haveSameBytes } from '../../../../adapters/blobs/same-bytes.ts'
import type { Db } from '../../../../adapters/postgres/db.ts'
import { type Done, inBatch } from '../../../../core/batch/batch.ts'
import type { Context } from '../../../../core/context.ts'
import type { StreamCall } from '../../../../core/http/streaming.ts'
import { cleanPath } from '../../../../core/batch/names.ts'
import { Problem } from '../../../../errors.ts'
import { demandBytes, type FileServices, toChecksum, withStored } from '../../../files.ts'
import { keyOf } from '../../../names.ts'
import { findVersioned, storeVersion, type VersionRequest } from '../../versions/versions.ts'
import { type Field, readForm } from '../uploads/form.ts'
import { findLocation, storeAsset, toTarget, type UploadRequest } from '../uploads/uploads.ts'
import * as rows from '../uploads/uploads.sql.ts'

const maxChunks = 10_000
type Announced = Pick<rows.Upload, 'path' | 'tid' | 'assetId'>

/** The differences between uploading an asset and a version. */
interface Kind<R> {
  /** Refuses uploads that are already known to fail. */
  announce(ctx: Context, request: R): Promise<Announced>
  /** Throws if the finish request contradicts the start request. */
  check(upload: rows.Upload, request: R): void
  store(ctx: Context, upload: rows.Upload, request: R, staged: Staged): Promise<Done>
  previewsNow(request: R): boolean
}

const asset: Kind<UploadRequest> = {
  async announce(ctx, request) {
    if (request.path?.trim().endsWith('/'))
      throw new Problem('invalid', '/assetUploadRequest/path: the name of the file is missing after the last /')
    await findLocation(ctx, toTarget(request, ''))
    return { path: request.path!, tid: request.tid ?? null, assetId: null }
  },
  check({ path, tid }, request) {
    const same = keyOf(cleanPath(request.path ?? '')) === keyOf(cleanPath(path!)) && (request.tid ?? tid) === tid
    if (!same)
      throw new Problem('invalid', `path and tid must be the same as at the start: ${path}${tid ? `, ${tid}` : ''}`)
  },
  store: (ctx, { path, tid }, request, staged) => {
    const target = toTarget({ ...request, path: path!, ...(tid !== null && { tid }) }, '')
    return storeAsset(ctx, target, staged, request.doPreviewsAsync === false)
  },
  previewsNow: (request) => request.doPreviewsAsync === false,
}

const version: Kind<VersionRequest> = {
  async announce(ctx, request) {
    const { id, tid } = await findVersioned(ctx, request)
    return { path: null, tid, assetId: id }
  },
  check({ tid, assetId }, request) {
    if ((request.tid ?? tid) !== tid || (request.id !== undefined && Number(request.id) !== assetId))
      throw new Problem('invalid', `tid and id must be the same as at the start: ${tid}`)
  },
  store: (ctx, { tid }, request, staged) => storeVersion(ctx, { ...request, tid: tid! }, staged),
  previewsNow: () => false,
}
const kinds = { asset, version }
type UploadKind = keyof typeof kinds

const kindOf = (kind: UploadKind) => kinds[kind] as Kind<UploadRequest & VersionRequest>

/** The request of either kind: the contract says which of the two a route takes. */
type ChunkedCall = StreamCall<UploadRequest & VersionRequest>

export const startUpload = (services: FileServices, kind: UploadKind) => async (call: ChunkedCall) => {
  const { config } = services
  const body = await call.readBody()
  const { userName } = call.caller()
  const id = randomUUID()
  await inBatch(services, call.caller(), async (ctx) => {
    const announced = await kindOf(kind).announce(ctx, body)
    if ((await rows.countUploads(ctx.db, userName)) >= config.uploadsPerUser)
      throw new Problem('tooMany', because('uploadsUnderWay', { count: config.uploadsPerUser }))
    const checksum = toChecksum(body.checksum) ?? null
    await rows.insertUpload(ctx.db, { id, kind, userName, checksum, ...announced }, config.uploadHours)
  })
  return call.sendRecord({ tid: id, description: 'upload started' })
}

export const uploadChunk = (services: FileServices, kind: UploadKind) => async (call: StreamCall) => {
  const { maxChunk } = services.config
  const upload = await findOpen(services, kind, call)
  const form = await readForm(call.request, ['chunkId'], maxChunk, async ({ stream }, fields) => {
    const number = fields.has('chunkId') ? chunkNumber(fields.get('chunkId')) : undefined
    return receiveChunk(services, upload, number, maxChunk, stream)
  })
  try {
    const number = chunkNumber(form.fields.get('chunkId'))
    await storeChunk(services, upload.id, number, form.staged)
    return sendChunk(call, upload.id, number)
  } finally {
    await form.staged.drop()
  }
}

export const sendChunk = (call: StreamCall, upload: string, number: number) =>
  call.sendRecord({ action: 'create', id: number, tid: upload, description: 'chunk stored' })

export const receiveChunk = (
  { blobs, database }: FileServices,
  { id: upload, chunkSize }: rows.Upload,
  number: number | undefined,
  maxBytes: number,
  source: AsyncIterable<Buffer>,
): Promise<Received> => {
  const isKnown = async (number: number) => (await rows.findChunk(database, upload, number)) !== undefined
  return blobs.receiveChunk({ upload, number, chunkSize, maxBytes, isKnown }, source)
}

export function chunkNumber(field: Pick<Field, 'value'> | undefined): number {
  const text = field?.value
  const number = /^\d{1,10}$/.test(text?.trim() ?? '') ? Number(text) : -1
  if (number >= 0 && number < maxChunks) return number
  throw new Problem(
    'invalid',
    `chunkId: expected a number from 0 to ${maxChunks - 1}, found ${text?.slice(0, 100) ?? 'none'}`,
  )
}

type Addressed = Pick<StreamCall, 'params' | 'caller'>
const findOpen = ({ database }: FileServices, kind: UploadKind, call: Addressed): Promise<rows.Upload> =>
  findActiveUpload(database, call.params.uploadId!, [kind], call.caller().userName)

export async function findActiveUpload(db: Db, tid: string, kinds: readonly UploadKind[], userName: string) {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tid)
  const upload = isUuid && (await rows.findUpload(db, tid, kinds, userName))
  if (!upload) throw new Problem('notFound', `no upload has the tid ${tid.slice(0, 100)}, or it has expired`)
  return upload
}

/** Throws if the announced upload would no longer be allowed. */
export const checkAnnounced = async (ctx: Context, { kind, path, tid }: rows.Upload): Promise<void> =>
  void (await kindOf(kind).announce(ctx, { ...(path !== null && { path }), ...(tid !== null && { tid }) }))

export const tooLarge = ({ maxFile }: FileServices['config']) =>
  new Problem('tooLarge', `the chunks together are larger than ${maxFile} bytes`)

/** Stores a chunk. If the number exists already, the stored chunk stays and the new one must have the same bytes. */
export async function storeChunk(
  services: FileServices,
  upload: string,
  number: number,
  received: Received,
): Promise<void> {
  const { blobs, config, database } = services
  const { size, place } = received
  const done = await rows.insertChunk(database, upload, { number, size, place }, config)
  if (!done) throw new Problem('notFound', `the upload ${upload} has ended`)
  if (done.isStored) return received.keep(number)
  const stored = await rows.findChunk(database, upload, number)
  if (!stored) throw tooLarge(config)
  const isSame =
    stored.size === size && (await haveSameBytes(blobs.readChunk(upload, stored), blobs.readChunk(upload, received)))
  if (!isSame) throw new Problem('invalid', `chunk ${number} was uploaded with different bytes; start a new upload`)
}

export const finishUpload = (services: FileServices, kind: UploadKind) => async (call: ChunkedCall) => {
  const { blobs, config, database } = services
  const { store, check, previewsNow } = kindOf(kind)
  const upload = await findOpen(services, kind, call)
  const body = await call.readBody()
  check(upload, body)
  await registerArrived(services, upload.id)
  const chunks = await rows.findChunks(database, upload.id)
  const size = demandAll(chunks)
  if (size > config.maxFile) throw tooLarge(config)
  const staged = await blobs.stageChunks(upload.id, chunks).catch(async (error: unknown) => {
    await findOpen(services, kind, call) // somebody else has finished it meanwhile, and the chunks are gone
    throw error
  })
  try {
    if (staged.size !== size) throw new Error(`the chunks of ${upload.id} are not those that arrived`)
    for (const checksum of [upload.checksum, body.checksum]) demandBytes(staged, checksum)
    const done = await withStored(services, call.caller(), staged, (ctx) =>
      call.once(ctx, [JSON.stringify(body), staged.sha256], async () => {
        if (!(await rows.lockUpload(ctx.db, upload.id)))
          throw new Problem('notFound', `the upload ${upload.id} has ended`)
        await rows.deleteUpload(ctx.db, upload.id)
        return store(ctx, upload, body, staged)
      }),
    )
    await blobs.dropChunks(upload.id)
    if (previewsNow(body)) await services.previews.makeNow(Number(done.id))
    return call.sendRecord(done)
  } finally {
    await staged.drop()
  }
}

/**
 * Registers the chunks that clients have put directly into the store. We have to look for them, because the store does
 * not notify us.
 */
async function registerArrived({ blobs, database }: FileServices, upload: string): Promise<void> {
  const expected = await rows.findReservations(database, upload)
  if (expected.length === 0) return
  const sizes = await blobs.chunkSizes(upload)
  const arrived = expected.filter(({ place, size }) => sizes.get(place) === size)
  await rows.takeChunks(
    database,
    upload,
    arrived.map(({ number }) => number),
  )
}

/** How far an upload is: the chunks that have arrived as `0-3,5`, for a client that goes on with it. */
export const retrieveUpload = (services: FileServices, kind: UploadKind) => async (call: StreamCall) => {
  const upload = await findOpen(services, kind, call)
  await registerArrived(services, upload.id)
  const chunks = await rows.findChunks(services.database, upload.id)
  const details = {
    ...(chunks.length > 0 && { chunks: rangesOf(chunks.map(({ number }) => number)) }),
    size: String(sizeOf(chunks)),
    expires: upload.expiresAt.toISOString(),
  }
  const path = upload.path === null ? {} : { path: upload.path }
  return call.sendRecord({ tid: upload.id, description: 'upload under way', ...path, details })
}

const rangesOf = (numbers: readonly number[]): string =>
  numbers
    .reduce<[number, number][]>((ranges, number) => {
      const last = ranges.at(-1)
      if (last && last[1] === number - 1) last[1] = number
      else ranges.push([number, number])
      return ranges
    }, [])
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(',')

export const cancelUpload = (services: FileServices, kind: UploadKind) => async (call: StreamCall) => {
  const { id } = await findOpen(services, kind, call)
  await rows.deleteUpload(services.database, id)
  await services.blobs.dropChunks(id)
  return call.sendRecord({ action: 'delete', tid: id, description: 'upload given up' })
}

/** Returns the total size. Throws a Problem that lists the missing chunks if there are gaps. */
function demandAll(chunks: readonly rows.Chunk[]): number {
  if (chunks.length === 0) throw new Problem('invalid', 'no chunk has arrived; send at least one')
  const gaps: string[] = []
  let next = 0
  for (const { number } of chunks) {
    if (number > next) gaps.push(number === next + 1 ? `${next}` : `${next} to ${number - 1}`)
    next = number + 1
  }
  if (gaps.length > 0) throw new Problem('invalid', `chunks are missing: ${gaps.slice(0, 100).join(', ')}`)
  return sizeOf(chunks)
}

const sizeOf = (chunks: readonly rows.Chunk[]) => chunks.reduce((sum, { size }) => sum + size, 0)
