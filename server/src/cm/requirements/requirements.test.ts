import { cm } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { callsOf } from '../../../test/channels.ts'
import { statementsOf } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { createProducts } from '../../areas.ts'
import { recordReadiness } from '../readiness/history.ts'

const api = withServer()
type Options = { token?: string }
const post = (path: string, body: object, options?: Options) => api.post(`${cm.base}/${path}`, body, options)
const persist = (change: object, options?: Options) => post('channels/requirements/persist', change, options)
const requirementOf = async (tid: string, options?: Options) =>
  (await post('channels/requirements/retrieve', { tids: [tid] }, options)).json.channels[0]
const readiness = async (tid: string, more: object = {}, options?: Options) =>
  (await post('readiness/retrieve', { tids: [tid], ...more }, options)).json.objects[0]
const localesOf = ({ locales }: { locales: { locale: string }[] }) => locales.map(({ locale }) => locale)

const grant = (more: object) => [
  { kind: 'project', actions: ['read'] },
  { kind: 'peo', actions: ['read'] },
  { kind: 'product', actions: ['read'], ...more },
]
async function tokenWith(role: string, grants: object[]): Promise<string> {
  await api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })
  return api.tokenFor({ name: role, roles: [role] })
}

beforeAll(async () => {
  await createModel(api)
  const attr = [{ nodePath: '/Standard', key: 'weight' }, { nodePath: '/Standard/Jackets', key: 'caption' }] // prettier-ignore
  const attributes = { schemaVersion: '5.6.0', attrs: { attr } }
  await api.post('/api/core/v1/pim/attributes/persist', attributes, { token: api.adminToken })
  const made = await productCalls(api).persist(
    jacket('J1', vals(simple('weight', '7'))),
    jacket('J2'),
    jacket('B1', { node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }),
  )
  expect(made.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  const channel = (tid: string, parentTid?: string) => ({ tid, name: tid, type: 'Webshop', ...(parentTid && { parentTid }) }) // prettier-ignore
  await callsOf(api, cm, 'channels').persist(channel('shop'), channel('de', 'shop'), channel('sale', 'de'))
  const link = (productTid: string, projectTid: string) => ({
    itm: [{ key: 'productTid', value: productTid }, { key: 'projectTid', value: projectTid }], // prettier-ignore
  })
  const links = {
    itms: [{ type: 'productToProject', itms: [link('J1', 'de'), link('J2', 'sale'), link('J1', 'sale'), link('B1', 'sale')] }], // prettier-ignore
  }
  const reply = await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links })
  expect(reply.text).not.toContain('ERROR')
})

test('a channel counts only the locales and attributes that it requires, and hands them down', async () => {
  expect((await readiness('sale')).locales.length).toBeGreaterThan(10)
  expect((await persist({ tid: 'shop', locales: ['en_GB', 'de_DE'], attributes: ['weight', 'caption'] })).status).toBe(
    200,
  )
  expect(await requirementOf('shop')).toMatchObject({ locales: ['en_GB', 'de_DE'], attributes: ['weight', 'caption'] })
  expect(await requirementOf('sale')).toMatchObject({
    inheritedLocales: ['en_GB', 'de_DE'],
    inheritedAttributes: ['weight', 'caption'],
  })
  const before = await readiness('sale')
  expect(localesOf(before)).toEqual(['en_GB', 'de_DE'])
  expect(before.products).toBe(3)
  // the boot has no caption, because its category has none; its code, which is mandatory there, does not count
  expect(before.locales[0]).toMatchObject({ required: 5, missing: 4, percent: 20, complete: 0 })
  expect(before.locales[0].missingAttributes).toEqual([{ attr: 'caption', missing: 2 }, { attr: 'weight', missing: 2 }]) // prettier-ignore

  await persist({ tid: 'sale', locales: ['de_DE'] })
  expect(localesOf(await readiness('sale'))).toEqual(['de_DE'])
  const shop = await readiness('shop')
  expect(localesOf(shop), 'of all channels below').toEqual(['en_GB', 'de_DE'])
  const requiredIn = (locale: string) => shop.locales.find((one: { locale: string }) => one.locale === locale).required
  expect(requiredIn('en_GB'), 'the places in the sale do not count in English').toBeLessThan(requiredIn('de_DE'))
  const [english] = (await readiness('sale', { locales: ['en_GB'] })).locales
  expect(english).toMatchObject({ required: 0, missing: 0 })
  expect(english.percent).toBeUndefined()

  await persist({ tid: 'sale' })
  await persist({ tid: 'shop' })
  expect(await requirementOf('sale')).toEqual({ id: expect.anything(), tid: 'sale' })
})

test('an unknown locale, attribute or channel is refused, and so is a caller who may not change the channel', async () => {
  expect((await persist({ tid: 'shop', locales: ['xx_XX'] })).status).toBe(400)
  expect((await persist({ tid: 'shop', attributes: ['nothing'] })).text).toContain('no attribute has the tid nothing')
  expect((await persist({ tid: 'nobody', locales: ['en_GB'] })).status).toBe(404)
  expect((await post('channels/requirements/retrieve', { tids: ['nobody'] })).status).toBe(404)
  const token = await tokenWith('onlooker', grant({}))
  expect((await persist({ tid: 'shop', locales: ['en_GB'] }, { token })).status).toBeGreaterThanOrEqual(401)
})

test('an attribute that is hidden from the caller is neither named nor removed', async () => {
  await persist({ tid: 'shop', attributes: ['weight', 'caption'] })
  const token = await tokenWith('blind', [
    { kind: '*', actions: ['read', 'update'], visibleAttributes: { except: ['weight'] } },
  ])
  expect((await requirementOf('shop', { token })).attributes).toEqual(['caption'])
  expect((await requirementOf('sale', { token })).inheritedAttributes).toEqual(['caption'])
  expect((await persist({ tid: 'shop', attributes: ['weight'] }, { token })).status).toBe(400)
  expect((await persist({ tid: 'shop', locales: ['de_DE'], attributes: ['caption'] }, { token })).status).toBe(200)
  expect((await requirementOf('shop')).attributes).toEqual(['caption', 'weight'])
  await persist({ tid: 'shop' })
})

test('a reader of one category counts only its products', async () => {
  const token = await tokenWith('boots', grant({ scopes: { node: ['/Standard/Boots'] } }))
  const counts = async (options?: Options) =>
    (await post('channels/products/count', { tids: ['shop', 'de', 'sale'] }, options)).json.channels.map(
      ({ tid, own = 0, total = 0 }: Record<string, unknown>) => [tid, own, total],
    )
  expect((await counts()).toSorted()).toEqual([['de', 1, 3], ['sale', 3, 3], ['shop', 0, 3]]) // prettier-ignore
  expect((await counts({ token })).toSorted()).toEqual([['de', 0, 1], ['sale', 1, 1], ['shop', 0, 1]]) // prettier-ignore
  expect((await readiness('shop', {}, { token })).products).toBe(1)
  expect((await post('channels/products/count', { tids: ['nobody'] })).status).toBe(404)
})

test('counting costs the same number of statements for one channel and for three', async () => {
  const one = await statementsOf(api, () => post('channels/products/count', { tids: ['shop'] }))
  expect(await statementsOf(api, () => post('channels/products/count', { tids: ['shop', 'de', 'sale'] }))).toBe(one)
})

test('the readiness of each day is recorded once, and returned only to those who may read everything', async () => {
  const views = createProducts({ nodeAttributes: false }).productViews
  await persist({ tid: 'shop', locales: ['en_GB', 'de_DE'] })
  await recordReadiness(api.db, views)
  await recordReadiness(api.db, views)
  await api.db.run(sql`
    insert into readiness_day (project_id, locale, day, required, missing)
    select id, 'en_GB', (now() at time zone 'utc')::date - n, 10, n from project, generate_series(1, 3) as n where tid = 'shop'
    union all select id, 'en_GB', (now() at time zone 'utc')::date - 500, 1, 1 from project where tid = 'shop'`)
  const history = async (more: object = {}, options?: Options) =>
    (await post('readiness/history', { tids: ['shop'], ...more }, options)).json
  const [{ days }] = (await history()).channels
  expect(days.map(({ locale, percent }: { locale: string; percent: number }) => [locale, percent]).slice(0, 3)).toEqual([['en_GB', 70], ['en_GB', 80], ['en_GB', 90]]) // prettier-ignore
  const live = await readiness('shop')
  for (const { locale, required, missing } of live.locales)
    expect(days).toContainEqual(expect.objectContaining({ locale, required, missing }))
  expect((await history({ count: 2, locales: ['en_GB'] })).channels[0].days).toHaveLength(2)
  expect((await post('readiness/history', { tids: ['shop'], count: 1000 })).status).toBe(400)
  expect((await post('readiness/history', { tids: ['shop'], locales: ['english'] })).status).toBe(400)
  expect((await post('readiness/history', { tids: ['nobody'] })).status).toBe(404)
  await recordReadiness(api.db, views)
  expect(await api.db.rows(sql`select from readiness_day where required = 1 and missing = 1 and day < now() - interval '450 days'`)).toEqual([]) // prettier-ignore

  for (const [role, more] of Object.entries({
    'of-boots': { scopes: { node: ['/Standard/Boots'] } },
    'of-some': { visibleAttributes: { except: ['weight'] } },
  }))
    expect(await history({}, { token: await tokenWith(role, grant(more)) })).toEqual({ isRestricted: true })
  const onlyGerman = { visibleLocales: { only: ['de_DE'] } }
  const read = (kind: string, more: object = {}) => ({ kind, actions: ['read'], ...more })
  const others = [read('project'), read('asset')]
  for (const [role, grants] of Object.entries({
    german: grant(onlyGerman),
    'german-extensions': [read('product'), read('peo', onlyGerman), ...others],
    'german-products': [read('product', onlyGerman), read('peo'), ...others],
    'english-boots': [...grant(onlyGerman), read('product', { scopes: { node: ['/Standard/Boots'] } })],
  })) {
    const seen = (await history({}, { token: await tokenWith(role, grants) })).channels[0].days
    expect(new Set(seen.map(({ locale }: { locale: string }) => locale)), role).toEqual(new Set(['de_DE']))
  }
  await persist({ tid: 'shop' })
})

test('an attribute that is deleted, or a language that is no longer used, leaves the requirements and checks', async () => {
  const admin = { token: api.adminToken }
  const pim = '/api/core/v1/pim/attribute-definitions'
  const attrDef = ['stays', 'goes'].map((tid) => ({ tid, type: 'text', name: { itm: [{ value: tid, loc: 'en_GB' }] } }))
  await api.post(`${pim}/persist`, { schemaVersion: '5.6.0', attrDefs: { attrDef } }, admin)
  const checks = [{ check: 'length', attr: 'goes', max: 9 }, { check: 'similarName' }]
  await persist({ tid: 'shop', locales: ['en_GB', 'pl_PL'], attributes: ['goes', 'stays'] })
  await post('channels/quality/persist', { tid: 'shop', checks })
  await persist({ tid: 'de', locales: ['pl_PL'], attributes: ['goes'] })
  const action = [{ type: 'delete', dataType: 'attrDefinition', tid: 'goes' }]
  await api.post(`${pim}/perform`, { schemaVersion: '5.6.0', actions: { action } }, admin)
  await api.post('/api/core/v1/common/locales/pl_PL', { content: false }, { method: 'PUT', ...admin })

  const { locales, attributes } = await requirementOf('shop')
  expect([locales, attributes]).toEqual([['en_GB'], ['stays']])
  expect((await persist({ tid: 'shop', locales, attributes })).status).toBe(200)
  const [quality] = (await post('channels/quality/retrieve', { tids: ['shop'] })).json.channels
  expect(quality.checks).toEqual([{ check: 'similarName', weight: 1 }])
  const below = await requirementOf('de')
  expect(below).toEqual({ id: below.id, tid: 'de', inheritedLocales: ['en_GB'], inheritedAttributes: ['stays'] })
  await api.post('/api/core/v1/common/locales/pl_PL', { content: true }, { method: 'PUT', ...admin })
  await persist({ tid: 'shop' })
  await persist({ tid: 'de' })
  await post('channels/quality/persist', { tid: 'shop' })
})
