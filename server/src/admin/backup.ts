/**
 * `kontor backup <folder>`, `kontor backup verify <folder>`, `kontor restore <folder>` and `kontor check`.
 *
 * A backup is taken while the server runs, with the embedded or an external PostgreSQL, and with files in a folder or on
 * S3. It does not contain the master key.
 */
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openBlobs } from '../adapters/blobs/blobs.ts'
import { bothStores, openArchive } from '../dam/care/archive.ts'
import type { Database } from '../adapters/postgres/db.ts'
import { readMigrations } from '../adapters/postgres/migrate.ts'
import { takeBackup } from '../backup/backup.ts'
import { checkIntegrity } from '../backup/integrity.ts'
import { restoreBackup } from '../backup/restore.ts'
import { verifyBackup } from '../backup/verify.ts'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { audit } from '../identity/audit/audit-chain.ts'
import type { Commands, Out } from './command.ts'
import { withDatabase } from './database.ts'

// prettier-ignore
export const backupCommands: Commands = [
  { name: 'backup', usage: '<folder>', maxArguments: 1, doc: 'Saves a consistent snapshot of all records and files, while the server runs', work: backup },
  { name: 'backup verify', usage: '<folder>', maxArguments: 1, doc: 'Verifies the digests of everything in a backup', work: verify },
  { name: 'restore', usage: '<folder>', maxArguments: 1, doc: 'Restores a backup to a system on which Kontor was never started', work: restore },
  { name: 'check', usage: '', doc: 'Checks references, trees, links, the audit log, and the content of every stored file', work: check },
]

const blobsOf = ({ blobs, data }: Config) => openBlobs(blobs, join(data, 'blobs'))
/** A backup has the files of the archive, too. */
const allBlobs = (config: Config) => bothStores(blobsOf(config), openArchive(config))

function folderIn([folder]: readonly string[]): string {
  if (folder === undefined) throw new Problem('invalid', 'name the folder of the backup')
  return resolve(folder)
}

async function backup(config: Config, args: readonly string[], out: Out): Promise<boolean> {
  const folder = folderIn(args)
  const { tables, files } = await withDatabase(config, async (db) => {
    const manifest = await takeBackup(db, allBlobs(config), folder)
    await note(db, 'backup.take', folder, { run: manifest.run, missing: manifest.files.missing.length })
    return manifest
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  out(
    `The backup in ${folder} is whole: ${rows} rows of ${tables.length} tables, ${files.count} files (${files.bytes} bytes).`,
  )
  for (const sha256 of files.missing) out(`Missing in the backup, because it cannot be read: the file ${sha256}`)
  return files.missing.length === 0
}

async function verify(_config: Config, args: readonly string[], out: Out): Promise<boolean> {
  const { rows, files, faults } = await verifyBackup(folderIn(args))
  for (const fault of faults) out(fault)
  out(faults.length === 0 ? `The backup is whole: ${rows} rows, ${files} files.` : `${faults.length} faults.`)
  return faults.length === 0
}

async function restore(config: Config, args: readonly string[], out: Out): Promise<boolean> {
  const folder = folderIn(args)
  const blobs = blobsOf(config)
  const migrations = readMigrations(new URL('../../migrations/', import.meta.url))
  return withDatabase(
    config,
    async (db) => {
      const { manifest, rows } = await restoreBackup(db, blobs, migrations, folder)
      await rm(join(config.data, 'search'), { recursive: true, force: true }) // the index belongs to other records; the next start rebuilds it
      const { files, faults } = await checkIntegrity(db, blobs, manifest.auditEnd)
      await note(db, 'backup.restore', folder, { run: manifest.run, takenAt: manifest.takenAt, faults: faults.length })
      for (const fault of faults) out(fault)
      out(
        `Restored as of ${manifest.takenAt}: ${rows} rows, ${files} files${faults.length > 0 ? `, ${faults.length} faults` : ''}.`,
      )
      return faults.length === 0
    },
    { empty: true },
  )
}

async function check(config: Config, _args: readonly string[], out: Out): Promise<boolean> {
  const { files, auditRows, faults } = await withDatabase(config, (db) => checkIntegrity(db, allBlobs(config)))
  for (const fault of faults) out(fault)
  out(
    faults.length === 0
      ? `The system is whole: ${files} files, ${auditRows} rows of the audit log.`
      : `${faults.length} faults.`,
  )
  return faults.length === 0
}

const note = (db: Database, action: string, folder: string, detail: Readonly<Record<string, unknown>>) =>
  audit(db, { actor: 'kontor command', action, object: `backup ${folder}`, detail })
