/** A small HTTP server on this machine that answers the SDK as a test dictates and records the requests it gets. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}
interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, any other value as JSON. */
  readonly body?: unknown
}

/** `lost` closes the connection without a reply. The server stops when the test ends. */
export async function startLocalServer(
  answer: (request: Received, count: number) => Answer | 'lost' | Promise<Answer | 'lost'>,
): Promise<{ readonly url: string; readonly requests: readonly Received[] }> {
  const requests: Received[] = []
  const server = createServer(async (request, reply) => {
    const { method = '', url = '', headers } = request
    const received = { method, path: url, headers, body: await buffer(request) }
    const count = requests.push(received)
    const given = await answer(received, count)
    if (given === 'lost') return void request.socket.destroy()
    reply.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
    reply.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

export const formOf = ({ headers, body }: Received): Promise<FormData> =>
  new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } }).formData()

/** The body of a failed call, as the Core API writes it. */
export const coreError = (code: string, ...messages: string[]) => ({
  details: { itm: [{ key: 'supportId', value: 'a-support-id' }] },
  issues: [
    {
      itm: [{ key: 'code', value: code }],
      itms: messages.map((value) => ({ itm: [{ key: 'errorMessage', value }] })),
    },
  ],
})
