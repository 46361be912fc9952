/**
 * `Idempotency-Key`: a repeated request gets the stored reply of the first one and has no second effect.
 *
 * The reply is stored per user in the transaction of the effects. The same key with another request is refused; a repeat while
 * the first request is still running gets 409. A request that failed as a whole leaves no trace. A stored reply has the
 * header `Idempotency-Replayed`.
 */
import type { Hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Context } from '../context.ts'
import { findReply, insertReply, tryLockKey } from './idempotency.sql.ts'

export interface Idempotency {
  readonly key: string
  /** A digest of method, URL and body. */
  readonly request: string
  /** Called when the stored reply is used. */
  replayed(): void
}

const replays = new WeakSet<FastifyRequest>()

export function markReplays(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (replays.has(request)) reply.header('idempotency-replayed', 'true')
  })
}

export async function once<T>(
  { db, caller }: Context,
  idempotency: Idempotency | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (!idempotency) return run()
  const { key, request } = idempotency
  if (!(await tryLockKey(db, caller.userName, key))) {
    throw new Problem('inFlight', `the first request with Idempotency-Key ${key} has not ended yet; repeat it later`)
  }
  const known = await findReply<T>(db, caller.userName, key)
  if (known && known.request !== request) {
    throw new Problem(
      'invalid',
      `Idempotency-Key ${key} was used with another request; use a new key for a new request`,
    )
  }
  if (known) {
    idempotency.replayed()
    return known.reply
  }
  const reply = await run()
  await insertReply(db, caller.userName, key, request, reply)
  return reply
}

/** The key of a request, if any, with the digest of its content. */
export function idempotencyOf(request: FastifyRequest, digest: Hash | undefined): Idempotency | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || !digest) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) {
    return { key, request: digest.digest('base64url'), replayed: () => void replays.add(request) }
  }
  throw new Problem('invalid', 'Idempotency-Key: expected 1 to 255 visible ASCII characters')
}
