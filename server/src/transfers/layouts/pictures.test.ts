/** Addresses of pictures in the files of shops: they become files of the products, and a dead one only warns. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productCalls } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
const asked: string[] = []
const host = createServer((request, reply) => {
  asked.push(request.url!)
  if (!request.url!.startsWith('/good/')) return reply.writeHead(404).end()
  return reply.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture)
})
let at = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
afterAll(() => void host.close())

/** The files of the systems, with two pictures of the product (one of them is dead) and one of its variation. */
// prettier-ignore
const files = {
  shopify: (tid: string) => `Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Variant Image
${tid},Jacket ${tid},Jackets,Size,S,${tid}-S,9,${at}/good/${tid}-1.svg,${at}/good/${tid}-S.svg
${tid},,,,M,${tid}-M,9,${at}/dead/${tid}-2.svg,
${tid},,,,,,,${at}/good/${tid}-3.svg,
`,
  woocommerce: (tid: string) => `ID,Type,SKU,Name,Regular price,Categories,Images,Parent
1,variable,${tid},Hoodie ${tid},,Jackets,"${at}/good/${tid}-1.svg, ${at}/dead/${tid}-2.svg, ${at}/good/${tid}-3.svg",
2,variation,${tid}-S,S,9,,${at}/good/${tid}-S.svg,${tid}
`,
  shopware: (tid: string) => `product_number;parent;name;price_gross;categories;cover_media_url;media
${tid};;Shoe ${tid};9;Jackets;${at}/good/${tid}-1.svg;${at}/dead/${tid}-2.svg|${at}/good/${tid}-3.svg
${tid}-S;${tid};;9;;${at}/good/${tid}-S.svg;
`,
}
type System = keyof typeof files
const columns: Readonly<Record<System, string>> = { shopify: 'Image Src', woocommerce: 'Images', shopware: 'cover_media_url' } // prettier-ignore
const systems = Object.keys(files) as System[]

interface Linked {
  links?: { itms?: { type: string; itms: { itm: { key: string; value: string }[] }[] }[] }
}
const linksOf = ({ links }: Linked) =>
  (links?.itms ?? []).filter(({ type }) => type === 'assetToProduct').flatMap(({ itms }) => itms.flatMap(({ itm }) => itm.map(({ value }) => value))) // prettier-ignore

describe('a shop whose pictures can be reached', () => {
  const api = withServer({ KONTOR_WEBHOOK_PRIVATE: 'true' })
  const { run, send, rowsOf } = transferCalls(api)
  const { retrieve } = productCalls(api)
  const valuesOf = (product: { vals?: { val?: { attr: string; itm?: { value: string }[] }[] } }) =>
    product.vals?.val?.find(({ attr }) => attr === 'images')?.itm?.map(({ value }) => value)
  beforeAll(async () => {
    api.token = api.adminToken // may create the model
    await api.startWorker()
  })

  test.each(systems)('%s: pictures are files of the product, and a dead address is a warning', async (layout) => {
    const tid = `${layout}-1`
    const done = await run(files[layout](tid), `name=x.csv&layout=${layout}&createModel=true`)
    const warning = { column: columns[layout], reason: `asset: ${at}/dead/${tid}-2.svg cannot be downloaded: the host answered 404` } // prettier-ignore
    const { column: place, reason } = warning
    expect(done).toMatchObject({ state: 'finished', refused: 0, notes: [{ place, reason, count: 1 }] })
    const rows: { status: string; warnings?: object[] }[] = await rowsOf(done.id)
    expect(rows.flatMap(({ warnings = [] }) => warnings)).toEqual([warning])

    const [product] = await retrieve(tid)
    expect(linksOf(product)).toHaveLength(2)
    const [small] = product.articles.article[0].variants.variant
    expect(linksOf(small)).toHaveLength(1)
    // An export to a shop needs the addresses.
    expect(valuesOf(product)).toEqual([1, 2, 3].map((n) => expect.stringMatching(`/${tid}-${n}\\.svg$`)))

    const again = await run(files[layout](tid), `name=x.csv&layout=${layout}`)
    expect(again).toMatchObject({ state: 'finished', created: 0, updated: 0, refused: 0, notes: [{ reason }] })
  })

  test('a check downloads nothing', async () => {
    const before = asked.length
    const { id } = (await send(files.shopify('checked'), 'name=x.csv&createModel=true')).json
    await api.post(`/api/v1/transfers/${id}/validate`)
    await expect.poll(async () => (await api.get(`/api/v1/transfers/${id}`)).json.state).toBe('validated')
    expect(asked.slice(before)).toEqual([])
  })

  const profile = (meaning: object) =>
    api.post('/api/v1/transfers/profiles/shop', { layout: 'woocommerce', columns: [{ column: 'Images', ...meaning }] }, { method: 'PUT' }) // prettier-ignore

  test('a profile can keep the addresses as texts', async () => {
    await profile({ attr: 'images' })
    const before = asked.length
    const done = await run(files.woocommerce('texts'), 'name=x.csv&profile=shop')
    expect(done).toMatchObject({ state: 'finished', refused: 0 })
    const [product] = await retrieve('texts')
    expect([linksOf(product), valuesOf(product)?.length, asked.slice(before)]).toEqual([[], 3, []])
  })

  test('a profile that demands the files refuses the row of a dead address', async () => {
    await profile({ field: 'asset' })
    const done = await run(files.woocommerce('strict'), 'name=x.csv&profile=shop')
    const [row] = await rowsOf(done.id)
    expect(row).toMatchObject({ status: 'refused', faults: [{ column: 'Images', reason: expect.stringContaining('the host answered 404') }] }) // prettier-ignore
  })
})

describe('a shop whose pictures are at private addresses', () => {
  const api = withServer()
  test('is imported without them, and the addresses are never called', async () => {
    api.token = api.adminToken
    await api.startWorker()
    const before = asked.length
    const done = await transferCalls(api).run(files.shopify('private'), 'name=x.csv&createModel=true')
    expect(done).toMatchObject({ state: 'finished', refused: 0 })
    expect(done.notes).toHaveLength(4)
    for (const { reason } of done.notes)
      expect(reason).toContain('cannot be downloaded: 127.0.0.1 is not a public address')
    expect(asked.slice(before)).toEqual([])
    const [product] = await productCalls(api).retrieve('private')
    expect(linksOf(product)).toEqual([])
  })
})
