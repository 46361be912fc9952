/**
 * The effect of one greedy user on the others: their throughput and latency while nobody else is there, and while one
 * user asks for four times what the server can do. The two take turns, so that a busy machine hits both; the median of
 * the turns counts.
 *
 * The greedy client is a process of its own that gets only the CPU nobody else wants: a real one would be elsewhere.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Latency, latencyOf, median, medians } from './login.ts'
import type { Table } from './measure.ts'
import { type BenchServer, signIn } from './server.ts'

const users = 8
/** The part of the capacity that the others use. */
const ordinaryLoad = 0.4
const greedyFactor = 4
/** Of each turn, and of the time before it that does not count. */
const seconds = 4
const settling = 2

interface Turn extends Latency {
  /** Replies with 200 a second. */
  readonly rate: number
}

export async function overload(server: BenchServer, rounds = 5): Promise<Table> {
  await persistKeywords(server)
  const tokens: string[] = []
  for (let i = 0; i <= users; i++) tokens.push(await newUser(server, `overload-${i}`))
  const [greedy, ...others] = tokens as [string, ...string[]]
  const agent = new Agent({ keepAlive: true })
  const ask = (i: number) => retrieve(server.url, others[i % users]!, agent)
  await capacityOf(ask, 3)
  const capacity = await capacityOf(ask, 4)
  const crowd = startOthers(capacity * ordinaryLoad, ask)
  const turns: { quiet: Turn; loaded: Turn }[] = []
  const statuses: Record<string, number> = {}
  let spent = 0
  for (let round = 0; round < rounds; round++) {
    const quiet = await crowd.measure()
    const client = await startGreedy(server.url, greedy, capacity * greedyFactor)
    const loaded = await crowd.measure()
    const { counts, seconds: took } = await client.stop()
    for (const [status, count] of Object.entries(counts)) statuses[status] = (statuses[status] ?? 0) + count
    spent += took
    turns.push({ quiet, loaded })
  }
  await crowd.stop()
  agent.destroy()
  const sent = Object.values(statuses).reduce((sum, count) => sum + count, 0) / spent
  return toTable(turns, capacity, sent, statuses)
}

function toTable(
  turns: readonly { quiet: Turn; loaded: Turn }[],
  capacity: number,
  sent: number,
  statuses: Record<string, number>,
): Table {
  const of = (kind: 'quiet' | 'loaded') => turns.map((turn) => turn[kind])
  const rates = (kind: 'quiet' | 'loaded') => median(of(kind).map(({ rate }) => rate))
  const rateRatio = median(turns.map(({ quiet, loaded }) => loaded.rate / quiet.rate))
  const latencyRatio = median(turns.map(({ quiet, loaded }) => loaded.p99 / quiet.p99))
  const show = ({ p50, p99 }: Latency) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  const crowd = `one user sends ${sent.toFixed(0)} requests a second more (${answers.join(', ')})`
  const quiet = `${users} users, ${(ordinaryLoad * 100).toFixed(0)} % of the capacity of ${capacity.toFixed(0)} a second`
  return {
    title:
      'Other users beside a greedy one: replies a second (0.80 is the least allowed) and p99 (0.50 is the least allowed)',
    baseline: quiet,
    rows: [
      { what: quiet, rate: `${rates('quiet').toFixed(0)}/s`, ratio: 1 },
      { what: crowd, rate: `${rates('loaded').toFixed(0)}/s`, ratio: rateRatio },
      { what: quiet, rate: show(medians(of('quiet'))), ratio: 1 },
      { what: crowd, rate: show(medians(of('loaded'))), ratio: 1 / latencyRatio },
    ],
  }
}

/** Replies a second when there is always something to do. */
async function capacityOf(ask: (i: number) => Promise<Answer>, forSeconds: number): Promise<number> {
  const begin = performance.now()
  let count = 0
  const work = async () => {
    while (performance.now() - begin < forSeconds * 1000) await ask(count++)
  }
  await Promise.all(Array.from({ length: 2 * users }, work))
  return (count / (performance.now() - begin)) * 1000
}

/** The other users ask at a steady rate, whether or not earlier requests are answered, before, during and after each turn. */
function startOthers(rate: number, ask: (i: number) => Promise<Answer>) {
  const over = new AbortController()
  let pending: Promise<Answer>[] = []
  const run = async () => {
    const begin = performance.now()
    for (let i = 0; !over.signal.aborted; i++) {
      await pause(Math.max(0, begin + (i * 1000) / rate - performance.now()))
      pending.push(ask(i))
    }
  }
  const running = run()
  return {
    async measure(): Promise<Turn> {
      await pause(settling * 1000)
      pending = []
      await pause(seconds * 1000)
      const asked = pending
      pending = []
      const good = (await Promise.all(asked)).filter(({ status }) => status === 200)
      return { rate: good.length / seconds, ...latencyOf(good.map(({ ms }) => ms)) }
    },
    async stop() {
      over.abort()
      await running
      await Promise.all(pending)
    },
  }
}

/** Status 0: the connection broke. */
interface Answer {
  readonly status: number
  readonly ms: number
}

const body = JSON.stringify({ path: '/overload' })

export function retrieve(url: string, token: string, agent: Agent): Promise<Answer> {
  const begin = performance.now()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - begin })
    const call = request(`${url}/api/core/v1/common/keywords/retrieve`, { method: 'POST', agent, headers }, (reply) => {
      const { statusCode = 0 } = reply
      reply
        .resume()
        .on('end', () => end(statusCode))
        .on('error', () => end(0))
    })
    call.on('error', () => end(0)).end(body)
  })
}

/** Resolves when the client has got its first reply. */
async function startGreedy(url: string, token: string, rate: number) {
  const client = fork(new URL('./overload-client.ts', import.meta.url), [url, token, String(rate)])
  setPriority(client.pid!, constants.priority.PRIORITY_LOW)
  await once(client, 'message')
  return {
    async stop() {
      client.send('stop')
      const [result] = (await once(client, 'message')) as [{ counts: Record<string, number>; seconds: number }]
      return result
    },
  }
}

async function persistKeywords(server: BenchServer): Promise<void> {
  const kwd = Array.from({ length: 40 }, (_, i) => ({
    name: { itm: [{ value: `overload-${i}` }] },
    parentPath: '/overload',
  }))
  const parent = { name: { itm: [{ value: 'overload' }] } }
  for (const some of [[parent], kwd]) {
    const message = JSON.stringify({ schemaVersion: '5.6.0', kwds: { kwd: some } })
    const reply = await server.post('/api/core/v1/common/keywords/persist', message, {
      'content-type': 'application/json',
    })
    const text = await reply.text()
    if (!reply.ok || text.includes('"ERROR"')) throw new Error(text)
  }
}

async function newUser(server: BenchServer, name: string): Promise<string> {
  const account = JSON.stringify({ name, roles: ['user'] })
  const reply = await server.post('/api/v1/identity/users', account, { 'content-type': 'application/json' })
  if (!reply.ok) throw new Error(await reply.text())
  const { password } = (await reply.json()) as { password: string }
  return signIn(server.url, password, name)
}
