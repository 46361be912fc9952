/**
 * /shares: pages for people without an account. A share page shows assets, an upload request takes files. Users manage their
 * own, administrators see and revoke all. The address contains a secret of which only the digest is stored.
 */
import { randomBytes } from 'node:crypto'
import { because, type Infer, maxShared, type Share, shares as contract } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import { demandCollection } from '../collections/api.ts'
import { inBatch, type Services } from '../core/batch/batch.ts'
import { newIds } from '../core/batch/ids.sql.ts'
import { newName } from '../core/batch/names.ts'
import { cut } from '../core/batch/paging.ts'
import { type Caller, type Context, toStored } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { mountStreams } from '../core/http/streaming.ts'
import { readDate } from '../core/dates.ts'
import { storable } from '../core/storable.ts'
import { demand, demandProfile, findEntries, findLocation, visible } from '../dam/api.ts'
import { Problem } from '../errors.ts'
import { demandShare, digestOf, type ShareNeeds } from './needs.ts'
import { decideReceived, downloadReceived, previewReceived } from './received.ts'
import * as rows from './shares.sql.ts'

type Value = Infer<typeof Share>

const [maxDays, mostActive] = [366, 1000]

export function shareRoutes(needs: ShareNeeds) {
  const change = <T>(caller: Caller, work: (ctx: Context) => Promise<T>) => inBatch(needs, caller, work)
  type Plain = Omit<typeof contract.routes, 'previewReceived' | 'downloadReceived'>
  const routes: RouteHandlers<Plain> = {
    async listShares({ db, caller }, { query: { after = 0, count = 100 }, continues }) {
      const of = caller.roles.has('admin') ? null : caller.userName
      const found = await rows.listShares(db, of, Number(after), Number(count))
      return { shares: cut({ count: Number(count), continues }, found).map(show) }
    },
    async createShare({ caller }, { body }) {
      const passwordHash = body.password ? await needs.passwords.hash(body.password) : null
      return change(caller, async (ctx) => {
        if ((await rows.countActive(ctx.db, caller.userName)) >= mostActive)
          throw new Problem('invalid', `/share: you have ${mostActive} active pages; revoke some first`)
        const { one, ids } = await read(ctx, body)
        const [id] = await newIds(ctx.db, 1)
        const token = randomBytes(32).toString('base64url')
        await rows.insertShare(ctx.db, { ...one, id: id!, passwordHash }, digestOf(token))
        await rows.writeAssets(ctx.db, id!, ids)
        note(ctx, id!, 'create', 'CREATE', { title: one.title })
        return { ...show((await rows.findShare(ctx.db, id!))!), url: `${ctx.config.baseUrl}/share/${token}` }
      })
    },
    async getShare(ctx, { params }) {
      const one = await demandShare(ctx.db, ctx.caller, params.id)
      const ids = await rows.listAssetIds(ctx.db, one.id)
      const found = await findEntries(ctx.db, 'asset', { tids: [], ids, paths: [] }, visible(ctx, 'asset'), 'none')
      const tids = new Map(found.map(({ id, tid }) => [id, tid]))
      return { ...show(one), ...(ids.length > 0 && { tids: ids.flatMap((id) => tids.get(id) ?? []) }) }
    },
    async putShare({ caller }, { params, body }) {
      const hash = body.password ? await needs.passwords.hash(body.password) : null
      return change(caller, async (ctx) => {
        const stored = await demandShare(ctx.db, caller, params.id, rows.lockShare)
        if (stored.userName !== caller.userName)
          throw new Problem('forbidden', `the page has the rights of ${stored.userName}, who alone may change it; revoke it instead`) // prettier-ignore
        if (stored.kind !== body.kind)
          throw new Problem('invalid', `/share/kind: the kind is ${stored.kind}; create another page`)
        const { one, ids } = await read(ctx, body)
        const passwordHash = body.password === undefined ? stored.passwordHash : hash
        await rows.updateShare(ctx.db, { ...one, id: stored.id, passwordHash })
        await rows.writeAssets(ctx.db, stored.id, ids)
        note(ctx, stored.id, 'put', 'UPDATE', { title: one.title })
        return show((await rows.findShare(ctx.db, stored.id))!)
      })
    },
    revokeShare: ({ caller }, { params }) =>
      change(caller, async (ctx) => {
        const { id, title } = await demandShare(ctx.db, caller, params.id, rows.lockShare)
        await rows.revokeShare(ctx.db, id)
        note(ctx, id, 'revoke', 'UPDATE', { title })
        return show((await rows.findShare(ctx.db, id))!)
      }),
    ...logRoutes(needs),
  }
  const plugin = (app: FastifyInstance, services: Services) => {
    app.addHook('onClose', async () => needs.passwords.close())
    mountStreams(app, services, contract, {
      previewReceived: previewReceived(needs),
      downloadReceived: downloadReceived(needs),
    })
  }
  return { contract, resources: {}, routes, plugin }
}

/** The log of a page, and the files that were delivered to it. */
const logRoutes = (
  needs: ShareNeeds,
): RouteHandlers<Pick<typeof contract.routes, 'listShareLog' | 'listReceived' | 'decideReceived'>> => ({
  async listShareLog({ db, caller }, { params, query: { after = 0, count = 100 }, continues }) {
    const { id } = await demandShare(db, caller, params.id)
    const found = await rows.listVisits(db, id, Number(after), Number(count))
    const visits = cut({ count: Number(count), continues }, found)
    return {
      visits: visits.map(({ at, what, ...rest }) => ({
        ...rest,
        at: at.toISOString(),
        ...(what !== null && { what }),
      })),
    }
  },
  async listReceived({ db, caller }, { params }) {
    const { id } = await demandShare(db, caller, params.id)
    const files = await rows.listFiles(db, id)
    return {
      files: files.map(({ id: file, name, size, mime, receivedAt }) => ({
        id: file,
        name,
        size,
        mime,
        receivedAt: receivedAt.toISOString(),
      })),
    }
  },
  async decideReceived({ db, caller }, { params, body }) {
    return decideReceived(needs, caller, await demandShare(db, caller, params.id), body)
  },
})

function note(ctx: Context, id: number, action: string, event: 'CREATE' | 'UPDATE', detail: object): void {
  ctx.record({ dataType: 'share', id, event, action })
  ctx.audit({ action: `share.${action}`, object: `share ${id}`, detail: { ...detail } })
}

const fieldsOf = {
  download: ['collection', 'tids', 'original', 'metadata', 'profiles', 'watermark'],
  upload: ['folder', 'maxFiles', 'maxMegabytes', 'extensions'],
} as const

/** Checks what the owner sent, with the owner's rights. Returns the row and, for a selection, the ids of its assets. */
async function read(ctx: Context, body: Value) {
  const other = fieldsOf[body.kind === 'download' ? 'upload' : 'download'].find((key) => body[key] !== undefined)
  if (other !== undefined) throw new Problem('invalid', `/share/${other}: is not for the kind ${body.kind}`)
  const { message, ...settings } =
    body.kind === 'download' ? await readDownload(ctx, body) : await readUpload(ctx, body)
  const { collection = null } = body
  if (collection !== null) await demandCollection(ctx, String(collection))
  const one = {
    kind: body.kind,
    title: checkTitle(body.title),
    settings: storable('/share', { ...settings, ...(message !== undefined && { message }) }),
    collectionId: collection,
    userName: ctx.caller.userName,
    principal: toStored(ctx.caller),
    expiresAt: checkExpiry(body.expiresAt),
  }
  return { one, ids: await selectedIds(ctx, body.tids ?? []) }
}

function checkTitle(sent: string): string {
  const title = newName('/share/title', sent)
  if (title.length > 200) throw new Problem('invalid', '/share/title: expected 1 to 200 characters')
  return title
}

function checkExpiry(sent: string): Date {
  const time = Date.parse(readDate(sent) ?? '')
  if (!(time > Date.now() && time <= Date.now() + maxDays * 86_400_000))
    throw new Problem('invalid', because('shareExpiry', { days: maxDays }))
  return new Date(time)
}

const checkMessage = (message = '') => {
  if (message.length > 5000) throw new Problem('invalid', '/share/message: at most 5000 characters are allowed')
  return message === '' ? {} : { message }
}

async function readDownload({ db }: Context, body: Value): Promise<rows.Settings> {
  const { collection, tids = [], original = false, metadata, profiles = [], watermark } = body
  if ((collection === undefined) === (tids.length === 0))
    throw new Problem('invalid', '/share: send either collection or tids')
  if (profiles.length > 20) throw new Problem('invalid', '/share/profiles: at most 20 are allowed')
  for (const tid of [...profiles, ...(watermark === undefined ? [] : [watermark])]) await demandProfile(db, tid)
  return {
    ...checkMessage(body.message),
    original,
    profiles: [...new Set(profiles)],
    ...(metadata !== undefined && { metadata }),
    ...(watermark !== undefined && { watermark }),
  }
}

async function readUpload(ctx: Context, body: Value): Promise<rows.Settings> {
  const { folder, maxFiles = 100, maxMegabytes = 100, extensions = [] } = body
  if (folder === undefined) throw new Problem('invalid', '/share/folder: the folder for accepted files is missing')
  if (maxFiles < 1 || maxFiles > 1000) throw new Problem('invalid', '/share/maxFiles: expected 1 to 1000')
  if (maxMegabytes < 1 || maxMegabytes > 100_000)
    throw new Problem('invalid', '/share/maxMegabytes: expected 1 to 100000')
  if (extensions.length > 100) throw new Problem('invalid', '/share/extensions: at most 100 are allowed')
  for (const one of extensions)
    if (!/^[A-Za-z0-9]{1,16}$/.test(one))
      throw new Problem('invalid', `/share/extensions: ${one.slice(0, 50)} is not the end of a file name such as jpg`)
  const { path } = await findLocation(ctx, { dir: folder.replace(/\/+$/, '') })
  demand(ctx, 'share', 'asset', path)
  const ends = [...new Set(extensions.map((one) => one.toLowerCase()))]
  return { ...checkMessage(body.message), folder: path, maxFiles, maxMegabytes, extensions: ends }
}

async function selectedIds(ctx: Context, tids: readonly string[]): Promise<number[]> {
  if (tids.length > maxShared) throw new Problem('invalid', `/share/tids: at most ${maxShared} are allowed`)
  const found = await findEntries(ctx.db, 'asset', { tids, ids: [], paths: [] }, visible(ctx, 'asset'), 'none')
  const byTid = new Map(found.map((asset) => [asset.tid, asset]))
  return [...new Set(tids)].map((tid) => {
    const asset = byTid.get(tid)
    if (!asset) throw new Problem('notFound', `/share/tids: no asset has the tid ${tid.slice(0, 255)}`)
    demand(ctx, 'share', 'asset', asset.dirPath)
    return asset.id
  })
}

function show(one: rows.ShareRow): Value {
  return {
    id: one.id,
    kind: one.kind,
    title: one.title,
    ...one.settings,
    ...(one.collectionId !== null && { collection: one.collectionId }),
    expiresAt: one.expiresAt.toISOString(),
    hasPassword: one.passwordHash !== null,
    state: one.isActive ? 'active' : one.revokedAt ? 'revoked' : 'expired',
    owner: one.userName,
    ...(one.kind === 'upload' && { waiting: one.waiting }),
    createdAt: one.createdAt.toISOString(),
  }
}
