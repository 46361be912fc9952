/**
 * Signed URLs: each allows one method on one file, for a limited time, to anyone who has the URL.
 *
 * The URL contains an encrypted ticket that only this installation can create and read: asset, format, user and expiry.
 * A request acts as the user who created the URL, with the rights that this user has now; it is refused if the user is
 * gone or disabled. A PUT to the URL of an asset uploads a new version. The URL of a selection of assets returns a zip;
 * its ticket contains the list.
 *
 * For files on S3 the URL is a presigned URL of S3, also for chunks of uploads. S3 knows nothing of our users, so such a
 * URL is short-lived. If a longer time is requested for a file, the URL is one of ours and redirects to a fresh one of S3.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { because, type Infer, type PresignedUrlRequest } from '@kontor/contract'
import { TooLong } from '../../../adapters/blobs/writing.ts'
import { admitBy, callerNow } from '../../../core/access/access.ts'
import { type Context, toStored } from '../../../core/context.ts'
import { bodyOf } from '../../../core/http/message.ts'
import type { Call } from '../../../core/http/routes.ts'
import type { StreamCall } from '../../../core/http/streaming.ts'
import { Problem } from '../../../errors.ts'
import { addressOf, demand, namesOf, notFound, visible } from '../../entries.ts'
import { type FileServices, withStored } from '../../files.ts'
import { type FileRow, findFiles, withoutFolder } from '../../files.sql.ts'
import { presignInStore, type ExpectedChunk, expectChunk, putChunk } from '../bin/chunked/presigned.ts'
import type { Metadata } from '../../metadata/outgoing.ts'
import { demandRenditions } from '../../renditions/many.ts'
import { demandSome, endOf, refusalOf } from '../../usage/usage.ts'
import { findVersioned, storeVersion } from '../versions/versions.ts'
import {
  checkZip,
  demandNoFormats,
  demandNoMetadata,
  describe,
  findOutgoing,
  type FileFormat,
  type Found,
  sendFile,
  type SendRenditions,
  sendZip,
  toFormat,
  toFormats,
} from '../bin/download/download.ts'
import { contentTypeOf, dispositionOf } from '../bin/download/headers.ts'

/** Encrypts tickets with a key of this installation. */
export interface Sealer {
  seal(content: Uint8Array, label: string): Buffer
  open(sealed: Uint8Array, label: string): Buffer
}

interface AnyTicket {
  readonly method: 'GET' | 'PUT'
  /** Seconds since 1970. */
  readonly until: number
  readonly user: { readonly id: string; readonly name: string; readonly clientId?: string; readonly viewAs?: string }
}
interface Ticket extends AnyTicket {
  readonly asset: number
  readonly format: FileFormat
  readonly isAttachment?: true
  readonly metadata?: Metadata
}
interface ChunkTicket extends AnyTicket {
  readonly chunk: ExpectedChunk
}
/** For a zip. The ids are delta-encoded, so that a thousand of them fit in a URL. */
interface SelectionTicket extends AnyTicket {
  readonly distances: readonly number[]
  readonly formats: readonly FileFormat[]
  readonly by: 'tid' | 'id'
  /** Instead of the formats: the tid of a rendition profile. */
  readonly profile?: string
  readonly metadata?: Metadata
}

const signedPath = '/assets/signed'
const [label, selectionLabel] = ['signed address of a file', 'signed address of a zip']
const [defaultSeconds, maxSeconds] = [900, 86_400]
/** The longest lifetime of a presigned URL of S3, which cannot be revoked. */
const storeSeconds = 300

/** POST /assets/presigned-url */
export const presignedUrl =
  (services: Pick<FileServices, 'blobs'>, sealer: Sealer, base: string) =>
  async (ctx: Context, { body }: Call<Infer<typeof PresignedUrlRequest>>): Promise<string> => {
    const { blobs } = services
    const { method = 'GET', expiresInSeconds: seconds = defaultSeconds } = body
    if (seconds < 1 || seconds > maxSeconds)
      throw new Problem(
        'invalid',
        `/presignedUrlRequest/expiresInSeconds: expected 1 to ${maxSeconds}, found ${seconds}`,
      )
    const until = Math.floor(Date.now() / 1000) + seconds
    const { userId: id, userName: name, ...limits } = toStored(ctx.caller)
    const signed = { method, until, user: { id, name, ...limits } }
    if (body.profile !== undefined && !body.tids && !body.ids)
      throw new Problem('invalid', '/presignedUrlRequest/profile: name the assets by tids or ids')
    if (body.tids || body.ids) {
      const ticket = await toSelection(ctx, body, signed)
      return `${ctx.config.baseUrl}${base}${signedPath}?ticket=${seal(sealer, ticket, selectionLabel)}`
    }
    const urlOfTicket = (ticket: Ticket | ChunkTicket) =>
      `${ctx.config.baseUrl}${base}${signedPath}/${seal(sealer, ticket, label)}`
    if (body.uploadTid !== undefined) {
      const chunk = await expectChunk(ctx, body)
      const inStore = await presignInStore(ctx, blobs, chunk, Math.min(seconds, storeSeconds))
      return inStore ?? urlOfTicket({ ...signed, chunk })
    }
    const format = toFormat(body.format)
    const asset = await findAsset(ctx, body)
    const { metadata } = body
    const saved = {
      ...(body.attachment === true && { isAttachment: true as const }),
      ...(metadata !== undefined && { metadata }),
    }
    if (method === 'PUT') {
      if (metadata !== undefined) throw new Problem('invalid', '/presignedUrlRequest/metadata: only for GET')
      if (format !== 'original')
        throw new Problem('invalid', '/presignedUrlRequest/format: only the original can be uploaded')
      demand(ctx, 'update', 'asset', asset.dirPath)
    } else {
      const [found] = await findUsable(ctx, { ids: [asset.id] }, [format])
      const left = Math.floor(Math.min(seconds, endOf(asset) - Date.now() / 1000))
      await describe(services, ctx, found!, metadata) // refused now rather than when the address is used
      const isStored = seconds <= storeSeconds && metadata === undefined // the store knows only files as they are
      const inStore = isStored ? await presignFile(blobs, { ...found!.file, ...saved }, Math.max(1, left)) : undefined
      if (inStore !== undefined) return inStore
    }
    return urlOfTicket({ ...signed, asset: asset.id, format, ...saved })
  }

/** A presigned URL of the blob store; undefined if the store has none. */
const presignFile = (
  { presign }: FileServices['blobs'],
  { sha256, ...file }: Found['file'],
  seconds: number,
): Promise<string> | undefined =>
  presign?.(sha256, { contentType: contentTypeOf(file.mime), contentDisposition: dispositionOf(file) }, seconds)

/** S3 does not know the usage rights, so its address ends with them. */
const secondsIn = (asset: FileRow) => Math.max(1, Math.floor(Math.min(storeSeconds, endOf(asset) - Date.now() / 1000)))

/**
 * Throws if the usage rights of all of the files forbid it, also when an address is used that was made before. The others
 * are left out of the zip when their turn comes.
 */
async function findUsable(
  ctx: Context,
  names: Parameters<typeof findOutgoing>[1],
  formats: readonly FileFormat[],
  shown = (asset: FileRow) => asset,
): Promise<Found[]> {
  const found = (await findOutgoing(ctx, names, formats)).map((one) => ({ ...one, asset: shown(one.asset) }))
  demandSome(found.map(({ asset }) => refusalOf(asset)))
  return found
}

async function toSelection(
  ctx: Context,
  { tids, ids = [], formats, method, profile, metadata }: Infer<typeof PresignedUrlRequest>,
  signed: AnyTicket,
): Promise<SelectionTicket> {
  if (method === 'PUT') throw new Problem('invalid', '/presignedUrlRequest/method: expected GET for several assets')
  const wanted = toFormats(formats)
  const named = tids ? { tids } : { ids }
  if (profile !== undefined) {
    demandNoFormats('/presignedUrlRequest', formats)
    demandNoMetadata('/presignedUrlRequest', metadata)
    const { assets } = await demandRenditions(ctx, named, profile)
    return { ...signed, distances: distancesOf(assets), formats: [], by: 'id', profile }
  }
  const found = await findUsable(ctx, named, wanted)
  checkZip(found)
  const distances = distancesOf(found.map(({ asset }) => asset))
  return { ...signed, distances, formats: wanted, by: tids ? 'tid' : 'id', ...(metadata !== undefined && { metadata }) }
}

function distancesOf(assets: readonly { readonly id: number }[]): number[] {
  const ids = [...new Set(assets.map(({ id }) => id))].toSorted((a, b) => a - b)
  return ids.map((id, i) => id - (ids[i - 1] ?? 0))
}

const seal = (sealer: Sealer, ticket: AnyTicket, label: string) =>
  sealer.seal(deflateRawSync(JSON.stringify(ticket)), label).toString('base64url')

async function findAsset(ctx: Context, named: Infer<typeof PresignedUrlRequest>) {
  const address = addressOf(named)
  if (!address) throw new Problem('invalid', '/presignedUrlRequest: names no asset; send tid, id or path')
  const [asset] = await findFiles(ctx.db, namesOf([address]), visible(ctx, 'asset'))
  if (!asset) throw notFound('asset', address)
  return asset
}

/** GET and PUT of a signed address. */
export const answerSigned = (services: FileServices, sealer: Sealer) => async (call: StreamCall) => {
  const method = call.request.method === 'HEAD' ? 'GET' : call.request.method
  const ticket = readTicket<Ticket | ChunkTicket>(sealer, call.params.ticket!, method, label)
  const ctx = await contextOf(services, call, ticket)
  if ('chunk' in ticket) return putChunk(services, ctx, ticket.chunk, call)
  if (method === 'PUT') return put(services, ctx, ticket, call)
  const [found] = await findUsable(ctx, { ids: [ticket.asset] }, [ticket.format], withoutFolder)
  const described = await describe(services, ctx, found!, ticket.metadata)
  const file = { ...described, ...(ticket.isAttachment && { isAttachment: true }) }
  const inStore = file.parts ? undefined : await presignFile(services.blobs, file, secondsIn(found!.asset))
  if (inStore !== undefined) return call.reply.header('cache-control', 'no-store').redirect(inStore, 307)
  return sendFile(services, call, file)
}

/** GET of the signed address of a zip. */
export const answerSelection =
  (services: FileServices, sealer: Sealer, sendRenditions: SendRenditions) => async (call: StreamCall) => {
    const ticket = readTicket<SelectionTicket>(sealer, String(call.query.ticket), 'GET', selectionLabel)
    let last = 0
    const ids = ticket.distances.map((distance) => (last += distance))
    const ctx = await contextOf(services, call, ticket)
    if (ticket.profile !== undefined) return sendRenditions(call, ctx, { ids }, ticket.profile, withoutFolder)
    const find = (some: readonly number[]) => findUsable(ctx, { ids: some }, ticket.formats, withoutFolder)
    const files = await find(ids)
    const recheck = (asset: FileRow) => find([asset.id])
    return sendZip(services, call.reply, ctx, files, ticket, recheck)
  }

function readTicket<T extends AnyTicket>(sealer: Sealer, text: string, method: string, label: string): T {
  const refuse = (why: string) => new Problem('forbidden', `this URL ${why}`)
  let ticket: T
  try {
    ticket = JSON.parse(inflateRawSync(sealer.open(Buffer.from(text, 'base64url'), label)).toString()) as T
  } catch (error) {
    throw new Problem('forbidden', 'this URL was not issued by this server or was changed', { cause: error })
  }
  if (ticket.until * 1000 < Date.now()) throw refuse('has expired')
  if (ticket.method !== method) throw refuse(`is for ${ticket.method}, not for ${method}`)
  return ticket
}

/** The context of the user who created the URL, with the rights of now. */
async function contextOf(
  { database, config, callerNow, deletionBlockers }: FileServices,
  { request }: StreamCall,
  { user: { id: userId, name: userName, ...limits } }: AnyTicket,
): Promise<Context> {
  const caller = await admitBy(request, () => callerNow({ ...limits, userId, userName }))
  const reading = { db: database, caller, config, record: () => {}, audit: () => {} }
  return { ...reading, deletionBlockers: (dataType, parts) => deletionBlockers(reading, dataType, parts) }
}

async function put(services: FileServices, ctx: Context, ticket: Ticket, call: StreamCall) {
  const { blobs, config } = services
  await findVersioned(ctx, { id: ticket.asset })
  const body = bodyOf(call.request, Infinity) // the file is limited, not the body
  const staged = await blobs.stage(body, config.maxUpload).catch((error: Error) => {
    if (!(error instanceof TooLong)) throw error
    throw new Problem('tooLarge', because('fileTooLarge', { max: config.maxUpload }), { cause: error })
  })
  try {
    const store = (inside: Context) => storeVersion(inside, { id: ticket.asset }, staged)
    const caller = await callerNow(call.request) // receiving the file may have taken long
    return call.sendRecord(await withStored(services, caller, staged, store))
  } finally {
    await staged.drop()
  }
}
