/**
 * Uploads files in chunks, several at a time, with progress, and resumes interrupted uploads.
 *
 *   await kontor.uploads.asset(file, { path: '/Media/boats/' }, { onProgress: ({ sent, size }) => … })
 *
 * The state of an upload is plain data. Store it (`onState`) and pass it back (`resume`) to continue after a crash of
 * either side. Chunks that the server has confirmed are not sent again. A chunk whose reply was lost is sent again; the
 * server accepts the same bytes twice. A file no longer than one chunk is sent in one request.
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
import { bytesOf, crypto, type FileLike, FormData, type Reply, type Signal } from './runtime.ts'
import type { Transport } from './transport.ts'

export interface UploadState {
  /** The server's identifier of the upload. */
  readonly id: string
  readonly size: number
  readonly chunkSize: number
  /** Numbers of the chunks that the server has confirmed. */
  readonly sent: readonly number[]
}

export interface UploadOptions {
  /** Bytes per chunk; 8 MiB by default. */
  readonly chunkSize?: number
  /** Number of chunks that are sent at the same time; 3 by default. */
  readonly parallel?: number
  readonly onProgress?: (progress: { readonly sent: number; readonly size: number }) => void
  /** Called after every chunk. Store the state to be able to resume the upload. */
  readonly onState?: (state: UploadState) => void | Promise<void>
  /** The last state passed to `onState`. An upload that has expired in the meantime starts again. */
  readonly resume?: UploadState | undefined
  readonly signal?: Signal
}

type Uploaded = Infer<typeof ResponseRecord>

export interface Uploads {
  /** Creates an asset, or replaces its file with `doOverwrite`. */
  asset(file: FileLike, request: Infer<typeof AssetUploadRequest>, options?: UploadOptions): Promise<Uploaded>
  /** Adds a version to an asset. */
  version(file: FileLike, request: Infer<typeof AssetVersionUploadRequest>, options?: UploadOptions): Promise<Uploaded>
}

const { routes } = dam
/** The four routes of an upload, for assets and for versions. */
const uploadRoutes = {
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
type UploadRoutes = (typeof uploadRoutes)[keyof typeof uploadRoutes]

const MiB = 1024 * 1024

export function uploadCalls(transport: Transport): Uploads {
  return {
    asset: (file, request, options) => upload(transport, uploadRoutes.asset, file, withName(request, file), options),
    version: (file, request, options) => upload(transport, uploadRoutes.version, file, request, options),
  }
}

/** A path that ends in / takes the file's own name. Only an upload in one request sends that name, so add it here. */
function withName(request: Infer<typeof AssetUploadRequest>, { name }: FileLike) {
  if (!request.path?.endsWith('/')) return request
  if (name === undefined) throw new Error(`path: ${request.path} needs a file with a name; add a name to the path`)
  return { ...request, path: request.path + name }
}

async function upload(
  transport: Transport,
  calls: UploadRoutes,
  file: FileLike,
  request: object,
  options: UploadOptions = {},
): Promise<Uploaded> {
  const { chunkSize = 8 * MiB, resume, signal } = options
  const send = createSender(transport, signal)
  if (!resume && file.size <= chunkSize) {
    const form = new FormData()
    form.append('params', JSON.stringify(request))
    form.append('payload', file, file.name ?? 'file')
    const record = await send(calls.whole, { form })
    options.onProgress?.({ sent: file.size, size: file.size })
    return record
  }
  const start = async (): Promise<UploadState> => {
    const { tid } = await send(calls.start, { json: request })
    return { id: tid!, size: file.size, chunkSize, sent: [] }
  }
  const complete = async (state: UploadState) => {
    await sendChunks(send, calls, file, state, options)
    return send(calls.finish, { json: request, uploadId: state.id })
  }
  if (resume?.size !== file.size) return complete(await start())
  try {
    return await complete(resume)
  } catch (error) {
    const hasExpired = error instanceof KontorError && error.status === 404
    if (!hasExpired) throw error
    return complete(await start())
  }
}

/** Runs `parallel` workers, each of which takes the next chunk until none is left. The first failure stops them all. */
async function sendChunks(
  send: Send,
  calls: UploadRoutes,
  file: FileLike,
  state: UploadState,
  { parallel = 3, onProgress, onState }: UploadOptions,
): Promise<void> {
  const { id, size, chunkSize } = state
  const confirmed = new Set(state.sent)
  const lengthOf = (chunk: number) => Math.min(chunkSize, size - chunk * chunkSize)
  let sent = [...confirmed].reduce((sum, chunk) => sum + lengthOf(chunk), 0)
  const remaining = Array.from({ length: Math.max(1, Math.ceil(size / chunkSize)) }, (_, chunk) => chunk)
    .filter((chunk) => !confirmed.has(chunk))
    .values()
  let hasFailed = false
  const work = async () => {
    for (const chunk of remaining) {
      if (hasFailed) return
      const form = new FormData()
      form.append('chunkId', String(chunk))
      form.append('payload', file.slice(chunk * chunkSize, chunk * chunkSize + lengthOf(chunk)), 'chunk')
      await send(calls.chunk, { form, uploadId: id })
      confirmed.add(chunk)
      sent += lengthOf(chunk)
      onProgress?.({ sent, size })
      await onState?.({ id, size, chunkSize, sent: [...confirmed].toSorted((a, b) => a - b) })
    }
  }
  const runWorker = () =>
    work().catch((error: unknown) => {
      hasFailed = true
      throw error
    })
  const results = await Promise.allSettled(Array.from({ length: parallel }, runWorker))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

type Send = ReturnType<typeof createSender>

/**
 * Sends one request of an upload; its reply has one record. The signal is checked only between requests: when a request
 * with a form body is aborted, Node's fetch throws an error that no caller can catch.
 */
function createSender(transport: Transport, signal: Signal | undefined) {
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
  const { responses } = decode(formats.json, Pim, await bytesOf(reply)) as Infer<typeof Pim>
  return responses!.response![0]!
}
