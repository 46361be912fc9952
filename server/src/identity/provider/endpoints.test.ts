import { beforeAll, describe, expect, test } from 'vitest'
import { withIdentity } from '../../../test/identity.ts'
import { postForm } from '../../../test/token.ts'
import { createClient } from '../clients/client-registry.ts'
import type { TokenSet } from '../tokens/tokens.ts'
import type { User } from '../users/users.ts'

const kontor = withIdentity()
let user: User
beforeAll(async () => void (user = await kontor.identity.users.create({ name: 'emil', displayName: 'Emil' })))

const endpoint = (path: string) => `${kontor.issuer}/protocol/openid-connect/${path}`
const userinfo = (token: string, method = 'GET') =>
  fetch(endpoint('userinfo'), { method, headers: { authorization: `Bearer ${token}` } })
/** Calls an endpoint as the public client; introspection needs an access token. */
const ask = async (path: string, token: string) => {
  const { access_token: own } = await kontor.identity.issueTokens(user)
  const authorization = path === 'revoke' ? undefined : `Bearer ${own}`
  return postForm(endpoint(path), { token, client_id: 'kontor-ui' }, authorization)
}

describe('userinfo', () => {
  test.each(['GET', 'POST'])('returns the user of a token by %s', async (method) => {
    const { access_token: token } = await kontor.identity.issueTokens(user)
    const reply = await userinfo(token, method)
    expect(await reply.json()).toEqual({ sub: user.id, preferred_username: 'emil', name: 'Emil' })
  })

  test('refuses an invalid token and names the authentication scheme', async () => {
    const reply = await userinfo('a.b.c')
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(await reply.json()).toMatchObject({ error: 'invalid_token' })
  })

  test('refuses a token that was not issued for openid', async () => {
    const { access_token: token } = await kontor.identity.issueTokens(user, 'email')
    const reply = await userinfo(token)
    expect(reply.status).toBe(403)
    expect(await reply.json()).toMatchObject({ error: 'insufficient_scope' })
  })
})

describe('introspection and revocation', () => {
  const kinds: [string, string, (tokens: TokenSet) => string][] = [
    ['an access token', 'openid', (tokens) => tokens.access_token],
    ['a refresh token', 'openid', (tokens) => tokens.refresh_token],
    ['an offline token', 'openid offline_access', (tokens) => tokens.refresh_token],
  ]
  test.each(kinds)('%s is active until it is revoked', async (_, scope, pick) => {
    const tokens = await kontor.identity.issueTokens(user, scope)
    const active = await ask('token/introspect', pick(tokens))
    expect(active.body).toMatchObject({ active: true, sub: user.id, client_id: 'kontor-ui', scope })
    expect(await ask('revoke', pick(tokens))).toMatchObject({ status: 200, body: {} })
    expect((await ask('token/introspect', pick(tokens))).body).toEqual({ active: false })
  })

  test('revoking an offline token ends the access tokens issued with it', async () => {
    const tokens = await kontor.identity.issueTokens(user, 'openid offline_access')
    await ask('revoke', tokens.refresh_token)
    expect((await userinfo(tokens.access_token)).status).toBe(401)
  })

  test('an invalid token is inactive, and revoking it is not an error', async () => {
    expect((await ask('token/introspect', 'rubbish')).body).toEqual({ active: false })
    expect(await ask('revoke', 'rubbish')).toMatchObject({ status: 200 })
  })

  test.each([
    ['no token', {}, 400, 'invalid_request'],
    ['no client', { token: 'x' }, 401, 'invalid_client'],
    ['an unknown client', { token: 'x', client_id: 'other' }, 401, 'invalid_client'],
    ['too much', { token: 'x'.repeat(70_000), client_id: 'kontor-ui' }, 413, 'invalid_request'],
  ])('with %s they refuse', async (_, fields, status, error) => {
    for (const path of ['token/introspect', 'revoke']) {
      expect(await postForm(endpoint(path), fields)).toMatchObject({ status, body: { error } })
    }
  })

  describe('by a client with a secret', () => {
    let secret: string
    beforeAll(async () => void ({ secret } = await createClient(kontor.db, { id: 'shop:api' })))
    const basic = (id: string, password: string) =>
      `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(password)}`).toString('base64')}`

    test('introspection describes tokens of every client', async () => {
      const { access_token: token } = await kontor.identity.issueTokens(user)
      const answers = [
        await postForm(endpoint('token/introspect'), { token }, basic('shop:api', secret)),
        await postForm(endpoint('token/introspect'), { token, client_id: 'shop:api', client_secret: secret }),
      ]
      for (const { body } of answers) expect(body).toMatchObject({ active: true, client_id: 'kontor-ui' })
    })

    test('revocation ends only tokens of the same client', async () => {
      const { access_token: token } = await kontor.identity.issueTokens(user)
      expect(await postForm(endpoint('revoke'), { token }, basic('shop:api', secret))).toMatchObject({ status: 200 })
      expect((await userinfo(token)).status).toBe(200)
    })

    test.each([
      ['a wrong secret', () => basic('shop:api', 'guess')],
      ['no secret', () => basic('shop:api', '')],
      ['the public client', () => basic('kontor-ui', '')],
      ['another scheme', () => 'Digest x'],
      ['broken percent signs', () => `Basic ${Buffer.from('%zz:%zz').toString('base64')}`],
    ])('with %s introspection is refused', async (_, authorization) => {
      const reply = await postForm(endpoint('token/introspect'), { token: 'x' }, authorization())
      expect(reply).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(reply.headers.get('www-authenticate')).toBe('Basic')
    })
  })

  test('introspection without authentication is refused, so that nobody can try out tokens', async () => {
    const reply = await postForm(endpoint('token/introspect'), { token: 'x', client_id: 'kontor-ui' })
    expect(reply).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  test('a repeated parameter or a body that is not a form is refused', async () => {
    const twice = await fetch(endpoint('revoke'), { method: 'POST', body: new URLSearchParams('token=a&token=b') })
    expect(twice.status).toBe(400)
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    expect((await fetch(endpoint('revoke'), json)).status).toBe(415)
  })
})
