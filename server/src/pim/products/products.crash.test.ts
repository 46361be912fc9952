/** Failures of a real process: a reply that breaks off, and a server that is killed while it stores. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { freePort } from '../../process/free-port.ts'
import { createDatabase } from '../../../test/database.ts'

const schemaVersion = '5.6.0'
const pim = '/api/core/v1/pim'
const password = 'only for this test'

let db: Database
let server: { url: string; child: ChildProcess; token: string }
let env: Record<string, string>
const cleanUp: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const { poolConfig, drop } = await createDatabase()
  const data = await mkdtemp(join(tmpdir(), 'kontor-data-'))
  db = connect({ ...poolConfig, max: 2 })
  cleanUp.push(() => rm(data, { recursive: true, force: true }), drop, db.close)
  env = {
    DATABASE_URL: poolConfig.connectionString,
    KONTOR_DATA: data,
    KONTOR_ADMIN_PASSWORD: password,
    KONTOR_LOG_LEVEL: 'silent',
    KONTOR_ROLES: 'api',
  }
  server = await start()
  await post('attribute-definitions/persist', {
    attrDefs: { attrDef: [{ tid: 'text', type: 'text', name: named('Text') }] },
  })
  await post('classes/persist', { classes: { clazz: [{ tid: 'Standard', name: named('Standard') }] } })
})
afterAll(async () => {
  server?.child.kill('SIGKILL')
  for (const clean of cleanUp.toReversed()) await clean()
})
const named = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })

async function start() {
  const port = await freePort('127.0.0.1')
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    env: { ...process.env, ...env, KONTOR_PORT: String(port) },
    stdio: 'ignore',
  })
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let i = 0; i < 300 && !(await isReady()); i++) await pause(100)
  const form = { grant_type: 'password', client_id: 'kontor-ui', username: 'admin', password, scope: 'openid' }
  const tokens = await fetch(`${url}/auth/realms/kontor/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return { url, child, token: ((await tokens.json()) as { access_token: string }).access_token }
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}${pim}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...(path.endsWith('retrieve') ? {} : { schemaVersion }), ...body }),
  })
}
const productsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    tid: `${prefix}-${i}`,
    name: `${prefix} ${i}`,
    node: '/Standard',
    vals: { val: [{ attr: 'text', itm: [{ value: 'some text '.repeat(20) }] }] },
    articles: { article: [{ name: 'only' }] },
  }))
const count = async () =>
  (await db.row<{ count: number; parts: number }>(
    sql`select count(*) filter (where level = 0)::int as count, count(*) filter (where level = 1)::int as parts from product`,
  ))!

test('a failure after the first byte leaves a truncated body and a broken connection, under status 200', async () => {
  const product = productsOf('stream', 600)
  expect((await post('products/persist', { products: { product } })).status).toBe(200)
  await db.run(sql`update product set vals = '{"text":"\\u0001"}' where tid = 'stream-599'`) // not allowed in XML
  const tids = product.map(({ tid }) => tid)
  const reply = await post('products/retrieve', { tids }, { accept: 'application/xml' })
  expect(reply.status).toBe(200)
  let body = ''
  const read = async () => {
    for await (const chunk of reply.body!) body += Buffer.from(chunk).toString()
  }
  await expect(read()).rejects.toThrow()
  expect(body).toContain('tid="stream-0"')
  expect(body).not.toContain('</pim>')
  await db.run(sql`delete from product`)
})

test('kill -9 while 1,000 products are stored leaves none of them in part; a retry with the same key stores them once', async () => {
  await db.run(sql`
    create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$`)
  await db.run(sql`create trigger dawdle after insert on product for each statement execute function dawdle()`)
  const body = { products: { product: productsOf('killed', 1000) } }
  const key = { 'idempotency-key': 'only-once' }
  const first = post('products/persist', body, key).catch((error: Error) => error)
  const isStoring = async () =>
    (await db.row(sql`select from pg_stat_activity where query like '%insert into product%' and state = 'active'
                      and pid <> pg_backend_pid()`)) !== undefined
  for (let i = 0; i < 500 && !(await isStoring()); i++) await pause(10)
  server.child.kill('SIGKILL')
  expect(await first).toBeInstanceOf(Error)
  await pause(1000)
  expect(await count()).toEqual({ count: 0, parts: 0 })

  server = await start()
  const replies = [await post('products/persist', body, key), await post('products/persist', body, key)]
  const [stored, again] = await Promise.all(
    replies.map((reply) => reply.json() as Promise<{ responses: { response: { status: string }[] } }>),
  )
  expect(stored!.responses.response.map(({ status }) => status)).toEqual(Array.from({ length: 1000 }, () => 'SUCCESS'))
  expect(again!.responses).toEqual(stored!.responses)
  expect(await count()).toEqual({ count: 1000, parts: 1000 })
})
