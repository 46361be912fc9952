/** Lists that grow without end are read in pages: `count`, `after` and the header `Kontor-Next`. */
import { beforeAll, expect, test, vi } from 'vitest'
import { createModel, jacket, productCalls } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const admin = () => ({ token: api.adminToken })
let webhook = ''
let bulkImport = ''
let change = ''

beforeAll(async () => {
  await createModel(api)
  await productCalls(api).persist(...[1, 2, 3, 4, 5].map((n) => jacket(`P${n}`)))
  const created = async (path: string, body: unknown, options: object = admin()) => {
    const reply = await api.post(path, body, options)
    expect(reply.status, reply.text).toBe(200)
    return reply
  }
  const feed = { direction: 'export', export: { format: 'csv' }, place: { kind: 'download' } }
  for (const name of ['shop', 'Läden', '%41', 'a b', 'ä']) {
    await created(`/api/v1/feeds/${encodeURIComponent(name)}`, feed, { ...admin(), method: 'PUT' })
    await created(`/api/v1/transfers/profiles/${encodeURIComponent(name)}`, {}, { ...admin(), method: 'PUT' })
    const rule = { operations: [{ type: 'set', attribute: 'material', values: ['x'] }] }
    await created(`/api/v1/rules/${encodeURIComponent(name)}`, rule, { ...admin(), method: 'PUT' })
    await created('/api/v1/collections', { name })
  }
  const url = 'https://example.com/hook'
  // Of a type that does not happen here: the only deliveries are those below.
  webhook = (await created('/api/v1/webhooks', { url, types: ['kontor.glossary.*'] })).json.id
  const table = `tid,name,node\n${[1, 2, 3, 4, 5].map((n) => `T${n},N,/Standard/Jackets\n`).join('')}`
  const octets = { ...admin(), type: 'application/octet-stream' }
  const operations = [{ type: 'set', attribute: 'material', values: ['x'] }]
  const message = { subject: 's', body: 'b', recipientUser: 'ada' }
  for (let n = 1; n <= 5; n++) {
    bulkImport = (await created('/api/v1/transfers/imports?name=x.csv', table, octets)).json.id
    change = (await created('/api/v1/changes', { selection: { nodePaths: ['/Standard'] }, operations })).json.id
    await created('/api/core/v1/pim/products/bulk', { schemaVersion: '5.6.0', products: { product: [jacket('P1')] } })
    await created('/api/core/v1/common/messages/persist', { messages: [message] })
    await api.db.run(sql`
      insert into feed_run (feed_id, state, step, ended_at) select id, 'finished', 'deliver', now() from feed where name = 'shop'`)
    await api.db.run(sql`
      insert into webhook_delivery (webhook_id, event_id, type, subject, object_id, body)
      values (${webhook}::uuid, ${String(n)}, 'kontor.product.updated', 's', ${n}, '{}')`)
  }
  const worker = await api.startWorker()
  await created(`/api/v1/transfers/${bulkImport}/start`, undefined)
  await created(`/api/v1/changes/${change}/preview`, undefined)
  const stateOf = async (path: string) => (await api.get(path, admin())).json.state as string
  await vi.waitFor(
    async () => {
      expect(await stateOf(`/api/v1/transfers/${bulkImport}`)).toBe('finished')
      expect(await stateOf(`/api/v1/changes/${change}`)).toBe('previewed')
    },
    { timeout: 30_000, interval: 50 },
  )
  await worker.stop()
})

// prettier-ignore
const lists: readonly (readonly [name: string, path: () => string, field: string, key: string])[] = [
  ['transfers',            () => '/api/v1/transfers', 'transfers', 'id'],
  ['rows of an import',    () => `/api/v1/transfers/${bulkImport}/rows`, 'rows', 'row'],
  ['changes',              () => '/api/v1/changes', 'changes', 'id'],
  ['objects of a change',  () => `/api/v1/changes/${change}/items`, 'items', 'number'],
  ['bulk runs',            () => '/api/core/v1/common/runs', 'runs', 'id'],
  ['messages',             () => '/api/core/v1/common/messages', 'messages', 'id'],
  ['feeds',                () => '/api/v1/feeds', 'feeds', 'name'],
  ['rules',                () => '/api/v1/rules', 'rules', 'name'],
  ['collections',          () => '/api/v1/collections', 'collections', 'id'],
  ['mapping profiles',     () => '/api/v1/transfers/profiles', 'profiles', 'name'],
  ['runs of a feed',       () => '/api/v1/feeds/shop/runs', 'runs', 'id'],
  ['deliveries',           () => `/api/v1/webhooks/${webhook}/deliveries`, 'deliveries', 'id'],
]

test.each(lists)('%s come in pages that together are the whole list', async (_, path, field, key) => {
  const keysOf = (reply: { json: Record<string, Record<string, unknown>[]> }) =>
    reply.json[field]!.map((one) => one[key])
  const whole = await api.get(path(), admin())
  expect([keysOf(whole).length, whole.headers['kontor-next']]).toEqual([5, undefined])
  const pages: unknown[][] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const reply = await api.get(`${path()}?count=2${after && `&after=${after}`}`, admin())
    expect(reply.status, reply.text).toBe(200)
    pages.push(keysOf(reply))
    after = reply.headers['kontor-next'] as string | undefined
  }
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
  expect(pages.flat()).toEqual(keysOf(whole))
  expect((await api.get(`${path()}?count=5`, admin())).headers['kontor-next']).toBeUndefined()
  expect([200, 400]).toContain((await api.get(`${path()}?count=0`, admin())).status)
})

test.each(['/api/v1/feeds', '/api/v1/rules', '/api/v1/collections', '/api/v1/transfers/profiles'])(
  '%s after another text is refused',
  async (path) => {
    for (const after of ['shop!', 'AA', 'x']) {
      const reply = await api.get(`${path}?after=${after}`, admin())
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('after: not a position of this list')])
    }
  },
)

test.each(['/api/v1/transfers', '/api/v1/changes', '/api/core/v1/common/runs'])(
  '%s after an entry that is gone is refused instead of answered as the end',
  async (path) => {
    for (const id of ['0197a3c2-0000-7000-8000-000000000000', 'x']) {
      const reply = await api.get(`${path}?after=${id}`, admin())
      expect([reply.status, reply.text]).toEqual([410, expect.stringContaining('begin with the first page again')])
    }
  },
)
