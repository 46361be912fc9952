/** Values of shops for which Kontor has one place: they are neither joined to one text, nor lost without a word. */
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, rowsOf, exported } = transferCalls(api)
const jackets = '/Standard/Jackets'

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  for (const layout of ['shopify', 'woocommerce']) {
    const profile = {
      layout,
      constants: { node: jackets },
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

test.each([
  ['akeneo', `sku,family,categories,enabled,parent,name-en_US,name-en_US\nA9,,,1,,First,Second\n`, 'columns 6 and 7 both are name-en_US'],
  ['shopify', `Handle,Title,Tags,Variant SKU,Tags\ns9,Shirt,rain,S9-A,\n`, 'columns 3 and 5 both are Tags'],
  ['shopify', `Handle,Title,URL handle,Variant SKU\ns9,Shirt,s8,S9-A\n`, 'columns 1 and 3 both are Handle'],
  ['woocommerce', `ID,Type,SKU,Name,Parent,Tags,Tags\n9,simple,W9,Coat,,a,b\n`, 'columns 6 and 7 both are Tags'],
  ['shopware', `id;productNumber;name;translations.DEFAULT.name;stock;stock\n9;SW9;Coat;Coat;1;2\n`, 'columns 5 and 6 both are stock'],
])('two columns of one heading are refused in a file of %s', async (layout, file, reason) => {
  const done = await run(file, `name=x.csv&layout=${layout}`)
  expect(done).toMatchObject({ state: 'failed', layout, processed: 0 })
  expect(done.problem).toContain(`${reason}; rename or remove one of them`)
}) // prettier-ignore

test('columns without a heading, those to leave out and those of a result file may be repeated', async () => {
  const file = `Handle,Title,Variant SKU,ignore,ignore,,,status,message,status\ns7,Vest,S7-A,a,b,,,refused,x,y\n`
  const profile = { layout: 'shopify', constants: { node: jackets }, columns: [{ column: 'status', field: 'ignore' }] }
  await api.post('/api/v1/transfers/profiles/repeated', profile, { method: 'PUT' })
  const done = await run(file, 'name=x.csv&profile=repeated')
  expect(done, done.problem ?? JSON.stringify(await rowsOf(done.id))).toMatchObject({ created: 1, refused: 0 })
})

test('Shopify gets the amount of a price and the grams of a measure, and a price in several currencies is refused', async () => {
  const defined = (tid: string, type: string, format: object) => ({ tid, type, format, name: { itm: [{ value: tid, loc: 'en_GB' }] } }) // prettier-ignore
  const attrDef = [defined('price', 'price', { unit: [{ code: 'EUR' }, { code: 'USD' }] }), defined('grams', 'measure', { family: 'mass' })] // prettier-ignore
  await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  await persist(
    jacket('SH1', vals(simple('price', '129 EUR'), simple('grams', '0.82 kg'))),
    jacket('SH2', vals(simple('price', '129 EUR; 139 USD'))),
  )
  const order = { format: 'csv', layout: 'shopify', tids: ['SH1'] }
  const cellsOf = async (body: object) => {
    const [headings, cells] = String(await exported(body)).split('\r\n').map((line) => line.split(',')) // prettier-ignore
    return ['Variant Price', 'Variant Grams'].map((one) => cells![headings!.indexOf(one)])
  }
  expect(await cellsOf(order)).toEqual(['129', '820'])
  const { json } = await api.post('/api/v1/transfers/exports', { ...order, tids: ['SH2'] })
  await expect
    .poll(async () => (await api.get(`/api/v1/transfers/${json.id}`)).json.problem)
    .toContain('Variant Price has one amount, but that of SH2 (129 EUR; 139 USD) has amounts in several currencies')
  const columns = [{ column: 'Variant Price', attr: 'price', level: 'variant', unit: 'USD' }]
  await api.post('/api/v1/transfers/profiles/dollars', { layout: 'shopify', columns }, { method: 'PUT' })
  expect(await cellsOf({ format: 'csv', profile: 'dollars', tids: ['SH2'] })).toEqual(['139', ''])
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
