import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { createKeys } from './keys.ts'
import { createTokens } from './tokens.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createDatabase()
  db = connect(database.poolConfig)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('processes that start at once share one key of each kind', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => createKeys(db, 'ES256')))
  expect(new Set(all.map((keys) => keys.signer().kid)).size).toBe(1)
  expect(new Set(all.map((keys) => Buffer.from(keys.refreshKey).toString('hex'))).size).toBe(1)
})

test('a key that another process made is found, once half a minute has passed since the last look', async () => {
  const keys = await createKeys(db, 'ES256')
  const { rows } = await db.pool.query(
    `insert into signing_key (kid, algorithm, private_jwk)
     select 'newer', algorithm, private_jwk || '{"kid": "newer"}' from signing_key where algorithm = 'ES256'
     returning kid`,
  )
  expect(await keys.verifier(rows[0].kid)).toBeUndefined()
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + 30_000)
  expect(await keys.verifier(rows[0].kid)).toBeDefined()
  expect(keys.signer().kid).toBe('newer')
  vi.restoreAllMocks()
})

test('RS256 is signed with a key of its own', async () => {
  const keys = await createKeys(db, 'RS256')
  expect(keys.published().keys).toEqual([expect.objectContaining({ kty: 'RSA', alg: 'RS256', use: 'sig' })])
  expect(keys.published().keys[0]).not.toHaveProperty('d')
  const tokens = createTokens({ keys, issuer: 'https://pim.example/auth/realms/kontor', audience: 'kontor-api' })
  const user = { id: 'u', name: 'u', email: null, displayName: null, enabled: true, epoch: 1, roles: [] }
  const session = { id: 's', userId: 'u', clientId: 'kontor-ui', authenticatedAt: new Date() }
  const { access_token: token } = await tokens.issue({ user, signedIn: { session, scope: '' } })
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', kid: keys.signer().kid })
})
