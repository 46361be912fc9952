import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Infer, Product } from '@kontor/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ZipFile } from 'yazl'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { readCsv } from '../read/csv.ts'
import { jsonObjects } from '../read/json.ts'

/** Stands for the hosts of the pictures in the samples. */
const host = createServer((_, reply) => void reply.writeHead(200, { 'content-type': 'image/jpeg' }).end('picture'))
let pictures = ''

const api = withServer({ KONTOR_WEBHOOK_PRIVATE: 'true' })
const at = '/api/v1/transfers'
const samples = new URL('../../../test/layouts/', import.meta.url)
const sample = (name: string) =>
  readFileSync(new URL(name, samples), 'utf8').replaceAll(
    /https:\/\/(cdn|shop)\.example\.com(?=\/[\w/-]+\.jpg)/g,
    pictures,
  )

type Found = Infer<typeof Product>
type Shown = { id: string; state: string; layout?: string; created: number; updated: number; unchanged: number; refused: number; problem?: string } // prettier-ignore
type Token = { token?: string }

beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  pictures = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  await api.startWorker()
})
afterAll(() => void host.close())

const ended = (id: string, { token }: Token): Promise<Shown> =>
  vi.waitFor(
    async () => {
      const now: Shown = (await api.get(`${at}/${id}`, { token })).json
      expect(['finished', 'failed', 'validated'], now.state).toContain(now.state)
      return now
    },
    { timeout: 60_000, interval: 50 },
  )
const send = async (body: string | Buffer, query: string, { token = api.adminToken }: Token = {}) => {
  const reply = await api.post(`${at}/imports?${query}`, body, { type: 'application/octet-stream', token })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.id as string
}
const run = async (body: string | Buffer, query: string, command = 'start', who: Token = { token: api.adminToken }) => {
  const id = await send(body, query, who)
  await api.post(`${at}/${id}/${command}`, undefined, who)
  return ended(id, who)
}
const admin = <T extends object>(options?: T) => ({ token: api.adminToken, ...options })
const rowsOf = async (id: string) => (await api.get(`${at}/${id}/rows?status=refused`, admin())).json.rows ?? []
const product = async (tid: string): Promise<Found> => {
  const reply = await api.post('/api/core/v1/pim/products/retrieve', { tids: [tid] }, admin())
  expect(reply.status, reply.text).toBe(200)
  return reply.json.products.product[0]
}
interface Valued {
  vals?: { val?: { attr?: string; itm?: { value?: string; loc?: string; key?: string }[]; inheritance?: string }[] }
}
const values = ({ vals }: Valued, attr: string) =>
  vals?.val?.find((one) => one.attr === attr && one.inheritance !== 'inherited')?.itm?.map(({ value, loc, key }) => (loc === undefined ? (key ?? value) : `${loc} ${value}`)) // prettier-ignore
const variantsOf = ({ articles }: Found) => articles!.article!.flatMap(({ variants }) => variants?.variant ?? [])
const exported = async (body: object): Promise<string> => {
  const reply = await api.post(`${at}/exports`, body, admin())
  expect(reply.status, reply.text).toBe(200)
  const done = await ended(reply.json.id, admin())
  expect(done.problem).toBeUndefined()
  return (await api.get(`${at}/${done.id}/file`, admin())).text
}

describe('a file of Shopify', () => {
  test('is refused with all attributes that are missing, and nothing is created', async () => {
    const done = await run(sample('shopify.csv'), 'name=shop.csv')
    expect(done).toMatchObject({ state: 'failed', layout: 'shopify' })
    for (const column of ['Body (HTML)', 'Variant Price', 'Option Size', 'Option Colour', 'Tags'])
      expect(done.problem).toContain(`column ${column}: no attribute has the tid`)
    expect(done.problem).toContain(
      'no node has the name or tid Apparel & Accessories > Clothing > Outerwear or Jackets, ',
    )
    expect(done.problem).toContain('or import with createModel')
    expect(done.problem).not.toContain('SEO Description') // empty in the whole file
    expect((await api.get('/api/core/v1/pim/attribute-definitions', admin())).status).toBe(404)
  })

  test('creates the model only for users with the right to', async () => {
    const who = { token: await api.tokenFor({ name: 'eve', roles: ['user'] }) }
    const done = await run(sample('shopify.csv'), 'name=shop.csv&createModel=true', 'start', who)
    expect(done).toMatchObject({ state: 'failed', problem: expect.stringContaining('createModel: ') })
    expect(await api.db.row(sql`select count(*)::int as count from attr_def`)).toEqual({ count: 0 })
  })

  test('can be checked and previewed with createModel, without storing anything', async () => {
    const done = await run(sample('shopify.csv'), 'name=shop.csv&createModel=true', 'validate')
    expect(done).toMatchObject({ state: 'validated', refused: 0, created: 2 })
    const { columns, rows } = (await api.get(`${at}/${done.id}/preview`, admin())).json
    expect(columns).toContainEqual({ column: 'Variant Price', meaning: 'variant:price' })
    expect(rows[0]).toMatchObject({ item: { tid: 'harbour-jacket' } })
    expect(rows[0].faults).toBeUndefined()
    expect(await api.db.row(sql`select count(*)::int as count from attr_def`)).toEqual({ count: 0 })
  })

  test('becomes products with variations, categories and options', async () => {
    const done = await run(sample('shopify.csv'), 'name=shop.csv&createModel=true')
    expect(done).toMatchObject({ state: 'finished', layout: 'shopify', created: 2, refused: 0 })
    const jacket = await product('harbour-jacket')
    expect(jacket).toMatchObject({ name: 'Harbour Jacket', node: '/shopify/Apparel & Accessories/Clothing/Outerwear' })
    expect(values(jacket, 'tags')).toEqual(['rain', 'winter'])
    expect(values(jacket, 'images')).toEqual([1, 2, 3].map((n) => `${pictures}/hj-${n}.jpg`))
    expect(variantsOf(jacket).map(({ tid, name }) => `${tid} ${name}`)).toEqual(['HJ-S-NAVY S / Navy', 'HJ-M-NAVY M / Navy']) // prettier-ignore
    const [small] = variantsOf(jacket)
    expect([values(small!, 'size'), values(small!, 'price'), values(small!, 'barcode')]).toEqual([['S'], ['129'], ['4006381333931']]) // prettier-ignore
    expect(variantsOf(await product('mug')).map(({ tid }) => tid)).toEqual(['MUG-1'])
  })

  test('imported again changes nothing', async () => {
    const done = await run(sample('shopify.csv'), 'name=shop.csv&layout=shopify')
    expect(done).toMatchObject({ state: 'finished', created: 0, unchanged: 4, refused: 0 })
    const again = await run(sample('shopify.csv'), 'name=shop.csv')
    expect(again).toMatchObject({ created: 0, updated: 0, refused: 0 })
  })

  test('is written as it was read', async () => {
    const body = { format: 'csv', layout: 'shopify', tids: ['harbour-jacket', 'mug'] }
    const out = await exported(body)
    const table = async (csv: string) => {
      const { headings, rows } = await readCsv(Readable.from([Buffer.from(csv)]))
      const cells = await Readable.from(rows).toArray()
      return cells.map((row: { cells: string[] }) => new Map(headings!.map((heading, i) => [heading, row.cells[i]])))
    }
    const [sent, written] = await Promise.all([table(sample('shopify.csv')), table(out)])
    expect(written).toHaveLength(sent.length)
    const numbers = (cell = '') => (/^\d+\.\d+$/.test(cell) ? String(Number(cell)) : cell.toLowerCase())
    const skipped = new Set(['Image Alt Text']) // not stored
    written.forEach((row, i) => {
      for (const [heading, cell] of row)
        if (!skipped.has(heading)) expect(numbers(cell), `${heading} in ${i}`).toBe(numbers(sent[i]!.get(heading)))
    })
    const again = await run(out, 'name=back.csv')
    expect(again).toMatchObject({ layout: 'shopify', created: 0, updated: 0, refused: 0 })
  })

  test('can be mapped to other attributes by a profile, and says which rows it refuses', async () => {
    const profile = {
      layout: 'shopify',
      constants: { node: '/shopify' },
      columns: [
        { column: 'Variant Price', attr: 'cost_per_item' },
        { column: 'Body (HTML)', field: 'ignore' },
        { column: 'Option Size', attr: 'colour' },
      ],
    }
    await api.post(`${at}/profiles/shop`, profile, admin({ method: 'PUT' as const }))
    const csv =
      'Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price\ncap,Cap,x,Size,L,CAP-L,7.5\n,Lost,,,,,\nhat,Hat,,,L,HAT,dear\n'
    const done = await run(csv, 'name=caps.csv&profile=shop')
    expect(done).toMatchObject({ created: 1, refused: 2 })
    expect(await rowsOf(done.id)).toMatchObject([
      { row: 2, faults: [{ reason: expect.stringContaining('no Handle') }] },
      { row: 3, faults: [{ reason: expect.stringContaining('no Option1 Name') }] },
    ])
    const [cap] = variantsOf(await product('cap'))
    expect([values(cap!, 'cost_per_item'), values(cap!, 'colour'), values(cap!, 'price')]).toEqual([['7.5'], ['L'], undefined]) // prettier-ignore
    const result = (await api.get(`${at}/${done.id}/result`, admin())).text
    expect(result.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffHandle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price,status,message',
      expect.stringMatching(/^,Lost,,,,,,refused,/),
    ])
  })
})

test('a file of WooCommerce becomes products and variations, by SKU or id of the parent', async () => {
  const done = await run(sample('woocommerce.csv'), 'name=wc.csv&createModel=true')
  expect(done).toMatchObject({ state: 'finished', layout: 'woocommerce', created: 2, refused: 1 })
  expect(await rowsOf(done.id)).toMatchObject([{ row: 5, faults: [{ reason: expect.stringContaining('ID 999') }] }])
  const hoodie = await product('woo-hoodie')
  expect(hoodie).toMatchObject({ name: 'Hoodie', node: '/woocommerce/Clothing/Hoodies' })
  expect(values(hoodie, 'categories')).toEqual(['Clothing > Hoodies', 'Sale'])
  expect(values(hoodie, 'color')).toEqual(['Blue', 'Green'])
  expect(values(hoodie, 'description')).toEqual(['<p>Soft, warm hoodie.</p>\n<p>In C:\\names.</p>'])
  const [blue, green] = variantsOf(hoodie)
  expect([values(blue!, 'color'), values(blue!, 'stock'), values(green!, 'in_stock')]).toEqual([['Blue'], ['7'], ['false']]) // prettier-ignore
  expect(values(await product('woo-album'), 'published')).toEqual(['false'])
})

test('a file of Shopware becomes products and variations with translations', async () => {
  // description is not localized in the model of the test before
  const profile = { layout: 'shopware', columns: [
    { column: 'translations.en-GB.description', attr: 'long_text', locale: 'en_GB' },
    { column: 'translations.de-DE.description', attr: 'long_text', locale: 'de_DE' },
    { column: 'options Colour', attr: 'shoe_colour' }, { column: 'options Size', attr: 'shoe_size' },
  ] } // prettier-ignore
  await api.post(`${at}/profiles/shopware`, profile, admin({ method: 'PUT' as const }))
  const done = await run(sample('shopware.csv'), 'name=sw.csv&createModel=true&profile=shopware')
  expect(done, done.problem).toMatchObject({ state: 'finished', layout: 'shopware', created: 1, refused: 0 })
  const shoe = await product('SW-100')
  expect(shoe).toMatchObject({ name: 'Trail Shoe', node: '/shopware/Sport/Shoes' })
  expect(values(shoe, 'long_text')).toEqual(['de_DE Leichter Schuh.', 'en_GB Light shoe.'])
  expect(variantsOf(shoe).map((one) => [one.tid, values(one, 'shoe_colour'), values(one, 'active')])).toEqual([
    ['SW-100.1', ['Red'], ['true']],
    ['SW-100.2', ['Blue'], ['false']],
  ])
})

describe('a feed for Google', () => {
  const constants = {
    link: 'https://shop.example.com/p/{product}?v={tid}',
    availability: 'in_stock',
    currency: 'EUR',
    condition: 'new',
  }

  test('is refused if required fields have no source, and names them all', async () => {
    const { id } = (await api.post(`${at}/exports`, { format: 'xml', layout: 'google', tids: ['mug'] }, admin())).json
    const { problem } = await ended(id, admin())
    expect(problem).toContain('no attribute for link, availability')
    const refused = await api.post(`${at}/exports`, { format: 'jsonl', layout: 'google', tids: ['mug'] }, admin())
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('choose xml or csv')])
    const unread = await api.post(`${at}/exports`, { format: 'csv', layout: 'shopware', tids: ['mug'] }, admin())
    expect(unread.text).toContain('it is only read')
  })

  test('has an item per variation, as RSS and as a table', async () => {
    const profile = { layout: 'google', constants, columns: [{ column: 'description', attr: 'body_html' }, { column: 'gtin', attr: 'barcode', level: 'variant' }] } // prettier-ignore
    const put = await api.post(`${at}/profiles/google`, profile, admin({ method: 'PUT' as const }))
    expect(put.status, put.text).toBe(200)
    const xml = await exported({ format: 'xml', profile: 'google', tids: ['harbour-jacket', 'mug'] })
    expect(xml).toContain('<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">')
    expect(xml.match(/<item>/g)).toHaveLength(3)
    for (const part of [
      '<g:id>HJ-S-NAVY</g:id><g:title>Harbour Jacket</g:title>',
      '<g:link>https://shop.example.com/p/harbour-jacket?v=HJ-S-NAVY</g:link>',
      '<g:price>129.00 EUR</g:price>',
      '<g:gtin>4006381333931</g:gtin>',
      '<g:description>&lt;p&gt;Warm, &lt;b&gt;waterproof&lt;/b&gt; jacket.&lt;/p&gt;</g:description>',
      '<g:item_group_id>harbour-jacket</g:item_group_id>',
      `<g:image_link>${pictures}/hj-1.jpg</g:image_link>`,
      `<g:additional_image_link>${pictures}/hj-2.jpg</g:additional_image_link>`,
    ])
      expect(xml).toContain(part)
    const table = await exported({ format: 'csv', profile: 'google', tids: ['mug'] })
    const lines = table.split('\r\n')
    expect(lines[0]).toMatch(/^\ufeffid\ttitle\tdescription\tlink/)
    expect(lines[1]).toMatch(/^MUG-1\tEnamel Mug\t/)
  })

  test('keeps the addresses of pictures apart, also with commas in them', async () => {
    const [first, ...others] = [1, 2, 3].map((n) => `https://a.example/w=9,h=9/${n}.jpg`)
    const file = `tid,name,node,images,body_html\npics,Pictures,/shopify,"${[first, ...others].join('|')}",x\n`
    expect(await run(file, 'name=pics.csv')).toMatchObject({ created: 1, refused: 0 })
    const put = (name: string, columns: object[]) => api.post(`${at}/profiles/${name}`, { layout: 'google', constants: { ...constants, description: 'd', price: '9' }, columns }, admin({ method: 'PUT' as const })) // prettier-ignore
    await put('pics', [])
    await put('chosen', ['image_link', 'additional_image_link'].map((column) => ({ column, attr: 'images' }))) // prettier-ignore
    await put('one', [{ column: 'additional_image_link', attr: 'images', position: 1 }])
    for (const profile of ['pics', 'chosen']) {
      const xml = await exported({ format: 'xml', profile, tids: ['pics'] })
      const linked = (field: string) => [...xml.matchAll(new RegExp(`<g:${field}>(.*?)</g:${field}>`, 'g'))].map(([, text]) => text) // prettier-ignore
      expect([linked('image_link'), linked('additional_image_link')], profile).toEqual([[first], others])
      const [headings, cells] = (await exported({ format: 'csv', profile, tids: ['pics'] })).split('\r\n').map((line) => line.split('\t')) // prettier-ignore
      const cellOf = (field: string) => cells![headings!.indexOf(field)]
      expect(cellOf('image_link')).toBe(first)
      expect(cellOf('additional_image_link')?.split(',').map(decodeURIComponent)).toEqual(others)
    }
    const table = await exported({ format: 'csv', profile: 'one', tids: ['pics'] })
    expect(table).toContain('\thttps://a.example/w=9%2Ch=9/2.jpg\t')
  })
})

test('a table of Kontor is never taken for another system', async () => {
  const csv = 'tid,name,node,tags\nplain-1,Plain,/shopify,x\n'
  const done = await run(csv, 'name=plain.csv')
  expect(done).toMatchObject({ state: 'finished', created: 1 })
  expect(done.layout).toBeUndefined()
  const refused = await api.post(
    `${at}/imports?name=x.csv&layout=nope`,
    csv,
    admin({ type: 'application/octet-stream' }),
  )
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('shopify')])
})

test('a zip of Akeneo has the table and the folder files, which become assets', async () => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('sku;categories;enabled;family;picture\nzipped;;1;z;files/a/b/pic.txt\nlost;;1;z;files/none.txt\n'), 'products.csv') // prettier-ignore
  zip.addBuffer(Buffer.from('picture'), 'files/a/b/pic.txt')
  zip.end()
  const done = await run(await buffer(zip.outputStream), 'name=export.zip&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'akeneo', created: 1, refused: 1 })
  expect(await rowsOf(done.id)).toMatchObject([{ row: 2, faults: [{ reason: expect.stringContaining('/MAM/Akeneo/none.txt') }] }]) // prettier-ignore
  expect(JSON.stringify((await product('zipped')).links)).toContain('assetTid')
  expect(await api.db.row(sql`select count(*)::int as count from dam_entry where name = 'pic.txt'`)).toEqual({
    count: 1,
  })
})

test('amounts of Akeneo become the price and the measure that exist, and an unknown unit is refused by its name', async () => {
  const name = { itm: [{ value: 'x', loc: 'en_GB' }] }
  const attrDef = [
    { tid: 'ak_cost', type: 'price', name, format: { unit: [{ code: 'EUR' }, { code: 'USD' }] } },
    { tid: 'ak_mass', type: 'measure', name, format: { family: 'mass' } },
  ]
  const made = await api.post('/api/core/v1/pim/attribute-definitions/persist', { schemaVersion: '5.6.0', attrDefs: { attrDef } }, admin()) // prettier-ignore
  expect(made.text).not.toContain('ERROR')
  const csv = 'sku;categories;enabled;family;ak_cost-EUR;ak_cost-USD;ak_mass;ak_mass-unit\nak-1;;1;z;12.50;13;820;GRAM\nak-2;;1;z;;;1;STONE\n' // prettier-ignore
  const done = await run(csv, 'name=products.csv&layout=akeneo&createModel=true')
  expect(done, done.problem).toMatchObject({ created: 1, refused: 1 })
  const { vals } = await product('ak-1')
  const valueOf = (attr: string) => vals?.val?.find((one) => one.attr === attr)?.itm?.[0]?.value
  expect([valueOf('ak_cost'), valueOf('ak_mass')]).toEqual(['12.5 EUR; 13 USD', '820 g'])
  expect(JSON.stringify(await rowsOf(done.id))).toContain('1 STONE')
})

test('products of the REST API of Akeneo bring their associations with quantities, and nothing that is no data', async () => {
  const query = 'name=products.json&layout=akeneo'
  const named = (await run(sample('akeneo-products.json'), query)).problem
  expect(named).toContain('column PACK-products-quantity: no attribute has the tid PACK_products_quantity')
  expect(named).not.toMatch(/quantified_associations|_links|created:|metadata/)
  const [, pack] = JSON.parse(sample('akeneo-products.json'))
  const done = await run(JSON.stringify([{ ...pack, values: {}, categories: [] }]), `${query}&createModel=true`)
  expect(done, JSON.stringify(await rowsOf(done.id))).toMatchObject({ created: 1, refused: 0 })
  const set = await product('AK-SET')
  expect(['products', 'products_quantity', 'product_models', 'product_models_quantity'].map((one) => values(set, `PACK_${one}`))) // prettier-ignore
    .toEqual([['AK-BEANIE', 'AK-SCARF'], ['1', '2'], ['AK-JACKET'], ['3']]) // prettier-ignore
  const csv = 'sku;categories;enabled;family;PACK-products;PACK-products-quantity\nAK-SET;;1;z;AK-BEANIE,AK-SCARF;4|5\n'
  const again = await run(csv, 'name=products.csv&layout=akeneo&createModel=true')
  expect(again, again.problem).toMatchObject({ refused: 0 })
  expect(values(await product('AK-SET'), 'PACK_products_quantity')).toEqual(['4', '5'])
})

test('objects of JSON are read from lists, lines and pages, in pieces of any size', async () => {
  const objects = [{ a: '{"}\\' }, { b: [{ c: 1 }] }]
  const lines = objects.map((one) => JSON.stringify(one)).join('\n')
  for (const source of [JSON.stringify(objects), lines, JSON.stringify({ _embedded: { items: objects } })])
    for (const size of [1, 7, 1000]) {
      const pieces = Buffer.from(source)
        .toString('latin1')
        .match(new RegExp(`[^]{1,${size}}`, 'g'))!
      expect(await Readable.from(jsonObjects(Readable.from(pieces.map((one) => Buffer.from(one, 'latin1'))))).toArray()).toEqual(objects) // prettier-ignore
    }
  for (const [bad, reason] of [
    ['[{"a":1', 'ends within'],
    ['nope', 'unexpected n'],
    ['{"a":}', 'cannot be read'],
  ])
    await expect(Readable.from(jsonObjects(Readable.from([Buffer.from(bad!)]))).toArray()).rejects.toThrow(reason)
})

test('a layout is shown as soon as the file has arrived, and can be given up or complete the model', async () => {
  const { id, layout, createModel } = (
    await api.post(
      `${at}/imports?name=later.csv`,
      'sku;family;categories;name-en_GB;later_colour\nL-1;later;;Later;red\n',
      {
        type: 'application/octet-stream',
        token: api.adminToken,
      },
    )
  ).json
  expect([layout, createModel]).toEqual(['akeneo', undefined])
  const set = async (query: string, body: object) =>
    (await api.post(`${at}/${id}/profile${query}`, body, { method: 'PUT', token: api.adminToken })).json
  expect(await set('', { layout: 'plain' })).not.toHaveProperty('layout')
  const columns = [{ column: 'sku', field: 'tid' }]
  await set('', {})
  const tried = (await api.post(`${at}/${id}/mapping`, { columns }, admin())).json
  expect(tried.columns.map(({ column }: { column: string }) => column)).toEqual([
    'sku',
    'family',
    'categories',
    'name-en_GB',
    'later_colour',
  ])
  expect(await set('', { columns }), 'a table with mapped columns is plain').not.toHaveProperty('layout')
  const { columns: mapped } = (await api.get(`${at}/${id}/preview`, admin())).json
  expect(mapped).toContainEqual({ column: 'sku', meaning: 'tid' })
  await set('?createModel=true', {})
  await api.get(`${at}/${id}/preview`, admin())
  expect((await api.get(`${at}/${id}`, admin())).json).toMatchObject({ layout: 'akeneo', createModel: true })
  expect(await set('', {}), 'as before').toMatchObject({ layout: 'akeneo', createModel: true })
  await api.post(`${at}/${id}/start`, undefined, admin())
  expect(await ended(id, admin())).toMatchObject({ state: 'finished', created: 1 })
  expect(values(await product('L-1'), 'later_colour')).toEqual(['red'])
})
