/**
 * A small load balancer for tests, as one in front of several processes would be: it asks /readyz, passes requests to the
 * ready processes in turn, and keeps connections open.
 *
 * A request that a process did not answer is sent to another one only if that is safe: it was never sent, because the
 * connection was refused, or it may be repeated by its method or by its Idempotency-Key. Nothing is repeated once a byte of
 * the reply has arrived.
 */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Proxy {
  readonly url: string
  /** Requests without a reply that could not be repeated, and replies that broke. */
  readonly lost: string[]
  /** How many requests were repeated. */
  repeated(): number
  /** Sends requests to these processes from now on. */
  use(urls: readonly string[]): void
  close(): Promise<void>
}

const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
const askEvery = 200

export async function startProxy(): Promise<Proxy> {
  const isReady = new Map<string, boolean>()
  const lost: string[] = []
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let repeated = 0
  const next = (tried: ReadonlySet<string>) => {
    const ready = [...isReady].flatMap(([url, ready]) => (ready && !tried.has(url) ? [url] : []))
    return ready[turn++ % ready.length]
  }

  const forward = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await buffer(request)
    const tried = new Set<string>()
    for (let target = next(tried); target !== undefined; target = next(tried)) {
      tried.add(target)
      const error = await attempt(target, request, body, reply)
      if (error === undefined) return
      if (!mayRepeat(request, error)) return lose(request, reply, `${error.code ?? error.message}`)
      repeated++
    }
    lose(request, reply, 'no process is ready')
  }
  const lose = ({ method, url }: IncomingMessage, reply: ServerResponse, reason: string) => {
    lost.push(`${method} ${url}: ${reason}`)
    reply.writeHead(502).end(reason)
  }
  /** Returns the error if no byte of a reply has arrived. */
  const attempt = (target: string, request: IncomingMessage, body: Buffer, reply: ServerResponse) =>
    new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      const { method, url, headers, socket } = request
      const forwarded = { ...headers, 'x-forwarded-for': headers['x-forwarded-for'] ?? socket.remoteAddress }
      delete (forwarded as Record<string, unknown>)['transfer-encoding']
      const options = { method, agent, headers: { ...forwarded, 'content-length': body.length } }
      const upstream = send(new URL(url!, target), options, (answer) => {
        const { connection: _, 'keep-alive': _keep, ...rest } = answer.headers
        reply.writeHead(answer.statusCode!, rest)
        answer.pipe(reply)
        answer.once('error', () => {
          if (!reply.destroyed) lost.push(`${method} ${url}: the reply broke`)
          reply.destroy()
        })
        answer.once('close', () => resolve(undefined))
      })
      upstream.once('error', (error) => resolve(error))
      reply.once('close', () => upstream.destroy())
      upstream.end(body)
    })

  const server = createServer((request, reply) => void forward(request, reply).catch(() => reply.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const timer = setInterval(() => {
    for (const url of isReady.keys()) void ask(url).then((ready) => isReady.has(url) && isReady.set(url, ready))
  }, askEvery)
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    lost,
    repeated: () => repeated,
    use(urls) {
      isReady.clear()
      for (const url of urls) isReady.set(url, true)
    },
    async close() {
      clearInterval(timer)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

const mayRepeat = ({ method, headers }: IncomingMessage, { code }: NodeJS.ErrnoException) =>
  code === 'ECONNREFUSED' || idempotent.has(method!) || headers['idempotency-key'] !== undefined

const ask = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    async (reply) => {
      await reply.arrayBuffer()
      return reply.ok
    },
    () => false,
  )
