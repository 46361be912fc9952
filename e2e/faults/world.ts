/**
 * The system under test and everything around it: PostgreSQL, a proxy in front of it, a receiver of webhooks, and one or
 * several server processes that can be killed and started again on the same port.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect, type Database } from '../../server/src/adapters/postgres/db.ts'
import { freePort } from '../../server/src/process/free-port.ts'
import { administer, withDatabase } from '../../server/test/database.ts'
import { signIn } from '../../server/test/token.ts'
import { type Kontor, spawnKontor, whenReady } from '../kontor.ts'
import { bugs } from './bugs.ts'
import type { Followed } from './follower.ts'
import type { Plan } from './inject.ts'
import { type Line, openLine } from './line.ts'
import { openPlaces, type Place, type PlaceName, tokenOf } from './places.ts'
import { type Postgres, template } from './postgres.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

export const password = 'a quiet heron by the weir'
const inject = new URL('./inject.ts', import.meta.url).href
const cli = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

export interface World {
  readonly seed: number
  readonly data: string
  readonly db: Database
  readonly postgres: Postgres
  /** The connections of the server to PostgreSQL. */
  readonly line: Line
  /** The disk of the data folder, if it can be filled. */
  readonly disk: SmallDisk | undefined
  /** Files and search indexes that are on servers of their own. */
  readonly places: ReadonlyMap<PlaceName, Place>
  readonly receiver: Receiver
  /** The addresses of the processes. */
  readonly urls: readonly string[]
  /** The settings of the first process, for commands of `kontor` on the same data. */
  readonly env: Record<string, string>
  readonly files: Readonly<Record<'control' | 'journal' | 'clock' | 'point' | 'feeds', string>>
  /** The tokens of users, by name. */
  readonly tokens: Map<string, string>
  /** The fail points to use, if not all. */
  readonly points: readonly string[] | undefined
  /** The area in which most clients work, if it is named. */
  focus: string | undefined
  /** Violations that were seen during a fault. */
  readonly seen: string[]
  /** Figures of the run: each text with a number. */
  readonly counts: Map<string, number>
  /** Processes whose end is not a violation, because the harness ended them or took something from them. */
  readonly mayEnd: WeakSet<Kontor>
  /** Whether a process, by its number, is of the older version at its next start. */
  readonly isOld: boolean[]
  /** Seconds in which what goes on after a reply must end. Jobs that were killed several times wait before they run again. */
  readonly timeout: number
  /** How many of what were killed. */
  readonly kills: Map<string, number>
  /** How often the clock of the server was set. */
  jumps: number
  /** Counts the faults so far: objects of one epoch meet at most one fault. */
  epoch: number
  /** The events that a client of the change feed received (follower.ts), and its position. */
  readonly followed: Followed[]
  position: string
  /** Requests that were answered with success: which, when, and after how many milliseconds. */
  readonly latencies: { readonly path: string; readonly at: number; readonly ms: number }[]
  /** A process, by its number; the first one by default. Files, disk faults and fail points are those of the first. */
  server(number?: number): Kontor
  /** Lets all connections lead to another port of PostgreSQL. */
  redirect(port: number): void
  /** Starts a process and waits until it is ready. */
  start(number?: number): Promise<void>
  /** Ends a process, by kill -9 unless another signal is given. */
  kill(number?: number, signal?: NodeJS.Signals): Promise<void>
  /** When the first process was started last, in milliseconds of the clock. */
  startedAt(): number
  /** Whether the process, by its number, has been ready since its start. */
  isStarted(number: number): boolean
  /** Notes processes that ended by themselves. */
  noteCrashes(): void
  /** Starts a command of `kontor` on the same data, as a process of its own. */
  command(...args: string[]): Kontor
  close(): Promise<void>
}

export interface WorldOptions {
  /** Of the faults that happen within the server. */
  readonly seed?: number
  readonly bug?: string | undefined
  /** How many processes share the database and the files; one by default. */
  readonly processes?: number | undefined
  /** The folder of an older version (versions.ts), with which all processes begin. */
  readonly old?: string | undefined
  /** Servers behind a proxy of their own (places.ts). */
  readonly places?: readonly PlaceName[]
  /** Nothing stands between the server and its database, disk and clock. */
  readonly isDirect?: boolean
  /** The server has its fail points (points.ts). */
  readonly hasPoints?: boolean
  /** The data folder is on a disk that can be filled. */
  readonly hasSmallDisk?: boolean
}

export async function openWorld(postgres: Postgres, options: WorldOptions = {}): Promise<World> {
  const { seed = 0, bug, processes = 1, old, isDirect = false, hasPoints = false, hasSmallDisk = false } = options
  const disk = hasSmallDisk ? mountSmallDisk('256m') : undefined
  const places = await openPlaces(options.places ?? [])
  const folder = mkdtempSync(join(tmpdir(), 'kontor-faults-'))
  const data = join(disk?.folder ?? folder, 'data')
  const files = {
    control: join(folder, 'control'),
    journal: join(folder, 'journal'),
    clock: join(folder, 'clock'),
    point: join(folder, 'point'),
    feeds: join(folder, 'feeds'),
  }
  mkdirSync(files.feeds)
  const name = `faults_${process.pid}_${Math.random().toString(36).slice(2)}`
  // PostgreSQL may still recover from the last scenario.
  await until(() => administer(postgres.url, 'select 1').then(() => true), 60, 'PostgreSQL accepts connections')
  // An older version begins with the schema that it knows.
  const from = old === undefined ? `${template} strategy file_copy` : `template0 encoding 'UTF8'`
  await administer(postgres.url, `create database ${name} template ${from}`)
  const connectionString = withDatabase(postgres.url, name)
  const first = Number(new URL(postgres.url).port)
  const [line, ours] = [await openLine(first), await openLine(first)]
  // The checker compares whole tables.
  const db = connect({ connectionString: ours.through(connectionString), max: 3, statement_timeout: 0 })
  const receiver = await openReceiver()
  const ports = await Promise.all(Array.from({ length: processes }, () => freePort('127.0.0.1')))
  const urls = ports.map((port) => `http://localhost:${port}`)
  const env = {
    KONTOR_DATA: data,
    KONTOR_PORT: String(ports[0]),
    KONTOR_BASE_URL: urls[0]!,
    KONTOR_ADMIN_PASSWORD: password,
    KONTOR_MASTER_KEY: 'a master key for tests, which is not secret',
    KONTOR_WEBHOOK_PRIVATE: 'true',
    KONTOR_WEBHOOK_RETRY: '1',
    KONTOR_WEBHOOK_SECONDS: '3',
    KONTOR_SEARCH_THREADS: '1',
    KONTOR_BLOB_GRACE_MINUTES: '0',
    KONTOR_ARCHIVE: join(data, 'archive'),
    KONTOR_FEED_FOLDERS: files.feeds,
    KONTOR_FEED_RETRY: '1',
    KONTOR_FEED_TRIES: '50',
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/kontor', import.meta.url)),
    DATABASE_URL: isDirect ? connectionString : line.through(connectionString),
    ...Object.assign({}, ...[...places.values()].map((place) => place.env)),
  }
  const running: Kontor[] = []
  let starts = 0
  const planOf = (number: number): Plan => ({
    ...(bug !== undefined && { bug }),
    ...(hasPoints && { point: files.point }),
    ...(number === 0 &&
      !isDirect && { disk: { folder: data, control: files.control, journal: files.journal, seed: seed + ++starts } }),
    ...(!isDirect && { clock: files.clock }),
  })
  const injecting = (plan: Plan): Record<string, string> =>
    Object.keys(plan).length === 0 ? {} : { FAULTS: JSON.stringify(plan), NODE_OPTIONS: `--import=${inject}` }
  /** Processes that have been ready. */
  const started = new WeakSet<Kontor>()
  let startedAt = 0
  const envOf = (number: number) =>
    number === 0 ? env : { ...env, KONTOR_PORT: String(ports[number]), KONTOR_DATA: dataBeside(folder, data, number) }
  const killAtExit = () => running.forEach(({ child }) => child.kill('SIGKILL'))
  process.on('exit', killAtExit)
  const world: World = {
    seed,
    data,
    db,
    postgres,
    line,
    disk,
    places,
    receiver,
    files,
    urls,
    env,
    tokens: new Map(),
    seen: [],
    kills: new Map(),
    isOld: ports.map(() => old !== undefined),
    timeout: bug === undefined ? 480 : 40,
    points: bug === undefined ? undefined : bugs[bug]!.points,
    focus: undefined,
    counts: new Map(),
    mayEnd: new WeakSet(),
    jumps: 0,
    epoch: 0,
    latencies: [],
    followed: [],
    position: '0',
    server: (number = 0) => running[number]!,
    redirect(port) {
      for (const one of [line, ours]) {
        one.target = port
        one.cut()
      }
    },
    async start(number = 0) {
      world.noteCrashes()
      const program = world.isOld[number] ? [process.execPath, join(old!, 'server/src/main.ts')] : undefined
      const one = spawnKontor({ ...envOf(number), ...injecting(planOf(number)) }, [], program)
      running[number] = one
      if (number === 0) startedAt = Date.now()
      await whenReady(one)
      started.add(one)
    },
    async kill(number = 0, signal = 'SIGKILL') {
      world.noteCrashes()
      if (running[number]) world.mayEnd.add(running[number])
      await running[number]?.end(signal)
    },
    startedAt: () => startedAt,
    isStarted: (number) => started.has(running[number]!),
    noteCrashes() {
      for (const one of running) {
        const { exitCode, signalCode } = one.child
        // A fail point kills by itself.
        if (!started.has(one) || (exitCode ?? signalCode ?? 'SIGKILL') === 'SIGKILL' || world.mayEnd.has(one)) continue
        world.mayEnd.add(one)
        world.seen.push(`a server ended by itself with ${exitCode ?? signalCode}: ${one.output().slice(-1500)}`)
      }
    },
    command(...args) {
      const plan = { ...(bug !== undefined && { bug }), ...(hasPoints && { point: files.point }) }
      return spawnKontor({ ...env, ...injecting(plan) }, args, [process.execPath, cli])
    },
    async close() {
      process.off('exit', killAtExit)
      for (const one of running) {
        one.child.kill('SIGCONT')
        await one.end('SIGKILL')
      }
      await line.close()
      for (const place of places.values()) await place.close()
      await receiver.close()
      await db.close()
      await ours.close()
      await administer(postgres.url, `drop database if exists ${name} with (force)`).catch(() => {})
      disk?.close()
      if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  try {
    for (const number of ports.keys()) await world.start(number) // the first one prepares the database
    await renewToken(world, 'admin')
  } catch (error) {
    await world.close()
    throw error
  }
  return world
}

/** The data folder of another process: its own search indexes, and the files of all. */
function dataBeside(folder: string, data: string, number: number): string {
  const own = join(folder, `data-${number}`)
  if (existsSync(own)) return own
  mkdirSync(join(data, 'blobs'), { recursive: true })
  mkdirSync(own)
  symlinkSync(join(data, 'blobs'), join(own, 'blobs'))
  return own
}

export async function renewToken({ urls, tokens, places }: World, name: string): Promise<void> {
  const { provider } = places.get('identity') ?? {}
  if (provider) return void tokens.set(name, await tokenOf(provider, name))
  const { body } = await signIn(issuerAt(urls[0]!), name, password)
  if (!body.access_token) throw new Error(`no token for ${name}: ${JSON.stringify(body)}`)
  tokens.set(name, body.access_token)
}

export const issuerAt = (url: string) => `${url}/auth/realms/kontor`

export function hasEnded(world: World, number = 0): boolean {
  const { child } = world.server(number)
  return child.exitCode !== null || child.signalCode !== null
}

/** Whether all processes are ready. */
export async function isReady({ urls }: World): Promise<boolean> {
  const answers = urls.map((url) => fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) }))
  return (await Promise.all(answers)).every(({ ok }) => ok)
}

/** Whether all processes are ready, and lack nothing. */
export const isWhole = async ({ urls }: World): Promise<boolean> => {
  const answers = urls.map(async (url) => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })).json())
  return (await Promise.all(answers)).every((answer) => (answer as { status: string }).status === 'ok')
}

/** Adds one to what is counted under a name. */
export const increase = (counts: Map<string, number>, name: string, by = 1) =>
  void counts.set(name, (counts.get(name) ?? 0) + by)

/** Waits for a condition; fails with what it waited for. */
export async function until<T>(find: () => Promise<T> | T, seconds: number, what: string): Promise<NonNullable<T>> {
  const end = performance.now() + seconds * 1000
  const isVerbose = process.env.KONTOR_FAULTS_VERBOSE !== undefined && seconds > 100
  const timer = isVerbose ? setTimeout(() => console.error(`waits: ${what}`), 15_000) : undefined
  for (;;) {
    const found = await Promise.resolve(find()).catch(() => undefined)
    if (found) clearTimeout(timer)
    if (found) return found
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${what}`)
    await pause(50)
  }
}

/** The same, with the failure as a violation. */
export async function* late(find: () => Promise<unknown>, { timeout }: World, what: string): AsyncIterable<string> {
  try {
    await until(find, timeout, what)
  } catch (error) {
    yield (error as Error).message
  }
}

export const setDisk = ({ files }: World, failure: string | undefined) =>
  failure === undefined ? rmSync(files.control, { force: true }) : writeFileSync(files.control, failure)
export function setClock(world: World, shift: number): void {
  world.jumps++
  writeFileSync(world.files.clock, String(shift))
}
export const journalOf = ({ files }: World) => (existsSync(files.journal) ? readFileSync(files.journal, 'utf8') : '')
