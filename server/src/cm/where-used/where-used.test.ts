import { cm, peo } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { addProducts, callsOf } from '../../../test/channels.ts'
import { statuses } from '../../../test/common.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const dam = damCalls(api)
const ask = (dataType: string, ...tids: string[]) => api.post(`${cm.base}/where-used/retrieve`, { dataType, tids })
const usesOf = async (dataType: string, tid: string) => {
  const reply = await ask(dataType, tid)
  expect(reply.status, reply.text).toBe(200)
  const [object] = reply.json.objects
  expect(object.total).toBe(object.uses?.length ?? 0)
  type Use = Record<'dataType' | 'tid' | 'kind', string>
  return (object.uses ?? []).map(({ dataType, tid, kind }: Use) => [kind, dataType, tid]).sort()
}
let image = ''

beforeAll(async () => {
  await addProducts(api, { P: {}, Q: {} })
  await callsOf(api, cm, 'channels').persist({ tid: 'shop', name: 'shop', type: 'Webshop' })
  const extension = { tid: 'E', name: 'E', productTid: 'P', templateTid: 'Default', nodes: { node: [{ tid: 'shop' }] } }
  await callsOf(api, peo, 'peos').persist(extension)
  await dam.createPath('/MAM/boats')
  image = (await dam.addAssets('/MAM/boats', 'boat.jpg'))[0]!.tid
  const kwds = { kwd: [{ name: { itm: [{ value: 'Sea' }] } }] }
  await api.post('/api/core/v1/common/keywords/persist', { schemaVersion: '5.6.0', kwds })
  const link = (type: string, ends: Record<string, string>, linkType = '') => ({
    type,
    itms: [{ type: linkType, itm: Object.entries(ends).map(([key, value]) => ({ key, value })) }],
  })
  const itms = [
    link('assetToProduct', { assetTid: image, productTid: 'P' }, 'Main_Image'),
    link('assetToProject', { assetTid: image, projectTid: 'shop' }),
    link('productToProduct', { sourceProductTid: 'Q', targetProductTid: 'P' }, 'Accessory'),
    link('productToProject', { productTid: 'Q', projectTid: 'shop' }),
    link('keywordToAsset', { keywordPath: '/Sea', assetTid: image }),
  ]
  const linked = await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links: { itms } })
  expect(statuses(linked.json.responses.response)).toEqual(itms.map(() => 'SUCCESS'))
})

test('every kind of object tells who uses it, from either end of links', async () => {
  expect(await usesOf('product', 'P')).toEqual([
    ['assetToProduct', 'asset', image],
    ['extends', 'peo', 'E'],
    ['productToProduct', 'product', 'Q'],
  ])
  expect(await usesOf('product', 'Q')).toEqual([
    ['productToProduct', 'product', 'P'],
    ['productToProject', 'project', 'shop'],
  ])
  expect(await usesOf('asset', image)).toEqual([
    ['assetToProduct', 'product', 'P'],
    ['assetToProject', 'project', 'shop'],
    ['keywordToAsset', 'keyword', '/Sea'],
  ])
  expect(await usesOf('project', 'shop')).toEqual([
    ['assetToProject', 'asset', image],
    ['peoToProject', 'peo', 'E'],
    ['productToProject', 'product', 'Q'],
  ])
  expect(await usesOf('peo', 'E')).toEqual([['peoToProject', 'project', 'shop']])
  expect(await usesOf('keyword', '/Sea')).toEqual([['keywordToAsset', 'asset', image]])
  expect(await usesOf('template', 'Default')).toEqual([['template', 'peo', 'E']])
})

test('several objects are asked for at once, and where both ends are asked for each is told', async () => {
  const { objects } = (await ask('product', 'P', 'Q', 'nobody')).json
  expect(objects.map(({ tid, total }: { tid: string; total: number }) => [tid, total])).toEqual([
    ['P', 3],
    ['Q', 2],
  ])
})

test('an unknown kind, no object, or only unknown ones are refused', async () => {
  expect((await ask('planet', 'P')).status).toBe(400)
  expect((await api.post(`${cm.base}/where-used/retrieve`, { dataType: 'product' })).status).toBe(400)
  expect((await api.post(`${cm.base}/where-used/retrieve`, { tids: ['P'] })).status).toBe(400)
  expect((await ask('product', 'nobody')).status).toBe(404)
})
