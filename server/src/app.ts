/**
 * The composition root: builds the HTTP application out of its parts and is the only file that knows all areas.
 *
 * Nothing is looked up by name and nothing is global: whoever needs something is handed it here. Two applications can
 * run in one process, and tests do that.
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyLoggerOptions,
  LogController,
} from 'fastify'
import { type JobTable, startWorker, type TimeTable, type Worker } from './adapters/jobs/jobs.ts'
import type { Database } from './adapters/postgres/db.ts'
import { sql } from './adapters/postgres/sql.ts'
import { cm, cmTargets, cmUses } from './cm/module.ts'
import {
  createUsage,
  findLocales,
  glossaryTarget,
  keepersBy,
  keywordTarget,
  notify,
  type Targets,
} from './common/api.ts'
import { common, commonUses } from './common/module.ts'
import { openBlobs } from './adapters/blobs/blobs.ts'
import { dam, damTargets, damUses, fileJobs, fileTimes, purgeTrash } from './dam/module.ts'
import { renewPreviews } from './dam/files.ts'
import { findOriginals } from './dam/assets/bin/download/originals.ts'
import { putFile } from './dam/assets/bin/uploads/put.ts'
import { createPreviews } from './dam/assets/previews/previews.ts'
import type { Config } from './config.ts'
import { guardRoutes, type RegisteredRoute } from './core/access/access.ts'
import type { Services } from './core/batch/batch.ts'
import type { Context } from './core/context.ts'
import { bulkJob, runBulk } from './core/batch/bulk.ts'
import { openBells, type OutboxBell } from './core/outbox/notifier.ts'
import { events } from './events/events.ts'
import { answerFailures, fail, refuseConnection, toProblem } from './core/http/failure.ts'
import type { Mounted } from './core/batch/handlers.ts'
import { type AreaModule, mountArea } from './core/area.ts'
import { mountReference } from './reference/reference.ts'
import { openConsole } from './console/console.ts'
import { createExternalIdentity } from './identity/provider/external.ts'
import { createIdentity, createMasterKey, type Identity, type MasterKey, readMasterKeyFile } from './identity/module.ts'
import { addressesOf, recipients } from './identity/users/recipients.sql.ts'
import { peo, peoTargets, peoUses } from './peo/module.ts'
import { pim, pimTargets, pimUses } from './pim/module.ts'
import { search } from './search/module.ts'
import type { ReaderSettings } from './process/search-reader.ts'
import { orderExport, type TransferNeeds, transferJobs, transfers, transferTimes } from './transfers/module.ts'
import { openSecret, startDelivering, tidyJob, tidyTimes, tidyWebhooks, webhooks } from './webhooks/module.ts'
import { allowOrigins } from './operations/cors.ts'
import { addSecurityHeaders, securityHeaders } from './operations/headers.ts'
import { mountHealth } from './operations/health.ts'
import { createMetrics } from './operations/metrics.ts'
import { limitArrival } from './operations/arrival-timeout.ts'
import { createRequestLog } from './requests/requests.ts'
import { logEnded, type Requests, watchRequests } from './operations/requests.ts'
import { sweep, sweepJob, sweepTimes } from './operations/sweep.ts'
import { createWorkflow, removeExpired, type WorkflowNeeds } from './workflow/module.ts'

export interface App {
  readonly http: FastifyInstance
  readonly identity: Identity
  /** Every route there is. */
  readonly routes: readonly RegisteredRoute[]
  readonly jobs: JobTable
  readonly timeTable: TimeTable
  /** Opens the search indexes, and begins to build those that are missing; the first search would do it too. */
  startSearch(): void
  /** Begins to follow the outbox for those who are told of changes; beside the jobs, in every process that has these. */
  follow(): Promise<Worker>
  /** From now on requests are refused and /readyz says why; those in flight go on. */
  stopping(): void
}

// prettier-ignore
const components = {
  pim: 'active', dam: 'active', cm: 'active', peo: 'active', workflow: 'active', search: 'active',
  glossary: 'active', keywords: 'active',
} as const

/** `log` takes the log's lines; standard output by default. */
export async function createApp(database: Database, config: Config, log?: Log): Promise<App> {
  const headers = securityHeaders(config.baseUrl)
  const http = createHttp(config, headers, log)
  const masterKey = createMasterKey(config.masterKey ?? readMasterKeyFile(join(config.data, 'master-key')))
  const identity = await openIdentity(database, config, masterKey, http.log)
  const targets = new Map([...pimTargets, ...damTargets, ...cmTargets, ...peoTargets])
  const usage = createUsage(new Map([...targets, ['keyword', keywordTarget]]), [
    commonUses,
    pimUses,
    damUses,
    cmUses,
    peoUses,
  ])
  const { permissionsOf } = identity
  const { bell, committed, stop: stopBells } = openBells(database)
  http.addHook('onClose', stopBells)
  const services: Services = { database, config, permissionsOf, keepersOf: keepersBy(usage), committed }
  const metrics = createMetrics()
  const requestLog = createRequestLog()
  const requests = watchRequests(http, config.maxInFlight, (ended) => {
    logEnded(ended)
    metrics.observe(ended)
    requestLog.note(ended)
  })
  limitArrival(http, config.requestTimeout)
  addSecurityHeaders(http, headers)
  allowOrigins(http, config.corsOrigins)
  const routes = guardRoutes(
    http,
    async (authorization, address) => {
      const principal = await identity.verify(authorization, address)
      return { ...principal, permissions: await identity.permissionsOf(principal.roles) }
    },
    async (name) => {
      const user = await identity.users.find({ name })
      const roles = new Set(user?.roles)
      return user && { roles, permissions: await identity.permissionsOf(roles) }
    },
  )
  const pages = openConsole(config)
  answerFailures(http, pages.place)
  const health = mountHealth(http, { database: async () => void (await database.run(sql`select 1`)) })
  metrics.mount(
    http,
    readings(database, requests, () => searching.service.lag()),
    config.metricsToken,
  )
  mountReference(http, config)
  pages.mount(http)

  const files = openFiles(services, http, masterKey)
  const products = pim({ targets, config })
  const allTargets = new Map([...targets, ['keyword', keywordTarget] as const])
  const channels = cm({ ...products, targets, usage })
  const resources = new Map<string, Mounted>()
  const workflow = await createWorkflow(services, workflowNeeds({ targets, identity, config, channels, resources }))
  const areas = [
    common({ targets, recipients, components }),
    products,
    dam({ ...files, targets }),
    channels,
    peo({ targets, products: products.productViews }),
    identity.area,
    events({ targets: allTargets, bell }),
    webhooks(masterKey),
    workflow.area,
    requestLog.area,
  ]
  const searching = openSearch(services, http, { areas, bell })
  const failJob = (error: unknown) => {
    const supportId = randomUUID()
    http.log.error({ err: error, supportId }, 'job failed')
    return supportId
  }
  const transferring: TransferNeeds = {
    ...services,
    resources: () => resources,
    putFile: (caller, path, bytes) => putFile({ ...services, ...files }, caller, path, bytes),
    findFiles: (ctx, names) => findOriginals(files, ctx, names),
    selectProducts: products.selectProducts,
    findStored: (ctx, id) => findStored(searching.routes, ctx, id),
    contentLocales: async ({ db }) => (await findLocales.CONTENT(db)).map(({ tid }) => tid),
    isPassing: (error) => toProblem(error as Error).kind === 'unavailable',
    fail: failJob,
  }
  const mounted = [...areas, searching, transfers(transferring)].flatMap((area) => mountArea(http, services, area))
  await http.register(identity.plugin)

  for (const resource of mounted) resources.set(resource.path, resource)
  return {
    http,
    identity,
    routes,
    jobs: {
      [bulkJob]: ({ runId }: { runId: string }, stop) => runBulk({ services, resources, fail: failJob }, runId, stop),
      ...fileJobs(services, files),
      ...transferJobs(transferring),
      [tidyJob]: () => tidyWebhooks(services),
      ...workflow.jobs,
      [sweepJob]: () =>
        sweep(
          database,
          config,
          () => identity.maintain(),
          () => purgeTrash(database, config),
          () => removeExpired(services),
        ),
    },
    startSearch() {
      searching.service.start().catch((error: unknown) => http.log.error({ err: error }, 'search cannot start'))
    },
    timeTable: { [sweepJob]: sweepTimes, ...fileTimes, ...transferTimes, [tidyJob]: tidyTimes, ...workflow.timeTable },
    async follow() {
      const open = (secret: Buffer) => openSecret(masterKey, secret)
      const failed = (error: unknown) => http.log.error({ err: error }, 'webhooks')
      return startDelivering({ database, config, targets: allTargets, bell: await bell(), open, failed })
    },
    stopping() {
      health.stopping()
      requests.stopping()
    },
  }
}

interface WorkflowParts {
  readonly targets: Targets
  readonly identity: Identity
  readonly config: Config
  readonly channels: ReturnType<typeof cm>
  readonly resources: ReadonlyMap<string, Mounted>
}

/** What workflows use of the other areas. */
const workflowNeeds = ({ targets, identity, config, channels, resources }: WorkflowParts): WorkflowNeeds => ({
  targets: new Map([...targets, ['glossary', glossaryTarget]]),
  resources: () => resources,
  async missingValues(ctx, body) {
    const { objects = [] } = await channels.routes.retrieveReadiness(ctx, { body } as never)
    return objects.flatMap(({ locales = [] }) =>
      locales.flatMap(({ locale = '', missingValues = [] }) =>
        missingValues.map(({ tid = '', attr = '' }) => ({ object: tid, locale, attr })),
      ),
    )
  },
  makePreviews: renewPreviews,
  orderExport: ({ db, caller }, request) => orderExport(db, caller, request),
  async rolesOf({ userName, roles }) {
    const user = await identity.users.find({ name: userName })
    // another provider tells roles with tokens alone, so those of the start hold
    return user?.enabled ? new Set(config.oidcIssuer === undefined ? user.roles : roles) : undefined
  },
  exists: async (db, userName) => (await recipients(db, [userName], [])).size > 0,
  addressesOf,
})

/** Where files are kept, and who makes their previews. */
function openFiles({ database, config }: Services, http: FastifyInstance, sealer: MasterKey) {
  const blobs = openBlobs(config.blobs, join(config.data, 'blobs'))
  const previews = createPreviews({ database, config, blobs }, (error, assetId) =>
    http.log.warn({ err: error, assetId }, 'no previews'),
  )
  http.addHook('onClose', async () => previews.close())
  return { blobs, previews, sealer }
}

const readerSettings = ({ nodeAttributes }: Config): ReaderSettings => ({ nodeAttributes })

/** The indexes, fed with what the areas let be searched. */
function openSearch(
  { database, config }: Services,
  http: FastifyInstance,
  { areas, bell }: { readonly areas: readonly AreaModule[]; readonly bell: () => Promise<OutboxBell> },
) {
  const searching = search({
    database,
    folder: join(config.data, 'search'),
    threads: config.searchThreads ?? Math.min(8, availableParallelism()),
    sources: areas.flatMap(({ documents = [] }) => documents),
    reader: {
      module: new URL('./process/search-reader.ts', import.meta.url).href,
      options: { config: readerSettings(config) },
    },
    bell,
    failed: (error, what) => http.log.error({ err: error }, what),
  })
  http.addHook('onClose', () => searching.service.close())
  return searching
}

/** The bundled provider, or another one by its issuer. */
function openIdentity(db: Database, config: Config, masterKey: MasterKey, log: FastifyBaseLogger): Promise<Identity> {
  const { oidcIssuer: issuer, oidcAudience, oidcClientId, oidcRolesClaim: rolesClaim } = config
  if (issuer !== undefined) {
    return createExternalIdentity({ db, issuer, audience: oidcAudience, clientId: oidcClientId, rolesClaim, log })
  }
  return createIdentity({
    db,
    baseUrl: config.baseUrl,
    realm: config.realm,
    clientId: config.clientId,
    audience: 'kontor-api',
    algorithm: config.tokenAlgorithm,
    passwordGrant: config.passwordGrant,
    adminsByPasswordGrant: config.profile !== 'production',
    rotateRefreshTokens: config.revokeRefreshTokens,
    masterKey,
    corsOrigins: config.corsOrigins,
    notify: (notice) => notify(db, notice),
    // what the first start wrote there opens nothing any more
    passwordChanged: async ({ name }) => {
      if (name === 'admin') await rm(join(config.data, 'admin-password'), { force: true })
    },
    log,
  })
}

export async function startJobs(app: App, config: Parameters<typeof startWorker>[0]): Promise<Worker> {
  const worker = await startWorker(config, app.jobs, app.timeTable, (level, message) => app.http.log[level](message))
  const follower = await app.follow()
  return {
    async stop() {
      await follower.stop()
      await worker.stop()
    },
  }
}

type Log = NonNullable<FastifyLoggerOptions['stream']>

function createHttp(config: Config, headers: Readonly<Record<string, string>>, stream?: Log): FastifyInstance {
  const patience = config.requestTimeout * 1000
  const headersTimeout = Math.min(10_000, patience)
  const http: FastifyInstance = fastify({
    logger: { level: config.logLevel, ...(stream && { stream }) },
    genReqId: () => randomUUID(),
    logController: new LogController({ requestIdLogLabel: 'supportId', disableRequestLogging: true }),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
    trustProxy: config.trustedProxies,
    requestTimeout: 0, // operations/arrival-timeout.ts, which knows the routes
    connectionTimeout: 2 * patience, // nothing came or went: also a client that does not read its reply
    keepAliveTimeout: 10_000,
    http: { maxHeaderSize: 16 * 1024, headersTimeout, connectionsCheckingInterval: 1000 },
    return503OnClosing: false, // operations/requests.ts says so, in our words
    frameworkErrors: (error, request, reply) => void fail(request, reply.headers(headers), error),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, http.log, headers),
  })
  http.removeAllContentTypeParsers()
  // Bodies are read by whoever takes them, piece by piece and by the contract (core/http/message.ts).
  http.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return http
}

const readings = ({ pool }: Database, requests: Requests, searchLag: () => number) =>
  [
    ['kontor_requests_in_flight', 'Requests that are being answered.', requests.inFlight],
    ['kontor_database_connections', 'Connections to the database.', () => pool.totalCount],
    ['kontor_database_idle', 'Connections that nobody uses.', () => pool.idleCount],
    ['kontor_database_waiting', 'Requests that wait for a connection.', () => pool.waitingCount],
    ['kontor_search_lag_seconds', 'Since the oldest change that cannot be found yet.', () => searchLag() / 1000],
  ] as const

/** The tids of the products that a stored search finds: their own, or of the product an article or variation belongs to. */
async function* findStored(routes: ReturnType<typeof search>['routes'], ctx: Context, id: string) {
  const stored = await routes.getStoredSearch(ctx, { params: { id } } as never)
  for (let pageIndex = 0; ; pageIndex++) {
    const page = {
      pageIndex,
      pageSize: 1000,
      maxResults: 2_000_000_000,
      resultAttributes: ['tid', 'itemType', 'product'],
    }
    const { items = [] } = await routes.search(ctx, { body: { ...stored, ...page } } as never)
    yield items.map(({ attributes = [] }) => {
      const said = new Map(attributes.map(({ name, value }) => [name, value as string]))
      return (said.get('itemType') === 'product' ? said.get('tid') : said.get('product')) ?? said.get('tid')!
    })
    if (items.length < 1000) return
  }
}
