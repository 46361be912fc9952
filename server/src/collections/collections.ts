/**
 * /collections: assets under a name, by hand or by a search. Everybody finds in it only what they may read, and counts only
 * that. A collection by hand keeps assets in the trash and shows them again when they are restored.
 */
import { type Collection, collection as contract, type CollectionChange, type Infer, maxCollection, type Query, type Search } from '@kontor/contract' // prettier-ignore
import type { FastifyInstance } from 'fastify'
import type { Db } from '../adapters/postgres/db.ts'
import { inBatch, type Services } from '../core/batch/batch.ts'
import { newIds } from '../core/batch/ids.sql.ts'
import { newName } from '../core/batch/names.ts'
import { pageOf } from '../core/batch/paging.ts'
import type { Caller, Context } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { mountStreams, type StreamCall } from '../core/http/streaming.ts'
import {
  demandNoMetadata,
  type FileServices,
  findEntries,
  findOutgoing,
  type Metadata,
  sendRenditions,
  sendZip,
  visible,
} from '../dam/api.ts'
import { Problem } from '../errors.ts'
import * as rows from './collections.sql.ts'

export interface CollectionNeeds extends FileServices {
  /** One of the caller's stored searches. */
  loadSearch(ctx: Context, id: number): Promise<Search>
  /** The tids of the assets that a search finds for the caller, page by page. */
  find(ctx: Context, search: Search): AsyncIterable<readonly string[]>
  /** Throws if the search cannot be run. */
  checkSearch(ctx: Context, search: Search, place: string): Promise<void>
  /** Those of the users and roles that exist, as `user kim` and `role admin`. */
  recipients(db: Db, users: readonly string[], roles: readonly string[]): Promise<ReadonlySet<string>>
}
type Value = Infer<typeof Collection>

const defaultPage = 500

export function collectionRoutes(needs: CollectionNeeds) {
  const change = <T>(caller: Caller, work: (ctx: Context) => Promise<T>) => inBatch(needs, caller, work)
  type Plain = Omit<typeof contract.routes, 'downloadCollection'>
  const routes: RouteHandlers<Plain> = {
    async listCollections(ctx, { query: { after, count = defaultPage }, continues }) {
      const found = await rows.listCollections(ctx.db, ctx.caller, positionAt(after), Number(count))
      const page = found.slice(0, Number(count))
      if (found.length > page.length) continues(positionOf(page.at(-1)!))
      const byHand = page.filter(({ search }) => search === null).map(({ id }) => id)
      const counts = await rows.countAssets(ctx.db, byHand, visible(ctx, 'asset'))
      return {
        collections: page.map((one) => show(ctx.caller, one, one.search ? undefined : (counts.get(one.id) ?? 0))),
      }
    },
    createCollection: ({ caller }, { body }) =>
      change(caller, async (ctx) => {
        const [id] = await newIds(ctx.db, 1)
        return put(needs, ctx, body, { id: id!, userName: caller.userName })
      }),
    getCollection: async (ctx, { params }) => withCount(needs, ctx, await demandCollection(ctx, params.id)),
    putCollection: ({ caller }, { params, body }) =>
      change(caller, async (ctx) => put(needs, ctx, body, await lockOwn(ctx, params.id))),
    deleteCollection: ({ caller }, { params }) =>
      change(caller, async (ctx) => {
        const one = await lockOwn(ctx, params.id)
        await rows.deleteCollection(ctx.db, one.id)
        ctx.record({ dataType: 'collection', id: one.id, event: 'DELETE', gone: rows.shownCollection(one) })
      }),
    async listCollectionAssets(ctx, { params, query: { after = 0, count = defaultPage }, continues }) {
      const all = await assetsOf(needs, ctx, await demandCollection(ctx, params.id))
      const assets = pageOf({ after: Number(after), count: Number(count), continues }, all)
      return { assets: assets.map(({ id, tid, path }) => ({ id, tid, path })) }
    },
    changeCollectionAssets: ({ caller }, { params, body }) =>
      change(caller, async (ctx) => {
        const one = await lockOwn(ctx, params.id)
        await changeAssets(ctx, one, body)
        return withCount(needs, ctx, { ...one, modifiedAt: new Date(), modifiedBy: caller.userName })
      }),
  }
  const plugin = (app: FastifyInstance, services: Services) =>
    mountStreams(app, services, contract, { downloadCollection: download(needs) })
  return { contract, resources: {}, routes, plugin }
}

/** Names are not unique, so a position has the id too. */
const positionOf = ({ name, id }: rows.CollectionRow) =>
  Buffer.from(JSON.stringify([name.toLowerCase(), id])).toString('base64url')
function positionAt(after: string | undefined): { name: string; id: number } {
  if (after === undefined) return { name: '', id: 0 }
  try {
    const [name, id] = JSON.parse(Buffer.from(after, 'base64url').toString()) as unknown[]
    if (typeof name === 'string' && !name.includes('\0') && Number.isSafeInteger(id)) return { name, id: id as number }
  } catch {}
  throw new Problem('invalid', 'after: not a position of this list; send the header Kontor-Next of the previous page')
}

const mayChange = ({ userName, roles }: Caller, one: Pick<rows.CollectionRow, 'userName'>) =>
  one.userName === userName || roles.has('admin')
const noCollection = (id = '') =>
  new Problem('notFound', `no collection that you may see has the id ${id.slice(0, 40)}`)
const idOf = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

export async function demandCollection({ db, caller }: Context, id: string | undefined): Promise<rows.CollectionRow> {
  const found = await rows.findCollection(db, caller, idOf(id))
  if (!found) throw noCollection(id)
  return found
}

async function lockOwn({ db, caller }: Context, id: string | undefined): Promise<rows.CollectionRow> {
  const found = await rows.lockCollection(db, caller, idOf(id))
  if (!found) throw noCollection(id)
  if (!mayChange(caller, found))
    throw new Problem('forbidden', `only ${found.userName} and administrators may change this collection`)
  return found
}

async function put(
  needs: CollectionNeeds,
  ctx: Context,
  body: Value,
  stored: Pick<rows.CollectionRow, 'id' | 'userName'> & Partial<rows.CollectionRow>,
): Promise<Value> {
  const { db, caller } = ctx
  const { description, users = [], roles = [], storedSearch } = body
  await checkReaders(needs, db, users, roles)
  const search = storedSearch === undefined ? null : await searchFrom(needs, ctx, storedSearch)
  const isNew = stored.modifiedAt === undefined
  const one = {
    id: stored.id,
    name: newName('/collection/name', body.name, stored.name),
    description: description ?? null,
    userName: stored.userName,
    users: [...new Set(users)],
    roles: [...new Set(roles)],
    ...(search || isNew
      ? { search, searchId: storedSearch ?? null }
      : { search: stored.search ?? null, searchId: stored.searchId ?? null }),
    modifiedBy: caller.userName,
  }
  await rows.upsertCollection(db, one)
  const changes = { name: { ...(!isNew && { from: stored.name }), to: one.name } }
  ctx.record({ dataType: 'collection', id: one.id, event: isNew ? 'CREATE' : 'UPDATE', changes })
  return withCount(needs, ctx, { ...one, modifiedAt: new Date() })
}

async function checkReaders(needs: CollectionNeeds, db: Db, users: readonly string[], roles: readonly string[]) {
  const known = await needs.recipients(db, users, roles)
  const named = [...users.map((name) => `user ${name}`), ...roles.map((name) => `role ${name}`)]
  const unknown = named.find((one) => !known.has(one))
  if (unknown !== undefined) throw new Problem('invalid', `/collection: there is no ${unknown.slice(0, 260)}`)
}

/** A copy, so that only the owner of the collection changes it and it outlives the stored search. */
async function searchFrom(needs: CollectionNeeds, ctx: Context, id: number): Promise<Search> {
  const place = '/collection/storedSearch'
  const search = await needs.loadSearch(ctx, id)
  if (search.context?.searchType !== 'INDEX' || search.context.index !== 'ASSET')
    throw new Problem('invalid', `${place}: the search must be one in the index ASSET`)
  await needs.checkSearch(ctx, search, place)
  return search
}

/** The assets that the caller may read, in order. With `only`, this one alone, if it is among them. */
export async function assetsOf(
  needs: Pick<CollectionNeeds, 'find'>,
  ctx: Context,
  one: rows.CollectionRow,
  only?: number,
) {
  if (one.search === null) return rows.listAssets(ctx.db, one.id, visible(ctx, 'asset'), only)
  const tids: string[] = []
  for await (const page of needs.find(ctx, only === undefined ? one.search : among(one.search, only))) {
    tids.push(...page)
    if (tids.length >= maxCollection) break
  }
  const names = { tids: tids.slice(0, maxCollection), ids: [], paths: [] }
  // the index may be a little behind
  const found = await findEntries(ctx.db, 'asset', names, visible(ctx, 'asset'), 'none')
  const byTid = new Map(found.map((asset) => [asset.tid, asset]))
  return [...new Set(tids)].flatMap((tid) => byTid.get(tid) ?? [])
}

function among(search: Search, id: number): Search {
  const isThis: Query = { queryType: 'FIELD', name: 'id', comparator: 'EQ', value: id }
  const { query } = search
  return { ...search, query: query ? { queryType: 'COMBINED', operator: 'AND', queries: [query, isThis] } : isThis }
}

async function changeAssets(ctx: Context, one: rows.CollectionRow, body: Infer<typeof CollectionChange>) {
  if (one.search) throw new Problem('invalid', '/collectionChange: a search chooses the assets of this collection')
  const { add = [], remove = [], move = [], before } = body
  const place = '/collectionChange'
  for (const [name, list] of Object.entries({ add, remove, move }))
    if (list.length > maxCollection)
      throw new Problem('invalid', `${place}/${name}: ${list.length} assets; at most ${maxCollection} at once`)
  if (before !== undefined && move.includes(before))
    throw new Problem('invalid', `${place}/before: the asset ${before.slice(0, 255)} is itself moved`)
  const names = [...new Set([...add, ...remove, ...move, ...(before === undefined ? [] : [before])])]
  const found = await findEntries(ctx.db, 'asset', { tids: names, ids: [], paths: [] }, visible(ctx, 'asset'), 'none')
  const ids = new Map(found.map(({ tid, id }) => [tid, id]))
  const old = await rows.listIds(ctx.db, one.id)
  const idsAt = (key: string, tids: readonly string[], isKnown: (id: number) => boolean = () => true) =>
    [...new Set(tids)].map((tid) => {
      const id = ids.get(tid)
      if (id !== undefined && isKnown(id)) return id
      const where = id === undefined ? 'no asset has the tid' : 'the collection does not have the asset'
      throw new Problem('notFound', `${place}/${key}: ${where} ${tid.slice(0, 255)}`)
    })
  const gone = new Set(idsAt('remove', remove))
  const next = [...new Set([...old.filter((id) => !gone.has(id)), ...idsAt('add', add)])]
  const isIn = (id: number) => next.includes(id)
  const moved = idsAt('move', move, isIn)
  const [anchor] = idsAt('before', before === undefined ? [] : [before], isIn)
  const rest = next.filter((id) => !moved.includes(id))
  const at = anchor === undefined ? rest.length : rest.indexOf(anchor)
  const order = [...rest.slice(0, at), ...moved, ...rest.slice(at)]
  if (order.length > maxCollection)
    throw new Problem('invalid', `${place}: the collection would have ${order.length} assets; at most ${maxCollection}`)
  await rows.writeIds(ctx.db, one.id, order, ctx.caller.userName)
  const changes = { assets: { from: old.length, to: order.length } }
  ctx.record({ dataType: 'collection', id: one.id, event: 'UPDATE', action: 'assets', changes })
}

const withCount = async (needs: CollectionNeeds, ctx: Context, one: rows.CollectionRow) =>
  show(ctx.caller, one, (await assetsOf(needs, ctx, one)).length)

function show(caller: Caller, one: rows.CollectionRow, count: number | undefined): Value {
  const isOwn = mayChange(caller, one)
  return {
    id: one.id,
    name: one.name,
    ...(one.description !== null && { description: one.description }),
    ...(one.searchId !== null && one.userName === caller.userName && { storedSearch: one.searchId }),
    ...(isOwn && { users: [...one.users], roles: [...one.roles] }),
    owner: one.userName,
    isSearch: one.search !== null,
    isOwn,
    ...(count !== undefined && { count }),
    modifiedAt: one.modifiedAt.toISOString(),
    modifiedBy: one.modifiedBy,
  }
}

const download = (needs: CollectionNeeds) => async (call: StreamCall) => {
  const ctx = call.context()
  const ids = (await assetsOf(needs, ctx, await demandCollection(ctx, call.params.id))).map(({ id }) => id)
  if (ids.length === 0) throw new Problem('notFound', 'the collection has no asset that you may read')
  const { profile, metadata } = call.query as { profile?: string; metadata?: Metadata }
  if (profile !== undefined) demandNoMetadata('', metadata)
  if (profile !== undefined) return sendRenditions(needs)(call, ctx, { ids }, profile)
  return sendZip(needs, call.reply, ctx, await findOutgoing(ctx, { ids }, ['original']), { by: 'id', metadata })
}
