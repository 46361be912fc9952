/**
 * For any sequence of writes, by several writers at once and beside rebuilds: when documents/wait has answered, what can
 * be found is what is in the database.
 */
import { cm, common } from '@kontor/contract'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../adapters/postgres/sql.ts'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { field, type Item, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const { call, find, built } = searchCalls(api)
const products = productCalls(api)
const tids = ['P0', 'P1', 'P2', 'P3', 'P4', 'P5']
const channels = ['C0', 'C1']
const materials = ['wool', 'silk', 'linen']
const nodes = ['/Standard/Jackets', '/Standard/Jackets/Rain']

beforeAll(async () => {
  await createModel(api)
  for (const tid of channels) await callsOf(api, cm, 'channels').persist({ tid, name: tid, type: 'Webshop' })
  // Until its first build has ended, an index answers with what it has.
  await built('CHANNEL_2_PRODUCT')
})

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const product = fc.record({
  kind: fc.constant('persist' as const),
  tid: oneOf(...tids),
  material: oneOf(...materials),
  node: oneOf(...nodes),
  articles: fc.integer({ min: 0, max: 2 }),
})
const write = fc.oneof(
  { weight: 5, arbitrary: product },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), tid: oneOf(...tids) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('link' as const), tid: oneOf(...tids), channel: oneOf(...channels) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('unlink' as const), tid: oneOf(...tids), channel: oneOf(...channels) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), tid: oneOf(...tids) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), name: oneOf('Wet', 'Rain') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
)
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

const key = (name: string, value: string) => ({ key: name, value })
const toChannel = (tid: string, channel: string) => [key('productTid', tid), key('projectTid', channel)]

/** Items may be refused, which leaves everything as it was; calls may not. */
async function send(path: string, body: object, token = api.token): Promise<void> {
  const reply = await api.post(path, { schemaVersion, ...body }, { token })
  expect(reply.status, reply.text).toBe(200)
}

const perform: { [K in Write['kind']]: (one: Extract<Write, { kind: K }>) => Promise<unknown> } = {
  persist: ({ tid, material, node, articles }) =>
    products.persist(
      jacket(tid, {
        node,
        ...vals(simple('material', material)),
        articles: {
          article: Array.from({ length: articles }, (_, i) => ({ tid: `${tid}-${i}`, name: `Article ${i}` })),
        },
      }),
    ),
  delete: ({ tid }) => products.perform({ type: 'delete', tid, meta: { itm: [key('force', 'true')] } }),
  link: ({ tid, channel }) =>
    send(`${common.base}/links/persist`, {
      links: { itms: [{ type: 'productToProject', itms: [{ type: '', itm: toChannel(tid, channel) }] }] },
    }),
  unlink: ({ tid, channel }) =>
    send(`${common.base}/links/actions/perform`, {
      actions: {
        action: [{ dataType: 'productToProjectLink', type: 'unlink', meta: { itm: toChannel(tid, channel) } }],
      },
    }),
  copy: ({ tid }) => products.perform({ type: 'copy', tid }),
  move: ({ name }) =>
    send(`${pim}/nodes/persist`, { nodes: { node: [{ path: '/Standard/Jackets/Rain', tid: name }] } }, api.adminToken),
  rebuild: () => call('/index', { index: 'PRODUCT', command: 'REBUILD' }, { token: api.adminToken }),
}

const attributes = [
  'tid',
  'name',
  'itemType',
  'material',
  'classificationPath',
  'channels',
  'modificationDate',
  'product',
]
const valuesOf = ({ attributes: shown = [] }: Item, name: string) =>
  [shown.find((attribute) => attribute.name === name)?.value ?? []].flat()

/** Hits are shown as the database has them; each must be found by every value that it shows, and by no other. */
async function compare(): Promise<void> {
  const { items = [], totalHitCount } = await find('PRODUCT', undefined, {
    resultAttributes: attributes,
    pageSize: 1000,
  })
  const rows = await api.db.rows<{ id: number }>(sql`select id from product order by id`)
  expect((items as Item[]).map(({ id }) => id).sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id))
  expect(totalHitCount).toBe(rows.length)
  for (const name of attributes) {
    const values = new Set((items as Item[]).flatMap((item) => valuesOf(item, name)))
    for (const value of values) {
      const query = field(name, 'EQ', value, { keyword: true })
      const hits = ((await find('PRODUCT', query, { pageSize: 1000 })).items ?? []) as Item[]
      const expected = (items as Item[]).filter((item) =>
        valuesOf(item, name).some(
          (own) => own === value || (name === 'classificationPath' && String(own).startsWith(`${String(value)}/`)),
        ),
      )
      expect(hits.map(({ id }) => id).sort(), `${name} ${String(value)}`).toEqual(expected.map(({ id }) => id).sort())
    }
  }
  const places = await find('CHANNEL_2_PRODUCT', undefined, {
    pageSize: 1000,
    resultAttributes: ['product', 'channel'],
  })
  const links = await api.db.rows<{ id: number }>(sql`select id from link where kind = 'productToProject' order by id`)
  expect(((places.items ?? []) as Item[]).map(({ id }) => id).sort((a, b) => a - b)).toEqual(links.map(({ id }) => id))
}

test('search results equal the stored data after any writes by any clients', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(write, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      async (writers) => {
        await Promise.all(
          writers.map(async (writes) => {
            for (const one of writes) await perform[one.kind](one as never)
          }),
        )
        const rows = await api.db.rows<{ id: number }>(sql`select id from product`)
        const documents = rows.map(({ id }) => id)
        if (documents.length > 0) await call('/documents/wait', { index: 'PRODUCT', documents, maxWait: 60_000 })
        if (documents.length > 0) await compare()
      },
    ),
    { numRuns: 25, endOnFailure: true },
  )
})
