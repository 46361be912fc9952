import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { password, withIdentity } from '../../../test/identity.ts'
import { postForm, requestToken, signIn } from '../../../test/token.ts'
import type { User } from '../users/users.ts'

const kontor = withIdentity()
let user: User
beforeAll(async () => {
  const person = { name: 'Jürgen', displayName: 'Jürgen Weber', email: 'jw@example.com', roles: ['admin', 'user'] }
  user = await kontor.identity.users.create({ ...person, password })
})

const refresh = (token: string | undefined, more: Record<string, string> = {}) =>
  requestToken(kontor.issuer, { grant_type: 'refresh_token', refresh_token: token!, ...more })
const logout = (token: string | undefined) =>
  postForm(`${kontor.issuer}/protocol/openid-connect/logout`, { client_id: 'kontor-ui', refresh_token: token! })
const accepted = (token: string | undefined) =>
  kontor.identity.verify(`Bearer ${token}`).then(
    () => true,
    () => false,
  )

describe('the password grant', () => {
  test('returns an access token with a lifetime of one hour and the documented claims', async () => {
    const { status, headers, body } = await signIn(kontor.issuer, 'jürgen', password)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid' })
    expect(decodeProtectedHeader(body.access_token!)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    const claims = decodeJwt(body.access_token!)
    expect(claims).toEqual({
      iss: kontor.issuer,
      sub: user.id,
      aud: 'kontor-api',
      azp: 'kontor-ui',
      typ: 'Bearer',
      exp: claims.iat! + 3600,
      iat: expect.any(Number),
      jti: expect.any(String),
      sid: expect.any(String),
      scope: 'openid',
      preferred_username: 'Jürgen',
      name: 'Jürgen Weber',
      email: 'jw@example.com',
      realm_access: { roles: ['admin', 'user'] },
      mandator: 'kontor',
      pe: 1,
    })
    expect(await kontor.identity.verify(`Bearer ${body.access_token}`)).toEqual({
      userId: user.id,
      userName: 'Jürgen',
      name: 'Jürgen Weber',
      roles: new Set(['admin', 'user']),
      clientId: 'kontor-ui',
      sessionId: claims.sid,
    })
  })

  test('returns an ID token only for the scope openid', async () => {
    const withOpenid = await signIn(kontor.issuer, 'jürgen', password)
    expect(decodeJwt(withOpenid.body.id_token!)).toMatchObject({ aud: 'kontor-ui', typ: 'ID', sub: user.id })
    const without = await signIn(kontor.issuer, 'jürgen', password, 'email')
    expect(without.body).not.toHaveProperty('id_token')
  })

  test.each([
    ['a wrong password', 'jürgen', 'not the password at all'],
    ['an unknown user', 'nobody', password],
    ['no password set', 'passwordless', ''],
  ])('refuses %s with the same message', async (_, name, given) => {
    if (name === 'passwordless') await kontor.identity.users.create({ name })
    const { status, body } = await signIn(kontor.issuer, name, given || 'anything at all')
    expect(status).toBe(401)
    expect(body).toEqual({ error: 'invalid_grant', error_description: 'Invalid user credentials' })
  })

  test.each([
    ['no user name', { grant_type: 'password', password }, 400, 'invalid_request'],
    ['no password', { grant_type: 'password', username: 'jürgen' }, 400, 'invalid_request'],
    [
      'an unknown client',
      { grant_type: 'password', client_id: 'other', username: 'x', password },
      401,
      'invalid_client',
    ],
    ['an unknown grant', { grant_type: 'guess' }, 400, 'unsupported_grant_type'],
    ['no grant', {}, 400, 'invalid_request'],
    ['a body of 70 KiB', { grant_type: 'password', username: 'x'.repeat(70_000), password }, 400, 'invalid_request'],
  ])('refuses %s as RFC 6749 requires', async (_, fields, status, error) => {
    expect(await requestToken(kontor.issuer, fields)).toMatchObject({ status, body: { error } })
  })

  test('refuses a disabled user', async () => {
    const { id } = await kontor.identity.users.create({ name: 'former', password })
    await kontor.identity.users.setEnabled(id, false)
    expect(await signIn(kontor.issuer, 'former', password)).toMatchObject({ status: 401 })
  })
})

describe('a refresh token', () => {
  test('is exchanged for new tokens of the same session', async () => {
    const first = await signIn(kontor.issuer, 'jürgen', password)
    const second = await refresh(first.body.refresh_token)
    expect(second.status).toBe(200)
    const [before, after] = [first, second].map(({ body }) => decodeJwt(body.access_token!))
    expect(after!.sid).toBe(before!.sid)
    expect(after!.jti).not.toBe(before!.jti)
    expect(await accepted(second.body.access_token)).toBe(true)
  })

  test('ends at logout together with its access token', async () => {
    const { body } = await signIn(kontor.issuer, 'jürgen', password)
    expect(await logout(body.refresh_token)).toMatchObject({ status: 204 })
    expect(await accepted(body.access_token)).toBe(false)
    expect(await refresh(body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('may be exchanged for a narrower scope but not for a wider one', async () => {
    const { body } = await signIn(kontor.issuer, 'jürgen', password, 'openid email')
    expect(await refresh(body.refresh_token, { scope: 'openid' })).toMatchObject({ body: { scope: 'openid' } })
    const wider = await refresh(body.refresh_token, { scope: 'openid offline_access' })
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  test.each(['', 'rubbish', 'access', 'id'])('is not replaced by %j', async (kind) => {
    const { body } = await signIn(kontor.issuer, 'jürgen', password)
    const reply = await refresh(body[`${kind}_token`] ?? kind)
    expect(reply.status).toBe(400)
  })
})

describe('an offline token', () => {
  const offline = 'openid offline_access'

  test('states its type and is renewed by every exchange, while the old one stays valid', async () => {
    const first = await signIn(kontor.issuer, 'jürgen', password, offline)
    expect(decodeJwt(first.body.refresh_token!)).toMatchObject({ typ: 'Offline', azp: 'kontor-ui' })
    expect(first.body.refresh_expires_in).toBe(0)
    const second = await refresh(first.body.refresh_token, { scope: offline })
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
    for (const { body } of [first, second]) {
      expect(await refresh(body.refresh_token, { scope: offline })).toMatchObject({ status: 200 })
    }
  })

  test('survives logout, which ends the access tokens issued so far', async () => {
    const first = await signIn(kontor.issuer, 'jürgen', password, offline)
    const second = await refresh(first.body.refresh_token)
    expect(await logout(first.body.refresh_token)).toMatchObject({ status: 204 })
    expect(await accepted(first.body.access_token)).toBe(false)
    expect(await accepted(second.body.access_token)).toBe(false)
    const third = await refresh(first.body.refresh_token)
    expect(third.status).toBe(200)
    expect(await accepted(third.body.access_token)).toBe(true)
  })

  test('cannot call the API', async () => {
    const { body } = await signIn(kontor.issuer, 'jürgen', password, offline)
    expect(await accepted(body.refresh_token)).toBe(false)
  })

  test('expires after 30 days without use; each use restarts the period', async () => {
    const { body } = await signIn(kontor.issuer, 'jürgen', password, offline)
    const { oid } = decodeJwt<{ oid: string }>(body.refresh_token!)
    const lastUsed = (days: number) =>
      kontor.db.pool.query(`update offline_session set used_at = now() - $1 * interval '1 day' where id = $2`, [
        days,
        oid,
      ])
    for (const days of [29, 29]) {
      await lastUsed(days)
      expect(await refresh(body.refresh_token)).toMatchObject({ status: 200 })
    }
    await lastUsed(30)
    expect(await refresh(body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('ends when the password changes and when the user is disabled', async () => {
    const { id } = await kontor.identity.users.create({ name: 'leaver', password })
    const change = () => kontor.identity.users.setPassword(id, `${password} and another`)
    const disable = () => kontor.identity.users.setEnabled(id, false)
    for (const [given, end] of [
      [password, change],
      [`${password} and another`, disable],
    ] as const) {
      const { body } = await signIn(kontor.issuer, 'leaver', given, offline)
      await end()
      expect(await refresh(body.refresh_token)).toMatchObject({ status: 400 })
      expect(await accepted(body.access_token)).toBe(false)
    }
  })

  test('is one of at most fifty: the least recently used one is ended', async () => {
    const { id } = await kontor.identity.users.create({ name: 'collector' })
    const person = (await kontor.identity.users.find({ id }))!
    const sets = []
    for (let i = 0; i < 51; i++) sets.push(await kontor.identity.issueTokens(person, offline))
    expect(await refresh(sets[0]!.refresh_token)).toMatchObject({ status: 400 })
    expect(await refresh(sets[1]!.refresh_token)).toMatchObject({ status: 200 })
  })
})
