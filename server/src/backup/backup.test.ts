/** Backups of a running system, and their restoration to an empty one. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cm, common, peo, pim } from '@kontor/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addProducts, callsOf, text, values } from '../../test/channels.ts'
import { keyword, statuses } from '../../test/common.ts'
import type { PoolConfig } from 'pg'
import { startFakeS3 } from '../../test/fake-s3.ts'
import { withServer } from '../../test/server.ts'
import { type Blobs, folderBlobs, openBlobs } from '../adapters/blobs/blobs.ts'
import { addJob, migrateJobs } from '../adapters/jobs/jobs.ts'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { type Embedded, startEmbedded } from '../adapters/postgres/embedded.ts'
import { readMigrations } from '../adapters/postgres/migrate.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { commands } from '../admin/admin.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { collect } from '../dam/storage/collect.ts'
import { audit } from '../identity/audit/audit-chain.ts'
import { takeBackup } from './backup.ts'
import { checkIntegrity } from './integrity.ts'
import { blobFile, readManifest } from './manifest.ts'
import { restoreBackup } from './restore.ts'
import { verifyBackup } from './verify.ts'

const api = withServer()
const migrations = readMigrations(new URL('../../migrations/', import.meta.url))
let blobs: Blobs
let root = ''
/** A new PostgreSQL server as the target of restores: its transaction counter is lower than that of the backup. */
let other: Embedded
let systems = 0
const cleanUp: (() => Promise<unknown>)[] = []
const contents = ['a sail', 'a mast', 'a hull']
let hashes: string[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kontor-backup-'))
  blobs = folderBlobs(join(api.config.data, 'blobs'))
  other = await startEmbedded({ dataDir: join(root, 'postgres'), settings: { fsync: 'off' }, tcp: true })
  cleanUp.push(other.stop)
  hashes = await Promise.all(contents.map((content) => addFile(content)))
  await addProducts(api, { P: { NOTE: { en_GB: 'line\nbreak\ttab \\ backslash', de_DE: 'Ümlaut 🚢' } }, Q: {} })
  const channel = (tid: string, parentTid?: string) => ({ tid, name: tid, type: 'Webshop', parentTid })
  await callsOf(api, cm, 'channels').persist(
    { ...channel('shop'), ...values(text('TITLE', 'Boats', 'en_GB')) },
    channel('sale', 'shop'),
  )
  const extension = { tid: 'E', name: 'E', productTid: 'P', templateTid: 'Default', nodes: { node: [{ tid: 'sale' }] } }
  await callsOf(api, peo, 'peos').persist(extension)
  await callsOf(api, common, 'keywords').persist(keyword('Sea'), keyword('Boats', '/Sea'))
  for (let i = 0; i < 5; i++) await audit(api.db, { action: 'test', actor: `Müller ${i}` })
  await migrateJobs(api.db.pool.options)
  await addJob(api.db, 'core.bulk', { runId: 'x' }, { key: 'one' })
})
afterAll(async () => {
  for (const undo of cleanUp) await undo()
  await rm(root, { recursive: true, force: true })
})

async function addFile(content: string, into = blobs): Promise<string> {
  const staged = await into.stage(
    (async function* () {
      yield Buffer.from(content)
    })(),
    1000,
  )
  await into.keep(staged)
  await api.db.run(sql`
    insert into blob (sha256, size) values (${staged.sha256}, ${staged.size}) on conflict do nothing`)
  return staged.sha256
}
const newFolder = () => mkdtemp(join(root, 'to-'))

const addressOf = ({ user, password, host, port, database }: PoolConfig) =>
  `postgres://${user}:${password}@${host}:${port}/${database}`

async function emptySystem(): Promise<{ db: Database; url: string; data: string; files: Blobs }> {
  const name = `system_${++systems}`
  const first = connect(other.poolConfig)
  await first.pool.query(`create database ${name}`)
  await first.close()
  const poolConfig = { ...other.poolConfig, database: name }
  const db = connect({ ...poolConfig, max: 3 })
  cleanUp.unshift(db.close)
  const data = await newFolder()
  return { db, url: addressOf(poolConfig), data, files: folderBlobs(join(data, 'blobs')) }
}
const restoreInto = async (folder: string) => {
  const system = await emptySystem()
  await restoreBackup(system.db, system.files, migrations, folder)
  return system
}
const isEmpty = async (db: Database) =>
  (await db.rows(sql`select from pg_tables where schemaname = 'public'`)).length === 0

/** A hash of the content of each table, without transaction ids and without the tables that are not backed up. */
async function fingerprints(db: Database): Promise<Record<string, string>> {
  const tables = await db.rows<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('schema_migration', 'outbox', 'outbox_consumer', 'outbox_floor') order by 1`)
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await db.pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(r, '' order by r)), '') as print
       from (select (to_jsonb(t) - 'xid')::text as r from ${name} t) as all_rows`,
    )
    found[name] = rows[0].print
  }
  return found
}

test('a restore brings back every row, every file, sequences, jobs and the audit log', async () => {
  const folder = await newFolder()
  const before = await fingerprints(api.db)
  const manifest = await takeBackup(api.db, blobs, folder)
  expect(manifest.files).toMatchObject({ count: 3, missing: [] })
  expect(await verifyBackup(folder)).toMatchObject({ files: 3, faults: [] })
  const { db, files } = await restoreInto(folder)
  expect(await fingerprints(db)).toEqual(before)
  expect(await checkIntegrity(db, files, manifest.auditEnd)).toMatchObject({ files: 3, faults: [] })
  const ids = sql`select last_value from object_id_seq`
  expect(await db.row(ids)).toEqual(await api.db.row(ids))
  const { rows: jobs } = await db.pool.query('select task_identifier, key from graphile_worker.jobs')
  expect(jobs).toEqual([{ task_identifier: 'core.bulk', key: 'one' }])
})

test('the restored system works: tokens are valid, objects exist, new ones get new ids, the audit log continues', async () => {
  const folder = await newFolder()
  await takeBackup(api.db, blobs, folder)
  const { db, files, data } = await restoreInto(folder)
  const { baseUrl } = api.config
  const env = { KONTOR_DATA: data, KONTOR_BASE_URL: baseUrl, KONTOR_LOG_LEVEL: 'silent' }
  const app = await createApp(db, readConfig({ ...env, KONTOR_MASTER_KEY: 'of a test, which need not be secret' }))
  const post = (path: string, payload: object) =>
    app.http.inject({ method: 'POST', url: path, payload, headers: { authorization: `Bearer ${api.token}` } })
  const product = (await post(`${pim.base}/products/retrieve`, { tids: ['P'] })).json()
  expect(product.products.product[0]).toMatchObject({ tid: 'P', name: 'P' })
  const projects = { project: [{ tid: 'new', name: 'new', type: 'Webshop', parentTid: 'sale' }] }
  const made = (await post(`${cm.base}/channels/persist`, { schemaVersion: '5.6.0', projects })).json()
  const highest = await api.db.row<{ last: number }>(sql`select last_value as last from object_id_seq`)
  expect(made.responses.response[0]).toMatchObject({ status: 'SUCCESS' })
  expect(made.responses.response[0].id).toBeGreaterThan(highest!.last)
  await app.http.close()
  await audit(db, { action: 'test', actor: 'after' })
  expect((await checkIntegrity(db, files)).faults).toEqual([])
  const outbox = await db.rows<{ settled: boolean }>(
    sql`select xid <= pg_snapshot_xmax(pg_current_snapshot()) as settled from outbox`,
  )
  expect(outbox.map(({ settled }) => settled)).toEqual([true])
})

test('a backup under load is a consistent snapshot: it contains batches as a whole or not at all, and passes every check', async () => {
  const over = new AbortController()
  const writer = async (name: string) => {
    for (let batch = 0; !over.signal.aborted; batch++) {
      const words = Array.from({ length: 10 }, (_, i) => keyword(`${name}-${batch}-${i}`))
      expect(statuses(await callsOf(api, common, 'keywords').persist(...words)).includes('ERROR')).toBe(false)
      await callsOf(api, cm, 'channels').persist({ tid: `${name}-${batch}`, name: `${name}-${batch}`, type: 'Webshop' })
      await audit(api.db, { action: 'load', actor: name })
    }
  }
  const writers = ['a', 'b', 'c'].map(writer)
  const folder = await newFolder()
  const manifests = []
  for (let i = 0; i < 3; i++) manifests.push(await takeBackup(api.db, blobs, folder))
  over.abort()
  await Promise.all(writers)
  const { db, files } = await restoreInto(folder)
  expect((await checkIntegrity(db, files, manifests.at(-1)!.auditEnd)).faults).toEqual([])
  const torn = await db.rows(sql`
    select 1 from keyword where path ~ '^/[abc]-' group by substring(path from '^/([abc]-\\d+)-') having count(*) <> 10`)
  expect(torn).toEqual([])
  const history = await db.rows(sql`
    select k.id from keyword k where path ~ '^/[abc]-' and not exists (select from history h where h.object_id = k.id)`)
  expect(history, 'every row has a history').toEqual([])
})

test('the next backup copies only new files and removes those that are no longer stored', async () => {
  const folder = await newFolder()
  await takeBackup(api.db, blobs, folder)
  const opened: string[] = []
  const watched: Blobs = { ...blobs, open: (sha256, range) => (opened.push(sha256), blobs.open(sha256, range)) }
  const fresh = await addFile('an anchor')
  await takeBackup(api.db, watched, folder)
  expect(opened).toEqual([fresh])
  await api.db.run(sql`delete from blob where sha256 = ${fresh}`)
  await takeBackup(api.db, watched, folder)
  await expect(stat(blobFile(folder, fresh))).rejects.toThrow('ENOENT')
  expect(await readdir(join(folder, 'records'))).toHaveLength(1)
  expect((await verifyBackup(folder)).faults).toEqual([])
})

test('no file of the snapshot is collected before it is copied', async () => {
  const folder = await newFolder()
  const doomed = await addFile('a leaking boat')
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const slow: Blobs = {
    ...blobs,
    async open(sha256, range) {
      asked.resolve()
      await gate.promise
      return blobs.open(sha256, range)
    },
  }
  const backup = takeBackup(api.db, slow, folder)
  await asked.promise
  await api.db.run(sql`update blob set touched_at = now() - interval '1 day' where sha256 = ${doomed}`)
  expect((await collect(api.db, blobs, 0)).blobs).toBe(0)
  gate.resolve()
  expect((await backup).files.missing).toEqual([])
  expect((await verifyBackup(folder)).faults).toEqual([])
  await vi.waitFor(
    async () => {
      await collect(api.db, blobs, 0)
      expect(await blobs.has(doomed, 14)).toBe(false)
    },
    { timeout: 30_000, interval: 100 },
  ) // after the session of the backup has ended
  hashes = await Promise.all(contents.map((content) => addFile(content)))
})

test('an unreadable file is reported by name, and the rest is saved', async () => {
  const lost = await addFile('a bottle')
  await blobs.remove(lost)
  const folder = await newFolder()
  expect((await takeBackup(api.db, blobs, folder)).files.missing).toEqual([lost])
  expect((await verifyBackup(folder)).faults).toEqual([`the file ${lost} could not be read when the backup was taken`])
  const { db, files } = await restoreInto(folder)
  expect((await checkIntegrity(db, files)).faults).toEqual([`the file ${lost} is missing`])
  await api.db.run(sql`delete from blob where sha256 = ${lost}`)
})

describe('an incomplete backup is refused with the name of the fault, and the system stays empty', () => {
  const recordsOf = async (folder: string, table: string) =>
    join(folder, (await readManifest(folder)).tables.find((one) => one.table === table)!.file)
  const flip = async (file: string) => {
    const bytes = await readFile(file)
    bytes[bytes.length >> 1]! ^= 0xff
    await writeFile(file, bytes)
  }
  // prettier-ignore
  const damages: [what: string, harm: (folder: string) => Promise<unknown>, output: RegExp][] = [
    ['no manifest',             (folder) => rm(join(folder, 'manifest.json')),                               /manifest\.json is missing/],
    ['a manifest cut short',    (folder) => truncate(join(folder, 'manifest.json'), 200),                    /manifest\.json is damaged/],
    ['another manifest',        async (folder) => writeFile(join(folder, 'manifest.json'), (await readFile(join(folder, 'manifest.json'), 'utf8')).replace(/"rows": \d+/, '"rows": 77')), /manifest\.json is damaged/],
    ['records that changed',    async (folder) => flip(await recordsOf(folder, 'product')),                  /records of product are damaged/],
    ['records cut short',       async (folder) => truncate(await recordsOf(folder, 'history'), 100),         /records of history are damaged/],
    ['records that grew',       async (folder) => appendFile(await recordsOf(folder, 'keyword'), 'x'),       /records of keyword are damaged/],
    ['records that are gone',   async (folder) => rm(await recordsOf(folder, 'project')),                    /records of project are missing/],
    ['a file that changed',     (folder) => flip(blobFile(folder, hashes[0]!)),                              /the file \w{64}( of the backup)? is damaged/],
    ['a file that is gone',     (folder) => rm(blobFile(folder, hashes[1]!)),                                /the file \w{64}( of the backup)? is missing/],
  ]
  test.each(damages)('%s', async (_what, harm, output) => {
    const folder = await newFolder()
    await takeBackup(api.db, blobs, folder)
    await harm(folder)
    const verdict = await verifyBackup(folder).then(
      ({ faults }) => faults.join(),
      (error: Error) => error.message,
    )
    expect(verdict).toMatch(output)
    const { db, files } = await emptySystem()
    await expect(restoreBackup(db, files, migrations, folder)).rejects.toThrow(output)
    expect(await isEmpty(db)).toBe(true)
  })

  test('a restore is refused for a system that is not empty and for a backup of a newer version', async () => {
    const folder = await newFolder()
    await takeBackup(api.db, blobs, folder)
    await expect(restoreBackup(api.db, blobs, migrations, folder)).rejects.toThrow('not empty')
    const { db, files } = await emptySystem()
    await expect(restoreBackup(db, files, migrations.slice(0, 3), folder)).rejects.toThrow('this version lacks')
    const changed = migrations.map((one, i) => (i === 1 ? { ...one, checksum: 'x' } : one))
    await expect(restoreBackup(db, files, changed, folder)).rejects.toThrow('changed')
    await restoreBackup(db, files, migrations, folder)
  })
})

test('of two backups at the same time the second is refused', async () => {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const slow: Blobs = {
    ...blobs,
    open: async (sha256, range) => {
      asked.resolve()
      await gate.promise
      return blobs.open(sha256, range)
    },
  }
  const first = takeBackup(api.db, slow, await newFolder())
  await asked.promise
  await expect(takeBackup(api.db, blobs, await newFolder())).rejects.toThrow('another backup')
  gate.resolve()
  await first
})

const env = () => ({
  DATABASE_URL: api.db.pool.options.connectionString!,
  KONTOR_DATA: api.config.data,
  KONTOR_MASTER_KEY: 'of a test, which need not be secret',
})
async function kontor(line: string, args: string[], settings: Record<string, string>) {
  const output: string[] = []
  const errors = vi.spyOn(console, 'error').mockImplementation((words: string) => void output.push(words))
  const code = await commands.get(line)!.run(args, settings, (words) => void output.push(words))
  errors.mockRestore()
  return { code, output: output.join('\n') }
}

test('kill -9 during a backup leaves the previous backup unchanged', async () => {
  const folder = await newFolder()
  const before = await takeBackup(api.db, blobs, folder)
  const main = new URL('../../../cli/src/main.ts', import.meta.url).pathname
  const reached = Promise.withResolvers<void>()
  const silent = createServer(() => reached.resolve()) // a store that never replies: the records are written, the files are not
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const endpoint = encodeURIComponent(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  const settings = { ...process.env, ...env(), KONTOR_BLOBS: `s3://test:testtest@bucket?endpoint=${endpoint}` }
  await rm(blobFile(folder, hashes[0]!)) // this file must be copied again
  const child = spawn(process.execPath, [main, 'backup', folder], { env: settings, stdio: 'ignore' })
  await reached.promise
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  silent.closeAllConnections()
  silent.close()
  expect(await readdir(join(folder, 'records')), 'the incomplete run').toHaveLength(2)
  expect(await readManifest(folder)).toEqual(before)
  expect((await verifyBackup(folder)).faults, 'only the removed file').toEqual([`the file ${hashes[0]} is missing`])
  await vi.waitFor(() => takeBackup(api.db, blobs, folder), { timeout: 60_000, interval: 200 }) // after its session has ended
  expect(await readdir(join(folder, 'records'))).toHaveLength(1)
  expect((await verifyBackup(folder)).faults).toEqual([])
})

test('the kontor command takes and restores backups, with audit events in both systems', async () => {
  const folder = await newFolder()
  expect(await kontor('backup', [folder], env())).toMatchObject({
    code: 0,
    output: expect.stringContaining('is whole'),
  })
  expect(await kontor('backup verify', [folder], env())).toMatchObject({ code: 0 })
  expect(await kontor('check', [], env())).toMatchObject({ code: 0, output: expect.stringContaining('is whole') })
  expect(await kontor('restore', [folder], env())).toMatchObject({
    code: 1,
    output: expect.stringContaining('not empty'),
  })
  expect(await kontor('backup', [], env())).toMatchObject({ code: 1, output: 'name the folder of the backup' })
  const { db, url, data } = await emptySystem()
  const there = { ...env(), DATABASE_URL: url, KONTOR_DATA: data }
  expect(await kontor('restore', [folder], there)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Restored'),
  })
  expect(await kontor('check', [], there)).toMatchObject({ code: 0 })
  const last = sql`select action, object from audit_event where action like 'backup.%' order by seq desc limit 1`
  expect(await api.db.row(last)).toEqual({ action: 'backup.take', object: `backup ${folder}` })
  expect(await db.row(last)).toEqual({ action: 'backup.restore', object: `backup ${folder}` })
  await rm(blobFile(folder, hashes[0]!))
  expect(await kontor('backup verify', [folder], env())).toMatchObject({
    code: 1,
    output: expect.stringContaining('missing'),
  })
})

test('files on S3 are saved and restored', async () => {
  const s3 = await startFakeS3()
  cleanUp.push(s3.close)
  const remote = openBlobs(`s3://test:testtest@bucket/kontor?endpoint=${encodeURIComponent(s3.url)}`, join(root, 's3'))
  for (const content of contents) await addFile(content, remote)
  const folder = await newFolder()
  expect((await takeBackup(api.db, remote, folder)).files).toMatchObject({ count: 3, missing: [] })
  for (const sha256 of hashes) await remote.remove(sha256)
  const { db } = await emptySystem()
  await restoreBackup(db, remote, migrations, folder)
  expect(await checkIntegrity(db, remote)).toMatchObject({ files: 3, faults: [] })
})
