/**
 * Several real Kontor processes on one PostgreSQL and one store of files, behind a proxy.
 *
 * KONTOR_TEST_S3 names the S3 server for the files; without it they are in a folder that all processes share.
 * KONTOR_TEST_OPENSEARCH names the node with the search indexes; without it each process has its own.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { connect, type Database } from '../../server/src/adapters/postgres/db.ts'
import { freePort } from '../../server/src/process/free-port.ts'
import { createDatabase } from '../../server/test/database.ts'
import { openSearchAddress, removeIndexes } from '../../server/test/opensearch.ts'
import { s3Servers } from '../../server/test/s3.ts'
import { requestToken, signIn, type TokenReply } from '../../server/test/token.ts'
import { dataFolder, type Kontor, removeFolder, spawnKontor, whenReady } from '../kontor.ts'
import { type Proxy, startProxy } from './proxy.ts'

export const password = 'a quiet heron by the weir'
export const schemaVersion = '5.6.0'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** The body as parsed JSON, untyped: a test knows what it requested. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}
export interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly type?: string
  /** The token of the administrator by default. */
  readonly token?: string
  readonly headers?: Record<string, string>
}

export interface Cluster {
  readonly db: Database
  readonly proxy: Proxy
  readonly issuer: string
  /** Where the processes share their search indexes, if they do. */
  readonly search: string | undefined
  /** The address of a process, by its number from 0. */
  url(process: number): string
  process(process: number): Kontor
  /** Starts a process in the place of one that has ended, with the same settings, and waits until it is ready. */
  start(process: number): Promise<Kontor>
  /** Calls a process by its number, or any by the proxy. */
  call(process: number | 'any', path: string, call?: Call): Promise<Answer>
  signIn(name: string, at?: number): Promise<TokenReply>
  /** Creates a user with the password of this file. Returns its id. */
  createUser(name: string, roles?: readonly string[]): Promise<string>
}

/** Opens a cluster for a test file. It is closed after its last test. */
export async function openCluster(count: number, settings: Record<string, string> = {}): Promise<Cluster> {
  const cleanUp: (() => unknown)[] = []
  afterAll(async () => {
    for (const close of cleanUp.toReversed()) await close()
  })
  const { poolConfig, drop } = await createDatabase()
  cleanUp.push(drop)
  const db = connect({ ...poolConfig, max: 2 })
  cleanUp.push(db.close)
  const proxy = await startProxy()
  cleanUp.push(proxy.close)
  const files = await openFiles()
  cleanUp.push(files.close)
  const search = openSearch()
  cleanUp.push(search.close)
  const ports = await Promise.all(Array.from({ length: count }, () => freePort('127.0.0.1')))
  const env = ports.map((port, number) => ({
    KONTOR_DATA: files.dataOf(),
    KONTOR_PORT: String(port),
    KONTOR_BASE_URL: proxy.url,
    KONTOR_TRUSTED_PROXIES: '127.0.0.1,::1',
    KONTOR_ADMIN_PASSWORD: password,
    KONTOR_MASTER_KEY: 'a master key for tests, which is not secret',
    KONTOR_WEBHOOK_PRIVATE: 'true',
    KONTOR_WORKFLOW_SECRET: 'whsec_bm90IHNlY3JldCwgaW4gYSB0ZXN0',
    KONTOR_SEARCH_THREADS: '1',
    KONTOR_DRAIN_SECONDS: '1',
    DATABASE_URL: named(poolConfig.connectionString, nameOf(number)),
    ...search.settings,
    ...files.settings,
    ...settings,
  }))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const running: Kontor[] = []
  cleanUp.push(() => Promise.all(running.map((kontor) => kontor.end('SIGKILL'))))
  const start = async (number: number) => {
    running[number] = spawnKontor(env[number]!)
    await whenReady(running[number])
    return running[number]
  }
  const issuer = `${proxy.url}/auth/realms/kontor`
  const issuerAt = (number: number | undefined) =>
    number === undefined ? issuer : `${urls[number]}/auth/realms/kontor`
  for (const number of ports.keys()) await start(number) // the first one migrates
  proxy.use(urls)
  const admin = (await signIn(issuerAt(0), 'admin', password)).body.access_token!
  const call: Cluster['call'] = async (at, path, { method, body, type, token = admin, headers = {} } = {}) => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    const reply = await fetch(`${at === 'any' ? proxy.url : urls[at]}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') && bytes.length > 0
    const { status, headers: names } = reply
    return { status, headers: names, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined }
  }
  return {
    db,
    proxy,
    issuer,
    search: search.settings.KONTOR_SEARCH,
    url: (number) => urls[number]!,
    process: (number) => running[number]!,
    start,
    call,
    signIn: (name, at) => signIn(issuerAt(at), name, password),
    async createUser(name, roles = ['user', 'editor']) {
      const body = { name, password, roles }
      const created = await call('any', '/api/v1/identity/users', { body })
      expect(created.status, created.bytes.toString()).toBe(200)
      const { json } = await call('any', `/api/v1/identity/users?search=${name}`)
      return json.users[0].id
    },
  }
}

/** The connections of a process to the database have this name. */
export const nameOf = (process: number) => `kontor-${process}`
function named(url: string, name: string): string {
  const own = new URL(url)
  own.searchParams.set('application_name', name)
  return own.href
}

/** Indexes that the processes share, if there is a node. */
function openSearch() {
  const address = openSearchAddress()
  const KONTOR_SEARCH = `${address}/test-${randomUUID()}`
  console.info(address === undefined ? 'each process has its own search indexes' : `search on OpenSearch: ${address}`)
  return address === undefined
    ? { settings: {}, close() {} }
    : { settings: { KONTOR_SEARCH }, close: () => removeIndexes(KONTOR_SEARCH) }
}

/** The store of files, and a data folder for each process. */
async function openFiles() {
  const [, openReal] = s3Servers.find(([name]) => name === 'an S3 server') ?? []
  const folders: string[] = []
  const newFolder = () => {
    folders.push(dataFolder())
    return folders.at(-1)!
  }
  const place = await openReal?.()
  const shared = place ? '' : newFolder()
  console.info(place ? `files on S3: ${new URL(place.url).searchParams.get('endpoint')}` : noS3)
  return {
    settings: place ? { KONTOR_BLOBS: `${place.url}&public=none` } : {},
    dataOf() {
      const data = newFolder()
      if (shared === '') return data
      mkdirSync(join(shared, 'blobs'), { recursive: true })
      symlinkSync(join(shared, 'blobs'), join(data, 'blobs'))
      return data
    },
    async close() {
      await place?.close()
      for (const folder of folders) removeFolder(folder)
    },
  }
}
const noS3 =
  'files in a shared folder, because KONTOR_TEST_S3 names no S3 server: eval "$(tools/s3-server.sh start)" starts one'

export const refresh = (issuer: string, token: string) =>
  requestToken(issuer, { grant_type: 'refresh_token', refresh_token: token })

/** The records of a reply to persist or perform. */
export const recordsOf = ({ status, bytes, json }: Answer): { status: string; id: number; tid: string }[] => {
  expect(status, bytes.toString()).toBe(200)
  return json.responses.response
}

/** Results for the table in docs/scaling.md. */
const results: (readonly [what: string, result: string])[] = []
export const note = (what: string, result: string) => void results.push([what, result])
export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(milliseconds < 1000 ? 2 : 1)} s`
export const printResults = () =>
  console.info(['', '| what | result |', '| --- | --- |', ...results.map((row) => `| ${row.join(' | ')} |`)].join('\n'))

/** Resolves with the milliseconds until the condition holds; fails if it does not hold in time. */
export async function until(isTrue: () => Promise<boolean> | boolean, atMost: number, what: string): Promise<number> {
  const begun = performance.now()
  for (;;) {
    if (await isTrue()) return performance.now() - begun
    expect(performance.now() - begun, `${what}: not in ${atMost} ms`).toBeLessThan(atMost)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
