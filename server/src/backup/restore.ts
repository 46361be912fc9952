/**
 * Restores a backup to an empty system: first the files, then schema and rows in one transaction, in which the database
 * checks all references. An interrupted restore leaves no rows behind and can be repeated.
 *
 * The schema is the one of the backup. The next start of the server migrates it like any older database.
 */
import type { Blobs } from '../adapters/blobs/blobs.ts'
import { migrateJobs } from '../adapters/jobs/jobs.ts'
import { copyIn, openSession, type Session } from '../adapters/postgres/copy.ts'
import type { Database } from '../adapters/postgres/db.ts'
import type { Migration } from '../adapters/postgres/migrate.ts'
import { Problem } from '../errors.ts'
import { restoreBlob, readRecords, storedFiles } from './files.ts'
import { type Manifest, readManifest, type RecordFile } from './manifest.ts'
import * as rows from './tables.sql.ts'

export interface Restored {
  readonly manifest: Manifest
  readonly rows: number
}

export async function restoreBackup(
  database: Database,
  blobs: Blobs,
  migrations: readonly Migration[],
  folder: string,
): Promise<Restored> {
  const manifest = await readManifest(folder)
  const known = knownMigrations(manifest, migrations)
  const client = await openSession(database)
  try {
    await rows.disableTimeouts(client)
    if (!(await rows.isEmpty(client)))
      throw new Problem('inUse', 'this system is not empty: a backup is restored where Kontor was never started')
    const { options } = database.pool
    await migrateJobs({ ...options, password: options.password }) // not enumerable, so the spread does not copy it
    const missing = new Set(manifest.files.missing)
    for await (const file of storedFiles(folder, manifest)) {
      if (!missing.has(file.sha256)) await restoreBlob(folder, blobs, file)
    }
    await client.query('begin')
    await createSchema(client, known)
    const count = await load(client, folder, manifest)
    await client.query('commit')
    return { manifest, rows: count }
  } finally {
    await client.end() // rolls back an uncommitted transaction
  }
}

/** The migrations of the backup; throws if this version does not have exactly these. */
function knownMigrations({ migrations: wanted }: Manifest, migrations: readonly Migration[]): readonly Migration[] {
  return wanted.map(({ name, checksum }, i) => {
    const own = migrations[i]
    if (own?.name === name && own.checksum === checksum) return own
    const fault =
      own === undefined
        ? 'which this version lacks: use a newer one'
        : `which was changed: this version has ${own.name}`
    throw new Problem('invalid', `the backup contains the migration ${name}, ${fault}`)
  })
}

async function createSchema(client: Session, migrations: readonly Migration[]): Promise<void> {
  await rows.createMigrationTable(client)
  for (const migration of migrations) {
    await client.query(migration.text)
    await client.query('set constraints all immediate') // later migrations may alter tables that this one filled
    await rows.insertMigration(client, migration)
  }
}

async function load(client: Session, folder: string, manifest: Manifest): Promise<number> {
  const tables = await rows.listTables(client)
  const records = new Map(manifest.tables.map((one) => [one.table, one]))
  const unexpected = manifest.tables.filter(({ table }) => !tables.some(({ name }) => name === table))
  const missing = tables.filter(({ name }) => !records.has(name))
  if (unexpected.length + missing.length > 0) {
    const names = [...unexpected.map(({ table }) => table), ...missing.map(({ name }) => name)]
    throw new Problem('invalid', `the backup does not fit its own schema: ${names.join(', ')}`)
  }
  await rows.prepareTables(client, tables)
  let count = 0
  for (const table of tables) count += await loadTable(client, folder, table, records.get(table.name)!)
  await rows.finishTables(client, tables)
  await rows.setSequences(client, manifest.sequences)
  if (manifest.jobs) await loadJobs(client, folder, manifest.jobs)
  return count
}

async function loadTable(client: Session, folder: string, table: rows.TableInfo, records: RecordFile): Promise<number> {
  const unknown = records.columns.filter((column) => !table.columns.includes(column))
  if (unknown.length > 0)
    throw new Problem('invalid', `the backup has unknown columns of ${table.name}: ${unknown.join(', ')}`)
  const count = await copyIn(client, rows.copyInto(table, records.columns), readRecords(folder, records))
  if (count !== records.rows)
    throw new Problem('invalid', `the records of ${table.name} are damaged: ${count} of ${records.rows} rows`)
  return count
}

async function loadJobs(client: Session, folder: string, records: RecordFile): Promise<void> {
  await rows.prepareJobs(client)
  await copyIn(client, rows.copyJobsIn, readRecords(folder, records))
  await rows.addJobs(client)
}
