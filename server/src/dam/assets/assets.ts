/**
 * The rules of /dam/assets.
 *
 * An asset is identified by its tid, id or path. Uploads create assets; this file queries, retrieves, moves, copies,
 * locks and deletes them. Only the user who has checked out an asset can change it.
 */
import { assetTypes, type dam, schemaVersion } from '@kontor/contract'
import { orProblem, type Outcome } from '../../core/batch/batch.ts'
import { tidsOf } from '../../core/batch/paging.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import type { Targets } from '../../common/api.ts'
import { checkPeriod } from '../../core/period.ts'
import { Problem } from '../../errors.ts'
import { loadRules } from '../attribute-definitions/rules.ts'
import type { MakePreviews } from '../dirs/dirs.copy.ts'
import { type Address, addressOf, demand, findNamed, flagOf, indexOf, namesOf, notFound, visible } from '../entries.ts'
import { keyOf } from '../names.ts'
import { findLocations } from '../locations.ts'
import { archiveAll } from '../care/archive.ts'
import { overrideAll, replaceAll } from '../usage/actions.ts'
import { prepareDeletions } from '../trash/deletion.ts'
import { unlinkAll } from './assets.links.ts'
import { loadHistories } from './assets.histories.ts'
import { checkinOne, lockActions } from './assets.locks.ts'
import { persistAssets } from './assets.persist.ts'
import { copyAll, moveAssets } from './assets.move.ts'
import { identityOf, streamAssets, type MessageNeeds, statusOf } from './assets.messages.ts'
import * as rows from './assets.sql.ts'

interface AssetNeeds extends MessageNeeds {
  readonly makePreviews: MakePreviews
}

export function assets({ targets, makePreviews, previewUrl }: AssetNeeds): Handlers<typeof dam.resources.assets> {
  return {
    async query(ctx, query) {
      checkPeriod('/assetQuery', query)
      const { modifiedFrom, modifiedUntil, fileTypes, fileNames, directory } = query
      const unknown = fileTypes?.find((type) => !(assetTypes as readonly string[]).includes(type))
      if (unknown !== undefined)
        throw new Problem(
          'invalid',
          `/assetQuery/fileTypes: ${unknown} is not a file type; expected ${assetTypes.join(', ')}`,
        )
      const filter = {
        ...(modifiedFrom !== undefined && { modifiedFrom: inUtc(modifiedFrom) }),
        ...(modifiedUntil !== undefined && { modifiedUntil: inUtc(modifiedUntil) }),
        ...(fileTypes && { types: fileTypes }),
        ...(fileNames && { names: fileNames.map(keyOf) }),
        ...(directory && { containerId: await containerOfDirectory(ctx, directory) }),
      }
      const seen = visible(ctx, 'asset')
      return tidsOf(ctx.paging, (paging) => rows.queryAssets(ctx.db, filter, seen, paging))
    },

    async retrieve(ctx, { tids, ids, retrieveHistory = false, retrievePreviews = false, retrieveMeta = true }) {
      const addresses = toAddresses(tids, ids)
      const found = await findWanted(ctx, '/assetRequest', addresses)
      const tag = addresses.length === 1
      const extent = { meta: retrieveMeta, histories: retrieveHistory, previews: retrievePreviews, tag }
      return {
        assets: streamAssets(
          ctx,
          { targets, previewUrl },
          found.map(({ id }) => id),
          extent,
        ),
      }
    },

    persist: (ctx, objects) => persistAssets(ctx, targets, objects),

    perform: {
      delete: deleteAll,
      move: moveAssets,
      copy: (ctx, actions) => copyAll(ctx, actions, makePreviews),
      ...lockActions,
      unlink: (ctx, actions) => unlinkAll(ctx, targets, actions),
      replace: (ctx, actions) => replaceAll(ctx, targets, actions),
      overrideUsage: overrideAll,
      archive: (ctx, actions) => archiveAll(ctx, actions, 'archive'),
      unarchive: (ctx, actions) => archiveAll(ctx, actions, 'main'),
    },
  }
}

const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/
/** A timestamp without a time zone is UTC. */
const inUtc = (date: string) => (hasZone.test(date) || !date.includes('T') ? date : `${date}Z`)

async function containerOfDirectory(ctx: Context, directory: { tid?: string; id?: number | bigint; path?: string }) {
  const address = addressOf(directory)
  if (!address) throw new Problem('invalid', '/assetQuery/directory: names nothing; send tid, id or path')
  const location = (await findLocations(ctx, [address], 'none'))(address)
  if (location instanceof Problem) throw location
  return location.parentId ?? location.rncId
}

/** tids take precedence over ids, ids over paths. */
export function toAddresses(
  tids?: readonly string[],
  ids?: readonly (number | bigint)[],
  paths?: readonly string[],
): Address[] {
  if (tids) return tids.map((tid) => ({ tid }))
  return ids ? ids.map((id) => ({ id })) : (paths ?? []).map((path) => addressOf({ path })!)
}

/** The assets that a request names, without duplicates, in the order of the request. */
export async function findWanted(ctx: Context, where: string, addresses: readonly Address[]) {
  if (addresses.length === 0) throw new Problem('invalid', `${where}: names nothing; send tids or ids`)
  const find = indexOf(await rows.findIds(ctx.db, namesOf(addresses), visible(ctx, 'asset')))
  const found = [...new Set(addresses.flatMap((address) => find(address) ?? []))]
  if (found.length === 0) throw new Problem('notFound', 'none of these assets exists')
  return found
}

/** An asset in use is not deleted, unless `force` asks to remove its links. */
async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const addresses = actions.map((action) => addressOf(action)!)
  const find = await findNamed(ctx, 'asset', addresses, 'update')
  const deletions = await prepareDeletions(
    ctx,
    addresses.flatMap((address) => find(address) ?? []),
  )
  const gone = new Set<number>()
  const forced: number[] = []
  const outcomes = actions.map((action, i): Outcome =>
    orProblem((): Outcome => {
      const row = find(addresses[i]!)
      if (!row || gone.has(row.id)) throw notFound('asset', addresses[i]!)
      demand(ctx, 'delete', 'asset', row.dirPath)
      const force = flagOf(action, 'force')
      const refusal = deletions.refusal(row.id, force)
      if (refusal) throw refusal
      gone.add(row.id)
      if (force) forced.push(row.id)
      return { action: 'delete', id: row.id, tid: row.tid, path: row.path }
    })(undefined),
  )
  await deletions.run([...gone], forced)
  return outcomes
}

// Routes

export const checkin: RouteHandler<typeof dam.routes.checkin> = (_ctx, { services, caller, body }) =>
  checkinOne(services, caller, body)

export const retrieveHistories =
  (targets: Targets): RouteHandler<typeof dam.routes.retrieveHistories> =>
  async (ctx, { body }) => {
    const found = await findWanted(ctx, '/historyRequest', toAddresses(body.tids, body.ids, body.paths))
    const ids = found.map(({ id }) => id)
    const historyOf = await loadHistories(ctx, targets, await loadRules(ctx.db), ids)
    const asset = found.map((row) => ({
      histories: { history: historyOf(row) },
      tid: row.tid,
      id: row.id,
      path: row.path,
    }))
    return envelope(ctx, asset)
  }

/** Import status and object status, also of assets in the trash. */
export const retrieveStatuses: RouteHandler<typeof dam.routes.retrieveStatuses> = async (ctx, { body }) => {
  const { tids, ids } = body
  if (!tids && !ids) throw new Problem('invalid', '/assetRequest: names nothing; send tids or ids')
  const found = await rows.findStatuses(ctx.db, { tids: tids ?? [], ids: tids ? [] : ids! }, visible(ctx, 'asset'))
  if (found.length === 0) throw new Problem('notFound', 'none of these assets exists')
  const asset = found.map((row) => ({
    meta: { itm: Object.entries(statusOf(row)).map(([key, value]) => ({ value, key })) },
    ...identityOf(row),
  }))
  return envelope(ctx, asset)
}

const envelope = ({ config }: Context, asset: object[]) => ({
  schemaVersion,
  meta: replyMeta(config, { itemInformationType: 'asset' }),
  assets: { asset },
})

// Duplicates

const pageSize = 1000

export const duplicates: Handlers<(typeof dam.resources)['assets/duplicates']> = {
  async retrieve(ctx, { checksums, tids, ids }) {
    const addresses = toAddresses(tids, ids)
    const named =
      checksums || addresses.length > 0
        ? {
            checksums: (checksums ?? []).map((sum) => sum.toLowerCase()),
            ids: addresses.length > 0 ? (await findWanted(ctx, '', addresses)).map(({ id }) => id) : [],
          }
        : undefined
    return { assets: listDuplicates(ctx, named) }
  },
}

async function* listDuplicates(ctx: Context, named: Parameters<typeof rows.listDuplicates>[1]) {
  for (let after = { sha256: '', id: 0 }; ;) {
    const page = await rows.listDuplicates(ctx.db, named, visible(ctx, 'asset'), after, pageSize)
    for (const row of page) {
      const facts = { checksum: row.sha256, fileSize: String(row.size), mimeType: row.mime }
      const meta = { itm: Object.entries(facts).map(([key, value]) => ({ value, key })) }
      yield { name: row.name, meta, ...identityOf(row) }
    }
    if (page.length < pageSize) return
    after = page.at(-1)!
  }
}
