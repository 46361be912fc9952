/** CPU time and memory of a Kontor with everything that belongs to it: helper processes and the embedded PostgreSQL. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serversOf } from '../../server/src/adapters/postgres/embedded/processes.ts'
import type { BenchServer } from './server.ts'

/** The fields of /proc/<pid>/stat after the name; empty if the process has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** A process and its descendants. */
function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))[1])] as const)
  const found = [root]
  for (const pid of found) found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child))
  return found
}

/** CPU seconds of processes, with those of their ended children, in hundredths. */
export const cpuOfTree = (pid: number) => sum(treeOf(pid), cpuOfOne)
const cpuOfOne = (pid: number) => sum(statOf(pid).slice(11, 15), Number) / 100

/** CPU seconds so far of the server with its helpers, and of PostgreSQL. */
export function cpuOf({ pid, data }: BenchServer): { server: number; database: number } {
  const { server, database } = processesOf(pid, data)
  return { server: sum(server, cpuOfOne), database: sum(database, cpuOfOne) }
}

/** Resident megabytes of the server with its helpers, without PostgreSQL. Pages that processes share count once. */
export const memoryOf = ({ pid, data }: BenchServer) => sum(processesOf(pid, data).server, residentOf)

/** The proportional set size: every shared page is divided among its processes. */
function residentOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

function processesOf(pid: number, data: string) {
  const database = serversOf(join(data, 'cluster'))
  return { server: treeOf(pid).filter((one) => !database.includes(one)), database }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
