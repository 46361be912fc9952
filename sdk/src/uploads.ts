/**
 * Files to the server in chunks: several at a time, with progress, and resumed where they broke off.
 *
 *   await kontor.uploads.asset(file, { path: '/Media/boats/' }, { onProgress: ({ sent, size }) => … })
 *
 * The state of an upload is plain data. Whoever keeps it (`onState`) and hands it back (`resume`) goes on after a crash of
 * either side: chunks that arrived are not sent again, and one whose arrival is uncertain may be, because the server takes
 * the same bytes twice. A file of one chunk travels in one request.
 */
import {
  type AssetUploadRequest,
  type AssetVersionUploadRequest,
  dam,
  decode,
  formats,
  type Infer,
  Pim,
  type ResponseRecord,
  type Route,
} from '@kontor/contract'
import { KontorError } from './errors.ts'
import { crypto, type FileLike, FormData, type Reply, type Signal } from './surroundings.ts'
import type { Transport } from './transport.ts'

export interface UploadState {
  /** Which upload of the server it is. */
  readonly id: string
  readonly size: number
  readonly chunkSize: number
  /** Numbers of the chunks that have arrived. */
  readonly sent: readonly number[]
}

export interface UploadOptions {
  /** Bytes of a chunk; 8 MiB by default. */
  readonly chunkSize?: number
  /** Chunks that travel at a time; 3 by default. */
  readonly parallel?: number
  readonly onProgress?: (progress: { readonly sent: number; readonly size: number }) => void
  /** Told after every chunk; keep it, and an upload that broke off can go on. */
  readonly onState?: (state: UploadState) => void | Promise<void>
  /** What `onState` told last. An upload that has expired since is begun anew. */
  readonly resume?: UploadState | undefined
  readonly signal?: Signal
}

type Uploaded = Infer<typeof ResponseRecord>

export interface Uploads {
  /** A new asset, or with doOverwrite the new file of one. */
  asset(file: FileLike, request: Infer<typeof AssetUploadRequest>, options?: UploadOptions): Promise<Uploaded>
  /** A new version of an asset. */
  version(file: FileLike, request: Infer<typeof AssetVersionUploadRequest>, options?: UploadOptions): Promise<Uploaded>
}

/** The four calls of an upload, for assets and for versions. */
const { routes } = dam
const kinds = {
  asset: {
    whole: routes.upload,
    start: routes.startUpload,
    chunk: routes.uploadChunk,
    finish: routes.finishUpload,
  },
  version: {
    whole: routes.uploadVersion,
    start: routes.startVersion,
    chunk: routes.uploadVersionChunk,
    finish: routes.finishVersion,
  },
} satisfies Record<string, Record<string, Route>>
type Calls = (typeof kinds)[keyof typeof kinds]

const MiB = 1024 * 1024

export function uploadCalls(transport: Transport): Uploads {
  return {
    asset: (file, request, options) => upload(transport, kinds.asset, file, withName(request, file), options),
    version: (file, request, options) => upload(transport, kinds.version, file, request, options),
  }
}

/** A path that ends in / means the file's own name, which only an upload in one request carries. */
function withName(request: Infer<typeof AssetUploadRequest>, { name }: FileLike) {
  if (!request.path?.endsWith('/')) return request
  if (name === undefined) throw new Error(`path: ${request.path} needs a file with a name; end it with one`)
  return { ...request, path: request.path + name }
}

async function upload(
  transport: Transport,
  calls: Calls,
  file: FileLike,
  request: object,
  options: UploadOptions = {},
): Promise<Uploaded> {
  const { chunkSize = 8 * MiB, resume, signal } = options
  const send = sender(transport, signal)
  if (!resume && file.size <= chunkSize) {
    const form = new FormData()
    form.append('params', JSON.stringify(request))
    form.append('payload', file, file.name ?? 'file')
    const record = await send(calls.whole, { form })
    options.onProgress?.({ sent: file.size, size: file.size })
    return record
  }
  const begin = async (): Promise<UploadState> => {
    const { tid } = await send(calls.start, { json: request })
    return { id: tid!, size: file.size, chunkSize, sent: [] }
  }
  const run = async (state: UploadState) => {
    await sendChunks(send, calls, file, state, options)
    return send(calls.finish, { json: request, uploadId: state.id })
  }
  if (resume?.size !== file.size) return run(await begin())
  try {
    return await run(resume)
  } catch (error) {
    if (!(error instanceof KontorError) || error.status !== 404) throw error
    return run(await begin()) // it has expired
  }
}

/** Workers take the next chunk each until none is left; the first fault ends them all. */
async function sendChunks(
  send: Send,
  calls: Calls,
  file: FileLike,
  state: UploadState,
  { parallel = 3, onProgress, onState }: UploadOptions,
): Promise<void> {
  const { id, size, chunkSize } = state
  const arrived = new Set(state.sent)
  const bytesOf = (chunk: number) => Math.min(chunkSize, size - chunk * chunkSize)
  let sent = [...arrived].reduce((sum, chunk) => sum + bytesOf(chunk), 0)
  const waiting = Array.from({ length: Math.max(1, Math.ceil(size / chunkSize)) }, (_, chunk) => chunk)
    .filter((chunk) => !arrived.has(chunk))
    .values()
  let broken = false
  const work = async () => {
    for (const chunk of waiting) {
      if (broken) return
      const form = new FormData()
      form.append('chunkId', String(chunk))
      form.append('payload', file.slice(chunk * chunkSize, chunk * chunkSize + bytesOf(chunk)), 'chunk')
      await send(calls.chunk, { form, uploadId: id })
      arrived.add(chunk)
      sent += bytesOf(chunk)
      onProgress?.({ sent, size })
      await onState?.({ id, size, chunkSize, sent: [...arrived].toSorted((a, b) => a - b) })
    }
  }
  const guarded = () =>
    work().catch((error: unknown) => {
      broken = true
      throw error
    })
  const ended = await Promise.allSettled(Array.from({ length: parallel }, guarded))
  const fault = ended.find((one) => one.status === 'rejected')
  if (fault) throw fault.reason
}

type Send = ReturnType<typeof sender>

/** One call of an upload; its reply has one record. */
function sender(transport: Transport, signal: Signal | undefined) {
  // Between chunks only: Node's fetch, aborted while it sends a form, throws where nobody can catch it.
  return async (
    { method, path }: Route,
    { form, json, uploadId = '' }: { form?: object; json?: object; uploadId?: string },
  ): Promise<Uploaded> => {
    signal?.throwIfAborted()
    const reply = await transport.send({
      method,
      path: dam.base + path.replace('{uploadId}', uploadId),
      headers: { accept: formats.json.mediaType, ...(json && { 'content-type': formats.json.contentType }) },
      body: form ?? JSON.stringify(json),
      idempotencyKey: crypto.randomUUID(),
    })
    return recordOf(reply)
  }
}

async function recordOf(reply: Reply): Promise<Uploaded> {
  const { responses } = decode(formats.json, Pim, new Uint8Array(await reply.arrayBuffer())) as Infer<typeof Pim>
  return responses!.response![0]!
}
