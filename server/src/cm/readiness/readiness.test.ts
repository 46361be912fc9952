import { cm, peo } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { addProducts, callsOf, text, values } from '../../../test/channels.ts'
import { meta, statementsOf, statuses } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { createProducts } from '../../areas.ts'
import type { ProductViews } from '../../pim/api.ts'
import { ofChannels } from './subjects.ts'

const api = withServer()
const peos = callsOf(api, peo, 'peos')
const locales = ['en_GB', 'de_DE']
const readiness = (request: object) => api.post(`${cm.base}/readiness/retrieve`, request)
const ofChannel = async (tid: string, more: object = {}) =>
  (await readiness({ tids: [tid], locales, ...more })).json.objects[0].locales
const extension = (tid: string, productTid: string, channel: string, more: object = {}) => ({
  tid,
  name: tid,
  productTid,
  templateTid: 'Shop',
  nodes: { node: [{ tid: channel }] },
  ...more,
})

beforeAll(async () => {
  const definition = (tid: string, localized: boolean) => ({
    tid,
    type: 'text',
    localized: String(localized),
    name: { itm: [{ value: tid, loc: 'en_GB' }] },
  })
  const attrDefs = { attrDef: [definition('LABEL', true), definition('PRICE', false), definition('WEIGHT', false)] }
  const options = { token: api.adminToken }
  await api.post('/api/core/v1/pim/attribute-definitions/persist', { schemaVersion: '5.6.0', attrDefs }, options)
  await addProducts(api, { full: { LABEL: { en_GB: 'Boat', de_DE: 'Boot' }, PRICE: '1', WEIGHT: '2' }, bare: {} })
  await api.db.run(sql`
    insert into node_attribute (node_id, attr_def_id, restriction, created_by, modified_by)
    select n.id, d.id, 'required', 'kim', 'kim' from node n, attr_def d where d.tid = 'WEIGHT'`)
  const shop = meta({ 'attribute.LABEL': 'overridden,required', 'attribute.PRICE': 'overridden,required' })
  await callsOf(api, peo, 'admin/templates', 'json', options).persist({ tid: 'Shop', name: 'Shop', ...shop })
  const channel = (tid: string, parentTid?: string) => ({ tid, name: tid, type: 'Webshop', parentTid })
  await callsOf(api, cm, 'channels').persist(
    channel('shop'),
    channel('sale', 'shop'),
    channel('idle'),
    channel('linked'),
    channel('large'),
  )
  const records = await peos.persist(
    extension('ready', 'full', 'shop'),
    extension('half', 'bare', 'sale', values(text('LABEL', 'Boot', 'de_DE'))),
  )
  expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS'])
})

test('counts and lists the values that templates require and that are missing, by locale', async () => {
  const missing = (attr: string) => ({ dataType: 'peo', tid: 'half', productTid: 'bare', attr })
  const byAttribute = (...attrs: string[]) => attrs.toSorted().map((attr) => ({ attr, missing: 1 }))
  expect(await ofChannel('shop')).toEqual([
    {
      locale: 'en_GB',
      required: 4,
      missing: 2,
      percent: 50,
      complete: 1,
      missingAttributes: byAttribute('PRICE', 'LABEL'),
      missingValues: [missing('PRICE'), missing('LABEL')],
    },
    {
      locale: 'de_DE',
      required: 4,
      missing: 1,
      percent: 75,
      complete: 1,
      missingAttributes: byAttribute('PRICE'),
      missingValues: [missing('PRICE')],
    },
  ])
  const [english] = await ofChannel('shop', { onlyAttributes: ['LABEL'] })
  expect(english).toMatchObject({ missing: 2, missingValues: [missing('LABEL')] })
})

test('channels below count by default; a channel without objects has no percentage', async () => {
  expect(await ofChannel('shop', { withChildren: false })).toMatchObject([{ percent: 100 }, { percent: 100 }])
  expect(await ofChannel('sale')).toMatchObject([{ required: 2, missing: 2 }, { required: 2, missing: 1 }]) // prettier-ignore
  const { products, locales: idle } = (await readiness({ tids: ['idle'], locales: ['en_GB'] })).json.objects[0]
  expect(products).toBe(0)
  expect(idle).toEqual([{ locale: 'en_GB', required: 0, missing: 0, complete: 0 }])
})

test('a channel can be judged by some of its products', async () => {
  const counted = async (...onlyProducts: string[]) =>
    (await ofChannel('shop', { onlyProducts, locales: ['de_DE'] }))[0]
  expect(await counted('full')).toMatchObject({ required: 2, missing: 0, percent: 100 })
  expect(await counted('bare')).toMatchObject({ required: 2, missing: 1, percent: 50 })
  expect(await counted('full', 'bare', 'unknown')).toMatchObject({ required: 4, missing: 1 })
})

test('is computed again after every change', async () => {
  await peos.persist({ tid: 'half', ...values(text('PRICE', '9')) })
  expect(await ofChannel('sale', { locales: ['de_DE'] })).toMatchObject([{ missing: 0, percent: 100 }])
})

test('products are checked against their nodes, in linked channels and without channels', async () => {
  const itm = [{ key: 'productTid', value: 'bare' }, { key: 'projectTid', value: 'linked' }] // prettier-ignore
  const links = { itms: [{ type: 'productToProject', itms: [{ itm }] }] }
  await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links })
  const lacking = { dataType: 'product', tid: 'bare', productTid: 'bare', attr: 'WEIGHT' }
  expect(await ofChannel('linked', { locales: ['en_GB'] })).toMatchObject([
    { locale: 'en_GB', required: 1, missing: 1, percent: 0, missingValues: [lacking] },
  ])
  const { objects } = (await readiness({ productTids: ['full', 'bare'], locales: ['en_GB'] })).json
  expect(objects).toMatchObject([
    { dataType: 'product', tid: 'full', locales: [{ percent: 100 }] },
    { dataType: 'product', tid: 'bare', locales: [{ percent: 0, missingValues: [lacking] }] },
  ])
})

test('a product has the same completeness in its page as in the channel, linked or extended only', async () => {
  for (const channel of ['sale', 'linked']) {
    const request = { productTids: ['bare'], channelTids: [channel], locales }
    const { products } = (await api.post(`${cm.base}/quality/retrieve`, request)).json
    const percents = (await ofChannel(channel)).map(({ percent }: { percent: number }) => percent)
    const complete = products[0].places[0].locales.map(({ completeness }: { completeness: number }) => completeness)
    expect(complete).toEqual(percents)
    expect(percents).toHaveLength(2)
  }
})

test('all content locales are returned by default; unknown locales and objects are refused', async () => {
  expect((await readiness({ tids: ['shop'] })).json.objects[0].locales.length).toBeGreaterThan(10)
  expect((await readiness({})).status).toBe(400)
  expect((await readiness({ tids: ['shop'], locales: ['english'] })).status).toBe(400)
  expect((await readiness({ tids: ['nobody'] })).status).toBe(404)
  expect((await readiness({ productTids: ['nobody'] })).status).toBe(404)
})

test('costs the same number of statements for a few objects and for a thousand', async () => {
  const large = Array.from({ length: 1000 }, (_, i) => extension(`large-${i}`, 'bare', 'large'))
  await peos.persist(...large)
  const few = await statementsOf(api, () => ofChannel('shop'))
  expect(await statementsOf(api, () => ofChannel('large'))).toBe(few)
  expect(await ofChannel('large', { locales: ['en_GB'] })).toMatchObject([{ required: 2000, missing: 2000 }])
})

test('a large channel is judged in parts, so that the values of all products are not in memory at once', async () => {
  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`many-${i}`, i % 2 ? { WEIGHT: '1' } : {}]))
  await addProducts(api, many)
  await callsOf(api, cm, 'channels').persist({ tid: 'full', name: 'full', type: 'Webshop' })
  await api.db.run(sql`
    insert into link (kind, from_id, to_id, created_by)
    select 'productToProject', p.id, c.id, 'kim' from product p, project c where p.tid like 'many-%' and c.tid = 'full'`)
  const parts: number[] = []
  const views: ProductViews = (ctx, ids, tids) => {
    parts.push(ids.length)
    return createProducts({ nodeAttributes: false }).productViews(ctx, ids, tids)
  }
  const caller = { userId: '', userName: 'kim', roles: new Set<string>(), permissions: [{ kind: '*', actions: ['read'] }] } // prettier-ignore
  const [subject] = await ofChannels({ db: api.db, caller }, views, { tids: ['full'] })
  expect(subject!.judged).toHaveLength(1200)
  expect(Math.max(...parts)).toBeLessThanOrEqual(1000)
  expect(await ofChannel('full', { locales: ['en_GB'] })).toMatchObject([{ required: 1200, missing: 600 }])
})

test('numbersOnly returns only counts for products, articles and variations, by id or tid', async () => {
  const tids = await api.db.rows<{ id: number }>(sql`select id from product where tid in ('full', 'bare') order by tid`)
  const productIds = tids.map(({ id }) => id)
  const { objects } = (await readiness({ productIds, locales, numbersOnly: true })).json
  const of = (percent: number) =>
    locales.map((locale) => ({ locale, required: 1, missing: percent === 100 ? 0 : 1, percent }))
  expect(objects).toMatchObject([{ tid: 'full', locales: of(100) }, { tid: 'bare', locales: of(0) }]) // prettier-ignore
  expect(JSON.stringify(objects)).not.toContain('missingValues')
})

test('an attribute that is hidden from the caller neither counts nor is named', async () => {
  const grants = [{ kind: '*', actions: ['read'], visibleAttributes: { except: ['LABEL'] } }]
  await api.post('/api/v1/identity/roles/reviewer', { grants }, { method: 'PUT', token: api.adminToken })
  const token = await api.tokenFor({ roles: ['reviewer'] })
  const reply = await api.post(`${cm.base}/readiness/retrieve`, { tids: ['large'], locales: ['en_GB'] }, { token })
  const [seen] = reply.json.objects[0].locales
  expect((await ofChannel('large', { locales: ['en_GB'] }))[0]).toMatchObject({ required: 2000 })
  expect(seen).toMatchObject({ required: 1000, missing: 1000 })
  expect(reply.text).not.toContain('LABEL')
})

test('extension objects and their attributes count and are named only as far as the caller may read them', async () => {
  const read = (kind: string, more: object = {}) => ({ kind, actions: ['read'], ...more })
  const seenBy = async (role: string, peoGrant: object) => {
    const grants = [read('product'), read('project'), read('peo', peoGrant)]
    await api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ roles: [role] })
    return api.post(`${cm.base}/readiness/retrieve`, { tids: ['large'], locales: ['en_GB'] }, { token })
  }
  const outside = await seenBy('outside', { scopes: { channel: ['/idle'] } })
  expect(outside.json.objects[0].locales).toMatchObject([{ required: 0, missing: 0 }])
  expect(outside.text).not.toContain('large-')
  const inside = await seenBy('inside', { visibleAttributes: { except: ['PRICE'] } })
  expect(inside.json.objects[0].locales).toMatchObject([{ required: 1000, missing: 1000 }])
  expect(inside.text).toContain('LABEL')
  expect(inside.text).not.toContain('PRICE')
})

test('values count only in locales in which the caller may see them, on products and on extension objects', async () => {
  const read = (kind: string, more: object = {}) => ({ kind, actions: ['read'], ...more })
  const onlyEnglish = { visibleLocales: { only: ['en_GB'] } }
  const seenBy = async (role: string, grants: object[]) => {
    await api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ roles: [role] })
    const request = { tids: ['shop'], productTids: ['full'], locales }
    const { objects } = (await api.post(`${cm.base}/readiness/retrieve`, request, { token })).json
    return objects.map((one: { locales: object[] }) => one.locales)
  }
  const all = await seenBy('everything', [read('product'), read('project'), read('peo')])
  const none = { required: 0, missing: 0 }
  const [shop, full] = await seenBy('english-objects', [read('product'), read('project'), read('peo', onlyEnglish)])
  expect([shop[0], full]).toEqual([all[0][0], all[1]])
  expect(shop[1]).toMatchObject(none)
  const [english, german] = (await seenBy('english-products', [read('product', onlyEnglish), read('project'), read('peo')]))[1] // prettier-ignore
  expect(english).toEqual(all[1][0])
  expect(german).toMatchObject(none)
})
