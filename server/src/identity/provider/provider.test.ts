import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose'
import * as client from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, type Browser } from '../../../test/browser.ts'
import { password, withIdentity } from '../../../test/identity.ts'
import { requestToken } from '../../../test/token.ts'
import { createClient } from '../clients/client-registry.ts'
import type { User } from '../users/users.ts'

const kontor = withIdentity()
const callback = 'http://127.0.0.1:45454/callback'
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
let user: User
beforeAll(async () => {
  user = await kontor.identity.users.create({ name: 'anna', email: 'anna@example.com', password })
})

const endpoint = (path: string) => `${kontor.issuer}/protocol/openid-connect/${path}`
const json = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>

function authorizationUrl(changes: Record<string, string | undefined> = {}): string {
  const params = {
    client_id: 'kontor-ui',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    state: 'where I was',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${endpoint('auth')}?${new URLSearchParams(given)}`
}

async function logIn(browser: Browser, url: string, name = 'anna'): Promise<URL> {
  const { url: form, page } = await browser.follow(await browser.get(url), callback)
  expect(page).toContain('<h1>Sign in</h1>')
  const reply = await browser.post(form, { username: name, password }, { origin: kontor.baseUrl })
  expect(reply.status).toBe(303)
  return new URL((await browser.follow(reply, callback)).url)
}

const redeem = (code: string, changes: Record<string, string> = {}) => {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier, ...changes }
  return requestToken(kontor.issuer, fields)
}
const codeIn = (url: URL) => url.searchParams.get('code')!

describe('discovery', () => {
  test('lists every endpoint under the base URL, even if the request names another host', async () => {
    const reply = await fetch(`${kontor.issuer}/.well-known/openid-configuration`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(await reply.json()).toMatchObject({
      issuer: kontor.issuer,
      authorization_endpoint: endpoint('auth'),
      token_endpoint: endpoint('token'),
      userinfo_endpoint: endpoint('userinfo'),
      jwks_uri: endpoint('certs'),
      end_session_endpoint: endpoint('logout'),
      introspection_endpoint: endpoint('token/introspect'),
      revocation_endpoint: endpoint('revoke'),
      response_types_supported: ['code'],
      grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token', 'password']),
      scopes_supported: ['openid', 'offline_access', 'profile', 'email'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      id_token_signing_alg_values_supported: ['ES256'],
    })
  })

  test('publishes the public keys, which verify the tokens', async () => {
    const keys = (await json(endpoint('certs'))) as unknown as JSONWebKeySet
    const members = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }
    const text = expect.any(String)
    const key = { ...members, kid: text, x: text, y: text }
    expect(keys).toEqual({ keys: [key, key] }) // the current key and the next one
    const { access_token: token } = await kontor.identity.issueTokens(user)
    await expect(jwtVerify(token, createLocalJWKSet(keys))).resolves.toBeTruthy()
  })
})

describe('the code flow', () => {
  test('leads through the login page back to the client and yields tokens', async () => {
    const browser = createBrowser()
    const back = await logIn(browser, authorizationUrl({ nonce: 'n-1' }))
    expect(back.searchParams.get('state')).toBe('where I was')
    expect(back.searchParams.get('iss')).toBe(kontor.issuer)
    const { status, body } = await redeem(codeIn(back))
    expect(status).toBe(200)
    expect(decodeJwt(body.id_token!)).toMatchObject({ sub: user.id, nonce: 'n-1', aud: 'kontor-ui' })
    expect(await kontor.identity.verify(`Bearer ${body.access_token}`)).toMatchObject({ userName: 'anna' })
  })

  test('asks for the password once: the browser stays signed in, in the same session', async () => {
    const browser = createBrowser()
    const first = await redeem(codeIn(await logIn(browser, authorizationUrl())))
    const { url } = await browser.follow(await browser.get(authorizationUrl({ prompt: 'none' })), callback)
    const second = await redeem(codeIn(new URL(url)))
    const [before, after] = [first, second].map(({ body }) => decodeJwt(body.access_token!).sid)
    expect(after).toBe(before)
  })

  test('issues an offline token on request, with its own session', async () => {
    const back = await logIn(createBrowser(), authorizationUrl({ scope: 'openid offline_access' }))
    const { body } = await redeem(codeIn(back))
    expect(decodeJwt(body.refresh_token!)).toMatchObject({ typ: 'Offline' })
    const exchanged = await requestToken(kontor.issuer, {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token!,
    })
    expect(decodeJwt(exchanged.body.access_token!).sid).not.toBe(decodeJwt(body.access_token!).sid)
  })

  test('a code works once; a second use ends the tokens issued with it', async () => {
    const code = codeIn(await logIn(createBrowser(), authorizationUrl({ scope: 'openid offline_access' })))
    const first = await redeem(code)
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await expect(kontor.identity.verify(`Bearer ${first.body.access_token}`)).rejects.toThrow('session has ended')
    const refresh = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token! }
    expect(await requestToken(kontor.issuer, refresh)).toMatchObject({ status: 400 })
  })

  test('of many concurrent requests with one code, exactly one succeeds', async () => {
    const code = codeIn(await logIn(createBrowser(), authorizationUrl()))
    const replies = await Promise.all(Array.from({ length: 10 }, () => redeem(code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test.each([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:45454/other' }],
    ['another code', { code: 'x'.repeat(43) }],
  ])('refuses a code with %s', async (_, changes) => {
    const code = codeIn(await logIn(createBrowser(), authorizationUrl()))
    expect(await redeem(code, changes)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test.each([
    ['a foreign redirect address', { redirect_uri: 'https://evil.example/callback' }, 'redirect_uri'],
    ['an unknown client', { client_id: 'other' }, 'client is invalid'],
  ])('shows an error page for %s and does not redirect', async (_, changes, words) => {
    const { url, page } = await createBrowser().follow(await fetch(authorizationUrl(changes)), callback)
    expect(url).toBe(authorizationUrl(changes))
    expect(page).toContain(words)
  })

  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for an implicit token', { response_type: 'token' }, 'unsupported_response_type'],
    ['with prompt=none and no session', { prompt: 'none' }, 'login_required'],
  ])('a request %s is sent back with an error', async (_, changes, error) => {
    const reply = await fetch(authorizationUrl(changes), { redirect: 'manual' })
    const location = new URL(reply.headers.get('location')!.replace('#', '?'))
    expect(location.searchParams.get('error')).toBe(error)
  })
})

describe('the login page', () => {
  const open = async (browser: Browser, url = authorizationUrl()) => browser.follow(await browser.get(url), callback)

  test('is static, needs no script, and has a strict content security policy', async () => {
    const browser = createBrowser()
    const { url } = await open(browser)
    const reply = await browser.get(url)
    const policy = reply.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' http://127.0.0.1:45454")
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(await reply.text()).not.toMatch(/<script|<style| style=| on\w+=/)
    expect((await fetch(`${kontor.issuer}/login.css`)).headers.get('content-type')).toContain('text/css')
  })

  test('reports a wrong password and escapes the user name', async () => {
    const browser = createBrowser()
    const { url } = await open(browser)
    const reply = await browser.post(url, { username: '"><script>alert(1)</script>', password: 'wrong' })
    expect(reply.status).toBe(401)
    const page = await reply.text()
    expect(page).toContain('User name or password is wrong.')
    expect(page).not.toContain('<script>')
    expect(page).toContain('&quot;&gt;&lt;script&gt;')
  })

  test('refuses another browser, another address, and a form of another site', async () => {
    const browser = createBrowser()
    const { url } = await open(browser)
    const fields = { username: 'anna', password }
    expect((await createBrowser().post(url, fields)).status).toBe(400)
    expect((await browser.post(`${url}x`, fields)).status).toBe(400)
    expect((await browser.post(url, fields, { origin: 'https://evil.example' })).status).toBe(400)
    expect((await browser.post(url, fields, { origin: 'null', 'sec-fetch-site': 'cross-site' })).status).toBe(400)
    for (const origin of [kontor.baseUrl, 'null']) {
      expect((await browser.post(url, fields, { origin })).status).toBe(303)
    }
  })

  test('is shown again to a user who was disabled meanwhile', async () => {
    const { id } = await kontor.identity.users.create({ name: 'berta', password })
    const browser = createBrowser()
    await logIn(browser, authorizationUrl(), 'berta')
    await kontor.db.pool.query('update user_account set enabled = false where id = $1', [id])
    expect((await open(browser)).page).toContain('<h1>Sign in</h1>')
  })
})

test('signing in as another user first ends all sessions of the browser', async () => {
  await kontor.identity.users.create({ name: 'cora', password })
  const browser = createBrowser()
  const anna = await redeem(codeIn(await logIn(browser, authorizationUrl())))
  const { url: form } = await browser.follow(await browser.get(authorizationUrl({ prompt: 'login' })), callback)
  const { page } = await browser.follow(await browser.post(form, { username: 'cora', password }), callback)
  const [, action] = /action="([^"]+)"/.exec(page!)!
  const fields = [...page!.matchAll(/name="(\w+)" value="([^"]+)"/g)].map(([, name, value]) => [name, value])
  const done = await browser.follow(await browser.post(action!, Object.fromEntries(fields)), callback)
  const cora = await redeem(codeIn(new URL(done.url)))
  expect(await kontor.identity.verify(`Bearer ${cora.body.access_token}`)).toMatchObject({ userName: 'cora' })
  await expect(kontor.identity.verify(`Bearer ${anna.body.access_token}`)).rejects.toThrow('session has ended')
})

test('NUL characters, which PostgreSQL cannot store, cause no server error', async () => {
  const back = await logIn(createBrowser(), authorizationUrl({ state: 'a\0b', nonce: '\0' }))
  expect(back.searchParams.get('state')).toBe('a\0b')
  expect((await fetch(authorizationUrl({ client_id: 'kontor-ui\0' }))).status).toBe(400)
  const grant = { grant_type: 'password', username: 'anna\0', password: '\0', scope: 'openid' }
  expect(await requestToken(kontor.issuer, grant)).toMatchObject({ status: 401, body: { error: 'invalid_grant' } })
  expect(await requestToken(kontor.issuer, { ...grant, client_id: '\0' })).toMatchObject({ status: 401 })
  expect(await redeem('\0')).toMatchObject({ status: 400 })
})

test('the database contains no codes in plain text', async () => {
  const browser = createBrowser()
  const code = codeIn(await logIn(browser, authorizationUrl({ scope: 'openid offline_access' })))
  const { rows } = await kontor.db.pool.query('select row_to_json(m)::text as text from oidc_model m')
  expect(rows.map(({ text }) => text).join()).not.toContain(code)
})

test.each([
  ['basic', client.ClientSecretBasic],
  ['post', client.ClientSecretPost],
])('openid-client works for a confidential client (%s): its own token, introspection, sign-in', async (id, method) => {
  const { secret } = await createClient(kontor.db, { id, redirectUris: [callback], roles: ['reader'] })
  const options = { execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(kontor.issuer), id, undefined, method(secret), options)
  const own = await client.clientCredentialsGrant(config, { scope: 'openid' })
  expect(own).not.toHaveProperty('refresh_token')
  const principal = { userName: `service-account-${id}`, roles: new Set(['reader']), clientId: id }
  expect(await kontor.identity.verify(`Bearer ${own.access_token}`)).toMatchObject(principal)
  expect(await client.tokenIntrospection(config, own.access_token)).toMatchObject({ active: true, client_id: id })

  const back = await logIn(createBrowser(), authorizationUrl({ client_id: id }))
  const checks = { pkceCodeVerifier: verifier, expectedState: 'where I was' }
  const tokens = await client.authorizationCodeGrant(config, back, checks)
  expect(tokens.claims()).toMatchObject({ sub: user.id, aud: id })
  const elsewhere = authorizationUrl({ client_id: id, redirect_uri: `${callback}/more` })
  expect((await fetch(elsewhere, { redirect: 'manual' })).status).toBe(400)
  const wrong = await client.discovery(new URL(kontor.issuer), id, undefined, method('guess'), options)
  await expect(client.clientCredentialsGrant(wrong)).rejects.toMatchObject({ status: 401 })
})

test('the public client cannot use client credentials', async () => {
  const reply = await requestToken(kontor.issuer, { grant_type: 'client_credentials' })
  expect(reply).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
})
