/** Links nested in products, articles and variations. */
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, productCalls } from '../../../test/catalogue.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve, perform } = productCalls(api)
const dam = damCalls(api)

let asset: { tid: string; id: number }
beforeAll(async () => {
  await createModel(api)
  await dam.createPath('/MAM/boats')
  asset = (await dam.addAssets('/MAM/boats', 'sail.jpg'))[0]!
})

const group = (kind: string, type: string, key: string, ...values: string[]) => ({
  type: kind,
  itms: [{ type, itm: values.map((value) => ({ key, value })) }],
})
const links = (...itms: object[]) => ({ links: { itms } })

test('a product is created with links to assets, by tid or id, and to products that exist or come before it', async () => {
  const records = await persist(
    jacket('A'),
    jacket('B', links(group('productToProduct', 'Accessory', 'targetProductTid', 'A'))),
    jacket('C', links(group('assetToProduct', 'Main_Image', 'assetTid', asset.tid))),
    jacket('D', links(group('assetToProduct', 'Main_Image', 'assetId', String(asset.id)))),
  )
  expect(records.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'])
  const [b, c, d] = await retrieve('B', 'C', 'D')
  expect(b.links).toEqual({ itms: [group('productToProduct', 'Accessory', 'targetProductTid', 'A')] })
  expect(c.links).toEqual({ itms: [group('assetToProduct', 'Main_Image', 'assetTid', asset.tid)] })
  expect(d.links).toEqual(c.links)
})

test('an unknown end, or a kind of link that products do not have, refuses the whole product', async () => {
  const [unknown, kind, empty] = await persist(
    jacket('X1', links(group('assetToProduct', 'Main_Image', 'assetTid', 'nobody'))),
    jacket('X2', links(group('keywordToAsset', '', 'keywordPath', '/Sea'))),
    jacket('X3', links(group('productToProject', '', 'colour', 'red'))),
  )
  expect(unknown!.description).toBe('links: no asset has the tid nobody')
  expect(kind!.description).toMatch(/products have no links of kind keywordToAsset/)
  expect(empty!.description).toMatch(/names no object; send projectTid or projectId/)
  expect((await persist(jacket('X1', { name: 'Free' })))[0]!.status).toBe('SUCCESS')
})

test('articles and variations have links of their own; sending one again changes nothing', async () => {
  const own = links(group('assetToProduct', 'Detail', 'assetTid', asset.tid))
  const product = jacket('E', {
    articles: {
      article: [{ tid: 'E-A', name: 'a', ...own, variants: { variant: [{ tid: 'E-V', name: 'v', ...own }] } }],
    },
  })
  await persist(product)
  const [{ articles }] = await retrieve('E')
  expect(articles.article[0].links).toEqual(own.links)
  expect(articles.article[0].variants.variant[0].links).toEqual(own.links)
  await persist(product)
  expect(await retrieve('E')).toMatchObject([{ articles: { article: [{ links: own.links }] } }])
})

test('a copy has the links of the original', async () => {
  const accessory = group('productToProduct', 'Accessory', 'targetProductTid', 'A')
  await persist(jacket('F', links(accessory, group('assetToProduct', 'Main_Image', 'assetTid', asset.tid))))
  const meta = {
    itm: Object.entries({ newProductName: 'F again', newProductTid: 'F2' }).map(([key, value]) => ({ key, value })),
  }
  await perform({ type: 'copy', tid: 'F', meta })
  const [f, copy] = await retrieve('F', 'F2')
  expect(copy.links).toEqual(f.links)
})

test('pictures have the order of their positions, the first is the one of lists, and sending positions again moves them', async () => {
  const [one, two] = await dam.addAssets('/MAM/boats', 'one.jpg', 'two.jpg')
  await persist(jacket('O'))
  const place = async (...tids: string[]) => {
    const pictures = tids.map((assetTid, pos) => ({
      type: 'assetToProduct',
      itms: [{ itm: [{ key: 'assetTid', value: assetTid, pos }, { key: 'productTid', value: 'O' }] }], // prettier-ignore
    }))
    const body = { schemaVersion: '5.6.0', links: { itms: pictures } }
    const reply = await api.post('/api/core/v1/common/links/persist', body)
    expect(reply.json.responses.response.map(({ status }: { status: string }) => status)).toEqual(tids.map(() => 'SUCCESS')) // prettier-ignore
  }
  const shown = async () => {
    const [product] = await retrieve('O')
    const page = await api.post('/api/core/v1/pim/products/page', { tids: ['O'] })
    return [page.json.products[0].picture, product.links.itms[0].itms[0].itm.map(({ value, pos }: { value: string; pos: number }) => [pos, value])] // prettier-ignore
  }
  await place(one!.tid, two!.tid)
  expect(await shown()).toEqual([one!.tid, [[0, one!.tid], [1, two!.tid]]]) // prettier-ignore
  await place(two!.tid, one!.tid)
  expect(await shown()).toEqual([two!.tid, [[0, two!.tid], [1, one!.tid]]]) // prettier-ignore
})
