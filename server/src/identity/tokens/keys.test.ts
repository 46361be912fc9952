import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { connect, type Database } from '../../adapters/postgres/db.ts'
import { masterKey } from '../../../test/identity.ts'
import { createKeys, rotateKeys } from './keys.ts'
import { createMasterKey } from './master-key.ts'
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

test('processes that start at the same time share one key of each kind', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => createKeys(db, 'ES256', masterKey)))
  expect(new Set(all.map((keys) => keys.signer().kid)).size).toBe(1)
  expect(new Set(all.map((keys) => Buffer.from(keys.refreshKey).toString('hex'))).size).toBe(1)
})

test('rotation advances every key, and tokens signed before stay valid', async () => {
  const keys = await createKeys(db, 'ES256', masterKey)
  const before = keys.signer().kid
  const next = keys.published().keys.find(({ kid }) => kid !== before)!.kid
  await rotateKeys(db, 'ES256', masterKey)
  await keys.reload()
  expect(keys.signer().kid).toBe(next)
  expect(keys.published().keys).toHaveLength(3)
  expect(await keys.verifier(before)).toBeDefined()
})

test('the previous key is no longer published two hours after the rotation', async () => {
  const keys = await createKeys(db, 'ES256', masterKey)
  const before = keys.signer().kid
  await rotateKeys(db, 'ES256', masterKey)
  const { rows } = await db.pool.query(`select retired_at - now() as left from signing_key where kid = $1`, [before])
  expect(rows[0].left).toMatchObject({ hours: 1, minutes: 59 })
  await db.pool.query(`update signing_key set retired_at = now() + interval '1 second' where kid = $1`, [before])
  await keys.reload()
  expect(keys.published().keys.map(({ kid }) => kid)).toContain(before)
  const later = Date.now() + 2000
  vi.spyOn(Date, 'now').mockReturnValue(later)
  expect(keys.published().keys.map(({ kid }) => kid)).not.toContain(before)
  expect(await keys.verifier(before)).toBeUndefined()
  vi.restoreAllMocks()
})

test('a key of another process is found when half a minute has passed since the last reload', async () => {
  const [keys, other] = [await createKeys(db, 'ES256', masterKey), await createKeys(db, 'ES256', masterKey)]
  await rotateKeys(db, 'ES256', masterKey)
  await rotateKeys(db, 'ES256', masterKey)
  await other.reload()
  const { kid } = other.signer()
  expect(await keys.verifier(kid)).toBeUndefined()
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + 30_000)
  expect(await keys.verifier(kid)).toBeDefined()
  expect(keys.signer().kid).toBe(kid)
  vi.restoreAllMocks()
})

test('private keys are encrypted in the database, and another master key cannot decrypt them', async () => {
  const keys = await createKeys(db, 'ES256', masterKey)
  const { rows } = await db.pool.query<{ text: string }>(
    `select encode(sealed, 'escape') || row_to_json(k)::text as text from signing_key k`,
  )
  for (const { d } of keys.all()) for (const { text } of rows) expect(text).not.toContain(d)
  const other = createMasterKey('another one, of another process here')
  await expect(createKeys(db, 'ES256', other)).rejects.toThrow(/master key does not fit.*KONTOR_MASTER_KEY/)
})

test('RS256 uses its own key', async () => {
  const keys = await createKeys(db, 'RS256', masterKey)
  const rsa = expect.objectContaining({ kty: 'RSA', alg: 'RS256', use: 'sig' })
  expect(keys.published().keys).toEqual([rsa, rsa])
  expect(keys.published().keys[0]).not.toHaveProperty('d')
  const tokens = createTokens({
    keys,
    issuer: 'https://pim.example/auth/realms/kontor',
    audience: 'kontor-api',
    mandator: 'kontor',
  })
  const user = {
    id: 'u',
    name: 'u',
    email: null,
    displayName: null,
    enabled: true,
    mustChangePassword: false,
    epoch: 1,
    roles: [],
  }
  const session = { id: 's', userId: 'u', clientId: 'kontor-ui', authenticatedAt: new Date() }
  const { access_token: token } = await tokens.issue({ user, signedIn: { session, scope: '', generation: 0 } })
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', kid: keys.signer().kid })
})
