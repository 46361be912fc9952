/** Common OpenID client libraries work with the server unchanged, for both signature algorithms. */
import { decodeProtectedHeader } from 'jose'
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, logInAt } from '../../../test/browser.ts'
import { password, withIdentity } from '../../../test/identity.ts'
import type { User } from '../users/users.ts'

const callback = 'http://localhost:45454/callback'
const signedOut = 'http://localhost:45454/bye'

describe.each(['ES256', 'RS256'] as const)('with %s', (algorithm) => {
  const kontor = withIdentity({ algorithm })
  let user: User
  beforeAll(async () => {
    user = await kontor.identity.users.create({ name: 'anna', email: 'anna@example.com', password })
  })
  const person = () => ({ sub: user.id, preferred_username: 'anna', name: 'anna', email: 'anna@example.com' })
  const accepted = (token: string) =>
    kontor.identity.verify(`Bearer ${token}`).then(
      () => true,
      () => false,
    )

  test('openid-client: code flow, userinfo, refresh, revocation, logout', async () => {
    const options = { execute: [openid.allowInsecureRequests] }
    const config = await openid.discovery(new URL(kontor.issuer), 'kontor-ui', undefined, openid.None(), options)
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const expectedNonce = openid.randomNonce()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid profile email offline_access',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    })
    const browser = createBrowser()
    const back = await logInAt(browser, url.href, callback, { name: 'anna', password })
    const checks = { pkceCodeVerifier, expectedState, expectedNonce }
    const tokens = await openid.authorizationCodeGrant(config, back, checks)
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: algorithm, typ: 'at+jwt' })
    expect(tokens.claims()).toMatchObject({ sub: user.id })
    expect(await openid.fetchUserInfo(config, tokens.access_token, user.id)).toEqual(person())
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    expect(await accepted(refreshed.access_token)).toBe(true)
    const hint = { id_token_hint: tokens.id_token!, post_logout_redirect_uri: signedOut, state: 'bye' }
    const left = await browser.get(openid.buildEndSessionUrl(config, hint).href)
    expect(left.headers.get('location')).toBe(`${signedOut}?state=bye`)
    expect(await accepted(tokens.access_token)).toBe(false)
    await openid.tokenRevocation(config, refreshed.refresh_token!)
    expect(await accepted(refreshed.access_token)).toBe(false)
  })

  test('oidc-client-ts: code flow, userinfo, refresh, logout', async () => {
    const client = new OidcClient({
      authority: kontor.issuer,
      client_id: 'kontor-ui',
      redirect_uri: callback,
      post_logout_redirect_uri: signedOut,
      scope: 'openid profile email',
      loadUserInfo: true,
      stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    })
    const request = await client.createSigninRequest({ state: { from: '/products' } })
    const browser = createBrowser()
    const back = await logInAt(browser, request.url, callback, { name: 'anna', password })
    const signedIn = await client.processSigninResponse(back.href)
    expect(signedIn.userState).toEqual({ from: '/products' })
    expect(signedIn.profile).toMatchObject(person())
    expect(signedIn.scope).toBe('openid profile email')
    expect(await accepted(signedIn.access_token)).toBe(true)

    const { refresh_token, id_token, session_state, scope = '', profile } = signedIn
    const state = { refresh_token: refresh_token!, id_token: id_token!, session_state, scope, profile, data: undefined }
    const refreshed = await client.useRefreshToken({ state })
    expect(await accepted(refreshed.access_token)).toBe(true)
    expect(refreshed.access_token).not.toBe(signedIn.access_token)

    const out = await client.createSignoutRequest({ id_token_hint: id_token!, state: 'bye' })
    const left = await browser.get(out.url)
    const gone = await client.processSignoutResponse(left.headers.get('location')!)
    expect(gone).toMatchObject({ error: null })
    expect(await accepted(refreshed.access_token)).toBe(false)
  })
})
