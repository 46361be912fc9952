/** Feeds are compared with whole files, which follow the product data specification of Google. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const api = withServer()
const { run, exported } = transferCalls(api)
const at = (name: string) => new URL(`../../../test/layouts/${name}`, import.meta.url)

/** Only the addresses of the pictures are kept, so that none is called. */
const imports = { layout: 'shopify', columns: [{ column: 'Image Src', attr: 'images' }, { column: 'Variant Image', field: 'ignore' }] } // prettier-ignore
const feed = {
  layout: 'google',
  constants: {
    link: 'https://shop.example.com/p/{product}?v={tid}',
    availability: 'in_stock',
    currency: 'EUR',
    condition: 'new',
    feed_title: 'Fjordlin & friends',
    feed_link: 'https://shop.example.com',
  },
  columns: [
    { column: 'description', attr: 'body_html' },
    { column: 'brand', attr: 'vendor' },
    { column: 'gtin', attr: 'barcode', level: 'variant' },
    { column: 'mpn', attr: 'google_shopping_mpn' },
    { column: 'color', attr: 'colour', level: 'variant' },
    { column: 'product_type', attr: 'type' },
    { column: 'custom_label_0', attr: 'tags' },
  ],
}

beforeAll(async () => {
  api.token = api.adminToken // may create the model
  await api.startWorker()
  for (const [name, profile] of Object.entries({ shop: imports, feed })) {
    const { status, text } = await api.post(`/api/v1/transfers/profiles/${name}`, profile, { method: 'PUT' })
    expect(status, text).toBe(200)
  }
  const done = await run(readFileSync(at('shopify.csv')), 'name=shopify.csv&profile=shop&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'shopify', refused: 0, objects: { created: 2 } })
})

test.each([
  ['RSS', 'xml', 'google.xml'],
  ['a table with tabs', 'csv', 'google.tsv'],
])('as %s has an item per variation with prices, pictures and identifiers', async (_, format, name) => {
  const written = await exported({ format, profile: 'feed', tids: ['harbour-jacket', 'mug'] })
  expect(written.toString()).toBe(readFileSync(at(name), 'utf8'))
})
