/** `kontor doctor` inspects and never creates: folders and databases are the same before and after it. */
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { administer, createDatabase, withDatabase } from '../../test/database.ts'
import { migrateJobs } from '../adapters/jobs/jobs.ts'
import { connect } from '../adapters/postgres/db.ts'
import { createKeys } from '../identity/tokens/keys.ts'
import { createMasterKey } from '../identity/tokens/master-key.ts'
import { commands } from './admin.ts'

const secret = 'of a test, which need not be secret'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A database without any table, as an administrator of PostgreSQL creates it. */
async function emptyDatabase(): Promise<string> {
  const { url } = inject('postgres')
  const name = `kontor_test_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name}`)
  onTestFinished(() => administer(url, `drop database if exists ${name} with (force)`))
  return withDatabase(url, name)
}

async function migratedDatabase(): Promise<string> {
  const database = await createDatabase()
  onTestFinished(database.drop)
  return database.poolConfig.connectionString
}

async function inDatabase<T>(url: string, work: (db: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const db = connect({ connectionString: url })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Every file with its mode, time of change and content. */
const filesIn = (folder: string) =>
  ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()].map((name) => {
    const state = lstatSync(join(folder, name))
    const content = state.isFile() ? readFileSync(join(folder, name), 'latin1') : ''
    return { name, mode: state.mode, changed: state.mtimeMs, content }
  })

/** Every relation of every schema, with a digest of its rows; sequences have one row. */
const contentOf = (url: string) =>
  inDatabase(url, async ({ pool }) => {
    const { rows } = await pool.query<{ name: string; kind: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
    )
    const content: Record<string, string> = {}
    for (const { name, kind } of rows) {
      const columns = { r: 't::text', p: 't::text', S: 'last_value, is_called' }[kind]
      const found =
        columns === undefined ? { rows: [] } : await pool.query(`select ${columns} from ${name} t order by 1`)
      content[name] = createHash('sha256').update(JSON.stringify(found.rows)).digest('hex')
    }
    return content
  })

/** Runs doctor and checks that it left everything as it was. */
async function doctor(env: Record<string, string>, folder: string) {
  const look = async () => [filesIn(folder), env.DATABASE_URL === undefined ? {} : await contentOf(env.DATABASE_URL)]
  const before = await look()
  const lines: string[] = []
  const code = await commands.get('doctor')!.run([], env, (line) => void lines.push(line))
  expect(await look()).toEqual(before)
  return { code, output: lines.join('\n') }
}

test('on a system that does not exist yet it says what the first start creates, and creates nothing', async () => {
  const folder = emptyFolder()
  const data = join(folder, 'data')
  const { code, output } = await doctor({ KONTOR_DATA: data }, folder)
  expect(code).toBe(1)
  expect(output).toContain(`wrong  data folder  ${data} does not exist; the first start of the server creates it`)
  expect(output).toMatch(/^fine {3}disk space {3}[\d.]+ GiB free$/m)
  expect(output).toContain(`wrong  database     there is no database in ${data} yet; the first start`)
  expect(output).toContain('skip   master key   not checked until this is corrected: migrations')
  expect(output).toContain('2 of 10 checks failed.')
})

test('a stopped embedded database is not started', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'cluster'))
  writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '18\n')
  const { code, output } = await doctor({ KONTOR_DATA: folder }, folder)
  expect(code).toBe(1)
  expect(output).toContain('wrong  database     the embedded PostgreSQL is not running; start the server, then')
})

test('an empty database stays empty', async () => {
  const folder = emptyFolder()
  const url = await emptyDatabase()
  const { code, output } = await doctor({ KONTOR_DATA: folder, DATABASE_URL: url }, folder)
  expect(code).toBe(1)
  expect(output).toContain('wrong  migrations   the database has no tables of Kontor; the first start')
  expect(await contentOf(url)).toEqual({})
})

test('missing keys and a missing job queue are reported, not created', async () => {
  const folder = emptyFolder()
  const url = await migratedDatabase()
  await inDatabase(url, ({ pool }) => pool.query('drop schema if exists graphile_worker cascade'))
  const { output } = await doctor({ KONTOR_DATA: folder, DATABASE_URL: url }, folder)
  expect(output).toMatch(/wrong {2}master key {3}missing; the first start of the server creates \S+master-key/)
  expect(output).toContain('wrong  jobs         the database has no job queue; the next start')
  const withKey = await doctor({ KONTOR_DATA: folder, DATABASE_URL: url, KONTOR_MASTER_KEY: secret }, folder)
  expect(withKey.output).toContain('wrong  master key   the database has no keys to sign tokens')
})

test('a sound installation is fine; a lost or wrong master key is found', async () => {
  const folder = emptyFolder()
  const url = await migratedDatabase()
  await migrateJobs({ connectionString: url })
  await inDatabase(url, (db) => createKeys(db, 'ES256', createMasterKey(secret)))
  const env = { KONTOR_DATA: folder, DATABASE_URL: url }
  const lost = await doctor(env, folder)
  expect(lost.output).toContain('wrong  master key   missing, and the keys in the database cannot be decrypted')
  writeFileSync(join(folder, 'master-key'), `${secret}\n`)
  const { output } = await doctor(env, folder)
  // The database of the tests does without fsync; everything else is fine.
  expect(output.split('\n').filter((line) => !line.startsWith('fine '))).toEqual([
    expect.stringMatching(/^wrong {2}database {5}fsync is off/),
    '1 of 10 checks failed.',
  ])
  await inDatabase(url, ({ pool }) =>
    pool.query(`insert into history (object_id, data_type, action, user_name) values (1, 'product', 'update', 'kim')`),
  )
  expect((await doctor(env, folder)).output).toContain('wrong  partitions   history: rows are in the default partition')
  const wrong = await doctor({ ...env, KONTOR_MASTER_KEY: 'another one, of another installation' }, folder)
  expect(wrong).toEqual({ code: 1, output: expect.stringContaining('the master key does not fit') })
})

test('a database that does not answer is a fault with its remedy', async () => {
  const folder = emptyFolder()
  const env = { KONTOR_DATA: folder, DATABASE_URL: 'postgres://kontor@127.0.0.1:1/kontor' }
  const lines: string[] = []
  expect(await commands.get('doctor')!.run([], env, (line) => void lines.push(line))).toBe(1)
  expect(lines.join('\n')).toMatch(/wrong {2}database {5}DATABASE_URL: .*ECONNREFUSED.*; check that the server runs/)
})

test('its connection cannot change anything', async () => {
  const url = await migratedDatabase()
  const { openForReading } = await import('./database.ts')
  const { readConfig } = await import('../config.ts')
  const withOptions = new URL(url)
  withOptions.searchParams.set('options', '-c jit=off')
  const db = await openForReading(readConfig({ DATABASE_URL: withOptions.href }))
  onTestFinished(() => db.close())
  await expect(db.pool.query('create table x ()')).rejects.toThrow('read-only transaction')
})
