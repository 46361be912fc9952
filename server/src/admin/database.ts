/**
 * The database for a command: that of DATABASE_URL, the embedded one of a server that runs, or, when none does, the
 * embedded one started for as long as the command takes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { startEmbedded } from '../adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../adapters/postgres/migrate.ts'
import type { Config } from '../config.ts'

/** `migrate: false` leaves a database that this command starts as it is found. */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  { migrate: isMigrated = true } = {},
): Promise<T> {
  const address =
    config.databaseUrl === undefined ? runningServer(config.data) : { connectionString: config.databaseUrl }
  const running = address && (await connectIfThere(address))
  if (running) {
    try {
      return await work(running)
    } finally {
      await running.close()
    }
  }

  const embedded = await startEmbedded({ dataDir: config.data })
  const db = connect(embedded.poolConfig)
  try {
    if (isMigrated) await migrate(db, readMigrations(new URL('../../migrations/', import.meta.url)))
    return await work(db)
  } finally {
    await db.close()
    await embedded.stop()
  }
}

/** PostgreSQL writes where it listens into its own folder: port, folder of the socket, address. */
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

/** A server of DATABASE_URL that does not answer is an error; an embedded one is then not running. */
async function connectIfThere(address: Parameters<typeof connect>[0]): Promise<Database | undefined> {
  const db = connect({ ...address, max: 2 })
  try {
    await db.pool.query('select 1')
    return db
  } catch (error) {
    await db.close()
    if ('connectionString' in address) throw error
    return undefined
  }
}
