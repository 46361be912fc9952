/** Functions for operators, through HTTP: probes, metrics, limits, headers, the log and the sweep. */
import { mkdtemp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { openConnection } from '../../test/connection.ts'
import { withServer } from '../../test/server.ts'
import { connect } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { removeLeftovers } from './leftovers.ts'
import { sweep } from './sweep.ts'

const api = withServer({
  KONTOR_LOG_LEVEL: 'info',
  KONTOR_MAX_IN_FLIGHT: '3',
  KONTOR_METRICS_TOKEN: 'a token for the scraper',
  KONTOR_BASE_URL: 'https://kontor.example',
})
const impatient = withServer({ KONTOR_REQUEST_TIMEOUT: '2', KONTOR_WRITE_TIMEOUT: '1' })
let listening: Promise<string> | undefined
const impatientAddress = () => (listening ??= impatient.listen())
const retrieve = '/api/core/v1/common/keywords/retrieve'
const scrape = (authorization = 'Bearer a token for the scraper') =>
  api.get('/metrics', { token: null, headers: { authorization } })

describe('probes', () => {
  test('/livez and /readyz need no token and report the dependencies', async () => {
    expect((await api.get('/livez', { token: null })).json).toEqual({ status: 'ok' })
    const ready = await api.get('/readyz', { token: null })
    expect([ready.status, ready.json]).toEqual([
      200,
      { status: 'ok', checks: { database: 'ok', files: 'ok', search: 'ok' } },
    ])
  })

  test('check their dependencies once a second, however often they are called', async () => {
    const before = api.statements.length
    await Promise.all(Array.from({ length: 50 }, () => api.get('/readyz')))
    expect(api.statements.length - before).toBeLessThanOrEqual(1)
  })

  test('are not logged', () => {
    expect(api.log.filter(({ route }) => route === '/livez' || route === '/readyz')).toEqual([])
  })
})

describe('metrics', () => {
  test('count requests by route and status, and show the pool', async () => {
    await api.post(retrieve, {})
    await api.post(retrieve, { path: '/none' })
    await api.get('/somewhere/else')
    const { status, headers, text } = await scrape()
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain')
    for (const labels of [
      `method="POST",route="${retrieve}",status="200"`,
      `method="POST",route="${retrieve}",status="404"`,
      'method="GET",route="none",status="404"',
    ]) {
      expect(text).toContain(`kontor_request_seconds_count{${labels}} 1`)
    }
    expect(text).toMatch(/^kontor_database_connections [1-9]/m)
    expect(text).toMatch(/^kontor_database_waiting 0$/m)
    expect(text).toMatch(/^kontor_requests_in_flight 1$/m)
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m)
  })

  test.each(['', 'Bearer', 'Bearer another token', 'a token for the scraper'])(
    '%j is not a valid token for them',
    async (value) => {
      expect((await scrape(value)).status).toBe(401)
    },
  )
})

test('every reply forbids sniffing, framing, caching and plain connections', async () => {
  const replies = [
    await api.get('/livez'),
    await api.post(retrieve, {}),
    await api.post(retrieve, {}, { token: null }),
    await api.get('/nothing'),
    await api.get('/api/%ff'),
  ]
  for (const { headers } of replies) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=31536000',
    })
  }
})

test('a request that arrives too slowly is aborted', async () => {
  const connection = await openConnection(await impatientAddress())
  const headers = [`authorization: Bearer ${impatient.token}`, 'content-type: application/json', 'content-length: 100']
  connection.head(`POST ${retrieve} HTTP/1.1`, ...headers)
  connection.write('{')
  await vi.waitUntil(() => connection.ended(), { timeout: 5000 })
  expect(connection.received()).toMatch(/^HTTP\/1\.1 408 [^]*1014[^]*the request took too long to arrive/)
})

test('every phase of a request has a time limit', () => {
  const server = api.app.http.server as Server
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 0, // arrival-timeout.ts
    keepAliveTimeout: 75_000,
    timeout: 60_000, // unread-replies.ts
  })
})

test('an idle connection stays open for longer than proxies keep theirs', async () => {
  const connection = await openConnection(await impatientAddress())
  const replies = () => connection.received().match(/HTTP\/1\.1 200 /g)?.length ?? 0
  connection.head('GET /livez HTTP/1.1')
  await vi.waitUntil(() => replies() === 1)
  expect(connection.received()).toMatch(/^keep-alive: timeout=75\r$/im) // nginx: 60 by default
  await pause(2500) // longer than all other timeouts of this server
  connection.head('GET /livez HTTP/1.1')
  await vi.waitUntil(() => replies() === 2)
  connection.destroy()
})

describe('requests in flight', () => {
  let address: Promise<string> | undefined
  /** A request whose body never ends. */
  const hold = async (token = api.token, path = retrieve, type = 'application/json') => {
    const connection = await openConnection(await (address ??= api.listen()))
    const headers = [`authorization: Bearer ${token}`, `content-type: ${type}`, 'content-length: 100']
    connection.head(`POST ${path} HTTP/1.1`, ...headers)
    return connection
  }
  const gauge = async (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await scrape()).text)![1])
  const inFlight = async () => (await gauge('kontor_requests_in_flight')) - 1
  const placesTaken = () => gauge('kontor_places_taken')

  test('beyond the limit get 503; probes are answered, and the others can finish', async () => {
    const held = [await hold(), await hold(api.adminToken), await hold(await api.tokenFor({ name: 'max' }))]
    await vi.waitUntil(async () => (await placesTaken()) === 3)
    const newcomer = { token: await api.tokenFor({ name: 'lee' }) }
    const refused = await api.post(retrieve, {}, newcomer)
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.text).toContain('all 3 places for requests are taken; try again later')
    expect((await api.get('/readyz')).status).toBe(200)
    held[0]!.write('{}'.padEnd(100))
    await vi.waitUntil(() => held[0]!.received().startsWith('HTTP/1.1 200'))
    expect((await api.post(retrieve, {}, newcomer)).status).toBe(200)
    for (const connection of held) connection.destroy()
    await vi.waitUntil(async () => (await inFlight()) === 0)
  })

  test('to sign in have a limit of their own, so that an attack does not block other requests', async () => {
    const path = '/auth/realms/kontor/protocol/openid-connect/token'
    const form = 'application/x-www-form-urlencoded'
    const held = await hold(api.token, path, form)
    await vi.waitUntil(async () => (await inFlight()) === 1)
    expect((await api.post(path, 'grant_type=password', { token: null, type: form })).status).toBe(429)
    const others = [await hold(), await hold(api.adminToken)]
    await vi.waitUntil(async () => (await placesTaken()) === 2)
    expect((await api.post(retrieve, {})).status).toBe(429)
    expect((await api.get('/api/openapi.json', { token: null })).status).toBe(200)
    for (const connection of [held, ...others]) connection.destroy()
    await vi.waitUntil(async () => (await inFlight()) === 0)
  })

  test('are counted as broken when the client disconnects, and are logged', async () => {
    const broken = () => api.log.filter(({ status, msg }) => msg === 'request' && status === 'broken')
    const before = broken().length
    const connection = await hold()
    await vi.waitUntil(async () => (await inFlight()) === 1)
    await pause(100)
    connection.destroy()
    await vi.waitUntil(() => broken().length > before)
    expect((await scrape()).text).toContain(`route="${retrieve}",status="broken"`)
    expect(broken().at(-1)).toMatchObject({
      method: 'POST',
      route: retrieve,
      user: 'kim',
      supportId: expect.any(String),
    })
  })
})

test('the log has one line per request, with its outcome', async () => {
  const before = api.log.length
  await api.post(retrieve, {})
  await api.post(retrieve, {}, { token: null })
  const lines = api.log.slice(before).filter(({ msg }) => msg === 'request')
  expect(lines).toMatchObject([
    { level: 30, supportId: expect.any(String), method: 'POST', route: retrieve, status: 200, user: 'kim' },
    { level: 30, supportId: expect.any(String), method: 'POST', route: retrieve, status: 401 },
  ])
  expect(lines[1]).not.toHaveProperty('user')
  for (const line of lines) expect(line).toMatchObject({ ms: expect.any(Number), bytes: expect.any(Number) })
})

test('expired data is swept', async () => {
  const { db } = api
  await db.run(sql`
    insert into idempotency_key (user_name, key, request, reply, created_at)
    select 'kim', name, '', '{}', now() - age from (values ('old', interval '25 hours'), ('new', '1 hour')) as k (name, age)`)
  await db.run(sql`
    insert into bulk_run (resource, user_name, principal, state, created_at, ended_at)
    select name, 'kim', '{}', state, now() - interval '30 days', ended from (values
      ('old', 'finished', now() - interval '8 days'), ('new', 'finished', now() - interval '6 days'),
      ('abandoned', 'receiving', null), ('running', 'running', null)) as r (name, state, ended)`)
  await db.run(sql`
    insert into history (object_id, data_type, action, user_name, at)
    select 1, name, 'create', 'kim', now() - age from (values ('old', interval '3651 days'), ('new', '1 day')) as h (name, age)`)
  const others: string[] = []
  await sweep(db, api.config, async () => void others.push('called'))
  expect(others).toEqual(['called'])
  expect(await db.rows(sql`select key from idempotency_key`)).toEqual([{ key: 'new' }])
  expect(await db.rows(sql`select resource from bulk_run order by 1`)).toEqual([
    { resource: 'new' },
    { resource: 'running' },
  ])
  expect(await db.rows(sql`select data_type as name from history`)).toEqual([{ name: 'new' }])
})

test('temporary files are removed when they are older than a day', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-leftovers-'))
  await mkdir(join(folder, 'old-folder'))
  for (const name of ['old', 'new']) await writeFile(join(folder, name), '')
  const longAgo = Date.now() / 1000 - 25 * 60 * 60
  for (const name of ['old', 'old-folder']) await utimes(join(folder, name), longAgo, longAgo)
  await removeLeftovers(folder)
  expect(await readdir(folder)).toEqual(['new'])
  await rm(folder, { recursive: true })
  await removeLeftovers(folder)
})

test('without its database the server is not ready, and is ready again as soon as it is back', async () => {
  const { connectionString } = api.db.pool.options
  const admin = connect({ connectionString: connectionString!.replace(/kontor_test_\w+/, 'postgres'), max: 1 })
  const name = /kontor_test_\w+/.exec(connectionString!)![0]
  const rename = async (from: string, to: string) => {
    await admin.run(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`)
    await admin.run({ ...sql``, text: `alter database ${from} rename to ${to}` })
  }
  await pause(1100) // /readyz caches its result for a second
  await rename(name, `${name}_away`)
  try {
    const ready = await api.get('/readyz')
    expect([ready.status, ready.json]).toEqual([
      503,
      { status: 'not ready', checks: { database: 'missing', files: 'ok', search: 'ok' } },
    ])
    expect((await api.get('/livez')).status).toBe(200)
    expect((await scrape()).status).toBe(200)
  } finally {
    await rename(`${name}_away`, name)
    await admin.close()
  }
  await vi.waitUntil(async () => (await api.get('/readyz')).status === 200, { timeout: 5000, interval: 200 })
  expect((await api.post(retrieve, {})).status).toBe(200)
})

test('a server that is stopping is not ready, and closes connections after the reply', async () => {
  api.app.stopping()
  const reply = await api.post(retrieve, {})
  expect([reply.status, reply.headers.connection]).toEqual([200, 'close'])
  const ready = await api.get('/readyz')
  expect([ready.status, ready.json.status]).toEqual([503, 'stopping'])
  expect((await api.get('/livez')).status).toBe(200)
})
