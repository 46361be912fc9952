/**
 * A rush of sign-ins: when the queue for hashing is full, or the address is known to be locked, a password grant is
 * refused before the provider, the database or anything else has work with it, so that an attack costs everybody else as
 * little as possible.
 *
 * The body belongs to the provider, which reads it from the stream. Its first piece, where a form of this size is whole,
 * is looked at and put back.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { retryAfter } from '../provider/oauth-error.ts'

const busyReply = { error: 'temporarily_unavailable', error_description: 'too many people sign in at this moment' }

export const throttleSignIns =
  (
    isThrottled: (address: string) => boolean,
    next: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): RouteHandlerMethod =>
  async (request, reply) => {
    if (!isThrottled(request.ip) || !(await asksForPassword(request.raw))) return next(request, reply)
    return reply.code(429).headers({ 'retry-after': retryAfter, 'cache-control': 'no-store' }).send(busyReply)
  }

async function asksForPassword(raw: IncomingMessage): Promise<boolean> {
  if (raw.readableLength === 0 && !raw.readableEnded) await once(raw, 'readable')
  const piece = raw.read() as Buffer | null
  if (piece === null) return false
  raw.unshift(piece) // before the end is told, so that the provider sees all of it
  return /(^|&)grant_type=password(&|$)/.test(piece.toString('latin1'))
}
