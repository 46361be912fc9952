/**
 * Routes whose request or reply body is a stream: uploads, downloads, server-sent events.
 *
 * They are described in the contract like all others, and answer with Fastify's reply themselves. `StreamCall` gives them
 * what `routes.ts` gives described routes: the context of the caller, idempotency and the negotiated reply format.
 *
 *   access -> reply format (400) -> handler: readBody(), or bodyOf() for bytes
 *                                         -> once(ctx, …) -> send(value) or its own stream into `reply`
 */
import { createHash } from 'node:crypto'
import { type Format, type Route, schemaVersion } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, readContext } from '../access/access.ts'
import { type Done, type Services, toRecord } from '../batch/batch.ts'
import type { Caller, Context } from '../context.ts'
import { idempotencyOf, once } from './idempotency.ts'
import { replyMeta } from './reply.ts'
import { type BodyOf, configOf, deprecationHeaders, readBody, replyFormatOf, sendReply, urlOf } from './routes.ts'

export interface StreamCall<Body = object | undefined> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly services: Services
  /** The negotiated format of a described reply, and JSON where the reply is a stream. */
  readonly format: Format
  /** Throws on a public route. */
  caller(): Caller
  /** A context for reading, for the caller. Throws on a public route. */
  context(): Context
  /** Reads the body that the contract describes. */
  readBody(): Promise<Body>
  /**
   * Runs `run` at most once per Idempotency-Key and content; a repeat gets the first result. `content` identifies the body
   * together with method and URL: the handler has consumed it, often as a stream.
   */
  once<T>(ctx: Context, content: readonly string[], run: () => Promise<T>): Promise<T>
  /** Sends a value of the reply type that the contract describes. */
  send(value: unknown): FastifyReply
  /** Sends an envelope with one response record, as every upload is answered. */
  sendRecord(done: Partial<Done>): FastifyReply
}
export type StreamHandler<R extends Route = Route> = (call: StreamCall<BodyOf<R>>) => Promise<FastifyReply>
export type StreamHandlers<Rs extends Readonly<Record<string, Route>>> = { [N in keyof Rs]: StreamHandler<Rs[N]> }

export function mountStreams<Rs extends Readonly<Record<string, Route>>>(
  app: FastifyInstance,
  services: Services,
  { base, routes }: { readonly base: string; readonly routes: Rs },
  handlers: Partial<StreamHandlers<Rs>>,
  /** Routes that accept POST besides the method of the contract. */
  alsoPost: readonly (keyof Rs)[] = [],
): void {
  for (const [name, handler] of Object.entries(handlers)) {
    const route = routes[name]!
    const methods = alsoPost.includes(name) ? [route.method, 'POST'] : [route.method]
    mountStream(app, services, urlOf(base, route), methods, route, handler as StreamHandler)
  }
}

function mountStream(
  app: FastifyInstance,
  services: Services,
  url: string,
  method: string[],
  route: Route,
  handler: StreamHandler,
): void {
  const hasLongBody = route.form !== undefined || route.requestBytes
  const streams = hasLongBody || route.reply === 'bytes'
  app.route({
    method,
    url,
    // For these routes 403 means that a file exists already, so a caller without the right gets 401.
    config: {
      ...configOf(route),
      refusal: 'unauthorized',
      ...(hasLongBody && { longBody: true as const }),
      ...(streams && { streams: true as const }),
    },
    handler: (request, reply) => {
      if (route.deprecated) reply.headers(deprecationHeaders(route.deprecated))
      return handler(callOf(services, route, request, reply) as StreamCall<undefined>)
    },
  })
}

function callOf(services: Services, route: Route, request: FastifyRequest, reply: FastifyReply): StreamCall {
  const format = replyFormatOf(route, request)
  return {
    request,
    reply,
    params: request.params as StreamCall['params'],
    query: request.query as StreamCall['query'],
    services,
    format,
    caller: () => callerOf(request),
    context: () => readContext(services, request),
    readBody: () => readBody(services, route, request),
    once(ctx, content, run) {
      const digest = createHash('sha256').update([`${request.method} ${request.url}`, ...content].join('\n'))
      return once(ctx, idempotencyOf(request, digest), run)
    },
    send: (value) => sendReply(reply, format, route, value),
    sendRecord(done) {
      const { dataType, ...rest } = toRecord(done.dataType ?? '', '', {}, done as Done)
      const record = { ...rest, ...(dataType && { dataType }) }
      const value = { schemaVersion, meta: replyMeta(services.config), responses: { response: [record] } }
      return sendReply(reply, format, route, value)
    },
  }
}
