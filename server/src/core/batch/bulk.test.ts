import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { decode, encode, formats, type Infer, Pim } from '@kontor/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { withServer } from '../../../test/server.ts'
import type { Jobs } from '../../process/jobs.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer({ KONTOR_LOG_LEVEL: 'info' })
const base = '/api/core/v1/common/keywords'
const schemaVersion = '5.6.0'
type Message = Infer<typeof Pim>

const keyword = (name: string, parentPath?: string) => ({
  name: { itm: [{ value: name }] },
  ...(parentPath && { parentPath }),
})
const keywords = (kwd: object[]) => ({ schemaVersion, kwds: { kwd } }) as Message
const actions = (action: object[]) =>
  ({ schemaVersion, actions: { action: action.map((one) => ({ dataType: 'keyword', ...one })) } }) as Message
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => keyword(`${prefix} ${i}`))

let address: Promise<string> | undefined
/** Over a real connection, so that the message arrives in chunks. */
async function send(message: Message | string, headers: Record<string, string> = {}) {
  const body = typeof message === 'string' ? message : encode(formats.json, Pim, message)
  const reply = await fetch(`${await (address ??= api.listen())}${base}/bulk`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json', ...headers },
  })
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
}
async function start(message: Message): Promise<string> {
  const { status, text } = await send(message)
  expect(status, text).toBe(200)
  return text
}
async function stateOf(id: string, format = formats.json, token = api.token) {
  const reply = await api.get(`${base}/bulk/${id}`, { accept: format.mediaType, token })
  expect(reply.status, reply.text).toBe(200)
  const { meta, responses } = decode(format, Pim, Buffer.from(reply.text)) as Message
  const facts = new Map(meta!.itm!.map(({ key, value }) => [key, value]))
  return {
    state: facts.get('state'),
    processed: Number(facts.get('processed')),
    total: Number(facts.get('total')),
    problem: facts.get('problem'),
    records: responses?.response ?? [],
  }
}
const finish = (id: string, state = 'finished') =>
  vi.waitUntil(async () => (await stateOf(id)).state === state && stateOf(id), { timeout: 30_000, interval: 50 })

let worker: Jobs | undefined
const work = async () => (worker = await api.startWorker())
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})
const countRows = async () =>
  (await api.db.row<{ runs: number; chunks: number; jobs: number }>(sql`
    select (select count(*) from bulk_run) as runs, (select count(*) from bulk_chunk) as chunks,
      (select count(*) from graphile_worker.jobs) as jobs`))!

describe('a run', () => {
  test('that was released although the reply was lost is found by a repeated request', async () => {
    const { transaction } = api.db
    vi.spyOn(api.db, 'transaction').mockImplementationOnce(async (...given) => {
      await transaction(...given)
      throw new Error('Connection terminated unexpectedly')
    })
    const message = keywords([keyword('Kept')])
    const headers = { 'idempotency-key': 'of-a-run' }
    expect((await send(message, headers)).status).toBe(503)
    const { status, text } = await send(message, headers)
    expect(status, text).toBe(200)
    await work()
    expect((await finish(text)).records).toMatchObject([{ status: 'SUCCESS', path: '/Kept' }])
  })

  test('begins with its id as text, waits for a worker, and ends with a record per item in all three formats', async () => {
    const sent = await send(keywords([keyword('Bulk'), keyword('a/b'), keyword('Below', '/Bulk')]))
    expect(sent).toMatchObject({
      status: 200,
      type: 'text/plain;charset=UTF-8',
      text: expect.stringMatching(/^[\w-]{36}$/),
    })
    expect(await stateOf(sent.text)).toEqual({
      state: 'waiting',
      processed: 0,
      total: 3,
      problem: undefined,
      records: [],
    })
    await work()
    await finish(sent.text)
    for (const format of Object.values(formats)) {
      expect(await stateOf(sent.text, format)).toMatchObject({
        state: 'finished',
        processed: 3,
        total: 3,
        records: [
          { status: 'SUCCESS', action: 'create', path: '/Bulk' },
          { status: 'ERROR', details: { itm: expect.arrayContaining([{ key: 'code', value: '1001' }]) } },
          { status: 'SUCCESS', path: '/Bulk/Below' },
        ],
      })
    }
  })

  test('takes XML and compact too', async () => {
    await work()
    for (const format of [formats.xml, formats.compact]) {
      const body = encode(format, Pim, keywords([keyword(`From ${format.name}`)]))
      const reply = await api.post(`${base}/bulk`, body, { type: format.mediaType })
      expect((await finish(reply.text)).records).toMatchObject([{ status: 'SUCCESS', path: `/From ${format.name}` }])
    }
  })

  test('takes actions', async () => {
    const id = await start(
      actions([
        { type: 'delete', path: '/Bulk' },
        { type: 'delete', path: '/Bulk/Below' },
      ]),
    )
    await work()
    expect((await finish(id)).records).toMatchObject([
      { status: 'SUCCESS', action: 'delete' },
      { status: 'ERROR', action: 'delete' },
    ])
  })

  test('of 25,000 keywords reports its progress, and its records are in order', async () => {
    const id = await start(keywords(many('Many', 25_000)))
    await work()
    const states: Awaited<ReturnType<typeof stateOf>>[] = []
    await vi.waitUntil(async () => states.push(await stateOf(id)) && states.at(-1)!.state === 'finished', {
      timeout: 50_000,
      interval: 200,
    })
    const running = states.filter(({ state }) => state === 'running')
    expect(running.length).toBeGreaterThan(0)
    for (const { processed, total, records } of running) {
      expect(total).toBe(25_000)
      expect(records.length).toBeGreaterThanOrEqual(processed)
      expect(records.length % 500).toBe(0)
    }
    const { processed, records } = states.at(-1)!
    expect(processed).toBe(25_000)
    expect(records.map(({ path }) => path)).toEqual(many('Many', 25_000).map((_, i) => `/Many ${i}`))
  })

  test('is split by size where its items are large', async () => {
    const text = 'x'.repeat(500_000)
    const large = Array.from({ length: 20 }, () => ({ path: '/None', name: { itm: [{ value: text, loc: 'en_GB' }] } }))
    const id = await start(keywords(large))
    const chunks = await api.db.rows<{ bytes: number }>(
      sql`select length(items::text) as bytes from bulk_chunk where run_id = ${id} order by number`,
    )
    expect(chunks.length).toBeGreaterThan(1)
    expect(Math.max(...chunks.map(({ bytes }) => bytes))).toBeLessThan(6_000_000)
    await work()
    expect((await finish(id)).records).toHaveLength(20)
  })

  test('keeps every digit of an id', async () => {
    const id = await start(actions([{ type: 'delete', id: 9223372036854775807n }]))
    await work()
    expect((await finish(id)).records).toMatchObject([{ status: 'ERROR', id: 9223372036854775807n }])
  })
})

describe('a message is refused whole, and nothing is stored, when', () => {
  const good = many('Refused', 1500)
  // prettier-ignore
  test.each<[string, Message | string, number, string]>([
    ['its last item has a fault', keywords([...good, { id: 'seven' }]), 400, '/pim/kwds/kwd[1501]/@id'],
    ['it breaks off', encode(formats.json, Pim, keywords(good)).slice(0, -3), 400, ''],
    ['it goes on with another container', encode(formats.json, Pim, keywords(good)).slice(0, -1) + ',"glossaries":{"glossary":[{"name":"x"}]}}', 400, '/pim/glossaries: not taken by this call, which expects kwds'],
    ['it mixes objects and actions', { ...keywords(good), ...actions([{ type: 'delete', path: '/x' }]) }, 400, '/pim/actions: not taken by this call, which expects kwds'],
    ['it has no version', JSON.stringify({ kwds: { kwd: good } }), 400, '/pim/@schemaVersion'],
    ['its version is unknown', { ...keywords(good), schemaVersion: 'latest' }, 400, '/pim/@schemaVersion'],
    ['it is empty', keywords([]), 400, '/pim: nothing to do; send at least one item in kwds or actions'],
    ['there is none', '', 400, '/pim: nothing to do'],
  ])('%s', async (_, message, status, text) => {
    const before = await countRows()
    const reply = await send(message)
    expect(reply.status, reply.text).toBe(status)
    expect(reply.text).toContain(text)
    expect(await countRows()).toEqual(before)
  })

  test('it is to be atomic', async () => {
    const reply = await send(keywords([keyword('Atomic')]), { 'kontor-atomic': 'true' })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Kontor-Atomic: a bulk run is settled in parts; send persist or perform instead')
  })
})

describe('a run is not found', () => {
  test.each([
    ['that does not exist', `${base}/bulk/00000000-0000-4000-8000-000000000000`],
    ['by something that is not an id', `${base}/bulk/7`],
    ['by a quote', `${base}/bulk/'`],
  ])('%s', async (_, path) => {
    const reply = await api.get(path)
    expect(reply.status).toBe(404)
    expect(reply.json.issues[0].itm[0].value).toBe('1002')
  })

  test('at another resource, or by another user; an administrator sees it', async () => {
    const id = await start(keywords([keyword('Private')]))
    expect((await api.get(`/api/core/v1/common/glossaries/bulk/${id}`)).status).toBe(404)
    const stranger = await api.tokenFor({})
    expect((await api.get(`${base}/bulk/${id}`, { token: stranger })).status).toBe(404)
    expect(await stateOf(id, formats.json, api.adminToken)).toMatchObject({ state: 'waiting', total: 1 })
  })

  test('while its message is still arriving', async () => {
    const row = await api.db.writeRow<{ id: string }>(sql`
      insert into bulk_run (resource, user_name, principal) values (${base}, 'kim', '{}') returning id`)
    expect((await api.get(`${base}/bulk/${row!.id}`)).status).toBe(404)
  })
})

describe('when something goes wrong', () => {
  test('a run that hits an internal error fails with a support id from the log; settled chunks stay', async () => {
    await api.db.run(sql`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'a secret of the database'; end $$`)
    await api.db.run(sql`
      create trigger refuse before insert on keyword for each row when (new.name = 'Fails 700') execute function refuse()`)
    const id = await start(keywords(many('Fails', 1500)))
    await work()
    const { processed, records, problem } = await finish(id, 'failed')
    expect([processed, records.length]).toEqual([500, 500])
    expect(problem).toMatch(/^internal error, support id [\w-]{36}$/)
    const supportId = problem!.slice(-36)
    expect(api.log.find((line) => line.supportId === supportId)).toMatchObject({
      level: 50,
      msg: 'job failed',
      err: { message: 'a secret of the database' },
    })
    const found = await api.db.rows(sql`select from keyword where name like 'Fails %'`)
    expect(found).toHaveLength(500)
  })

  test('a run whose connection breaks is retried and does not fail', async () => {
    const id = await start(keywords([keyword('Patient')]))
    await api.db.transaction(async (db) => {
      await db.lock(sql`select pg_advisory_xact_lock(hashtext('keyword'))`)
      await work()
      const breakWaiting = () =>
        db.run(sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted`)
      await vi.waitUntil(async () => (await breakWaiting()) > 0, { timeout: 10_000 })
    })
    expect((await finish(id)).records).toMatchObject([{ status: 'SUCCESS' }])
  })

  test('a worker that stops leaves the rest to the next one, and every item is processed once', async () => {
    const id = await start(keywords(many('Handed over', 5000)))
    const first = await work()
    await vi.waitUntil(async () => (await stateOf(id)).processed > 0, { timeout: 10_000, interval: 5 })
    await first.stop()
    const half = await stateOf(id)
    expect(half.processed).toBeLessThan(5000)
    await work()
    expect((await finish(id)).records.filter(({ status }) => status === 'SUCCESS')).toHaveLength(5000)
  })

  test('a worker that is killed is replaced within seconds, and every item is processed once', async () => {
    await api.db.run(sql`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return null; end $$`)
    await api.db.run(sql`create trigger dawdle after insert on keyword for each statement execute function dawdle()`)
    const id = await start(keywords(many('Killed', 3000)))
    const child = await spawnWorker()
    await vi.waitUntil(async () => (await stateOf(id)).processed >= 500, { timeout: 20_000 })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const left = await stateOf(id)
    expect(left.state).toBe('running')
    expect(left.processed).toBeLessThan(3000)
    const begun = performance.now()
    await work()
    const { records } = await finish(id)
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(records.filter(({ status }) => status === 'SUCCESS').map(({ path }) => path)).toEqual(
      many('Killed', 3000).map((_, i) => `/Killed ${i}`),
    )
    const [row] = await api.db.rows<{ keywords: number; changes: number }>(sql`
      select count(distinct k.id)::int as keywords, count(*)::int as changes
      from keyword k join history h on h.object_id = k.id where k.name like 'Killed %'`)
    expect(row).toEqual({ keywords: 3000, changes: 3000 })
  })
})

/** A process with nothing but a worker. */
async function spawnWorker(): Promise<ChildProcess> {
  const [database, app, jobs, config] = ['adapters/postgres/db.ts', 'app.ts', 'process/jobs.ts', 'config.ts'].map(
    (file) => JSON.stringify(new URL(`../../${file}`, import.meta.url)),
  )
  const program = `
    const [{ connect }, { createApp }, { startJobs }, { readConfig }] =
      await Promise.all([import(${database}), import(${app}), import(${jobs}), import(${config})])
    const config = { connectionString: process.argv[1] }
    await startJobs(await createApp(connect(config), readConfig(JSON.parse(process.argv[2]))), config)
    console.log('ready')`
  const { connectionString } = api.db.pool.options
  const env = JSON.stringify({ KONTOR_LOG_LEVEL: 'silent', KONTOR_MASTER_KEY: api.config.masterKey })
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, connectionString!, env], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}
