/**
 * /share/{token}: the public pages. Every request finds the page by the digest of its token, checks that it is active and acts
 * with the rights that its owner has now, so that a page ends at once when it is revoked or when its owner is disabled. Files
 * are sent by these addresses only; nothing that was handed out works without them.
 */
import { timingSafeEqual } from 'node:crypto'
import { sharePages as contract } from '@kontor/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { toZip, type ZipEntry } from '../adapters/zip.ts'
import { admitBy } from '../core/access/access.ts'
import { allows } from '../core/access/permissions.ts'
import type { Services } from '../core/batch/batch.ts'
import type { Context } from '../core/context.ts'
import { preferredLanguage } from '../core/http/language.ts'
import { bodyOf } from '../core/http/message.ts'
import { mountStreams, type StreamCall } from '../core/http/streaming.ts'
import {
  checkZip,
  createMissing,
  demandProfile,
  demandUsable,
  describeRendition,
  type FileRow,
  findFiles,
  findOutgoing,
  findPreviews,
  demandPlaying,
  isMedia,
  isPlayable,
  nameOf,
  readFile,
  recipeFor,
  refusalOf,
  sanitize,
  sendFile,
  setFileHeaders,
  sharable,
  loadFilesOf,
  uniqueNames,
  withoutFolder,
} from '../dam/api.ts'
import { Problem } from '../errors.ts'
import { assetIdsOf } from '../shares/contents.ts'
import { digestOf, type ShareNeeds } from '../shares/needs.ts'
import { receive } from '../shares/received.ts'
import * as rows from '../shares/shares.sql.ts'
import { type Page, pagesIn } from './page.ts'

interface Visit {
  readonly share: rows.ShareRow
  /** Reads with the present rights of the owner. */
  readonly ctx: Context
}

const pageSize = 100
const cookieName = 'kontor-share'
const cookieSeconds = 12 * 3600

/** The page is unknown, expired or revoked, or its owner may not share any more: all look the same. */
const gone = () => new Problem('notFound', 'there is no page at this address')

export function sharePages(needs: ShareNeeds) {
  const handlers = {
    sharePage: orPage(needs, async (call: StreamCall) => {
      const visit = await open(needs, call)
      if (!isUnlocked(needs, call, visit.share)) return show(call, pagesOf(needs, call).password(visit.share.title))
      await note(needs, call, visit.share, 'visit')
      const { title, expiresAt, settings } = visit.share
      if (visit.share.kind === 'upload') {
        const { message, maxFiles = 100, maxMegabytes = 100, extensions = [] } = settings
        return show(
          call,
          pagesOf(needs, call).upload({ title, message, expiresAt, maxFiles, maxMegabytes, extensions }),
        )
      }
      return show(call, pagesOf(needs, call).download(await contentOf(needs, visit, Number(call.query.page ?? 1))))
    }),
    unlockShare: orPage(needs, async (call: StreamCall) => unlock(needs, call)),
    sharePreview: (call: StreamCall) => preview(needs, call),
    shareMedia: (call: StreamCall) => playing(needs, call),
    shareFile: orPage(needs, (call: StreamCall) => file(needs, call)),
    shareZip: orPage(needs, (call: StreamCall) => zip(needs, call)),
    async deliverFile(call: StreamCall) {
      const { share } = await enter(needs, call)
      if (share.kind !== 'upload') throw gone()
      await receive(needs, share, networkOf(call.request.ip), call.query.name ?? '', bodyOf(call.request, Infinity))
      return call.send('received')
    },
  }
  const plugin = (app: FastifyInstance, services: Services) => mountStreams(app, services, contract, handlers)
  return { contract, resources: {}, routes: {}, plugin }
}

async function open(needs: ShareNeeds, { params, request, reply }: StreamCall): Promise<Visit> {
  reply.headers({ 'x-robots-tag': 'noindex, nofollow, noarchive' })
  const share = await rows.findByDigest(needs.database, digestOf(params.token ?? ''))
  if (!share) throw gone()
  const caller = await admitBy(request, () => needs.callerNow(share.principal)).catch((error: Error) => {
    throw error instanceof Problem && error.kind === 'forbidden' ? gone() : error
  })
  if (!allows(caller.permissions, 'share', 'asset')) throw gone()
  const { database: db, config, deletionBlockers } = needs
  const reading = { db, caller, config, record: () => {}, audit: () => {} }
  const blockers: Context['deletionBlockers'] = (dataType, parts) => deletionBlockers(reading, dataType, parts)
  return { share, ctx: { ...reading, deletionBlockers: blockers } }
}

/** The page for somebody who knows its password, if it has one. */
async function enter(needs: ShareNeeds, call: StreamCall): Promise<Visit> {
  const visit = await open(needs, call)
  if (!isUnlocked(needs, call, visit.share)) throw new Problem('unauthorized', 'the page needs its password')
  return visit
}

/** Milliseconds after which a running download notices that its page has ended. */
const interval = 2000

/** Ends the reply with its page, so that a large file is not sent to its end after the page was revoked. */
function endWithPage({ database }: ShareNeeds, { reply: { raw } }: StreamCall, { id }: rows.ShareRow): void {
  const timer = setInterval(() => {
    // If the database is away for a moment, the next turn asks again.
    void rows.isActive(database, id).then((isActive) => isActive || raw.destroy(), () => {}) // prettier-ignore
  }, interval).unref()
  raw.once('close', () => clearInterval(timer))
}

// The password

const signed = ({ sealer }: ShareNeeds, { id, passwordHash }: rows.ShareRow, until: string) =>
  sealer.sign(`${id} ${passwordHash} ${until}`, 'visitor of a share page').toString('base64url')

/** The cookie ends with the password: a new one needs a new cookie. */
function isUnlocked(needs: ShareNeeds, { request }: StreamCall, share: rows.ShareRow): boolean {
  if (share.passwordHash === null) return true
  const [, until, key] = new RegExp(`(?:^|; *)${cookieName}=(\\d{1,12})\\.([\\w-]+)`).exec(request.headers.cookie ?? '') ?? [] // prettier-ignore
  if (until === undefined || key === undefined || Number(until) * 1000 < Date.now()) return false
  const [given, right] = [Buffer.from(key), Buffer.from(signed(needs, share, until))]
  return given.length === right.length && timingSafeEqual(given, right)
}

async function unlock(needs: ShareNeeds, call: StreamCall): Promise<FastifyReply> {
  const { share } = await open(needs, call)
  const chunks: Buffer[] = []
  for await (const chunk of bodyOf(call.request, 4096)) chunks.push(chunk)
  const password = new URLSearchParams(Buffer.concat(chunks).toString()).get('password') ?? ''
  const pathname = pathOf(needs, call)
  if (share.passwordHash === null) return call.reply.redirect(pathname, 303)
  const isRight = await needs.passwords
    .matches(String(share.id), call.request.ip, password.slice(0, 128), share.passwordHash)
    .catch((error: unknown) => {
      if (error instanceof Problem && error.kind === 'tooMany') return 'tooMany' as const
      throw error
    })
  if (isRight === 'tooMany') {
    call.reply.code(429).header('retry-after', '60')
    return show(call, pagesOf(needs, call).password(share.title, 'tooMany'))
  }
  if (!isRight) {
    await note(needs, call, share, 'wrongPassword')
    call.reply.code(401)
    return show(call, pagesOf(needs, call).password(share.title, 'wrong'))
  }
  const until = String(Math.floor(Date.now() / 1000) + cookieSeconds)
  const secure = needs.config.baseUrl.startsWith('https:') ? '; Secure' : ''
  return call.reply
    .header(
      'set-cookie',
      `${cookieName}=${until}.${signed(needs, share, until)}; Path=${pathname}; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax${secure}`,
    ) // prettier-ignore
    .redirect(pathname, 303)
}

// The files of the page

async function contentOf(needs: ShareNeeds, visit: Visit, page: number) {
  const { share, ctx } = visit
  const { message, original = false, profiles = [], watermark } = share.settings
  const all = await filesOf(needs, visit)
  const shown = all.slice((page - 1) * pageSize, page * pageSize)
  const drawn = new Set((await findPreviews(ctx.db, shown.map(({ id }) => id))).map(({ assetId }) => assetId)) // prettier-ignore
  const names = await Promise.all(profiles.map((tid) => demandProfile(ctx.db, tid).catch(() => undefined)))
  return {
    title: share.title,
    message,
    expiresAt: share.expiresAt,
    total: all.length,
    page,
    lastPage: Math.max(1, Math.ceil(all.length / pageSize)),
    formats: [
      ...(original ? [{ key: 'original', name: null }] : []),
      ...names.flatMap((profile) => (profile ? [{ key: profile.tid, name: profile.settings.name ?? profile.tid }] : [])), // prettier-ignore
    ],
    files: await Promise.all(
      shown.map(async (asset) => {
        const isRefused = refusalOf(asset) !== undefined
        const hasPicture = !isRefused && (watermark === undefined ? drawn.has(asset.id) : asset.type === 'IMG')
        const player = original && !isRefused && isMedia(asset.mime) ? await playerOf(needs, share, asset) : undefined
        return { id: asset.id, name: asset.name, size: asset.size, isRefused, hasPicture, player }
      }),
    ),
  }
}

/** The files that the owner may still read and share, in the order of the page. */
async function filesOf(needs: ShareNeeds, { share, ctx }: Visit, only?: number): Promise<FileRow[]> {
  if (share.kind !== 'download') throw gone()
  const ids = await assetIdsOf(needs, ctx, share, only)
  const found = await findFiles(ctx.db, { ids, tids: [], paths: [] }, sharable(ctx))
  const byId = new Map(found.map((asset) => [asset.id, asset]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function demandFile(needs: ShareNeeds, visit: Visit, id = ''): Promise<FileRow> {
  const [found] = /^\d{1,15}$/.test(id) ? await filesOf(needs, visit, Number(id)) : []
  if (!found) throw gone()
  const shown = withoutFolder(found)
  demandUsable(shown)
  return shown
}

async function drawn(needs: ShareNeeds, { ctx, share }: Visit, asset: FileRow, tid: string) {
  const { settings } = await demandProfile(ctx.db, tid)
  const recipe = await recipeFor(ctx.db, asset, settings, tid)
  const { sha256, size, mime } = await needs.renditions(asset, recipe, `share ${share.id}`)
  const file = { sha256, size, mime, name: nameOf(asset, settings, tid), modifiedAt: asset.modifiedAt }
  return describeRendition(describing(needs, ctx), asset, file, settings)
}
const describing = ({ blobs, database: db }: ShareNeeds, { caller: reader }: Context) => ({ blobs, db, reader })

/** The file as it is, or with the values that the owner may read. */
async function original(needs: ShareNeeds, { ctx, share }: Visit, asset: FileRow) {
  const { sha256, size, mime, name, modifiedAt } = asset
  const file = { sha256, size, mime, name, modifiedAt }
  const [first] = await (await loadFilesOf(describing(needs, ctx), [asset], share.settings.metadata))(asset, file)
  return first!
}

async function preview(needs: ShareNeeds, call: StreamCall): Promise<FastifyReply> {
  const visit = await enter(needs, call)
  const asset = await demandFile(needs, visit, call.params.asset)
  const { watermark } = visit.share.settings
  if (watermark !== undefined) return sendFile(needs, call, await drawn(needs, visit, asset, watermark))
  const [found] = await findOutgoing(visit.ctx, { ids: [asset.id] }, ['preview'])
  return sendFile(needs, call, found!.file)
}

/** Films and sounds are played where the page offers originals, because what is played can be kept. */
async function playerOf(needs: ShareNeeds, share: rows.ShareRow, asset: FileRow) {
  if (!(await isPlayable(needs, asset, `share ${share.id}`))) return 'preparing' as const
  return asset.mime.startsWith('video/') ? ('video' as const) : ('audio' as const)
}

async function playing(needs: ShareNeeds, call: StreamCall): Promise<FastifyReply> {
  const visit = await enter(needs, call)
  const asset = await demandFile(needs, visit, call.params.asset)
  formatOf(visit.share, 'original')
  const file = await demandPlaying(needs, asset, `share ${visit.share.id}`)
  await note(needs, call, visit.share, 'download', `${asset.name} (played)`)
  endWithPage(needs, call, visit.share)
  return sendFile(needs, call, file)
}

/** The file in a format that the page offers. */
function formatOf({ settings }: rows.ShareRow, format = ''): string {
  const isOffered = format === 'original' ? settings.original === true : settings.profiles?.includes(format)
  if (!isOffered) throw new Problem('forbidden', 'the page does not offer files in this format')
  return format
}
const outgoing = (needs: ShareNeeds, visit: Visit, asset: FileRow, format: string) =>
  format === 'original' ? original(needs, visit, asset) : drawn(needs, visit, asset, format)

async function file(needs: ShareNeeds, call: StreamCall): Promise<FastifyReply> {
  const visit = await enter(needs, call)
  const asset = await demandFile(needs, visit, call.params.asset)
  const format = formatOf(visit.share, call.query.format)
  const found = await outgoing(needs, visit, asset, format)
  await note(needs, call, visit.share, 'download', `${asset.name} (${format})`)
  endWithPage(needs, call, visit.share)
  return sendFile(needs, call, { ...found, isAttachment: true })
}

async function zip(needs: ShareNeeds, call: StreamCall): Promise<FastifyReply> {
  const visit = await enter(needs, call)
  const format = formatOf(visit.share, call.query.format)
  const files = await filesOf(needs, visit)
  if (files.length === 0) throw gone()
  checkZip(files.map((asset) => ({ asset, format: 'original', file: asset })))
  setFileHeaders(call.reply, { name: `${sanitize(visit.share.title)}.zip`, mime: 'application/zip' })
  if (call.request.method === 'HEAD') return call.reply.send()
  await note(needs, call, visit.share, 'zip', format)
  endWithPage(needs, call, visit.share)
  return call.reply.send(toZip(entriesOf(needs, visit, files, format)))
}

/**
 * Refused files are listed in a text. A zip can take hours: each file is looked for when its turn comes, and a page that is
 * revoked meanwhile ends it.
 */
async function* entriesOf(
  needs: ShareNeeds,
  visit: Visit,
  files: readonly FileRow[],
  format: string,
): AsyncGenerator<ZipEntry> {
  const [unique, missing] = [uniqueNames(), createMissing()]
  for (const { id, name: listed } of files) {
    if (!(await rows.isActive(needs.database, visit.share.id))) throw gone()
    const take = async () => {
      const [asset] = (await filesOf(needs, visit, id)).map(withoutFolder)
      if (!asset) throw new Problem('notFound', 'the page does not show this file any more')
      demandUsable(asset)
      return outgoing(needs, visit, asset, format)
    }
    const found = await take().catch(missing.note(listed))
    if (!found) continue
    const { name, size, modifiedAt } = found
    yield { name: unique(sanitize(name)), bytes: readFile(needs, found), compress: false, size, modifiedAt }
  }
  yield* missing.entries()
}

// Replies and the log

/** The path of the page, also behind a proxy that adds one. */
const pathOf = ({ config }: ShareNeeds, { params }: StreamCall) =>
  new URL(`${config.baseUrl}/share/${params.token}`).pathname

const pagesOf = (needs: ShareNeeds, call: StreamCall) =>
  pagesIn(preferredLanguage(call.request.headers['accept-language'], ['en', 'de', 'fr']), pathOf(needs, call))

const show = ({ reply }: StreamCall, page: Page) =>
  reply
    .type('text/html;charset=UTF-8')
    .headers({ 'content-security-policy': page.policy, 'cache-control': 'no-store', vary: 'accept-language' })
    .send(page.html)

/** People see refusals as a page. */
const orPage =
  (needs: ShareNeeds, handler: (call: StreamCall) => Promise<FastifyReply>) =>
  async (call: StreamCall): Promise<FastifyReply> => {
    try {
      return await handler(call)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.kind === 'notFound') return show(withStatus(call, 404), pagesOf(needs, call).gone())
      if (error.kind === 'unauthorized') return show(withStatus(call, 401), pagesOf(needs, call).password('Kontor'))
      if (error.kind === 'forbidden') return show(withStatus(call, 403), pagesOf(needs, call).refused())
      if (error.kind === 'withheld') return show(withStatus(call, 409), pagesOf(needs, call).refused())
      throw error
    }
  }
function withStatus(call: StreamCall, status: number): StreamCall {
  call.reply.code(status).removeHeader('content-disposition')
  return call
}

/** Parts of a file that are asked for in this time after another one belong to the same download. */
const partsMinutes = 720

/** Only what a person does: no HEAD, and a file that is sent in parts once. */
async function note(
  { database }: ShareNeeds,
  { request }: StreamCall,
  { id }: rows.ShareRow,
  event: 'visit' | 'download' | 'zip' | 'wrongPassword',
  what?: string,
): Promise<void> {
  if (request.method === 'HEAD') return
  const isFirst = /^bytes=0*-/.test(request.headers.range ?? 'bytes=0-')
  const visit = { event, ...(what !== undefined && { what }), address: networkOf(request.ip) }
  await rows.insertVisit(database, id, visit, isFirst ? 1 : partsMinutes)
}

/** Of an IPv4 address the first three numbers, of an IPv6 address the first 48 bits. */
export function networkOf(address: string): string {
  const [, v4] = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address) ?? []
  if (v4 !== undefined) return `${v4}.0`
  const [head = ''] = address.split('::')
  return `${head.split(':').slice(0, 3).join(':')}::`
}
