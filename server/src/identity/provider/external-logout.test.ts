/** Sessions that end at an external provider (OpenID Connect Back-Channel Logout 1.0), with a fake provider. */
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startFakeProvider } from '../../../test/fake-openid-provider.ts'
import { withServer } from '../../../test/server.ts'
import { createExternalIdentity } from './external.ts'

const provider = await startFakeProvider()
afterAll(provider.stop)
const { issuer } = provider
const api = withServer({ KONTOR_OIDC_ISSUER: issuer, KONTOR_OIDC_CLIENT_ID: 'console, sync' })
const bundled = withServer()

const path = '/api/v1/identity/backchannel-logout'
const event = 'http://schemas.openid.net/event/backchannel-logout'
const now = () => Math.floor(Date.now() / 1000)
const soon = () => ({ iat: now(), exp: now() + 120 })

/** An access token of a session, which is a new one unless given. */
function accessToken(claims: Record<string, unknown> = {}) {
  const user = { sub: 'kim-1', preferred_username: 'kim', azp: 'console', sid: randomUUID() }
  const roles = { realm_access: { roles: ['admin'] } }
  return provider.sign({ ...soon(), iss: issuer, aud: 'kontor-api', ...user, ...roles, ...claims }, { typ: 'at+jwt' })
}
const logoutClaims = (claims: object) => ({
  ...soon(),
  iss: issuer,
  aud: 'console',
  jti: randomUUID(),
  events: { [event]: {} },
  ...claims,
})
const logoutToken = (claims: object, header: Record<string, unknown> = { typ: 'logout+jwt' }) =>
  provider.sign(logoutClaims(claims), header)

const form = 'application/x-www-form-urlencoded'
const post = (body: string, type = form) => api.post(path, body, { token: null, type })
const postToken = (token: string) => post(`logout_token=${token}`)
const statusOf = async (token: string) => (await api.get('/api/v1/identity/me', { token })).status

describe('a logout at the external provider', () => {
  test('ends the session that it names, and no other session of the user', async () => {
    const [sid, other] = [randomUUID(), randomUUID()]
    const [token, elsewhere] = await Promise.all([accessToken({ sid }), accessToken({ sid: other })])
    expect([await statusOf(token), await statusOf(elsewhere)]).toEqual([200, 200])
    const reply = await postToken(await logoutToken({ sub: 'kim-1', sid }))
    expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect([await statusOf(token), await statusOf(elsewhere)]).toEqual([401, 200])
    expect(await statusOf(await accessToken({ sid, jti: randomUUID() }))).toBe(401)
  })

  test('in the form of Keycloak, with typ JWT in the header, is accepted', async () => {
    const sid = randomUUID()
    const token = await accessToken({ sid })
    const reply = await postToken(await logoutToken({ sub: 'kim-1', sid, typ: 'Logout' }, { typ: 'JWT' }))
    expect(reply.status).toBe(200)
    expect(await statusOf(token)).toBe(401)
  })

  test('without a session ends all sessions of the user, but not those that begin later', async () => {
    const sub = 'robin-1'
    const before = { sub, preferred_username: 'robin', iat: now() - 5 }
    const tokens = await Promise.all([
      accessToken(before),
      accessToken(before),
      accessToken({ ...before, azp: 'sync' }),
    ])
    const bystander = await accessToken()
    for (const token of tokens) expect(await statusOf(token)).toBe(200)
    expect((await postToken(await logoutToken({ sub, iat: now() - 2 }))).status).toBe(200)
    for (const token of tokens) expect(await statusOf(token)).toBe(401)
    expect(await statusOf(bystander)).toBe(200)
    expect(await statusOf(await accessToken({ ...before, iat: now() }))).toBe(200)
  })

  test('does not end an offline session, which has the same id and gets later tokens', async () => {
    const sid = randomUUID()
    expect((await postToken(await logoutToken({ sid, iat: now() - 60 }))).status).toBe(200)
    expect(await statusOf(await accessToken({ sid, iat: now() - 61 }))).toBe(401)
    expect(await statusOf(await accessToken({ sid }))).toBe(200)
  })

  test('holds for a user who has never been here', async () => {
    const sid = randomUUID()
    await postToken(await logoutToken({ sub: 'new-1', sid }))
    expect(await statusOf(await accessToken({ sub: 'new-1', preferred_username: 'new', sid }))).toBe(401)
  })

  test('ends the session in every other process', async () => {
    const log = { info: () => {} }
    const options = { db: api.db, issuer, audience: 'kontor-api', consoleClient: 'console', rolesClaim: 'roles', log }
    const other = await createExternalIdentity(options)
    const app = fastify()
    await app.register(other.plugin)
    const sid = randomUUID()
    const authorization = `Bearer ${await accessToken({ sid })}`
    expect(await other.verify(authorization)).toMatchObject({ userName: 'kim', sessionId: sid })
    const changed = new Promise<void>((resolve) => other.onChange(resolve))
    await postToken(await logoutToken({ sid }))
    await changed
    await expect(other.verify(authorization)).rejects.toMatchObject({ kind: 'unauthorized' })
    await app.close()
  })

  test('ends the streams of the session', async () => {
    const url = await api.listen()
    const sid = randomUUID()
    const headers = { authorization: `Bearer ${await accessToken({ sid })}`, accept: 'text/event-stream' }
    const stream = await fetch(`${url}/api/v1/events/stream`, { headers })
    expect(stream.status).toBe(200)
    let isOpen = true
    const closed = () => (isOpen = false)
    void stream.text().then(closed, closed)
    await postToken(await logoutToken({ sid }))
    await vi.waitFor(() => expect(isOpen).toBe(false))
  })

  test('is in the audit log with the user and the session', async () => {
    const sid = randomUUID()
    const token = await accessToken()
    await statusOf(token)
    await postToken(await logoutToken({ sub: 'kim-1', sid }))
    const { events } = (await api.get('/api/v1/identity/audit?action=logout&count=1', { token })).json
    expect(events).toEqual([expect.objectContaining({ action: 'logout', actor: 'kim', session: sid })])
  })

  test('is forgotten when all tokens have expired for long', async () => {
    const sid = randomUUID()
    await postToken(await logoutToken({ sid }))
    const count = async () =>
      (await api.db.pool.query('select count(*)::int from external_logout where session = $1', [sid])).rows[0].count
    await api.app.identity.maintain()
    expect(await count()).toBe(1)
    await api.db.pool.query(`update external_logout set received_at = now() - interval '31 days' where session = $1`, [
      sid,
    ])
    await api.app.identity.maintain()
    expect(await count()).toBe(0)
  })
})

describe('a logout token is refused', () => {
  const [sid, sub] = [randomUUID(), 'kim-1']
  const withoutClaim = (name: string) => logoutToken({ sub, sid, [name]: undefined })
  const signedByOther = async (header: object = {}) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const all = { alg: 'ES256', typ: 'logout+jwt', kid: 'unknown', ...header, ...('jwk' in header && { jwk }) }
    return new SignJWT(logoutClaims({ sub, sid })).setProtectedHeader(all).sign(privateKey)
  }
  const unsigned = (alg: string) => {
    const parts = [{ alg, typ: 'logout+jwt', kid: 'x' }, logoutClaims({ sub, sid })]
    return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.AA`
  }

  const refusals: Record<string, [() => string | Promise<string>, RegExp]> = {
    'of another issuer': [() => logoutToken({ sub, sid, iss: 'https://evil.example' }), /claim iss/],
    'for another client': [() => logoutToken({ sub, sid, aud: 'other' }), /claim aud/],
    'for the audience of access tokens': [() => logoutToken({ sub, sid, aud: 'kontor-api' }), /claim aud/],
    'that has expired': [() => logoutToken({ sub, sid, iat: now() - 400, exp: now() - 100 }), /has expired/],
    'that never expires': [() => withoutClaim('exp'), /claim exp/],
    'from the future': [() => logoutToken({ sub, sid, iat: now() + 300, exp: now() + 400 }), /claim iat/],
    'without a time of issue': [() => withoutClaim('iat'), /claim iat/],
    'from the day before yesterday': [() => logoutToken({ sub, sid, iat: now() - 172_800 }), /has expired/],
    'without an id': [() => withoutClaim('jti'), /claim jti/],
    'with an id that is not a text': [() => logoutToken({ sub, sid, jti: 7 }), /claim jti/],
    'with a nonce, as an ID token has it': [() => logoutToken({ sub, sid, nonce: 'n' }), /nonce/],
    'without an event': [() => withoutClaim('events'), /claim events/],
    'with another event': [() => logoutToken({ sub, sid, events: { 'urn:other': {} } }), /claim events/],
    'with an event that is not an object': [() => logoutToken({ sub, sid, events: { [event]: 1 } }), /claim events/],
    'without a session and a subject': [() => logoutToken({}), /neither the claim sub nor sid/],
    'with a session that is not a text': [() => logoutToken({ sub, sid: [sid] }), /claim sid/],
    'of the type of an access token': [() => logoutToken({ sub, sid }, { typ: 'at+jwt' }), /another type: at\+jwt/],
    'without a type': [() => logoutToken({ sub, sid }, {}), /another type: none/],
    'with alg none': [() => unsigned('none'), /expected algorithm/],
    'with a symmetric algorithm': [() => unsigned('HS256'), /expected algorithm/],
    'with an unknown key': [() => signedByOther(), /not valid/],
    'with an embedded key': [() => signedByOther({ jwk: true }), /header has jwk/],
    'that was changed': [
      async () => (await logoutToken({ sub, sid })).replace(/\.(.)/, '.eyJ'),
      /expected form|not valid/,
    ],
    'that is not a token': [() => 'signed-out', /expected form/],
  }
  test.each(Object.entries(refusals))('%s', async (_, [make, why]) => {
    const token = await accessToken({ sid })
    const reply = await postToken(await make())
    expect(reply.status, reply.text).toBe(400)
    expect(reply.text).toMatch(why)
    expect(await statusOf(token)).toBe(200)
  })

  test('the second time', async () => {
    const token = await logoutToken({ sid: randomUUID() })
    expect((await postToken(token)).status).toBe(200)
    const again = await postToken(token)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('it was used before')])
  })

  test('the second time, also if both arrive at once', async () => {
    const token = await logoutToken({ sid: randomUUID() })
    const replies = await Promise.all([postToken(token), postToken(token), postToken(token)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  })

  test('in a body that is not a form with one token of ordinary length', async () => {
    const token = await logoutToken({ sid })
    const bodies = [
      post(JSON.stringify({ logout_token: token }), 'application/json'),
      post(''),
      post(`logout_token=${token}&logout_token=${token}`),
      post(`logout_token=${'a'.repeat(10_000)}.b.c`),
    ]
    for (const { status } of await Promise.all(bodies)) expect(status).toBe(400)
    expect((await post(`logout_token=${'a'.repeat(70_000)}`)).status).toBe(413)
    expect((await postToken(token)).status).toBe(200)
  })

  test('as an access token, as an access token is as a logout token', async () => {
    expect(await statusOf(await logoutToken({ sub, sid, aud: ['console', 'kontor-api'] }))).toBe(401)
    const keycloakLike = { sub, sid, aud: ['console', 'kontor-api'], typ: 'Logout' }
    expect(await statusOf(await logoutToken(keycloakLike, { typ: 'JWT' }))).toBe(401)
    expect((await postToken(await accessToken({ aud: ['console', 'kontor-api'] }))).status).toBe(400)
  })

  test('by an installation that signs users in itself', async () => {
    const reply = await bundled.post(path, 'logout_token=x', { token: null, type: form })
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('KONTOR_OIDC_ISSUER')])
  })
})

test('ending the sessions of a user is refused with the address of the provider, which manages them', async () => {
  const token = await accessToken()
  const { id } = (await api.get('/api/v1/identity/me', { token })).json
  const reply = await api.post(`/api/v1/identity/users/${id}/logout`, undefined, { token })
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(issuer)])
})

test('a flood of unknown keys makes the server fetch the keys only once', async () => {
  await statusOf(await accessToken())
  const fetched = provider.keyFetches()
  const { privateKey } = await generateKeyPair('ES256')
  for (let i = 0; i < 60; i++) {
    const header = { alg: 'ES256', typ: 'logout+jwt', kid: `unknown ${i}` }
    const token = await new SignJWT(logoutClaims({ sub: 'x' })).setProtectedHeader(header).sign(privateKey)
    expect((await postToken(token)).status).toBe(400)
  }
  expect(provider.keyFetches() - fetched).toBeLessThanOrEqual(1)
})
