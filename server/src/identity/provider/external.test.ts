/** A real external OpenID provider, in its own process, replaces the bundled one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secret } from '../../../test/openid-provider.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { freePort } from '../../process/free-port.ts'

const port = await freePort('localhost')
const issuer = `http://localhost:${port}/realms/shop`
const api = withServer({ KONTOR_OIDC_ISSUER: issuer })
const narrow = withServer({
  KONTOR_OIDC_ISSUER: issuer,
  KONTOR_OIDC_CLIENT_ID: 'anna, member',
  KONTOR_OIDC_ROLES_CLAIM: String.raw`groups.shop, resource_access.kontor\.api.roles`,
  KONTOR_OIDC_GROUPS_CLAIM: 'teams',
})

let provider: ChildProcess
beforeAll(async () => {
  const program = new URL('../../../test/openid-provider.ts', import.meta.url).pathname
  provider = spawn(process.execPath, [program, String(port)], { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface({ input: provider.stdout! })) if (line === 'ready') break
})
afterAll(async () => {
  if (provider.exitCode !== null || provider.signalCode !== null) return
  provider.kill()
  await once(provider, 'exit')
})

async function tokenOf(person: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: person, client_secret: secret })
  const reply = await fetch(`${issuer}/token`, { method: 'POST', body })
  return ((await reply.json()) as { access_token: string }).access_token
}
const me = (token: string, server = api) => server.get('/api/v1/identity/me', { token })

describe('a token of the external provider', () => {
  test('is accepted, and the first call creates its user', async () => {
    const token = await tokenOf('anna')
    const [first, second] = await Promise.all([me(token), me(token)])
    expect(first.json).toMatchObject({ name: 'anna', displayName: 'The anna', roles: ['admin', 'offline_access'] })
    expect(second.json.id).toBe(first.json.id)
    const { users } = (await api.get('/api/v1/identity/users', { token })).json
    expect(users).toEqual([expect.objectContaining({ name: 'anna', issuer, enabled: true })])
  })

  test('is accepted in the form of Keycloak, with typ JWT in the header and Bearer in the payload', async () => {
    expect(decodeProtectedHeader(await tokenOf('keycloak')).typ).toBe('JWT')
    expect((await me(await tokenOf('keycloak'))).json).toMatchObject({ name: 'keycloak', roles: ['user'] })
  })

  test('carries the roles that determine the permissions', async () => {
    const rob = { token: await tokenOf('rob') }
    expect((await api.post('/api/core/v1/common/locales/retrieve', { mode: 'ALL' }, rob)).status).toBe(200)
    expect((await api.post('/api/core/v1/common/keywords/persist', {}, rob)).status).toBe(401)
    expect((await me(await tokenOf('nobody'))).status).toBe(401)
  })

  test('may carry the roles in other claims, and may be limited to some clients', async () => {
    expect((await me(await tokenOf('anna'), narrow)).json).toMatchObject({ roles: ['editor'] })
    expect((await me(await tokenOf('member'), narrow)).json).toMatchObject({ roles: ['editor', 'admin'] })
    expect((await me(await tokenOf('rob'), narrow)).status).toBe(401)
  })

  test('gives the roles of the groups that it names, with and without a leading slash, as they are now', async () => {
    const token = await tokenOf('member')
    const group = (name: string, roles: string[]) =>
      narrow.post(`/api/v1/identity/groups/${encodeURIComponent(name)}`, { roles }, { method: 'PUT', token })
    for (const [name, roles] of [
      ['press', ['reader']],
      ['shop/texts', ['user']],
      ['other', ['reader']],
    ] as const) {
      expect((await group(name, [...roles])).status).toBe(200)
    }
    expect((await me(token, narrow)).json.roles).toEqual(['editor', 'admin', 'reader', 'user'])
    const { id } = (await me(token, narrow)).json
    const present = async () => [
      ...(await narrow.app.identity.callerNow({ userId: id, userName: 'member', clientId: 'member' })).roles,
    ]
    expect((await present()).toSorted()).toEqual(['admin', 'editor', 'reader', 'user'])
    await group('press', [])
    expect((await me(token, narrow)).json.roles).toEqual(['editor', 'admin', 'user'])
    expect((await present()).toSorted()).toEqual(['admin', 'editor', 'user'])
  })

  test('does not give roles of groups unless the claim of the groups is configured', async () => {
    const admin = { method: 'PUT', token: await tokenOf('anna') } as const
    await api.post('/api/v1/identity/groups/press', { roles: ['admin'] }, admin)
    expect((await me(await tokenOf('member'))).json.roles).toEqual(['reader'])
  })

  test('reports the roles with which stored work of its user acts', async () => {
    const token = await tokenOf('keycloak')
    const keywords = '/api/core/v1/common/keywords/bulk'
    const bulk = async (name: string) => {
      const message = { schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: [{ value: name }] } }] } }
      const runId = (await api.post(keywords, message, { token })).text
      return async () => {
        await api.app.jobs['core.bulk']!({ runId } as never, new AbortController().signal)
        return JSON.stringify((await api.get(`${keywords}/${runId}`, { token: await tokenOf('anna') })).json.meta)
      }
    }
    expect(await (await bulk('With roles'))()).toContain('finished')
    const run = await bulk('Without roles')
    await api.db.run(sql`update reported_roles set roles = '{reader}'`)
    expect(await run()).toContain('keycloak, who ordered this, no longer has a role that may create or update keyword')
  })

  test('is refused for a user who is disabled here', async () => {
    const admin = { token: await tokenOf('anna') }
    const { id } = (await me(await tokenOf('rob'))).json
    await api.post(`/api/v1/identity/users/${id}`, { enabled: false }, { ...admin, method: 'PATCH' })
    expect((await me(await tokenOf('rob'))).status).toBe(401)
    await api.post(`/api/v1/identity/users/${id}`, { enabled: true }, { ...admin, method: 'PATCH' })
    expect((await me(await tokenOf('rob'))).status).toBe(200)
  })

  test('does not take over an existing user with the same name', async () => {
    await api.db.pool.query(`insert into user_account (name, name_key) values ('keycloak-2', 'keycloak-2')`)
    await api.db.pool.query(`update user_account set name = 'late', name_key = 'late' where name = 'keycloak-2'`)
    expect((await me(await tokenOf('late'))).json.name).toBe('late (late)')
  })
})

describe('the server refuses', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const signed = async (header: object, claims: object = {}) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const good = await tokenOf('anna')
    const jwk = await exportJWK(publicKey)
    const all = { ...decodeProtectedHeader(good), ...header, ...('jwk' in header && { jwk }) }
    return new SignJWT({ ...decodeJwt(good), ...claims }).setProtectedHeader(all as { alg: string }).sign(privateKey)
  }
  const tampered = async () => {
    const [header, , signature] = (await tokenOf('rob')).split('.')
    const claims = { ...decodeJwt(await tokenOf('rob')), realm_access: { roles: ['admin'] } }
    return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
  }

  const forgeries: Record<string, () => Promise<string>> = {
    'an ID token': () => tokenOf('id-token'),
    'another audience': () => tokenOf('elsewhere'),
    'another issuer': () => tokenOf('foreign'),
    'an expired token': () => tokenOf('expired'),
    'a token from the future': () => tokenOf('future'),
    'a token not valid yet': () => tokenOf('not-yet'),
    'another key under its key id': () => signed({}),
    'an embedded key': () => signed({ jwk: true }),
    'an unknown key id': () => signed({ kid: 'unknown' }),
    'a changed payload': tampered,
    'alg none': async () => {
      const [, payload] = (await tokenOf('anna')).split('.')
      return `${Buffer.from('{"alg":"none","typ":"at+jwt","kid":"x"}').toString('base64url')}.${payload}.AA`
    },
    'the public key as HMAC secret': async () => {
      const token = new SignJWT({ ...decodeJwt(await tokenOf('anna')), exp: now() + 60 })
      return token.setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'x' }).sign(Buffer.alloc(32))
    },
  }
  test.each(Object.entries(forgeries))('%s', async (_, make) => {
    expect((await me(await make())).status).toBe(401)
  })
})

describe('with an external provider', () => {
  test('the bundled provider has no routes', async () => {
    for (const path of ['/.well-known/openid-configuration', '/protocol/openid-connect/certs', '/password']) {
      expect((await api.get(`/auth/realms/kontor${path}`, { token: null })).status).toBe(404)
    }
  })

  test('passwords, clients and personal tokens are refused with the address of the provider', async () => {
    const token = await tokenOf('anna')
    const calls = [
      api.post('/api/v1/identity/tokens', { name: 'x', kind: 'access' }, { token }),
      api.post('/api/v1/identity/users', { name: 'x' }, { token }),
      api.post('/api/v1/identity/clients', { id: 'x' }, { token }),
    ]
    for (const reply of await Promise.all(calls)) {
      expect(reply.status).toBe(400)
      expect(reply.text).toContain(issuer)
    }
  })

  test('issued tokens stay valid while the provider is down', async () => {
    const token = await tokenOf('anna')
    provider.kill()
    await once(provider, 'exit')
    expect((await me(token)).status).toBe(200)
  })
})

test('an unreachable provider causes 503, unlike an invalid token', async () => {
  const { createExternalIdentity } = await import('./external.ts')
  const identity = await createExternalIdentity({
    db: api.db,
    audience: 'kontor-api',
    consoleClient: 'kontor-ui',
    rolesClaim: 'realm_access.roles',
    log: { info: () => {} },
    issuer: `http://localhost:${await freePort('localhost')}`,
  })
  const { default: fastify } = await import('fastify')
  const app = fastify()
  await app.register(identity.plugin)
  const { privateKey } = await generateKeyPair('RS256')
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'x' }).sign(privateKey)
  await expect(identity.verify(`Bearer ${token}`)).rejects.toMatchObject({ kind: 'unavailable' })
  await app.close()
})
