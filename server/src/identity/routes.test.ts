/** Users, groups, roles, clients, personal tokens and the audit log, through HTTP. */
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, type Reply, withServer } from '../../test/server.ts'
import { codeAt, stepAt } from './sessions/totp.ts'

const api = withServer()
const base = '/api/v1/identity'
const password = 'a quiet heron by the weir'
const pollOptions = { timeout: 10_000 }

const as = (token: string) => ({
  get: (path: string) => api.get(base + path, { token }),
  send: (method: NonNullable<CallOptions['method']>, path: string, body?: unknown) =>
    api.post(base + path, body, { method, token }),
})
const admin = () => as(api.adminToken)
const kim = () => as(api.token)

async function tokenRequest(fields: Record<string, string>): Promise<Reply> {
  const form = new URLSearchParams({ client_id: 'kontor-ui', ...fields }).toString()
  const type = 'application/x-www-form-urlencoded'
  return api.post('/auth/realms/kontor/protocol/openid-connect/token', form, { token: null, type })
}
const signIn = (username: string, given: string) =>
  tokenRequest({ grant_type: 'password', username, password: given, scope: 'openid' })
const lastEvent = async (action: string) => (await admin().get(`/audit?action=${action}&count=1`)).json.events?.[0]

describe('a user', () => {
  let id: string
  let made: string
  beforeAll(async () => {
    const reply = await admin().send('POST', '/users', { name: 'lena', displayName: 'Lena Berg', roles: ['reader'] })
    expect(reply.status).toBe(200)
    id = reply.json.id
    made = reply.json.password
  })

  test('is created with a generated password and appears in the list', async () => {
    expect(made).toHaveLength(24)
    expect((await signIn('lena', made)).status).toBe(200)
    const { json } = await admin().get('/users?search=berg')
    expect(json.users).toEqual([
      expect.objectContaining({
        id,
        name: 'lena',
        displayName: 'Lena Berg',
        roles: ['reader'],
        enabled: true,
        locked: false,
        mustChangePassword: true,
      }),
    ])
    expect(await lastEvent('user.create')).toMatchObject({ actor: 'ada', object: 'user lena', outcome: 'success' })
  })

  test('is listed in pages, in the order of names', async () => {
    const first = (await admin().get('/users?count=2')).json.users.map(({ name }: { name: string }) => name)
    expect(first).toEqual(['ada', 'kim'])
    const next = (await admin().get('/users?count=1&after=kim')).json.users
    expect(next).toMatchObject([{ name: 'lena' }])
    expect((await admin().get('/users?count=0')).status).toBe(400)
  })

  test('is found by role, by group and by enabled, with the total of all pages', async () => {
    const names = async (query: string) => {
      const { users = [], total } = (await admin().get(`/users?${query}`)).json
      return [users.map(({ name }: { name: string }) => name), total]
    }
    await admin().send('PUT', '/groups/Harbour', { roles: ['editor'] })
    await admin().send('POST', '/users', { name: 'olaf', roles: ['user'], groups: ['Harbour'] })
    const { json } = await admin().send('POST', '/users', { name: 'otto', roles: ['editor'] })
    expect(await names('role=editor')).toEqual([['olaf', 'otto'], 2])
    expect(await names('role=editor&count=1&after=olaf')).toEqual([['otto'], 2])
    expect(await names('group=Harbour')).toEqual([['olaf'], 1])
    await admin().send('PATCH', `/users/${json.id}`, { enabled: false })
    expect(await names('enabled=false')).toEqual([['otto'], 1])
    expect(await names('role=nothing')).toEqual([[], 0])
    expect((await admin().get('/users?enabled=maybe')).status).toBe(400)
  })

  test('has permissions that an administrator can read, including those of groups', async () => {
    const [olaf] = (await admin().get('/users?search=olaf')).json.users
    const { json } = await admin().get(`/users/${olaf.id}/access`)
    expect(json).toMatchObject({ name: 'olaf', roles: ['editor', 'user'] })
    expect(json.grants).toContainEqual({ kind: '*', actions: expect.arrayContaining(['read', 'update']) })
    expect((await kim().get(`/users/${olaf.id}/access`)).status).toBe(403)
  })

  test('is refused if the name is taken, the password is weak or a role is unknown', async () => {
    expect((await admin().send('POST', '/users', { name: 'LENA' })).status).toBe(409)
    expect((await admin().send('POST', '/users', { name: 'x', password: 'short' })).status).toBe(400)
    expect((await admin().send('POST', '/users', { name: 'x', roles: ['king'] })).status).toBe(404)
  })

  test('keeps the values that a change does not contain', async () => {
    const reply = await admin().send('PATCH', `/users/${id}`, { email: 'lena@example.com' })
    expect(reply.json).toMatchObject({ email: 'lena@example.com', displayName: 'Lena Berg' })
  })

  test('loses access at once when disabled and regains it when enabled', async () => {
    const token = (await signIn('lena', made)).json.access_token
    expect((await as(token).get('/me')).status).toBe(200)
    expect((await admin().send('PATCH', `/users/${id}`, { enabled: false })).json.enabled).toBe(false)
    expect((await as(token).get('/me')).status).toBe(401)
    expect((await signIn('lena', made)).status).toBe(401)
    await admin().send('PATCH', `/users/${id}`, { enabled: true })
    expect((await signIn('lena', made)).status).toBe(200)
    expect(await lastEvent('user.disable')).toMatchObject({ object: 'user lena' })
  })

  test('gets a new password from an administrator, which ends all sessions', async () => {
    const token = (await signIn('lena', made)).json.access_token
    const reply = await admin().send('POST', `/users/${id}/password`)
    expect((await as(token).get('/me')).status).toBe(401)
    made = reply.json.password
    expect((await signIn('lena', made)).status).toBe(200)
    expect((await admin().send('POST', `/users/${id}/password`, { password: 'short' })).status).toBe(400)
  })

  test('has new permissions after a change of roles, and old tokens are refused', async () => {
    const token = (await signIn('lena', made)).json.access_token
    const reply = await admin().send('PUT', `/users/${id}/roles`, { roles: ['editor'] })
    expect(reply.json.roles).toEqual(['editor'])
    expect((await as(token).get('/me')).status).toBe(401)
    const fresh = (await signIn('lena', made)).json.access_token
    expect((await as(fresh).get('/me')).json).toMatchObject({ name: 'lena', roles: ['editor'] })
    expect(await lastEvent('user.roles')).toMatchObject({ detail: { before: '["reader"]', roles: '["editor"]' } })
  })

  test('is unlocked only by an administrator after too many failures', async () => {
    for (let i = 0; i < 10; i++) await signIn('lena', 'a wrong password')
    expect((await signIn('lena', made)).status).toBe(401)
    expect((await admin().get(`/users/${id}`)).json.locked).toBe(true)
    expect((await kim().send('POST', `/users/${id}/unlock`)).status).toBe(403)
    expect((await admin().send('POST', `/users/${id}/unlock`)).status).toBe(200)
    expect((await signIn('lena', made)).status).toBe(200)
    expect(await lastEvent('sign-in.lock')).toMatchObject({ object: 'user lena' })
  })

  test('is signed out everywhere', async () => {
    const token = (await signIn('lena', made)).json.access_token
    expect((await admin().send('POST', `/users/${id}/logout`)).status).toBe(200)
    expect((await as(token).get('/me')).status).toBe(401)
  })

  test.each(['00000000-0000-4000-8000-000000000000', 'nobody', '%27'])(
    'is not found by the unknown id %s',
    async (id) => {
      expect((await admin().get(`/users/${id}`)).status).toBe(404)
      expect((await admin().send('PUT', `/users/${id}/roles`, { roles: [] })).status).toBe(404)
    },
  )

  test('cannot be demoted or disabled as the last administrator', async () => {
    const [ada] = (await admin().get('/users?search=ada')).json.users
    expect((await admin().send('PUT', `/users/${ada.id}/roles`, { roles: ['user'] })).status).toBe(409)
    expect((await admin().send('PATCH', `/users/${ada.id}`, { enabled: false })).status).toBe(409)
    expect((await admin().get('/me')).status).toBe(200)
  })

  test('the widgets of the home page are kept per user, and an empty list restores the default', async () => {
    const change = (homeWidgets: string[]) => kim().send('PATCH', '/me', { homeWidgets })
    expect((await change(['quality', 'work'])).json.homeWidgets).toEqual(['quality', 'work'])
    expect((await kim().get('/me')).json).toMatchObject({ homeWidgets: ['quality', 'work'] })
    expect((await admin().get('/me')).json.homeWidgets).toBeUndefined()
    await kim().send('PATCH', '/me', { displayName: '' })
    expect((await kim().get('/me')).json.homeWidgets, 'other changes keep them').toEqual(['quality', 'work'])
    expect((await change(Array.from({ length: 51 }, String))).status).toBe(400)
    expect((await change(['x'.repeat(41)])).status).toBe(400)
    expect((await change([])).json.homeWidgets).toBeUndefined()
  })

  test('changes their display name and e-mail address, and removes them', async () => {
    const change = (body: object) => kim().send('PATCH', '/me', body)
    expect((await change({ displayName: 'Kim Sund', email: 'kim@example.com' })).json).toMatchObject({
      name: 'kim',
      displayName: 'Kim Sund',
      email: 'kim@example.com',
    })
    const { json } = await change({ email: '' })
    expect(json).toMatchObject({ displayName: 'Kim Sund' })
    expect(json).not.toHaveProperty('email')
    expect(await lastEvent('user.update')).toMatchObject({ actor: 'kim', object: 'user kim' })
    expect((await change({ enabled: true })).status).toBe(400)
  })

  test('changes their own password with the current one', async () => {
    await admin().send('POST', '/users', { name: 'mona', password, roles: ['user'] })
    const token = (await signIn('mona', password)).json.access_token
    const change = (current: string) =>
      as(token).send('POST', '/me/password', { current, password: 'herons again, seven' })
    expect((await change('not the present one')).status).toBe(400)
    expect((await change(password)).status).toBe(200)
    expect((await as(token).get('/me')).status).toBe(401)
    expect((await signIn('mona', 'herons again, seven')).status).toBe(200)
  })
})

describe('a group', () => {
  test('gives its roles to its members until it is deleted', async () => {
    const { id } = (await admin().send('POST', '/users', { name: 'nils', password, roles: ['reader'] })).json
    await admin().send('PUT', '/groups/Buyers', { description: 'They buy.', roles: ['editor'] })
    expect((await admin().send('PUT', `/users/${id}/groups`, { groups: ['Buyers'] })).json.groups).toEqual(['Buyers'])
    const token = (await signIn('nils', password)).json.access_token
    expect(decodeJwt(token)).toMatchObject({ realm_access: { roles: ['editor', 'reader'] } })
    expect((await admin().get('/groups')).json.groups).toContainEqual({
      name: 'Buyers',
      description: 'They buy.',
      roles: ['editor'],
      members: 1,
    })
    expect((await admin().send('DELETE', '/groups/Buyers')).status).toBe(200)
    expect((await as(token).get('/me')).status).toBe(401)
    const after = (await signIn('nils', password)).json.access_token
    expect(decodeJwt(after)).toMatchObject({ realm_access: { roles: ['reader'] } })
  })

  test('is refused if the group or one of its roles does not exist', async () => {
    expect((await admin().send('DELETE', '/groups/None')).status).toBe(404)
    expect((await admin().send('PUT', '/groups/X', { roles: ['king'] })).status).toBe(404)
    const { id } = (await admin().get('/users?search=kim')).json.users[0]
    expect((await admin().send('PUT', `/users/${id}/groups`, { groups: ['None'] })).status).toBe(404)
  })
})

describe('a role', () => {
  const grants = [
    { kind: 'keyword', actions: ['read', 'update'], scopes: { keyword: ['/Sea'] } },
    {
      kind: 'product',
      actions: ['read'],
      visibleAttributes: { except: ['price'] },
      editableLocales: { only: ['de_DE'] },
    },
  ]

  /** As its owner gets it: without the names of hidden attributes. */
  const { visibleAttributes: _, ...shown } = grants[1]!

  beforeAll(async () => {
    const schemaVersion = '5.6.0'
    const attrDef = { tid: 'price', type: 'text', name: { itm: [{ value: 'Price', loc: 'en_GB' }] } }
    const kwd = { name: { itm: [{ value: 'Sea' }] } }
    const core = '/api/core/v1'
    const options = { token: api.adminToken }
    await api.post(
      `${core}/pim/attribute-definitions/persist`,
      { schemaVersion, attrDefs: { attrDef: [attrDef] } },
      options,
    )
    await api.post(`${core}/common/keywords/persist`, { schemaVersion, kwds: { kwd: [kwd] } }, options)
  })

  test('is created with its grants, takes effect at once, and is deleted', async () => {
    const put = await admin().send('PUT', '/roles/sea-editor', { description: 'The sea.', grants })
    expect(put.json).toEqual({ name: 'sea-editor', description: 'The sea.', grants })
    const { roles } = (await admin().get('/roles')).json
    expect(roles.map(({ name }: { name: string }) => name)).toEqual(['admin', 'editor', 'reader', 'sea-editor', 'user'])
    const token = await api.tokenFor({ roles: ['sea-editor'] })
    expect((await as(token).get('/me')).json.grants).toEqual([grants[0], shown])
    await admin().send('PUT', '/roles/sea-editor', { grants: [grants[1]] })
    await expect.poll(async () => (await as(token).get('/me')).json.grants, pollOptions).toEqual([shown])
    expect((await admin().send('DELETE', '/roles/sea-editor')).status).toBe(200)
    expect((await as(token).get('/me')).status).toBe(401)
  })

  test.each([
    ['Upper', {}],
    ['admin', {}],
    ['strange', { grants: [{ kind: '*', actions: ['rule'] }] }],
    ['strange', { grants: [{ kind: '*', actions: ['read'], scopes: { keyword: ['Sea/'] } }] }],
  ])('%s %j is refused', async (name, body) => {
    expect((await admin().send('PUT', `/roles/${name}`, body)).status).toBe(400)
  })

  test('cannot be deleted if it is built in', async () => {
    for (const name of ['admin', 'user']) expect((await admin().send('DELETE', `/roles/${name}`)).status).toBe(400)
    expect((await admin().send('DELETE', '/roles/none')).status).toBe(404)
  })
})

describe('a client', () => {
  const own = (id: string, client_secret: string) =>
    tokenRequest({ grant_type: 'client_credentials', client_id: id, client_secret })

  test('gets its secret once, acts with its roles, and loses its tokens when it is disabled or its secret renewed', async () => {
    const made = await admin().send('POST', '/clients', { id: 'shop', roles: ['reader'] })
    expect(made.json).toMatchObject({ id: 'shop', confidential: true, roles: ['reader'], enabled: true })
    const { secret } = made.json
    expect(JSON.stringify((await admin().get('/clients')).json)).not.toContain(secret)
    const first = (await own('shop', secret)).json.access_token
    expect((await as(first).get('/me')).json).toMatchObject({ name: 'service-account-shop', roles: ['reader'] })

    const renewed = (await admin().send('PATCH', '/clients/shop', { renewSecret: true, roles: ['editor'] })).json.secret
    expect((await as(first).get('/me')).status).toBe(401)
    expect((await own('shop', secret)).status).toBe(401)
    const second = (await own('shop', renewed)).json.access_token
    expect((await as(second).get('/me')).json).toMatchObject({ roles: ['editor'] })
    await admin().send('PATCH', '/clients/shop', { enabled: false })
    expect((await own('shop', renewed)).status).toBe(401)
    await expect.poll(async () => (await as(second).get('/me')).status, pollOptions).toBe(401)
  })

  test('is deleted with its sessions, and its id can be used again', async () => {
    const make = async () => (await admin().send('POST', '/clients', { id: 'till', roles: ['reader'] })).json.secret
    const secret = await make()
    const token = (await own('till', secret)).json.access_token
    expect((await admin().send('DELETE', '/clients/till')).status).toBe(200)
    expect((await own('till', secret)).status).toBe(401)
    await expect.poll(async () => (await as(token).get('/me')).status, pollOptions).toBe(401)
    expect(JSON.stringify((await admin().get('/clients')).json)).not.toContain('till')
    const { events } = (await admin().get('/audit?action=client.delete')).json
    expect(events).toMatchObject([{ object: 'client till', outcome: 'success' }])
    expect((await own('till', await make())).status).toBe(200)
  })

  test.each(['kontor-ui', 'unknown'])('is not deleted if it has no secret: %s', async (id) => {
    expect((await admin().send('DELETE', `/clients/${id}`)).status).toBe(404)
  })

  test.each([
    ['the same id', { id: 'kontor-ui' }, 409],
    ['a strange id', { id: 'a b' }, 400],
    ['a script as address', { id: 'x', redirectUris: ['javascript:alert(1)'] }, 400],
  ])('is refused with %s', async (_, body, status) => {
    expect((await admin().send('POST', '/clients', body)).status).toBe(status)
  })

  test('cannot be changed if it has no secret', async () => {
    expect((await admin().send('PATCH', '/clients/kontor-ui', { enabled: false })).status).toBe(404)
  })
})

describe('a second factor', () => {
  const secretOf = (text: string) => {
    const bits = [...text].map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }
  const code = (secret: string, periods: number) => codeAt(secretOf(secret), stepAt(Date.now()) + periods)
  let id: string
  let token: string
  beforeAll(async () => {
    id = (await admin().send('POST', '/users', { name: 'tara', password, roles: ['user'] })).json.id
    token = (await signIn('tara', password)).json.access_token
  })
  const tara = () => as(token)

  test('is set up, confirmed with a code, required, and removed with another code', async () => {
    expect((await tara().get('/me/two-factor')).json).toEqual({ enabled: false, recoveryCodes: 0 })
    expect((await tara().send('PUT', '/me/two-factor', { code: '123456' })).status).toBe(404)
    const { secret, uri } = (await tara().send('POST', '/me/two-factor')).json
    expect(uri).toContain(`secret=${secret}`)
    expect((await tara().send('PUT', '/me/two-factor', { code: '123456' })).status).toBe(400)
    expect((await signIn('tara', password)).status).toBe(200)
    const { codes } = (await tara().send('PUT', '/me/two-factor', { code: code(secret, 0) })).json
    expect(codes).toHaveLength(10)
    expect((await tara().get('/me/two-factor')).json).toEqual({ enabled: true, recoveryCodes: 10 })
    expect((await admin().get(`/users/${id}`)).json.twoFactor).toBe(true)
    expect((await signIn('tara', password)).status).toBe(401)
    expect((await tara().send('POST', '/me/two-factor')).status).toBe(409)
    expect((await tara().send('POST', '/me/two-factor/remove', { code: '123456' })).status).toBe(400)
    expect((await tara().send('POST', '/me/two-factor/remove', { code: code(secret, 1) })).status).toBe(200)
    expect((await signIn('tara', password)).status).toBe(200)
    expect(await lastEvent('user.two-factor')).toMatchObject({ actor: 'tara', detail: { enabled: 'false' } })
  })

  test('is removed by an administrator if it is lost, and by nobody else', async () => {
    const { secret } = (await tara().send('POST', '/me/two-factor')).json
    await tara().send('PUT', '/me/two-factor', { code: code(secret, 0) })
    expect((await kim().send('DELETE', `/users/${id}/two-factor`)).status).toBe(403)
    expect((await admin().send('DELETE', `/users/${id}/two-factor`)).status).toBe(200)
    expect((await admin().send('DELETE', `/users/${id}/two-factor`)).status).toBe(404)
    expect((await signIn('tara', password)).status).toBe(200)
    expect(await lastEvent('user.reset-two-factor')).toMatchObject({ actor: 'ada', object: 'user tara' })
  })
})

describe('a personal token', () => {
  const list = async (token = api.token) => (await as(token).get('/tokens')).json.tokens ?? []

  test('of kind access calls the API as its owner, records its last use, and ends when revoked', async () => {
    const made = await kim().send('POST', '/tokens', { name: 'nightly export', kind: 'access' })
    expect(made.json).toMatchObject({ name: 'nightly export', kind: 'access', token: expect.any(String) })
    const { id, token, expiresAt, createdAt } = made.json
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3_600_000)
    expect(await list()).toEqual([expect.not.objectContaining({ lastUsedAt: expect.anything() })])
    expect((await as(token).get('/me')).json).toMatchObject({ name: 'kim', roles: ['user'] })
    expect(await list()).toEqual([
      expect.objectContaining({ id, lastUsedAt: expect.any(String), lastUsedFrom: '127.0.0.1' }),
    ])
    expect(JSON.stringify(await list())).not.toContain(token)
    expect((await kim().send('DELETE', `/tokens/${id}`)).status).toBe(200)
    expect((await as(token).get('/me')).status).toBe(401)
    expect(await list()).toEqual([])
    expect((await kim().get('/me')).status).toBe(200)
  })

  test('of kind access ends with its parent session; an offline one does not', async () => {
    await admin().send('POST', '/users', { name: 'paul', password, roles: ['user'] })
    const session = (await signIn('paul', password)).json.access_token
    const access = (await as(session).send('POST', '/tokens', { name: 'a', kind: 'access' })).json.token
    const offline = (await as(session).send('POST', '/tokens', { name: 'o', kind: 'offline' })).json.token
    expect((await as(access).get('/me')).status).toBe(200)
    await api.app.identity.endSession(decodeJwt<{ sid: string }>(session).sid)
    await expect.poll(async () => (await as(access).get('/me')).status, pollOptions).toBe(401)
    const exchanged = await tokenRequest({ grant_type: 'refresh_token', refresh_token: offline })
    expect(exchanged.status).toBe(200)
    const tokens = await list(exchanged.json.access_token)
    expect(tokens).toEqual([
      expect.objectContaining({ name: 'o', lastUsedAt: expect.any(String), lastUsedFrom: expect.any(String) }),
    ])
    await as(exchanged.json.access_token).send('DELETE', `/tokens/${tokens[0].id}`)
    expect((await tokenRequest({ grant_type: 'refresh_token', refresh_token: offline })).status).toBe(400)
  })

  test.each(['access', 'offline'])(
    'of kind %s cannot make tokens or change the password, the profile or the second factor of its owner',
    async (kind) => {
      const name = `petra-${kind}`
      const roles = ['admin', 'user']
      const { id } = (await admin().send('POST', '/users', { name, password, roles })).json
      const session = (await signIn(name, password)).json.access_token
      const { token: made } = (await as(session).send('POST', '/tokens', { name: 't', kind })).json
      const exchange = () => tokenRequest({ grant_type: 'refresh_token', refresh_token: made })
      const token = kind === 'access' ? made : (await exchange()).json.access_token
      const calls = [
        ['POST', '/tokens', { name: 'more', kind: 'offline' }],
        ['PATCH', '/me', { email: 'thief@example.com' }],
        ['POST', '/me/password', { current: password, password: 'seven herons over the lock' }],
        ['POST', '/me/two-factor'],
        ['PUT', '/me/two-factor', { code: '000000' }],
        ['POST', '/me/two-factor/remove', { code: '000000' }],
        ['PATCH', `/users/${id}`, { email: 'thief@example.com' }],
        ['POST', `/users/${id}/password`, { password: 'seven herons over the lock' }],
        ['DELETE', `/users/${id}/two-factor`],
      ] as const
      for (const [method, path, body] of calls) {
        const { status, text } = await as(token).send(method, path, body)
        expect(`${method} ${path} ${status} ${text}`).toContain(' 403 ')
        expect(text).toContain('personal token')
      }
      expect((await as(token).get('/me')).json).toMatchObject({ name, roles })
      expect((await as(session).send('PATCH', '/me', { email: 'petra@example.com' })).status).toBe(200)
    },
  )

  test('of another user is not found', async () => {
    const { id } = (await kim().send('POST', '/tokens', { name: 'mine', kind: 'offline' })).json
    expect((await admin().send('DELETE', `/tokens/${id}`)).status).toBe(404)
    expect((await admin().send('DELETE', '/tokens/x')).status).toBe(404)
    expect(await list(api.adminToken)).toEqual([])
  })

  test('can be listed and revoked by administrators, who never get the token itself', async () => {
    const [{ id: kimId }] = (await admin().get('/users?search=kim')).json.users
    const { id, token } = (await kim().send('POST', '/tokens', { name: 'lost', kind: 'offline' })).json
    const listed = await admin().get(`/users/${kimId}/tokens`)
    expect(listed.json.tokens).toContainEqual(expect.objectContaining({ id, name: 'lost', kind: 'offline' }))
    expect(listed.text).not.toContain(token)
    expect((await kim().get(`/users/${kimId}/tokens`)).status).toBe(403)
    expect((await admin().send('DELETE', `/users/${kimId}/tokens/${id}`)).status).toBe(200)
    expect((await admin().send('DELETE', `/users/${kimId}/tokens/${id}`)).status).toBe(404)
    expect((await tokenRequest({ grant_type: 'refresh_token', refresh_token: token })).status).toBe(400)
    expect(await lastEvent('token.revoke')).toMatchObject({ actor: 'ada', object: 'user kim' })
  })

  test('never has more permissions than its owner', async () => {
    const { id } = (await admin().send('POST', '/users', { name: 'rita', password, roles: ['editor'] })).json
    const session = (await signIn('rita', password)).json.access_token
    const offline = (await as(session).send('POST', '/tokens', { name: 'o', kind: 'offline' })).json.token
    await admin().send('PUT', `/users/${id}/roles`, { roles: ['reader'] })
    const exchanged = await tokenRequest({ grant_type: 'refresh_token', refresh_token: offline })
    expect(decodeJwt(exchanged.json.access_token)).toMatchObject({ realm_access: { roles: ['reader'] } })
  })

  test.each([{ name: '', kind: 'access' }, { name: 'x', kind: 'eternal' }, { kind: 'access' }])(
    '%j is refused',
    async (body) => {
      expect((await kim().send('POST', '/tokens', body)).status).toBe(400)
    },
  )
})

describe('the audit log', () => {
  test('is readable by administrators, newest first, filtered by actor, action and time', async () => {
    const { events } = (await admin().get('/audit?actor=ada&action=role&count=3')).json
    expect(events.length).toBe(3)
    expect(events[0].seq).toBeGreaterThan(events[1].seq)
    for (const event of events) expect(event).toMatchObject({ actor: 'ada', action: expect.stringMatching(/^role\./) })
    const older = (await admin().get(`/audit?before=${events[2].seq}&count=1`)).json.events
    expect(older[0].seq).toBe(events[2].seq - 1)
    expect((await admin().get('/audit?from=2999-01-01T00:00:00Z')).json.events).toBeUndefined()
    expect((await kim().get('/audit')).status).toBe(403)
  })

  test.each(['from=yesterday', 'before=x', 'count=5000'])('refuses %s', async (query) => {
    expect((await admin().get(`/audit?${query}`)).status).toBe(400)
  })
})
