/** Routes for browsing: pages of products, the tree with counts, the history of a product. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { mergeCounts } from './products.page.sql.ts'

const api = withServer()
const { persist, perform } = productCalls(api)
const page = async (body: object, token = api.token) => {
  const reply = await api.post(`${pim}/products/page`, body, { token })
  expect(reply.status, reply.text).toBe(200)
  const { total = 0, products = [] } = reply.json
  return { total, products, tids: products.map(({ tid }: { tid: string }) => tid) }
}
let narrow: string

beforeAll(async () => {
  await createModel(api)
  await persist(jacket('B', vals(simple('material', 'wool'), simple('code', 'AB1'))), jacket('A', { name: 'Anorak' }))
  await persist({ tid: 'R', name: 'Rain coat', node: '/Standard/Jackets/Rain' })
  await persist({ tid: 'S', name: 'Boot 100%', node: '/Standard/Boots', ...vals(simple('code', 'XY2')) })
  const articles = {
    article: [
      {
        tid: 'B1',
        name: 'Red',
        variants: {
          variant: [
            { tid: 'B1S', name: 'S' },
            { tid: 'B1M', name: 'M' },
          ],
        },
      },
    ],
  }
  await persist({ tid: 'B', articles })
  const grant = {
    kind: '*',
    actions: ['read'],
    scopes: { node: ['/Standard/Jackets/Rain'] },
    visibleAttributes: { except: ['material'] },
  }
  await api.post('/api/v1/identity/roles/rain', { grants: [grant] }, { method: 'PUT', token: api.adminToken })
  narrow = await api.tokenFor({ name: 'rain', roles: ['rain'] })
})

describe('a page of products', () => {
  test('has the fields of a list, and the requested values', async () => {
    const { products } = await page({ tids: ['B'], attributes: ['material'] })
    expect(products).toEqual([
      {
        id: expect.any(Number),
        tid: 'B',
        name: 'Jacket B',
        node: '/Standard/Jackets',
        articles: 1,
        variations: 2,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        modifiedBy: 'kim',
        vals: { val: [{ attr: 'material', itm: [{ value: 'wool' }] }] },
      },
    ])
  })

  test.each([
    [{ sort: 'tid' }, ['A', 'B', 'R', 'S']],
    [{ sort: 'name' }, ['A', 'S', 'B', 'R']],
    [{ sort: 'created' }, ['B', 'A', 'R', 'S']],
    [{ sort: 'modified', descending: true }, ['B', 'S', 'R', 'A']],
    [{ sort: 'tid', offset: 1, count: 2 }, ['B', 'R']],
    [{ sort: 'tid', nodePath: '/Standard/Jackets' }, ['A', 'B', 'R']],
    [{ sort: 'tid', text: 'coat' }, ['R']],
    [{ text: '0%' }, ['S']],
    [{ text: '%' }, ['S']],
    [{ tids: ['S', 'nobody', 'A'] }, ['S', 'A']],
  ])('%j gives %j', async (body, tids) => {
    expect((await page(body)).tids).toEqual(tids)
  })

  test('has the total number', async () => {
    expect((await page({ count: 1 })).total).toBe(4)
    expect((await page({ count: 1, nodePath: '/Standard/Jackets' })).total).toBe(3)
  })

  test('does not count unless requested', async () => {
    const { json } = await api.post(`${pim}/products/page`, { count: 1, offset: 1, total: false })
    expect(json.products).toHaveLength(1)
    expect(json).not.toHaveProperty('total')
  })

  test('neither lists nor counts products that the caller may not read', async () => {
    expect(await page({}, narrow)).toMatchObject({ total: 1, tids: ['R'] })
    expect((await page({ tids: ['A', 'R'] }, narrow)).tids).toEqual(['R'])
  })

  test('costs the same number of statements for one row and for many', async () => {
    const cost = async (count: number) => {
      const before = api.statements.length
      await page({ count, attributes: ['material'] })
      return api.statements.length - before
    }
    expect(await cost(4)).toBe(await cost(1))
  })

  test.each([
    [{ count: 0 }, 400],
    [{ count: 1001 }, 400],
    [{ offset: -1 }, 400],
    [{ sort: 'colour' }, 400],
    [{ nodePath: '/Nowhere' }, 404],
  ])('%j is answered %i', async (body, status) => {
    expect((await api.post(`${pim}/products/page`, body)).status).toBe(status)
  })
})

test('the tree counts the products in each node and below it that the caller may read', async () => {
  const counts = async (token: string) => {
    const { json } = await api.get(`${pim}/classification-tree`, { token })
    return json.nodes.map((node: { path: string; products: number; productsBelow: number }) => [
      node.path,
      node.products ?? 0,
      node.productsBelow ?? 0,
    ])
  }
  expect(await counts(api.token)).toEqual([
    ['/Standard', 0, 4],
    ['/Standard/Jackets', 2, 3],
    ['/Standard/Jackets/Rain', 1, 1],
    ['/Standard/Boots', 1, 1],
  ])
  expect(await counts(narrow)).toEqual([
    ['/Standard', 0, 1],
    ['/Standard/Jackets', 0, 1],
    ['/Standard/Jackets/Rain', 1, 1],
  ])
})

describe('the history of a product', () => {
  test('records who changed which value from what to what, with articles and variations', async () => {
    await persist({ tid: 'B', ...vals(simple('material', 'silk')) })
    const { json } = await api.post(`${pim}/products/history`, { tid: 'B' })
    expect(json.entries[0]).toMatchObject({
      user: 'kim',
      action: 'update',
      dataType: 'product',
      tid: 'B',
      changes: [{ field: 'vals.material', from: 'wool', to: 'silk' }],
    })
    expect(new Set(json.entries.map(({ tid }: { tid: string }) => tid))).toEqual(new Set(['B', 'B1', 'B1S', 'B1M']))
    const next = await api.post(`${pim}/products/history`, { tid: 'B', before: json.entries[0].id, count: 1 })
    expect(next.json.entries).toEqual([json.entries[1]])
  })

  test('is refused before a number that no entry can have', async () => {
    const body = '{"tid":"B","before":9223372036854775807}'
    const { status, text } = await api.post(`${pim}/products/history`, body)
    expect([status, text]).toEqual([400, expect.stringContaining('/productHistoryRequest/before')])
  })

  test('is 404 for a caller who may not read the product, and omits invisible attributes', async () => {
    expect((await api.post(`${pim}/products/history`, { tid: 'A' }, { token: narrow })).status).toBe(404)
    await persist({ tid: 'R', ...vals(simple('material', 'rubber'), simple('code', 'AB1')) })
    const { json } = await api.post(`${pim}/products/history`, { tid: 'R' }, { token: narrow })
    expect(json.entries[0].changes.map(({ field }: { field: string }) => field)).toEqual(['vals.code'])
  })
})

test('the usage of an attribute counts nodes and objects with values', async () => {
  const { json } = await api.post(`${pim}/attribute-definitions/usage`, { tids: ['code', 'washable', 'nobody'] })
  expect(json.attributes).toEqual([
    { tid: 'code', nodes: 1, objects: 3 },
    { tid: 'washable', nodes: 0, objects: 0 },
  ])
})

test('a renamed, moved or deleted product is found by its new name, and counted where it is now', async () => {
  const where = async () => [
    (await page({ nodePath: '/Standard/Boots' })).total,
    (await page({ nodePath: '/Standard/Jackets' })).total,
    (await page({ text: 'ÖLZEUG' })).tids,
    (await page({ text: 'plain' })).total,
  ]
  const [boots, jackets] = (await where()) as [number, number]
  const boot = (tid: string, code: string) => ({
    tid,
    name: `Plain ${tid}`,
    node: '/Standard/Boots',
    ...vals(simple('code', code)),
  })
  expect(await persist(boot('X', 'XX7'), boot('Y', 'YY7'))).toMatchObject([
    { status: 'SUCCESS' },
    { status: 'SUCCESS' },
  ])
  expect(await where()).toEqual([boots + 2, jackets, [], 2])
  await persist({ tid: 'X', name: 'Ölzeug' })
  expect(await where()).toEqual([boots + 2, jackets, ['X'], 1])
  await persist({ tid: 'X', node: '/Standard/Jackets' })
  await mergeCounts(api.db)
  expect(await where()).toEqual([boots + 1, jackets + 1, ['X'], 1])
  await perform({ type: 'delete', tid: 'X' }, { type: 'delete', tid: 'Y' })
  expect(await where()).toEqual([boots, jackets, [], 0])
  await mergeCounts(api.db)
  expect(await where()).toEqual([boots, jackets, [], 0])
})
