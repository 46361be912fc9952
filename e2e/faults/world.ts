/**
 * The system under test and everything around it: PostgreSQL, a proxy in front of it, a receiver of webhooks, and one or
 * several server processes that can be killed and started again on the same port.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { migrateJobs } from '../../server/src/adapters/jobs/jobs.ts'
import { connect, type Database } from '../../server/src/adapters/postgres/db.ts'
import { startEmbedded } from '../../server/src/adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../../server/src/adapters/postgres/migrate.ts'
import { freePort } from '../../server/src/process/free-port.ts'
import { administer, withDatabase } from '../../server/test/database.ts'
import { signIn } from '../../server/test/token.ts'
import { type Kontor, spawnKontor, whenReady } from '../kontor.ts'
import { bugs } from './bugs.ts'
import type { Followed } from './follower.ts'
import type { Plan } from './inject.ts'
import { type Line, openLine } from './line.ts'
import { openPlaces, type Place, type PlaceName, tokenOf } from './places.ts'
import { openReceiver, type Receiver } from './receiver.ts'

export const password = 'a quiet heron by the weir'
const inject = new URL('./inject.ts', import.meta.url).href
const cli = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

/** One PostgreSQL for all scenarios of a run; each has a database of its own. */
export interface Postgres {
  /** The process of the server. */
  pid(): number
  readonly url: string
  /** Ends the server; a replica takes its place. Returns the port of that. */
  failOver?(): Promise<number>
  /** Fills the disk of the server. Returns what frees the space again. */
  fill?(): () => void
  close(): Promise<void>
}
const template = 'faults_template'

export async function openPostgres(
  folder = mkdtempSync(join(tmpdir(), 'kontor-faults-')),
  more: Record<string, string> = {},
): Promise<Postgres> {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  // A killed PostgreSQL loses nothing that the system has, so fsync would only cost time. Commits stay synchronous.
  const settings = { fsync: 'off', shared_buffers: '64MB', max_connections: '100', ...more }
  const server = await startEmbedded({ dataDir: folder, settings, tcp: true, longestPause: 500 })
  const { user, password: secret, port } = server.poolConfig
  const url = `postgresql://${user}:${String(secret)}@127.0.0.1:${port}/postgres`
  await createTemplate(url)
  return {
    pid: () => server.pid,
    url,
    async close() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function createTemplate(url: string): Promise<void> {
  await administer(url, `create database ${template} template template0 encoding 'UTF8'`)
  const connectionString = withDatabase(url, template)
  const database = connect({ connectionString })
  await migrate(database, readMigrations(new URL('../../server/migrations', import.meta.url)))
  await database.close()
  await migrateJobs({ connectionString })
}

export interface World {
  readonly data: string
  readonly db: Database
  readonly postgres: Postgres
  /** The connections of the server to PostgreSQL. */
  readonly line: Line
  /** Files and search indexes that are on servers of their own. */
  readonly places: ReadonlyMap<PlaceName, Place>
  readonly receiver: Receiver
  /** The addresses of the processes. */
  readonly urls: readonly string[]
  /** The settings of the first process, for commands of `kontor` on the same data. */
  readonly env: Record<string, string>
  readonly files: { readonly control: string; readonly journal: string; readonly clock: string }
  /** The tokens of users, by name. */
  readonly tokens: Map<string, string>
  /** The fail points to use, if not all. */
  readonly points: readonly string[] | undefined
  /** Violations that were seen during a fault. */
  readonly seen: string[]
  /** Whether a process, by its number, is of the older version at its next start. */
  readonly isOld: boolean[]
  /** Seconds in which what goes on after a reply must end. Jobs that were killed several times wait before they run again. */
  readonly timeout: number
  /** How many of what were killed. */
  readonly kills: Map<string, number>
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
  /** Starts the server, with fail points if given, and waits until it is ready. Returns the milliseconds. */
  start(points?: Plan['points'], number?: number): Promise<number>
  kill(number?: number): Promise<void>
  /** Starts a command of `kontor` on the same data, as a process of its own. */
  command(...args: string[]): Kontor
  close(): Promise<void>
}

export interface WorldOptions {
  readonly bug?: string | undefined
  /** How many processes share the database and the files; one by default. */
  readonly processes?: number | undefined
  /** The folder of an older version (versions.ts), with which all processes begin. */
  readonly old?: string | undefined
  /** Servers behind a proxy of their own (places.ts). */
  readonly places?: readonly PlaceName[]
  /** Nothing stands between the server and its database, disk and clock, so that its own speed is measured. */
  readonly isDirect?: boolean
}

export async function openWorld(postgres: Postgres, options: WorldOptions = {}): Promise<World> {
  const { bug, processes = 1, old, isDirect = false } = options
  const places = await openPlaces(options.places ?? [])
  const folder = mkdtempSync(join(tmpdir(), 'kontor-faults-'))
  const data = join(folder, 'data')
  const files = { control: join(folder, 'control'), journal: join(folder, 'journal'), clock: join(folder, 'clock') }
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
    KONTOR_SEARCH_THREADS: '1',
    KONTOR_BLOB_GRACE_MINUTES: '0',
    DATABASE_URL: isDirect ? connectionString : line.through(connectionString),
    ...Object.assign({}, ...[...places.values()].map((place) => place.env)),
  }
  const running: Kontor[] = []
  const planOf = (number: number, points: Plan['points']): Plan => ({
    ...(bug !== undefined && { bug }),
    ...(points && { points }),
    ...(number === 0 && !isDirect && { disk: { folder: data, control: files.control, journal: files.journal } }),
    ...(!isDirect && { clock: files.clock }),
  })
  const envOf = (number: number) =>
    number === 0 ? env : { ...env, KONTOR_PORT: String(ports[number]), KONTOR_DATA: dataBeside(folder, data, number) }
  const killAtExit = () => running.forEach(({ child }) => child.kill('SIGKILL'))
  process.on('exit', killAtExit)
  const world: World = {
    data,
    db,
    postgres,
    line,
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
    async start(points, number = 0) {
      const begun = performance.now()
      const FAULTS = JSON.stringify(planOf(number, points))
      const program = world.isOld[number] ? [process.execPath, join(old!, 'server/src/main.ts')] : undefined
      running[number] = spawnKontor({ ...envOf(number), FAULTS, NODE_OPTIONS: `--import=${inject}` }, [], program)
      await whenReady(running[number])
      return performance.now() - begun
    },
    async kill(number = 0) {
      await running[number]?.end('SIGKILL')
    },
    command(...args) {
      const FAULTS = JSON.stringify(bug === undefined ? {} : { bug })
      return spawnKontor({ ...env, FAULTS, NODE_OPTIONS: `--import=${inject}` }, args, [process.execPath, cli])
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
      if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  try {
    for (const number of ports.keys()) await world.start(undefined, number) // the first one prepares the database
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

/** Waits for a condition; fails with what it waited for. */
export async function until<T>(find: () => Promise<T> | T, seconds: number, what: string): Promise<NonNullable<T>> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const found = await Promise.resolve(find()).catch(() => undefined)
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
export const setClock = ({ files }: World, shift: number) => writeFileSync(files.clock, String(shift))
export const journalOf = ({ files }: World) => (existsSync(files.journal) ? readFileSync(files.journal, 'utf8') : '')
