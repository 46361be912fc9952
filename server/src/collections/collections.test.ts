/** Collections: by hand and by a search, in three formats, with readers, rights, races and downloads. */
import { beforeAll, expect, test } from 'vitest'
import { readEvents } from '../../test/events.ts'
import { dam, makeDirs, picture, recordOf, upload } from '../../test/files.ts'
import { field, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'

const api = withServer()
const { found } = searchCalls(api)
const at = '/api/v1/collections'
const put = (id: number, body: object, token = api.token) => api.post(`${at}/${id}`, body, { method: 'PUT', token })
const change = (id: number, body: object, token = api.token) => api.post(`${at}/${id}/assets`, body, { token })
const tidsOf = async (id: number, token = api.token, query = '') =>
  (await api.get(`${at}/${id}/assets${query}`, { token })).json.assets?.map(({ tid }: { tid: string }) => tid) ?? []
const create = async (body: object, token = api.token) => {
  const reply = await api.post(at, body, { token })
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const someone = (name: string, roles: string[]) => api.tokenFor({ name, roles })
let jpeg: Buffer
const store = async (...tids: string[]) => {
  for (const tid of tids)
    expect(recordOf(await upload(api, { path: `/MAM/boats/${tid}.jpg`, tid }, jpeg)).status).toBe('SUCCESS')
}
let narrow: string
beforeAll(async () => {
  jpeg = await picture(60, 40)
  await makeDirs(api, '/MAM/boats', '/MAM/secret')
  await store('a', 'b', 'c', 'd')
  await upload(api, { path: '/MAM/secret/hidden.jpg', tid: 'hidden' }, jpeg)
  const grants = [{ kind: '*', actions: ['read'], scopes: { dir: ['/MAM/boats'] } }]
  await api.post('/api/v1/identity/roles/boats', { grants }, { method: 'PUT', token: api.adminToken })
  narrow = await someone('nina', ['boats'])
})

test('assets are added, moved and removed in an order, and a page follows the other', async () => {
  const { id, ...made } = await create({ name: 'Autumn', description: 'For the catalogue' })
  expect(made).toMatchObject({ name: 'Autumn', owner: 'kim', isOwn: true, isSearch: false, count: 0 })
  expect((await change(id, { add: ['a', 'b', 'c'] })).json.count).toBe(3)
  expect((await change(id, { move: ['c'], before: 'a' })).status).toBe(200)
  expect(await tidsOf(id)).toEqual(['c', 'a', 'b'])
  await change(id, { remove: ['a'], add: ['d', 'b'], move: ['b', 'c'] })
  expect(await tidsOf(id)).toEqual(['d', 'b', 'c'])
  const first = await api.get(`${at}/${id}/assets?count=2`)
  expect(await tidsOf(id, api.token, `?count=2&after=${first.headers['kontor-next']}`)).toEqual(['c'])
  expect((await put(id, { name: 'Winter' })).json).toMatchObject({ name: 'Winter', count: 3 })
  expect((await api.get(at)).json.collections).toMatchObject([{ name: 'Winter', count: 3 }])
  expect((await api.post(`${at}/${id}`, undefined, { method: 'DELETE' })).status).toBe(200)
  expect((await api.get(`${at}/${id}`)).status).toBe(404)
})

test('a change that cannot be made changes nothing and says why', async () => {
  const { id } = await create({ name: 'Refused' })
  await change(id, { add: ['a'] })
  for (const [body, status, text] of [
    [{ add: ['b', 'no such asset'] }, 404, '/collectionChange/add: no asset has the tid no such asset'],
    [{ move: ['b'] }, 404, '/collectionChange/move: the collection does not have the asset b'],
    [{ move: ['a'], before: 'a' }, 400, '/collectionChange/before'],
    [{ add: ['b'], move: ['a'], before: 'c' }, 404, '/collectionChange/before'],
  ] as const) {
    const reply = await change(id, body)
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(text)])
  }
  expect(await tidsOf(id)).toEqual(['a'])
  expect((await api.post(at, { name: ' ' })).status).toBe(400)
  expect((await api.post(at, { name: 'x', users: ['nobody at all'] })).text).toContain('there is no user nobody at all')
})

test('a collection is private until it is shared, and only its owner and administrators change it', async () => {
  const { id } = await create({ name: 'Private' })
  await change(id, { add: ['a'] })
  const other = await someone('otto', ['user'])
  const reader = await someone('rita', ['reader'])
  for (const token of [other, reader]) expect((await api.get(`${at}/${id}`, { token })).status).toBe(404)
  expect((await put(id, { name: 'Shared', users: ['otto'], roles: ['reader'] })).json.users).toEqual(['otto'])
  for (const token of [other, reader]) {
    expect((await api.get(`${at}/${id}`, { token })).json).toMatchObject({ name: 'Shared', isOwn: false, count: 1 })
    expect((await api.get(at, { token })).text).toContain('Shared')
    expect((await api.get(`${at}/${id}`, { token })).json.users).toBeUndefined()
    expect((await put(id, { name: 'Taken' }, token)).status).toBe(403)
    expect((await change(id, { remove: ['a'] }, token)).status).toBe(403)
    expect((await api.post(`${at}/${id}`, undefined, { method: 'DELETE', token })).status).toBe(403)
  }
  expect((await put(id, { name: 'By ada' }, api.adminToken)).json).toMatchObject({ owner: 'kim', modifiedBy: 'ada' })
})

test('a reader sees and counts only the assets that they may read', async () => {
  const { id } = await create({ name: 'Mixed', users: ['nina'] })
  await change(id, { add: ['hidden', 'a'] })
  expect(await tidsOf(id, narrow)).toEqual(['a'])
  expect((await api.get(`${at}/${id}`, { token: narrow })).json.count).toBe(1)
  const [listed] = (await api.get(at, { token: narrow })).json.collections
  expect(listed).toMatchObject({ name: 'Mixed', count: 1 })
  const zip = await api.app.http.inject({ url: `${at}/${id}/zip`, headers: { authorization: `Bearer ${narrow}` } })
  expect([zip.statusCode, zip.rawPayload.includes('hidden')]).toEqual([200, false])
  const own = await create({ name: 'Guess' }, narrow)
  expect((await change(own.id, { add: ['hidden'] }, narrow)).status).toBe(404)
})

test('a deleted asset vanishes and returns to its place when it is restored', async () => {
  const { id } = await create({ name: 'Trash' })
  await store('t')
  await change(id, { add: ['a', 't', 'b'] })
  const perform = (path: string, type: string) =>
    api.post(`${dam}/${path}/perform`, { schemaVersion: '5.6.0', actions: { action: [{ dataType: 'asset', type, tid: 't' }] } }) // prettier-ignore
  await perform('assets', 'delete')
  expect(await tidsOf(id)).toEqual(['a', 'b'])
  await perform('trash', 'restore')
  expect(await tidsOf(id)).toEqual(['a', 't', 'b'])
  await api.db.run(sql`delete from dam_entry where tid = 't'`)
  expect((await api.get(`${at}/${id}`)).json.count).toBe(2)
})

test('a stored search chooses the assets, with the rights of each reader', async () => {
  await expect.poll(() => found('ASSET', field('tid', 'IN', ['a', 'b', 'hidden']))).toHaveLength(3)
  const searchObject = { context: { searchType: 'INDEX', index: 'ASSET' }, query: field('tid', 'IN', ['a', 'b', 'hidden']) } // prettier-ignore
  const stored = await api.post('/api/v1/search/storedsearch', { name: 'Some', searchObject })
  const { id, ...made } = await create({ name: 'Searched', storedSearch: stored.json.id, users: ['nina'] })
  expect(made).toMatchObject({ isSearch: true, count: 3, storedSearch: stored.json.id })
  expect((await tidsOf(id, narrow)).toSorted()).toEqual(['a', 'b'])
  expect((await api.get(`${at}/${id}`, { token: narrow })).json.count).toBe(2)
  expect((await change(id, { add: ['c'] })).text).toContain('a search chooses the assets')
  expect((await put(id, { name: 'Renamed' })).json).toMatchObject({ isSearch: true, count: 3 })
  const products = { ...searchObject, context: { searchType: 'INDEX', index: 'PRODUCT' } }
  const wrong = await api.post('/api/v1/search/storedsearch', { name: 'Products', searchObject: products })
  expect((await api.post(at, { name: 'x', storedSearch: wrong.json.id })).text).toContain('index ASSET')
  const foreign = await api.post(at, { name: 'x', storedSearch: stored.json.id }, { token: api.adminToken })
  expect(foreign.status).toBe(404)
})

test('additions at the same time are all kept', async () => {
  const { id } = await create({ name: 'Race' })
  await Promise.all(['a', 'b', 'c', 'd'].map((tid) => change(id, { add: [tid] })))
  expect((await tidsOf(id)).toSorted()).toEqual(['a', 'b', 'c', 'd'])
})

test('a collection is written and read as XML and as compact JSON', async () => {
  const ns = 'xmlns="http://www.apollon.de/omn"'
  const xml = `<collection ${ns}><name>As XML</name><roles>reader</roles></collection>`
  const made = await api.post(at, xml, { type: 'application/xml', accept: 'application/xml' })
  expect(made.text).toContain('<name>As XML</name>')
  const id = Number(/<id>(\d+)<\/id>/.exec(made.text)![1])
  const changed = await api.post(`${at}/${id}/assets`, `<collectionChange ${ns}><add>a</add></collectionChange>`, { type: 'application/xml', accept: 'application/json' }) // prettier-ignore
  expect(changed.json).toMatchObject({ name: 'As XML', roles: ['reader'], count: 1 })
})

test('the files are downloaded as they are or by a rendition profile', async () => {
  const { id } = await create({ name: 'Zip' })
  await change(id, { add: ['a', 'b'] })
  await api.post(`${dam}/renditions/profiles/small`, { width: 10 }, { method: 'PUT', token: api.adminToken })
  const zip = (query = '') =>
    api.app.http.inject({ url: `${at}/${id}/zip${query}`, headers: { authorization: `Bearer ${api.token}` } })
  const plain = await zip()
  expect([plain.statusCode, plain.headers['content-type']]).toEqual([200, 'application/zip'])
  expect(plain.rawPayload.includes('a_original.jpg')).toBe(true)
  const small = await zip('?profile=small')
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length)
  expect((await zip('?profile=none')).statusCode).toBe(404)
})

test('changes are events for those who may see the collection', async () => {
  const { position } = await readEvents(api)
  const { id } = await create({ name: 'Announced', users: ['nina'] })
  await change(id, { add: ['a'] })
  const eventsOf = async (token: string) =>
    (await readEvents(api, `after=${position}&types=kontor.collection.*`, token)).events.length
  expect(await eventsOf(narrow)).toBe(2)
  expect(await eventsOf(await someone('paul', ['user']))).toBe(0)
})
