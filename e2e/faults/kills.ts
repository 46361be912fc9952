/** Kills (kill -9) of everything that runs: server processes, their children, PostgreSQL and its backends. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { type Point, points, pointsOf } from './points.ts'
import type { Random } from './random.ts'
import { hasEnded, increase, until, type World } from './world.ts'

export async function killServer(world: World, random: Random): Promise<number> {
  const number = random.below(world.urls.length)
  const since = performance.now()
  await endServer(world, number, 'server')
  await world.start(number)
  return since
}

export async function killPostgres(world: World): Promise<number | false> {
  const since = performance.now()
  return kill(world, { what: 'PostgreSQL', pid: world.postgres.pid() }) && since
}

/** A child process of a server: it makes previews, hashes passwords, or builds a search index. */
export async function killChild(world: World, random: Random): Promise<number | false> {
  const { child } = livingIn(world, new Set())
  return child.length > 0 && kill(world, random.pick(child)) && performance.now()
}

/** A process that ended by itself is not counted. */
async function endServer(world: World, number: number, what: string): Promise<void> {
  if (!hasEnded(world, number)) increase(world.kills, what)
  await world.kill(number)
}

function kill(world: World, { what, pid }: Target): boolean {
  if (!isAlive(pid)) return false
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return false // it has ended just now
  }
  increase(world.kills, what)
  return true
}

interface Target {
  readonly what: string
  readonly pid: number
  /** Of a server. */
  readonly number?: number
}

/** Everything that runs, but for the processes that were killed a moment ago. */
function livingIn(
  world: World,
  killed: ReadonlySet<number>,
): Record<'server' | 'postgres' | 'backend' | 'child', Target[]> {
  const isTarget = ({ pid }: Target) => !killed.has(pid) && isAlive(pid)
  const server = world.urls
    .map((_, number) => ({ what: 'server', pid: world.server(number).child.pid!, number }))
    .filter((one) => isTarget(one) && !hasEnded(world, one.number))
  const pid = world.postgres.pid()
  const processes = childrenOf(pid).map((pid) => ({ pid, title: titleOf(pid) }))
  const isRecovering = processes.some(({ title }) => title.includes('startup'))
  const database = new URL(world.env.DATABASE_URL!).pathname.slice(1)
  return {
    server,
    postgres: [{ what: isRecovering ? 'PostgreSQL while it recovered' : 'PostgreSQL', pid }].filter(isTarget),
    backend: processes
      .filter(({ title }) => title.includes(` ${database} `))
      .map(({ pid }) => ({ what: 'backend of PostgreSQL', pid }))
      .filter(isTarget),
    child: server.flatMap(({ pid }) => childrenOf(pid).map((pid) => ({ what: 'child process', pid }))).filter(isTarget),
  }
}

const textOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // it has ended
  }
}
/** A process that has ended counts as dead also before its parent has noticed. */
const isAlive = (pid: number) => /\) [^ZX] /.test(textOf(`/proc/${pid}/stat`))
const titleOf = (pid: number) => textOf(`/proc/${pid}/cmdline`)
function childrenOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`
  const threads = existsSync(folder) ? readdirSync(folder) : []
  return threads.flatMap((thread) => textOf(`${folder}/${thread}/children`).split(' ').filter(Boolean).map(Number))
}

const most = 32
const kinds = ['server', 'server', 'postgres', 'backend', 'backend', 'child', 'child', 'child'] as const
/** Seconds in which PostgreSQL recovers. A busy machine has other work. */
const recovers = 90
/**
 * Kills one to 32 processes that run, one after the other, with pauses of up to 180 milliseconds. Servers are started again
 * at once, so that some are killed while they start and while PostgreSQL recovers. Returns when the last one was killed.
 */
export async function killAnything(world: World, random: Random): Promise<number> {
  const starts = new Map<number, Promise<unknown>>()
  const killed = new Set<number>()
  const isStarted = (number: number) => world.isStarted(number)
  for (let left = 1 + random.below(most); left > 0; left--) {
    const living = livingIn(world, killed)
    const some = kinds.filter((kind) => living[kind].length > 0)
    // Often nothing else runs, and then the next kills would all meet servers that have hardly begun.
    const areAllStarting =
      some.every((kind) => kind === 'server') && !living.server.some((one) => isStarted(one.number!))
    if (areAllStarting && random.chance(0.5)) {
      await pause(random.below(180))
      left++
      continue
    }
    if (some.length > 0) {
      const target = random.pick(living[random.pick(some)])
      const { number } = target
      if (number === undefined) {
        kill(world, target)
      } else {
        await endServer(world, number, isStarted(number) ? 'server' : 'server while it started')
        starts.set(
          number,
          world.start(number).catch(() => undefined),
        )
      }
      killed.add(target.pid)
    }
    await pause(random.below(180))
  }
  const since = performance.now()
  await until(() => world.db.row(sql`select 1 as one`), recovers, 'PostgreSQL accepts connections')
  await Promise.all(starts.values())
  // A start may have failed without PostgreSQL.
  const ended = [...starts.keys()].filter((number) => hasEnded(world, number))
  await Promise.all(ended.map((number) => world.start(number)))
  return since
}

const namesOf = ({ points, places }: World) => points ?? pointsOf(places.has('files'))
/** Seconds in which clients reach a fail point, of which most work in its area. A busy machine has other work. */
const reach = 40

const isReached = ({ counts }: World, name: string) => counts.has(`fail point reached: ${name}`)

/**
 * Lets the server kill itself at a fail point, one after the other, and then at those that were not reached. False if no client
 * has led it there.
 */
export async function killAtPoint(world: World, random: Random, n: number): Promise<number | false> {
  const all = namesOf(world)
  const missed = n < all.length ? [] : all.filter((name) => !isReached(world, name))
  const some = missed.length > 0 ? missed : all
  // Short runs with other seeds meet other points.
  const name = some[(world.seed + n) % some.length]!
  const { area, command }: Point = points[name]!
  const { point: file } = world.files
  // The first time at once, later at one of the first four times.
  writeFileSync(`${file}.new`, `${name}|${isReached(world, name) || world.points ? 1 + random.below(4) : 1}|${n}`)
  renameSync(`${file}.new`, file)
  const isThere = () => existsSync(`${file}.reached`)
  world.focus = area
  const target = join(world.data, '..', `backup-${world.epoch}`)
  const running = command && world.command(...command, ...(command[0] === 'backup' ? [target] : []))
  await until(isThere, reach, name).catch(() => undefined)
  world.focus = undefined
  const since = performance.now()
  const wasReached = isThere()
  for (const one of [file, `${file}.reached`]) rmSync(one, { force: true })
  if (running) await running.end('SIGKILL')
  increase(world.counts, `fail point ${wasReached ? 'reached' : 'not reached'}: ${name}`)
  if (!wasReached) return false
  increase(world.kills, running ? 'command' : 'server')
  if (running) {
    if (existsSync(join(target, 'manifest.json')))
      world.seen.push('a backup that was killed before its end has a manifest')
    return since
  }
  const ended = () => world.urls.findIndex((_, number) => hasEnded(world, number))
  await until(() => ended() >= 0, 10, `the server ends at the fail point ${name}`)
  await world.start(ended())
  return since
}

/** Every fail point was reached, if the run was long enough. */
export function judgePoints(world: World): void {
  const tried = (name: string) => world.counts.has(`fail point not reached: ${name}`)
  const names = namesOf(world)
  if (world.points || !names.every((name) => tried(name) || isReached(world, name))) return
  for (const name of names) if (!isReached(world, name)) world.seen.push(`the fail point ${name} was never reached`)
}
