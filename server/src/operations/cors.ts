/**
 * CORS: scripts of other sites are refused, except for the origins in the settings, which are compared as a whole.
 *
 * Such a script sends its token in the Authorization header. Cookies are never allowed, so there is no session to abuse.
 */
import type { FastifyInstance } from 'fastify'

const allowed = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, Kontor-Atomic, Kontor-Dry-Run, Kontor-Max-Staleness, Kontor-View-As',
  'access-control-max-age': '600',
}
const exposed =
  'Content-Disposition, ETag, Idempotency-Replayed, Kontor-Dry-Run, Kontor-Next, Kontor-Staleness, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate'

/** Call it before the routes are guarded: preflight requests have no token. */
export function allowOrigins(app: FastifyInstance, origins: ReadonlySet<string>): void {
  if (origins.size === 0) return
  app.addHook('onRequest', async ({ headers, method }, reply) => {
    reply.header('vary', 'Origin')
    const { origin, 'access-control-request-method': asked } = headers
    if (origin === undefined || !origins.has(origin)) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed })
    if (method === 'OPTIONS' && asked !== undefined) return reply.code(204).headers(allowed).send()
  })
}
