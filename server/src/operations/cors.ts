/**
 * Scripts of other sites (CORS): refused, but for the origins that the settings name, compared whole.
 *
 * Such a script sends its token in the Authorization header; cookies are never allowed, so there is nothing to ride on.
 */
import type { FastifyInstance } from 'fastify'

const allowed = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, Kontor-Atomic, Kontor-Dry-Run, Kontor-View-As',
  'access-control-max-age': '600',
}
const exposed = 'Content-Disposition, ETag, Retry-After, WWW-Authenticate'

/** Before the routes are guarded: the browser asks first, without a token. */
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
