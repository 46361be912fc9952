/**
 * Requests as an operator sees them: how many are in flight, and the outcome of each.
 *
 * Beyond a limit a request is refused at once (503), before its token or body is read, so that the accepted ones can finish.
 * Signing in has a smaller limit of its own (429): an attack on it must not block everybody else. Every request is reported
 * when it has ended, however it ended. Fastify's onResponse does not run for an aborted reply, but its connection always
 * closes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A probe: also answered while the server is full or stopping. */
    probe?: true
    /** Has a limit of its own, a quarter of that of the others. */
    lane?: 'sign-in'
  }
}

/** A finished request. */
export interface Ended {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** `broken`: the client disconnected, or the reply could not be finished. */
  readonly status: number | 'broken'
  readonly ms: number
}

export interface Requests {
  inFlight(): number
  /** From now on requests are refused, and connections are closed after the reply. */
  stopping(): void
}

export function watchRequests(app: FastifyInstance, max: number, onEnd: (ended: Ended) => void): Requests {
  const counts = { others: 0, 'sign-in': 0 }
  const bounds = { others: max, 'sign-in': Math.ceil(max / 4) }
  let stopping = false
  app.addHook('onRequest', async (request, reply) => {
    const begun = performance.now()
    const { probe, lane = 'others' } = request.routeOptions.config
    counts[lane]++
    reply.raw.once('close', () => {
      counts[lane]--
      const status = reply.raw.writableEnded ? reply.statusCode : 'broken'
      onEnd({ request, reply, status, ms: performance.now() - begun })
    })
    if (probe) return
    if (stopping) throw new Problem('unavailable', 'the server is stopping; try again later')
    if (counts[lane] <= bounds[lane]) return
    const kind = lane === 'sign-in' ? 'tooMany' : 'unavailable'
    throw new Problem(kind, `more than ${bounds[lane]} requests are in flight; try again later`)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close')
  })
  return { inFlight: () => counts.others + counts['sign-in'], stopping: () => void (stopping = true) }
}

/** One line per request. */
export function logEnded({ request, reply, status, ms }: Ended): void {
  const { method, routeOptions, url, caller, log } = request
  const bytes = Number(reply.getHeader('content-length')) || undefined
  const line = { method, route: routeOptions.url ?? url.slice(0, 200), status, ms: Math.round(ms) }
  log.info({ ...line, user: caller?.userName, bytes }, 'request')
}
