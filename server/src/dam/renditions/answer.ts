/** GET of a rendition: with a token, or by a public address. */
import type { FastifyReply } from 'fastify'
import type { StreamCall } from '../../core/http/streaming.ts'
import { Problem } from '../../errors.ts'
import { sendFile } from '../assets/bin/download/download.ts'
import type { Signer } from '../assets/previews/urls.ts'
import { visible } from '../entries.ts'
import { type FileRow, findFiles } from '../files.sql.ts'
import type { FileServices } from '../files.ts'
import { describeRendition } from '../metadata/outgoing.ts'
import { everything, type Reader } from '../metadata/values.ts'
import { endOf } from '../usage/usage.ts'
import { demandProfile, recipeFor } from './profiles.ts'
import { checkParameters, parametersOf, type ProfileSettings, queryOf } from './recipe.ts'
import { nameOf, openAddress } from './urls.ts'

/** Seconds for which anybody may cache a public rendition: so long a revoked address may still be answered by a cache. */
const publicSeconds = 3600

interface Chosen {
  readonly settings: ProfileSettings
  readonly profile?: string
  readonly epoch: number
  readonly what: string
}

/** The profile or the parameters of a query. */
async function chosen({ database }: FileServices, query: StreamCall['query']): Promise<Chosen> {
  const parameters = parametersOf(query)
  if (query.profile === undefined) {
    checkParameters(parameters)
    return { settings: parameters, epoch: 0, what: new URLSearchParams(queryOf(parameters)).toString() }
  }
  if (Object.keys(parameters).length > 0)
    throw new Problem('invalid', 'profile: a profile has its own parameters; send one or the other')
  const { tid, settings, epoch } = await demandProfile(database, query.profile)
  return { settings, profile: tid, epoch, what: new URLSearchParams({ profile: tid }).toString() }
}

async function send(
  services: FileServices,
  call: StreamCall,
  asset: FileRow,
  { settings, profile }: Chosen,
  { holder, reader, ...caching }: { holder: string; reader: Reader; cacheControl?: string },
): Promise<FastifyReply> {
  const recipe = await recipeFor(services.database, asset, settings, profile)
  const { sha256, size, mime } = await services.renditions(asset, recipe, holder)
  const file = { sha256, size, mime, name: nameOf(asset, settings, profile), modifiedAt: asset.modifiedAt }
  const needs = { blobs: services.blobs, db: services.database, reader }
  return sendFile(services, call, { ...(await describeRendition(needs, asset, file, settings)), ...caching })
}

/** GET /renditions/bin */
export const rendition = (services: FileServices) => async (call: StreamCall) => {
  const { assetTid, assetId } = call.query
  if (assetTid === undefined && assetId === undefined)
    throw new Problem('invalid', 'names no asset; send assetTid or assetId')
  const names = assetTid === undefined ? { tids: [], ids: [Number(assetId)] } : { tids: [assetTid], ids: [] }
  const ctx = call.context()
  const [asset] = await findFiles(ctx.db, { ...names, paths: [] }, visible(ctx, 'asset'))
  if (!asset) throw new Problem('notFound', 'there is no asset with this identifier')
  return send(services, call, asset, await chosen(services, call.query), {
    holder: `user ${ctx.caller.userId}`,
    reader: ctx.caller,
  })
}

/** GET /renditions/files/{name} */
export const publicRendition = (services: FileServices, signer: Signer) => async (call: StreamCall) => {
  const { asset: id, until, key } = call.query
  const wanted = await chosen(services, call.query).catch((error: Error) => {
    if (!(error instanceof Problem) || error.kind !== 'notFound') throw error
    throw new Problem('forbidden', 'this URL was not issued by this server, was changed or was revoked', {
      cause: error,
    })
  })
  const address = { asset: Number(id), what: wanted.what, until: Number(until), key: key ?? '' }
  const { asset } = await openAddress(services.database, signer, { ...address, profileEpoch: wanted.epoch })
  const cacheControl = publicUntil(Math.min(address.until, endOf(asset)))
  openToAll(call.reply)
  return send(services, call, asset, wanted, { holder: `asset ${asset.id}`, reader: everything, cacheControl })
}

/** Pages of other sites may show and read a public rendition. */
export const openToAll = (reply: FastifyReply) =>
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })

/** Anybody may cache the reply, but not beyond the end of its address. */
export const publicUntil = (until: number) =>
  `public, max-age=${Math.max(0, Math.min(publicSeconds, Math.floor(until - Date.now() / 1000)))}`
