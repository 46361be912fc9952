import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
beforeAll(async () => {
  await createModel(api)
  await persist(jacket('R1', vals(simple('material', 'wool'))), jacket('R2'), {
    ...jacket('R3'),
    node: '/Standard/Jackets/Rain',
  })
})
const tidsOf = (products: { tid: string }[]) => products.map(({ tid }) => tid)

describe('retrieve', () => {
  test('returns products in the order of the request; unknown ones are skipped', async () => {
    expect(tidsOf(await retrieve('R3', 'nobody', 'R1'))).toEqual(['R3', 'R1'])
  })

  test('tids win over ids; ids alone work, as numbers or as text', async () => {
    const id = (await retrieve('R2'))[0].meta.itm.find((item: { key: string }) => item.key === 'id').value
    const by = async (request: object) =>
      tidsOf((await api.post(`${pim}/products/retrieve`, request)).json.products.product)
    expect(await by({ ids: [id] })).toEqual(['R2'])
    expect(await by({ ids: [Number(id)], tids: ['R1'] })).toEqual(['R1'])
  })

  test('has facts about each product in meta', async () => {
    const keys = (await retrieve('R1'))[0].meta.itm.map((item: { key: string }) => item.key)
    expect(keys).toEqual([
      'id',
      'creationDate',
      'modificationDate',
      'valueModificationDate',
      'itemType',
      'creationUser',
      'modificationUser',
    ])
  })

  test.each([
    ['nothing named', {}, 400],
    ['an unknown field', { names: ['x'] }, 400],
    ['none that exists', { tids: ['nobody'] }, 404],
    ['an id that is too large', { ids: ['9223372036854775807'] }, 404],
  ])('with %s is refused', async (_what, request, status) => {
    expect((await api.post(`${pim}/products/retrieve`, request)).status).toBe(status)
  })

  test('without a token is 401', async () => {
    expect((await api.post(`${pim}/products/retrieve`, { tids: ['R1'] }, { token: null })).status).toBe(401)
  })

  test('returns all of 600 products in every format', async () => {
    const many = Array.from({ length: 600 }, (_, i) => jacket(`M${i}`, vals(simple('material', `m ${i}`))))
    await persist(...many)
    const tids = many.map(({ tid }) => tid!)
    for (const accept of ['application/xml', 'application/json', 'application/json+compact']) {
      const reply = await api.post(`${pim}/products/retrieve`, { tids }, { accept })
      const transformed = await api.post('/api/core/v1/common/transform', reply.text, {
        type: accept,
        accept: 'application/json',
      })
      expect(tidsOf(transformed.json.products.product)).toEqual(tids)
    }
  })

  test('of one product has an ETag; persist with If-Match is refused when the product changed meanwhile', async () => {
    await persist(jacket('E1'))
    const etag = async () => (await api.post(`${pim}/products/retrieve`, { tids: ['E1'] })).headers['etag'] as string
    const first = await etag()
    const change = (name: string, match: string) =>
      api.post(
        `${pim}/products/persist`,
        { schemaVersion, products: { product: [{ tid: 'E1', name }] } },
        { headers: { 'if-match': match } },
      )
    expect((await change('E one', first)).status).toBe(200)
    expect((await change('E two', first)).status).toBe(412)
    expect((await change('E two', await etag())).status).toBe(200)
  })
})

describe('query', () => {
  const query = (request: object) => api.post(`${pim}/products/query`, request)

  test('by node searches the subtree, or the node alone', async () => {
    const subtree = (await query({ nodePaths: ['/Standard/Jackets'] })).json.tids
    expect(subtree).toEqual(expect.arrayContaining(['R1', 'R3']))
    const alone = (await query({ nodePaths: ['/Standard/Jackets'], searchStrategy: 'node' })).json.tids
    expect(alone).toContain('R1')
    expect(alone).not.toContain('R3')
  })

  test('by time finds products changed in an interval; criteria are combined with AND', async () => {
    const past = '2020-01-01T00:00:00.000'
    const future = '2099-01-01T00:00:00.000'
    expect(
      (await query({ modifiedFrom: past, modifiedUntil: future, nodePaths: ['/Standard/Jackets/Rain'] })).json,
    ).toEqual({ tids: ['R3'] })
    expect((await query({ modifiedFrom: future })).json).toEqual({ tids: [] })
    expect((await query({ modifiedUntil: past })).json).toEqual({ tids: [] })
  })

  test.each([
    ['a node that does not exist', { nodePaths: ['/Nowhere'] }, 404],
    ['an invalid date', { modifiedFrom: 'yesterday' }, 400],
    ['an unknown strategy', { searchStrategy: 'guess' }, 400],
  ])('with %s is refused', async (_what, request, status) => {
    expect((await query(request)).status).toBe(status)
  })
})
