/** Search documents of the areas: assets, channels, products in channels, links between them, and changes that reach further than one object. */
import { cm, common } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { damCalls } from '../../test/dam.ts'
import { all, field, fullText, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'

/** Indexes are built by processes of their own, as in a server that is used. */
const api = withServer({ KONTOR_SEARCH_THREADS: '1' })
const { call, built, find, found, rebuild, wait } = searchCalls(api)
const products = productCalls(api)
const dam = damCalls(api)

/** Waits until everything committed so far can be found: all indexes follow the same outbox. */
const settle = async () => wait('PRODUCT', (await api.db.row<{ id: number }>(sql`select id from product limit 1`))!.id)
const link = async (kind: string, ...itm: object[]) => {
  const reply = await api.post(`${common.base}/links/persist`, {
    schemaVersion,
    links: { itms: [{ type: kind, itms: [{ type: '', itm }] }] },
  })
  expect(reply.text).not.toContain('ERROR')
}
const indexes = ['PRODUCT', 'ASSET', 'CHANNEL', 'CHANNEL_2_PRODUCT']
const byId = { sortOptions: [{ attribute: 'id' }] }
const key = (name: string, value: string) => ({ key: name, value })
let assets: { id: number; tid: string; name: string }[]

beforeAll(async () => {
  await createModel(api)
  await products.persist(
    jacket('P1', { ...vals(simple('material', 'Wool')), articles: { article: [{ tid: 'A1', name: 'Article' }] } }),
    jacket('P2', { node: '/Standard/Jackets/Rain' }),
  )
  const channels = callsOf(api, cm, 'channels')
  await channels.persist({ tid: 'SHOP', name: 'Web shop', type: 'Webshop' })
  await channels.persist({ tid: 'DE', name: 'Deutschland', type: 'Webshop', parentTid: 'SHOP' })
  await dam.createPath('/MAM/boats/sails')
  assets = await dam.addAssets('/MAM/boats/sails', 'Segel rot.jpg', 'Segel blau.jpg')
  await api.db.run(sql`
    update dam_entry set created_at = '2024-05-31T23:30Z', height = 20, width = case name when 'Segel rot.jpg' then 30 else 20 end
    where name like 'Segel%'`)
  await link('assetToProduct', key('assetTid', assets[0]!.tid), key('productTid', 'P1'))
  await link('productToProject', key('productTid', 'P1'), key('projectTid', 'DE'))
  for (const index of indexes) await built(index)
  await settle()
})

test('assets, channels and placements have their own fields', async () => {
  expect(await found('ASSET', fullText('segel'), { sortOptions: [{ attribute: 'name' }] }, undefined, 'name')).toEqual([
    'Segel blau.jpg',
    'Segel rot.jpg',
  ])
  expect(await found('ASSET', field('directoryPath', 'EQ', '/MAM/boats'))).toHaveLength(2)
  expect(await found('CHANNEL', field('channelPath', 'EQ', '/SHOP'))).toEqual(['SHOP', 'DE'])
  expect(await found('CHANNEL_2_PRODUCT', fullText('deutschland'), {}, undefined, 'product')).toEqual(['P1'])
})

test('assets are found by orientation, and counted by the month in which they were added', async () => {
  expect(await found('ASSET', field('orientation', 'EQ', 'landscape'))).toEqual([assets[0]!.tid])
  const { facets } = await find('ASSET', field('orientation', 'IN', ['landscape', 'square']), {
    aggregationEnabled: true,
    aggregationAttributes: ['creationMonth'],
  })
  expect(facets[0].facets).toMatchObject([{ value: '2024-05', count: 2 }])
})

test('GLOBAL is one ranking over all three', async () => {
  const result = await find('GLOBAL', undefined, { aggregationEnabled: true, aggregationAttributes: ['itemType'] })
  expect(result.totalHitCount).toBe(7)
  const counts = result.facets[0].facets.map(({ value, count }: { value: string; count: number }) => [value, count])
  expect(Object.fromEntries(counts)).toEqual({ product: 2, article: 1, asset: 2, channel: 2 })
  expect(await found('GLOBAL', fullText('shop'))).toEqual(['SHOP'])
  expect(await found('GLOBAL', field('fileType', 'EQ', 'IMG'))).toHaveLength(2)
})

describe('a join', () => {
  const joined = (index: string, joinOn: string, query?: object, outer?: object) =>
    found(index, outer, { join: { joinOn, search: { ...(query && { query }) } } })

  test.each([
    ['products of channels', 'PRODUCT', 'channels', field('tid', 'EQ', 'DE'), ['P1']],
    ['channels of products', 'CHANNEL', 'products', field('material', 'EQ', 'wool'), ['DE']],
    ['products of assets', 'PRODUCT', 'assets', fullText('rot'), ['P1']],
    ['nothing, when nothing matches', 'CHANNEL', 'products', field('tid', 'EQ', 'P2'), []],
  ])('finds %s', async (_what, index, joinOn, query, expected) => {
    expect(await joined(index, joinOn, query)).toEqual(expected)
  })

  test('finds assets of products, and chains: assets of products in a channel', async () => {
    expect(await joined('ASSET', 'products', field('tid', 'EQ', 'P1'))).toEqual([assets[0]!.tid])
    const inner = { join: { joinOn: 'channels', search: { query: field('tid', 'EQ', 'DE') } } }
    expect(await found('ASSET', undefined, { join: { joinOn: 'products', search: inner } })).toEqual([assets[0]!.tid])
  })

  test('of a field that another index has works as a field too', async () => {
    expect(await found('CHANNEL', field('products', 'EQ', 'P1'))).toEqual(['DE'])
    expect(await found('CHANNEL', field('products', 'IS_EMPTY'))).toEqual(['SHOP'])
    expect(await found('CHANNEL', field('products', 'NOT_IN', ['P1']))).toEqual(['SHOP'])
  })
})

test.each(indexes)('a rebuild of %s brings what changes had brought', async (index) => {
  const everything = async () => (await find(index, undefined, { ...byId, pageSize: 1000 })).items
  const before = await everything()
  await rebuild(index)
  expect(before).not.toEqual([])
  expect(await everything()).toEqual(before)
})

describe('a wait returns when the change is searchable', () => {
  const change = async (body: () => Promise<unknown>, check: () => Promise<void>) => {
    await body()
    await settle()
    await check()
  }
  const persist = (path: string, body: object) =>
    api.post(`${pim}/${path}/persist`, { schemaVersion, ...body }, { token: api.adminToken })

  test('of a product, at its articles', () =>
    change(
      () => products.persist({ tid: 'P1', ...vals(simple('material', 'Silk')) }),
      async () => expect(await found('PRODUCT', field('material', 'EQ', 'silk'), byId)).toEqual(['P1', 'A1']),
    ))

  test('of a default, at products of the node and below it that have no value, and at their articles', () =>
    change(
      async () => {
        const nodePath = '/Standard/Jackets'
        const attr = [
          { nodePath, key: 'color', domainVals: { domainVal: [{ tid: 'blue' }] }, defaultVal: { tid: 'blue' } },
        ]
        expect((await persist('attributes', { attrs: { attr } })).text).not.toContain('ERROR')
      },
      async () => expect(await found('PRODUCT', field('color', 'EQ', 'blue'), byId)).toEqual(['P1', 'A1', 'P2']),
    ))

  test('of a new attribute, which becomes a field without a rebuild', () =>
    change(
      async () => {
        await persist('attribute-definitions', {
          attrDefs: { attrDef: [{ tid: 'season', type: 'text', name: { itm: [{ value: 'Season', loc: 'en_GB' }] } }] },
        })
        await products.persist({ tid: 'P2', ...vals(simple('season', 'Winter')) })
      },
      async () => expect(await found('PRODUCT', field('season', 'EQ', 'winter'))).toEqual(['P2']),
    ))

  test('of a node that moves, at everything below it', () =>
    change(
      async () => {
        const node = [{ path: '/Standard/Jackets/Rain', tid: 'Rain', parentPath: '/Standard/Boots' }]
        const reply = await persist('nodes', { nodes: { node } })
        expect(reply.text).not.toContain('ERROR')
      },
      async () =>
        expect(await found('PRODUCT', field('classificationPath', 'EQ', '/Standard/Boots/Rain'))).toEqual(['P2']),
    ))

  test('of a directory that is renamed, at its assets', () =>
    change(
      async () => {
        const { tid } = (await api.db.row<{ tid: string }>(sql`select tid from dam_entry where path = '/MAM/boats'`))!
        await dam.persistDirs({ tid, name: 'ships' })
      },
      async () => expect(await found('ASSET', field('directoryPath', 'EQ', '/MAM/ships/sails'))).toHaveLength(2),
    ))

  test('of a keyword that is renamed, at the assets that have it', () =>
    change(
      async () => {
        const keywords = `${common.base}/keywords`
        await api.post(`${keywords}/persist`, { schemaVersion, kwds: { kwd: [{ name: { itm: [{ value: 'Sea' }] } }] } })
        await link('keywordToAsset', key('keywordPath', '/Sea'), key('assetTid', assets[1]!.tid))
        await settle()
        expect(await found('ASSET', field('keywords', 'EQ', '/Sea'))).toEqual([assets[1]!.tid])
        await api.post(`${keywords}/persist`, {
          schemaVersion,
          kwds: { kwd: [{ path: '/Sea', name: { itm: [{ value: 'Ocean' }] } }] },
        })
      },
      async () => expect(await found('ASSET', field('keywords', 'EQ', '/Ocean'))).toEqual([assets[1]!.tid]),
    ))

  test('of what is deleted, at what was linked to it', () =>
    change(
      async () => {
        const actions = {
          action: [{ dataType: 'project', type: 'delete', tid: 'DE', meta: { itm: [key('force', 'true')] } }],
        }
        const reply = await api.post(`${cm.base}/channels/actions/perform`, { schemaVersion, actions })
        expect(reply.text).toContain('SUCCESS')
      },
      async () => {
        expect(await found('PRODUCT', field('channels', 'IS_NOT_EMPTY'))).toEqual([])
        expect(await found('CHANNEL_2_PRODUCT', undefined, {}, undefined, 'product')).toEqual([])
        expect(await found('CHANNEL')).toEqual(['SHOP'])
      },
    ))

  test('of a copy, which takes its assets along', () =>
    change(
      async () => {
        await products.perform({
          type: 'copy',
          tid: 'P1',
          meta: { itm: [key('newProductTid', 'P9'), key('newProductName', 'Copy')] },
        })
      },
      async () => {
        const copies = await found(
          'PRODUCT',
          all(field('itemType', 'EQ', 'product'), field('tid', 'NOT_IN', ['P1', 'P2'])),
        )
        expect(copies).toHaveLength(1)
        const join = { joinOn: 'products', search: { query: field('tid', 'EQ', copies[0]) } }
        expect(await found('ASSET', undefined, { join })).toEqual([assets[0]!.tid])
      },
    ))
})

test('documents/wait rejects unknown ids and does not wait for deleted documents', async () => {
  const node = '/Standard/Jackets'
  const { id } = (await products.persist(jacket('P7', { node })))[0]!
  expect((await api.post('/api/v1/search/documents/wait', { index: 'PRODUCT', documents: [999999999] })).status).toBe(
    404,
  )
  await products.perform({ type: 'delete', tid: 'P7' })
  await call('/documents/wait', { index: 'PRODUCT', documents: [id] })
  expect(await found('PRODUCT', field('tid', 'EQ', 'P7'))).toEqual([])
  const modifiedAt = Date.now() + 3_600_000
  const late = {
    index: 'PRODUCT',
    documents: [(await products.persist(jacket('P8', { node })))[0]!.id],
    modifiedAt,
    maxWait: 50,
  }
  expect((await api.post('/api/v1/search/documents/wait', late)).status).toBe(404)
})
