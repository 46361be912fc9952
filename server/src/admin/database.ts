/**
 * The database for a command: the one of DATABASE_URL, the embedded one of a running server, or otherwise the embedded
 * one, started for the duration of the command. Only `kontor restore` creates a database: every other command that is
 * pointed at a folder without one refuses to work. A command that only inspects starts nothing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { startEmbedded } from '../adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../adapters/postgres/migrate.ts'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'

/** With `empty` the embedded database is created if there is none, and it is not migrated. */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  { empty = false } = {},
): Promise<T> {
  const address = addressOf(config)
  const running = address && (await tryToConnect(address).catch(explain))
  if (running) {
    try {
      if (!empty) await requireTables(running)
      return await work(running)
    } finally {
      await running.close()
    }
  }

  if (!empty && !hasDatabase(config)) throw new Problem('notFound', noDatabase(config))
  const embedded = await startEmbedded({ dataDir: config.data })
  const db = connect(embedded.poolConfig)
  try {
    if (!empty) await migrate(db, readMigrations(new URL('../../migrations/', import.meta.url)))
    return await work(db)
  } finally {
    await db.close()
    await embedded.stop()
  }
}

/**
 * Connects for reading only: PostgreSQL refuses every change. If there is no database to read, nothing is started or
 * created, and the error names the remedy.
 */
export async function openForReading(config: Config): Promise<Database> {
  const address = addressOf(config)
  const db = address && (await tryToConnect(address, ['set default_transaction_read_only = on']).catch(explain))
  if (db) return db
  throw new Error(
    hasDatabase(config)
      ? 'the embedded PostgreSQL is not running; start the server, then run this command again'
      : noDatabase(config),
  )
}

const hasDatabase = ({ data }: Config) => existsSync(join(data, 'cluster'))
const noDatabase = ({ data }: Config) =>
  `there is no database in ${data} yet; the first start of the server creates it. If the database is elsewhere, set KONTOR_DATA or DATABASE_URL`

async function requireTables(db: Database): Promise<void> {
  const { rows } = await db.pool.query(`select current_database() as name, to_regclass('schema_migration') as found`)
  if (rows[0].found !== null) return
  throw new Problem(
    'notFound',
    `the database ${rows[0].name} has no tables of Kontor; the first start of the server creates them. If the database is elsewhere, set DATABASE_URL`,
  )
}

/** A refused connection has a code for each address that was tried, but no message. */
function explain({ message, code }: Error & { code?: string }): never {
  throw new Problem(
    'notFound',
    `DATABASE_URL: ${message || code}; check that the server runs, and its host, user and password`,
  )
}

const addressOf = ({ databaseUrl, data }: Config) =>
  databaseUrl === undefined ? runningServer(data) : { connectionString: databaseUrl }

/** PostgreSQL writes its port, socket folder and address into postmaster.pid. */
function runningServer(dataDir: string) {
  try {
    const lines = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
    const [port, socketFolder = '', address] = lines.slice(3, 6)
    const user = { user: 'kontor', database: 'postgres', port: Number(port) }
    if (socketFolder !== '') return { ...user, host: socketFolder }
    return { ...user, host: address, password: readFileSync(join(dataDir, 'password'), 'utf8') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Returns undefined if the embedded database is not running; throws if the server of DATABASE_URL does not answer. */
async function tryToConnect(
  address: Parameters<typeof connect>[0],
  settings: readonly string[] = [],
): Promise<Database | undefined> {
  const db = connect({ ...address, max: 2 })
  // Sent before the first statement. A parameter of the connection would not override one in DATABASE_URL.
  db.pool.on('connect', (client) => settings.forEach((setting) => void client.query(setting)))
  try {
    await db.pool.query('select 1')
    return db
  } catch (error) {
    await db.close()
    if ('connectionString' in address) throw error
    return undefined
  }
}
