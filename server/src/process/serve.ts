/**
 * The server process: reads the settings, opens the database, creates the application, listens, and stops on signals.
 *
 *   npm start             everything on this machine, including the database
 *   npm start -- --demo   the same with demo data; --scale <number> sets the number of products, 2,000 by default
 *   DATABASE_URL=…        the same on an existing PostgreSQL
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../adapters/postgres/embedded.ts'
import { connect, poolDefaults } from '../adapters/postgres/db.ts'
import { migrate, readMigrations } from '../adapters/postgres/migrate.ts'
import { migrateJobs } from '../adapters/jobs/jobs.ts'
import { installDemo, isInstalled } from '@kontor/demo'
import { type App, createApp } from '../app.ts'
import { BadConfig, type Config, readConfig } from '../config.ts'
import { Problem } from '../errors.ts'
import { closeDataFolder, closeNewFiles } from './data-folder.ts'
import { demoHost, readScale } from './demo.ts'
import { ensureFirstAdmin, type FirstAdmin } from './first-start.ts'
import { freePort } from './free-port.ts'
import { startJobs } from './jobs.ts'
import { removeLeftovers } from '../operations/leftovers.ts'
import { checkDatabase, checkProduction } from './production.ts'

/** Functions that close what was opened, called in reverse order. */
type CleanUp = (() => Promise<unknown> | void)[]

interface Started {
  readonly app: App
  readonly admin: FirstAdmin | undefined
}

async function start(config: Config, cleanUp: CleanUp): Promise<Started> {
  await removeLeftovers(join(config.data, 'tmp'))
  const poolConfig = { ...poolDefaults, ...(await openServer(config, cleanUp)) }
  const database = connect({ ...poolConfig, max: config.databasePool })
  cleanUp.push(database.close)
  await checkDatabase(database, config)
  await migrate(database, readMigrations(new URL('../../migrations/', import.meta.url)))
  await migrateJobs(poolConfig)

  const app = await createApp(database, config)
  const admin = await ensureFirstAdmin(database, config)
  if (config.roles.has('worker')) {
    const worker = await startJobs(app, poolConfig)
    cleanUp.push(worker.stop)
  }
  if (config.roles.has('api')) {
    cleanUp.push(() => app.http.close(), app.stopping)
    await app.http.listen({ host: config.host, port: config.port })
    // Without this role the index is opened by the first search.
    if (config.roles.has('search')) app.startSearch()
  }
  return { app, admin }
}

async function openServer(config: Config, cleanUp: CleanUp) {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl }
  const onExit = (reason: string) => console.error(`The embedded PostgreSQL ended (${reason}); restarting it`)
  const embedded = await startEmbedded({ dataDir: config.data, onExit })
  cleanUp.push(embedded.stop)
  return embedded.poolConfig
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

async function stop(cleanUp: CleanUp): Promise<void> {
  for (const close of cleanUp.toReversed()) await close()
}

/** The first signal lets running requests finish; a second one, or the timeout, ends the process at once. */
function stopOnSignals(config: Config, cleanUp: CleanUp): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), config.shutdownTimeout * 1000 + 5000).unref()
    stop(cleanUp).then(() => process.exit(0), giveUp)
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
  const cleanUp: CleanUp = []
  try {
    const { app, admin } = await start(config, cleanUp)
    stopOnSignals(config, cleanUp)
    // The state is unknown then: the process ends, and the log says why.
    process.on('uncaughtExceptionMonitor', (error) =>
      app.http.log.fatal(error, 'the process ends because of an unexpected error'),
    )
    if (options.demo) await addDemo(app, options.scale)
    printGreeting(config, admin)
  } catch (error) {
    explain(error as Error, config)
    await stop(cleanUp)
    process.exit(1)
  }
}

main().catch((error: unknown) => {
  const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') || error instanceof Problem
  if (!isUsage && !(error instanceof BadConfig)) giveUp(error)
  console.error(isUsage ? (error as Error).message : `Invalid settings:\n${(error as Error).message}`)
  process.exit(1)
})
