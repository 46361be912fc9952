import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const { persist, perform } = productCalls(api)

const tids = ['P1', 'P2', 'P3', 'P4', 'P5']
beforeAll(async () => {
  await createModel(api)
  await persist(...tids.map((tid) => jacket(tid)))
})

const ask = (resource: string, parameters: string, request: object = {}) =>
  api.post(`${pim}/${resource}/query${parameters}`, request)
async function pages(resource: string, count: number, request: object = {}, field = 'tids') {
  const found: unknown[][] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const reply = await ask(resource, `?count=${count}${after && `&after=${after}`}`, request)
    expect(reply.status, reply.text).toBe(200)
    found.push(reply.json[field])
    after = reply.headers['kontor-next'] as string | undefined
  }
  return found
}

describe('a query of products', () => {
  test('answers everything at once without paging, in all formats and for no products', async () => {
    const reply = await ask('products', '')
    expect([reply.json, reply.headers['kontor-next']]).toEqual([{ tids }, undefined])
    const xml = await api.post(`${pim}/products/query`, {}, { accept: 'application/xml' })
    expect(xml.text).toContain('<tids>P1</tids><tids>P2</tids>')
    expect((await ask('products', '', { nodePaths: ['/Standard/Boots'] })).json).toEqual({ tids: [] })
    const none = await api.post(
      `${pim}/products/query`,
      { nodePaths: ['/Standard/Boots'] },
      { accept: 'application/xml' },
    )
    expect([none.status, none.text]).toEqual([200, expect.not.stringContaining('<tids>')])
  })

  test('answers in pages that neither repeat nor skip, whatever is created or deleted meanwhile', async () => {
    expect(await pages('products', 2)).toEqual([['P1', 'P2'], ['P3', 'P4'], ['P5']])
    expect(await pages('products', 5)).toEqual([tids])
    const first = await ask('products', '?count=3')
    await perform({ type: 'delete', tid: 'P3' }, { type: 'delete', tid: 'P1' })
    await persist(jacket('P6'))
    expect((await ask('products', `?after=${first.headers['kontor-next'] as string}`)).json.tids).toEqual([
      'P4',
      'P5',
      'P6',
    ])
  })

  test('is streamed in portions, of which none is lost', async () => {
    await api.db.run(sql`
      insert into product (id, level, tid, parent_id, node_id, name, vals, created_by, modified_by)
      select nextval('object_id_seq'), 0, 'M' || n, p.parent_id, p.node_id, 'M' || n, '{}', 'kim', 'kim'
      from product p, generate_series(1, 20001) as n where p.tid = 'P4'`)
    const all = (await ask('products', '')).json.tids as string[]
    expect([all.length, new Set(all).size]).toEqual([20_005, 20_005])
    const { text } = await api.post(`${pim}/products/query`, {}, { accept: 'application/xml' })
    expect([...text.matchAll(/<tids>(.*?)<\/tids>/g)].map(([, tid]) => tid)).toEqual(all)
    expect(text.match(/<\?xml|<productRequest|<\/productRequest>$/g)).toHaveLength(3)
    await api.db.run(sql`delete from product where tid like 'M%'`)
  })
})

test('lists with an order of their own have pages too, as long as the last object exists', async () => {
  const all = (await ask('attribute-definitions', '')).json.ids as number[]
  expect((await pages('attribute-definitions', 5, {}, 'ids')).flat()).toEqual(all)
  const reply = await ask('attribute-definitions', '?after=999999999999')
  expect([reply.status, reply.text]).toEqual([410, expect.stringContaining('begin with the first page again')])
})

test.each([
  ['?count=0', 'expected a whole number from 1 to 100000'],
  ['?count=100001', 'expected a whole number from 1 to 100000'],
  ['?after=x', 'expected a whole number'],
  ['?page=2', 'query parameter page: unknown; allowed here: count, after'],
])('%s is refused', async (parameters, sentence) => {
  const reply = await ask('products', parameters)
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(sentence)])
})
