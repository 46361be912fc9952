/** /feeds: users manage their own feeds, administrators those of all. */
import { isDeepStrictEqual } from 'node:util'
import { because, feed as contract, type Feed, type FeedRun, type Infer } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../adapters/postgres/db.ts'
import { auditBy } from '../core/access/audit.ts'
import type { Services } from '../core/batch/batch.ts'
import { newIds } from '../core/batch/ids.sql.ts'
import { newSegment } from '../core/batch/names.ts'
import { cut, cutByName, nameAt } from '../core/batch/paging.ts'
import { type AuditedAction, type Caller, toStored } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { mountStreams } from '../core/http/streaming.ts'
import { writeChanges } from '../core/outbox/history.sql.ts'
import { Problem } from '../errors.ts'
import { demandStoredProfile } from '../transfers/api.ts'
import { downloadFeed, newToken } from './address.ts'
import { demandDefinition, secretsOf } from './definition.ts'
import * as feeds from './feeds.sql.ts'
import { type FeedNeeds, openSecrets, sealSecrets } from './needs.ts'
import { addRunJob, decide } from './outcomes.ts'
import * as runs from './runs.sql.ts'
import { nextTime } from './schedule.ts'

type Routes = Omit<typeof contract.routes, 'downloadFeed'>
type FeedValue = Infer<typeof Feed>
type Event = 'CREATE' | 'UPDATE' | 'DELETE'

export function feedRoutes(needs: FeedNeeds) {
  const { database } = needs
  /** A change of a feed, with its event and its line in the audit log. */
  const change = async <T>(caller: Caller, action: string, work: (db: Db) => Promise<Changed<T>>): Promise<T> =>
    database.transaction(async (db) => {
      const { feed, event = 'UPDATE', detail, result } = await work(db)
      const gone = event === 'DELETE' ? { gone: feeds.shownFeed(feed) } : {}
      await writeChanges(db, caller.userName, [{ dataType: 'feed', id: feed.id, event, action, ...gone }])
      await auditBy(db, caller, { action: `feed.${action}`, object: `feed ${feed.name}`, ...(detail && { detail }) })
      return result
    })

  const routes: RouteHandlers<Routes> = {
    async listFeeds({ db, caller }, { query: { after, count = 500 }, continues }) {
      const of = caller.roles.has('admin') ? null : caller.userName
      const page = { count: Number(count), continues }
      const found = cutByName(page, await feeds.listFeeds(db, of, nameAt(after), page.count))
      const last = new Map((await runs.lastRuns(db, found.map(({ id }) => id))).map((run) => [run.feedId, run])) // prettier-ignore
      return { feeds: found.map((feed) => show(needs, feed, last.get(feed.id))) }
    },
    async getFeed({ db, caller }, { params }) {
      const feed = await find(db, caller, params.name!)
      return show(needs, feed, (await runs.lastRuns(db, [feed.id]))[0])
    },
    async putFeed({ caller }, { params, body }) {
      const saving = await prepare(needs, caller, params.name)
      return change(caller, 'put', async (db) => {
        const { feed, event } = await put(needs, db, saving, body)
        const { direction, place } = feed.definition
        const result = show(needs, feed, (await runs.lastRuns(db, [feed.id]))[0])
        return { feed, event, result, detail: { direction, place: place.kind, owner: feed.userName } }
      })
    },
    deleteFeed: ({ caller }, { params }) =>
      change(caller, 'delete', async (db) => {
        const feed = await find(db, caller, params.name!)
        await feeds.deleteFeed(db, feed.id)
        return { feed, event: 'DELETE', result: undefined }
      }),
    runFeed: ({ caller }, { params }) =>
      change(caller, 'run', async (db) => {
        const feed = await find(db, caller, params.name!)
        const run = await runs.insertRun(db, feed.id, { startedBy: caller.userName })
        if (!run) throw pendingProblem(await runs.findPending(db, feed.id))
        await addRunJob(db, run.id)
        return { feed, result: showRun(run) }
      }),
    listRuns,
    decideRun: ({ caller }, { params: { name, run: id, decision } }) => {
      if (decision !== 'release' && decision !== 'discard')
        throw new Problem('notFound', `no decision ${decision!.slice(0, 50)}; there are release and discard`)
      return change(caller, decision, async (db) => {
        const feed = await find(db, caller, name!)
        const run = /^\d{1,15}$/.test(id!) ? await runs.lockRun(db, Number(id)) : undefined
        if (run?.feedId !== feed.id) throw new Problem('notFound', `the feed has no run ${id!.slice(0, 50)}`)
        if (run.state !== 'held') throw new Problem('inUse', because('runNotHeld', { id: run.id, state: run.state })) // prettier-ignore
        await decide(db, { feed, run }, decision, caller.userName)
        return { feed, result: showRun((await runs.findRun(db, run.id))!), detail: { run: run.id } }
      })
    },
    createAddress: ({ caller }, { params }) =>
      change(caller, 'address', async (db) => {
        const feed = await find(db, caller, params.name!)
        if (feed.definition.place.kind !== 'download')
          throw new Problem('invalid', `the place of this feed is ${feed.definition.place.kind}; only download has an address`) // prettier-ignore
        const { token, digest } = newToken()
        await feeds.setAddress(db, feed.id, digest)
        const url = `${needs.config.baseUrl}${contract.base}/${encodeURIComponent(feed.name)}/file/${token}`
        return { feed, result: { url } }
      }),
    revokeAddress: ({ caller }, { params }) =>
      change(caller, 'revoke', async (db) => {
        const feed = await find(db, caller, params.name!)
        await feeds.setAddress(db, feed.id, null)
        return { feed, result: undefined }
      }),
  }
  const plugin = (app: FastifyInstance, services: Services) =>
    mountStreams(app, services, contract, { downloadFeed: downloadFeed(needs) })
  return { contract, resources: {}, routes, plugin }
}

const listRuns: RouteHandlers<Routes>['listRuns'] = async ({ db, caller }, { params, query, continues }) => {
  const { after, before = after ?? Number.MAX_SAFE_INTEGER, count = 50 } = query
  const { id } = await find(db, caller, params.name!)
  const page = { count: Number(count), continues }
  return { runs: cut(page, await runs.listRuns(db, id, Number(before), page.count + 1)).map(showRun) }
}

interface Changed<T> extends Pick<AuditedAction, 'detail'> {
  readonly feed: Pick<feeds.FeedRow, 'id' | 'name' | 'userName'>
  readonly event?: Event
  readonly result: T
}

const pendingProblem = (run: runs.RunRow | undefined) =>
  new Problem(
    'inUse',
    run?.state === 'held'
      ? `run ${run.id} is held; release or discard it first`
      : `run ${run?.id ?? ''} has not ended; wait for it`,
  )

/** The caller's own feeds; administrators see all. */
async function find(db: Db, caller: Caller, name: string): Promise<feeds.FeedRow> {
  const feed = await feeds.findFeed(db, name.normalize('NFC'))
  if (feed && mayManage(caller, feed)) return feed
  throw new Problem('notFound', `no feed has the name ${name.slice(0, 100)}`)
}
const mayManage = ({ userName, roles }: Caller, feed: feeds.FeedRow) => feed.userName === userName || roles.has('admin')

interface Saving {
  readonly caller: Caller
  /** The feed before the transaction, and whether its owner stays. */
  readonly seen: feeds.FeedRow | undefined
  readonly isKept: boolean
  readonly name: string
}
/** Before the transaction, which would hold its locks while it waits for a second connection. */
async function prepare(needs: FeedNeeds, caller: Caller, sent: string | undefined): Promise<Saving> {
  const name = newSegment('name', sent)
  const seen = await feeds.findFeed(needs.database, name)
  return { caller, name, seen, isKept: seen !== undefined && (await isHere(needs, seen)) }
}

async function put(needs: FeedNeeds, db: Db, { caller, name, seen, isKept }: Saving, body: FeedValue) {
  const definition = demandDefinition(needs.config, caller, body)
  await demandStoredProfile(db, definition.export?.profile ?? definition.import?.profile)
  const stored = await feeds.lockFeed(db, name)
  if (stored && !mayManage(caller, stored)) throw new Problem('exists', because('feedOfOthers', { name }))
  if (stored && stored.definition.direction !== definition.direction)
    throw new Problem('invalid', `/feed/direction: the feed is for ${stored.definition.direction}s; create another one`)
  const before = stored && { place: stored.definition.place, secrets: openSecrets(needs, stored) }
  if (stored && !isDeepStrictEqual(stored.principal, seen?.principal ?? toStored(caller)))
    throw new Problem('inUse', `the feed ${name} has just got another owner; try again`)
  const { enabled = true } = body
  const next = enabled && definition.schedule ? nextTime(definition.schedule, new Date()) : undefined
  const feed = {
    id: stored?.id ?? (await newIds(db, 1))[0]!,
    name,
    definition,
    secrets: sealSecrets(needs, secretsOf(body.place, before)),
    enabled,
    principal: stored && isKept ? stored.principal : toStored(caller),
    nextAt: next ?? null,
    modifiedBy: caller.userName,
  }
  if (stored) await feeds.updateFeed(db, feed, isKept && definition.place.kind === 'download')
  else if ((await feeds.insertFeed(db, feed)) === 0)
    throw new Problem('exists', `a feed with the name ${name} was just created; try again`)
  return { feed: (await feeds.findFeedById(db, feed.id))!, event: stored ? ('UPDATE' as const) : ('CREATE' as const) }
}

/** Whether the owner still exists and is enabled; otherwise an administrator takes the feed over. */
async function isHere({ callerNow }: FeedNeeds, { principal }: feeds.FeedRow): Promise<boolean> {
  try {
    await callerNow(principal)
    return true
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return false
    throw error
  }
}

function show(needs: FeedNeeds, feed: feeds.FeedRow, lastRun: runs.RunRow | undefined): FeedValue {
  const { name, definition, enabled, userName, problem, address, nextAt, modifiedAt, modifiedBy } = feed
  const secrets = Object.keys(openSecrets(needs, feed))
  return {
    name,
    ...definition,
    place: { ...definition.place, ...(secrets.length > 0 && { secrets }) },
    enabled,
    owner: userName,
    hasAddress: address !== null,
    ...(problem !== null && { problem }),
    ...(nextAt && { nextRunAt: nextAt.toISOString() }),
    ...(lastRun && { lastRun: showRun(lastRun) }),
    modifiedAt: modifiedAt.toISOString(),
    modifiedBy,
  }
}

function showRun(run: runs.RunRow): Infer<typeof FeedRun> {
  const { id, state, attempts, dueAt, retryAt, createdAt, endedAt } = run
  const { startedBy, transferId, file, items, previousItems, changed, refused, size, problem, decidedBy } = run
  const known = {
    startedBy,
    transfer: transferId,
    file,
    items,
    previousItems,
    changed,
    refused,
    size,
    problem,
    decidedBy,
  }
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
  return {
    id,
    state,
    attempts,
    ...given,
    ...(dueAt && { dueAt: dueAt.toISOString() }),
    ...(retryAt && { nextAttemptAt: retryAt.toISOString() }),
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }
}
