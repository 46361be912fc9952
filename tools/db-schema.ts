/** `npm run db:schema`: writes server/migrations/schema.sql from the migrations; --check only reports a difference. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../server/src/adapters/postgres/db.ts'
import { startEmbedded } from '../server/src/adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../server/src/adapters/postgres/migrate.ts'
import { dumpSchema } from '../server/src/adapters/postgres/schema.ts'

const migrations = new URL('../server/migrations/', import.meta.url)
const file = new URL('schema.sql', migrations)

const dataDir = await mkdtemp(join(tmpdir(), 'kontor-schema-'))
const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
const database = connect(server.poolConfig)
try {
  await migrate(database, readMigrations(migrations))
  const dump = await dumpSchema(database)
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === dump
  if (!process.argv.includes('--check')) writeFileSync(file, dump)
  else if (!isSame) {
    console.error('server/migrations/schema.sql does not match the migrations: run npm run db:schema')
    process.exitCode = 1
  }
} finally {
  await database.close()
  await server.stop()
  await rm(dataDir, { recursive: true })
}
