/** A receiver of webhooks for tests, which can leave calls unanswered. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Receiver {
  readonly url: string
  /** The calls so far, by their webhook-id. */
  readonly calls: { readonly id: string; readonly subject: string }[]
  /** While it is false, calls are not answered. */
  answers: boolean
}

export async function openReceiver(answers = true): Promise<Receiver> {
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { subject = '' } = JSON.parse(body) as { subject?: string }
    receiver.calls.push({ id: String(request.headers['webhook-id']), subject })
    if (receiver.answers) reply.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const receiver: Receiver = { url, calls: [], answers }
  return receiver
}
