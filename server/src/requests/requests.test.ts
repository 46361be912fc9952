import { describe, expect, test, vi } from 'vitest'
import { withServer } from '../../test/server.ts'

const api = withServer()
const at = '/api/v1/requests'
interface Logged {
  path: string
  status: string
  session: string
  current: boolean
}
const requestsOf = async (token: string, query = ''): Promise<Logged[]> =>
  (await api.get(at + query, { token })).json.requests ?? []
/** A request is recorded when its connection has finished it, which may be after the reply was read. */
const eventually = (token: string, expected: object) =>
  vi.waitFor(async () => expect(await requestsOf(token)).toContainEqual(expect.objectContaining(expected)), 30_000)

describe('the request log', () => {
  test('lists requests with their outcome, including refused ones, without the query', async () => {
    await api.get('/api/core/v1/common/messages?unread=true')
    await api.post('/api/core/v1/pim/products/page', { count: 0 })
    await eventually(api.token, { method: 'GET', path: '/api/core/v1/common/messages', status: '200', current: true })
    await eventually(api.token, { method: 'POST', path: '/api/core/v1/pim/products/page', status: '400' })
    const [entry] = await requestsOf(api.token)
    expect(entry).toMatchObject({ client: expect.any(String), supportId: expect.any(String), at: expect.any(String) })
  })

  test('has only the requests of the caller', async () => {
    const lena = await api.tokenFor({ name: 'lena', roles: ['reader'] })
    expect(await requestsOf(lena)).toEqual([])
    await api.get('/api/v1/identity/users', { token: lena })
    await eventually(lena, { path: '/api/v1/identity/users', status: '403' })
    expect((await requestsOf(api.token)).map(({ path }) => path)).not.toContain('/api/v1/identity/users')
    expect((await api.get(at, { token: null })).status).toBe(401)
  })

  test('identifies a personal token by its session', async () => {
    const made = await api.post('/api/v1/identity/tokens', { name: 'import', kind: 'access' })
    await api.get('/api/v1/identity/tokens', { token: made.json.token })
    await eventually(api.token, { path: '/api/v1/identity/tokens', current: false })
    const [token] = (await api.get('/api/v1/identity/tokens')).json.tokens
    const its = await requestsOf(api.token, `?session=${token.session}`)
    expect(its.map(({ path }) => path)).toEqual(['/api/v1/identity/tokens'])
  })

  test('keeps a hundred requests per sign-in, newest first, and not those that read the log', async () => {
    for (let i = 0; i < 105; i++) await api.get('/api/v1/identity/me')
    await vi.waitFor(async () => {
      const all = await requestsOf(api.token)
      expect(all.some(({ current }) => !current)).toBe(true)
      const paths = all.filter(({ current }) => current).map(({ path }) => path)
      expect(paths).toEqual(Array.from({ length: 100 }, () => '/api/v1/identity/me'))
    }, 30_000)
  })
})
