/**
 * Processes that share the search indexes of an OpenSearch node: the one that feeds them is killed (kill -9) while clients
 * write, again and again. Another one feeds within ten seconds, and searches find what is stored: nothing is lost, nothing
 * is there twice, and nothing deleted is found.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { connectCluster } from '../../server/src/adapters/opensearch/client.ts'
import { openSearchAddress } from '../../server/test/opensearch.ts'
import { fullText } from '../../server/test/search.ts'
import {
  type Cluster,
  nameOf,
  note,
  openCluster,
  printResults,
  recordsOf,
  schemaVersion,
  seconds,
  until,
} from './cluster.ts'

const all = [0, 1, 2]
const products = '/api/core/v1/pim/products'
const search = '/api/v1/search'
const mostMilliseconds = 10_000
const eventually = <T>(work: () => Promise<T> | T) => vi.waitFor(work, { timeout: 300_000, interval: 50 })
const cluster = (openSearchAddress() === undefined ? undefined : await openCluster(all.length)) as Cluster

describe.skipIf(!cluster)('the process that feeds the search indexes', () => {
  beforeAll(async () => {
    const clazz = [{ tid: 'Std', name: { itm: [{ value: 'Std', loc: 'en_GB' }] } }]
    const classes = '/api/core/v1/pim/classes/persist'
    recordsOf(await cluster.call(0, classes, { body: { schemaVersion, classes: { clazz } } }))
    await eventually(async () => {
      for (const at of all) expect((await command(at, 'STATE')).event).toBe('END')
    })
  })
  afterAll(printResults)

  test('is replaced within ten seconds when it is killed, and searches find exactly what is stored', async () => {
    const writers = startWriters(4)
    for (let round = 0; round < 4; round++) {
      await eventually(() => expect(writers.written()).toBeGreaterThan(150 * (round + 1)))
      const dead = await killFeeder()
      const killed = performance.now()
      const other = (dead + 1) % all.length
      const word = `Killed${round}`
      const [record] = recordsOf(await persist(other, `K${round}`, word))
      const isFound = async () => (await find(other, fullText(word))).totalHitCount === 1
      await until(isFound, mostMilliseconds - (performance.now() - killed), 'a change after the kill is found')
      const after = seconds(performance.now() - killed)
      note('the feeding process is killed while clients write: a later change is found after', after)
      expect((await feeders()).length).toBe(1)
      expect(await feeders()).not.toContain(dead)
      await wait(other, [record!.id])
      await cluster.start(dead)
    }
    const { names, failed } = await writers.stop()
    expect(failed).toEqual([])
    await compare(names)
    note('four kills under load', `${names.size} products found once and as they were stored, none of the deleted`)
  })

  test('is replaced when it is killed in the middle of a rebuild, and the next one rebuilds', async () => {
    const before = await createdAt()
    const feeder = (await feeders())[0]!
    const other = (feeder + 1) % all.length
    await persist(other, 'R0', 'Rebuilt')
    expect((await command(other, 'REBUILD')).event).toBe('PREPARE')
    await eventually(async () => expect((await command(feeder, 'STATE')).event).toBe('ADD_DOCUMENTS'))
    expect(await killFeeder()).toBe(feeder)
    await eventually(async () => expect(await createdAt()).not.toBe(before))
    for (const at of all.filter((each) => each !== feeder))
      await eventually(async () => expect((await command(at, 'STATE')).event).toBe('END'))
    await cluster.start(feeder)
    await compare(new Map())
    note('the feeding process is killed during a rebuild', 'the next one rebuilds')
  })

  const command = async (at: number, name: string) =>
    (await cluster.call(at, `${search}/index`, { body: { index: 'PRODUCT', command: name } })).json
  /** The generation that serves, in OpenSearch itself. */
  async function createdAt(): Promise<string> {
    const { cluster: node, prefix } = connectCluster(cluster.search!)
    const found = await node.call<object>('GET', `/_alias/${prefix}-product`)
    await node.close()
    return Object.keys(found).join()
  }

  /** Repeats a request that was not answered with 200, as a client would: with the same key, so that it acts once. */
  async function send(at: number | 'any', path: string, body: object) {
    const headers = { 'idempotency-key': randomUUID() }
    return eventually(async () => {
      const reply = await cluster.call(at, `${products}/${path}`, { body: { schemaVersion, ...body }, headers })
      expect(reply.status, reply.bytes.toString()).toBe(200)
      return reply
    })
  }
  const persist = (at: number | 'any', tid: string, name: string) =>
    send(at, 'persist', { products: { product: [{ tid, name, node: '/Std' }] } })
  const remove = (tid: string) =>
    send('any', 'perform', { actions: { action: [{ dataType: 'product', type: 'delete', tid }] } })
  const wait = async (at: number, documents: number[]) => {
    const reply = await cluster.call(at, `${search}/documents/wait`, {
      body: { index: 'PRODUCT', documents, maxWait: 120_000 },
    })
    expect(reply.status, reply.bytes.toString()).toBe(200)
  }
  async function find(at: number, query?: object) {
    const context = { searchType: 'INDEX', index: 'PRODUCT' }
    const body = { context, ...(query && { query }), resultAttributes: ['tid', 'name'], pageSize: 1000 }
    const reply = await cluster.call(at, search, { body })
    expect(reply.status, reply.bytes.toString()).toBe(200)
    return reply.json as { totalHitCount: number; items?: { attributes: { name: string; value: string }[] }[] }
  }

  /** The processes that hold the lock for feeding. */
  async function feeders(): Promise<number[]> {
    const { prefix, cluster: node } = connectCluster(cluster.search!)
    await node.close()
    const rows = await cluster.db.rows<{ name: string }>(sql`
      select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and a.datname = current_database() and l.objsubid = 1
        and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(${`search:${prefix}`}, 21)`)
    return rows.map(({ name }) => all.find((at) => nameOf(at) === name)!)
  }
  async function killFeeder(): Promise<number> {
    const [feeder] = await feeders()
    expect(feeder).toBeDefined()
    await cluster.process(feeder!).end('SIGKILL')
    return feeder!
  }

  /** Clients that create, change and delete products until they are stopped. Each has its own. */
  function startWriters(count: number) {
    const names = new Map<string, string>()
    const failed: string[] = []
    let written = 0
    const stopping = new AbortController()
    const write = async (writer: number) => {
      for (let i = 0; !stopping.signal.aborted; i++) {
        const tid = `W${writer}-${i % 60}`
        const isRemoval = names.has(tid) && i % 5 === 0
        const name = `Word${writer}x${i}`
        const reply = isRemoval ? await remove(tid) : await persist('any', tid, name)
        written++
        if (recordsOf(reply)[0]!.status !== 'SUCCESS') failed.push(`${tid}: ${reply.bytes.toString().slice(0, 200)}`)
        if (isRemoval) names.delete(tid)
        else names.set(tid, name)
      }
    }
    const working = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
    return {
      written: () => written,
      async stop() {
        stopping.abort()
        await working
        return { names, failed }
      },
    }
  }

  /** Each process finds every stored object once and as it is stored, and all acknowledged changes are stored. */
  async function compare(acknowledged: ReadonlyMap<string, string>): Promise<void> {
    const rows = await cluster.db.rows<{ id: number; tid: string; name: string }>(
      sql`select id, tid, name from product order by tid`,
    )
    const stored = rows.map(({ tid, name }) => [tid, name])
    for (const [tid, name] of acknowledged) expect(stored).toContainEqual([tid, name])
    for (const at of all) {
      await wait(
        at,
        rows.map(({ id }) => id),
      )
      const { items = [], totalHitCount } = await find(at)
      expect(totalHitCount).toBe(stored.length)
      const found = items.map(({ attributes }) => ['tid', 'name'].map((key) => valueOf(attributes, key)))
      expect(found.toSorted(([a], [b]) => (a! < b! ? -1 : 1))).toEqual(
        stored.toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
      )
      // Hits are shown as the database has them, so each must also be found by its name.
      for (const [tid, name] of stored.filter((_, i) => i % all.length === at)) {
        const hits = await find(at, fullText(name!))
        expect(
          (hits.items ?? []).map(({ attributes }) => valueOf(attributes, 'tid')),
          name,
        ).toEqual([tid])
      }
    }
  }
  const valueOf = (attributes: readonly { name: string; value: string }[], key: string) =>
    attributes.find(({ name }) => name === key)?.value
})
