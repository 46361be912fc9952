/**
 * Stopping the server by signals. The shutdown timeout is an hour, so a server that does not stop by itself fails these
 * tests by their own timeout.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../server/src/adapters/postgres/db.ts'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { type Connection, openConnection } from '../server/test/connection.ts'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const keywords = '/api/core/v1/common/keywords'
const KONTOR_DATA = dataFolder()
let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  removeFolder(KONTOR_DATA)
})
const start = (env: Record<string, string> = {}) =>
  startKontor({
    ...env,
    KONTOR_DATA,
    KONTOR_ADMIN_PASSWORD,
    KONTOR_SHUTDOWN_TIMEOUT: '3600',
    DATABASE_URL: database.poolConfig.connectionString,
  })

const body = JSON.stringify({ schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: [{ value: 'In flight' }] } }] } })
/** Sends the first half of a persist. */
async function sendHalf(kontor: Kontor): Promise<Connection> {
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  const connection = await openConnection(kontor.url)
  connection.head(
    `POST ${keywords}/persist HTTP/1.1`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  )
  connection.write(body.slice(0, 40))
  await pause(200)
  return connection
}
const refusesConnections = ({ url }: Kontor) =>
  vi.waitUntil(
    () =>
      fetch(`${url}/livez`).then(
        () => false,
        () => true,
      ),
    { timeout: 20_000 },
  )

test('after a signal, the server finishes running requests, refuses new ones, and exits with 0', async () => {
  const kontor = await start()
  const idle = await openConnection(kontor.url)
  idle.head('GET /livez HTTP/1.1')
  const slow = await sendHalf(kontor)
  const ended = kontor.end('SIGTERM')
  await refusesConnections(kontor)
  await vi.waitUntil(() => idle.ended(), { timeout: 20_000 })
  expect(slow.received()).toBe('')
  slow.write(body.slice(40))
  expect(await ended).toBe(0)
  expect(slow.received()).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r\n[^]*"path":"\/In flight"/)
})

async function createProduct(kontor: Kontor): Promise<number> {
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  const persist = async (path: string, message: object) => {
    const reply = await fetch(`${kontor.url}/api/core/v1/pim/${path}/persist`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ schemaVersion: '5.6.0', ...message }),
    })
    return ((await reply.json()) as { responses: { response: { id: number }[] } }).responses.response[0]!.id
  }
  await persist('classes', { classes: { clazz: [{ tid: 'Std', name: { itm: [{ value: 'Std', loc: 'en_GB' }] } }] } })
  return persist('products', { products: { product: [{ name: 'Awaited', node: '/Std' }] } })
}

test('after a signal, long polls and streams end at once, and their connections are closed', async () => {
  const kontor = await start()
  const authorization = `authorization: Bearer ${await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)}`
  const id = await createProduct(kontor)
  const open = async (...head: string[]) => {
    const connection = await openConnection(kontor.url)
    connection.head(...head, authorization)
    return connection
  }
  const poll = await open('GET /api/v1/events?wait=60 HTTP/1.1')
  const stream = await open('GET /api/v1/events/stream HTTP/1.1', 'accept: text/event-stream')
  const wait = JSON.stringify({ index: 'PRODUCT', documents: [id], maxWait: 120_000, modifiedAt: 4e12 })
  const waiting = await open(
    'POST /api/v1/search/documents/wait HTTP/1.1',
    'content-type: application/json',
    `content-length: ${wait.length}`,
  )
  waiting.write(wait)
  await vi.waitUntil(() => stream.received().includes('retry:'), { timeout: 60_000 })
  await pause(1000)
  expect(await kontor.end('SIGTERM')).toBe(0)
  expect(poll.received()).toMatch(/^HTTP\/1\.1 200 [^]*"position"/)
  expect(waiting.received()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1[^]*the server is stopping; try again/)
  expect([poll, stream, waiting].map((connection) => connection.ended())).toEqual([true, true, true])
})

test('a second signal stops the server at once', async () => {
  const kontor = await start()
  const slow = await sendHalf(kontor)
  const ended = kontor.end('SIGTERM')
  await refusesConnections(kontor)
  kontor.child.kill('SIGTERM')
  expect(await ended).toBe(1)
  slow.destroy()
})

test('an error that nobody handles is logged and ends the process', async () => {
  const provoke = `process.on('SIGUSR2', () => { throw new Error('provoked') })`
  const kontor = await start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(provoke)}` })
  expect(await kontor.end('SIGUSR2')).toBe(1)
  expect(kontor.output()).toMatch(
    /"level":60.*"message":"provoked".*"msg":"the process ends because of an unexpected error"/,
  )
})

const runSize = 20_000
/** How many objects of a bulk run are stored, while no server is running. */
async function processedIn(runId: string): Promise<number> {
  const db = connect(database.poolConfig)
  const row = await db.row<{ processed: number }>(sql`select processed::int from bulk_run where id = ${runId}`)
  await db.close()
  return row!.processed
}

test('the server stops in the middle of a bulk run, and the next process completes it', async () => {
  const kontor = await start()
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const kwd = Array.from({ length: runSize }, (_, i) => ({ name: { itm: [{ value: `Run ${i}` }] } }))
  const id = await (
    await fetch(`${kontor.url}${keywords}/bulk`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ schemaVersion: '5.6.0', kwds: { kwd } }),
    })
  ).text()
  const stateOf = async ({ url }: Kontor) => {
    const reply = await fetch(`${url}${keywords}/bulk/${id}`, { headers })
    const { meta, responses } = (await reply.json()) as {
      meta: { itm: { key: string; value: string }[] }
      responses: { response: { status: string }[] }
    }
    return { state: meta.itm.find(({ key }) => key === 'state')!.value, records: responses.response ?? [] }
  }
  await vi.waitUntil(async () => (await stateOf(kontor)).records.length > 0, { timeout: 20_000, interval: 10 })
  expect(await kontor.end('SIGTERM')).toBe(0)
  expect(await processedIn(id)).toBeLessThan(runSize)

  const next = await startKontor({
    KONTOR_DATA,
    KONTOR_BASE_URL: kontor.url,
    KONTOR_PORT: new URL(kontor.url).port,
    DATABASE_URL: database.poolConfig.connectionString,
  })
  const { records } = await vi.waitUntil(
    async () => {
      const run = await stateOf(next)
      return run.state === 'finished' && run
    },
    { timeout: 120_000, interval: 200 },
  )
  expect(records.filter(({ status }) => status === 'SUCCESS')).toHaveLength(runSize)
})
