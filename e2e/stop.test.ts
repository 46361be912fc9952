import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
const start = () =>
  startKontor({ KONTOR_DATA, KONTOR_ADMIN_PASSWORD, DATABASE_URL: database.poolConfig.connectionString })

const body = JSON.stringify({ schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: [{ value: 'In flight' }] } }] } })
/** A persist of which only the first half has been sent. */
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

test('a server that is told to stop finishes what is in flight, takes no more, and ends well', async () => {
  const kontor = await start()
  const idle = await openConnection(kontor.url)
  idle.head('GET /livez HTTP/1.1')
  const slow = await sendHalf(kontor)
  const ended = kontor.end('SIGTERM')
  await vi.waitUntil(
    () =>
      fetch(`${kontor.url}/livez`).then(
        () => false,
        () => true,
      ),
    { timeout: 5000 },
  )
  await vi.waitUntil(() => idle.ended(), { timeout: 5000 })
  expect(slow.received()).toBe('')
  slow.write(body.slice(40))
  const begun = performance.now()
  expect(await ended).toBe(0)
  expect(performance.now() - begun).toBeLessThan(8000)
  expect(slow.received()).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r\n[^]*"path":"\/In flight"/)
})

test('a second signal does not wait', async () => {
  const kontor = await start()
  const slow = await sendHalf(kontor)
  const ended = kontor.end('SIGTERM')
  await vi.waitUntil(
    () =>
      fetch(`${kontor.url}/livez`).then(
        () => false,
        () => true,
      ),
    { timeout: 5000 },
  )
  kontor.child.kill('SIGTERM')
  const begun = performance.now()
  expect(await ended).toBe(1)
  expect(performance.now() - begun).toBeLessThan(8000)
  slow.destroy()
})

test('a bulk run does not hold up the end, and the next process goes on with it', async () => {
  const kontor = await start()
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const kwd = Array.from({ length: 10_000 }, (_, i) => ({ name: { itm: [{ value: `Run ${i}` }] } }))
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
  const begun = performance.now()
  expect(await kontor.end('SIGTERM')).toBe(0)
  expect(performance.now() - begun).toBeLessThan(8000)

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
    { timeout: 40_000, interval: 200 },
  )
  expect(records.filter(({ status }) => status === 'SUCCESS')).toHaveLength(10_000)
})
