/**
 * The server process: reads the settings, opens the database, creates the application, listens, and stops on signals.
 *
 *   npm start             everything on this machine, including the database
 *   npm start -- --demo   the same with demo data; --scale <number> sets the number of products, 2,000 by default
 *   DATABASE_URL=…        the same on an existing PostgreSQL
 */
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

async function start(config: Config, opened: Opened): Promise<FirstAdmin | undefined> {
  const tracing = (opened.tracing = await openTracing(config))
  await removeLeftovers(join(config.data, 'tmp'))
  const poolConfig = { ...poolDefaults, ...(await openServer(config, opened)) }
  const database = (opened.database = connect({ ...poolConfig, max: config.databasePool }))
  await checkDatabase(database, config)
  await migrate(database, readMigrations(new URL('../../migrations/', import.meta.url)))
  await makePartitions(database, partitionedTables(config), { leaveLarge: true })
  await migrateJobs(poolConfig)

  const replica = (opened.replica = openReplicaOf(database, config))
  const app = (opened.app = await createApp(database, config, { tracing, replica }))
  const admin = await ensureFirstAdmin(database, config)
  if (config.roles.has('worker')) opened.jobs = await startJobs(app, poolConfig)
  if (config.roles.has('api')) {
    await app.http.listen({ host: config.host, port: config.port })
    // Without this role the index is opened by the first search.
    if (config.roles.has('search')) app.startSearch()
  }
  return admin
}

function openReplicaOf(primary: Database, { databaseUrlRead, databasePool }: Config) {
  if (databaseUrlRead === undefined) return undefined
  const report = (reason?: string) =>
    console.error(reason === undefined ? 'The read replica is in use' : `The read replica is not used: ${reason}`)
  return openReplica({ connectionString: databaseUrlRead, max: databasePool }, { primary, report })
}

/** Without the setting nothing of OpenTelemetry is loaded. */
async function openTracing(config: Config): Promise<Tracing | undefined> {
  if (config.traceEndpoint === undefined) return undefined
  const { traceSampler: sampler, traceShare: share, traceDelay: delay, traceQueue: mostWaiting } = config
  return (await import('../adapters/tracing/opentelemetry.ts')).openTracing({ sampler, share, delay, mostWaiting })
}

async function openServer(config: Config, opened: Opened) {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl }
  const onExit = (reason: string) => console.error(`The embedded PostgreSQL ended (${reason}); restarting it`)
  opened.embedded = await startEmbedded({ dataDir: config.data, onExit })
  return opened.embedded.poolConfig
}

/** Port 0 means any free port. It is chosen before the server listens, because the base URL and tokens contain it. */
async function withPort(env: Record<string, string | undefined>): Promise<Config> {
  const config = readConfig(env)
  if (config.port !== 0) return config
  return readConfig({ ...env, KONTOR_PORT: String(await freePort(config.host)) })
}

function printGreeting(config: Config, admin: FirstAdmin | undefined): void {
  const lines = [
    ...(config.roles.has('api')
      ? [
          `Kontor is ready: ${config.baseUrl}`,
          `  console     ${config.baseUrl}/`,
          `  interface   ${config.baseUrl}/api/docs`,
        ]
      : [`Kontor is ready: ${[...config.roles].join(', ')}, without an HTTP port`]),
    ...(admin
      ? [
          `  first administrator: admin, password: ${admin.password}`,
          `  (displayed only once; stored in ${admin.file})`,
        ]
      : []),
  ]
  console.log(`\n${lines.join('\n')}\n`)
}

/** Jobs hand back their work while requests are still accepted (drain), and finished. */
async function stop({ app, jobs, database, replica, tracing, embedded }: Opened, drainSeconds = 0): Promise<void> {
  app?.stopping()
  const handedBack = jobs?.stop()
  await pause(drainSeconds * 1000)
  await new Promise((resolve) => (app ? app.http.server.close(resolve) : resolve(undefined)))
  // A job that still runs needs both. It ends with the process, and another process takes it over.
  if ((await handedBack) !== false) {
    await app?.http.close()
    await replica?.close()
    await database?.close()
  }
  await tracing?.stop()
  await embedded?.stop()
}

/** The first signal lets running requests finish, the timeout cuts them; a second signal ends the process at once. */
function stopOnSignals({ drainSeconds, shutdownTimeout }: Config, opened: Opened): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) process.exit(1)
    stopping = true
    const timeout = (drainSeconds + shutdownTimeout) * 1000
    setTimeout(() => opened.app?.http.server.closeAllConnections(), timeout).unref()
    setTimeout(() => process.exit(1), timeout + 5000).unref()
    stop(opened, drainSeconds).then(() => process.exit(0), giveUp)
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

/** Does nothing if the demo is already installed. */
async function addDemo(app: App, scale: number): Promise<void> {
  const host = demoHost(app)
  if (await isInstalled(host)) return
  const password = await installDemo(host, { scale, report: console.log })
  console.log(`\n  demo users: ingrid (admin), greta, paul, chiara, amelie, jonas, otto; password: ${password}\n`)
}

async function main(): Promise<void> {
  const options = readArguments()
  const config = await withPort(process.env)
  closeNewFiles()
  for (const line of closeDataFolder(config.data)) console.error(line)
  checkProduction(config)
  const opened: Opened = {}
  try {
    const admin = await start(config, opened)
    const app = opened.app!
    stopOnSignals(config, opened)
    // The state is unknown then: the process ends, and the log says why.
    process.on('uncaughtExceptionMonitor', (error) =>
      app.http.log.fatal(error, 'the process ends because of an unexpected error'),
    )
    if (options.demo) await addDemo(app, options.scale)
    printGreeting(config, admin)
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
