/** /metrics in Prometheus text: requests by route and status, their duration, the database pool, and the process itself. */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../adapters/postgres/db.ts'
import type { Replica } from '../adapters/postgres/replica.ts'
import type { Tracing } from '../adapters/tracing/tracing.ts'
import { Problem } from '../errors.ts'
import type { Ended, Kind, Requests } from './requests.ts'

/** Gauges that are read when they are scraped: name, description, function. */
export type Reading = readonly [name: string, help: string, read: () => number]

export interface Metrics {
  /** Counts a finished request. */
  observe(ended: Ended): void
  /** Counts a request that got no place, or not its turn. */
  refused(kind: Kind, reason: string): void
  /** Counts a connection that was closed because its client did not read. */
  cut(): void
  mount(app: FastifyInstance, readings: readonly Reading[], token: string | undefined): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'kontor_request_seconds',
    help: 'Duration of requests by route and status; a status of broken means that the reply did not reach its end.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'kontor_refused_requests_total',
    help: 'Requests refused with 429 or 503 because of a limit, by the kind of their places and the reason.',
    labelNames: ['places', 'reason'],
    registers: [registry],
  })
  const cut = new Counter({
    name: 'kontor_unread_replies_total',
    help: 'Connections that were closed because the client did not read its reply.',
    registers: [registry],
  })
  return {
    refused: (places, reason) => refused.inc({ places, reason }),
    cut: () => cut.inc(),
    observe: ({ request: { method, routeOptions }, status, ms }) =>
      requests.observe({ method, route: routeOptions.url ?? 'none', status }, ms / 1000),
    mount(app, readings, token) {
      for (const [name, help, read] of readings) {
        const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) })
      }
      app.get('/metrics', { config: { access: 'public', probe: true }, logLevel: 'warn' }, async (request, reply) => {
        if (token !== undefined && !sameText(request.headers.authorization ?? '', `Bearer ${token}`)) {
          throw new Problem('unauthorized', '/metrics wants the token of KONTOR_METRICS_TOKEN')
        }
        return reply.type(registry.contentType).send(await registry.metrics())
      })
    },
  }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

interface Observed {
  readonly database: Database
  readonly requests: Requests
  searchLag(): number
  readonly tracing: Tracing | undefined
  readonly replica: Replica | undefined
  /** Those of the areas. */
  readonly more: readonly Reading[]
}

/** The gauges of the server, read when they are asked for. */
export const readingsOf = ({
  database: { pool },
  requests,
  searchLag,
  tracing,
  replica,
  more,
}: Observed): Reading[] => [
  ...more,
  ['kontor_requests_in_flight', 'Requests that are being answered.', requests.inFlight],
  ['kontor_places_taken', 'Places for requests that their callers have taken.', () => requests.taken('requests')],
  ['kontor_requests_waiting', 'Requests that wait behind others of the same caller.', requests.waiting],
  ['kontor_long_polls', 'Long polls that are waiting.', () => requests.taken('long polls')],
  ['kontor_streams', 'Uploads, downloads and event streams that are running.', () => requests.taken('streams')],
  ['kontor_database_connections', 'Connections to the database.', () => pool.totalCount],
  ['kontor_database_idle', 'Connections that nobody uses.', () => pool.idleCount],
  ['kontor_database_waiting', 'Requests that wait for a connection.', () => pool.waitingCount],
  ['kontor_search_lag_seconds', 'Since the oldest change that cannot be found yet.', () => searchLag() / 1000],
  ...(tracing
    ? ([
        ['kontor_spans_sent', 'Spans that the collector has taken.', () => tracing.counts().sent],
        [
          'kontor_spans_lost',
          'Spans that could not be sent: the collector is away or slow.',
          () => tracing.counts().lost,
        ],
      ] as const)
    : []),
  ...(replica
    ? ([
        ['kontor_replica_lag_seconds', 'By which the read replica is behind; +Inf while it is not used.', replica.lag],
        ['kontor_replica_statements', 'Statements that the read replica has answered.', replica.statements],
      ] as const)
    : []),
]
