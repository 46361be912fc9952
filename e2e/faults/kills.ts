/** Kills (kill -9) of everything that runs: server processes, their children, PostgreSQL and its backends. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { points } from './points.ts'
import type { Random } from './random.ts'
import { hasEnded, isReady, until, type World } from './world.ts'

const readyAgain = async (world: World, after: string): Promise<number> => {
  const begun = performance.now()
  await until(() => isReady(world), 60, `the server is ready after ${after}`)
  return performance.now() - begun
}

export async function killServer(world: World, random: Random): Promise<number> {
  const number = random.below(world.urls.length)
  await world.kill(number)
  count(world, 'server')
  return world.start(undefined, number)
}

export async function killPostgres(world: World): Promise<number> {
  kill(world, 'PostgreSQL', world.postgres.pid())
  return readyAgain(world, 'PostgreSQL was killed')
}

/** One process of PostgreSQL that serves a connection: PostgreSQL then ends all others and recovers. */
async function killBackend(world: World, random: Random): Promise<void> {
  const backends = await world.db
    .rows<{ pid: number }>(
      sql`select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    .catch(() => []) // it recovers from the last kill
  if (backends.length > 0) kill(world, 'backend of PostgreSQL', random.pick(backends).pid)
}

/** A child process of a server: it makes previews, hashes passwords, or builds a search index. */
export async function killChild(world: World, random: Random): Promise<undefined> {
  const servers = new Set(world.urls.map((_, number) => world.server(number).child.pid))
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && servers.has(parentOf(pid)))
  if (children.length > 0) kill(world, 'child process', Number(random.pick(children)))
  return undefined
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of the program, in parentheses, may contain spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1])
  } catch {
    return undefined // it has ended
  }
}

function kill(world: World, what: string, pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
    count(world, what)
  } catch {
    // it has ended
  }
}
const count = ({ kills }: World, what: string) => kills.set(what, (kills.get(what) ?? 0) + 1)

const most = 32
/**
 * Kills one to 32 processes within at most three seconds. Servers are started again at once, so that some are killed while they
 * start and while PostgreSQL recovers. Then waits until everything is ready.
 */
export async function killAnything(world: World, random: Random): Promise<number> {
  const starts = new Map<number, Promise<unknown>>()
  const start = (number: number) =>
    starts.set(
      number,
      world.start(undefined, number).catch(() => undefined),
    )
  const server = async () => {
    const number = random.below(world.urls.length)
    await world.kill(number)
    count(world, 'server')
    start(number)
  }
  const postgres = async () => kill(world, 'PostgreSQL', world.postgres.pid())
  const backend = () => killBackend(world, random)
  const child = () => killChild(world, random)
  const kinds = [server, server, postgres, backend, backend, child, child, child]
  for (let left = 1 + random.below(most); left > 0; left--) {
    await random.pick(kinds)()
    await pause(random.below(180))
  }
  const begun = performance.now()
  await until(() => world.db.row(sql`select 1 as one`), 60, 'PostgreSQL accepts connections')
  await Promise.all(starts.values())
  // A start may have failed without PostgreSQL.
  for (const number of starts.keys()) if (hasEnded(world, number)) await world.start(undefined, number)
  await readyAgain(world, 'some processes were killed')
  return performance.now() - begun
}

const names = Object.keys(points)
/** Arms the point that kills the next process, waits until it has, and starts another one with the next point armed. */
export async function killAtPoint(world: World, random: Random, n: number): Promise<number> {
  // The first process has no point.
  const end = performance.now() + (n === 0 ? 0 : 3000)
  while (!hasEnded(world) && performance.now() < end) await pause(20)
  await world.kill()
  count(world, 'server')
  const name = world.points?.[0] ?? random.pick(names)
  // The point may be reached during the start.
  return world.start({ [name]: { act: 'kill', at: 1 + random.below(4) } }).catch(() => 0)
}
