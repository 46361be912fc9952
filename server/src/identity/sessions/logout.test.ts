import { beforeAll, expect, test } from 'vitest'
import { createBrowser, type Browser } from '../../../test/browser.ts'
import { masterKey, password, withIdentity } from '../../../test/identity.ts'
import { postForm, requestToken } from '../../../test/token.ts'
import { createHash } from 'node:crypto'
import { createKeys } from '../tokens/keys.ts'

const kontor = withIdentity()
const verifier = 'v'.repeat(43)
const callback = 'http://localhost:45454/callback'
beforeAll(async () => void (await kontor.identity.users.create({ name: 'dora', password })))

const logoutUrl = (params: Record<string, string> = {}) =>
  `${kontor.issuer}/protocol/openid-connect/logout?${new URLSearchParams(params)}`
const accepted = (token: string | undefined) =>
  kontor.identity.verify(`Bearer ${token}`).then(
    () => true,
    () => false,
  )
const authorizationUrl = () =>
  `${kontor.issuer}/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'kontor-ui',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid offline_access',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`

async function signedIn(browser: Browser) {
  const { url: form } = await browser.follow(await browser.get(authorizationUrl()), callback)
  const reply = await browser.post(form, { username: 'dora', password })
  const code = new URL((await browser.follow(reply, callback)).url).searchParams.get('code')!
  const fields = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  return (await requestToken(kontor.issuer, fields)).body
}
const mustSignInAgain = async (browser: Browser) =>
  (await browser.follow(await browser.get(authorizationUrl()), callback)).page?.includes('<h1>Sign in</h1>')

test('an ID token as hint signs out at once: tokens end, the browser is signed out, the offline token stays valid', async () => {
  const browser = createBrowser()
  const tokens = await signedIn(browser)
  const hint = { id_token_hint: tokens.id_token!, post_logout_redirect_uri: callback, state: 's 1' }
  const reply = await browser.get(logoutUrl(hint))
  expect(reply.status).toBe(302)
  expect(reply.headers.get('location')).toBe(`${callback}?state=s+1`)
  expect(await accepted(tokens.access_token)).toBe(false)
  expect(await mustSignInAgain(browser)).toBe(true)
  const exchanged = await requestToken(kontor.issuer, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token!,
  })
  expect(await accepted(exchanged.body.access_token)).toBe(true)
})

test('without a redirect address a page confirms the logout; the request may also be a posted form', async () => {
  for (const send of [
    (hint: string) => fetch(logoutUrl({ id_token_hint: hint })),
    (hint: string) => fetch(logoutUrl(), { method: 'POST', body: new URLSearchParams({ id_token_hint: hint }) }),
  ]) {
    const tokens = await signedIn(createBrowser())
    const reply = await send(tokens.id_token!)
    expect(await reply.text()).toContain('You are signed out')
    expect(await accepted(tokens.access_token)).toBe(false)
  }
})

test('without a hint the user is asked to confirm first', async () => {
  const browser = createBrowser()
  const tokens = await signedIn(browser)
  const reply = await browser.get(logoutUrl({ client_id: 'kontor-ui', post_logout_redirect_uri: callback }))
  const page = await reply.text()
  expect(page).toContain('Sign out?')
  expect(reply.headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:45454")
  expect(await accepted(tokens.access_token)).toBe(true)

  const [, action] = /action="([^"]+)"/.exec(page)!
  const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(page)!
  expect((await browser.post(action!, { xsrf: 'guessed', logout: 'yes' })).status).toBe(400)
  expect(await accepted(tokens.access_token)).toBe(true)
  const done = await browser.post(action!, { xsrf: xsrf!, logout: 'yes' })
  expect(done.headers.get('location')).toBe(callback)
  expect(await accepted(tokens.access_token)).toBe(false)
  expect(await mustSignInAgain(browser)).toBe(true)
})

test.each([
  ['a hint that is not a token', { id_token_hint: 'rubbish' }],
  ['an access token as hint', { id_token_hint: 'access' }],
  ['a hint of another client', { id_token_hint: 'id', client_id: 'other' }],
  ['a foreign redirect address', { id_token_hint: 'id', post_logout_redirect_uri: 'https://evil.example/' }],
])('refuses %s and ends nothing', async (_, params) => {
  const tokens = await signedIn(createBrowser())
  const hint = tokens[`${params.id_token_hint}_token`] ?? params.id_token_hint
  const reply = await fetch(logoutUrl({ ...params, id_token_hint: hint }), { redirect: 'manual' })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: 'invalid_request' })
  expect(await accepted(tokens.access_token)).toBe(true)
})

test('an invalid refresh token, or one of another client, is refused', async () => {
  const { refresh_token: token } = await signedIn(createBrowser())
  for (const fields of [
    { refresh_token: 'rubbish', client_id: 'kontor-ui' },
    { refresh_token: token!, client_id: 'x' },
  ]) {
    expect(await postForm(logoutUrl(), fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  }
})

test('an expired ID token still ends its session', async () => {
  const tokens = await signedIn(createBrowser())
  const [key] = (await createKeys(kontor.db, 'ES256', masterKey)).all()
  const { SignJWT, importJWK, decodeJwt, decodeProtectedHeader } = await import('jose')
  const old = await new SignJWT({ ...decodeJwt(tokens.id_token!), exp: 1 })
    .setProtectedHeader(decodeProtectedHeader(tokens.id_token!) as { alg: string })
    .sign(await importJWK(key!, 'ES256'))
  await fetch(logoutUrl({ id_token_hint: old }))
  expect(await accepted(tokens.access_token)).toBe(false)
})
