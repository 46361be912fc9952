/** /renditions/profiles: renditions under a name, with what only administrators may choose: watermark, colour profile, file name. */
import { because } from '@kontor/contract'
import type { dam } from '@kontor/contract'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { visible } from '../entries.ts'
import { type FileRow, findFiles } from '../files.sql.ts'
import { checkParameters, parametersIn, pointOf, type ProfileSettings, type Recipe, secondOf } from './recipe.ts'
import { refusalsFor } from '../usage/usage.ts'
import * as rows from './renditions.sql.ts'

type Routes = Pick<
  typeof dam.routes,
  'listRenditionProfiles' | 'putRenditionProfile' | 'deleteRenditionProfile' | 'revokeRenditionProfile'
>

export const profileRoutes = (blobs: Blobs): RouteHandlers<Routes> => ({
  /** Only administrators see which files a profile uses, because others may not be allowed to. */
  async listRenditionProfiles({ db, caller }) {
    const profiles = (await rows.findProfiles(db)).map(({ tid, settings }) => ({ tid, ...settings }))
    if (caller.roles.has('admin')) return { profiles }
    return {
      profiles: profiles.map(({ watermarkTid: _watermark, iccTid: _icc, channelTid: _channel, ...rest }) => rest),
    }
  },

  async putRenditionProfile(ctx, { params: { tid = '' }, body }) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(tid))
      throw new Problem('invalid', 'tid: expected 1 to 64 letters, digits, dots, hyphens or underscores')
    checkParameters(body, '/')
    for (const key of ['name', 'fileName'] as const) {
      const { length = 1 } = body[key] ?? {}
      if (length < 1 || length > 200) throw new Problem('invalid', `/${key}: expected 1 to 200 characters`)
    }
    checkFileName(body.fileName)
    if (body.territory !== undefined && !/^[A-Z]{2}$/.test(body.territory))
      throw new Problem('invalid', '/territory: expected a country such as DE')
    if (body.channelTid !== undefined && !(await rows.channelExists(ctx.db, body.channelTid)))
      throw new Problem('invalid', `/channelTid: no project has the tid ${body.channelTid.slice(0, 255)}`)
    for (const key of ['watermarkTid', 'iccTid'] as const) {
      const named = body[key]
      if (named === undefined) continue
      const [found] = await findFiles(ctx.db, { tids: [named], ids: [], paths: [] }, visible(ctx, 'asset'))
      if (!found) throw new Problem('invalid', `/${key}: no asset has the tid ${named.slice(0, 255)}`)
      checkPart(key, found)
      if (key === 'iccTid') await checkColours(blobs, found, body)
    }
    await rows.upsertProfile(ctx.db, tid, body, ctx.caller.userName)
    return { tid, ...body }
  },

  async deleteRenditionProfile({ db }, { params: { tid = '' } }) {
    if ((await rows.deleteProfile(db, tid)) === 0) throw noProfile(tid)
  },

  async revokeRenditionProfile({ db }, { params: { tid = '' } }) {
    if ((await rows.revokeProfile(db, tid)) === 0) throw noProfile(tid)
  },
})

const noProfile = (tid: string) =>
  new Problem('notFound', `no rendition profile has the tid ${tid.slice(0, 100)}; GET …/renditions/profiles lists them`)

export async function demandProfile(db: Db, tid: string): Promise<rows.ProfileRow> {
  const profile = await rows.findProfile(db, tid)
  if (!profile) throw noProfile(tid)
  return profile
}

/** Of a colour profile. The first is its header. */
const [headerBytes, maxIccBytes] = [128, 5 * 1024 * 1024]

function checkPart(key: 'watermarkTid' | 'iccTid', { type, name, size }: FileRow): void {
  if (key === 'watermarkTid' && type !== 'IMG') throw new Problem('invalid', because('watermarkPicture', { name }))
  if (key === 'iccTid' && (!/\.icc$|\.icm$/i.test(name) || size < headerBytes || size > maxIccBytes))
    throw new Problem('invalid', because('colourProfile', { name }))
}

/** Reads the header of the profile: with another file every rendition would fail, and some formats cannot be CMYK. */
async function checkColours(blobs: Blobs, { sha256, name }: FileRow, { format = 'jpeg' }: ProfileSettings) {
  const pieces: Buffer[] = []
  for await (const piece of await blobs.lend(sha256, { first: 0, last: headerBytes - 1 }))
    pieces.push(Buffer.from(piece))
  const header = Buffer.concat(pieces).toString('latin1')
  const [colours, signature] = [header.slice(16, 20), header.slice(36, 40)]
  if (signature !== 'acsp' || !['RGB ', 'CMYK', 'GRAY'].includes(colours))
    throw new Problem('invalid', because('colourProfile', { name }))
  if (colours === 'CMYK' && format !== 'jpeg' && format !== 'tiff')
    throw new Problem('invalid', `/iccTid: a CMYK profile needs the format jpeg or tiff, not ${format}`)
}

const placeholders = ['name', 'tid', 'profile', 'width', 'height']

function checkFileName(pattern = '{name}'): void {
  const unknown = [...pattern.matchAll(/\{([^}]*)\}/g)].find(([, word]) => !placeholders.includes(word!))
  if (unknown) throw new Problem('invalid', `/fileName: ${unknown[0]} is not one of {${placeholders.join('}, {')}}`)
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f<>:"|?*\\/]/.test(pattern))
    throw new Problem('invalid', '/fileName: a file name has no slash, backslash, colon, quote, <, >, |, ? or *')
}

/** The name of the file without its extension. */
export const fileNameOf = (pattern: string | undefined, facts: Readonly<Record<string, string>>) =>
  (pattern ?? '{name}').replaceAll(/\{(\w+)\}/g, (_, word: string) => facts[word] ?? '')

/** The recipe of a profile or of free parameters for one asset. Throws if the usage rights of the asset forbid it. */
export async function recipeFor(db: Db, asset: FileRow, settings: ProfileSettings, profile = ''): Promise<Recipe> {
  const [refusal] = await refusalsFor(db, [asset], settings, profile)
  if (refusal) throw new Problem('forbidden', refusal)
  const {
    crop = 'focus',
    t = secondOf(metaOf(asset, 'posterTime')),
    metadata: _metadata,
    removeLocation: _location,
    ...parameters
  } = parametersIn(settings)
  const focus = crop === 'focus' ? (pointOf(metaOf(asset, 'focalPoint')) ?? 'centre') : crop
  const [watermark, icc] = [await partOf(db, settings.watermarkTid), await partOf(db, settings.iccTid)]
  const { watermarkPosition: position = 'southeast', watermarkPercent: percent = 25 } = settings
  return {
    ...parameters,
    ...(t !== undefined && asset.mime.startsWith('video/') && { t }),
    ...(settings.fit === 'cover' && { crop: focus }),
    ...(icc && { icc: icc.sha256 }),
    ...(watermark && {
      watermark: {
        sha256: watermark.sha256,
        mime: watermark.mime,
        position,
        percent,
        opacity: settings.watermarkOpacity ?? 50,
      },
    }),
  }
}

const metaOf = ({ meta }: FileRow, name: string) => meta.find(({ key }) => key === name)?.value

/** Chosen by an administrator, so it does not matter whether the caller may see it. */
async function partOf(db: Db, tid: string | undefined): Promise<FileRow | undefined> {
  if (tid === undefined) return undefined
  const [found] = await findFiles(db, { tids: [tid], ids: [], paths: [] }, rows.anybody)
  if (!found) throw new Problem('notFound', `the profile names the asset ${tid}, which does not exist any more`)
  return found
}
