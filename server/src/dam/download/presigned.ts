/**
 * Signed addresses: one file, one method, for a while, for whoever has the address.
 *
 * The address carries a ticket that only this installation can make or read: which asset, which format, who asked, until
 * when. Files on S3 are given from there, by an address of S3 itself. What is put under an address becomes the file of
 * the asset as if its maker had uploaded it as a version, with the rights they have then.
 */
import { type Infer, type PresignedUrlRequest } from '@kontor/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TooLong } from '../../adapters/blobs/blobs.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { Call } from '../../core/routes.ts'
import { Problem } from '../../errors.ts'
import { addressOf, demand, namesOf, notFound, visible } from '../entries.ts'
import { type FileServices, sendRecord, withStored } from '../files.ts'
import { findFiles } from '../files.sql.ts'
import { findVersioned, storeVersion } from '../versions/versions.ts'
import { findLeaving, type FileFormat, sendFile, toFormat } from './download.ts'
import { contentTypeOf, dispositionOf } from './headers.ts'

/** Makes tickets that nobody else can make or read. */
export interface Sealer {
  seal(content: Uint8Array, label: string): Buffer
  open(sealed: Uint8Array, label: string): Buffer
}

interface Ticket {
  readonly asset: number
  readonly format: FileFormat
  readonly method: 'GET' | 'PUT'
  /** Seconds since 1970. */
  readonly until: number
  readonly user: { readonly id: string; readonly name: string; readonly roles: readonly string[] }
}

export const signedPath = '/assets/signed/:ticket'
const label = 'signed address of a file'
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
    const { userId, userName, roles } = ctx.caller
    const user = { id: userId, name: userName, roles: [...roles] }
    const until = Math.floor(Date.now() / 1000) + seconds
    const ticket: Ticket = { asset: asset.id, format, method, until, user }
    const sealed = sealer.seal(Buffer.from(JSON.stringify(ticket)), label).toString('base64url')
    return `${ctx.config.baseUrl}${base}${signedPath.replace(':ticket', sealed)}`
  }

async function findAsset(ctx: Context, named: Infer<typeof PresignedUrlRequest>) {
  const address = addressOf(named)
  if (!address) throw new Problem('invalid', '/presignedUrlRequest: tid, id or path must say which asset')
  const [asset] = await findFiles(ctx.db, namesOf([address]), visible(ctx, 'asset'))
  if (!asset) throw notFound('asset', address)
  return asset
}

/** GET and PUT of a signed address. */
export const answerSigned =
  (services: FileServices, sealer: Sealer) => async (request: FastifyRequest, reply: FastifyReply) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const ticket = readTicket(sealer, (request.params as { ticket: string }).ticket, method)
    const ctx = await contextOf(services, ticket)
    if (method === 'PUT') return put(services, ctx, ticket, request, reply)
    const [found] = await findLeaving(ctx, { ids: [ticket.asset] }, [ticket.format])
    return sendFile(services, request, reply, found!.file)
  }

function readTicket(sealer: Sealer, text: string, method: string): Ticket {
  const refuse = (why: string) => new Problem('forbidden', `this address ${why}`)
  let ticket: Ticket
  try {
    ticket = JSON.parse(sealer.open(Buffer.from(text, 'base64url'), label).toString()) as Ticket
  } catch (error) {
    throw new Problem('forbidden', 'this address is not one that was given out', { cause: error })
  }
  if (ticket.until * 1000 < Date.now()) throw refuse('has expired')
  if (ticket.method !== method) throw refuse(`is for ${ticket.method}, not for ${method}`)
  return ticket
}

/** Whoever asked for the address, with the rights that their roles give them now. */
async function contextOf(
  { database, config, permissionsOf, keepersOf }: FileServices,
  { user }: Ticket,
): Promise<Context> {
  const roles = new Set(user.roles)
  const caller: Caller = { userId: user.id, userName: user.name, roles, permissions: await permissionsOf(roles) }
  const reading = { db: database, caller }
  return { ...reading, config, record: () => {}, keepersOf: (dataType, parts) => keepersOf(reading, dataType, parts) }
}

async function put(services: FileServices, ctx: Context, ticket: Ticket, request: FastifyRequest, reply: FastifyReply) {
  const { blobs, config } = services
  await findVersioned(ctx, { id: ticket.asset })
  const body = request.raw as AsyncIterable<Buffer>
  const staged = await blobs.stage(body, config.maxUpload).catch((error: Error) => {
    if (!(error instanceof TooLong)) throw error
    throw new Problem('tooLarge', `the file is larger than ${config.maxUpload} bytes`, { cause: error })
  })
  try {
    const store = (inside: Context) => storeVersion(inside, { id: ticket.asset }, staged)
    return sendRecord(services, request, reply, await withStored(services, ctx.caller, staged, store))
  } finally {
    await staged.drop()
  }
}
