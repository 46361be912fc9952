/**
 * The greedy client of overload.ts: one user, 400 connections, requests at a steady rate as long as a connection is free. It
 * does not honour Retry-After. Sends its parent a message when it has the first reply, and how often it got which answer when
 * the parent tells it to stop.
 */
import { Agent } from 'node:http'
import { retrieve } from './overload.ts'

const [url = '', token = '', rate = '0'] = process.argv.slice(2)
const connections = 400
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const counts: Record<string, number> = {}
const begin = performance.now()
let inFlight = 0
process.once('message', () => {
  process.send!({ counts, seconds: (performance.now() - begin) / 1000 }, () => process.exit())
})

async function ask(): Promise<void> {
  inFlight++
  const { status } = await retrieve(url, token, agent)
  inFlight--
  if (Object.keys(counts).length === 0) process.send!('begun')
  counts[status] = (counts[status] ?? 0) + 1
}
let due = 0
let last = begin
setInterval(() => {
  const now = performance.now()
  due = Math.min(connections, due + ((now - last) * Number(rate)) / 1000)
  last = now
  for (; due >= 1 && inFlight < connections; due--) void ask()
}, 2)
