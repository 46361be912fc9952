/**
 * All processes are restarted one after the other under load, while the schema gets an addition of a newer version. No
 * request fails, and everything that was acknowledged is stored once.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { note, openCluster, printResults, schemaVersion, seconds } from './cluster.ts'

const cluster = await openCluster(3, { KONTOR_ROLES: 'api,worker' })
const { call, db, proxy } = cluster
afterAll(printResults)
const keywords = '/api/core/v1/common/keywords'

interface Load {
  readonly requests: Map<string, number>
  /** Names of keywords that were acknowledged. */
  readonly stored: string[]
  readonly failed: string[]
}

/** Clients that send one request after the other until they are stopped. */
function startLoad(stop: AbortSignal): { load: Load; ended: Promise<unknown> } {
  const load: Load = { requests: new Map(), stored: [], failed: [] }
  const send = async (what: string, path: string, options: Parameters<typeof call>[2], accepted = [200]) => {
    const reply = await call('any', path, options).catch((error: Error) => error)
    load.requests.set(what, (load.requests.get(what) ?? 0) + 1)
    const isFine = !(reply instanceof Error) && accepted.includes(reply.status)
    if (!isFine)
      load.failed.push(`${what}: ${reply instanceof Error ? reply.message : `${reply.status} ${reply.bytes}`}`)
    return isFine
  }
  const persist = async (headers: Record<string, string>) => {
    const name = `Load ${randomUUID()}`
    const body = { schemaVersion, kwds: { kwd: [{ name: { itm: [{ value: name }] } }] } }
    const what = headers['idempotency-key'] ? 'persist with an Idempotency-Key' : 'persist'
    if (await send(what, `${keywords}/persist`, { body, headers })) load.stored.push(name)
  }
  const clients: (() => Promise<unknown>)[] = [
    () => persist({}),
    () => persist({}),
    () => persist({ 'idempotency-key': randomUUID() }),
    () => send('retrieve', `${keywords}/retrieve`, { body: { level: 1 } }),
    () => send('read', '/api/v1/identity/me', {}),
    () => send('read', '/api/v1/identity/me', {}),
    () => send('long poll', '/api/v1/events?wait=20&types=kontor.glossary.*', {}),
  ]
  const ended = Promise.all(
    clients.map(async (client) => {
      while (!stop.aborted) await client()
    }),
  )
  return { load, ended }
}

test('a rolling restart under load fails no request and loses none', { timeout: 900_000 }, async () => {
  const stop = new AbortController()
  const { load, ended } = startLoad(stop.signal)
  await pause(3000)
  // As in an upgrade, the schema has more than these processes know, before and after their restart.
  await db.run(sql`alter table keyword add column of_a_newer_version text`)
  await db.run(sql`
    insert into schema_migration (number, name, checksum)
    select max(number) + 1, 'of-a-newer-version', '' from schema_migration`)
  const times: number[] = []
  for (const at of [0, 1, 2]) {
    const begun = performance.now()
    expect(await cluster.process(at).end('SIGTERM'), cluster.process(at).output()).toBe(0)
    times.push(performance.now() - begun)
    await cluster.start(at)
    await pause(2000)
  }
  stop.abort()
  await ended
  expect(load.failed.slice(0, 5)).toEqual([])
  expect(proxy.lost).toEqual([])
  const { n } = (await db.row<{ n: number }>(sql`
    select count(*)::int as n from keyword where name = any(${load.stored}::text[])`))!
  expect(n).toBe(load.stored.length)
  const all = (await db.row<{ n: number }>(sql`select count(*)::int as n from keyword where name like 'Load %'`))!.n
  expect(all).toBe(load.stored.length)
  const total = [...load.requests.values()].reduce((sum, count) => sum + count)
  note('a rolling restart under load: requests, of them failed', `${total}, 0`)
  note('requests that the proxy sent to a second process', String(proxy.repeated()))
  note('from SIGTERM to the end of a process under load, with 1 s to drain', times.map(seconds).join(', '))
  expect(Math.max(...times)).toBeLessThan(25_000)
})
