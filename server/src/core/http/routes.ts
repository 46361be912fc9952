/**
 * Routes that are not one of the four verbs but still take a described body and return a described value.
 *
 * A module has a handler for each declared route, by name; a missing one does not compile. Routes with streaming bodies
 * are in streaming.ts.
 */
import type { Hash } from 'node:crypto'
import { type Format, formats, type Infer, type Route } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Services } from '../batch/batch.ts'
import { callerNow, callerOf, readContext } from '../access/access.ts'
import type { Caller, Context } from '../context.ts'
import { type Idempotency, idempotencyOf } from './idempotency.ts'
import { readList, readMessage, requestDigest, requestLimits } from './message.ts'
import { replyFormat } from './negotiate.ts'
import type { Needs } from '../access/permissions.ts'
import { sendList, sendValue } from './reply.ts'

export interface Call<Body> {
  readonly body: Body
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly caller: Caller
  /** For a call that waits: its caller with the rights of now. Throws if the call would be refused now. */
  callerNow(): Promise<Caller>
  readonly idempotency: Idempotency | undefined
  readonly services: Services
  /** Sets a reply status other than 200. */
  status(code: number): void
  /** Tells the caller where the next page of a list begins. */
  continues(after: string | number): void
}
export type BodyOf<R extends Route> = R['requestList'] extends object
  ? Infer<R['requestList']>[]
  : R['request'] extends object
    ? R['requestOptional'] extends true
      ? Infer<R['request']> | undefined
      : Infer<R['request']>
    : undefined
type ReplyOf<R extends Route> = R['replyList'] extends object
  ? Infer<R['replyList']>[]
  : R['reply'] extends 'text' | 'string'
    ? string
    : R['reply'] extends 'map'
      ? Record<string, string>
      : R['reply'] extends object
        ? Infer<R['reply']>
        : void
export type RouteHandler<R extends Route> = (ctx: Context, call: Call<BodyOf<R>>) => Promise<ReplyOf<R>>
export type RouteHandlers<Rs extends Readonly<Record<string, Route>>> = { [N in keyof Rs]: RouteHandler<Rs[N]> }

export function mountRoute(
  app: FastifyInstance,
  services: Services,
  base: string,
  route: Route,
  handler: RouteHandler<Route>,
): void {
  const refusal = route.statuses.includes(403) && route.refusal !== 401 ? 'forbidden' : 'unauthorized'
  app.route({
    method: route.method,
    url: urlOf(base, route),
    config: { ...configOf(route), refusal },
    handler: async (request, reply) => {
      if (route.deprecated) reply.headers(deprecationHeaders(route.deprecated))
      const format = replyFormatOf(route, request)
      const digest = requestDigest(request)
      const body = await readBody(services, route, request, digest)
      const idempotency = idempotencyOf(request, digest)
      const { params, query } = request
      const status = (code: number) => void reply.code(code)
      const continues = (after: string | number) => void reply.header('kontor-next', String(after))
      const caller = { caller: callerOf(request), callerNow: () => callerNow(request) }
      const call = { body, params, query, ...caller, idempotency, services, status, continues } as Call<undefined>
      return sendReply(reply, format, route, await handler(readContext(services, request), call))
    },
  })
}

/** The path as Fastify writes it: `/storedsearch/:id`. */
export const urlOf = (base: string, { path }: Route) => base + path.replaceAll(/\{(\w+)\}/g, ':$1')

export const configOf = (route: Route) => ({
  access: route.access,
  needs: needsOf(route),
  ...(route.waits !== undefined && { waits: route.waits }),
  query: route.query ?? {},
})

export const deprecationHeaders = ({ since, sunset }: NonNullable<Route['deprecated']>) => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(sunset).toUTCString(),
})

const needsOf = ({ method, needs }: Route): Needs =>
  needs ? { kind: needs.kind, any: [needs.action] } : { any: [method === 'GET' ? 'read' : 'update'] }

export async function readBody({ config }: Services, route: Route, request: FastifyRequest, digest?: Hash) {
  const accepted = route.formats === 'json' ? [formats.json] : undefined
  const options = { maxBytes: config.maxBody, limits: requestLimits(config), accepted, digest }
  if (route.requestList) return readList(request, route.requestList, options)
  if (!route.request) return undefined
  const body = await readMessage(request, route.request, options)
  if (body === undefined && !route.requestOptional)
    throw new Problem('invalid', `/${route.request.name}: the body is missing`)
  return body
}

/** Decided before anything is changed: a request that is refused for its Accept header must have no effect. */
export function replyFormatOf({ reply: shape, replyList, formats: spoken }: Route, request: FastifyRequest): Format {
  if (replyList) return replyFormat(request, [formats.json])
  if (shape === undefined || shape === 'text' || shape === 'bytes') return formats.json
  return replyFormat(request, spoken === 'json' || typeof shape === 'string' ? [formats.json] : undefined)
}

export function sendReply(reply: FastifyReply, format: Format, { reply: shape, replyList }: Route, value: unknown) {
  if (replyList) return sendList(reply, replyList, value as readonly object[])
  if (shape === undefined) return reply.send()
  if (shape === 'text') return reply.type('text/plain;charset=UTF-8').send(value)
  if (shape === 'string') return reply.type(formats.json.contentType).send(JSON.stringify(value))
  if (shape === 'map' || shape === 'bytes') return reply.type(formats.json.contentType).send(value)
  return sendValue(reply, format, shape, value as object)
}
