/** Behaviour that depends on settings: an https base URL with a path, the password grant disabled, the access of routes. */
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { masterKey, password } from '../../test/identity.ts'
import { cheapPasswordWorker } from '../../test/passwords.ts'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { createIdentity, type Identity } from './module.ts'

const baseUrl = 'https://pim.example/kontor'
const issuer = `${baseUrl}/auth/realms/shop`
const authorization = `/auth/realms/shop/protocol/openid-connect/auth?${new URLSearchParams({
  client_id: 'shop-ui',
  redirect_uri: `${baseUrl}/callback`,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
})}`
let identity: Identity
let database: TestDatabase
let db: Database
let app: FastifyInstance
const routes: { url: string; access: unknown }[] = []
beforeAll(async () => {
  database = await createDatabase()
  db = connect(database.poolConfig)
  app = fastify()
  app.addHook('onRoute', ({ url, config }) => void routes.push({ url, access: config?.access }))
  const settings = { realm: 'shop', clientId: 'shop-ui', audience: 'kontor-api', algorithm: 'RS256' } as const
  identity = await createIdentity({
    ...settings,
    db,
    baseUrl,
    masterKey,
    passwordWorker: cheapPasswordWorker,
    passwordGrant: false,
    rotateRefreshTokens: 'none',
    corsOrigins: new Set(),
    log: app.log,
  })
  await app.register(identity.plugin)
})
afterAll(async () => {
  await app.close()
  await db.close()
  await database.drop()
})

const token = (payload: string) =>
  app.inject({
    method: 'POST',
    url: '/auth/realms/shop/protocol/openid-connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload,
  })

test('every route is under the realm and declares that it is public', () => {
  expect(routes.length).toBeGreaterThan(10)
  expect(routes.filter(({ url, access }) => access !== 'public' || !url.startsWith('/auth/realms/shop/'))).toEqual([])
})

test('behind a proxy that terminates https and adds a path, all addresses start with the base URL', async () => {
  const reply = await app.inject({
    url: '/auth/realms/shop/.well-known/openid-configuration',
    headers: { host: 'internal:8080', 'x-forwarded-host': 'evil.example' },
  })
  expect(reply.json()).toMatchObject({
    issuer,
    token_endpoint: `${issuer}/protocol/openid-connect/token`,
    jwks_uri: `${issuer}/protocol/openid-connect/certs`,
    id_token_signing_alg_values_supported: ['RS256'],
  })
})

test('with https, cookies are Secure, HttpOnly and SameSite', async () => {
  const reply = await app.inject({ url: authorization })
  expect(reply.statusCode).toBe(303)
  expect(reply.headers.location).toMatch(/^\/kontor\/auth\/realms\/shop\/login\//)
  const cookies = [reply.headers['set-cookie']].flat()
  expect(cookies).toHaveLength(2)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Secure-/)
    expect(cookie).toMatch(/; path=\/kontor\/auth\/realms\/shop\/.*; samesite=lax; secure; httponly/)
  }
})

test('with https, the session cookie is valid only for this host', async () => {
  await identity.users.create({ name: 'anna', password })
  const start = await app.inject({ url: authorization })
  const cookies = Object.fromEntries(start.cookies.map(({ name, value }) => [name, value]))
  const signedIn = await app.inject({
    method: 'POST',
    url: start.headers.location!.replace('/kontor', ''),
    cookies,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://pim.example' },
    payload: new URLSearchParams({ username: 'anna', password }).toString(),
  })
  const back = await app.inject({ url: signedIn.headers.location!.replace(baseUrl, ''), cookies })
  expect(back.headers.location).toMatch(/^https:\/\/pim\.example\/kontor\/callback\?code=/)
  const session = back.cookies.find(({ name }) => name === '__Host-sid')
  expect(session).toMatchObject({ path: '/', secure: true, httpOnly: true, sameSite: 'lax' })
  expect(session).not.toHaveProperty('domain')
})

test('the password grant can be disabled', async () => {
  const reply = await token('grant_type=password&client_id=shop-ui&username=a&password=b')
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ error: 'unsupported_grant_type' })
})

test('an unknown address under the realm gets the server’s own 404', async () => {
  const reply = await app.inject({ url: '/auth/realms/shop/protocol/openid-connect/auth/device/x' })
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toMatchObject({ error: 'Not Found' }) // Fastify's own answer
})

test('errors of the token endpoint are JSON, regardless of the Accept header', async () => {
  const reply = await app.inject({
    method: 'POST',
    url: '/auth/realms/shop/protocol/openid-connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    payload: 'grant_type=refresh_token&client_id=shop-ui&refresh_token=x',
  })
  expect(reply.json()).toEqual({ error: 'invalid_grant', error_description: 'Invalid refresh token' })
})
