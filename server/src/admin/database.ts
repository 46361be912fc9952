/**
 * The database for a command: the one of DATABASE_URL, the embedded one of a running server, or otherwise the embedded
 * one, started for the duration of the command.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { startEmbedded } from '../adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../adapters/postgres/migrate.ts'
import type { Config } from '../config.ts'

/** With `migrate: false` an embedded database that this command starts is not migrated. */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  { migrate: shouldMigrate = true } = {},
): Promise<T> {
  const address =
    config.databaseUrl === undefined ? runningServer(config.data) : { connectionString: config.databaseUrl }
  const running = address && (await tryToConnect(address))
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
    if (shouldMigrate) await migrate(db, readMigrations(new URL('../../migrations/', import.meta.url)))
    return await work(db)
  } finally {
    await db.close()
    await embedded.stop()
  }
}

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
async function tryToConnect(address: Parameters<typeof connect>[0]): Promise<Database | undefined> {
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
