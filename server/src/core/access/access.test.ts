import { common, type Resource } from '@kontor/contract'
import fastify from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { openConnection } from '../../../test/connection.ts'
import { withServer } from '../../../test/server.ts'
import { Problem } from '../../errors.ts'
import { callerOf, guardRoutes } from './access.ts'
import { answerFailures } from '../http/failure.ts'

const api = withServer()
const retrieve = `${common.base}/keywords/retrieve`

describe('without a valid token', () => {
  const routes = [
    ...Object.entries<Resource>(common.resources).flatMap(([name, resource]) =>
      (['query', 'retrieve', 'persist', 'perform'] as const)
        .filter((verb) => resource[verb])
        .map((verb) => ['POST', `/${name}/${verb}`])
        .concat(resource.bulk ? [['GET', `/${name}/bulk/1`]] : [])
        .concat(resource.bulk === 'write' ? [['POST', `/${name}/bulk`]] : []),
    ),
    ...Object.values(common.routes).map(({ method, path }) => [method, path]),
  ]
  test.each(routes)('%s %s is 401', async (method, path) => {
    const reply = await api.post(common.base + path, method === 'POST' ? {} : undefined, {
      method: method as 'POST',
      token: null,
    })
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toBe('Bearer')
    expect(reply.json.issues[0].itm[0].value).toBe('1003')
  })

  test.each([
    ['nonsense', 'Bearer nonsense'],
    ['another scheme', 'Basic a2ltOmtpbQ=='],
    ['no token', 'Bearer'],
    ['a token with a changed signature', undefined],
  ])('of %s, the call is 401', async (_, value) => {
    const changed = `Bearer ${api.token.slice(0, -4)}AAAA`
    const reply = await api.post(retrieve, {}, { token: null, headers: { authorization: value ?? changed } })
    expect(reply.status).toBe(401)
  })

  test('the body is not read', async () => {
    const connection = await openConnection(await api.listen())
    connection.head(`POST ${retrieve} HTTP/1.1`, 'content-type: application/json', 'content-length: 1000')
    await vi.waitUntil(() => connection.received().startsWith('HTTP/1.1 401'))
    connection.destroy()
  })
})

test('two Authorization headers are refused, even if one of them is valid', async () => {
  const { port } = api.app.http.server.address() as { port: number }
  const good = `authorization: Bearer ${api.token}`
  for (const [lines, status] of [
    [[good], 200],
    [[good, good], 401],
    [[good, 'Authorization: Bearer other'], 401],
  ] as const) {
    const connection = await openConnection(`http://127.0.0.1:${port}`)
    connection.head(`POST ${retrieve} HTTP/1.1`, ...lines, 'content-length: 0')
    await vi.waitUntil(() => connection.received().startsWith('HTTP/1.1 '))
    expect(connection.received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    connection.destroy()
  }
})

test('a user without a role is refused, with the status that the endpoint lists', async () => {
  const token = await api.tokenFor({ roles: [] })
  const reply = await api.post(retrieve, {}, { token })
  expect(reply.status).toBe(401)
  expect(reply.text).toContain('this call needs a role that may read keyword')
})

test('a token ends with its session', async () => {
  const token = await api.tokenFor({ name: 'leaving' })
  expect((await api.post(retrieve, {}, { token })).status).toBe(200)
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  await api.app.identity.endSession(sid)
  await vi.waitUntil(async () => (await api.post(retrieve, {}, { token })).status === 401, { timeout: 5000 })
})

describe('a route', () => {
  const guarded = () => {
    const app = fastify()
    guardRoutes(app, async ([value]) => {
      if (!value) throw new Problem('unauthorized', 'who are you?')
      const roles = new Set([value])
      const permissions = value === 'guest' ? [] : [{ kind: '*', actions: ['*'] }]
      return { userId: '1', userName: 'kim', roles, permissions }
    })
    answerFailures(app)
    return app
  }

  test('that declares no access keeps the server from starting', async () => {
    expect(() => guarded().get('/open', async () => 'x')).toThrow('GET /open declares no access')
    const app = guarded()
    app.register(async (inner) => void inner.get('/open', async () => 'x'), { prefix: '/inside' })
    await expect(app.ready()).rejects.toThrow('GET /inside/open declares no access')
  })

  test.each([
    ['public', undefined, 200],
    ['user', 'user', 200],
    ['user', 'admin', 200],
    ['user', 'guest', 403],
    ['user', undefined, 401],
    ['admin', 'admin', 200],
    ['admin', 'user', 403],
  ] as const)('for %s, called by %s, is answered %i', async (access, authorization, status) => {
    const app = guarded()
    app.get('/it', { config: { access } }, async () => 'x')
    const reply = await app.inject({ url: '/it', headers: { ...(authorization && { authorization }) } })
    expect(reply.statusCode).toBe(status)
  })

  test('answers a caller without the role with 401 where the interface lists no 403', async () => {
    const app = guarded()
    app.get('/it', { config: { access: 'admin', refusal: 'unauthorized' } }, async () => 'x')
    expect((await app.inject({ url: '/it', headers: { authorization: 'user' } })).statusCode).toBe(401)
  })

  test('that is public has no caller', async () => {
    const app = guarded()
    app.get('/it', { config: { access: 'public' } }, async (request) => callerOf(request).userName)
    expect((await app.inject('/it')).statusCode).toBe(500)
  })
})
