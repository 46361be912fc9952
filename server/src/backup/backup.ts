/**
 * Takes a backup while the server runs.
 *
 *   1  stop the collection of unused files        an advisory lock of this session, which the collector needs, too
 *   2  copy every table, as one snapshot          one repeatable-read transaction, COPY, compressed, with digests
 *   3  copy the files that the records refer to   only those that an earlier backup does not contain
 *   4  write the manifest                         atomically, by renaming it; this completes the backup
 *   5  remove what the manifest does not name
 *
 * The transaction ends before files are copied, so that it does not hold back VACUUM.
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Blobs } from '../adapters/blobs/blobs.ts'
import { makeFolder, syncFolder } from '../adapters/blobs/disk.ts'
import { isStoreFault } from '../adapters/blobs/faults.ts'
import { copyOut, openSession, type Session } from '../adapters/postgres/copy.ts'
import type { Database } from '../adapters/postgres/db.ts'
import { Problem } from '../errors.ts'
import { prune, saveBlob, storedFiles, writeRecords } from './files.ts'
import { blobFile, findManifest, format, type Manifest, type RecordFile, runFolder, writeManifest } from './manifest.ts'
import * as rows from './tables.sql.ts'

type Records = Omit<Manifest, 'files'>

export async function takeBackup(database: Database, blobs: Blobs, folder: string): Promise<Manifest> {
  await makeFolder(folder, folder)
  await findManifest(folder) // throws if the manifest is damaged: such a folder must not be overwritten silently
  const client = await openSession(database)
  try {
    await rows.disableTimeouts(client)
    if (!(await rows.claimBackup(client))) throw new Problem('inUse', 'another backup of this system is running')
    await rows.blockCollector(client)
    const manifest = await copyAll(client, blobs, folder)
    await writeManifest(folder, manifest)
    await prune(folder, manifest)
    return manifest
  } catch (error) {
    if (!isStoreFault(error as Error)) throw error
    const fault = `the backup in ${folder} is not complete: ${(error as Error).message}; an earlier one there is unchanged`
    throw new Problem('unavailable', fault, { cause: error })
  } finally {
    await rows.releaseLocks(client).catch(() => {}) // if this fails, the locks end with the session
    await client.end()
  }
}

async function copyAll(client: Session, blobs: Blobs, folder: string): Promise<Manifest> {
  const run = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`
  try {
    const records = await copyRecords(client, folder, run)
    return { ...records, files: await copyFiles(blobs, folder, records) }
  } catch (error) {
    // The disk may be full, and the next attempt needs the space.
    await rm(runFolder(folder, run), { recursive: true, force: true }).catch(() => {})
    throw error
  }
}

async function copyRecords(client: Session, folder: string, run: string): Promise<Records> {
  const target = runFolder(folder, run)
  await makeFolder(folder, target)
  await rows.beginSnapshot(client)
  const migrations = await rows.findMigrations(client)
  const tables: RecordFile[] = []
  for (const table of await rows.listTables(client)) {
    tables.push(await copyTable(client, folder, join(target, `${table.name}.copy.gz`), table, rows.copyOutOf(table)))
  }
  const jobs = { name: 'jobs', columns: rows.jobColumns }
  const waiting = (await rows.hasJobs(client))
    ? await copyTable(client, folder, join(target, 'waiting.jobs.gz'), jobs, rows.copyJobsOut)
    : undefined
  const sequences = await rows.findSequences(client)
  const auditEnd = await rows.findAuditEnd(client)
  await client.query('commit')
  await syncFolder(target)
  return { format, takenAt: new Date().toISOString(), run, migrations, tables, jobs: waiting, sequences, auditEnd }
}

async function copyTable(
  client: Session,
  folder: string,
  file: string,
  { name, columns }: Pick<rows.TableInfo, 'name' | 'columns'>,
  statement: string,
): Promise<RecordFile> {
  const copied = copyOut(client, statement)
  const sha256 = await writeRecords(file, copied.stream)
  return { table: name, columns, file: relative(folder, file), rows: await copied.countRows(), sha256 }
}

/** Missing and damaged files are listed; the rest is saved. */
async function copyFiles(blobs: Blobs, folder: string, records: Records): Promise<Manifest['files']> {
  let count = 0
  let bytes = 0
  const missing: string[] = []
  const folders = new Set<string>()
  for await (const blob of storedFiles(folder, records)) {
    count++
    bytes += blob.size
    if (await saveBlob(folder, blobs, blob)) folders.add(dirname(blobFile(folder, blob.sha256)))
    else missing.push(blob.sha256)
  }
  // Also those of files that an interrupted backup has left.
  for (const one of folders) await syncFolder(one)
  return { count, bytes, missing }
}
