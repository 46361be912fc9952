/**
 * Presigned URLs for the chunks of an upload, for clients that send chunks without a token or directly to S3.
 *
 *   start   as for every upload in chunks
 *   URL     POST /assets/presigned-url with upload, chunk and size; on S3 an object key is reserved and the URL is S3's
 *   PUT     exactly that many bytes; S3 does not notify us of a PUT, while a PUT to our own URL stores the chunk at once
 *   finish  as for every upload in chunks, including the objects found at the reserved keys
 *
 * Nothing sent to a presigned URL is trusted before the finish: it checks rights, locks, names and limits again, and
 * reads and hashes the bytes. Chunks of an unfinished upload are deleted with the upload.
 */
import { randomUUID } from 'node:crypto'
import type { Infer, PresignedUrlRequest } from '@kontor/contract'
import { TooLong } from '../../../../adapters/blobs/writing.ts'
import type { Context } from '../../../../core/context.ts'
import { bodyOf } from '../../../../core/http/message.ts'
import type { StreamCall } from '../../../../core/http/streaming.ts'
import { Problem } from '../../../../errors.ts'
import type { FileServices } from '../../../files.ts'
import {
  chunkNumber,
  checkAnnounced,
  findActiveUpload,
  receiveChunk,
  sendChunk,
  storeChunk,
  tooLarge,
} from './chunked.ts'
import * as rows from '../uploads/uploads.sql.ts'

/** The maximum size of a single PUT to S3. */
const largestPut = 5 * 1024 ** 3

/** A chunk that a client may send to a presigned URL. */
export interface ExpectedChunk {
  readonly upload: string
  readonly number: number
  readonly size: number
}

/** Reads and checks the chunk that the URL is requested for. Throws if the upload is already known to fail. */
export async function expectChunk(ctx: Context, body: Infer<typeof PresignedUrlRequest>): Promise<ExpectedChunk> {
  const refuse = (field: string, why: string) => new Problem('invalid', `/presignedUrlRequest/${field}: ${why}`)
  if (body.method !== 'PUT') throw refuse('method', 'chunks are sent by PUT')
  const number = chunkNumber({ value: String(body.chunkId ?? 0) })
  const size = Number(body.size ?? 0)
  const max = Math.min(largestPut, ctx.config.maxFile)
  if (size < 1 || size > max) throw refuse('size', `expected 1 to ${max} bytes, found ${body.size ?? 'none'}`)
  const upload = await findActiveUpload(ctx.db, body.uploadTid!, ['asset', 'version'], ctx.caller.userName)
  await checkAnnounced(ctx, upload)
  if (await rows.findChunk(ctx.db, upload.id, number)) throw refuse('chunkId', `chunk ${number} has arrived already`)
  return { upload: upload.id, number, size }
}

/** A presigned URL of the blob store; undefined if the store has none. */
export async function presignInStore(
  { db, config }: Context,
  { presignChunk }: FileServices['blobs'],
  { upload, number, size }: ExpectedChunk,
  seconds: number,
): Promise<string | undefined> {
  if (!presignChunk) return undefined
  const promised = await rows.reserveChunk(db, upload, { number, size, place: randomUUID() }, config)
  if (!promised) throw new Problem('notFound', `the upload ${upload} has ended`)
  const { place } = promised
  if (place === null) throw tooLarge(config)
  return presignChunk(upload, { place, size }, seconds)
}

/** Handles the PUT of a chunk to one of our own presigned URLs. */
export async function putChunk(
  services: FileServices,
  ctx: Context,
  { upload: id, number, size }: ExpectedChunk,
  call: StreamCall,
) {
  const upload = await findActiveUpload(ctx.db, id, ['asset', 'version'], ctx.caller.userName)
  await checkAnnounced(ctx, upload)
  const source = bodyOf(call.request, Infinity) // the chunk is limited, not the body
  const received = await receiveChunk(services, upload, number, size, source).catch((error: Error) => {
    if (!(error instanceof TooLong)) throw error
    throw new Problem('tooLarge', `chunk ${number} is larger than the ${size} bytes announced`, { cause: error })
  })
  try {
    if (received.size !== size)
      throw new Problem('invalid', `chunk ${number} has ${received.size} bytes, but ${size} were announced`)
    await storeChunk(services, id, number, received)
    return sendChunk(call, id, number)
  } finally {
    await received.drop()
  }
}
