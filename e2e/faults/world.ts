/**
 * The system under test and everything around it: PostgreSQL, a proxy in front of it, a receiver of webhooks, and a server
 * process that can be killed and started again on the same port.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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
import { openReceiver, type Receiver } from './receiver.ts'

export const password = 'a quiet heron by the weir'
const inject = new URL('./inject.ts', import.meta.url).href

/** One PostgreSQL for all scenarios of a run; each has a database of its own. */
export interface Postgres {
  /** The process of the server. */
  pid(): number
  readonly url: string
  /** Ends the server; a replica takes its place. Returns the port of that. */
  failOver?(): Promise<number>
  close(): Promise<void>
}
const template = 'faults_template'

export async function openPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-faults-'))
  chmodSync(folder, 0o755)
  // A killed PostgreSQL loses nothing that the system has, so fsync would only cost time. Commits stay synchronous.
  const settings = { fsync: 'off', shared_buffers: '64MB', max_connections: '100' }
  const server = await startEmbedded({ dataDir: folder, settings, tcp: true })
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
  readonly receiver: Receiver
  readonly url: string
  /** The settings of the server, for commands of `kontor` on the same data. */
  readonly env: Record<string, string>
  readonly files: { readonly control: string; readonly journal: string; readonly clock: string }
  /** The token of the administrator. */
  admin: string
  /** The fail points to use, if not all. */
  readonly points: readonly string[] | undefined
  /** Violations that were seen during a fault. */
  readonly seen: string[]
  /** Counts the faults so far: objects of one epoch meet at most one fault. */
  epoch: number
  /** The events that a client of the change feed received (follower.ts), and its position. */
  readonly followed: Followed[]
  position: string
  /** Requests that were answered with success: when, and after how many milliseconds. */
  readonly latencies: { readonly at: number; readonly ms: number }[]
  server(): Kontor
  /** Lets all connections lead to another port of PostgreSQL. */
  redirect(port: number): void
  /** Starts the server, with fail points if given, and waits until it is ready. Returns the milliseconds. */
  start(points?: Plan['points']): Promise<number>
  kill(): Promise<void>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly bug?: string | undefined
  readonly settings?: Record<string, string>
}

export async function openWorld(postgres: Postgres, { bug, settings }: WorldOptions = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-faults-'))
  const data = join(folder, 'data')
  const files = { control: join(folder, 'control'), journal: join(folder, 'journal'), clock: join(folder, 'clock') }
  const name = `faults_${process.pid}_${Math.random().toString(36).slice(2)}`
  // PostgreSQL may still recover from the last scenario.
  await until(() => administer(postgres.url, 'select 1').then(() => true), 60, 'PostgreSQL accepts connections')
  await administer(postgres.url, `create database ${name} template ${template} strategy file_copy`)
  const connectionString = withDatabase(postgres.url, name)
  const first = Number(new URL(postgres.url).port)
  const [line, ours] = [await openLine(first), await openLine(first)]
  const db = connect({ connectionString: ours.through(connectionString), max: 3 })
  const receiver = await openReceiver()
  const port = await freePort('127.0.0.1')
  const env = {
    KONTOR_DATA: data,
    KONTOR_PORT: String(port),
    KONTOR_ADMIN_PASSWORD: password,
    KONTOR_MASTER_KEY: 'a master key for tests, which is not secret',
    KONTOR_WEBHOOK_PRIVATE: 'true',
    KONTOR_WEBHOOK_RETRY: '1',
    KONTOR_SEARCH_THREADS: '1',
    KONTOR_BLOB_GRACE_MINUTES: '0',
    DATABASE_URL: line.through(connectionString),
    ...settings,
  }
  let running: Kontor | undefined
  const planOf = (points: Plan['points']): Plan => ({
    ...(bug !== undefined && { bug }),
    ...(points && { points }),
    disk: { folder: data, control: files.control, journal: files.journal },
    clock: files.clock,
  })
  const killAtExit = () => running?.child.kill('SIGKILL')
  process.on('exit', killAtExit)
  const world: World = {
    data,
    db,
    postgres,
    line,
    receiver,
    files,
    url: `http://localhost:${port}`,
    env,
    admin: '',
    seen: [],
    points: bug === undefined ? undefined : bugs[bug]!.points,
    epoch: 0,
    latencies: [],
    followed: [],
    position: '0',
    server: () => running!,
    redirect(port) {
      for (const one of [line, ours]) {
        one.target = port
        one.cut()
      }
    },
    async start(points) {
      const begun = performance.now()
      const FAULTS = JSON.stringify(planOf(points))
      running = spawnKontor({ ...env, FAULTS, NODE_OPTIONS: `--import=${inject}` })
      await whenReady(running)
      return performance.now() - begun
    },
    async kill() {
      await running?.end('SIGKILL')
    },
    async close() {
      process.off('exit', killAtExit)
      running?.child.kill('SIGCONT')
      await running?.end('SIGKILL')
      await line.close()
      await receiver.close()
      await db.close()
      await ours.close()
      await administer(postgres.url, `drop database if exists ${name} with (force)`).catch(() => {})
      if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  try {
    await world.start()
    world.admin = await tokenOf(world, 'admin')
  } catch (error) {
    await world.close()
    throw error
  }
  return world
}

export async function tokenOf({ url }: Pick<World, 'url'>, name: string): Promise<string> {
  const { body } = await signIn(`${url}/auth/realms/kontor`, name, password)
  if (!body.access_token) throw new Error(`no token for ${name}: ${JSON.stringify(body)}`)
  return body.access_token
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

export const setDisk = ({ files }: World, failure: string | undefined) =>
  failure === undefined ? rmSync(files.control, { force: true }) : writeFileSync(files.control, failure)
export const setClock = ({ files }: World, shift: number) => writeFileSync(files.clock, String(shift))
export const journalOf = ({ files }: World) => (existsSync(files.journal) ? readFileSync(files.journal, 'utf8') : '')
