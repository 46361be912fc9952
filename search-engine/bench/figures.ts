/** Measurements of the search benchmark. */
import { existsSync, readFileSync } from 'node:fs'

/** CPU time of this process in milliseconds, all threads. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The same, including child processes that have ended; these are measured in ticks of 10 ms. */
export function cpuTimeOfAll(): number {
  const [, , , , , , , , , , , , , user = 0, system = 0] = statOf('self')
  return cpuTime() + (user + system) * 10
}

/** The numbers of /proc/<pid>/stat from the third field on; empty if there is no such file. */
function statOf(pid: string): number[] {
  const path = `/proc/${pid}/stat`
  return existsSync(path) ? readFileSync(path, 'latin1').split(') ')[1]!.split(' ').map(Number) : []
}

/** Samples the memory of this process and its children; the result returns the maximum in MB. */
export function watchMemory(): () => number {
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, residentMemory())), 100).unref()
  return () => {
    clearInterval(timer)
    return most
  }
}
function residentMemory(): number {
  const children = `/proc/self/task/${process.pid}/children`
  const started = existsSync(children) ? readFileSync(children, 'latin1').trim().split(' ') : []
  const pages = started.filter(Boolean).map((pid) => statOf(pid)[21] ?? 0)
  return (process.memoryUsage.rss() + pages.reduce((sum, each) => sum + each * 4096, 0)) / 1e6
}

/** Resolves when this process has been idle for a second. */
export async function idle(): Promise<void> {
  for (let quiet = 0; quiet < 5;) {
    const before = cpuTime()
    await new Promise((resolve) => setTimeout(resolve, 200))
    quiet = cpuTime() - before < 5 ? quiet + 1 : 0
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
