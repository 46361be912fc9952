/** The audit log of all areas: deletions and broken locks, with the caller and the affected objects. */
import { beforeEach, expect, test } from 'vitest'
import { resourceOf, keyword, meta } from '../../../test/common.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'
import { verifyAudit } from '../../identity/audit/audit-chain.ts'

const api = withServer()
const keywords = resourceOf(api, 'keywords')
const { createPath, performDirs, performAssets, addAssets } = damCalls(api)

const eventsOf = async (action: string) =>
  (await api.get(`/api/v1/identity/audit?action=${action}`, { token: api.adminToken })).json.events ?? []
const remove = (path: string) => ({ type: 'delete', path })
let count = 0
let sea = ''
beforeEach(async () => {
  sea = `/Sea${++count}`
  await keywords.persist(keyword(sea.slice(1)), keyword('North', sea), keyword('South', sea))
})
const deleted = async () => (await eventsOf('object.delete')).length

test('a deletion is one event with its object and its caller', async () => {
  const [{ id }] = await keywords.perform(remove(`${sea}/North`))
  const [event] = await eventsOf('object.delete')
  expect(event).toMatchObject({
    actor: 'kim',
    object: `keyword ${id}`,
    outcome: 'success',
    supportId: expect.any(String),
  })
  expect(event.session).toBeTruthy()
})

test('a batch of deletions is one event with a count and a list, without refused items', async () => {
  const events = await deleted()
  const records = await keywords.perform(remove(`${sea}/North`), remove('/None'), remove(`${sea}/South`))
  const [event] = await eventsOf('object.delete')
  expect(event).toMatchObject({ object: 'keyword', detail: { count: '2' } })
  expect(JSON.parse(event.detail.of)).toEqual([String(records[0].id), String(records[2].id)])
  expect(await deleted()).toBe(events + 1)
})

test('refused items, rolled-back batches and other actions leave no event', async () => {
  const events = await deleted()
  await keywords.perform(remove('/None'))
  const atomic = resourceOf(api, 'keywords', 'json', { headers: { 'kontor-atomic': 'true' } })
  await atomic.perform(remove(`${sea}/North`), remove('/None'))
  await keywords.perform({
    type: 'copy',
    path: `${sea}/North`,
    ...meta({ destinationParentPath: '/', newName: `N${count}` }),
  })
  expect(await deleted()).toBe(events)
})

test('a bulk run leaves one event for each of its parts', async () => {
  const action = ['North', 'South'].map((name) => ({ dataType: 'keyword', ...remove(`${sea}/${name}`) }))
  const events = await deleted()
  const { text: run } = await api.post('/api/core/v1/common/keywords/bulk', {
    schemaVersion: '5.6.0',
    actions: { action },
  })
  const worker = await api.startWorker()
  await expect
    .poll(async () => (await api.get(`/api/core/v1/common/keywords/bulk/${run}`)).text, { timeout: 15_000 })
    .toContain('finished')
  await worker.stop()
  expect(await deleted()).toBe(events + 1)
  expect((await eventsOf('object.delete'))[0]).toMatchObject({ actor: 'kim', detail: { count: '2' } })
})

test('moving files to the trash and breaking a lock are recorded', async () => {
  await api.post(
    '/api/core/v1/dam/rncs/persist',
    { schemaVersion: '5.6.0', rncs: { rnc: [{ tid: 'main', name: 'Main' }] } },
    { token: api.adminToken },
  )
  await createPath('/main/Sea')
  const [asset] = await addAssets('/main/Sea', 'boat.jpg')
  await performAssets({ type: 'checkout', tid: asset!.tid })
  const actions = { action: [{ type: 'cleanCheckout', dataType: 'asset', tid: asset!.tid }] }
  await api.post('/api/core/v1/dam/assets/perform', { schemaVersion: '5.6.0', actions }, { token: api.adminToken })
  expect((await eventsOf('checkout.break'))[0]).toMatchObject({ actor: 'ada', object: `asset ${asset!.id}` })
  await performDirs({ type: 'delete', path: '/main/Sea' })
  expect((await eventsOf('object.delete'))[0]).toMatchObject({
    actor: 'kim',
    object: expect.stringMatching(/^dir \d+$/),
  })
})

test('changes that only administrators can make are recorded, with the plain fields of the request only', async () => {
  const body = { index: 'PRODUCT', command: 'STATE' }
  expect((await api.post('/api/v1/search/index', body, { token: api.adminToken })).status).toBe(200)
  expect((await eventsOf('admin.commandIndex'))[0]).toMatchObject({ actor: 'ada', detail: body })
  expect((await api.post('/api/v1/search/index', { ...body, command: 'BURN' }, { token: api.adminToken })).status).toBe(
    400,
  )
  expect((await api.post('/api/v1/search/index', body)).status).toBe(403)
  expect(await eventsOf('admin.commandIndex')).toHaveLength(1)
  expect((await eventsOf('admin.persistRncs'))[0]).toMatchObject({ actor: 'ada', outcome: 'success' })
})

test('the hash chain is intact after all that', async () => {
  expect(await verifyAudit(api.db)).not.toHaveProperty('fault')
})
