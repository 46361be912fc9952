/**
 * Downloads: one file by GET /assets/bin, with ranges and conditional requests, or several by POST
 * /assets/bin/retrieve.
 *
 * One asset in one format is sent as a plain file. Otherwise the reply is a zip with a folder per asset, named by the
 * identifier the client used (tid or id), containing files named <name>_<format><extension>. The ETag of a file is its
 * hash.
 */
import { because } from '@kontor/contract'
import { Readable } from 'node:stream'
import { posix } from 'node:path'
import type { dam as contract } from '@kontor/contract'
import type { FastifyReply } from 'fastify'
import { Missing, type Range } from '../../../../adapters/blobs/store.ts'
import { toZip, type ZipEntry } from '../../../../adapters/zip.ts'
import type { Context } from '../../../../core/context.ts'
import type { StreamCall, StreamHandler } from '../../../../core/http/streaming.ts'
import { Problem } from '../../../../errors.ts'
import { demandContent } from '../../../care/hold.ts'
import { visible } from '../../../entries.ts'
import { type FileRow, findFiles, findPreviews } from '../../../files.sql.ts'
import type { FileServices } from '../../../files.ts'
import type { Composed } from '../../../metadata/embed.ts'
import { type FilesOf, loadFilesOf, type Metadata, withMetadata } from '../../../metadata/outgoing.ts'
import { lendSplice } from '../../../metadata/splice.ts'
import { findVersionFile } from '../../versions/versions.sql.ts'
import { type NamedFile, setFileHeaders } from './headers.ts'
import { BadRange, type Conditions, isUnchanged, rangeOf } from './ranges.ts'
import { toBody } from './body.ts'
import { createMissing } from './missing.ts'

const fileFormats = ['original', 'thumbnail', 'preview', 'fullsize'] as const
export type FileFormat = (typeof fileFormats)[number] | `page-${number}`

/** Sends renditions by a profile; in renditions/many.ts, which uses this file. */
export type SendRenditions = (
  call: Pick<StreamCall, 'request' | 'reply'>,
  ctx: Context,
  names: { readonly tids?: readonly string[]; readonly ids?: readonly (number | bigint)[] },
  profile: string,
  /** The assets as the reader of the reply may see them. Default: as they are. */
  shown?: (asset: FileRow) => FileRow,
) => Promise<FastifyReply>

/** One file of an asset that is about to be sent. */
interface OutgoingFile extends NamedFile, Partial<Composed> {
  readonly sha256: string
  readonly size: number
  readonly modifiedAt: Date
}

export const maxEntries = 1000
const maxZipBytes = 10 * 1024 ** 3

/** GET /assets/bin?assetTid=…&assetId=…&format=…&range=… or, of an earlier file, ?versionTid=… */
export const download = (services: FileServices) => async (call: StreamCall) => {
  const { versionTid, range, metadata } = call.query
  const ctx = call.context()
  if (versionTid !== undefined && metadata !== undefined) throw new Problem('invalid', because('metadataVersion'))
  const file =
    versionTid === undefined ? await findAsked(services, ctx, call.query) : await findVersion(ctx, String(versionTid))
  return sendFile(services, call, file, range === undefined ? undefined : String(range))
}

async function findAsked(
  services: FileServices,
  ctx: Context,
  { assetTid, assetId, format, metadata }: StreamCall['query'],
): Promise<OutgoingFile> {
  if (assetTid === undefined && assetId === undefined)
    throw new Problem('invalid', 'names no asset; send assetTid or assetId')
  if (assetTid === undefined && !/^\d{1,15}$/.test(String(assetId)))
    throw new Problem('invalid', `assetId: ${String(assetId).slice(0, 100)} is not an id`)
  const names = assetTid === undefined ? { ids: [Number(assetId)] } : { tids: [String(assetTid)] }
  const [found] = await findOutgoing(ctx, names, [toFormat(format)])
  return describe(services, ctx, found!, metadata as Metadata | undefined)
}

/** The file with the metadata that the caller may read. */
export const describe = (
  { blobs }: Pick<FileServices, 'blobs'>,
  { db, caller }: Context,
  { asset, file }: Found,
  metadata?: Metadata,
) => withMetadata({ blobs, db, reader: caller }, asset, file, metadata)

async function findVersion(ctx: Context, tid: string): Promise<OutgoingFile> {
  const file = await findVersionFile(ctx.db, tid, visible(ctx, 'asset'))
  if (!file) throw new Problem('notFound', `no version has the tid ${tid.slice(0, 255)}`)
  return file
}

export function toFormat(format: unknown = 'original'): FileFormat {
  if (typeof format === 'string' && /^page-[1-9]\d{0,2}$/.test(format)) return format as FileFormat
  const known = fileFormats.find((one) => one === format)
  if (!known)
    throw new Problem(
      'invalid',
      `format: ${String(format).slice(0, 100)} is not one of ${fileFormats.join(', ')}, page-2, …`,
    )
  return known
}

/** POST /assets/bin/retrieve */
export const downloadMany =
  (services: FileServices, sendRenditions: SendRenditions): StreamHandler<typeof contract.routes.downloadMany> =>
  async (call) => {
    const { tids = [], ids = [], formats, profile, metadata } = await call.readBody()
    if (tids.length + ids.length === 0) throw new Problem('invalid', '/assetRequest: tids or ids must say which assets')
    if (profile !== undefined) {
      demandNoFormats('/assetRequest', formats)
      demandNoMetadata('/assetRequest', metadata)
      return sendRenditions(call, call.context(), tids.length > 0 ? { tids } : { ids }, profile)
    }
    const wanted = toFormats(formats)
    const ctx = call.context()
    const files = await findOutgoing(ctx, tids.length > 0 ? { tids } : { ids }, wanted)
    if (wanted.length === 1 && new Set<unknown>(tids.length > 0 ? tids : ids).size === 1)
      return sendFile(services, call, await describe(services, ctx, files[0]!, metadata))
    return sendZip(services, call.reply, ctx, files, { by: tids.length > 0 ? 'tid' : 'id', metadata })
  }

export function demandNoFormats(at: string, formats: readonly string[] = []): void {
  if (formats.length > 0)
    throw new Problem('invalid', `${at}/formats: a rendition has the format of its profile; send one or the other`)
}

export function demandNoMetadata(at: string, metadata?: Metadata): void {
  if (metadata !== undefined)
    throw new Problem('invalid', `${at}/metadata: a rendition has the metadata of its profile; send one or the other`)
}

/** The formats without duplicates; the original by default. */
export const toFormats = (formats: readonly string[] = []): FileFormat[] =>
  formats.length === 0 ? ['original'] : [...new Set(formats.map((format) => toFormat(format)))]

/** Called when the turn of a file comes, because a zip can take hours. It throws the Problem for which it is left out. */
type Recheck = (asset: FileRow) => Promise<unknown>

/** Sends a zip with a folder per asset, named by its tid or id. */
export async function sendZip(
  services: FileServices,
  reply: FastifyReply,
  { db, caller }: Context,
  files: readonly Found[],
  { by, metadata }: { readonly by: 'tid' | 'id'; readonly metadata?: Metadata | undefined },
  recheck: Recheck = async () => {},
): Promise<FastifyReply> {
  checkZip(files)
  if (files.every(isHeld)) demandContent(files[0]!.asset)
  const assets = [...new Map(files.map(({ asset }) => [asset.id, asset])).values()]
  const filesOf = await loadFilesOf({ blobs: services.blobs, db, reader: caller }, assets, metadata)
  setFileHeaders(reply, { name: 'result.zip', mime: 'application/zip' })
  return reply.send(toZip(toEntries(services, files, by, filesOf, recheck)))
}

const isHeld = ({ asset, format }: Found) => format === 'original' && asset.hold !== null

export interface Found {
  readonly asset: FileRow
  readonly format: FileFormat
  readonly file: OutgoingFile
}

/** The existing files of the assets that are visible to the caller. Throws if there are none. */
export async function findOutgoing(
  ctx: Context,
  names: { tids?: readonly string[]; ids?: readonly (number | bigint)[]; paths?: readonly string[] },
  formats: readonly FileFormat[],
): Promise<Found[]> {
  const assets = await findFiles(ctx.db, { tids: [], ids: [], paths: [], ...names }, visible(ctx, 'asset'))
  const previews = formats.some((format) => format !== 'original')
    ? await findPreviews(
        ctx.db,
        assets.map(({ id }) => id),
      )
    : []
  const found = assets.flatMap((asset) =>
    formats.flatMap((format) => {
      const file =
        format === 'original' ? asset : previews.find((one) => one.assetId === asset.id && one.format === format)
      return file
        ? [
            {
              asset,
              format,
              file: { ...pick(file), name: nameFor(asset, format, file.mime), modifiedAt: asset.modifiedAt },
            },
          ]
        : []
    }),
  )
  if (assets.length === 0) throw new Problem('notFound', 'there is no asset with these identifiers')
  if (found.length === 0) throw new Problem('notFound', because('noFormat', { format: formats.join(' or ') }))
  return found
}

const pick = ({ sha256, size, mime }: OutgoingFile | FileRow | { sha256: string; size: number; mime: string }) => ({
  sha256,
  size,
  mime,
})

/** Previews have a different extension than their original. */
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/png': '.png',
}
const nameFor = ({ name }: FileRow, format: FileFormat, mime: string) =>
  format === 'original' ? name : posix.basename(name, posix.extname(name)) + (extensions[mime] ?? '')

export async function sendFile(
  { blobs }: FileServices,
  { request, reply }: Pick<StreamCall, 'request' | 'reply'>,
  file: OutgoingFile,
  asked?: string,
): Promise<FastifyReply> {
  await blobs.demand(file.sha256, file.name)
  const headers = request.headers as Conditions
  const etag = file.etag ?? `"${file.sha256}"`
  setFileHeaders(reply, file).header('etag', etag).header('accept-ranges', 'bytes')
  // Metadata also changes with keywords and definitions, which have times of their own: only its ETag counts.
  if (!file.parts) reply.header('last-modified', file.modifiedAt.toUTCString())
  const conditions = file.parts ? withoutTimes(headers) : headers
  const isKnown = orRefuse(reply, () => isUnchanged(conditions, etag, file.modifiedAt))
  if (isKnown) return reply.status(304).send()
  const range = orRefuse(reply, () => rangeOf(headers, asked, etag, file.size))
  if (range) reply.status(206).header('content-range', `bytes ${range.first}-${range.last}/${file.size}`)
  reply.header('content-length', range ? range.last - range.first + 1 : file.size)
  // A stream: Fastify replaces the length of a HEAD reply without a body by 0.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  return reply.send(toBody(await lendFile(blobs, file, range).catch(reportMissing(file))))
}

const lendFile = (
  blobs: FileServices['blobs'],
  { sha256, parts }: Pick<OutgoingFile, 'sha256' | 'parts'>,
  range?: Range,
) => (parts ? lendSplice(blobs.raw, { sha256, parts }, range) : blobs.raw.lend(sha256, range))

const withoutTimes = ({ 'if-modified-since': _since, 'if-unmodified-since': _before, ...headers }: Conditions) =>
  headers

/** Refusals have no headers of the file, and caches must not keep them for other visitors of a public address. */
function orRefuse<T>(reply: FastifyReply, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof BadRange) reply.header('content-range', `bytes */${error.size}`)
    for (const name of ['content-disposition', 'etag', 'last-modified', 'accept-ranges']) reply.removeHeader(name)
    reply.header('cache-control', 'no-store')
    throw error
  }
}

/** Missing bytes of a stored row are a server error, never a 404. */
const reportMissing = (file: { readonly sha256: string }) => (error: Error) => {
  throw error instanceof Missing ? new Error(`the bytes of ${file.sha256} are missing`, { cause: error }) : error
}

export function checkZip(files: readonly Found[]): void {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  if (files.length > maxEntries)
    throw new Problem('invalid', because('zipFiles', { count: files.length, max: maxEntries }))
  if (bytes > maxZipBytes) throw new Problem('invalid', because('zipBytes', { count: bytes, max: maxZipBytes }))
}

async function* toEntries(
  services: FileServices,
  files: readonly Found[],
  by: 'tid' | 'id',
  filesOf: FilesOf,
  recheck: Recheck,
): AsyncGenerator<ZipEntry> {
  const missing = createMissing()
  for (const one of files) {
    const { asset, format, file: stored } = one
    const load = async () => {
      await recheck(asset)
      if (isHeld(one)) demandContent(asset)
      return filesOf(asset, stored)
    }
    const found = await load().catch(missing.note(asset.path))
    for (const file of found ?? []) yield toEntry(services, file, format, String(asset[by]))
  }
  yield* missing.entries()
}

function toEntry(services: FileServices, file: OutgoingFile, format: FileFormat, folder: string): ZipEntry {
  const extension = posix.extname(file.name)
  const base = posix.basename(file.name, extension)
  return {
    name: `${sanitize(folder)}/${sanitize(`${base}_${format}${extension}`)}`,
    bytes: readFile(services, file),
    compress: false,
    size: file.size,
    modifiedAt: file.modifiedAt,
  }
}

/** Opens the file when the first chunk is requested, with buffers that may be queued. */
export async function* readFile(
  { blobs }: FileServices,
  file: Pick<OutgoingFile, 'sha256' | 'parts'>,
): AsyncGenerator<Buffer> {
  if (file.parts) {
    for await (const piece of await lendFile(blobs, file).catch(reportMissing(file))) yield Buffer.from(piece)
    return
  }
  yield* (await blobs.open(file.sha256).catch(reportMissing(file))) as AsyncIterable<Buffer>
}

/** Replaces everything in a name that some operating system takes for a path or a device. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f<>:"|?*\\/]/g
export const sanitize = (name: string) =>
  name
    .replaceAll(unsafe, '_')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '_')
