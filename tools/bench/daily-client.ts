/** A cheap HTTP client for benchmarks: it shares the cores with the server, and `fetch` takes twice the CPU time. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Sends a message and returns the text of the reply. The path may have a method before it: `GET /items`. */
export type Ask = (path: string, body: object) => Promise<string>

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Keeps its connections; the server closes idle ones after five seconds. */
export function caller(url: string, headers: Record<string, string>): (path: string, body: object) => Promise<Answer> {
  const agent = new Agent({ keepAlive: true, timeout: 4000 })
  return async (address, body) => {
    const [path, method = 'POST'] = address.split(' ').toReversed() as [string, string?]
    const message =
      method === 'GET' ? Buffer.alloc(0) : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const own = { ...headers, 'content-type': 'application/json', 'content-length': message.length }
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url + path, { agent, method, headers: own }, resolve)
        .once('error', reject)
        .end(message)
    })
    return { status: reply.statusCode!, body: await text(reply) }
  }
}

export function asker(url: string, headers: Record<string, string>): Ask {
  const call = caller(url, headers)
  return async (path, body) => {
    const { status, body: answer } = await call(path, body)
    if (status !== 200 || answer.includes('"ERROR"')) throw new Error(`${path}: ${status} ${answer.slice(0, 500)}`)
    return answer
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
