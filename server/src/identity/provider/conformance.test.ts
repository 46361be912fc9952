/**
 * Modules of the OpenID conformance suite (plans Basic OP, Config OP, RP-initiated logout), each under its own name.
 * docs/conformance-openid.md lists the modules that do not apply, with the reasons.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, logInAt, type Browser } from '../../../test/browser.ts'
import { password, withIdentity } from '../../../test/identity.ts'
import { postForm, requestToken } from '../../../test/token.ts'
import { createClient } from '../clients/client-registry.ts'
import type { User } from '../users/users.ts'

const kontor = withIdentity()
const callback = 'http://localhost:45454/callback'
const signedOut = 'http://localhost:45454/bye'
const verifier = 'v'.repeat(43)
const credentials = { name: 'anna', password }
let user: User
beforeAll(async () => {
  user = await kontor.identity.users.create({ name: 'anna', displayName: 'Anna', email: 'anna@example.com', password })
})

const endpoint = (path: string) => `${kontor.issuer}/protocol/openid-connect/${path}`
type Params = Record<string, string | undefined>
const present = (params: Params): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined))
const fieldsOf = (changes: Params = {}) => {
  const all: Params = {
    client_id: 'kontor-ui',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    state: 'a state',
    nonce: 'a nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  }
  return present(all)
}
const authorization = (changes?: Params) => `${endpoint('auth')}?${new URLSearchParams(fieldsOf(changes))}`
const redeem = (back: URL, more: Record<string, string> = {}) =>
  requestToken(kontor.issuer, {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    redirect_uri: callback,
    code_verifier: verifier,
    ...more,
  })

/** The whole flow with a browser that is not signed in yet. */
async function signIn(changes?: Params, browser = createBrowser()) {
  const back = await logInAt(browser, authorization(changes), callback, credentials)
  expect(back.searchParams.get('state')).toBe('a state')
  const { status, body } = await redeem(back)
  expect(status).toBe(200)
  return { browser, back, tokens: body, claims: decodeJwt(body.id_token!) }
}
/** The flow in a browser that is signed in; returns the redirect or the page. */
const again = async (browser: Browser, changes: Params) =>
  browser.follow(await browser.get(authorization(changes)), callback)
const userinfo = async (token: string, init: RequestInit = {}) =>
  (await fetch(endpoint('userinfo'), { ...init, headers: { authorization: `Bearer ${token}` } })).json()
const succeeds = (changes: Params) => async () => void (await signIn(changes))
const isLogin = (page: string | undefined) => page?.includes('<h1>Sign in</h1>')

const basic: Record<string, () => Promise<void>> = {
  'oidcc-server': async () => {
    const { tokens } = await signIn()
    const keys = createRemoteJWKSet(new URL(endpoint('certs')))
    const { payload } = await jwtVerify(tokens.id_token!, keys, { issuer: kontor.issuer, audience: 'kontor-ui' })
    expect(payload).toMatchObject({ sub: user.id, nonce: 'a nonce', auth_time: expect.any(Number) })
  },
  'oidcc-response-type-missing': async () => {
    const reply = await fetch(authorization({ response_type: undefined }), { redirect: 'manual' })
    expect(reply.headers.get('location') ?? (await reply.text())).toMatch(/invalid_request|response_type/)
  },
  'oidcc-userinfo-get': async () => {
    const { tokens } = await signIn()
    expect(await userinfo(tokens.access_token!)).toMatchObject({ sub: user.id })
  },
  'oidcc-userinfo-post-header': async () => {
    const { tokens } = await signIn()
    expect(await userinfo(tokens.access_token!, { method: 'POST' })).toMatchObject({ sub: user.id })
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async () => {
    const { claims } = await signIn({ nonce: undefined })
    expect(claims).not.toHaveProperty('nonce')
  },
  'oidcc-scope-profile': async () => {
    const { tokens } = await signIn({ scope: 'openid profile' })
    expect(await userinfo(tokens.access_token!)).toMatchObject({ name: 'Anna', preferred_username: 'anna' })
  },
  'oidcc-scope-email': async () => {
    const { tokens } = await signIn({ scope: 'openid email' })
    expect(await userinfo(tokens.access_token!)).toMatchObject({ email: 'anna@example.com' })
  },
  'oidcc-scope-all': succeeds({ scope: 'openid profile email address phone offline_access' }),
  'oidcc-alternate-happy-flow': async () => {
    const reversed = Object.entries(fieldsOf({ scope: 'email openid' })).toReversed()
    const address = `${endpoint('auth')}?${new URLSearchParams(reversed)}`
    expect((await redeem(await logInAt(createBrowser(), address, callback, credentials))).status).toBe(200)
  },
  'oidcc-ensure-other-scope-order-succeeds': succeeds({ scope: 'email openid' }),
  'oidcc-display-page': succeeds({ display: 'page' }),
  'oidcc-display-popup': succeeds({ display: 'popup' }),
  'oidcc-prompt-login': async () => {
    const { browser, claims } = await signIn()
    await pause(1100)
    const second = await signIn({ prompt: 'login' }, browser)
    expect(second.claims.auth_time).toBeGreaterThan(claims.auth_time as number)
  },
  'oidcc-prompt-none-not-logged-in': async () => {
    const { url } = await again(createBrowser(), { prompt: 'none' })
    expect(new URL(url).searchParams.get('error')).toBe('login_required')
  },
  'oidcc-prompt-none-logged-in': async () => {
    const { browser, claims } = await signIn()
    const { body } = await redeem(new URL((await again(browser, { prompt: 'none' })).url))
    expect(decodeJwt(body.id_token!)).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time })
  },
  'oidcc-max-age-1': async () => {
    const { browser, claims } = await signIn()
    await pause(2100)
    const second = await signIn({ max_age: '1' }, browser)
    expect(second.claims.auth_time).toBeGreaterThan(claims.auth_time as number)
  },
  'oidcc-max-age-10000': async () => {
    const { browser, claims } = await signIn()
    const { body } = await redeem(new URL((await again(browser, { max_age: '10000' })).url))
    expect(decodeJwt(body.id_token!)).toMatchObject({ auth_time: claims.auth_time })
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeeds({ extra: 'foobar' }),
  'oidcc-id-token-hint': async () => {
    const { browser, tokens, claims } = await signIn()
    const { url } = await again(browser, { prompt: 'none', id_token_hint: tokens.id_token })
    expect(decodeJwt((await redeem(new URL(url))).body.id_token!).sub).toBe(claims.sub)
  },
  'oidcc-login-hint': async () => {
    const { page } = await again(createBrowser(), { login_hint: 'anna' })
    expect(page).toContain('value="anna"')
  },
  'oidcc-ui-locales': succeeds({ ui_locales: 'se' }),
  'oidcc-claims-locales': succeeds({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': succeeds({ acr_values: '1 2' }),
  'oidcc-codereuse': async () => {
    const { back, tokens } = await signIn()
    expect(await redeem(back)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await expect(kontor.identity.verify(`Bearer ${tokens.access_token}`)).rejects.toThrow()
  },
  'oidcc-ensure-registered-redirect-uri': async () => {
    const reply = await fetch(authorization({ redirect_uri: 'https://elsewhere.example/callback' }), {
      redirect: 'manual',
    })
    expect(reply.status).toBe(400)
    expect(reply.headers.get('location')).toBeNull()
  },
  'oidcc-ensure-post-request-succeeds': async () => {
    const browser = createBrowser()
    const sent = await browser.post(endpoint('auth'), fieldsOf())
    const { url: form, page } = await browser.follow(sent, callback)
    expect(isLogin(page)).toBe(true)
    const reply = await browser.post(form, { username: 'anna', password })
    expect((await redeem(new URL((await browser.follow(reply, callback)).url))).status).toBe(200)
  },
  'oidcc-server-client-secret-post': async () => {
    const { secret } = await createClient(kontor.db, { id: 'posting', redirectUris: [callback] })
    const back = await logInAt(createBrowser(), authorization({ client_id: 'posting' }), callback, credentials)
    expect(await redeem(back, { client_id: 'posting', client_secret: secret })).toMatchObject({ status: 200 })
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const request = `${part({ alg: 'none' })}.${part({ ...fieldsOf(), state: 'another' })}.`
    const { url } = await again(createBrowser(), { request })
    expect(new URL(url).searchParams.get('error')).toBe('request_not_supported')
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': async () => {
    const { url } = await again(createBrowser(), { request_uri: 'https://client.example/request.jwt' })
    expect(new URL(url).searchParams.get('error')).toBe('request_uri_not_supported')
  },
  'oidcc-refresh-token': async () => {
    const { tokens, claims } = await signIn({ scope: 'openid offline_access' })
    const { body } = await requestToken(kontor.issuer, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token!,
    })
    expect(decodeJwt(body.id_token!)).toMatchObject({ iss: claims.iss, sub: claims.sub, aud: claims.aud })
    const wrong = { grant_type: 'refresh_token', refresh_token: body.refresh_token!, client_id: 'posting' }
    expect((await requestToken(kontor.issuer, wrong)).status).toBeGreaterThanOrEqual(400)
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': succeeds({}),
}

const configuration: Record<string, () => Promise<void>> = {
  'oidcc-discovery-endpoint-verification': async () => {
    const found = (await (await fetch(`${kontor.issuer}/.well-known/openid-configuration`)).json()) as Params
    expect(found).toMatchObject({
      issuer: kontor.issuer,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    })
    for (const name of ['claims', 'request']) expect(found[`${name}_parameter_supported`] ?? false).toBe(false)
    for (const name of ['authorization', 'token', 'userinfo', 'end_session', 'introspection', 'revocation']) {
      expect(found[`${name}_endpoint`]).toMatch(kontor.issuer)
    }
    const { keys } = (await (await fetch(found.jwks_uri!)).json()) as { keys: { kid: string; use: string }[] }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
  },
}

const logoutAt = (browser: Browser, params: Params) =>
  browser.get(`${endpoint('logout')}?${new URLSearchParams(present(params))}`)
const stillSignedIn = async (browser: Browser) =>
  new URL((await again(browser, { prompt: 'none' })).url).searchParams.get('error') !== 'login_required'
/** Submits the page that asks for confirmation. */
async function confirm(browser: Browser, reply: Response): Promise<Response> {
  const page = await reply.text()
  const [, action = ''] = /action="([^"]+)"/.exec(page)!
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page)!
  return browser.post(action, { xsrf, logout: 'yes' })
}

const logout: Record<string, () => Promise<void>> = {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': async () => {
    const found = (await (await fetch(`${kontor.issuer}/.well-known/openid-configuration`)).json()) as Params
    expect(found.end_session_endpoint).toBe(endpoint('logout'))
  },
  'oidcc-rp-initiated-logout': async () => {
    const { browser, tokens } = await signIn()
    const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOut, state: 'bye' }
    expect((await logoutAt(browser, hint)).headers.get('location')).toBe(`${signedOut}?state=bye`)
    expect(await stillSignedIn(browser)).toBe(false)
  },
  'oidcc-rp-initiated-logout-bad-id-token-hint': async () => {
    const { browser } = await signIn()
    const reply = await logoutAt(browser, { id_token_hint: 'rubbish', post_logout_redirect_uri: signedOut })
    expect(reply.status).toBe(400)
    expect(await stillSignedIn(browser)).toBe(true)
  },
  'oidcc-rp-initiated-logout-modified-id-token-hint': async () => {
    const { browser, tokens } = await signIn()
    const changed = `${tokens.id_token!.slice(0, -6)}AAAAAA`
    expect((await logoutAt(browser, { id_token_hint: changed, post_logout_redirect_uri: signedOut })).status).toBe(400)
    expect(await stillSignedIn(browser)).toBe(true)
  },
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': async () => {
    const { browser, tokens } = await signIn()
    const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: 'https://elsewhere.example/' }
    const reply = await logoutAt(browser, hint)
    expect(reply.status).toBe(400)
    expect(reply.headers.get('location')).toBeNull()
  },
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': async () => {
    await createClient(kontor.db, { id: 'exact', redirectUris: [callback] })
    const hint = { client_id: 'exact', post_logout_redirect_uri: `${callback}?foo=bar` }
    expect((await logoutAt(createBrowser(), hint)).status).toBe(400)
  },
  'oidcc-rp-initiated-logout-no-id-token-hint': async () => {
    const { browser } = await signIn()
    const reply = await logoutAt(browser, { client_id: 'kontor-ui', post_logout_redirect_uri: signedOut, state: 'bye' })
    expect((await confirm(browser, reply)).headers.get('location')).toBe(`${signedOut}?state=bye`)
    expect(await stillSignedIn(browser)).toBe(false)
  },
  'oidcc-rp-initiated-logout-no-params': async () => {
    const { browser } = await signIn()
    await confirm(browser, await logoutAt(browser, {}))
    expect(await stillSignedIn(browser)).toBe(false)
  },
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': async () => {
    const { browser, tokens } = await signIn()
    expect(await (await logoutAt(browser, { id_token_hint: tokens.id_token })).text()).toContain('You are signed out')
    expect(await stillSignedIn(browser)).toBe(false)
  },
  'oidcc-rp-initiated-logout-no-state': async () => {
    const { browser, tokens } = await signIn()
    const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOut }
    expect((await logoutAt(browser, hint)).headers.get('location')).toBe(signedOut)
  },
  'oidcc-rp-initiated-logout-only-state': async () => {
    const { browser } = await signIn()
    await confirm(browser, await logoutAt(browser, { state: 'bye' }))
    expect(await stillSignedIn(browser)).toBe(false)
  },
}

describe('Basic OP', () => test.each(Object.entries(basic))('%s', (_, module) => module()))
describe('Config OP', () => test.each(Object.entries(configuration))('%s', (_, module) => module()))
describe('RP-initiated logout', () => test.each(Object.entries(logout))('%s', (_, module) => module()))

test('a module is either tested here or listed with a reason', () => {
  const page = readFileSync(new URL('../../../../docs/conformance-openid.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| (oidcc-[\w-]+) +\| \S/gm)].map(([, name]) => name!)
  const tested = Object.keys({ ...basic, ...configuration, ...logout })
  expect(tested.filter((name) => listed.includes(name))).toEqual([])
  expect([tested.length, listed.length]).toEqual([43, 8])
})

test('a token that the form of userinfo carries is not looked at', async () => {
  const { tokens } = await signIn()
  const reply = await postForm(endpoint('userinfo'), { access_token: tokens.access_token! })
  expect(reply.status).toBe(401)
})
