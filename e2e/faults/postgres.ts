/** The PostgreSQL of a run. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateJobs } from '../../server/src/adapters/jobs/jobs.ts'
import { connect } from '../../server/src/adapters/postgres/db.ts'
import { startEmbedded } from '../../server/src/adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../../server/src/adapters/postgres/migrate.ts'
import { administer, withDatabase } from '../../server/test/database.ts'

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
export const template = 'faults_template'

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
