/**
 * Addresses for the chunks of an upload, for who sends them without a token, or past this server.
 *
 *   start     as every upload in chunks
 *   address   POST /assets/presigned-url with upload, chunk and size; on S3 a place is promised, and the address is its own
 *   PUT       exactly so many bytes; to S3 we are not told of them, to us they are a chunk at once
 *   finish    as every upload in chunks, with what stands at the promised places
 *
 * Nothing that comes by an address is believed before the finish: rights, locks, names and limits are asked there again,
 * and the bytes are read and hashed. What is never finished goes with its upload.
 */
import { randomUUID } from 'node:crypto'
import type { Infer, PresignedUrlRequest } from '@kontor/contract'
import { TooLong } from '../../../../adapters/blobs/writing.ts'
import type { Context } from '../../../../core/context.ts'
import type { StreamCall } from '../../../../core/http/streaming.ts'
import { Problem } from '../../../../errors.ts'
import type { FileServices } from '../../../files.ts'
import { chunkNumber, demandStill, findUnderWay, receiveChunk, sendChunk, storeChunk, tooLarge } from './chunked.ts'
import * as rows from '../uploads/uploads.sql.ts'

/** What one PUT to S3 takes at most. */
const largestPut = 5 * 1024 ** 3

/** A chunk that may be put under an address. */
export interface ExpectedChunk {
  readonly upload: string
  readonly number: number
  readonly size: number
}

/** What the address shall be for; refuses what can be told to fail already. */
export async function expectChunk(ctx: Context, body: Infer<typeof PresignedUrlRequest>): Promise<ExpectedChunk> {
  const refuse = (field: string, why: string) => new Problem('invalid', `/presignedUrlRequest/${field}: ${why}`)
  if (body.method !== 'PUT') throw refuse('method', 'chunks are sent by PUT')
  const number = chunkNumber({ value: String(body.chunkId ?? 0) })
  const size = Number(body.size ?? 0)
  const most = Math.min(largestPut, ctx.config.maxFile)
  if (size < 1 || size > most) throw refuse('size', `expected 1 to ${most} bytes, found ${body.size ?? 'none'}`)
  const upload = await findUnderWay(ctx.db, body.uploadTid!, ['asset', 'version'], ctx.caller.userName)
  await demandStill(ctx, upload)
  if (await rows.findChunk(ctx.db, upload.id, number)) throw refuse('chunkId', `chunk ${number} has arrived already`)
  return { upload: upload.id, number, size }
}

/** An address of the store itself, if it gives any. */
export async function addressInStore(
  { db, config }: Context,
  { presignChunk }: FileServices['blobs'],
  { upload, number, size }: ExpectedChunk,
  seconds: number,
): Promise<string | undefined> {
  if (!presignChunk) return undefined
  const promised = await rows.insertAddress(db, upload, { number, size, place: randomUUID() }, config)
  if (!promised) throw new Problem('notFound', `the upload ${upload} has ended`)
  const { place } = promised
  if (place === null) throw tooLarge(config)
  return presignChunk(upload, { place, size }, seconds)
}

/** PUT of a chunk under an address of ours. */
export async function putChunk(
  services: FileServices,
  ctx: Context,
  { upload: id, number, size }: ExpectedChunk,
  call: StreamCall,
) {
  const upload = await findUnderWay(ctx.db, id, ['asset', 'version'], ctx.caller.userName)
  await demandStill(ctx, upload)
  const source = call.request.raw as AsyncIterable<Buffer>
  const received = await receiveChunk(services, upload, number, size, source).catch((error: Error) => {
    if (!(error instanceof TooLong)) throw error
    throw new Problem('tooLarge', `chunk ${number} is larger than the ${size} bytes announced`, { cause: error })
  })
  try {
    if (received.size !== size)
      throw new Problem('invalid', `chunk ${number} has ${received.size} bytes, ${size} were announced`)
    await storeChunk(services, id, number, received)
    return sendChunk(call, id, number)
  } finally {
    await received.drop()
  }
}
