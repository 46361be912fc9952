/** The Fastify instance that every route is mounted on: its timeouts, its log and its answers to broken requests. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyLoggerOptions, LogController } from 'fastify'
import type { Config } from '../../config.ts'
import { fail, refuseConnection } from './failure.ts'

/** Receives the lines of the log. */
export type Log = NonNullable<FastifyLoggerOptions['stream']>

export function createHttp(config: Config, headers: Readonly<Record<string, string>>, stream?: Log): FastifyInstance {
  const timeoutMs = config.requestTimeout * 1000
  const headersTimeout = Math.min(10_000, timeoutMs)
  const http: FastifyInstance = fastify({
    logger: { level: config.logLevel, ...(stream && { stream }) },
    genReqId: () => randomUUID(),
    logController: new LogController({ requestIdLogLabel: 'supportId', disableRequestLogging: true }),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
    trustProxy: config.trustedProxies,
    requestTimeout: 0, // operations/arrival-timeout.ts sets it per route
    keepAliveTimeout: 10_000,
    http: { maxHeaderSize: 16 * 1024, headersTimeout, connectionsCheckingInterval: 1000 },
    return503OnClosing: false, // operations/requests.ts answers 503 itself
    frameworkErrors: (error, request, reply) => void fail(request, reply.headers(headers), error),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, http.log, headers),
  })
  // Fastify listens to the stream of a reply after all hooks: a failure before that would end the process.
  http.addHook('onSend', async (_request, _reply, payload) => {
    if (payload instanceof Readable) payload.on('error', () => {})
  })
  http.removeAllContentTypeParsers()
  // Routes read their bodies themselves, as a stream and by the contract (message.ts).
  http.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return http
}
