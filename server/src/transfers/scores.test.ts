/** Columns of exports with the completeness and quality of products in channels. */
import { cm, common } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'

const api = withServer()
const { exported, run } = transferCalls(api)
const columns = ['tid', 'completeness/shop@en_GB', 'quality/shop@en_GB', 'article:tid']

beforeAll(async () => {
  await api.startWorker()
  await createModel(api)
  const attributes = { schemaVersion, attrs: { attr: [{ nodePath: '/Standard', key: 'weight' }] } }
  await api.post('/api/core/v1/pim/attributes/persist', attributes, { token: api.adminToken })
  const article = { articles: { article: ['A1', 'A2'].map((tid) => ({ tid, name: tid })) } }
  await productCalls(api).persist(jacket('J1', { ...vals(simple('weight', '7')), ...article }), jacket('J2'), jacket('J3')) // prettier-ignore
  await callsOf(api, cm, 'channels').persist({ tid: 'shop', name: 'shop', type: 'Webshop' })
  const itm = ['J1', 'J2'].map((value) => ({ key: 'productTid', value }))
  const itms = [{ type: 'productToProject', itms: [{ itm: [...itm, { key: 'projectTid', value: 'shop' }] }] }]
  await api.post(`${common.base}/links/persist`, { schemaVersion, links: { itms } })
  await api.post(`${cm.base}/channels/requirements/persist`, { tid: 'shop', attributes: ['weight'] })
  await api.post(`${cm.base}/channels/quality/persist`, { tid: 'shop', checks: [{ check: 'mainPicture' }] })
})

test('have a number for each product in the channel, also beside its articles, and are ignored by imports', async () => {
  const table = String(await exported({ format: 'csv', columns }))
  expect(table.trim().split('\r\n').slice(1).toSorted()).toEqual(['J1,100,0,A1', 'J1,100,0,A2', 'J2,0,0,', 'J3,,,'])
  expect(await run(table)).toMatchObject({ state: 'finished', refused: 0, updated: 0 })
})

test('are empty as far as the user may not see what they are computed from', async () => {
  const grants = [{ kind: '*', actions: ['read'], visibleAttributes: { except: ['weight'] } }]
  await api.post('/api/v1/identity/roles/blind', { grants }, { method: 'PUT', token: api.adminToken })
  const token = await api.tokenFor({ name: 'blind', roles: ['blind'] })
  const order = await api.post('/api/v1/transfers/exports', { format: 'csv', columns: columns.slice(0, 2) }, { token })
  await expect.poll(async () => (await api.get(`/api/v1/transfers/${order.json.id}`, { token })).json.state, { timeout: 60_000 }).toBe('finished') // prettier-ignore
  expect((await api.get(`/api/v1/transfers/${order.json.id}/file`, { token })).text).toMatch(/J1,\r\nJ2,\r\nJ3,\r\n$/)
})
