/**
 * `Idempotency-Key`: a repeated request gets the stored reply of the first one and has no second effect.
 *
 * The reply is stored per user in the transaction of the effects. The same key with another request is refused; a repeat while
 * the first request is still running gets 409. A request that failed as a whole leaves no trace.
 */
import type { Hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Context } from '../context.ts'
import { findReply, insertReply, tryLockKey } from './idempotency.sql.ts'

export interface Idempotency {
  readonly key: string
  /** A digest of method, URL and body. */
  readonly request: string
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
  if (known) return known.reply
  const reply = await run()
  await insertReply(db, caller.userName, key, request, reply)
  return reply
}

/** The key of a request, if any, with the digest of its content. */
export function idempotencyOf({ headers }: FastifyRequest, digest: Hash | undefined): Idempotency | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || !digest) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return { key, request: digest.digest('base64url') }
  throw new Problem('invalid', 'Idempotency-Key: expected 1 to 255 visible ASCII characters')
}
