/**
 * The process: read the settings, open the database, build the application, listen, stop on signals.
 *
 *   npm start            everything on this machine, the database included
 *   DATABASE_URL=…       the same on an existing PostgreSQL
 */
import { startEmbedded } from './adapters/postgres/embedded.ts'
import { connect, poolDefaults } from './adapters/postgres/db.ts'
import { migrate, readMigrations } from './adapters/postgres/migrate.ts'
import { migrateJobs } from './adapters/jobs/jobs.ts'
import { createApp, startJobs } from './app.ts'
import { BadConfig, type Config, readConfig } from './config.ts'
import { ensureFirstAdmin } from './first-start.ts'
import { freePort } from './free-port.ts'

async function main(): Promise<void> {
  const config = await withPort(process.env)
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.data }) : undefined
  const poolConfig = { ...poolDefaults, ...(embedded?.poolConfig ?? { connectionString: config.databaseUrl }) }
  const database = connect({ ...poolConfig, max: config.databasePool })
  await migrate(database, readMigrations(new URL('../migrations/', import.meta.url)))
  await migrateJobs(poolConfig)

  const app = await createApp(database, config)
  const admin = await ensureFirstAdmin(database, config)
  const worker = config.roles.has('worker') ? await startJobs(app, poolConfig) : undefined
  if (config.roles.has('api')) await app.http.listen({ host: config.host, port: config.port })
  greet(config, admin)

  stopOnSignals(config, async () => {
    app.health.stopping()
    await app.http.close()
    await worker?.stop()
    await database.close()
    await embedded?.stop()
  })
}

/** Port 0 means any free one; the base URL, which tokens name as their issuer, must know it before the server listens. */
async function withPort(env: Record<string, string | undefined>): Promise<Config> {
  const config = readConfig(env)
  if (config.port !== 0) return config
  return readConfig({ ...env, KONTOR_PORT: String(await freePort(config.host)) })
}

function greet(config: Config, admin: { password: string; file: string } | undefined): void {
  const lines = [
    `Kontor is ready: ${config.baseUrl}`,
    `  interface   ${config.baseUrl}/api/docs`,
    ...(admin
      ? [`  first administrator: admin, password: ${admin.password}`, `  (shown only now; kept in ${admin.file})`]
      : []),
  ]
  console.log(`\n${lines.join('\n')}\n`)
}

/** The first signal lets running requests finish; the second one, or the end of patience, does not. */
function stopOnSignals(config: Config, stop: () => Promise<void>): void {
  let asked = false
  const onSignal = () => {
    if (asked) process.exit(1)
    asked = true
    setTimeout(() => process.exit(1), config.shutdownTimeout * 1000 + 5000).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}

main().catch((error: unknown) => {
  if (error instanceof BadConfig) console.error(`Settings that cannot be used:\n${error.message}`)
  else console.error(error)
  process.exit(1)
})
