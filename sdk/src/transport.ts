/**
 * Sends one call over HTTP with an access token, and retries it where that is safe.
 *
 *   no reply, 429, 502, 503, 504    retried after Retry-After, or with exponential back-off and jitter
 *   409 with code 1007              the first attempt of this call is still running: retried likewise
 *   401                             retried once, at once, with a new token
 *   any other failure               thrown as a KontorError
 *
 * Reads can always be repeated. Writes carry an idempotency key, under which the server stores the reply: a retry gets
 * that reply and has no second effect. The transport does not check this; every writing method of the SDK sets a key.
 */
import { type Format, formats } from '@kontor/contract'
import { type KontorError, toError } from './errors.ts'
import { fetch, type Reply, type Signal, sleep } from './runtime.ts'
import type { TokenSource } from './tokens.ts'

export interface ClientOptions {
  readonly baseUrl: string
  readonly tokens: TokenSource
  /** The format of requests and replies; values are the same in all of them. JSON by default. */
  readonly format?: keyof typeof formats
  /** Maximum number of attempts per call, the first included; 5 by default. */
  readonly attempts?: number
  /** Headers that every call carries, such as Kontor-View-As. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** For writes: the key under which the server stores the reply. */
  readonly idempotencyKey?: string
  readonly signal?: Signal | undefined
}

export interface Transport {
  readonly format: Format
  send(call: Call): Promise<Reply>
}

const retryableStatuses = new Set([429, 502, 503, 504])
/** Error code of a 409: the server is still processing a request with the same idempotency key. */
const stillRunning = '1007'
const isRetryable = ({ status, code }: KontorError) =>
  retryableStatuses.has(status) || (status === 409 && code === stillRunning)

/** `pause` waits between attempts; tests replace it. */
export function createTransport(
  { baseUrl, tokens, format = 'json', attempts = 5, headers = {} }: ClientOptions,
  pause: (milliseconds: number) => Promise<void> = sleep,
): Transport {
  const attemptCall = async (call: Call, forceRefresh: boolean) =>
    fetch(baseUrl + call.path, {
      method: call.method,
      headers: {
        ...headers,
        authorization: `Bearer ${await tokens(forceRefresh)}`,
        ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: call.body }),
      ...(call.signal !== undefined && { signal: call.signal }),
    })
  return {
    format: formats[format],
    async send(call) {
      let isTokenRejected = false
      for (let attempt = 1; ; attempt++) {
        const isLast = attempt >= attempts
        const reply = await attemptCall(call, isTokenRejected).catch((error: unknown) => {
          if (isLast || call.signal?.aborted) throw error
        })
        if (reply?.ok) return reply
        if (reply?.status === 401 && !isTokenRejected) {
          isTokenRejected = true
          continue
        }
        const error = reply && (await toError(reply))
        if (error && (isLast || !isRetryable(error))) throw error
        await pause(retryDelay(attempt, reply?.headers.get('retry-after') ?? null))
        call.signal?.throwIfAborted()
      }
    },
  }
}

const maxDelay = 30_000

/** Milliseconds until the next attempt: as the server asks, otherwise exponential back-off with jitter. */
function retryDelay(attempt: number, retryAfterSeconds: string | null): number {
  const requested = Number(retryAfterSeconds) * 1000
  return Math.min(requested > 0 ? requested : 100 * 2 ** attempt * (0.5 + Math.random()), maxDelay)
}
