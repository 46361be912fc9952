/**
 * The server process: reads the settings, opens the database, creates the application, listens, and stops on signals.
 *
 *   npm start             everything on this machine, including the database
 *   npm start -- --demo   the same with demo data; --scale <number> sets the number of products, 2,000 by default
 *   DATABASE_URL=…        the same on an existing PostgreSQL
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Embedded, startEmbedded } from '../adapters/postgres/embedded.ts'
import { connect, type Database, poolDefaults } from '../adapters/postgres/db.ts'
import { migrate, readMigrations } from '../adapters/postgres/migrate.ts'
import { openReplica, type Replica } from '../adapters/postgres/replica.ts'
import type { Tracing } from '../adapters/tracing/tracing.ts'
import { migrateJobs } from '../adapters/jobs/jobs.ts'
import { installDemo, isInstalled } from '@kontor/demo'
import { type App, createApp } from '../app.ts'
import { BadConfig, type Config, readConfig } from '../config.ts'
import { makePartitions, partitionedTables } from '../core/partitions/partitions.ts'
import { Problem } from '../errors.ts'
import { closeDataFolder, closeNewFiles } from './data-folder.ts'
import { demoHost, readScale } from './demo.ts'
import { ensureFirstAdmin, type FirstAdmin } from './first-start.ts'
import { freePort } from './free-port.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { createOutput } from './open-output.ts'
import type { Greeting, Output } from './output.ts'
import { removeLeftovers } from '../operations/leftovers.ts'
import { checkDatabase, checkProduction } from './production.ts'

/** Everything that has been opened so far, to be closed again. */
interface Opened {
  embedded?: Embedded
  database?: Database
  app?: App
  tracing?: Tracing | undefined
  replica?: Replica | undefined
  jobs?: Jobs
}

async function start(config: Config, opened: Opened, output: Output): Promise<FirstAdmin | undefined> {
  const tracing = (opened.tracing = await openTracing(config))
  await removeLeftovers(join(config.data, 'tmp'))
  const { database, poolConfig } = await output.step('Database', async ({ progress }) => {
    progress(config.databaseUrl === undefined ? 'embedded PostgreSQL' : 'PostgreSQL')
    return openDatabase(config, opened, output)
  })
  await output.step('Tables', async ({ progress }) => {
    const migrations = readMigrations(new URL('../../migrations/', import.meta.url))
    await migrate(database, migrations, undefined, (done, total) => progress(`${done} of ${total} migrations`))
    await makePartitions(database, partitionedTables(config), { leaveLarge: true })
    await migrateJobs(poolConfig)
  })
  return output.step('Server', async () => {
    const replica = (opened.replica = openReplicaOf(database, config, output))
    const app = (opened.app = await createApp(database, config, { tracing, replica, log: output.log }))
    const admin = await ensureFirstAdmin(database, config)
    if (config.roles.has('worker')) opened.jobs = await startJobs(app, poolConfig)
    if (config.roles.has('api')) {
      await app.http.listen({ host: config.host, port: config.port })
      // Without this role the index is opened by the first search.
      if (config.roles.has('search')) app.startSearch()
    }
    return admin
  })
}

async function openDatabase(config: Config, opened: Opened, output: Output) {
  const poolConfig = { ...poolDefaults, ...(await openServer(config, opened, output)) }
  const database = (opened.database = connect({ ...poolConfig, max: config.databasePool }))
  await checkDatabase(database, config)
  return { database, poolConfig }
}

function openReplicaOf(primary: Database, { databaseUrlRead, databasePool }: Config, { note }: Output) {
  if (databaseUrlRead === undefined) return undefined
  const report = (reason?: string) =>
    note(reason === undefined ? 'The read replica is in use' : `The read replica is not used: ${reason}`)
  return openReplica({ connectionString: databaseUrlRead, max: databasePool }, { primary, report })
}

/** Without the setting nothing of OpenTelemetry is loaded. */
async function openTracing(config: Config): Promise<Tracing | undefined> {
  if (config.traceEndpoint === undefined) return undefined
  const { traceSampler: sampler, traceShare: share, traceDelay: delay, traceQueue: mostWaiting } = config
  return (await import('../adapters/tracing/opentelemetry.ts')).openTracing({ sampler, share, delay, mostWaiting })
}

async function openServer(config: Config, opened: Opened, { note }: Output) {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl }
  const onExit = (reason: string) => note(`The embedded PostgreSQL ended (${reason}); restarting it`)
  opened.embedded = await startEmbedded({ dataDir: config.data, onExit })
  return opened.embedded.poolConfig
}

/** Port 0 means any free port. It is chosen before the server listens, because the base URL and tokens contain it. */
async function withPort(env: Record<string, string | undefined>): Promise<Config> {
  const config = readConfig(env)
  if (config.port !== 0) return config
  return readConfig({ ...env, KONTOR_PORT: String(await freePort(config.host)) })
}

const readVersion = () =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version

/** Jobs hand back their work while requests are still accepted (drain), and finished. */
async function stop(opened: Opened, drainSeconds = 0, closing: () => void = () => {}): Promise<void> {
  const { app, jobs, database, replica, tracing, embedded } = opened
  app?.stopping()
  const handedBack = jobs?.stop()
  await pause(drainSeconds * 1000)
  await new Promise((resolve) => (app ? app.http.server.close(resolve) : resolve(undefined)))
  const isHandedBack = (await handedBack) !== false
  closing()
  // A job that still runs needs both. It ends with the process, and another process takes it over.
  if (isHandedBack) {
    await app?.http.close()
    await replica?.close()
    await database?.close()
  }
  await tracing?.stop()
  await embedded?.stop()
}

const counted = (count: number, noun: string) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`])
const awaited = ({ app, jobs }: Opened) =>
  [...counted(app?.inFlight() ?? 0, 'request'), ...counted(jobs?.running() ?? 0, 'job')].join(' and ')

/** Shows until the end what the server still waits for. */
async function stopVisibly(opened: Opened, drainSeconds: number, output: Output): Promise<void> {
  const waitsFor = awaited(opened) || 'the search index and the database'
  output.note(`Waiting for ${waitsFor}. A second Ctrl-C ends Kontor at once.`)
  await output.step('Stopping', async ({ progress }) => {
    const show = () => progress(awaited(opened) || 'search index, database')
    show()
    const timer = setInterval(show, 100)
    await stop(opened, drainSeconds, () => {
      clearInterval(timer)
      progress('search index, database')
    })
    progress('')
  })
}

/** npm passes Ctrl-C on to the server, which the terminal has already sent it: both arrive within these milliseconds. */
const sameKeyMs = 300

/** The first signal lets running requests finish, the timeout cuts them; a second signal ends the process at once. */
function stopOnSignals({ drainSeconds, shutdownTimeout }: Config, opened: Opened, output: Output): void {
  let first: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (first !== undefined && signal === 'SIGINT' && performance.now() - first < sameKeyMs) return
    if (first !== undefined) process.exit(1)
    first = performance.now()
    const timeout = (drainSeconds + shutdownTimeout) * 1000
    setTimeout(() => opened.app?.http.server.closeAllConnections(), timeout).unref()
    setTimeout(() => process.exit(1), timeout + 5000).unref()
    stopVisibly(opened, drainSeconds, output).then(() => process.exit(0), giveUp)
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}

function giveUp(error: unknown): never {
  console.error(error)
  process.exit(1)
}

/** Prints the reason of a failed start; the stack trace only at the log levels debug and trace. */
function explain(error: Error & { code?: string }, { port, logLevel }: Config): void {
  const reason =
    error.code === 'EADDRINUSE' ? `KONTOR_PORT: ${port} is in use by another program` : error.message || error.code
  console.error(`Kontor cannot start: ${reason}`)
  if (logLevel === 'debug' || logLevel === 'trace') console.error(error)
}

/** The options after `npm start --`. */
function readArguments() {
  const { values } = parseArgs({ options: { demo: { type: 'boolean' }, scale: { type: 'string' } } })
  return { demo: values.demo ?? false, scale: readScale(values.scale) }
}

const demoUsers = 'ingrid (admin), greta, paul, chiara, amelie, jonas, otto'

/** Does nothing if the demo is already installed. */
async function addDemo(app: App, scale: number, { step }: Output): Promise<Greeting['demo']> {
  const host = demoHost(app)
  if (await isInstalled(host)) return undefined
  const password = await step('Demo', ({ progress, part }) =>
    installDemo(host, { scale, progress, report: (line) => part(line.replace('demo: ', '')) }),
  )
  return { users: demoUsers, password }
}

async function main(): Promise<void> {
  const options = readArguments()
  const config = await withPort(process.env)
  closeNewFiles()
  for (const line of closeDataFolder(config.data)) console.error(line)
  checkProduction(config)
  const output = createOutput(config)
  const opened: Opened = {}
  try {
    const admin = await start(config, opened, output)
    const app = opened.app!
    stopOnSignals(config, opened, output)
    // The state is unknown then: the process ends, and the log says why.
    process.on('uncaughtExceptionMonitor', (error) =>
      app.http.log.fatal(error, 'the process ends because of an unexpected error'),
    )
    const demo = options.demo ? await addDemo(app, options.scale, output) : undefined
    const url = config.roles.has('api') ? config.baseUrl : undefined
    output.greet({ version: readVersion(), url, roles: [...config.roles], admin, demo })
  } catch (error) {
    explain(error as Error, config)
    await stop(opened)
    process.exit(1)
  }
}

main().catch((error: unknown) => {
  const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') || error instanceof Problem
  if (!isUsage && !(error instanceof BadConfig)) giveUp(error)
  console.error(isUsage ? (error as Error).message : `Invalid settings:\n${(error as Error).message}`)
  process.exit(1)
})
