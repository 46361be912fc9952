/** Trying a role that is not stored: what it allows, and reading with its rights. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const { persist } = productCalls(api)
const attempt = (body: object, token = api.adminToken) => api.post('/api/v1/identity/roles/try', body, { token })
const asTried = (viewAs: string) => ({ token: api.adminToken, headers: { 'kontor-view-as': viewAs } })
interface Counted {
  readonly kind: string
  readonly total: number
  readonly readable: number
  readonly editable: number
  readonly samples?: { tid: string; editable: boolean }[]
}
const countOf = (json: { kinds: Counted[] }, kind: string) => json.kinds.find((one) => one.kind === kind)!

beforeAll(async () => {
  await createModel(api)
  await persist(jacket('Dry', vals(simple('material', 'wool'))), jacket('Wet', vals(simple('material', 'silk'))))
  await api.tokenFor({ name: 'ruth', roles: ['reader'] })
})

const read = { kind: '*', actions: ['read'] }
const inside = { kind: 'product', actions: ['read', 'update'], scopes: { node: ['/Standard/Boots'] } }

describe('a tried role', () => {
  test('says how many objects it may read and change, with examples', async () => {
    const { json } = await attempt({ grants: [{ kind: 'product', actions: ['read', 'update'] }] })
    expect(countOf(json, 'product')).toMatchObject({ total: 2, readable: 2, editable: 2 })
    expect(countOf(json, 'product').samples).toContainEqual(expect.objectContaining({ tid: 'Dry', editable: true }))
    expect(countOf(json, 'node').readable).toBe(0)
  })

  test('is narrowed to its subtrees', async () => {
    const { json } = await attempt({ grants: [inside] })
    expect(countOf(json, 'product')).toMatchObject({ total: 2, readable: 0, editable: 0 })
  })

  test('is added to the other roles of a user', async () => {
    const { json } = await attempt({ user: 'ruth', grants: [inside] })
    expect(json.roles).toEqual(['reader', '(new role)'])
    expect(countOf(json, 'product')).toMatchObject({ readable: 2, editable: 0 })
    expect(json.grants).toContainEqual(inside)
  })

  test('replaces the stored role of the same name', async () => {
    const { json } = await attempt({ user: 'ruth', name: 'reader', grants: [inside] })
    expect(json.roles).toEqual(['reader'])
    expect(countOf(json, 'product')).toMatchObject({ readable: 0 })
    const view = await api.post(`${pim}/products/query`, {}, asTried(json.viewAs))
    expect(view.json.tids ?? []).toEqual([])
  })

  test('is read with by its name, and nothing is stored or written', async () => {
    const { json } = await attempt({ grants: [{ ...read, visibleAttributes: { except: ['material'] } }] })
    const view = asTried(json.viewAs)
    const seen = await api.post(`${pim}/products/retrieve`, { tids: ['Dry'] }, view)
    expect(seen.status).toBe(200)
    expect(seen.text).not.toContain('wool')
    expect((await api.get('/api/v1/identity/me', view)).json.roles).toEqual(['(new role)'])
    expect((await api.post(`${pim}/products/persist`, {}, view)).status).toBe(403)
    expect((await api.get('/api/v1/identity/users', view)).status).toBe(403)
    const roles = (await api.get('/api/v1/identity/roles', { token: api.adminToken })).json.roles as { name: string }[]
    expect(roles.map(({ name }) => name)).not.toContain('(new role)')
  })

  test('is known for an hour', async () => {
    const { json } = await attempt({ grants: [read] })
    await api.db.run(sql`update role_trial set created_at = now() - interval '61 minutes'`)
    expect((await api.get('/api/v1/identity/me', asTried(json.viewAs))).status).toBe(400)
    await attempt({ grants: [read] })
    expect(await api.db.rows(sql`select id from role_trial`)).toHaveLength(1)
  })
})

test.each([
  ['an unknown kind', { grants: [{ kind: 'prodcut', actions: ['read'] }] }, 400],
  ['a path that does not exist', { grants: [{ ...read, scopes: { node: ['/Nowhere'] } }] }, 400],
  ['an unknown user', { user: 'nobody', grants: [read] }, 404],
])('%s is refused', async (_, body, status) => {
  expect((await attempt(body)).status).toBe(status)
})

test('only administrators try roles', async () => {
  expect((await attempt({ grants: [read] }, api.token)).status).toBe(403)
  const { json } = await attempt({ grants: [read] })
  const options = { token: api.token, headers: { 'kontor-view-as': json.viewAs } }
  expect((await api.get('/api/v1/identity/me', options)).status).toBe(403)
})
