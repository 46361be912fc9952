/**
 * Films and sounds in a form that browsers play: the file itself if they play it, otherwise a copy that is made once.
 *
 *   POST /renditions/media          says what there is to play, and asks for the copies that are missing
 *   GET  /renditions/media/{name}   the bytes, by an address that is signed and revoked like those of renditions
 */
import { because, type dam, type Infer, type Media } from '@kontor/contract'
import type { Database } from '../../../adapters/postgres/db.ts'
import type { RouteHandlers } from '../../../core/http/routes.ts'
import type { StreamCall } from '../../../core/http/streaming.ts'
import { Problem } from '../../../errors.ts'
import { sendFile } from '../../assets/bin/download/download.ts'
import type { MediaFacts } from '../../assets/previews/message.ts'
import type { Previews } from '../../assets/previews/previews.ts'
import type { Signer } from '../../assets/previews/urls.ts'
import type { FileRow } from '../../files.sql.ts'
import type { FileServices } from '../../files.ts'
import { isMedia } from '../../found/analysis.sql.ts'
import { openToAll, publicUntil } from '../answer.ts'
import { touchRendition } from '../renditions.sql.ts'
import { demandAssets, mediaAddress, openAddress } from '../urls.ts'
import { demandUsable, endOf } from '../../usage/usage.ts'
import { copyRecipe, queueCopy } from './copies.ts'
import * as rows from './media.sql.ts'

/** Copies that may wait for one holder. */
const maxWaiting = 20
const day = 86_400

interface Playing {
  readonly state: Infer<typeof Media>['state']
  readonly file?: {
    readonly sha256: string
    readonly size: number
    readonly mime: string
    readonly isOriginal: boolean
  }
  readonly progress?: number
  readonly note?: string
}
interface Asking {
  readonly holder: string
  readonly again?: boolean
}
type Needs = { readonly previews: Pick<Previews, 'canCopy'> }

/** Finds the file that browsers play. Asks for a copy if one is needed. */
async function play(
  { previews, database }: Needs & { readonly database: Database },
  asset: FileRow,
  row: rows.MediaRow,
  asking: Asking,
): Promise<Playing> {
  const { sha256, size, mime } = asset
  if (row.sha256 !== null) {
    if (row.isStale) await touchRendition(database, sha256, copyRecipe)
    return { state: 'ready', file: { sha256: row.sha256, size: row.size!, mime: row.mime!, isOriginal: false } }
  }
  const isOriginal = row.facts ? playsAsIs(asset, row.facts) : !previews.canCopy && mayPlay.test(mime)
  if (isOriginal) return { state: 'ready', file: { sha256, size, mime, isOriginal } }
  if (asset.importStatus === 'pending' || asset.importStatus === 'running') return { state: 'waiting' }
  // Facts were read by ffprobe, so the process that runs the jobs has the programs, even if this one does not.
  if (!previews.canCopy && !row.facts)
    return { state: 'none', note: 'ffmpeg and ffprobe are not installed on the server' }
  if (row.isPending) return row.progress === null ? { state: 'waiting' } : { state: 'running', progress: row.progress }
  const isAsked = await askFor(database, sha256, asking)
  return isAsked || row.note === null ? { state: 'waiting' } : { state: 'failed', note: row.note }
}

/** False if a copy that failed is not to be tried again yet. */
async function askFor(database: Database, sha256: string, { holder, again = false }: Asking): Promise<boolean> {
  const count = await rows.countCopies(database, holder)
  if (count >= maxWaiting) throw new Problem('unavailable', because('copiesWaiting', { count }))
  return database.transaction(async (db) => {
    const isNew = await rows.askForCopy(db, sha256, holder, again)
    if (isNew) await queueCopy(db, sha256)
    return isNew
  })
}

/** Files whose codecs are unknown, because ffmpeg is missing: browsers play most files of these types. */
const mayPlay = /^(?:video\/(?:mp4|webm)|audio\/(?:mpeg|mp4|wav|flac|ogg))$/
/** Larger films are copied, because viewers would wait for them. */
const [longSide, maxBitRate] = [1920, 8_000_000]

const playable: readonly { mime: string; video?: readonly string[]; audio: readonly string[] }[] = [
  { mime: 'video/mp4', video: ['h264'], audio: ['aac', 'mp3'] },
  { mime: 'video/webm', video: ['vp8', 'vp9'], audio: ['vorbis', 'opus'] },
  { mime: 'audio/mpeg', audio: ['mp3'] },
  { mime: 'audio/mp4', audio: ['aac'] },
  { mime: 'audio/wav', audio: ['pcm_s16le', 'pcm_u8'] },
  { mime: 'audio/flac', audio: ['flac'] },
]

/** Whether all browsers play the file itself without delay. */
function playsAsIs({ mime, width, height }: FileRow, { videoCodec, audioCodec, ...facts }: MediaFacts): boolean {
  const kind = playable.find((one) => one.mime === mime)
  if (!kind || (videoCodec === undefined && audioCodec === undefined)) return false
  if (audioCodec !== undefined && !kind.audio.includes(audioCodec)) return false
  if (mime.startsWith('audio/')) return true
  const isSmall = Math.max(width ?? 0, height ?? 0) <= longSide && (facts.bitRate ?? 0) <= maxBitRate
  const isPlain = facts.pixelFormat === 'yuv420p' || facts.pixelFormat === 'yuvj420p'
  return isSmall && isPlain && videoCodec !== undefined && kind.video!.includes(videoCodec)
}

type Routes = Pick<typeof dam.routes, 'retrieveMedia'>

export const mediaRoutes = (needs: Needs, signer: Signer, base: string): RouteHandlers<Routes> => ({
  async retrieveMedia(ctx, { body, services: { database } }) {
    const found = (await demandAssets(ctx, body)).filter(({ mime }) => isMedia(mime))
    for (const asset of found) demandUsable(asset)
    const states = await rows.findMedia(ctx.db, found.map(({ id }) => id), copyRecipe) // prettier-ignore
    const byId = new Map(states.map((row) => [row.id, row]))
    const media: Infer<typeof Media>[] = []
    for (const asset of found) {
      const row = byId.get(asset.id)!
      const asking = { holder: `user ${ctx.caller.userId}`, again: body.again === true }
      media.push(
        toMessage({ asset, row, playing: await play({ ...needs, database }, asset, row, asking) }, signer, base),
      )
    }
    return { media }
  },
})

interface Found {
  readonly asset: FileRow
  readonly row: rows.MediaRow
  readonly playing: Playing
}
function toMessage({ asset, row, playing }: Found, signer: Signer, base: string) {
  const { state, file, progress, note } = playing
  // The same all day, so that browsers keep what they have.
  const until = (Math.floor(Date.now() / 1000 / day) + 2) * day
  const { tid, id, mime } = asset
  return {
    tid,
    id,
    kind: mime.startsWith('video/') ? ('film' as const) : ('sound' as const),
    state,
    ...(progress !== undefined && { progress }),
    ...(note !== undefined && { note }),
    ...(file && {
      url: base + mediaAddress(signer, asset, row.epoch, until),
      mimeType: file.mime,
      isOriginal: file.isOriginal,
    }),
    ...(row.facts?.duration !== undefined && { duration: row.facts.duration }),
    ...(row.peaks && { peaks: [...row.peaks] }),
  }
}

/** The file that browsers play. Throws while it is being made. People outside see the message, so it has no path. */
export async function demandPlaying(services: FileServices, asset: FileRow, holder: string) {
  const { database: db } = services
  const [row] = isMedia(asset.mime) ? await rows.findMedia(db, [asset.id], copyRecipe) : []
  if (!row) throw new Problem('notFound', `${asset.name} is neither a film nor a sound`)
  const { file, state, note = '', progress = 0 } = await play(services, asset, row, { holder })
  if (file) return { ...file, name: nameOf(asset, file), modifiedAt: asset.modifiedAt }
  if (state === 'failed' || state === 'none')
    throw new Problem('notFound', because('copyFailed', { name: asset.name, cause: note }))
  throw new Problem('unavailable', because('copyPending', { name: asset.name, percent: progress }))
}

/** Whether it can be played now. Asks for a copy if one is needed. */
export const isPlayable = (services: FileServices, asset: FileRow, holder: string): Promise<boolean> =>
  demandPlaying(services, asset, holder).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem) return false
      throw error
    },
  )

const nameOf = ({ name, mime }: FileRow, { isOriginal }: { isOriginal: boolean }) =>
  isOriginal ? name : `${name.replace(/\.[^.]*$/, '')}.${mime.startsWith('video/') ? 'mp4' : 'm4a'}`

/** GET /renditions/media/{name} */
export const publicMedia = (services: FileServices, signer: Signer) => async (call: StreamCall) => {
  const { asset: id, until, key = '' } = call.query
  const address = { asset: Number(id), what: 'media', until: Number(until), key }
  const { asset } = await openAddress(services.database, signer, address)
  demandUsable(asset)
  const file = await demandPlaying(services, asset, `asset ${asset.id}`)
  openToAll(call.reply)
  return sendFile(services, call, { ...file, cacheControl: publicUntil(Math.min(address.until, endOf(asset))) })
}
