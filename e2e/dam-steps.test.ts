/**
 * The server is killed (kill -9) at each step of an upload, a chunk, a finish, a version, a move and a delete.
 *
 * The test blocks the server at the step, checks that it waits there, and kills it. The block is a lock in the server's
 * database, a request body of which only half is sent, or a reply that the S3 server withholds. Afterwards every
 * acknowledged file is stored byte for byte. A file that was not acknowledged is stored completely or not at all, and
 * can be sent again. Every row has its bytes, and nothing is left in the spool folder.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client as Connection } from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { commands } from '../server/src/admin/admin.ts'
import { openConnection } from '../server/test/connection.ts'
import { createDatabase } from '../server/test/database.ts'
import { startFakeS3 } from '../server/test/fake-s3.ts'
import { form, paramsPart, payloadPart, picture } from '../server/test/files.ts'
import { placeOfFiles } from '../server/test/s3.ts'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_DATA = dataFolder()
const { poolConfig, drop } = await createDatabase()
const DATABASE_URL = poolConfig.connectionString
afterAll(drop)
afterAll(() => removeFolder(KONTOR_DATA))
const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const env = {
  KONTOR_DATA,
  DATABASE_URL,
  KONTOR_ADMIN_PASSWORD,
  KONTOR_BLOB_GRACE_MINUTES: '0',
  ...(await placeOfFiles()),
}
const dam = '/api/core/v1/dam'
const blobs = join(KONTOR_DATA, 'blobs')

interface Client {
  readonly kontor: Kontor
  readonly token: string
  call(method: string, path: string, body?: object | { body: Buffer; type: string }): Promise<Answer>
}
interface Answer {
  readonly status: number
  readonly bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

async function start(settings = env): Promise<Client> {
  const kontor = await startKontor(settings)
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  return {
    kontor,
    token,
    async call(method, path, body) {
      const raw =
        body && 'type' in body && Buffer.isBuffer((body as { body?: unknown }).body) ? (body as Form) : undefined
      const sent = raw ? new Uint8Array(raw.body) : body && JSON.stringify(body)
      const reply = await fetch(`${kontor.url}${dam}${path}`, {
        method,
        ...(sent !== undefined && { body: sent }),
        headers: { authorization: `Bearer ${token}`, 'content-type': raw?.type ?? 'application/json' },
      })
      const bytes = Buffer.from(await reply.arrayBuffer())
      const isJson = reply.headers.get('content-type')?.startsWith('application/json')
      return { status: reply.status, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined }
    },
  }
}
interface Form {
  readonly body: Buffer
  readonly type: string
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const actions = (...action: object[]) => ({ schemaVersion: '5.6.0', actions: { action } })
const upload = (params: object, bytes: Buffer): Form => form(paramsPart(params), payloadPart(bytes))
const chunk = (number: number, bytes: Buffer): Form =>
  form({ name: 'chunkId', value: String(number) }, payloadPart(bytes))
const contentOf = async ({ call }: Client, tid: string) => {
  const { status, bytes } = await call('GET', `/assets/bin?assetTid=${tid}`)
  return status === 200 ? sha256(bytes) : status
}

/** A separate connection to the server's database. */
async function openDatabase(): Promise<Connection> {
  const database = new Connection(poolConfig)
  await database.connect()
  return database
}

/** The steps at which the server is blocked, and the lock that blocks it there. */
const locks = {
  'before its transaction, with the bytes stored': `select pg_advisory_xact_lock(hashtext('dam.collector'))`,
  'in its transaction, before it commits': 'lock table history in share mode',
  'before it has read the list of chunks': 'lock table upload_chunk in access exclusive mode',
  'with the bytes of the chunk written': 'lock table upload_chunk in share mode',
  'after it has committed, before it replies': 'lock table asset_preview in share mode',
  'before it locks the tree': `select pg_advisory_xact_lock(hashtextextended('rnc', id)) from rnc`,
}
type Step = keyof typeof locks

/** Requests for locks of this database that have to wait. */
const waiting = `pg_locks join pg_database on pg_database.oid = database and datname = current_database() where not granted`

/** Sends the request, waits until the server is blocked, and kills it and its blocked database session. */
async function killAt(client: Client, step: Step, send: () => Promise<unknown>): Promise<void> {
  const database = await openDatabase()
  await database.query('begin')
  await database.query(locks[step])
  const sent = send().catch(() => 'lost')
  await vi.waitUntil(
    async () => {
      // Not pg_stat_activity: within a transaction it does not show new connections.
      const { rows } = await database.query(`select from ${waiting}`)
      return rows.length > 0
    },
    { timeout: 30_000, interval: 20 },
  )
  client.kontor.child.kill('SIGSTOP')
  // The commit may already be queued; without this, the database would execute it when the lock is released.
  await database.query(`select pg_terminate_backend(pid, 10000) from ${waiting}`)
  await client.kontor.end('SIGKILL')
  expect(await sent).toBe('lost')
  await database.end()
}

/** Sends half of a form, waits until bytes of it are on disk, and kills the server. */
async function killHalfway(client: Client, path: string, { body, type }: Form): Promise<void> {
  const connection = await openConnection(client.kontor.url)
  connection.head(
    `POST ${dam}${path} HTTP/1.1`,
    `authorization: Bearer ${client.token}`,
    `content-type: ${type}`,
    `content-length: ${body.length}`,
  )
  const before = bytesOnDisk()
  connection.write(body.toString('latin1').slice(0, body.length >> 1))
  await vi.waitUntil(() => bytesOnDisk() > before, { timeout: 30_000, interval: 20 })
  await client.kontor.end('SIGKILL')
  connection.destroy()
}
const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []
const bytesOnDisk = () =>
  [...filesIn(join(blobs, 'tmp')), ...filesIn(join(blobs, 'uploads'))].reduce(
    (sum, file) => sum + statSync(file).size,
    0,
  )

/** Every row has its bytes, and no file is left that no row refers to. */
async function expectNoDamage(settings = env): Promise<void> {
  const lines: string[] = []
  const run = (name: string) => commands.get(name)!.run([], settings, (line) => lines.push(line))
  expect(await run('scrub'), lines.join('\n')).toBe(0)
  await run('files collect')
  expect(filesIn(join(settings.KONTOR_DATA, 'blobs', 'tmp'))).toEqual([])
  expect(await run('scrub'), lines.join('\n')).toBe(0)
}

/** Too large for the buffers between client and disk, so that a half-sent file is written in part. */
const file = () =>
  Buffer.from(
    randomBytes(3_000_000)
      .toString('latin1')
      .replaceAll(/[^ -~]/g, 'x'),
  )
const limit = { timeout: 600_000 }

describe('killing the server', () => {
  test('at any step of an upload stores no partial file, and the upload can be sent again', limit, async () => {
    let client = await start()
    await client.call('POST', '/dirs/perform', actions({ dataType: 'dir', type: 'createPath', path: '/MAM/steps' }))
    const existing = file()
    await client.call('POST', '/assets/bin/persist', upload({ path: '/MAM/steps/kept.txt', tid: 'kept' }, existing))
    await client.call('POST', '/assets/perform', actions({ dataType: 'asset', type: 'checkout', tid: 'kept' }))
    const bytes = file()
    const form = upload({ path: '/MAM/steps/up.txt', tid: 'up' }, bytes)
    const restart = async (expected: (string | number)[]) => {
      client = await start()
      expect(expected).toContain(await contentOf(client, 'up'))
      expect(await contentOf(client, 'kept')).toBe(sha256(existing))
      const { bytes: state } = await client.call('POST', '/assets/statuses', { tids: ['kept'] })
      expect(state.toString(), 'the checkout survives').toContain('"locked"')
    }
    await killHalfway(client, '/assets/bin/persist', form)
    await restart([404])
    for (const step of [
      'before its transaction, with the bytes stored',
      'in its transaction, before it commits',
    ] as const) {
      await killAt(client, step, () => client.call('POST', '/assets/bin/persist', form))
      await restart([404])
    }
    expect((await client.call('POST', '/assets/bin/persist', form)).status).toBe(200)
    const photo = upload({ path: '/MAM/steps/p.jpg', tid: 'p', doPreviewsAsync: false }, await picture(90, 70))
    await killAt(client, 'after it has committed, before it replies', () =>
      client.call('POST', '/assets/bin/persist', photo),
    )
    await restart([sha256(bytes)])
    expect(await contentOf(client, 'p'), 'not acknowledged, but stored completely').toHaveLength(64)
    await client.kontor.end('SIGTERM')
    await expectNoDamage()
  })

  test('at any step of a chunk or a finish loses no acknowledged chunk', limit, async () => {
    let client = await start()
    const parts = [file(), file(), file().subarray(0, 1000)]
    const target = { path: '/MAM/steps/chunked.txt', tid: 'chunked' }
    const started = await client.call('POST', '/assets/bin/chunked/start', target)
    const uploadTid = started.json.responses.response[0].tid as string
    const to = `/assets/bin/chunked/upload/${uploadTid}`
    const finish = () => client.call('PUT', `/assets/bin/chunked/persist/${uploadTid}`, target)
    const arrived = async () => {
      const { json } = await client.call('GET', `/assets/bin/chunked/${uploadTid}`)
      const { itm } = json.responses.response[0].details as { itm: { key: string; value: string }[] }
      return itm.find(({ key }) => key === 'chunks')?.value
    }
    expect((await client.call('POST', to, chunk(0, parts[0]!))).status).toBe(200)
    await killHalfway(client, to, chunk(1, parts[1]!))
    client = await start()
    expect(await arrived()).toBe('0')
    await killAt(client, 'with the bytes of the chunk written', () => client.call('POST', to, chunk(1, parts[1]!)))
    client = await start()
    expect(await arrived()).toBe('0')
    for (const number of [1, 2]) expect((await client.call('POST', to, chunk(number, parts[number]!))).status).toBe(200)
    const steps = [
      'before it has read the list of chunks',
      'before its transaction, with the bytes stored',
      'in its transaction, before it commits',
    ] as const
    for (const step of steps) {
      await killAt(client, step, finish)
      client = await start()
      expect(await arrived(), step).toBe('0-2')
      expect(await contentOf(client, 'chunked'), step).toBe(404)
    }
    expect((await finish()).status).toBe(200)
    expect(await contentOf(client, 'chunked')).toBe(sha256(Buffer.concat(parts)))
    await client.kontor.end('SIGTERM')
    await expectNoDamage()
    expect(filesIn(join(blobs, 'uploads'))).toEqual([])
  })

  test(
    'at any step of a version upload leaves the asset with its file, and with the version once it was acknowledged',
    limit,
    async () => {
      let client = await start()
      const [first, second] = [file(), file()]
      await client.call('POST', '/assets/bin/persist', upload({ path: '/MAM/steps/v.txt', tid: 'v' }, first))
      const form = upload({ tid: 'v' }, second)
      const send = () => client.call('POST', '/assets/versions/bin/persist', form)
      const versions = async () =>
        ((await client.call('POST', '/assets/versions/retrieve', { tids: ['v'] })).json.versions?.version ?? []).length
      await killHalfway(client, '/assets/versions/bin/persist', form)
      for (const step of [
        'before its transaction, with the bytes stored',
        'in its transaction, before it commits',
      ] as const) {
        client = await start()
        expect([await contentOf(client, 'v'), await versions()]).toEqual([sha256(first), 0])
        await killAt(client, step, send)
      }
      client = await start()
      expect([await contentOf(client, 'v'), await versions()]).toEqual([sha256(first), 0])
      expect((await send()).status).toBe(200)
      expect([await contentOf(client, 'v'), await versions()]).toEqual([sha256(second), 1])
      await client.kontor.end('SIGTERM')
      await expectNoDamage()
    },
  )

  test('during the move or delete of a tree of 2,000 folders leaves the whole tree in one place', limit, async () => {
    let client = await start()
    const perform = (action: object) => client.call('POST', '/dirs/perform', actions(action))
    const paths = Array.from({ length: 2000 }, (_, i) => `/MAM/here/tree/${i % 40}/${i}`)
    for (let from = 0; from < paths.length; from += 1000) {
      const list = paths.slice(from, from + 1000).map((path) => ({ dataType: 'dir', type: 'createPath', path }))
      await client.call('POST', '/dirs/perform', actions(...list))
    }
    await perform({ dataType: 'dir', type: 'createPath', path: '/MAM/there' })
    const inside = upload({ path: '/MAM/here/tree/7/1007/inside.txt', tid: 'inside' }, file())
    await client.call('POST', '/assets/bin/persist', inside)
    const countIn = async (place: string) => {
      const { json, status } = await client.call('POST', '/dirs/retrieve', { dirPath: `/MAM/${place}/tree`, level: -1 })
      return status === 200 ? (json.dirs.dir as object[]).length : 0
    }
    const counts = async () => [
      await countIn('here'),
      await countIn('there'),
      typeof (await contentOf(client, 'inside')),
    ]
    const meta = { itm: [{ key: 'destinationDirPath', value: '/MAM/there' }] }
    const move = () => perform({ dataType: 'dir', type: 'move', path: '/MAM/here/tree', meta })
    const remove = () => perform({ dataType: 'dir', type: 'delete', path: '/MAM/there/tree' })
    for (const step of ['before it locks the tree', 'in its transaction, before it commits'] as const) {
      await killAt(client, step, move)
      client = await start()
      expect(await counts(), step).toEqual([2040, 0, 'string'])
    }
    expect((await move()).status).toBe(200)
    expect(await counts()).toEqual([0, 2040, 'string'])
    for (const step of ['before it locks the tree', 'in its transaction, before it commits'] as const) {
      await killAt(client, step, remove)
      client = await start()
      expect(await counts(), step).toEqual([0, 2040, 'string'])
    }
    expect((await remove()).status).toBe(200)
    expect(await counts()).toEqual([0, 0, 'number'])
    await client.kontor.end('SIGTERM')
    await expectNoDamage()
  })
})

describe('with files on S3, killing the server', () => {
  const data = dataFolder()
  afterAll(() => removeFolder(data))
  type Call = Parameters<Parameters<Awaited<ReturnType<typeof startFakeS3>>['stopAt']>[0]>[0]
  const isUpload = ({ key }: Call) => key.startsWith('uploads/')

  /** The requests of a finish to S3, in order. When the reply to one is withheld, `isStored` is the expected outcome. */
  const steps: [step: string, match: (call: Call) => boolean, isStored: boolean][] = [
    ['before it has read the list of chunks', (call) => call.isList, false],
    [
      'before the chunk is copied to a key without a signed URL',
      (call) => call.method === 'PUT' && isUpload(call),
      false,
    ],
    ['before it has read the copy', (call) => call.method === 'GET' && !call.isList && isUpload(call), false],
    ['before the copy is stored as a file', (call) => call.method === 'PUT' && call.key.startsWith('sha256/'), false],
    ['after it has committed, before the chunk is deleted', (call) => call.method === 'DELETE' && isUpload(call), true],
  ]
  test('at any step of the finish of a chunk that was uploaded to a signed URL', limit, async () => {
    const s3 = await startFakeS3()
    const endpoint = encodeURIComponent(s3.url)
    const database = await createDatabase()
    onTestFinished(database.drop)
    const settings = {
      ...env,
      DATABASE_URL: database.poolConfig.connectionString,
      KONTOR_DATA: data,
      KONTOR_BLOBS: `s3://test:testtest@bucket?endpoint=${endpoint}`,
    }
    let client = await start(settings)
    const bytes = file()
    const target = { path: '/MAM/direct.txt', tid: 'direct', checksum: sha256(bytes) }
    const started = await client.call('POST', '/assets/bin/chunked/start', target)
    const uploadTid = started.json.responses.response[0].tid as string
    const signed = { uploadTid, method: 'PUT', size: bytes.length, expiresInSeconds: 3600 }
    const address = (await client.call('POST', '/assets/presigned-url', signed)).bytes.toString()
    expect((await fetch(address, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200)
    const finish = () => client.call('PUT', `/assets/bin/chunked/persist/${uploadTid}`, target)
    for (const [step, match, isStored] of steps) {
      const reached = s3.stopAt(match)
      const sent = finish().catch(() => 'lost')
      await reached
      await client.kontor.end('SIGKILL')
      expect(await sent, step).toBe('lost')
      client = await start(settings)
      expect(await contentOf(client, 'direct'), step).toBe(isStored ? sha256(bytes) : 404)
    }
    expect((await finish()).status, 'already finished').toBe(404)
    await client.kontor.end('SIGTERM')
    await expectNoDamage(settings)
    const name = sha256(bytes)
    expect(s3.keys()).toEqual([`sha256/${name.slice(0, 2)}/${name.slice(2)}`])
    await s3.close()
  })
})
