/**
 * Throttles password grants: if the hash queue is full or the address is known to be locked, the request is refused
 * before the provider library or the database does any work. An attack then hardly affects other users.
 *
 * The provider library reads the body from the stream, so we only peek at the first chunk and put it back. A form of
 * this size fits into one chunk.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { retryAfter } from '../provider/oauth-error.ts'

const busyReply = { error: 'temporarily_unavailable', error_description: 'too many people are signing in right now' }

export const throttleSignIns =
  (
    isThrottled: (address: string) => boolean,
    next: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): RouteHandlerMethod =>
  async (request, reply) => {
    if (!isThrottled(request.ip) || !(await isPasswordGrant(request.raw))) return next(request, reply)
    return reply.code(429).headers({ 'retry-after': retryAfter, 'cache-control': 'no-store' }).send(busyReply)
  }

async function isPasswordGrant(raw: IncomingMessage): Promise<boolean> {
  if (raw.readableLength === 0 && !raw.readableEnded) await once(raw, 'readable')
  const chunk = raw.read() as Buffer | null
  if (chunk === null) return false
  raw.unshift(chunk) // before the stream emits `end`, so that the provider can still read it
  return /(^|&)grant_type=password(&|$)/.test(chunk.toString('latin1'))
}
