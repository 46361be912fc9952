/** Memory, file descriptors and latency of the server while clients work, for runs that show that none of them grows. */
import { readdirSync, readFileSync } from 'node:fs'
import type { World } from './world.ts'

/** Of one part of a run. */
interface Part {
  /** Median of the resident memory of the server. */
  readonly megabytes: number
  /** Median of its open file descriptors. */
  readonly descriptors: number
  /** Of requests that were answered with success, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly requests: number
  /** The share of the processors that other virtual machines took; what it slows down is not the server's doing. */
  readonly stolen: number
  /** The paths with the highest 99th percentile, and that. */
  readonly slowest: string
}
/** The parts of a run, one after the other. The first one warms up. */
export type Figures = readonly Part[]

const every = 1000
const parts = 12
/** Parts with fewer requests say nothing about the 99th percentile. */
const leastRequests = 500

/** Without /proc there are no samples. */
export function sampleServer(world: World): { stop(): Figures | undefined } {
  const { pid } = world.server().child
  const samples: { at: number; megabytes: number; descriptors: number; ticks: Ticks }[] = []
  const begun = performance.now()
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      const descriptors = readdirSync(`/proc/${pid}/fd`).length
      samples.push({ at: performance.now(), megabytes: Number(kilobytes) / 1024, descriptors, ticks: readTicks() })
    } catch {
      // The process has ended: the scenario kills it.
    }
  }, every)
  const partOf = (from: number, to: number): Part | undefined => {
    const within = samples.filter(({ at }) => at >= from && at < to)
    const answered = world.latencies.filter(({ at }) => at >= from && at < to)
    const times = answered.map(({ ms }) => ms).toSorted((a, b) => a - b)
    if (within.length === 0 || times.length < leastRequests) return undefined
    const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
    return {
      megabytes: middle(within.map(({ megabytes }) => megabytes)),
      descriptors: middle(within.map(({ descriptors }) => descriptors)),
      p50: times[times.length >> 1]!,
      p99: times[Math.floor(times.length * 0.99)]!,
      requests: times.length,
      stolen: stolenBetween(within[0]!.ticks, within.at(-1)!.ticks),
      slowest: slowestOf(answered),
    }
  }
  return {
    stop() {
      clearInterval(timer)
      const end = performance.now()
      const length = (end - begun) / parts
      const all = Array.from({ length: parts }, (_, i) => partOf(begun + i * length, begun + (i + 1) * length))
      const whole = all.filter((part) => part !== undefined)
      return whole.length === parts && world.server().child.pid === pid ? whole : undefined
    },
  }
}

interface Ticks {
  readonly all: number
  readonly stolen: number
}
/** Of all processors since the machine was started. */
function readTicks(): Ticks {
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, n) => sum + n, 0), stolen: ticks[7] ?? 0 }
}
const stolenBetween = (from: Ticks, to: Ticks) => (to.stolen - from.stolen) / Math.max(to.all - from.all, 1)

/** Fewer requests have no 99th percentile. */
const leastOfPath = 50

function slowestOf(answered: World['latencies']): string {
  const routeOf = (path: string) =>
    path.split('?')[0]!.replaceAll(/\/[\w-]*\d[\w-]*(?=\/|$)/g, (part) => (/^\/v\d$/.test(part) ? part : '/…'))
  return [...Map.groupBy(answered, ({ path }) => routeOf(path))]
    .filter(([, all]) => all.length >= leastOfPath)
    .map(([route, all]) => {
      const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
      return { route, p99: times[Math.floor(times.length * 0.99)]! }
    })
    .toSorted((a, b) => b.p99 - a.p99)
    .slice(0, 4)
    .map(({ route, p99 }) => `${route} ${p99.toFixed(0)} ms`)
    .join(', ')
}
