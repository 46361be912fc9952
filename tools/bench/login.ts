/**
 * The effect of a login attack on other users: the latency of an ordinary call while nobody attacks, and while wrong
 * passwords come in at 200 a second from many addresses. The two take turns, so that a busy machine hits both; the median
 * of the turns counts.
 *
 * The attacker is a process of its own that gets only the CPU nobody else wants: a real one would sit elsewhere.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Table } from './measure.ts'
import type { BenchServer } from './server.ts'

/** Calls a second whose latency is measured. */
const callRate = 50

interface Attack {
  rounds: number
  /** Of quiet, and of attack, in each round. */
  seconds: number
  /** Attempts a second. */
  rate: number
}
interface AttackResult {
  quiet: Latency
  attacked: Latency
  /** p99 under attack against p99 of the quiet before it, the median of the rounds. */
  ratio: number
  /** How many attempts were answered with which status. */
  statuses: Record<string, number>
  attemptsPerSecond: number
  /** Ordinary calls that were not answered with 200. */
  failed: number
}
export interface Latency {
  p50: number
  p99: number
}

export async function login(server: BenchServer): Promise<Table[]> {
  const { quiet, attacked, ratio, statuses, attemptsPerSecond } = await attackLogin(server, {
    rounds: 5,
    seconds: 6,
    rate: 200,
  })
  const show = ({ p50, p99 }: Latency) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return [
    {
      title: 'An ordinary call during a login attack (p99 against p99; 0.50 is the least allowed)',
      baseline: 'nobody attacks',
      rows: [
        { what: 'nobody attacks', rate: show(quiet), ratio: 1 },
        {
          what: `${attemptsPerSecond.toFixed(0)} wrong passwords a second (${answers.join(', ')})`,
          rate: show(attacked),
          ratio: 1 / ratio,
        },
      ],
    },
  ]
}

export async function attackLogin(server: BenchServer, { rounds, seconds, rate }: Attack): Promise<AttackResult> {
  const turns: { quiet: Latency; attacked: Latency }[] = []
  const statuses: Record<string, number> = {}
  let failed = 0
  const call = async () => {
    const begin = performance.now()
    const headers = { 'content-type': 'application/json' }
    const reply = await server.post('/api/core/v1/common/locales/retrieve', '{"mode":"ALL"}', headers)
    await reply.arrayBuffer()
    if (reply.status !== 200) failed++
    return performance.now() - begin
  }
  await steadily(callRate, 3, call)
  for (let round = 0; round < rounds; round++) {
    await pause(1000)
    const quiet = latencyOf(await steadily(callRate, seconds, call))
    const attack = startAttack(server.url, seconds + 1, rate)
    await pause(500) // until it has begun
    const attacked = latencyOf(await steadily(callRate, seconds, call))
    for (const [status, count] of Object.entries(await attack)) statuses[status] = (statuses[status] ?? 0) + count
    turns.push({ quiet, attacked })
  }
  const attempts = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return {
    quiet: medians(turns.map(({ quiet }) => quiet)),
    attacked: medians(turns.map(({ attacked }) => attacked)),
    ratio: median(turns.map(({ quiet, attacked }) => attacked.p99 / quiet.p99)),
    statuses,
    attemptsPerSecond: attempts / (rounds * (seconds + 1)),
    failed,
  }
}

async function startAttack(url: string, seconds: number, rate: number): Promise<Record<string, number>> {
  const attacker = fork(new URL('./login-attacker.ts', import.meta.url), [url, String(seconds), String(rate)])
  setPriority(attacker.pid!, constants.priority.PRIORITY_LOW)
  const [statuses] = (await once(attacker, 'message')) as [Record<string, number>]
  return statuses
}

/** Starts `work` at a steady rate, whether or not earlier ones are done, and waits for all. */
export async function steadily<T>(
  perSecond: number,
  forSeconds: number,
  work: (i: number) => Promise<T>,
): Promise<T[]> {
  const started: Promise<T>[] = []
  const begin = performance.now()
  for (let i = 0; i < perSecond * forSeconds; i++) {
    const wait = begin + (i * 1000) / perSecond - performance.now()
    if (wait > 0) await pause(wait)
    started.push(work(i))
  }
  return Promise.all(started)
}

export const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
export const latencyOf = (millis: readonly number[]): Latency => {
  const sorted = millis.toSorted((a, b) => a - b)
  return { p50: sorted[sorted.length >> 1]!, p99: sorted[Math.floor(sorted.length * 0.99)]! }
}
export const medians = (all: readonly Latency[]): Latency => ({
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
})
