/**
 * Brings the schema up to date: numbered SQL files, forward only, each in a transaction of its own.
 *
 *   migrations/0001-objects.sql   a number and a name; never edited once it was applied anywhere
 *   schema_migration              the files that were applied to this database, with their checksums
 *
 * Processes that start at the same time take turns by an advisory lock: the first migrates, the others find nothing to do. A
 * file that would wait for a table in use is undone instead, because all other statements would queue behind it, and tried
 * again a little later.
 *
 * During an upgrade processes of the old version use the new schema, and may be started on it. So a migration only adds
 * (expand). What nobody needs any more is removed by a later one, the contract step of the first, which has that number in its
 * name (0031-contract-0029-old-names.sql). docs/scaling.md has the rule, migrations.test.ts checks it.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { PoolClient } from 'pg'
import type { Database } from './db.ts'

export interface Migration {
  name: string
  number: number
  text: string
  checksum: string
}

type Applied = Omit<Migration, 'text'>

const lockKey = 20_150_423 // arbitrary constant
const oldestServer = 15

/** The migrations of a folder, in order. Skips schema.sql, the dump in the same folder. */
export function readMigrations(dir: URL | string): Migration[] {
  const folder = dir instanceof URL ? fileURLToPath(dir) : dir
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && file !== 'schema.sql')
  return files.sort().map((file) => {
    const [, name, number] = /^((\d{4})-[a-z0-9-]+)\.sql$/.exec(file) ?? []
    if (name === undefined) throw new Error(`The migration ${file} must be named like 0001-objects.sql`)
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
    return { name, number: Number(number), text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/** Applies missing migrations and returns their names. */
export async function migrate(
  database: Database,
  migrations: Migration[],
  lockTimeoutMillis = 5_000,
  onApplied: (count: number, total: number) => void = () => {},
): Promise<string[]> {
  checkNumbers(migrations)
  const client = await database.pool.connect()
  try {
    await client.query('set lock_timeout = 0; set statement_timeout = 0') // another process may migrate for long
    await client.query(`select pg_advisory_lock(${lockKey})`)
    await checkServer(client)
    await client.query(`create table if not exists schema_migration (
      number     integer primary key,
      name       text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )`)
    const { rows } = await client.query<Applied>('select number, name, checksum from schema_migration order by number')
    checkApplied(rows, migrations)
    const missing = migrations.slice(rows.length)
    for (const [i, migration] of missing.entries()) {
      await apply(client, migration, lockTimeoutMillis)
      onApplied(i + 1, missing.length)
    }
    return missing.map(({ name }) => name)
  } finally {
    client.release(true) // ends the session with its lock and settings
  }
}

const mostTries = 10
/** A lock was not granted in time, or two transactions wait for each other. */
const inUse = new Set(['55P03', '40P01'])

async function apply(client: PoolClient, migration: Migration, lockTimeoutMillis: number): Promise<void> {
  const { name } = migration
  for (let tries = 1; ; tries++) {
    try {
      return await applyOnce(client, migration, lockTimeoutMillis)
    } catch (cause) {
      const { message, code = '' } = cause as Error & { code?: string }
      if (!inUse.has(code) || tries === mostTries)
        throw new Error(`The migration ${name} failed and was undone: ${message}`, { cause })
      await client.query('rollback')
      await pause((lockTimeoutMillis / 10) * (1 + Math.random()))
    }
  }
}

async function applyOnce(client: PoolClient, migration: Migration, lockTimeoutMillis: number): Promise<void> {
  const { number, name, text, checksum } = migration
  await client.query(`begin; set local lock_timeout = ${lockTimeoutMillis}`)
  await client.query(text)
  await client.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])
  await client.query('commit')
}

function checkNumbers(migrations: Migration[]): void {
  migrations.forEach(({ number, name }, i) => {
    if (number === i + 1) return
    const fault = number <= i ? 'has a number that was given already' : `must have the number ${i + 1}`
    throw new Error(`The migration ${name} ${fault}: migrations are numbered 1, 2, 3, …`)
  })
}

function checkApplied(applied: Applied[], migrations: Migration[]): void {
  applied.forEach(({ number, name, checksum }, i) => {
    const migration = migrations[i]
    if (migration === undefined) {
      const contracted = contractedBy(name)
      // A newer version has added to the schema, which does no harm, or removed what only versions before it used.
      if (contracted === undefined || contracted <= migrations.length) return
      throw new Error(
        `The database has the migration ${name}, after which this version cannot run: run a newer version`,
      )
    }
    if (number !== migration.number || checksum !== migration.checksum) {
      throw new Error(
        `The migration ${migration.name} was changed after it was applied to this database (as ${name}): ` +
          'restore the file, and put the change into a new one',
      )
    }
  })
}

/** The number of the migration whose contract step this is: 29 for 0031-contract-0029-old-names. */
export function contractedBy(name: string): number | undefined {
  const [, number] = /^\d{4}-contract-(\d{4})-/.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

async function checkServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding`,
  )
  const { version, encoding } = rows[0]!
  if (version < oldestServer) throw new Error(`PostgreSQL ${oldestServer} or newer is needed, this is ${version}`)
  if (encoding !== 'UTF8') throw new Error(`The database must have the encoding UTF8, this one has ${encoding}`)
}
