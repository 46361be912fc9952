/** Headers of every reply: no sniffing, no framing, no caching, and by default nothing may be loaded from it. */
import type { FastifyInstance } from 'fastify'

export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

export function addSecurityHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const all = Object.entries(headers)
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of all) if (!reply.hasHeader(name)) reply.header(name, value)
  })
}
