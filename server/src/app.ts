/**
 * The composition root: builds the HTTP application out of its parts. The areas are listed in areas.ts.
 *
 * Nothing is looked up by name and nothing is global: every part receives what it needs as an argument. Two applications
 * can run in one process, and tests do that.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type JobTable, type TimeTable, traceJobs, type Worker } from './adapters/jobs/jobs.ts'
import type { Database } from './adapters/postgres/db.ts'
import { sql } from './adapters/postgres/sql.ts'
import {
  type AreaNeeds,
  createAreas,
  createProducts,
  documentSources,
  describedKinds,
  createUpperAreas,
  usage,
} from './areas.ts'
import { recordReadiness } from './cm/api.ts'
import { deletionBlockersBy, notify } from './common/api.ts'
import type { Config } from './config.ts'
import { openConsole } from './console/console.ts'
import { guardRoutes, type RegisteredRoute } from './core/access/access.ts'
import { mountArea } from './core/area.ts'
import type { Services } from './core/batch/batch.ts'
import { bulkJob, runBulk } from './core/batch/bulk.ts'
import type { Mounted } from './core/batch/handlers.ts'
import { answerFailures } from './core/http/failure.ts'
import { createHttp, type Log } from './core/http/http.ts'
import { markReplays } from './core/http/idempotency.ts'
import { checkParameters } from './core/http/parameters.ts'
import { openNotifier } from './core/outbox/notifier.ts'
import { careReadings, fileJobs, fileTimes, openFiles, purgeTrash, scannerCheck } from './dam/module.ts'
import { createMasterKey, type Identity, readMasterKeyFile, viewedRights } from './identity/module.ts'
import { type Notify, openIdentity } from './identity/open.ts'
import { limitArrival } from './operations/arrival-timeout.ts'
import { createClosing } from './operations/closing.ts'
import { allowOrigins } from './operations/cors.ts'
import { addSecurityHeaders, securityHeaders } from './operations/headers.ts'
import { mountHealth } from './operations/health.ts'
import { createMetrics, type Reading, readingsOf } from './operations/metrics.ts'
import { type Ended, logEnded, watchRequests } from './operations/requests.ts'
import { sweep, sweepJob, sweepTimes } from './operations/sweep.ts'
import { traceRequests } from './operations/tracing.ts'
import { discardUnread } from './operations/unread-bodies.ts'
import { mountReference } from './reference/reference.ts'
import { createRequestLog } from './requests/requests.ts'
import { createLastErrors, type LastErrors } from './system/errors.ts'
import { system } from './system/system.ts'
import { engineFor } from './search/feed/engine.ts'
import { startUntilOpen } from './search/feed/service.ts'
import { search } from './search/module.ts'
import { openSecret, startDelivering, tidyJob, tidyTimes, tidyWebhooks } from './webhooks/module.ts'
import { removeExpired } from './workflow/module.ts'

export interface App {
  readonly http: FastifyInstance
  readonly identity: Identity
  readonly routes: readonly RegisteredRoute[]
  readonly jobs: JobTable
  readonly timeTable: TimeTable
  /** Opens the search indexes and begins to build the missing ones. Without it, the first search does that. */
  startSearch(): void
  /** Starts to deliver changes to webhooks. Every process that runs jobs does this too. */
  follow(): Promise<Worker>
  /** The number of requests in progress. */
  inFlight(): number
  /** Ends long polls and streams, closes connections after their reply, and lets /readyz say why. Requests are answered. */
  stopping(): void
}

/** `log` receives the lines of the log; they go to standard output by default. */
type Options = Pick<Services, 'tracing' | 'replica'> & { readonly log?: Log }

export async function createApp(database: Database, config: Config, { log, ...given }: Options = {}): Promise<App> {
  const headers = securityHeaders(config.baseUrl)
  const http = createHttp(config, headers, log)
  const masterKey = createMasterKey(config.masterKey ?? readMasterKeyFile(join(config.data, 'master-key')))
  const send: Notify = (notice) => notify(database, notice)
  const identity = await openIdentity({ db: database, config, masterKey, log: http.log, notify: send })
  const { notifier, committed, wake, stop: stopNotifier } = openNotifier(database)
  http.addHook('onClose', stopNotifier)
  const deletionBlockers = deletionBlockersBy(usage)
  const services: Services = { database, config, callerNow: identity.callerNow, deletionBlockers, committed, ...given }
  identity.onChange(wake)
  const { closing, ...edge } = openEdge(http, services, identity, headers)
  closing.addEventListener('abort', wake) // long polls and streams of events look at the signal then
  const resources = new Map<string, Mounted>()
  const files = openFiles(services, http, masterKey)
  const products = createProducts(config)
  const needs: AreaNeeds = { services, identity, masterKey, files, products, resources, notifier, closing }
  const { areas, workflow } = await createAreas(needs)
  const searching = search({
    database,
    ...engineFor(config),
    sources: documentSources(products),
    notifier,
    closing,
    failed: (error, what) => http.log.error({ err: error }, what),
  })
  http.addHook('onClose', () => searching.service.close())
  edge.watch({ files: files.blobs.check, search: searching.service.check, ...scannerCheck(config) })
  edge.mountMetrics(() => searching.service.lag(), careReadings(files.counts))
  const fail = failJobs(http, edge.errors)
  const upper = createUpperAreas(needs, searching.service, fail)
  const overview = system({ config, errors: edge.errors, searchLag: () => searching.service.lag() })
  const mounted = [...areas, edge.requestLog, searching, ...upper.areas, overview]
  for (const resource of mounted.flatMap((area) => mountArea(http, services, area)))
    resources.set(resource.path, resource)
  await http.register(identity.plugin)
  const tidying = [
    () => purgeTrash(database, config),
    () => removeExpired(services),
    upper.sweep,
    () => recordReadiness(database, products.productViews),
  ]
  return {
    http,
    identity,
    routes: edge.routes,
    jobs: traceJobs(given.tracing, {
      [bulkJob]: ({ runId }: { runId: string }, stop) => runBulk({ services, resources, fail }, runId, stop),
      ...fileJobs(services, files),
      ...upper.jobs,
      [tidyJob]: () => tidyWebhooks(services),
      ...workflow.jobs,
      [sweepJob]: () => sweep(database, config, identity.maintain, ...tidying),
    }),
    timeTable: { [sweepJob]: sweepTimes, ...fileTimes, ...upper.times, [tidyJob]: tidyTimes, ...workflow.timeTable }, // prettier-ignore
    startSearch() {
      void startUntilOpen(searching.service, closing, (error) => http.log.error({ err: error }, 'search cannot start'))
    },
    async follow() {
      const open = (secret: Buffer) => openSecret(masterKey, secret)
      const failed = (error: unknown) => http.log.error({ err: error }, 'webhooks')
      const options = { database, config, callerNow: identity.callerNow, kinds: describedKinds, open, failed }
      return startDelivering({ ...options, tracing: given.tracing, notifier: await notifier() })
    },
    inFlight: edge.inFlight,
    stopping: edge.stopping,
  }
}

/** Everything around the areas: limits, headers, access checks, failures, health, metrics, the console and the reference. */
function openEdge(
  http: FastifyInstance,
  { database, config, tracing, replica }: Services,
  identity: Identity,
  headers: ReturnType<typeof securityHeaders>,
) {
  const metrics = createMetrics()
  const requestLog = createRequestLog()
  const errors = createLastErrors()
  discardUnread(http)
  const onEnd = (ended: Ended) =>
    [logEnded, metrics.observe, requestLog.note, errors.note].forEach((note) => note(ended))
  const requests = watchRequests(http, config, database, metrics, traceRequests(http, tracing, onEnd))
  addSecurityHeaders(http, headers)
  allowOrigins(http, config.corsOrigins)
  const pages = openConsole(config)
  answerFailures(http, pages.place)
  const { routes, recheck } = guardRoutes(
    http,
    async (authorization, address) => {
      const principal = await identity.verify(authorization, address)
      return { ...principal, permissions: await identity.permissionsOf(principal.roles) }
    },
    viewedRights(database, identity),
  )
  identity.onChange(recheck)
  requests.admitUsers()
  limitArrival(http, config.requestTimeout)
  checkParameters(http)
  markReplays(http)
  const health = mountHealth(http, { database: async () => void (await database.run(sql`select 1`)) })
  mountReference(http, config)
  pages.mount(http)
  return {
    routes,
    inFlight: requests.inFlight,
    requestLog: requestLog.area,
    errors,
    watch: health.watch,
    mountMetrics: (searchLag: () => number, more: readonly Reading[]) =>
      metrics.mount(http, readingsOf({ database, requests, searchLag, tracing, replica, more }), config.metricsToken),
    ...createClosing(http, health.stopping, requests.stopping),
  }
}

/** Logs the failure of a job and returns its support id. */
const failJobs = (http: FastifyInstance, errors: LastErrors) => (error: unknown) => {
  const supportId = randomUUID()
  errors.noteJob(error, supportId)
  http.log.error({ err: error, supportId }, 'job failed')
  return supportId
}
