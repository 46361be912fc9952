/**
 * The server is killed at several points of an index rebuild while products are written. After the restart the previous
 * index serves again, complete, and every acknowledged product can be found.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_DATA = dataFolder()
afterAll(() => removeFolder(KONTOR_DATA))
const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const start = () => startKontor({ KONTOR_DATA, KONTOR_ADMIN_PASSWORD, KONTOR_SEARCH_THREADS: '1' })
const pim = '/api/core/v1/pim'
const productCount = 3000

function clientOf(kontor: Kontor, token: string) {
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${kontor.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: reply.status, json: (await reply.json().catch(() => undefined)) as any }
  }
  const persist = (resource: string, body: object) =>
    call('POST', `${pim}/${resource}/persist`, { schemaVersion: '5.6.0', ...body })
  return {
    persist,
    /** Creates products and returns their ids. */
    async products(...tids: string[]): Promise<number[]> {
      const product = tids.map((tid) => ({ tid, name: `Boat ${tid}`, node: '/Fleet' }))
      const { json } = await persist('products', { products: { product } })
      return json.responses.response.map(({ id }: { id: number }) => id)
    },
    /** The number of hits, once the server reports it as exact. */
    async count(query?: object): Promise<number> {
      const body = { context: { index: 'PRODUCT' }, ...(query && { query }) }
      const { json } = await vi.waitUntil(
        async () => {
          const reply = await call('POST', '/api/v1/search', body)
          return reply.json.exactHitCount && reply
        },
        { timeout: 500_000, interval: 50 },
      )
      return json.totalHitCount
    },
    wait: async (ids: number[]) =>
      (await call('POST', '/api/v1/search/documents/wait', { index: 'PRODUCT', documents: ids, maxWait: 60_000 }))
        .status,
    rebuild: () => call('POST', '/api/v1/search/index', { index: 'PRODUCT', command: 'REBUILD' }),
    async state(): Promise<string> {
      const { json } = await call('POST', '/api/v1/search/index', { index: 'PRODUCT', command: 'STATE' })
      return json.event
    },
  }
}
type Client = ReturnType<typeof clientOf>
const open = async (kontor: Kontor) => clientOf(kontor, await tokenOf(kontor, KONTOR_ADMIN_PASSWORD))

/** Writes products one by one until the server is killed; returns the acknowledged ones. */
async function writeUntilKilled(client: Client, prefix: string): Promise<{ tid: string; id: number }[]> {
  const acknowledged: { tid: string; id: number }[] = []
  for (let n = 0; ; n++) {
    const tid = `${prefix}-${n}`
    try {
      acknowledged.push({ tid, id: (await client.products(tid))[0]! })
    } catch {
      return acknowledged
    }
  }
}

async function fill(client: Client): Promise<void> {
  await client.persist('classes', { classes: { clazz: [{ tid: 'Fleet', name: { itm: [{ value: 'Fleet' }] } }] } })
  let last: number[] = []
  for (let at = 0; at < productCount; at += 1000) {
    last = await client.products(...Array.from({ length: 1000 }, (_, i) => `B${at + i}`))
  }
  expect(await client.wait(last.slice(0, 1000))).toBe(200)
  expect(await client.count()).toBe(productCount)
}

test('killing the server during a rebuild loses nothing, and no incomplete index ever serves', async () => {
  let kontor = await start()
  let client = await open(kontor)
  await fill(client)
  const started = performance.now()
  await client.rebuild()
  await vi.waitUntil(async () => (await client.state()) === 'END', { timeout: 500_000, interval: 20 })
  const duration = performance.now() - started

  let known = productCount
  for (const [i, share] of [0.1, 0.5, 0.9, 1.1].entries()) {
    const writing = writeUntilKilled(client, `K${i}`)
    await client.rebuild()
    await pause(duration * share)
    await kontor.end('SIGKILL')
    const acknowledged = await writing

    kontor = await start()
    client = await open(kontor)
    expect(await client.count(), `at ${share} of a rebuild`).toBeGreaterThanOrEqual(known)
    if (acknowledged.length > 0) expect(await client.wait(acknowledged.slice(-1000).map(({ id }) => id))).toBe(200)
    for (const { tid } of acknowledged.slice(-5)) {
      expect(await client.count({ queryType: 'FIELD', name: 'tid', comparator: 'EQ', value: tid })).toBe(1)
    }
    const total = await client.count()
    expect(total).toBeGreaterThanOrEqual(known + acknowledged.length)
    known = total
  }
  expect(await kontor.end('SIGTERM')).toBe(0)
}, 900_000)

test('a damaged index is reported and rebuilt completely', async () => {
  const before = await start()
  const count = await (await open(before)).count()
  await before.end('SIGTERM')
  const folder = join(KONTOR_DATA, 'search', 'PRODUCT')
  const generation = readdirSync(folder).find((name) => /^\d+$/.test(name))!
  const segment = readdirSync(join(folder, generation)).find((name) => name.endsWith('.segment'))!
  writeFileSync(join(folder, generation, segment), 'not a segment')

  const kontor = await start()
  const client = await open(kontor)
  await vi.waitUntil(async () => (await client.count()) === count, { timeout: 500_000, interval: 100 })
  expect(kontor.output()).toContain('search index')
  expect(await kontor.end('SIGTERM')).toBe(0)
}, 600_000)
