/** With KONTOR_REVOKE_REFRESH_TOKENS=true a refresh or offline token can be exchanged once; by default, a refresh token of a public client. */
import { beforeAll, describe, expect, test } from 'vitest'
import { password, withIdentity } from '../../../test/identity.ts'
import { requestToken, signIn } from '../../../test/token.ts'

const notifications: string[] = []
const kontor = withIdentity({
  rotateRefreshTokens: 'all',
  notify: async ({ tid, recipientUser }) => void notifications.push(`${recipientUser} ${tid}`),
})
const byDefault = withIdentity()
beforeAll(async () => {
  for (const { identity } of [kontor, byDefault]) await identity.users.create({ name: 'rosa', password })
})

const refresh = (token: string | undefined) =>
  requestToken(kontor.issuer, { grant_type: 'refresh_token', refresh_token: token! })
const accepted = (token: string | undefined) =>
  kontor.identity.verify(`Bearer ${token}`).then(
    () => true,
    () => false,
  )

describe.each([
  ['a refresh token', 'openid'],
  ['an offline token', 'openid offline_access'],
])('%s', (_, scope) => {
  test('is replaced by each exchange', async () => {
    let { body } = await signIn(kontor.issuer, 'rosa', password, scope)
    for (let i = 0; i < 3; i++) {
      const reply = await refresh(body.refresh_token)
      expect(reply.status).toBe(200)
      body = reply.body
    }
    expect(await accepted(body.access_token)).toBe(true)
  })

  test('is refused when it is used again, and all tokens issued from it end', async () => {
    const first = await signIn(kontor.issuer, 'rosa', password, scope)
    const second = await refresh(first.body.refresh_token)
    expect(await refresh(first.body.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token was used before: its session has ended' },
    })
    expect(await accepted(second.body.access_token)).toBe(false)
    expect(await refresh(second.body.refresh_token)).toMatchObject({ status: 400 })
    const { rows } = await kontor.db.pool.query(`select actor, address from audit_event where action = 'token.reuse'`)
    expect(rows.at(-1)).toEqual({ actor: 'rosa', address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) })
    expect(notifications.at(-1)).toMatch(/^rosa token-reuse-/)
  })

  test('succeeds exactly once in a hundred concurrent exchanges', async () => {
    const { body } = await signIn(kontor.issuer, 'rosa', password, scope)
    const replies = await Promise.all(Array.from({ length: 100 }, () => refresh(body.refresh_token)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(99)
  })
})

describe('by default', () => {
  const refresh = (token: string | undefined) =>
    requestToken(byDefault.issuer, { grant_type: 'refresh_token', refresh_token: token! })
  const newToken = async (scope = 'openid') =>
    (await signIn(byDefault.issuer, 'rosa', password, scope)).body.refresh_token!
  /** Moves all exchanges so far into the past. */
  const later = () =>
    byDefault.db.pool.query(`update refresh_chain set rotated_at = rotated_at - interval '31 seconds'`)

  test('a refresh token of a public client that was replaced is refused, and its session ends', async () => {
    const first = await newToken()
    const second = await refresh(first)
    expect(second.status).toBe(200)
    await later()
    expect((await refresh(first)).status).toBe(400)
    expect((await refresh(second.body.refresh_token)).status).toBe(400)
    await expect(byDefault.identity.verify(`Bearer ${second.body.access_token}`)).rejects.toThrow('session has ended')
  })

  test('concurrent exchanges and a repeated one within seconds succeed, because a reply may be lost', async () => {
    const first = await newToken()
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(first)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const again = await refresh(first)
    expect(again.status).toBe(200)
    await later()
    expect((await refresh(again.body.refresh_token)).status).toBe(200)
  })

  test('a token that is two exchanges old is refused at once', async () => {
    const first = await newToken()
    const second = await refresh(first)
    expect((await refresh(second.body.refresh_token)).status).toBe(200)
    expect((await refresh(first)).status).toBe(400)
  })

  test('an offline token stays valid after an exchange', async () => {
    const offline = await newToken('openid offline_access')
    for (let i = 0; i < 3; i++) expect((await refresh(offline)).status).toBe(200)
  })
})
