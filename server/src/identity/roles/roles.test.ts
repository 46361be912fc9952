/** Roles: an empty list grants nothing, and the names in a grant must exist. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist } = productCalls(api)
const at = '/api/v1/identity'
const admin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  api.post(at + path, body, { method, token: api.adminToken })
const put = (name: string, ...grants: object[]) => admin('PUT', `/roles/${name}`, { grants })
const stored = async (name: string) => {
  const { roles } = (await admin('GET', '/roles')).json
  return roles.find((role: { name: string }) => role.name === name)?.grants
}
const read = { kind: '*', actions: ['read'] }

beforeAll(async () => {
  await createModel(api)
  await persist(jacket('Dry', vals(simple('material', 'wool'))))
})

describe('an empty list', () => {
  const seenBy = async (...grants: object[]) => {
    const reply = await put('narrow', ...grants)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json.grants).toEqual(grants)
    const token = await api.tokenFor({ roles: ['narrow'] })
    const { json, text } = await api.post(`${pim}/products/retrieve`, { tids: ['Dry'] }, { token })
    const [product] = json?.products?.product ?? []
    return { product, text, token }
  }

  test.each([{}, { scopes: {} }, { visibleAttributes: {} }])('that is absent in %j grants everything', async (more) => {
    const { product } = await seenBy({ ...read, ...more })
    expect(product).toMatchObject({ tid: 'Dry' })
    expect(JSON.stringify(product)).toContain('wool')
  })

  test('of paths grants nothing, not the whole tree', async () => {
    const grant = { ...read, scopes: { node: [] } }
    const { product, token } = await seenBy(grant)
    expect(await stored('narrow')).toEqual([grant])
    expect(product).toBeUndefined()
    expect((await api.post(`${pim}/products/query`, {}, { token })).json.tids ?? []).toEqual([])
  })

  test('in `only` grants no attribute', async () => {
    const { product, text } = await seenBy({ ...read, visibleAttributes: { only: [] } })
    expect(product).toMatchObject({ tid: 'Dry' })
    expect(text).not.toContain('wool')
  })

  test('in `only` of editable attributes allows none to be changed', async () => {
    const all = { kind: '*', actions: ['read', 'update'] }
    const { token } = await seenBy({ ...all, editableAttributes: { only: [] } })
    const body = { schemaVersion: '5.6.0', products: { product: [jacket('Dry', vals(simple('material', 'silk')))] } }
    const reply = await api.post(`${pim}/products/persist`, body, { token })
    expect(reply.text).toContain('ERROR')
  })

  test('next to another grant does not take away what that one gives', async () => {
    const { product } = await seenBy({ ...read, scopes: { node: [] } }, { ...read, scopes: { node: ['/Standard'] } })
    expect(product).toMatchObject({ tid: 'Dry' })
  })
})

describe('a role that names something unknown is refused with the place and what is known', () => {
  // prettier-ignore
  test.each([
    [{ kind: 'produkt', actions: ['read'] },                          'grants[0].kind: unknown kind produkt; known: *, product, article'],
    [{ kind: '*', actions: ['read', 'rule'] },                        'grants[0].actions: unknown action rule; known: *, read, create'],
    [{ ...read, scopes: { node: ['/Standard', '/Standard/Hats'] } },  'grants[0].scopes.node: no node has the path /Standard/Hats; known: /Standard, '],
    [{ ...read, scopes: { dir: ['/Nowhere'] } },                      'grants[0].scopes.dir: no directory has the path /Nowhere; known: /'],
    [{ ...read, scopes: { channel: ['/Shop'] } },                     'grants[0].scopes.channel: no channel has the path /Shop'],
    [{ ...read, scopes: { keyword: ['/Sea'] } },                      'grants[0].scopes.keyword: no keyword has the path /Sea'],
    [{ ...read, scopes: { keyword: ['Sea/'] } },                      'grants[0].scopes.keyword: Sea/ is not a path like /Sea/North'],
    [{ ...read, visibleAttributes: { only: ['material', 'glue'] } },  'grants[0].visibleAttributes: no attribute has the tid glue; known: '],
    [{ ...read, editableAttributes: { except: ['glue'] } },           'grants[0].editableAttributes: no attribute has the tid glue'],
    [{ ...read, visibleLocales: { only: ['de_DE', 'xx_XX'] } },       'grants[0].visibleLocales: no locale is called xx_XX; known: '],
    [{ ...read, editableLocales: { except: ['xx_XX'] } },             'grants[0].editableLocales: no locale is called xx_XX; known: '],
  ])('%j', async (grant, message) => {
    const { status, text } = await put('strange', grant)
    expect(status).toBe(400)
    expect(text).toContain(message)
    expect(await stored('strange')).toBeUndefined()
  })

  test('but it may keep naming what was deleted since, which then matches nothing', async () => {
    const kwd = [{ name: { itm: [{ value: 'Tide' }] } }]
    const keywords = '/api/core/v1/common/keywords'
    await api.post(`${keywords}/persist`, { schemaVersion: '5.6.0', kwds: { kwd } })
    const grant = { ...read, scopes: { keyword: ['/Tide'] }, visibleLocales: { only: ['de_DE'] } }
    expect((await put('tidal', grant)).status).toBe(200)
    await api.db.pool.query(`delete from keyword where path = '/Tide'`)
    expect((await put('tidal', grant)).status).toBe(200)
    expect((await put('other', grant)).status).toBe(400)
  })

  test('and a renamed subtree takes its name in roles along', async () => {
    expect((await put('booted', { ...read, scopes: { node: ['/Standard/Boots'] } })).status).toBe(200)
    await api.db.pool.query(`update node set tid = 'Shoes', path = '/Standard/Shoes' where path = '/Standard/Boots'`)
    expect(await stored('booted')).toEqual([{ ...read, scopes: { node: ['/Standard/Shoes'] } }])
  })
})

describe('a user', () => {
  const password = 'a quiet heron by the weir'
  const signIn = async (username: string) => {
    const form = { grant_type: 'password', client_id: 'kontor-ui', username, password, scope: 'openid' }
    const type = 'application/x-www-form-urlencoded'
    const url = '/auth/realms/kontor/protocol/openid-connect/token'
    return (await api.post(url, new URLSearchParams(form).toString(), { token: null, type })).json.access_token
  }

  test.each([{}, { roles: [] }, { groups: [] }])('made with %j has no role and may do nothing', async (more) => {
    const name = `none${JSON.stringify(more).length}`
    const { json } = await admin('POST', '/users', { name, password, ...more })
    const account = (await admin('GET', `/users/${json.id}`)).json
    expect(account.roles ?? []).toEqual([])
    const token = await signIn(name)
    expect([401, 403]).toContain((await api.post(`${pim}/products/query`, {}, { token })).status)
    const view = { token: api.adminToken, headers: { 'kontor-view-as': name } }
    expect([401, 403]).toContain((await api.post(`${pim}/products/query`, {}, view)).status)
  })

  test('made with groups only has the roles of these groups', async () => {
    await admin('PUT', '/groups/Readers', { roles: ['reader'] })
    const { json } = await admin('POST', '/users', { name: 'grete', password, groups: ['Readers'] })
    const account = (await admin('GET', `/users/${json.id}`)).json
    expect(account.roles ?? []).toEqual([])
    const token = await signIn('grete')
    expect((await api.post(`${pim}/products/query`, {}, { token })).status).toBe(200)
    const { text } = await api.post(`${pim}/products/persist`, {}, { token })
    expect(text).toContain('this call needs')
  })
})
