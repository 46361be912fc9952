/**
 * `Kontor-Max-Staleness: 10` on a reading call: its data may be up to ten seconds old, so a read replica may answer. The
 * reply then has `Kontor-Staleness` with the seconds by which the data are behind at most. Rights are always those of now:
 * the caller was verified on the primary before.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { readContext } from '../access/access.ts'
import type { Context, Services } from '../context.ts'

const longest = 86_400

export function staleContext(services: Services, request: FastifyRequest, reply: FastifyReply): Context {
  const context = readContext(services, request)
  const seconds = maxStaleness(request)
  const { replica } = services
  const db = seconds > 0 ? replica?.asOf(performance.now() - seconds * 1000) : undefined
  if (!replica || !db) return context
  reply.header('kontor-staleness', Math.min(seconds, Math.ceil(replica.lag())))
  return { ...context, db }
}

function maxStaleness({ headers }: FastifyRequest): number {
  const given = headers['kontor-max-staleness'] ?? '0'
  const seconds = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN
  if (seconds <= longest) return seconds
  throw new Problem('invalid', `Kontor-Max-Staleness: expected whole seconds from 0 to ${longest}`)
}
