/** Kontor-View-As: an administrator sees what another user sees, and cannot act in their name. */
import { beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const keywords = '/api/core/v1/common/keywords'

beforeAll(async () => {
  const kwd = ['Sea', 'Land'].map((value) => ({ name: { itm: [{ value }] } }))
  await api.post(`${keywords}/persist`, { schemaVersion: '5.6.0', kwds: { kwd } })
  const grants = [{ kind: '*', actions: ['read'], scopes: { keyword: ['/Sea'] } }]
  await api.post('/api/v1/identity/roles/sailor', { grants }, { method: 'PUT', token: api.adminToken })
  await api.tokenFor({ name: 'jörg', roles: ['sailor'] })
})

const viewAs = (name: string, token = api.adminToken) => ({ token, headers: { 'kontor-view-as': name } })
const seenBy = async (name: string) => {
  const { json } = await api.post(`${keywords}/retrieve`, { path: '/', level: -1 }, viewAs(name))
  return (json.kwds.kwd as { path: string }[]).map(({ path }) => path)
}

test('a reading call returns what that user would get', async () => {
  expect(await seenBy('kim')).toEqual(['/Land', '/Sea'])
  expect(await seenBy(encodeURIComponent('jörg'))).toEqual(['/Sea'])
  const { json } = await api.get('/api/v1/identity/me', viewAs('j%C3%B6rg'))
  expect(json).toMatchObject({ name: 'ada', roles: ['sailor'] })
})

test('routes for administrators are closed, as they are to that user', async () => {
  expect((await api.get('/api/v1/identity/users', viewAs('kim'))).status).toBe(403)
})

test.each([
  ['a call that writes', `${keywords}/persist`, 'kim', undefined, 403, 'only reading calls'],
  ['a caller who is not an administrator', `${keywords}/retrieve`, 'ada', 'kim', 403, 'only administrators'],
  ['an unknown user name', `${keywords}/retrieve`, 'nobody', undefined, 400, 'no user has this name'],
  ['a name that is not percent-encoded', `${keywords}/retrieve`, '%zz', undefined, 400, 'percent-encoded'],
])('%s is refused', async (_, path, name, by, status, words) => {
  const reply = await api.post(path, { path: '/' }, viewAs(name, by === 'kim' ? api.token : undefined))
  expect(reply.status).toBe(status)
  expect(reply.text).toContain(words)
})
