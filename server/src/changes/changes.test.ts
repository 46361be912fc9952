/** Changes of many objects: preview, run, undo, refusals, and work that is interrupted. */
import { cm } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../adapters/postgres/sql.ts'
import { createModel, jacket, type Obj, productCalls, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { keyword, resourceOf } from '../../test/common.ts'
import { damCalls } from '../../test/dam.ts'
import { searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const { persist, retrieve, perform } = productCalls(api)
const at = '/api/v1/changes'

const never = new AbortController().signal
const work = (id: string, stop = never) => api.app.jobs['change.run']!({ id } as never, stop)
const made = async (body: object) => {
  const reply = await api.post(at, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.id as string
}
const order = async (id: string, command: string) => {
  const reply = await api.post(`${at}/${id}/${command}`)
  expect(reply.status, reply.text).toBe(200)
}
/** Gives a command and does its work. */
const done = async (id: string, command: string) => {
  await order(id, command)
  await work(id)
  return (await api.get(`${at}/${id}`)).json
}
const itemsOf = async (id: string, query = '') => (await api.get(`${at}/${id}/items${query}`)).json.items
const valueOf = async (tid: string, attr: string) => {
  const [product] = await retrieve(tid)
  const val = product.vals?.val?.find((one: { attr: string }) => one.attr === attr)
  return val?.itm?.map(({ key, value }: { key?: string; value: string }) => key ?? value)
}
const createMany = async (...products: Obj[]) =>
  expect((await persist(...products)).map(({ status }) => status)).toEqual(products.map(() => 'SUCCESS'))

beforeAll(async () => {
  await createModel(api)
  const channels = callsOf(api, cm, 'channels')
  await channels.persist({ tid: 'shop', type: 'Webshop', name: 'shop' })
})

test('several operations are previewed without effect, run, and undone later', async () => {
  await createMany(
    jacket('A', vals(simple('material', 'Wool'), simple('weight', '7'), { attr: 'sizes', itm: [{ value: 'S' }] })),
    jacket('B', vals({ attr: 'caption', itm: [{ value: 'Old coat, old price', loc: 'en_GB' }, { value: 'Mantel', loc: 'de_DE' }] })), // prettier-ignore
    jacket('accessory'),
  )
  const id = await made({
    name: 'Autumn',
    selection: { tids: ['A', 'B', 'A', 'GHOST'] },
    operations: [
      { type: 'set', attribute: 'material', values: ['Linen'] },
      { type: 'append', attribute: 'material', values: [' blend'] },
      { type: 'set', attribute: 'color', values: ['Red'] },
      { type: 'clear', attribute: 'weight' },
      { type: 'append', attribute: 'sizes', values: ['S', 'M'] },
      { type: 'findReplace', attribute: 'caption', locale: 'en_GB', find: 'OLD', replacement: '$& new' },
      { type: 'move', to: '/Standard/Jackets/Rain' },
      { type: 'link', dataType: 'project', to: 'shop' },
      { type: 'link', dataType: 'product', to: 'accessory', linkType: 'Accessory' },
    ],
  })
  const preview = await done(id, 'preview')
  expect(preview).toMatchObject({ state: 'previewed', total: 3, processed: 3, changed: 2, refused: 1, undoable: false })
  expect(preview.reasons).toEqual([{ reason: expect.stringContaining('not found'), count: 1 }])
  expect(await valueOf('A', 'material')).toEqual(['Wool'])
  const [first] = await itemsOf(id, '?status=changed')
  expect(first).toMatchObject({ tid: 'A', name: 'Jacket A', status: 'changed' })
  expect(first.changes).toEqual(
    expect.arrayContaining([
      { attribute: 'material', before: ['Wool'], after: ['Linen blend'] },
      { attribute: 'color', before: [], after: ['red'] },
      { attribute: 'weight', before: ['7'], after: [] },
      { attribute: 'sizes', before: ['S'], after: ['S', 'M'] },
      { dataType: 'node', before: ['/Standard/Jackets'], after: ['/Standard/Jackets/Rain'] },
      { dataType: 'project', before: [], after: ['shop'] },
      { dataType: 'product', linkType: 'Accessory', before: [], after: ['accessory'] },
    ]),
  )
  expect((await api.post(`${at}/${id}/undo`)).status).toBe(409)

  const before = await retrieve('A', 'B')
  expect(await done(id, 'start')).toMatchObject({ state: 'finished', changed: 2, refused: 1, undoable: true })
  expect(await valueOf('A', 'material')).toEqual(['Linen blend'])
  expect(await valueOf('A', 'weight')).toBeUndefined()
  expect(await valueOf('B', 'caption')).toEqual(expect.arrayContaining(['$& new coat, $& new price', 'Mantel']))
  const [after] = await retrieve('A')
  expect(after.node).toBe('/Standard/Jackets/Rain')
  expect(JSON.stringify(after.links)).toContain('shop')

  const { json } = await api.get(at)
  expect(json.changes[0]).toMatchObject({ id, name: 'Autumn', undoable: true, user: 'kim' })
  expect(await done(id, 'undo')).toMatchObject({ state: 'undone', undone: 2, undoRefused: 0, undoable: false })
  const stripped = (products: object[]) =>
    products.map((one) => ({ ...one, modificationDate: 0, modifyDate: 0, meta: 0, history: 0 }))
  expect(stripped(await retrieve('A', 'B'))).toEqual(stripped(before))
})

test.each([
  ['a text that every operation doubles', { type: 'findReplace', find: 'a', replacement: 'aa' }, 'would be longer than 4194304 characters'], // prettier-ignore
  ['a text that every operation joins many times', { type: 'concatenate', template: '{text}'.repeat(100) }, 'would be longer than 4194304 characters'], // prettier-ignore
])('%s is refused before it fills the memory', async (name, operation, reason) => {
  const tid = name.length.toString()
  await createMany(jacket(tid, vals(simple('material', 'a'))), jacket(`${tid}-2`, vals(simple('material', 'b'))))
  const attribute = { attribute: 'material' }
  const grow = { ...operation, ...attribute, ...('template' in operation && { template: operation.template!.replaceAll('text', 'material') }) } // prettier-ignore
  const operations = Array.from({ length: 40 }, () => grow)
  const id = await made({ selection: { tids: [tid] }, operations })
  expect(await done(id, 'start')).toMatchObject({ state: 'finished', refused: 1, changed: 0 })
  expect((await itemsOf(id))[0].reason).toContain(reason)
})

test('a batch ends before its texts become too many, and the next one continues', async () => {
  const tids = Array.from({ length: 18 }, (_, i) => `L${i}`)
  await createMany(...tids.map((tid) => jacket(tid)))
  const values = ['x'.repeat(4_000_000)]
  const id = await made({ selection: { tids }, operations: [{ type: 'set', attribute: 'material', values }] })
  await order(id, 'preview')
  await work(id, AbortSignal.abort())
  expect((await api.get(`${at}/${id}`)).json).toMatchObject({ state: 'previewing', processed: 16 })
  await work(id)
  expect((await api.get(`${at}/${id}`)).json).toMatchObject({ state: 'previewed', changed: 18, refused: 0 })
})

test('operations compare and write a bounded number of characters', async () => {
  await createMany(jacket('long', vals(simple('material', 'a'.repeat(100_000)))))
  const reasonFor = async (...operations: object[]) => {
    const id = await made({ selection: { tids: ['long'] }, operations })
    await done(id, 'preview')
    return (await itemsOf(id))[0].reason
  }
  const replace = (find: string, replacement: string) => ({ type: 'findReplace', attribute: 'material', find, replacement }) // prettier-ignore
  expect(await reasonFor(replace(`${'a'.repeat(5000)}b`, 'c'))).toContain('look for fewer than 5001')
  const back = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? replace('a', 'b') : replace('b', 'a')))
  expect(await reasonFor(...back, ...back)).toContain('more than 8388608 characters for one object')
})

test('undo leaves and names products that were changed since, and can be repeated', async () => {
  await createMany(...['U1', 'U2', 'U3'].map((tid) => jacket(tid, vals(simple('material', 'Wool')))))
  const id = await made({
    selection: { tids: ['U1', 'U2', 'U3'] },
    operations: [{ type: 'set', attribute: 'material', values: ['Linen'] }],
  })
  await done(id, 'start')
  await persist({ tid: 'U2', ...vals(simple('material', 'Silk')) }, { tid: 'U1', ...vals(simple('weight', '3')) })
  await perform({ type: 'delete', tid: 'U3' })
  const undone = await done(id, 'undo')
  expect(undone).toMatchObject({ state: 'undone', undone: 1, undoRefused: 2, undoable: true })
  expect(await valueOf('U1', 'material')).toEqual(['Wool'])
  expect(await valueOf('U2', 'material')).toEqual(['Silk'])
  const refused = await itemsOf(id, '?undo=refused')
  expect(refused.map(({ tid, undoReason }: { tid: string; undoReason: string }) => [tid, undoReason])).toEqual([
    ['U2', 'changed since: material'],
    ['U3', expect.stringContaining('deleted')],
  ])
  await persist({ tid: 'U2', ...vals(simple('material', 'Linen')) })
  expect(await done(id, 'undo')).toMatchObject({ undone: 2, undoRefused: 1 })
  expect(await valueOf('U2', 'material')).toEqual(['Wool'])
})

test('a product of which one part is refused keeps all its values, and its neighbours are changed', async () => {
  await createMany(jacket('P1', vals(simple('material', 'Wool'))), { ...jacket('P2'), node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }) // prettier-ignore
  const id = await made({
    selection: { tids: ['P1', 'P2'] },
    operations: [
      { type: 'set', attribute: 'material', values: ['Linen'] },
      { type: 'move', to: '/Standard/Boots' }, // code is required there
    ],
  })
  const result = await done(id, 'start')
  expect(result).toMatchObject({ changed: 1, refused: 1 })
  expect(result.reasons[0].reason).toContain('code')
  expect(await valueOf('P1', 'material')).toEqual(['Wool'])
  expect(await valueOf('P2', 'material')).toEqual(['Linen'])

  const link = await made({
    selection: { tids: ['P1'] },
    operations: [
      { type: 'set', attribute: 'material', values: ['Linen'] },
      { type: 'link', dataType: 'project', to: 'no such channel' },
    ],
  })
  expect(await done(link, 'start')).toMatchObject({ changed: 0, refused: 1 })
  expect(await valueOf('P1', 'material')).toEqual(['Wool'])
  const history = await api.post('/api/core/v1/pim/products/history', { tid: 'P1' })
  expect(history.text).not.toContain('Linen')
})

test('an interrupted change continues behind what was done, and changes nothing twice', async () => {
  const tids = Array.from({ length: 700 }, (_, i) => `K${i}`)
  await createMany(...tids.map((tid) => jacket(tid, vals(simple('material', 'x')))))
  const id = await made({ selection: { tids }, operations: [{ type: 'append', attribute: 'material', values: ['!'] }] })
  await order(id, 'start')
  await work(id, AbortSignal.abort())
  expect((await api.get(`${at}/${id}`)).json).toMatchObject({ state: 'running', processed: 500 })
  await Promise.all([work(id), work(id)])
  expect((await api.get(`${at}/${id}`)).json).toMatchObject({ state: 'finished', processed: 700, changed: 700 })
  const found = await api.db.rows<{ value: string }>(sql`
    select distinct vals ->> 'material' as value from product where tid like 'K%'`)
  expect(found).toEqual([{ value: 'x!' }])
  await order(id, 'undo')
  await work(id, AbortSignal.abort())
  await order(id, 'cancel')
  expect((await api.get(`${at}/${id}`)).json).toMatchObject({ state: 'finished', undone: 500, undoable: true })
  expect(await done(id, 'undo')).toMatchObject({ undone: 700, undoable: false })
  expect((await itemsOf(id, '?count=1000')).length).toBe(700)
  const second = await itemsOf(id, `?count=2&after=${(await itemsOf(id, '?count=1'))[0].number}`)
  expect(second.map(({ tid }: { tid: string }) => tid)).toEqual(['K1', 'K2'])
})

test('products are selected by category and by search', async () => {
  const [record] = await persist(jacket('S1', { name: 'Zebracoat', ...vals(simple('material', 'zebra')) }))
  const operations = [{ type: 'set', attribute: 'material', values: ['plain'] }]
  await searchCalls(api).wait('PRODUCT', record!.id)
  const search = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: { queryType: 'FULLTEXT', value: 'zebracoat' } } // prettier-ignore
  const found = await made({ selection: { search }, operations })
  expect(await done(found, 'start')).toMatchObject({ total: 1, changed: 1 })
  expect(await valueOf('S1', 'material')).toEqual(['plain'])
  const below = await made({ selection: { nodePaths: ['/Standard/Boots'] }, operations })
  expect((await api.get(`${at}/${below}`)).json.total).toBe(1)
})

test('keywords are added to assets and removed by undo', async () => {
  const token = api.adminToken
  const dam = damCalls(api)
  await api.post('/api/core/v1/dam/rncs/persist', { schemaVersion: '5.6.0', rncs: { rnc: [{ tid: 'main', name: 'Main' }] } }, { token }) // prettier-ignore
  await dam.createPath('/main/Sea')
  const assets = await dam.addAssets('/main/Sea', 'one.jpg', 'two.jpg')
  await resourceOf(api, 'keywords').persist(keyword('Sea'))
  const tids = assets.map(({ tid }) => tid)
  const id = await made({
    kind: 'asset',
    selection: { tids },
    operations: [{ type: 'link', dataType: 'keyword', to: '/Sea' }],
  })
  expect(await done(id, 'start')).toMatchObject({ changed: 2, refused: 0 })
  const keywords = async () => (await api.post('/api/core/v1/dam/assets/retrieve', { tids })).text.split('/Sea"').length
  expect(await keywords()).toBeGreaterThan(1)
  expect(await done(id, 'undo')).toMatchObject({ undone: 2 })
  expect(await keywords()).toBe(1)
})

const set = { type: 'set', attribute: 'material', values: ['x'] }
const tids = { tids: ['A'] }
// prettier-ignore
test.each([
  ['no selection', { selection: {}, operations: [set] }, /exactly one of tids/],
  ['two selections', { selection: { ...tids, nodePaths: ['/Standard'] }, operations: [set] }, /exactly one/],
  ['an empty selection', { selection: { nodePaths: ['/Standard/Nowhere'] }, operations: [set] }, /Nowhere/],
  ['no operation', { selection: tids, operations: [] }, /operations/],
  ['an unknown attribute', { selection: tids, operations: [{ ...set, attribute: 'ghost' }] }, /operations\/0 \(set\): no attribute has the tid ghost/],
  ['a missing value', { selection: tids, operations: [set, { type: 'set', attribute: 'material' }] }, /operations\/1 \(set\): values is missing/],
  ['a missing locale', { selection: tids, operations: [{ ...set, attribute: 'caption' }] }, /send the locale/],
  ['a locale too many', { selection: tids, operations: [{ ...set, locale: 'en_GB' }] }, /leave the locale out/],
  ['a table', { selection: tids, operations: [{ ...set, attribute: 'size_table' }] }, /is a table/],
  ['two values for one', { selection: tids, operations: [{ ...set, values: ['a', 'b'] }] }, /takes one value/],
  ['a part of a number', { selection: tids, operations: [{ type: 'findReplace', attribute: 'weight', find: '1' }] }, /only texts/],
  ['a keyword of a product', { selection: tids, operations: [{ type: 'link', dataType: 'keyword', to: '/Sea' }] }, /have no links to keywords/],
  ['an empty name', { name: ' ', selection: tids, operations: [set] }, /name/],
])('%s is refused with the place and a remedy', async (_, body, message) => {
  const { status, text } = await api.post(at, body)
  expect(status, text).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(text).toMatch(message)
})

describe('commands', () => {
  test('are refused in the wrong state, and a running change cannot be deleted', async () => {
    const id = await made({ selection: { tids: ['A'] }, operations: [set] })
    const status = async (command: string) => (await api.post(`${at}/${id}/${command}`)).status
    expect([await status('undo'), await status('cancel'), await status('fly')]).toEqual([409, 409, 404])
    await order(id, 'start')
    expect([await status('start'), await status('preview')]).toEqual([409, 409])
    expect((await api.post(`${at}/${id}`, undefined, { method: 'DELETE' })).status).toBe(409)
    await order(id, 'cancel')
    await work(id)
    expect((await api.get(`${at}/${id}`)).json).toMatchObject({ state: 'cancelled', processed: 0 })
    expect((await api.post(`${at}/${id}`, undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await api.get(`${at}/${id}`)).status).toBe(404)
  })

  test('are for the owner and administrators only', async () => {
    const id = await made({ selection: { tids: ['A'] }, operations: [set] })
    const token = await api.tokenFor({ name: 'lou' })
    for (const path of [id, `${id}/items`]) expect((await api.get(`${at}/${path}`, { token })).status).toBe(404)
    expect((await api.post(`${at}/${id}/start`, undefined, { token })).status).toBe(404)
    expect((await api.get(at, { token })).json.changes ?? []).toEqual([])
    expect((await api.get(`${at}/${id}`, { token: api.adminToken })).status).toBe(200)
  })
})

test('reasons of refusals, which quote values, are not shown once the rights of the user have changed', async () => {
  await createMany(jacket('H1', vals(simple('material', 'a secret'))))
  const role = (more: object = {}) =>
    api.post('/api/v1/identity/roles/reasons', { grants: [{ kind: '*', actions: ['read', 'update'], ...more }] }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
  await role()
  const token = await api.tokenFor({ name: 'rob', roles: ['reasons'] })
  const operations = [{ type: 'copy', attribute: 'code', from: 'material' }]
  const { id } = (await api.post(at, { selection: { tids: ['H1'] }, operations }, { token })).json
  await api.post(`${at}/${id}/start`, undefined, { token })
  await work(id)
  const seen = async () =>
    (await api.get(`${at}/${id}/items`, { token })).text + (await api.get(`${at}/${id}`, { token })).text
  expect(await seen()).toContain('a secret')
  await role({ visibleAttributes: { except: ['material'] } })
  expect(await seen()).not.toContain('a secret')
  expect(await seen()).toContain('the reason is not shown')
})

test('values are not shown once the rights of the user have changed, nor products that may no longer be read', async () => {
  await createMany(jacket('R1', vals(simple('material', 'Wool'))), jacket('R2', vals(simple('material', 'Wool'))))
  await persist({ tid: 'R2', node: '/Standard/Jackets/Rain' })
  const role = (grants: object) => api.post('/api/v1/identity/roles/rainy', { grants }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
  await role([{ kind: '*', actions: ['read', 'update'] }])
  const token = await api.tokenFor({ name: 'rae', roles: ['rainy'] })
  const reply = await api.post(at, { selection: { tids: ['R1', 'R2'] }, operations: [set] }, { token })
  const { id } = reply.json
  await api.post(`${at}/${id}/start`, undefined, { token })
  await work(id)
  const items = async () => (await api.get(`${at}/${id}/items`, { token })).json.items
  expect((await items()).map(({ changes }: { changes: unknown[] }) => changes.length)).toEqual([1, 1])
  await role([{ kind: '*', actions: ['read', 'update'], scopes: { node: ['/Standard/Jackets/Rain'] } }])
  expect(await items()).toEqual([{ number: 2, tid: 'R2', name: 'Jacket R2', status: 'changed' }])
  await api.post(`${at}/${id}/undo`, undefined, { token })
  await work(id)
  expect(await valueOf('R1', 'material')).toEqual(['x'])
  expect(await valueOf('R2', 'material')).toEqual(['Wool'])
})
