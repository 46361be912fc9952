/**
 * `npm run db:schema`: writes server/migrations/schema.sql and adapters/postgres/tables.ts from the migrations; with
 * --check, only reports whether they differ.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../server/src/adapters/postgres/db.ts'
import { startEmbedded } from '../server/src/adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../server/src/adapters/postgres/migrate.ts'
import { dumpSchema, dumpTables } from '../server/src/adapters/postgres/schema.ts'

const root = new URL('../', import.meta.url)
const migrations = new URL('server/migrations/', root)
const dumps = { 'server/migrations/schema.sql': dumpSchema, 'server/src/adapters/postgres/tables.ts': dumpTables }

const dataDir = await mkdtemp(join(tmpdir(), 'kontor-schema-'))
const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
const database = connect(server.poolConfig)
try {
  await migrate(database, readMigrations(migrations))
  for (const [path, dump] of Object.entries(dumps)) {
    const text = await dump(database)
    const file = new URL(path, root)
    const isSame = existsSync(file) && readFileSync(file, 'utf8') === text
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (!isSame) {
      console.error(`${path} differs from the migrations: run npm run db:schema`)
      process.exitCode = 1
    }
  }
} finally {
  await database.close()
  await server.stop()
  await rm(dataDir, { recursive: true })
}
