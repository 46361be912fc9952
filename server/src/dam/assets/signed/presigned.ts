/**
 * Signed addresses: one file, one method, for a while, for whoever has the address.
 *
 * The address carries a ticket that only this installation can make or read: which asset, which format, who asked, until
 * when. Files on S3 are given from there, by an address of S3 itself, and chunks of uploads go there. What is put under
 * the address of an asset becomes its file as if its maker had uploaded it as a version, with the rights they have then.
 * A selection of assets has an address too: that of a zip, with the list of them in its ticket.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Infer, PresignedUrlRequest } from '@kontor/contract'
import { TooLong } from '../../../adapters/blobs/writing.ts'
import type { Caller, Context } from '../../../core/context.ts'
import type { Call } from '../../../core/http/routes.ts'
import type { StreamCall } from '../../../core/http/streaming.ts'
import { Problem } from '../../../errors.ts'
import { addressOf, demand, namesOf, notFound, visible } from '../../entries.ts'
import { type FileServices, withStored } from '../../files.ts'
import { findFiles } from '../../files.sql.ts'
import { addressInStore, type ExpectedChunk, expectChunk, putChunk } from '../bin/chunked/addresses.ts'
import { findVersioned, storeVersion } from '../versions/versions.ts'
import {
  checkZip,
  findLeaving,
  type FileFormat,
  sendFile,
  sendZip,
  toFormat,
  toFormats,
} from '../bin/download/download.ts'
import { contentTypeOf, dispositionOf } from '../bin/download/headers.ts'

/** Makes tickets that nobody else can make or read. */
export interface Sealer {
  seal(content: Uint8Array, label: string): Buffer
  open(sealed: Uint8Array, label: string): Buffer
}

interface AnyTicket {
  readonly method: 'GET' | 'PUT'
  /** Seconds since 1970. */
  readonly until: number
  readonly user: { readonly id: string; readonly name: string; readonly roles: readonly string[] }
}
interface Ticket extends AnyTicket {
  readonly asset: number
  readonly format: FileFormat
}
interface ChunkTicket extends AnyTicket {
  readonly chunk: ExpectedChunk
}
/** Of a zip. Ids are told by their distances, which makes a thousand of them short enough for an address. */
interface SelectionTicket extends AnyTicket {
  readonly distances: readonly number[]
  readonly formats: readonly FileFormat[]
  readonly by: 'tid' | 'id'
}

const signedPath = '/assets/signed'
const [label, selectionLabel] = ['signed address of a file', 'signed address of a zip']
const [defaultSeconds, mostSeconds] = [900, 86_400]

/** POST /assets/presigned-url */
export const presignedUrl =
  ({ blobs }: Pick<FileServices, 'blobs'>, sealer: Sealer, base: string) =>
  async (ctx: Context, { body }: Call<Infer<typeof PresignedUrlRequest>>): Promise<string> => {
    const { method = 'GET', expiresInSeconds: seconds = defaultSeconds } = body
    if (seconds < 1 || seconds > mostSeconds)
      throw new Problem(
        'invalid',
        `/presignedUrlRequest/expiresInSeconds: expected 1 to ${mostSeconds}, found ${seconds}`,
      )
    const until = Math.floor(Date.now() / 1000) + seconds
    const { userId, userName, roles } = ctx.caller
    const signed = { method, until, user: { id: userId, name: userName, roles: [...roles] } }
    if (body.tids || body.ids) {
      const ticket = await toSelection(ctx, body, signed)
      return `${ctx.config.baseUrl}${base}${signedPath}?ticket=${seal(sealer, ticket, selectionLabel)}`
    }
    const addressOfTicket = (ticket: Ticket | ChunkTicket) =>
      `${ctx.config.baseUrl}${base}${signedPath}/${seal(sealer, ticket, label)}`
    if (body.uploadTid !== undefined) {
      const chunk = await expectChunk(ctx, body)
      return (await addressInStore(ctx, blobs, chunk, seconds)) ?? addressOfTicket({ ...signed, chunk })
    }
    const format = toFormat(body.format)
    const asset = await findAsset(ctx, body)
    if (method === 'PUT') {
      if (format !== 'original')
        throw new Problem('invalid', '/presignedUrlRequest/format: only the original can be put')
      demand(ctx, 'update', 'asset', asset.dirPath)
    } else {
      const [found] = await findLeaving(ctx, { ids: [asset.id] }, [format])
      const { file } = found!
      const reply = { contentType: contentTypeOf(file.mime), contentDisposition: dispositionOf(file) }
      if (blobs.presign) return blobs.presign(file.sha256, reply, seconds)
    }
    return addressOfTicket({ ...signed, asset: asset.id, format })
  }

async function toSelection(
  ctx: Context,
  { tids, ids = [], formats, method }: Infer<typeof PresignedUrlRequest>,
  signed: AnyTicket,
): Promise<SelectionTicket> {
  if (method === 'PUT') throw new Problem('invalid', '/presignedUrlRequest/method: several assets can only be read')
  const wanted = toFormats(formats)
  const found = await findLeaving(ctx, tids ? { tids } : { ids }, wanted)
  checkZip(found)
  const assets = [...new Set(found.map(({ asset }) => asset.id))].toSorted((a, b) => a - b)
  const distances = assets.map((id, i) => id - (assets[i - 1] ?? 0))
  return { ...signed, distances, formats: wanted, by: tids ? 'tid' : 'id' }
}

const seal = (sealer: Sealer, ticket: AnyTicket, label: string) =>
  sealer.seal(deflateRawSync(JSON.stringify(ticket)), label).toString('base64url')

async function findAsset(ctx: Context, named: Infer<typeof PresignedUrlRequest>) {
  const address = addressOf(named)
  if (!address) throw new Problem('invalid', '/presignedUrlRequest: tid, id or path must say which asset')
  const [asset] = await findFiles(ctx.db, namesOf([address]), visible(ctx, 'asset'))
  if (!asset) throw notFound('asset', address)
  return asset
}

/** GET and PUT of a signed address. */
export const answerSigned = (services: FileServices, sealer: Sealer) => async (call: StreamCall) => {
  const method = call.request.method === 'HEAD' ? 'GET' : call.request.method
  const ticket = readTicket<Ticket | ChunkTicket>(sealer, call.params.ticket!, method, label)
  const ctx = await contextOf(services, ticket)
  if ('chunk' in ticket) return putChunk(services, ctx, ticket.chunk, call)
  if (method === 'PUT') return put(services, ctx, ticket, call)
  const [found] = await findLeaving(ctx, { ids: [ticket.asset] }, [ticket.format])
  return sendFile(services, call, found!.file)
}

/** GET of the signed address of a zip. */
export const answerSelection = (services: FileServices, sealer: Sealer) => async (call: StreamCall) => {
  const ticket = readTicket<SelectionTicket>(sealer, String(call.query.ticket), 'GET', selectionLabel)
  let last = 0
  const ids = ticket.distances.map((distance) => (last += distance))
  const files = await findLeaving(await contextOf(services, ticket), { ids }, ticket.formats)
  return sendZip(services, call.reply, files, ticket.by)
}

function readTicket<T extends AnyTicket>(sealer: Sealer, text: string, method: string, label: string): T {
  const refuse = (why: string) => new Problem('forbidden', `this address ${why}`)
  let ticket: T
  try {
    ticket = JSON.parse(inflateRawSync(sealer.open(Buffer.from(text, 'base64url'), label)).toString()) as T
  } catch (error) {
    throw new Problem('forbidden', 'this address is not one that was given out', { cause: error })
  }
  if (ticket.until * 1000 < Date.now()) throw refuse('has expired')
  if (ticket.method !== method) throw refuse(`is for ${ticket.method}, not for ${method}`)
  return ticket
}

/** Whoever asked for the address, with the rights that their roles give them now. */
async function contextOf(
  { database, config, permissionsOf, deletionBlockers }: FileServices,
  { user }: AnyTicket,
): Promise<Context> {
  const roles = new Set(user.roles)
  const caller: Caller = { userId: user.id, userName: user.name, roles, permissions: await permissionsOf(roles) }
  const reading = { db: database, caller, config, record: () => {}, audit: () => {} }
  return { ...reading, deletionBlockers: (dataType, parts) => deletionBlockers(reading, dataType, parts) }
}

async function put(services: FileServices, ctx: Context, ticket: Ticket, call: StreamCall) {
  const { blobs, config } = services
  await findVersioned(ctx, { id: ticket.asset })
  const body = call.request.raw as AsyncIterable<Buffer>
  const staged = await blobs.stage(body, config.maxUpload).catch((error: Error) => {
    if (!(error instanceof TooLong)) throw error
    throw new Problem('tooLarge', `the file is larger than ${config.maxUpload} bytes`, { cause: error })
  })
  try {
    const store = (inside: Context) => storeVersion(inside, { id: ticket.asset }, staged)
    return call.sendRecord(await withStored(services, ctx.caller, staged, store))
  } finally {
    await staged.drop()
  }
}
