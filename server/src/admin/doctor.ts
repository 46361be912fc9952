/**
 * `kontor doctor`: checks the installation, and explains faults and their remedies. It only inspects: it starts, creates
 * and changes nothing, also on a system that does not exist yet.
 *
 * Each check is a row: its subject, a function that returns its finding or throws a fault, and the check it depends on.
 */
import { constants, existsSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../adapters/postgres/db.ts'
import { readMigrations } from '../adapters/postgres/migrate.ts'
import { sql } from '../adapters/postgres/sql.ts'
import type { Config } from '../config.ts'
import { findUndivided, partitionedTables } from '../core/partitions/partitions.ts'
import { checkKeys } from '../identity/tokens/keys.ts'
import { createMasterKey, findMasterKey } from '../identity/tokens/master-key.ts'
import type { Out } from './command.ts'
import { openForReading } from './database.ts'

/** There is nothing to inspect for the checks after this one. */
class Absent extends Error {}

/** Calling `db` throws the reason if there is no database to inspect. */
type Check = (config: Config, db: () => Database) => Promise<string>

// prettier-ignore
const checks: readonly (readonly [subject: string, check: Check, after?: string])[] = [
  ['data folder', dataFolder],
  ['disk space', diskSpace],
  ['database', database],
  ['migrations', migrations, 'database'],
  ['master key', masterKey, 'migrations'],
  ['jobs', jobs, 'migrations'],
  ['previews', previews, 'migrations'],
  ['webhooks', webhooks, 'migrations'],
  ['outbox', outbox, 'migrations'],
  ['partitions', partitions, 'migrations'],
]

export async function doctor(config: Config, _args: readonly string[], out: Out): Promise<boolean> {
  const opened = await openForReading(config).catch((error: Error) => error)
  const db = () => {
    if (opened instanceof Error) throw new Absent(opened.message)
    return opened
  }
  const absent = new Set<string>()
  let faults = 0
  const report = (state: string, subject: string, text: string) => out(`${state}  ${subject.padEnd(12)} ${text}`)
  try {
    for (const [subject, check, after] of checks) {
      if (after !== undefined && absent.has(after)) {
        absent.add(subject)
        report('skip ', subject, `not checked until this is corrected: ${after}`)
        continue
      }
      try {
        report('fine ', subject, await check(config, db))
      } catch (error) {
        faults++
        if (error instanceof Absent) absent.add(subject)
        report('wrong', subject, (error as Error).message)
      }
    }
  } finally {
    if (!(opened instanceof Error)) await opened.close()
  }
  out(faults === 0 ? 'Everything is fine.' : `${faults} of ${checks.length} checks failed.`)
  return faults === 0
}

async function dataFolder({ data }: Config): Promise<string> {
  if (!existsSync(data))
    throw new Error(`${data} does not exist; the first start of the server creates it. Or set KONTOR_DATA`)
  await access(data, constants.R_OK | constants.W_OK).catch(() => {
    throw new Error(`${data} cannot be read and written by this user; run this command as the user of the server`)
  })
  return data
}

const GiB = 1024 ** 3

/** The data folder may not exist yet; then it is the space where it will be. */
async function diskSpace({ data }: Config): Promise<string> {
  let folder = data
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = (bavail * bsize) / GiB
  if (free < 1) throw new Error(`only ${free.toFixed(2)} GiB are free; uploads and the database will stop soon`)
  return `${free.toFixed(1)} GiB free`
}

async function database(_config: Config, db: () => Database): Promise<string> {
  const row = await db().row<{ version: string; size: number; sync: string }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      current_setting('fsync') as sync`)
  if (row!.sync !== 'on') throw new Error('fsync is off: a power cut can destroy the database; switch it on')
  return `PostgreSQL ${row!.version}, ${(Number(row!.size) / GiB).toFixed(2)} GiB`
}

const hasTable = async (db: Database, name: string) =>
  (await db.row<{ found: boolean }>(sql`select to_regclass(${name}) is not null as found`))!.found

async function migrations(_config: Config, db: () => Database): Promise<string> {
  const known = readMigrations(new URL('../../migrations/', import.meta.url))
  if (!(await hasTable(db(), 'schema_migration')))
    throw new Absent('the database has no tables of Kontor; the first start of the server creates them')
  const applied = Number((await db().row<{ count: number }>(sql`select count(*) from schema_migration`))!.count)
  if (applied < known.length)
    throw new Error(`${known.length - applied} are missing; they are applied when the server starts`)
  if (applied > known.length)
    throw new Error(`the database has ${applied - known.length} more than this version; use the version of the server`)
  return `all ${known.length} applied`
}

async function masterKey(config: Config, db: () => Database): Promise<string> {
  const file = join(config.data, 'master-key')
  const secret = config.masterKey ?? findMasterKey(file)
  const keys = await checkKeys(db(), secret === undefined ? undefined : createMasterKey(secret))
  if (secret === undefined && keys > 0)
    throw new Error(
      `missing, and the keys in the database cannot be decrypted without it; copy the original to ${file}, or set KONTOR_MASTER_KEY`,
    )
  if (secret === undefined) throw new Error(`missing; the first start of the server creates ${file}`)
  if (keys === 0) throw new Error('the database has no keys to sign tokens; the first start of the server creates them')
  return 'decrypts the keys in the database'
}

async function jobs(_config: Config, db: () => Database): Promise<string> {
  if (!(await hasTable(db(), 'graphile_worker.jobs')))
    throw new Error('the database has no job queue; the next start of the server creates it')
  const row = await db().row<{ waiting: number; failed: number; late: number }>(sql`
    select count(*) filter (where attempts < max_attempts) as waiting, count(*) filter (where attempts >= max_attempts) as failed,
      count(*) filter (where locked_at is null and attempts = 0 and run_at < now() - interval '10 minutes') as late
    from graphile_worker.jobs`)
  if (Number(row!.late) > 0)
    throw new Error(
      `${row!.late} jobs have been waiting for more than ten minutes; is a process with the role worker running?`,
    )
  if (Number(row!.failed) > 0) throw new Error(`${row!.failed} jobs have failed permanently; see the log`)
  return `${row!.waiting} waiting`
}

async function previews(_config: Config, db: () => Database): Promise<string> {
  const row = await db().row<{ pending: number }>(sql`
    select count(*) as pending from dam_entry where import_status in ('pending', 'running') and modified_at < now() - interval '1 hour'`)
  if (Number(row!.pending) > 0) throw new Error(`${row!.pending} files have been waiting for previews for an hour`)
  return 'no file is waiting'
}

async function webhooks(_config: Config, db: () => Database): Promise<string> {
  const rows = await db().rows<{ url: string; problem: string | null }>(sql`
    select url, problem from webhook where failing_since is not null or not enabled order by url`)
  if (rows.length > 0) throw new Error(rows.map(({ url, problem }) => `${url}: ${problem ?? 'disabled'}`).join('; '))
  return 'all receivers answer'
}

async function outbox(_config: Config, db: () => Database): Promise<string> {
  const row = await db().row<{ count: number; oldest: Date | null }>(
    sql`select count(*), min(at) as oldest from outbox`,
  )
  const hours = row!.oldest ? (Date.now() - row!.oldest.getTime()) / 3_600_000 : 0
  if (hours > 8 * 24)
    throw new Error(
      `changes of ${Math.round(hours / 24)} days ago are still stored: one of the consumers does not read them`,
    )
  return `${row!.count} changes stored`
}

async function partitions(config: Config, db: () => Database): Promise<string> {
  const undivided = await findUndivided(db(), partitionedTables(config))
  if (undivided.length > 0)
    throw new Error(
      `${undivided.join(', ')}: rows are in the default partition, because no other was made in time; start a process with the role worker, which divides them within the hour`,
    )
  return 'made ahead, and nothing is in a default partition'
}
