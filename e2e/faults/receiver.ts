/** A receiver of webhooks that can fail, hang and cut connections. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Followed } from './follower.ts'

export interface Receiver {
  readonly url: string
  /** Events that were answered with 200, in the order of their first arrival. */
  readonly taken: Map<string, Omit<Followed, 'id'>>
  /** Calls so far, however they were answered. */
  calls: number
  /** Chooses how the next call is answered. */
  answer: () => 'ok' | 'error' | 'cut' | 'hang' | 'late'
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer(async (request, reply) => {
    let body = ''
    try {
      for await (const piece of request) body += piece
    } catch {
      return
    }
    receiver.calls++
    const answer = receiver.answer()
    // The sender gives up first, or hears of it when it has gone on with something else.
    if (answer === 'hang') return
    if (answer === 'late') await pause(1000)
    if (answer === 'cut') return void request.socket.destroy()
    if (answer === 'error') return void reply.writeHead(503).end()
    const id = String(request.headers['webhook-id'])
    const { data } = JSON.parse(body) as { data: { id: number; action?: string } }
    const isLink = data.action === 'link' || data.action === 'unlink'
    if (!receiver.taken.has(id)) receiver.taken.set(id, { objectId: data.id, isLink })
    reply.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    taken: new Map(),
    calls: 0,
    answer: () => 'ok',
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
