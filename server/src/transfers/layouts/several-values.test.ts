/** Values of shops for which Kontor has one place: they are neither joined to one text, nor lost without a word. */
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, rowsOf, exported } = transferCalls(api)

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  for (const layout of ['shopify', 'woocommerce']) {
    const profile = {
      layout,
      constants: { node: '/Standard/Jackets' },
      columns: ['Type', 'Option1 Name'].map((column) => ({ column, field: 'ignore' })),
    }
    const { status } = await api.post(`/api/v1/transfers/profiles/${layout}`, profile, { method: 'PUT' })
    expect(status).toBe(200)
  }
})

test('several values for an attribute that holds one are noted; a single one is stored', async () => {
  const file = `ID,Type,SKU,Name,Parent,Attribute 1 name,Attribute 1 value(s)
1,variable,W1,Coat,,material,"Wool, Silk"
2,variation,W1-W,Coat Wool,W1,material,Wool
3,variation,W1-M,Coat Mix,W1,material,Wool|Silk
`
  const done = await run(file, 'name=w.csv&profile=woocommerce')
  expect(done, done.problem ?? JSON.stringify(await rowsOf(done.id))).toMatchObject({
    refused: 0,
    layout: 'woocommerce',
  })
  const [coat] = await retrieve('W1')
  expect(coat.vals).toBeUndefined()
  const [wool, mix] = coat.articles.article[0].variants.variant
  expect([wool.vals.val[0].itm, mix.vals.val[0].itm]).toEqual([[{ value: 'Wool' }], [{ value: 'Wool|Silk' }]])
  expect(done.notes).toContainEqual({ place: 'Attribute material', count: 1, reason: expect.stringContaining('has several values, but the attribute holds one') }) // prettier-ignore
})

test('two variants of a product of Shopify with the same SKU are refused, as one would replace the other', async () => {
  const file = `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price
s1,Shirt,material,Wool,S1-A,
s1,,,Silk,S1-A,
s1,,,Felt,S1-B,
`
  const { id, refused, problem } = await run(file, 'name=s.csv&profile=shopify')
  const rows = await rowsOf(id)
  expect([refused, rows?.[1].faults], problem ?? JSON.stringify(rows)).toEqual([1, [{ reason: 'the variant Wool has the Variant SKU S1-A, too; give each variant its own' }]]) // prettier-ignore
  const variants = (await retrieve('s1'))[0].articles.article[0].variants.variant
  expect(variants.map(({ name }: { name: string }) => name)).toEqual(['Wool', 'Felt'])
})

test('of prices in several currencies, an item of Google has the one that the profile names', async () => {
  const attrDef = [{ tid: 'cost', type: 'price', format: { unit: [{ code: 'EUR' }, { code: 'USD' }] }, name: { itm: [{ value: 'Cost', loc: 'en_GB' }] } }] // prettier-ignore
  await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  await persist(jacket('G1', vals(simple('cost', '19.99 EUR; 21.5 USD'))), jacket('G2', vals(simple('cost', '5 EUR'))))
  const constants = { description: 'd', link: 'https://a.example/{tid}', image_link: 'https://a.example/i.jpg', availability: 'in stock' } // prettier-ignore
  const put = (more: object) =>
    api.post('/api/v1/transfers/profiles/google', { layout: 'google', constants: { ...constants, ...more }, columns: [{ column: 'price', attr: 'cost' }] }, { method: 'PUT' }) // prettier-ignore
  await put({ currency: 'USD' })
  const order = { format: 'xml', profile: 'google', tids: ['G1', 'G2'] }
  const prices = [...String(await exported(order)).matchAll(/<g:price>(.*?)<\/g:price>/g)].map(([, price]) => price)
  expect(prices).toEqual(['21.5 USD', '5 EUR'])
  await put({})
  const { json } = await api.post('/api/v1/transfers/exports', order)
  await expect
    .poll(async () => (await api.get(`/api/v1/transfers/${json.id}`)).json.problem)
    .toContain('that of G1 (19.99 EUR; 21.5 USD) has amounts in several currencies; name one of them')
})
