import { describe, expect, test } from 'vitest'
import { withServer } from '../../test/server.ts'

const path = '/api/core/v1/common/locales/retrieve'
const origin = 'https://shop.example'

describe('without an allow-list', () => {
  const api = withServer()
  test('no other origin is allowed, and replies have no CORS headers', async () => {
    const reply = await api.post(path, { mode: 'ALL' }, { headers: { origin } })
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
    const asked = await api.app.http.inject({
      method: 'OPTIONS',
      url: path,
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(asked.statusCode).toBeGreaterThanOrEqual(400)
    expect(asked.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('with an allow-list', () => {
  const api = withServer({ KONTOR_CORS_ORIGINS: `${origin}, https://other.example:8443` })
  const preflight = (from: string, url = path) =>
    api.app.http.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })

  test('a script of a listed origin may send a preflight and then call', async () => {
    const asked = await preflight(origin)
    expect(asked.statusCode).toBe(204)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    })
    const reply = await api.post(path, { mode: 'ALL' }, { headers: { origin } })
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      vary: expect.stringContaining('Origin'),
    })
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('the script can read an error reply too', async () => {
    const reply = await api.post(path, {}, { headers: { origin }, token: null })
    expect(reply.status).toBe(401)
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': origin })
  })

  test.each(['https://evil.example', 'http://shop.example', 'https://shop.example.evil.example', 'null'])(
    '%s is not allowed',
    async (from) => {
      expect((await preflight(from)).headers).not.toHaveProperty('access-control-allow-origin')
      const reply = await api.post(path, { mode: 'ALL' }, { headers: { origin: from } })
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  test('the token endpoint allows it too, for a console on another host', async () => {
    const token = '/auth/realms/kontor/protocol/openid-connect/token'
    expect((await preflight(origin, token)).statusCode).toBe(204)
    const form = 'grant_type=password&client_id=kontor-ui&username=x&password=y'
    const type = 'application/x-www-form-urlencoded'
    const reply = await api.post(token, form, { token: null, type, headers: { origin } })
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': origin })
  })
})

test('an origin with a path, or a star, is refused at startup', async () => {
  const { readConfig } = await import('../config.ts')
  for (const value of ['*', 'https://shop.example/', 'shop.example']) {
    expect(() => readConfig({ KONTOR_CORS_ORIGINS: value })).toThrow('KONTOR_CORS_ORIGINS: expected origins')
  }
})
