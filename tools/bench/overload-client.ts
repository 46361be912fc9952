/**
 * The greedy client of overload.ts: one user, 400 connections, requests at a steady rate. It does not honour Retry-After.
 * Sends its parent a message when it has the first reply, and how often it got which answer when the parent tells it to stop.
 */
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { retrieve } from './overload.ts'

const [url = '', token = '', rate = '0'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 400 })
const counts: Record<string, number> = {}
const begin = performance.now()
const over = new AbortController()
process.once('message', () => {
  over.abort()
  process.send!({ counts, seconds: (performance.now() - begin) / 1000 }, () => process.exit())
})

async function ask(): Promise<void> {
  const { status } = await retrieve(url, token, agent)
  if (Object.keys(counts).length === 0) process.send!('begun')
  counts[status] = (counts[status] ?? 0) + 1
}
for (let i = 0; !over.signal.aborted; i++) {
  const wait = begin + (i * 1000) / Number(rate) - performance.now()
  if (wait > 0) await pause(wait)
  void ask()
}
