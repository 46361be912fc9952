/** Rights on products for roles that are restricted to nodes, attributes, locales or actions. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const all = ['read', 'create', 'update', 'delete', 'link']
const tokens = new Map<string, string>()
const roles: Record<string, object> = {
  rain: { kind: '*', actions: all, scopes: { node: ['/Standard/Jackets/Rain'] } },
  reader: { kind: '*', actions: ['read'] },
  german: { kind: '*', actions: all, visibleLocales: { only: ['de_DE'] }, editableLocales: { only: ['de_DE'] } },
  translator: { kind: '*', actions: all, editableLocales: { only: ['de_DE'] } },
  seller: { kind: '*', actions: all, visibleAttributes: { except: ['width'] } },
  buyer: {
    kind: '*',
    actions: all,
    visibleAttributes: { except: ['code'] },
    editableAttributes: { only: ['material'] },
  },
}

beforeAll(async () => {
  await createModel(api)
  for (const [role, grant] of Object.entries(roles)) {
    const options = { method: 'PUT', token: api.adminToken } as const
    const reply = await api.post(`/api/v1/identity/roles/${role}`, { grants: [grant] }, options)
    expect(reply.status, reply.text).toBeLessThan(300)
    tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
  }
  const caption = {
    attr: 'caption',
    itm: [
      { value: 'coat', loc: 'en_GB' },
      { value: 'Mantel', loc: 'de_DE' },
    ],
  }
  await persist(
    jacket('Dry', vals(simple('material', 'wool'), simple('code', 'AB1'), caption)),
    jacket('Wet', { node: '/Standard/Jackets/Rain' }),
  )
})

const post = (role: string, path: string, body: object) =>
  api.post(`${pim}/${path}`, body, { token: tokens.get(role)! })
const store = async (role: string, product: object) => {
  const reply = await post(role, 'products/persist', { schemaVersion, products: { product: [product] } })
  expect(reply.status, reply.text).toBe(200)
  const { status, description } = reply.json.responses.response[0]
  return status === 'SUCCESS' ? status : description
}
const act = async (role: string, action: object) => {
  const actions = { action: [{ dataType: 'product', ...action }] }
  return (await post(role, 'products/perform', { schemaVersion, actions })).json.responses.response[0].description
}

describe('narrowed to a node', () => {
  test('a user finds the products in it, and no others', async () => {
    expect((await post('rain', 'products/query', {})).json.tids).toEqual(['Wet'])
    const { products } = (await post('rain', 'products/retrieve', { tids: ['Dry', 'Wet'] })).json
    expect(products.product.map(({ tid }: { tid: string }) => tid)).toEqual(['Wet'])
    expect((await post('rain', 'products/retrieve', { tids: ['Dry'] })).status).toBe(404)
    const { json } = await post('rain', 'data-items/get-by-ids', { identities: ['Dry', 'Wet'] })
    expect(json.states).toMatchObject([{ status: 'notFound' }, { status: 'ok' }])
    expect((await post('rain', 'data-items/Dry/tree', {})).status).toBe(404)
    expect(await act('rain', { type: 'delete', tid: 'Dry' })).toBe('no product has the tid Dry')
  })

  test('a user changes the products in it, and moves none in or out', async () => {
    expect(await store('rain', { tid: 'Wet', ...vals(simple('material', 'gum')) })).toBe('SUCCESS')
    expect(await store('rain', { tid: 'Dry', name: 'Mine' })).toMatch(/^no product has the tid Dry/)
    const refused = 'your roles do not allow to'
    expect(await store('rain', { tid: 'Wet', node: '/Standard/Jackets' })).toContain(`${refused} update products`)
    expect(await store('rain', jacket('New'))).toBe(`${refused} create products in /Standard/Jackets`)
  })
})

test('a user who may only read is refused before the message is read', async () => {
  expect((await post('reader', 'products/persist', {})).status).toBe(401)
  expect((await post('reader', 'products/retrieve', { tids: ['Dry'] })).status).toBe(200)
})

test('invisible locales and attributes are not in replies, and read-only ones are not changed', async () => {
  const of = async (role: string) =>
    (await post(role, 'products/retrieve', { tids: ['Dry'] })).json.products.product[0].vals.val as { attr: string }[]
  expect((await of('german')).find(({ attr }) => attr === 'caption')).toMatchObject({
    itm: [{ value: 'Mantel', loc: 'de_DE' }],
  })
  expect((await of('buyer')).map(({ attr }) => attr).sort()).toEqual(['caption', 'material'])
  const english = { attr: 'caption', itm: [{ value: 'x', loc: 'en_GB' }] }
  expect(await store('german', { tid: 'Dry', ...vals(english) })).toContain('do not allow to change values in en_GB')
  expect(await store('buyer', { tid: 'Dry', ...vals(simple('code', 'XY9')) })).toContain('has no definition')
  expect(await store('buyer', { tid: 'Dry', ...vals(english) })).toContain('your roles do not allow it')
  expect(await store('buyer', { tid: 'Dry', ...vals(simple('material', 'silk')) })).toBe('SUCCESS')
  const [dry] = await retrieve('Dry')
  expect(dry.vals.val).toContainEqual(simple('code', 'AB1'))
  const { json } = await post('buyer', 'data-items/get-by-ids', { identities: ['Dry'] })
  const rights = json.results[0].values.map((one: { key: string; accessRights: { editable: object } }) => [
    one.key,
    one.accessRights.editable,
  ])
  expect(Object.fromEntries(rights)).toEqual({ material: { '*': true }, caption: { en_GB: false, de_DE: false } })
})

describe('what a user cannot see stays when they remove the rest:', () => {
  const texts = (loc: string, value: string) => ({ value, loc })
  const both = { attr: 'caption', itm: [texts('en_GB', 'coat'), texts('de_DE', 'Mantel')] }
  const captionOf = async (tid: string) =>
    (await retrieve(tid))[0].vals.val.find(({ attr }: { attr: string }) => attr === 'caption')?.itm

  test.each([
    ['a value without content', { attr: 'caption' }, [texts('en_GB', 'coat')]],
    ['an empty list', { attr: 'caption', itm: [] }, [texts('en_GB', 'coat')]],
    [
      'mode="full" with other locales',
      { attr: 'caption', mode: 'full', itm: [texts('de_DE', 'Jacke')] },
      [texts('de_DE', 'Jacke'), texts('en_GB', 'coat')],
    ],
  ])('locales, by %s', async (_how, sent, kept) => {
    await persist(jacket('Kept', vals(both)))
    expect(await store('german', { tid: 'Kept', ...vals(sent) })).toBe('SUCCESS')
    const found = await captionOf('Kept')
    expect(found).toHaveLength(kept.length)
    expect(found).toEqual(expect.arrayContaining(kept))
  })

  test('columns of a table', async () => {
    const widths = { attr: 'width', parent: 'size_table', type: 'multiple', itm: [{ value: '10', pos: 0 }] }
    await persist(jacket('Table', vals(widths)))
    expect(await store('seller', { tid: 'Table', ...vals({ attr: 'size_table' }) })).toBe('SUCCESS')
    expect(JSON.stringify(await retrieve('Table'))).toContain('"10"')
  })
})

test('locales that a user sees and cannot change are not removed', async () => {
  await persist(jacket('Seen', vals({ attr: 'caption', itm: [{ value: 'coat', loc: 'en_GB' }] })))
  for (const sent of [
    { attr: 'caption' },
    { attr: 'caption', mode: 'full', itm: [{ value: 'Jacke', loc: 'de_DE' }] },
  ]) {
    expect(await store('translator', { tid: 'Seen', ...vals(sent) })).toContain(
      'has a value in en_GB, which your roles do not allow to remove',
    )
  }
})
