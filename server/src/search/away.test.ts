/** A shared search engine that cannot be reached: from the start, and for a while. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { openSearchAddress, removeIndexes } from '../../test/opensearch.ts'
import { fullText, search, searchCalls } from '../../test/search.ts'
import { type TestServer, withServer } from '../../test/server.ts'
import { connectCluster } from '../adapters/opensearch/client.ts'
import { sql } from '../adapters/postgres/sql.ts'

const inProducts = { context: { searchType: 'INDEX', index: 'PRODUCT' } }
const jacket = (tid: string, name: string) => ({ tid, name, node: '/Standard/Jackets' })

async function expectAway(api: TestServer, path: string, body: object, token = api.token): Promise<void> {
  const refused = await api.post(`${search}${path}`, body, { token })
  expect([refused.status, refused.headers['retry-after']], refused.text).toEqual([503, '1'])
  expect(refused.json.message).toContain('the search engine cannot be reached')
  expect(refused.text).not.toContain('secret')
}

describe('an engine that was never there', () => {
  // Nothing listens at this port.
  const api = withServer({ KONTOR_SEARCH: 'http://user:secret@127.0.0.1:9/away' })

  test('searches are answered with 503 and Retry-After, and other calls work', async () => {
    await expectAway(api, '', inProducts)
    await createModel(api)
    const [stored] = await productCalls(api).persist(jacket('P1', 'Storm jacket'))
    expect(stored!.status).toBe('SUCCESS')
  })
})

const address = openSearchAddress()
const prefix = `test-${randomUUID()}`

describe.skipIf(!address)('an engine that goes away and comes back', () => {
  const settings: Record<string, string> = {}
  let way: Awaited<ReturnType<typeof openWay>>
  beforeAll(async () => {
    way = await openWay(new URL(address!))
    settings['KONTOR_SEARCH'] = `${way.url}/${prefix}`
  })
  afterAll(async () => {
    await way.close()
    await removeIndexes(`${address}/${prefix}`)
  })
  const api = withServer(settings)
  const { wait, found, find } = searchCalls(api)
  const products = productCalls(api)

  test('a server that started while it was away feeds as soon as it is there, without a search', async () => {
    await way.close()
    api.app.startSearch()
    await expectAway(api, '', inProducts)
    await createModel(api)
    await products.persist(jacket('P1', 'Storm jacket'), jacket('P2', 'Hail jacket'))
    await way.open()
    const { cluster } = connectCluster(address!)
    const count = async () => (await cluster.call<{ count: number }>('GET', `/${prefix}-product/_count`)).count
    await vi.waitFor(async () => expect(await count()).toBe(2), { timeout: 120_000, interval: 200 })
    await cluster.close()
  })

  test('searches are answered with 503, all else works, and changes made meanwhile are found afterwards', async () => {
    const before = await products.persist(jacket('P1', 'Storm jacket'), jacket('P2', 'Hail jacket'))
    await wait('PRODUCT', ...before.map(({ id }) => id))
    await way.close()

    await expectAway(api, '', inProducts)
    await expectAway(api, '', { context: { searchType: 'INDEX', index: 'GLOBAL' }, query: fullText('storm') })
    await expectAway(api, '/type-ahead', { index: 'PRODUCT', text: 'sto' })
    const documents = before.map(({ id }) => id)
    await expectAway(api, '/documents/wait', { index: 'PRODUCT', documents, maxWait: 1000 })
    const [changed] = await products.persist(jacket('P1', 'Fog jacket'))
    const [added] = await products.persist(jacket('P3', 'Snow jacket'))
    await products.perform({ type: 'delete', tid: 'P2' })
    expect([changed!.status, added!.status]).toEqual(['SUCCESS', 'SUCCESS'])
    expect((await products.retrieve('P1'))[0].name).toBe('Fog jacket')
    await expectAway(api, '/documents/wait', { index: 'PRODUCT', documents: [added!.id], maxWait: 1000 })

    await way.open()
    await vi.waitFor(() => wait('PRODUCT', changed!.id, added!.id), { timeout: 120_000, interval: 500 })
    expect(await found('PRODUCT', fullText('fog'))).toEqual(['P1'])
    expect(await found('PRODUCT', fullText('snow'))).toEqual(['P3'])
    for (const gone of ['storm', 'hail']) expect(await found('PRODUCT', fullText(gone))).toEqual([])
    expect((await find('PRODUCT')).totalHitCount).toBe(2)
  })

  test('a rule waits for the engine, and then does what it had to do meanwhile', async () => {
    const condition = { queryType: 'FIELD', name: 'name', comparator: 'EQ', value: 'Rain jacket' }
    const operations = [{ type: 'set', attribute: 'material', values: ['Oilskin'] }]
    const body = { condition, operations, onChange: true }
    expect((await api.post('/api/v1/rules/Rain', body, { method: 'PUT' })).status).toBe(200)
    const tick = () => api.app.jobs['rule.tick']!({} as never, new AbortController().signal)
    const materialOf = async () => JSON.stringify((await products.retrieve('P4'))[0].vals ?? '')
    await way.close()
    await products.persist(jacket('P4', 'Rain jacket'))
    for (let times = 0; times < 3; times++) await tick()
    expect((await api.get('/api/v1/rules/Rain')).json).toMatchObject({ enabled: true })

    await way.open()
    const change = async () => {
      await tick()
      for (const { id } of await api.db.rows<{ id: string }>(sql`select id from bulk_change where state = 'running'`))
        await api.app.jobs['change.run']!({ id } as never, new AbortController().signal)
      expect(await materialOf()).toContain('Oilskin')
    }
    await vi.waitFor(change, { timeout: 120_000, interval: 500 })
  })
})

/** A way to an address that can be closed and opened again. */
async function openWay({ hostname, port }: URL) {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let own = 0
  const open = async () => {
    server = createServer((client) => {
      const upstream = connect(Number(port), hostname)
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from)
        from.on('error', () => {})
        from.once('close', () => {
          sockets.delete(from)
          to.destroy()
        })
        from.pipe(to)
      }
    }).listen(own, '127.0.0.1')
    await once(server, 'listening')
    own = (server.address() as AddressInfo).port
  }
  const close = async () => {
    server?.close()
    for (const socket of sockets) socket.destroy()
  }
  await open()
  return { url: `http://127.0.0.1:${own}`, open, close }
}
