/**
 * The composition root: builds the HTTP application out of its parts and is the only file that knows all areas.
 *
 * Nothing is looked up by name and nothing is global: whoever needs something is handed it here. Two applications can
 * run in one process, and tests do that.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { type JobTable, startWorker, type TimeTable, type Worker } from './adapters/jobs/jobs.ts'
import type { Database } from './adapters/postgres/db.ts'
import { sql } from './adapters/postgres/sql.ts'
import { common } from './common/module.ts'
import type { Config } from './config.ts'
import { guardRoutes, type RegisteredRoute } from './core/access.ts'
import type { Services } from './core/batch.ts'
import { bulkJob, runBulk } from './core/bulk.ts'
import { answerFailures } from './core/failure.ts'
import type { Mounted } from './core/handlers.ts'
import { mountArea } from './core/area.ts'
import { mountReference } from './reference/reference.ts'
import { createIdentity, createMasterKey, type Identity, readMasterKeyFile } from './identity/module.ts'
import { recipients } from './identity/recipients.sql.ts'
import { pim, pimTargets } from './pim/module.ts'
import { addSecurityHeaders } from './operations/headers.ts'
import { type Health, mountHealth } from './operations/health.ts'
import { mountMetrics } from './operations/metrics.ts'
import { sweep, sweepJob, sweepTimes } from './operations/sweep.ts'

export interface App {
  readonly http: FastifyInstance
  readonly identity: Identity
  /** Every route there is. */
  readonly routes: readonly RegisteredRoute[]
  readonly health: Health
  readonly jobs: JobTable
  readonly timeTable: TimeTable
}

// prettier-ignore
const components = {
  pim: 'active', dam: 'inactive', cm: 'inactive', peo: 'inactive', workflow: 'inactive', search: 'inactive',
  glossary: 'active', keywords: 'active',
} as const

export async function createApp(database: Database, config: Config): Promise<App> {
  const http = createHttp(config)
  const identity = await createIdentity({
    db: database,
    baseUrl: config.baseUrl,
    realm: config.realm,
    clientId: config.clientId,
    audience: 'kontor-api',
    algorithm: config.tokenAlgorithm,
    passwordGrant: config.passwordGrant,
    rotateRefreshTokens: config.revokeRefreshTokens,
    masterKey: createMasterKey(config.masterKey ?? readMasterKeyFile(join(config.data, 'master-key'))),
    corsOrigins: config.corsOrigins,
    log: http.log,
  })
  const services: Services = { database, config, permissionsOf: identity.permissionsOf }
  addSecurityHeaders(http, config.baseUrl)
  const routes = guardRoutes(http, async (authorization, address) => {
    const principal = await identity.verify(authorization, address)
    return { ...principal, permissions: await identity.permissionsOf(principal.roles) }
  })
  answerFailures(http)
  logRequests(http)
  const health = mountHealth(http, { database: async () => void (await database.run(sql`select 1`)) })
  mountMetrics(http, poolReadings(database), config.metricsToken)
  mountReference(http, config)

  const targets = new Map(pimTargets)
  const areas = [common({ targets, recipients, components }), pim({ targets, config }), identity.area]
  const mounted = areas.flatMap((area) => mountArea(http, services, area))
  await http.register(identity.plugin)

  const resources: ReadonlyMap<string, Mounted> = new Map(mounted.map((resource) => [resource.path, resource]))
  const fail = (error: unknown) => {
    const supportId = randomUUID()
    http.log.error({ err: error, supportId }, 'job failed')
    return supportId
  }
  return {
    http,
    identity,
    routes,
    health,
    jobs: {
      [bulkJob]: ({ runId }: { runId: string }) => runBulk(services, resources, runId, fail),
      [sweepJob]: () => sweep(database, config, () => identity.maintain()),
    },
    timeTable: { [sweepJob]: sweepTimes },
  }
}

export function startJobs(app: App, config: Parameters<typeof startWorker>[0]): Promise<Worker> {
  return startWorker(config, app.jobs, app.timeTable, (level, message) => app.http.log[level](message))
}

function createHttp(config: Config): FastifyInstance {
  const http = fastify({
    logger: { level: config.logLevel, redact: ['req.headers.authorization'] },
    genReqId: () => randomUUID(),
    logController: new LogController({ requestIdLogLabel: 'supportId', disableRequestLogging: true }),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
    requestTimeout: config.requestTimeout * 1000,
    keepAliveTimeout: 10_000,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000 },
  })
  http.removeAllContentTypeParsers()
  // Bodies are read by whoever takes them, piece by piece and by the contract (core/message.ts).
  http.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return http
}

function logRequests(http: FastifyInstance): void {
  http.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, caller } = request
    const line = {
      method,
      route: routeOptions.url ?? request.url.slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    request.log.info({ ...line, user: caller?.userName, bytes: reply.getHeader('content-length') }, 'request')
  })
}

const poolReadings = ({ pool }: Database) =>
  [
    ['kontor_database_connections', 'Connections to the database.', () => pool.totalCount],
    ['kontor_database_idle', 'Connections that nobody uses.', () => pool.idleCount],
    ['kontor_database_waiting', 'Requests that wait for a connection.', () => pool.waitingCount],
  ] as const
