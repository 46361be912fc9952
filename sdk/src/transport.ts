/**
 * One call over HTTP: with a token, in a format, and again when that is safe.
 *
 * Reading calls are always safe to repeat. Writing calls carry an idempotency key, which makes them so: a repeat gets the
 * reply of the first. Repeated are: no answer, 429, 502, 503, 504, and 409 where it says that the first is still running;
 * after 401 once, with a new token.
 */
import { type Format, formats } from '@kontor/contract'
import { type KontorError, toError } from './errors.ts'
import type { TokenSource } from './tokens.ts'
import { fetch, type Reply, setTimeout, type Signal } from './surroundings.ts'

export interface ClientOptions {
  readonly baseUrl: string
  readonly tokens: TokenSource
  /** The format on the wire; values are the same in all of them. JSON by default. */
  readonly format?: keyof typeof formats
  /** How often a call is tried in all. */
  readonly attempts?: number
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Writes: the key under which the server remembers the reply. */
  readonly idempotencyKey?: string
  readonly signal?: Signal | undefined
}

export interface Transport {
  readonly format: Format
  send(call: Call): Promise<Reply>
}

const worthRepeating = new Set([429, 502, 503, 504])
/** The code of a 409 that means: the request with this idempotency key has not ended yet. */
const inFlight = '1007'
const isPassing = ({ status, code }: KontorError) => worthRepeating.has(status) || (status === 409 && code === inFlight)

export function createTransport({ baseUrl, tokens, format = 'json', attempts = 5 }: ClientOptions): Transport {
  const once = async (call: Call, fresh: boolean) =>
    fetch(baseUrl + call.path, {
      method: call.method,
      headers: {
        authorization: `Bearer ${await tokens(fresh)}`,
        ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: call.body }),
      ...(call.signal !== undefined && { signal: call.signal }),
    })
  return {
    format: formats[format],
    async send(call) {
      let refused = false
      for (let attempt = 1; ; attempt++) {
        const last = attempt >= attempts
        const reply = await once(call, refused).catch((error: unknown) => {
          if (last || call.signal?.aborted) throw error
        })
        if (reply?.ok) return reply
        if (reply?.status === 401 && !refused) {
          refused = true
          continue
        }
        const error = reply && (await toError(reply))
        if (error && (last || !isPassing(error))) throw error
        await pause(attempt, reply?.headers.get('retry-after') ?? null)
        call.signal?.throwIfAborted()
      }
    },
  }
}

/** As long as the server asks for, else longer each time, with some chance in it so that clients do not march in step. */
function pause(attempt: number, retryAfter: string | null): Promise<void> {
  const asked = Number(retryAfter) * 1000
  const milliseconds = asked > 0 ? asked : 100 * 2 ** attempt * (0.5 + Math.random())
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 30_000)))
}
