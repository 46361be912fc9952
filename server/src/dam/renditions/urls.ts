/**
 * Public addresses of renditions, for shops, print systems and viewers:
 *
 *   …/renditions/files/<file name>?asset=<id>&profile=<tid>&until=<seconds>&key=<signature>
 *   …/renditions/iiif/<id>.<until>.<signature>/…
 *
 * Nothing is stored for an address. The signature covers the asset, the recipe and the time, and two numbers that are
 * stored with the asset and the profile: increasing one of them revokes all addresses of that asset or profile. The time
 * ends with a calendar month, so that an address stays the same for a month and caches keep what they have.
 */
import { timingSafeEqual } from 'node:crypto'
import type { dam, Infer, RenditionUrlRequest } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { inBatch } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import type { Signer } from '../assets/previews/urls.ts'
import { demand, demandUnlocked, visible } from '../entries.ts'
import { type FileRow, findFiles, withoutFolder } from '../files.sql.ts'
import { demandWritable } from '../metadata/values.ts'
import { refusalsFor } from '../usage/usage.ts'
import { demandProfile, fileNameOf } from './profiles.ts'
import { checkParameters, extensions, parametersIn, type Parameters, type ProfileSettings, queryOf } from './recipe.ts'
import * as rows from './renditions.sql.ts'

const label = 'address of a rendition'
const defaultDays = 30

/** The content of a signature; `what` is a profile, parameters as a query, or the image service. */
interface Signed {
  readonly asset: number
  readonly what: string
  readonly until: number
  readonly epochs: readonly number[]
}

const keyOf = (signer: Signer, { asset, what, until, epochs }: Signed) =>
  signer
    .sign([asset, until, ...epochs, what].join(' '), label)
    .subarray(0, 16)
    .toString('base64url')

function demandKey(signer: Signer, signed: Signed, key: string): void {
  const [given, right] = [Buffer.from(key), Buffer.from(keyOf(signer, signed))]
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Problem('forbidden', 'this URL was not issued by this server, was changed or was revoked')
  if (signed.until * 1000 <= Date.now()) throw new Problem('forbidden', 'this URL has expired')
}

/** The end of the month in which an address that is valid for so many days ends. */
function endOf(days: number): number {
  const last = new Date(Date.now() + days * 86_400_000)
  return Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1) / 1000
}

type Service = 'iiif' | 'media'

interface Wanted {
  readonly assets: readonly FileRow[]
  readonly profile?: rows.ProfileRow | undefined
  readonly parameters?: Parameters
  /** The image service or what browsers play, instead of a rendition. */
  readonly service?: Service | undefined
  readonly days: number
}

const queryFor = (profile: rows.ProfileRow | undefined, parameters: Parameters = {}): [string, string][] =>
  profile ? [['profile', profile.tid]] : queryOf(parameters)
const whatOf = (profile: rows.ProfileRow | undefined, parameters: Parameters | undefined, service?: Service) =>
  service ?? new URLSearchParams(queryFor(profile, parameters)).toString()

/** The public address of each of the assets. */
export async function addressesFor(
  { db, config }: Context,
  signer: Signer,
  base: string,
  { assets, profile, parameters = {}, service, days }: Wanted,
): Promise<(asset: FileRow) => { url: string; until: string }> {
  const until = endOf(days)
  const found = assets.length > 0 ? await rows.findEpochs(db, idsOf(assets)) : []
  const epochs = new Map(found.map(({ id, epoch }) => [id, epoch]))
  const [query, what] = [queryFor(profile, parameters), whatOf(profile, parameters, service)]
  return (asset) => {
    const { id } = asset
    const key = keyOf(signer, { asset: id, what, until, epochs: [epochs.get(id)!, profile?.epoch ?? 0] })
    const signed = new URLSearchParams([['asset', String(id)], ...query, ['until', String(until)], ['key', key]])
    const name = encodeURIComponent(nameOf(asset, profile?.settings ?? parameters, profile?.tid))
    const addresses = {
      iiif: `/renditions/iiif/${id}.${until}.${key}`,
      media: mediaAddress(signer, asset, epochs.get(id)!, until),
      files: `/renditions/files/${name}?${signed}`,
    }
    return {
      url: config.baseUrl + base + addresses[service ?? 'files'],
      until: new Date(until * 1000).toISOString(),
    }
  }
}

/** Without the base of the area. */
export function mediaAddress(signer: Signer, { id, name }: FileRow, epoch: number, until: number): string {
  const key = keyOf(signer, { asset: id, what: 'media', until, epochs: [epoch, 0] })
  const signed = new URLSearchParams({ asset: String(id), until: String(until), key })
  return `/renditions/media/${encodeURIComponent(name)}?${signed}`
}

type Routes = Pick<typeof dam.routes, 'renditionUrls' | 'revokeRenditionUrls'>

export const urlRoutes = (signer: Signer, base: string): RouteHandlers<Routes> => ({
  async renditionUrls(ctx, { body, caller, services }) {
    const { profile: tid, days = defaultDays } = body
    const service = body.iiif ? 'iiif' : body.media ? 'media' : undefined
    const parameters = parametersIn(body)
    checkRequest(body, parameters)
    const assets = await demandAssets(ctx, body)
    const profile = tid === undefined ? undefined : await demandProfile(ctx.db, tid)
    const refusals = await refusalsFor(ctx.db, assets, profile?.settings ?? {}, tid)
    const refusal = refusals.find(Boolean)
    if (refusal) throw new Problem('forbidden', refusal)
    if ((profile?.settings ?? parameters).metadata) await demandWritable(ctx.db, ctx.caller, assets)
    const address = await addressesFor(ctx, signer, base, { assets, profile, parameters, service, days })
    const what = whatOf(profile, parameters, service)
    await inBatch(services, caller, async ({ audit }) =>
      audit({ action: 'rendition.publish', detail: { assets: assets.length, what, until: endOf(days) } }),
    )
    return { urls: assets.map((asset) => ({ tid: asset.tid, id: asset.id, ...address(asset) })) }
  },

  async revokeRenditionUrls(ctx, { body, caller, services }) {
    const assets = await demandAssets(ctx, body)
    for (const asset of assets) {
      demand(ctx, 'update', 'asset', asset.dirPath)
      demandUnlocked(ctx, asset)
    }
    await inBatch(services, caller, async ({ db, audit }) => {
      await rows.revokeAssets(db, idsOf(assets))
      audit({ action: 'rendition.revoke', detail: { assets: assets.map(({ tid }) => tid).slice(0, 100) } })
    })
    return { assets: assets.length }
  },
})

const idsOf = (assets: readonly FileRow[]) => assets.map(({ id }) => id)

function checkRequest({ profile, iiif, media, days }: Infer<typeof RenditionUrlRequest>, parameters: Parameters): void {
  checkParameters({ ...parameters, days }, '/renditionUrlRequest/')
  const sent = [profile !== undefined, iiif === true, media === true, Object.keys(parameters).length > 0].filter(
    Boolean,
  )
  if (sent.length > 1)
    throw new Problem(
      'invalid',
      '/renditionUrlRequest: send a profile, or parameters, or iiif, or media, not several of them',
    )
}

/** Throws if one of them does not exist or the caller may not see it. */
export async function demandAssets(
  ctx: Context,
  { tids = [], ids = [] }: { tids?: string[] | undefined; ids?: (number | bigint)[] | undefined },
): Promise<FileRow[]> {
  if (tids.length + ids.length === 0) throw new Problem('invalid', 'names no asset; send tids or ids')
  const names = tids.length > 0 ? { tids, ids: [], paths: [] } : { tids: [], ids, paths: [] }
  const found = await findFiles(ctx.db, names, visible(ctx, 'asset'))
  const known = new Set<unknown>(found.map((row) => (tids.length > 0 ? row.tid : row.id)))
  const missing = (tids.length > 0 ? tids : ids.map(Number)).find((name) => !known.has(name))
  if (missing !== undefined)
    throw new Problem('notFound', `no asset has the ${tids.length > 0 ? 'tid' : 'id'} ${String(missing).slice(0, 255)}`)
  return found
}

/** The name of the file that a rendition is. */
export function nameOf(asset: FileRow, settings: ProfileSettings, profile = ''): string {
  const { format = 'jpeg', width, height } = settings
  const dot = asset.name.lastIndexOf('.')
  const facts = {
    name: dot > 0 ? asset.name.slice(0, dot) : asset.name,
    tid: asset.tid,
    profile,
    width: String(width ?? ''),
    height: String(height ?? ''),
  }
  return `${fileNameOf(settings.fileName, facts)}.${extensions[format]}`
}

interface Opened {
  readonly asset: FileRow
  readonly until: number
}

/** The asset of an address; throws unless the address is right, has not ended and was not revoked. */
export async function openAddress(
  db: Db,
  signer: Signer,
  { asset: id, what, until, key, profileEpoch = 0 }: Omit<Signed, 'epochs'> & { key: string; profileEpoch?: number },
): Promise<Opened> {
  const [found] = Number.isSafeInteger(id) ? await rows.findEpochs(db, [id]) : []
  demandKey(signer, { asset: id, what, until, epochs: [found?.epoch ?? -1, profileEpoch] }, key)
  const [asset] = await findFiles(db, { tids: [], ids: [id], paths: [] }, rows.anybody)
  if (!asset) throw new Problem('notFound', 'the asset of this URL does not exist any more')
  return { asset: withoutFolder(asset), until }
}
