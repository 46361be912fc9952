/** Renditions of several assets by one profile: as a download, and for exports. */
import { dam } from '@kontor/contract'
import { toZip, type ZipEntry } from '../../adapters/zip.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { maxEntries, readFile, sanitize, sendFile, type SendRenditions } from '../assets/bin/download/download.ts'
import { setFileHeaders } from '../assets/bin/download/headers.ts'
import { createMissing } from '../assets/bin/download/missing.ts'
import type { Signer } from '../assets/previews/urls.ts'
import { visible } from '../entries.ts'
import { describeRendition } from '../metadata/outgoing.ts'
import { demandWritable } from '../metadata/values.ts'
import { type FileRow, findFiles } from '../files.sql.ts'
import type { FileServices } from '../files.ts'
import { demandSome, endOf, type Purpose, refusalsFor } from '../usage/usage.ts'
import { demandProfile, recipeFor } from './profiles.ts'
import type { ProfileRow } from './renditions.sql.ts'
import { addressesFor, nameOf } from './urls.ts'

const asItIs = (asset: FileRow) => asset

interface AssetNames {
  readonly tids?: readonly string[]
  readonly ids?: readonly (number | bigint)[]
}
/** The assets that the caller may see, and the profile. Throws if there are none, too many, or only refused ones. */
export async function demandRenditions(ctx: Context, names: AssetNames, tid: string, shown = asItIs) {
  const profile = await demandProfile(ctx.db, tid)
  const assets = await findFiles(ctx.db, { tids: [], ids: [], paths: [], ...names }, visible(ctx, 'asset'))
  if (assets.length === 0) throw new Problem('notFound', 'there is no asset with these identifiers')
  if (assets.length > maxEntries)
    throw new Problem('invalid', `${assets.length} files; a zip takes ${maxEntries} at most`)
  demandSome(await refusalsFor(ctx.db, assets.map(shown), profile.settings, tid))
  return { assets, profile }
}

const make = async (services: FileServices, { caller }: Context, asset: FileRow, { tid, settings }: ProfileRow) => {
  const recipe = await recipeFor(services.database, asset, settings, tid)
  const { sha256, size, mime } = await services.renditions(asset, recipe, `user ${caller.userId}`)
  const file = { sha256, size, mime, name: nameOf(asset, settings, tid), modifiedAt: asset.modifiedAt }
  const needs = { blobs: services.blobs, db: services.database, reader: caller }
  return describeRendition(needs, asset, file, settings)
}

const findNow = async (ctx: Context, id: number) => {
  const [asset] = await findFiles(ctx.db, { tids: [], ids: [id], paths: [] }, visible(ctx, 'asset'))
  if (!asset) throw new Problem('notFound', 'the asset does not exist any more')
  return asset
}

/** One rendition as it is, several as a zip. */
export const sendRenditions =
  (services: FileServices): SendRenditions =>
  async (call, ctx, names, tid, shown = asItIs) => {
    const { assets, profile } = await demandRenditions(ctx, names, tid, shown)
    const draw = (asset: FileRow) => make(services, ctx, shown(asset), profile)
    if (new Set<unknown>(names.tids ?? names.ids).size === 1) return sendFile(services, call, await draw(assets[0]!))
    const drawNow = async (id: number) => draw(await findNow(ctx, id))
    setFileHeaders(call.reply, { name: `${tid}.zip`, mime: 'application/zip' })
    return call.reply.send(toZip(entriesOf(services, assets.map(shown), drawNow)))
  }

/** Each is made when the one before it has been sent, with the rights of then. Refused files are listed in a text. */
async function* entriesOf(
  services: FileServices,
  assets: readonly FileRow[],
  drawNow: (id: number) => ReturnType<typeof make>,
): AsyncGenerator<ZipEntry> {
  const [unique, missing] = [uniqueNames(), createMissing()]
  for (const { id, path } of assets) {
    const file = await drawNow(id).catch(missing.note(path))
    if (!file) continue
    const { size, modifiedAt } = file
    yield { name: unique(sanitize(file.name)), bytes: readFile(services, file), compress: false, size, modifiedAt }
  }
  yield* missing.entries()
}

/** Numbers names that were used before. */
export function uniqueNames(): (name: string) => string {
  const used = new Set<string>()
  return (name) => {
    let unique = name
    for (let i = 2; used.has(unique.toLowerCase()); i++) unique = name.replace(/(\.[^.]*)?$/, `-${i}$1`)
    used.add(unique.toLowerCase())
    return unique
  }
}

interface ExportedPicture {
  readonly tid: string
  readonly path: string
  readonly sha256: string
  /** Why it must not be used. */
  readonly refusal?: string
  /** The end of its usage rights, in seconds since 1970; Infinity without one. */
  readonly until: number
  open(): Promise<AsyncIterable<Buffer>>
}
/** Days for which the addresses in an export are valid at least. */
const exportDays = 366

/**
 * Pictures for an export: under the path that their rendition has beside the file, or under its public address. Files
 * that are not pictures stay as they are.
 */
export const exportPictures =
  (services: FileServices, signer: Signer) =>
  async (
    ctx: Context,
    names: { readonly tids?: readonly string[] },
    {
      profile: tid,
      asAddresses,
      purpose,
    }: { readonly profile: string; readonly asAddresses: boolean; readonly purpose: Purpose },
  ): Promise<ExportedPicture[]> => {
    const profile = await demandProfile(ctx.db, tid)
    const found = await findFiles(ctx.db, { tids: [], ids: [], paths: [], ...names }, visible(ctx, 'asset'))
    const pictures = asAddresses ? found.filter(({ type }) => type === 'IMG') : []
    if (asAddresses && profile.settings.metadata) await demandWritable(ctx.db, ctx.caller, pictures)
    const address = await addressesFor(ctx, signer, dam.base, { assets: pictures, profile, days: exportDays })
    const byProfile = await refusalsFor(ctx.db, found, profile.settings, tid)
    const refusals = (await refusalsFor(ctx.db, found, purpose)).map((refusal, i) => refusal ?? byProfile[i])
    return found.map((asset, i) => {
      const { sha256, path, dirPath } = asset
      const isPicture = asset.type === 'IMG'
      const ownPath =
        asAddresses && isPicture ? address(asset).url : `${dirPath}/${sanitize(nameOf(asset, profile.settings, tid))}`
      const open = async () => readFile(services, isPicture ? await make(services, ctx, asset, profile) : asset)
      const refusal = refusals[i] && { refusal: refusals[i].sentence }
      return { tid: asset.tid, path: isPicture ? ownPath : path, sha256, until: endOf(asset), open, ...refusal }
    })
  }
