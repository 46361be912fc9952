import { type Area, cm, common, dam as damArea, peo, pim } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { addProducts, callsOf } from '../../../test/channels.ts'
import { codes, itemsOf, meta, statuses } from '../../../test/common.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

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

test('every kind of object has its uses, from both ends of links', async () => {
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

test('objects in or below an object, or based on it, are uses too', async () => {
  await callsOf(api, cm, 'channels').persist({ tid: 'sale', name: 'sale', type: 'Webshop', parentTid: 'shop' })
  const glossaries = { glossary: [{ tid: 'sailing', name: 'Sailing' }] }
  await api.post(`${common.base}/glossaries/persist`, { schemaVersion: '5.6.0', glossaries })
  const term = { parentTid: 'sailing', tid: 'term', type: 'term', loc: 'de_DE', ...meta({ value: 'Segel' }) }
  await callsOf(api, common, 'glossaryEntries').persist(term)
  expect(await usesOf('project', 'shop')).toContainEqual(['below', 'project', 'sale'])
  expect(await usesOf('projectTypes', 'Webshop')).toEqual([
    ['type', 'project', 'sale'],
    ['type', 'project', 'shop'],
  ])
  expect(await usesOf('node', '/Standard')).toEqual([
    ['classified', 'product', 'P'],
    ['classified', 'product', 'Q'],
  ])
  expect(await usesOf('glossary', 'sailing')).toEqual([['entry', 'glossaryEntry', 'term']])
  const dirTid = (await dam.retrieveDirs({ rncTid: 'MAM' })).json.dirs.dir[0].tid
  expect(await usesOf('dir', dirTid)).toEqual([['below', 'asset', image]])
})

test('a query takes no locks and does not wait for deletions', async () => {
  const before = api.statements.length
  await api.db.transaction(async (db) => {
    await db.run(sql`select 1 from product where tid = 'P' for update`)
    expect((await ask('product', 'P')).status).toBe(200)
  })
  const asked = api.statements.slice(before).filter((text) => /\bu\.keeps\b|as scopes/.test(text))
  expect(asked.length).toBeGreaterThan(1)
  expect(asked.filter((text) => /\bfor (key )?(share|update)\b/.test(text))).toEqual([])
})

test('a refused deletion names the uses that block it and no others', async () => {
  type Refused = [area: Area, resource: string, action: object]
  const refusals: Refused[] = [
    [pim, 'products', { tid: 'P' }],
    [damArea, 'assets', { tid: image }],
    [cm, 'channels/actions', { tid: 'shop' }],
    [common, 'keywords', { path: '/Sea' }],
    [pim, 'nodes', { path: '/Standard' }],
  ]
  const said = []
  for (const [area, resource, action] of refusals) {
    const options = { token: api.adminToken }
    const { dataType } = area.resources[resource]!
    const [record] = await callsOf(api, area, resource, 'json', options).perform({
      type: 'delete',
      dataType,
      ...action,
    })
    expect(codes([record])).toEqual(['1008'])
    said.push(record.description)
  }
  const end = '; end this first or send meta force=true'
  expect(said).toEqual([
    `the product P is in use by peo E (extends), product Q (productToProduct Accessory)${end}`,
    `/MAM/boats/boat.jpg is in use by product P (assetToProduct Main_Image), project shop (assetToProject)${end}`,
    `the project shop is in use by asset ${image} (assetToProject), peo E (peoToProject), product Q (productToProject), project sale (below)${end}`,
    `the keyword /Sea is in use by asset ${image} (keywordToAsset)${end}`,
    `the node /Standard is in use by product P (classified), product Q (classified)${end}`,
  ])
})

test('objects deleted earlier in the same batch do not block a deletion', async () => {
  await addProducts(api, { 'Q-first': {}, 'P-then': {} })
  const itms = [
    { type: 'productToProduct', itms: [itemsOf({ sourceProductTid: 'Q-first', targetProductTid: 'P-then' })] },
  ]
  await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links: { itms } })
  const remove = (...tids: string[]) =>
    callsOf(api, pim, 'products').perform(...tids.map((tid) => ({ type: 'delete', tid })))
  expect(codes(await remove('P-then'))).toEqual(['1008'])
  expect(statuses(await remove('Q-first', 'P-then'))).toEqual(['SUCCESS', 'SUCCESS'])
})

test('several objects can be requested, and links between them are returned for both ends', async () => {
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
