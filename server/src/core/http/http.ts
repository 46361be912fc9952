/** The Fastify instance that every route is mounted on: its timeouts, its log and its answers to broken requests. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyLoggerOptions, LogController } from 'fastify'
import { traceIds } from '../../adapters/tracing/tracing.ts'
import type { Config } from '../../config.ts'
import { fail, refuseConnection } from './failure.ts'
import { nameXml } from './negotiate.ts'

/** Receives the lines of the log. */
export type Log = NonNullable<FastifyLoggerOptions['stream']>

export function createHttp(config: Config, headers: Readonly<Record<string, string>>, stream?: Log): FastifyInstance {
  const timeoutMs = config.requestTimeout * 1000
  const headersTimeout = Math.min(10_000, timeoutMs)
  const http: FastifyInstance = fastify({
    pluginTimeout: 0, // a busy machine may take long to start; nothing is gained by ending then
    logger: {
      level: config.logLevel,
      ...(stream && { stream }),
      ...(config.traceEndpoint !== undefined && { mixin: traceIds }),
    },
    genReqId: () => randomUUID(),
    logController: new LogController({ requestIdLogLabel: 'supportId', disableRequestLogging: true }),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
    trustProxy: config.trustedProxies,
    requestTimeout: 0, // operations/arrival-timeout.ts sets it per route
    // Proxies reuse idle connections for 60 seconds (nginx, load balancers of clouds). If Kontor closed one first, a request
    // that the proxy sends on it at that moment would be answered with 502.
    keepAliveTimeout: 75_000,
    http: { maxHeaderSize: 16 * 1024, headersTimeout, connectionsCheckingInterval: 1000 },
    return503OnClosing: false, // operations/requests.ts answers 503 itself
    frameworkErrors: (error, request, reply) => void fail(request, reply.headers(headers), error),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, http.log, headers),
  })
  // Fastify listens to the stream of a reply after all hooks: a failure before that would end the process.
  http.addHook('onSend', async (_request, _reply, payload) => {
    if (payload instanceof Readable) payload.on('error', () => {})
  })
  nameXml(http)
  // Fastify refuses QUERY without a Content-Type before it looks for a route.
  http.addHttpMethod('QUERY', { overrideExisting: true })
  http.removeAllContentTypeParsers()
  // Routes read their bodies themselves, as a stream and by the contract (message.ts).
  http.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return http
}
