/**
 * `kontor doctor`: checks the installation, and explains faults and their remedies.
 *
 * Each check is a row: its subject, and a function that returns its finding or throws a fault.
 */
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../adapters/postgres/db.ts'
import { readMigrations } from '../adapters/postgres/migrate.ts'
import { sql } from '../adapters/postgres/sql.ts'
import type { Config } from '../config.ts'
import { createKeys } from '../identity/tokens/keys.ts'
import { createMasterKey, readMasterKeyFile } from '../identity/tokens/master-key.ts'
import type { Out } from './command.ts'
import { withDatabase } from './database.ts'

type Check = (config: Config, db: Database) => Promise<string>

// prettier-ignore
const checks: readonly (readonly [subject: string, check: Check])[] = [
  ['data folder', dataFolder],
  ['disk space', diskSpace],
  ['database', database],
  ['migrations', migrations],
  ['master key', masterKey],
  ['jobs', jobs],
  ['previews', previews],
  ['webhooks', webhooks],
  ['outbox', outbox],
]

export const doctor = (config: Config, _args: readonly string[], out: Out): Promise<boolean> =>
  withDatabase(config, async (db) => {
    let faults = 0
    for (const [subject, check] of checks) {
      const found = await check(config, db).catch((error: Error) => error)
      if (found instanceof Error) faults++
      out(
        `${found instanceof Error ? 'wrong' : 'fine '}  ${subject.padEnd(12)} ${found instanceof Error ? found.message : found}`,
      )
    }
    out(faults === 0 ? 'Everything is fine.' : `${faults} of ${checks.length} checks failed.`)
    return faults === 0
  })

async function dataFolder({ data }: Config): Promise<string> {
  await access(data, constants.R_OK | constants.W_OK)
  return data
}

const GiB = 1024 ** 3

async function diskSpace({ data }: Config): Promise<string> {
  const { bavail, bsize } = await statfs(data)
  const free = (bavail * bsize) / GiB
  if (free < 1) throw new Error(`only ${free.toFixed(2)} GiB are free; uploads and the database will stop soon`)
  return `${free.toFixed(1)} GiB free`
}

async function database(_config: Config, db: Database): Promise<string> {
  const row = await db.row<{ version: string; size: number; sync: string }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      current_setting('fsync') as sync`)
  if (row!.sync !== 'on') throw new Error('fsync is off: a power cut can destroy the database; switch it on')
  return `PostgreSQL ${row!.version}, ${(Number(row!.size) / GiB).toFixed(2)} GiB`
}

async function migrations(_config: Config, db: Database): Promise<string> {
  const known = readMigrations(new URL('../../migrations/', import.meta.url))
  const row = await db.row<{ count: number }>(sql`select count(*) from schema_migration`)
  if (Number(row!.count) < known.length)
    throw new Error(`${known.length - Number(row!.count)} are missing; they are applied when the server starts`)
  return `all ${known.length} applied`
}

async function masterKey(config: Config, db: Database): Promise<string> {
  const key = createMasterKey(config.masterKey ?? readMasterKeyFile(join(config.data, 'master-key')))
  await createKeys(db, config.tokenAlgorithm, key)
  return 'decrypts the keys in the database'
}

async function jobs(_config: Config, db: Database): Promise<string> {
  const row = await db.row<{ waiting: number; failed: number; late: number }>(sql`
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

async function previews(_config: Config, db: Database): Promise<string> {
  const row = await db.row<{ pending: number }>(sql`
    select count(*) as pending from dam_entry where import_status in ('pending', 'running') and modified_at < now() - interval '1 hour'`)
  if (Number(row!.pending) > 0) throw new Error(`${row!.pending} files have been waiting for previews for an hour`)
  return 'no file is waiting'
}

async function webhooks(_config: Config, db: Database): Promise<string> {
  const rows = await db.rows<{ url: string; problem: string | null }>(sql`
    select url, problem from webhook where failing_since is not null or not enabled order by url`)
  if (rows.length > 0) throw new Error(rows.map(({ url, problem }) => `${url}: ${problem ?? 'disabled'}`).join('; '))
  return 'all receivers answer'
}

async function outbox(_config: Config, db: Database): Promise<string> {
  const row = await db.row<{ count: number; oldest: Date | null }>(sql`select count(*), min(at) as oldest from outbox`)
  const hours = row!.oldest ? (Date.now() - row!.oldest.getTime()) / 3_600_000 : 0
  if (hours > 8 * 24)
    throw new Error(
      `changes of ${Math.round(hours / 24)} days ago are still stored: one of the consumers does not read them`,
    )
  return `${row!.count} changes stored`
}
