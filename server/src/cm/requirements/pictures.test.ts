/** Pictures that a channel requires: readiness, inheritance, usage rights, rights of readers, and the search index. */
import { cm } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { callsOf } from '../../../test/channels.ts'
import { statementsOf } from '../../../test/common.ts'
import { dam, makeDirs, picture, upload } from '../../../test/files.ts'
import { searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { turnJob } from '../../dam/usage/turns.ts'

const api = withServer()
type Options = { token?: string }
const post = (path: string, body: object, options?: Options) => api.post(`${cm.base}/${path}`, body, options)
const persist = (change: object) => post('channels/requirements/persist', change)
const requirementOf = async (tid: string) =>
  (await post('channels/requirements/retrieve', { tids: [tid] })).json.channels[0]
const english = async (tid: string, options?: Options) =>
  (await post('readiness/retrieve', { tids: [tid], locales: ['en_GB'] }, options)).json.objects[0].locales[0]
const lacking = async (tid: string, options?: Options) =>
  (await english(tid, options)).missingValues.map(
    ({ tid: product, attr, picture }: Record<string, string>) => `${product} ${attr ?? `picture ${picture}`}`,
  )
const link = (kind: string, type: string, ends: Record<string, string>) =>
  api.post('/api/core/v1/common/links/persist', {
    schemaVersion,
    links: { itms: [{ type: kind, itms: [{ type, itm: Object.entries(ends).map(([key, value]) => ({ key, value })) }] }] }, // prettier-ignore
  })
const attach = async (assetTid: string, productTid: string, role: string) =>
  expect((await link('assetToProduct', role, { assetTid, productTid })).text).not.toContain('ERROR')
const store = async (tid: string, dirPath: string, content?: string) => {
  const path = `${dirPath}/${tid}.${content === undefined ? 'jpg' : 'txt'}`
  const reply = await upload(api, { tid, path }, content ?? (await picture(40, 30)))
  expect(reply.status, reply.text).toBe(200)
}
async function tokenWith(role: string, grants: object[]): Promise<string> {
  await api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })
  return api.tokenFor({ name: role, roles: [role] })
}

beforeAll(async () => {
  await createModel(api)
  await makeDirs(api, '/MAM/Open', '/MAM/Closed')
  await productCalls(api).persist(jacket('J1', vals(simple('weight', '7'))), jacket('J2'))
  const channel = (tid: string, parentTid?: string) => ({ tid, name: tid, type: 'Webshop', ...(parentTid && { parentTid }) }) // prettier-ignore
  await callsOf(api, cm, 'channels').persist(channel('shop'), channel('sale', 'shop'))
  for (const productTid of ['J1', 'J2']) await link('productToProject', '', { productTid, projectTid: 'sale' })
  await store('front', '/MAM/Open')
  await store('back', '/MAM/Closed')
})

test('a channel requires pictures by role and number, and hands them down', async () => {
  const pictures = [{ role: 'Main', count: 1 }, { count: 2 }] // prettier-ignore
  expect((await persist({ tid: 'shop', attributes: ['weight'], pictures })).status).toBe(200)
  expect((await requirementOf('shop')).pictures).toEqual(expect.arrayContaining(pictures))
  expect((await requirementOf('sale')).inheritedPictures).toHaveLength(2)
  expect(await english('sale')).toMatchObject({ required: 4, missing: 4 })
  expect(await lacking('sale')).toEqual(expect.arrayContaining(['J1 picture Main', 'J1 picture *', 'J2 picture Main', 'J2 picture *'])) // prettier-ignore
  expect((await english('sale')).missingAttributes).toEqual(
    expect.arrayContaining([{ picture: 'Main', missing: 2 }, { picture: '*', missing: 2 }]), // prettier-ignore
  )
  await attach('front', 'J1', 'Main')
  expect(await lacking('sale')).toEqual(expect.arrayContaining(['J1 picture *', 'J2 picture Main']))
  await attach('back', 'J1', 'Back')
  expect(await english('sale')).toMatchObject({ missing: 2, complete: 1 })
  await persist({ tid: 'sale', pictures: [{ role: 'Back' }] })
  expect(await lacking('sale')).toEqual(['J2 picture Back'])
  await persist({ tid: 'sale' })
  await persist({ tid: 'shop' })
  expect(await requirementOf('shop')).not.toHaveProperty('pictures')
})

test('only pictures count, and not one that is expired or not yet valid; the check of quality judges the same', async () => {
  const restrict = (usageRights: object) =>
    api.post(`${dam}/assets/persist`, { schemaVersion, assets: { asset: [{ tid: 'front', usageRights }] } })
  const failing = async () => {
    const reply = await post('quality/retrieve', { productTids: ['J1', 'J2'], channelTids: ['sale'], locales: ['en_GB'] }) // prettier-ignore
    return reply.json.products.flatMap(({ tid, places }: any) =>
      places[0].locales[0].checks.some(({ passed }: { passed: boolean }) => !passed) ? [`${tid} picture Main`] : [],
    )
  }
  const expectLacking = async (...expected: string[]) => {
    expect(await lacking('sale')).toEqual(expected)
    expect(await failing()).toEqual(expected)
  }
  await persist({ tid: 'shop', attributes: ['weight'], pictures: [{ role: 'Main' }] })
  await post('channels/quality/persist', { tid: 'shop', checks: [{ check: 'mainPicture', role: 'Main' }] })
  await store('sheet', '/MAM/Open', 'a data sheet')
  await attach('sheet', 'J2', 'Main')
  await expectLacking('J2 picture Main')
  await restrict({ validUntil: '2020-01-31T00:00:00.000Z' })
  await expectLacking('J1 picture Main', 'J2 picture Main')
  await restrict({ embargoUntil: '2099-12-31T00:00:00.000Z' })
  await expectLacking('J1 picture Main', 'J2 picture Main')
  await restrict({})
  await expectLacking('J2 picture Main')
  await persist({ tid: 'shop' })
  await post('channels/quality/persist', { tid: 'shop' })
})

test('files that the reader may not read do not count, and nothing is required of those who may read none', async () => {
  await persist({ tid: 'shop', attributes: ['weight'], pictures: [{ role: 'Back' }] })
  const objects = ['project', 'peo', 'product'].map((kind) => ({ kind, actions: ['read'] }))
  const open = { kind: 'asset', actions: ['read'], scopes: { dir: ['/MAM/Open'] } }
  const narrow = await tokenWith('open-files', [...objects, open])
  const blind = await tokenWith('no-files', objects)
  expect(await lacking('sale')).toEqual(['J2 picture Back'])
  expect(await lacking('sale', { token: narrow })).toEqual(['J1 picture Back', 'J2 picture Back'])
  expect(await english('sale', { token: blind })).toMatchObject({ required: 0, missing: 0 })
  const history = async (token: string) => (await post('readiness/history', { tids: ['shop'] }, { token })).json
  expect(await history(blind)).toEqual({ isRestricted: true })
  await persist({ tid: 'shop' })
  expect(await history(blind)).not.toEqual({ isRestricted: true })
})

test.each([
  ['a role twice', [{ role: 'Main' }, { role: 'Main', count: 2 }], 'the role Main is named twice'],
  ['a number of none', [{ role: 'Main', count: 0 }], 'count: 0 is out of range'],
  ['a very long role', [{ role: 'x'.repeat(256) }], 'at most 255'],
])('%s is refused', async (_, pictures, reason) => {
  const reply = await persist({ tid: 'shop', pictures })
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)])
})

test('two people who change what a channel requires: one of the two holds', async () => {
  const changes = ['Front', 'Back', 'Scene', 'Detail'].map((role) => ({ tid: 'shop', pictures: [{ role, count: 1 }] }))
  for (let round = 0; round < 20; round++) {
    await Promise.all(changes.map(persist))
    expect(changes.map(({ pictures }) => pictures)).toContainEqual((await requirementOf('shop')).pictures)
  }
  await persist({ tid: 'shop' })
})

test('the number of statements does not depend on the number of products', async () => {
  await persist({ tid: 'shop', pictures: [{ role: 'Main' }] })
  const ask = (onlyProducts: string[]) => () => post('readiness/retrieve', { tids: ['sale'], onlyProducts })
  const one = await statementsOf(api, ask(['J1']))
  expect(await statementsOf(api, ask(['J1', 'J2']))).toBe(one)
  await persist({ tid: 'shop' })
})

test('the completeness of a place in the search index follows pictures and requirements', async () => {
  const { found, rebuild } = searchCalls(api)
  await persist({ tid: 'shop', locales: ['en_GB'], attributes: ['weight'], pictures: [{ role: 'Main' }] })
  await rebuild('CHANNEL_2_PRODUCT')
  const complete = { queryType: 'FIELD', name: 'completeness', comparator: 'EQ', value: 100 }
  const products = () => found('CHANNEL_2_PRODUCT', complete, { language: 'en_GB' }, undefined, 'product')
  await expect.poll(products, { timeout: 30_000 }).toEqual(['J1'])
  await attach('front', 'J2', 'Main')
  await expect.poll(async () => (await products()).toSorted(), { timeout: 30_000 }).toEqual(['J1', 'J2'])
  await api.post(`${dam}/assets/persist`, {
    schemaVersion,
    assets: { asset: [{ tid: 'front', usageRights: { validUntil: '2020-01-31T00:00:00.000Z' } }] },
  })
  await expect.poll(products, { timeout: 30_000 }).toEqual([])

  const sweep = () => api.app.jobs[turnJob]!({} as never, new AbortController().signal)
  const recorded = async () =>
    (await api.db.rows(sql`select from history where data_type = 'asset' and action = 'usagePeriod'`)).length
  await api.db.run(sql`
    update asset_usage set valid_until = null, embargo_until = now() - interval '1 minute', turned_at = now() - interval '2 minutes'`)
  await Promise.all([sweep(), sweep()])
  await expect.poll(async () => (await products()).toSorted(), { timeout: 30_000 }).toEqual(['J1', 'J2'])
  expect(await recorded()).toBe(1)
  await api.db.run(
    sql`update asset_usage set valid_until = now() - interval '1 minute', turned_at = now() - interval '2 minutes'`,
  )
  await sweep()
  await expect.poll(products, { timeout: 30_000 }).toEqual([])
  await sweep()
  expect(await recorded(), 'each time is recorded once').toBe(2)
  await persist({ tid: 'shop' })
})
