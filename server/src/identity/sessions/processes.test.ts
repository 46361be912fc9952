/** Several processes on one database: each is notified of the changes of the others. */
import fastify from 'fastify'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { masterKey } from '../../../test/identity.ts'
import { cheapPasswordWorker } from '../../../test/passwords.ts'
import { connect, type Database } from '../../adapters/postgres/db.ts'
import { rotateKeys } from '../tokens/keys.ts'
import { readMasterKeyFile } from '../tokens/master-key.ts'
import { createIdentity, type Identity } from '../module.ts'

let database: TestDatabase
let here: Identity
let there: Identity
let db: Database
const closing: (() => Promise<unknown>)[] = []

/** Simulates another process: a separate pool and separate caches, which would last for an hour without notifications. */
async function process(): Promise<Identity> {
  const own = connect({ ...database.poolConfig, max: 3 })
  const app = fastify()
  const identity = await createIdentity({
    db: own,
    baseUrl: 'http://localhost:8080',
    realm: 'kontor',
    clientId: 'kontor-ui',
    audience: 'kontor-api',
    algorithm: 'ES256',
    masterKey,
    passwordGrant: true,
    rotateRefreshTokens: 'none',
    corsOrigins: new Set(),
    log: app.log,
    passwordWorker: cheapPasswordWorker,
    cacheMillis: 3_600_000,
  })
  await app.register(identity.plugin)
  closing.unshift(
    () => app.close(),
    () => own.close(),
  )
  return identity
}
beforeAll(async () => {
  database = await createDatabase()
  db = connect(database.poolConfig)
  closing.push(
    () => db.close(),
    () => database.drop(),
  )
  here = await process()
  there = await process()
})
afterAll(async () => {
  for (const close of closing) await close()
})

const newUser = async (name: string) => {
  const user = await here.users.create({ name })
  const { access_token: token } = await here.issueTokens(user)
  await there.verify(`Bearer ${token}`) // fills the cache of the other process
  return { user, token }
}
const refusedThere = (token: string) =>
  vi.waitFor(() => expect(there.verify(`Bearer ${token}`)).rejects.toMatchObject({ kind: 'unauthorized' }), {
    timeout: 10_000,
    interval: 10,
  })

describe('the other process also refuses an access token after', () => {
  test('logout', async () => {
    const { token } = await newUser('a')
    await here.endSession(decodeJwt<{ sid: string }>(token).sid)
    await refusedThere(token)
  })
  test('a new password', async () => {
    const { user, token } = await newUser('b')
    await here.users.setPassword(user.id, 'a quiet heron by the weir')
    await refusedThere(token)
  })
  test('disabling the user', async () => {
    const { user, token } = await newUser('c')
    await here.users.setEnabled(user.id, false)
    await refusedThere(token)
  })
  test('a change of roles', async () => {
    const { user, token } = await newUser('d')
    await here.users.setRoles(user.id, ['reader'])
    await refusedThere(token)
  })
  test('a manual change in the database', async () => {
    const { user, token } = await newUser('e')
    await db.pool.query('update user_session set ended_at = now() where user_id = $1', [user.id])
    await refusedThere(token)
  })
  test('a logout while its LISTEN connection was broken', async () => {
    const { token } = await newUser('f')
    await db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    )
    await here.endSession(decodeJwt<{ sid: string }>(token).sid)
    await vi.waitFor(() => expect(there.verify(`Bearer ${token}`)).rejects.toThrow(), 30_000)
  })
})

test('after a key rotation all processes sign with the new key and accept the old one', async () => {
  const { user, token: before } = await newUser('g')
  const old = decodeProtectedHeader(before).kid
  await rotateKeys(db, 'ES256', masterKey)
  for (const [one, other] of [
    [here, there],
    [there, here],
  ] as const) {
    const token = await vi.waitFor(async () => {
      const { access_token: token } = await one.issueTokens(user)
      expect(decodeProtectedHeader(token).kid).not.toBe(old)
      return token
    }, 30_000)
    expect(await other.verify(`Bearer ${token}`)).toMatchObject({ userId: user.id })
    expect(await one.verify(`Bearer ${before}`)).toMatchObject({ userId: user.id })
  }
})

test('the master key is created once, in a file that only its owner can read', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'kontor-key-')), 'data', 'master-key')
  const key = readMasterKeyFile(file)
  expect(key.length).toBeGreaterThanOrEqual(43)
  expect(readMasterKeyFile(file)).toBe(key)
  expect(readFileSync(file, 'utf8')).toBe(`${key}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
