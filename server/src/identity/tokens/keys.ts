/**
 * The keys that sign tokens. They are stored in the database, encrypted with the master key, for all processes.
 *
 *   next      published, so that clients know it before the first token signed with it
 *   current   signs access and ID tokens
 *   previous  published for two more hours, twice the lifetime of a token
 *
 * Rotation advances each key by one step. Refresh tokens are read only by Kontor: they carry an HMAC, whose key is not
 * rotated.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import { randomBytes } from 'node:crypto'
import type { Db } from '../../adapters/postgres/db.ts'
import type { MasterKey } from './master-key.ts'
import * as sql from './keys.sql.ts'

export type Algorithm = 'ES256' | 'RS256'
export const refreshAlgorithm = 'HS256'

export interface Keys {
  readonly algorithm: Algorithm
  /** The current key for access and ID tokens. */
  signer(): { kid: string; key: CryptoKey }
  /** The public key with this id. An unknown id may be new: the keys are then reloaded, at most twice a minute. */
  verifier(kid: string): Promise<CryptoKey | undefined>
  /** The key of the HMAC of refresh tokens. */
  readonly refreshKey: Uint8Array
  /** The public keys, as a JWK set. */
  published(): { keys: JWK[] }
  /** The private keys, for the provider. Returns the same array until the keys change. */
  all(): readonly JWK[]
  /** Loads the keys from the database again. */
  reload(): Promise<void>
}

interface KnownKey {
  readonly kid: string
  readonly jwk: JWK
  readonly publicJwk: JWK
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly activeAt: Date | null
  readonly retiredAt: Date | null
}

const reloadIntervalMillis = 30_000
const publishedFor = '2 hours'
const rotateAfterDays = 90

export async function createKeys(db: Db, algorithm: Algorithm, masterKey: MasterKey): Promise<Keys> {
  await ensureKeys(db, algorithm, masterKey)
  const load = async () => {
    const stored = await sql.findKeys(db)
    const known = await Promise.all(
      stored.filter((key) => key.algorithm === algorithm).map((key) => read(key, masterKey)),
    )
    const refresh = stored.find((key) => key.algorithm === refreshAlgorithm)!
    return { known, all: known.map(({ jwk }) => jwk), refresh: unseal(refresh, masterKey).k! }
  }
  const first = await load()
  let { known, all } = first
  let loadedAt = performance.now()
  const published = () => known.filter(({ retiredAt }) => retiredAt === null || retiredAt.getTime() > Date.now())
  const find = (kid: string) => published().find((key) => key.kid === kid)?.publicKey
  const reload = async () => {
    loadedAt = performance.now()
    ;({ known, all } = await load())
  }
  return {
    algorithm,
    refreshKey: Buffer.from(first.refresh, 'base64url'),
    signer: () => ({ kid: known[0]!.kid, key: known[0]!.privateKey }),
    async verifier(kid) {
      const found = find(kid)
      if (found || performance.now() - loadedAt < reloadIntervalMillis) return found
      await reload()
      return find(kid)
    },
    published: () => ({ keys: published().map(({ publicJwk }) => publicJwk) }),
    all: () => all,
    reload,
  }
}

/** Decrypts every stored key and returns their number, without creating missing ones. */
export async function checkKeys(db: Db, masterKey: MasterKey | undefined): Promise<number> {
  const stored = await sql.findKeys(db)
  if (masterKey) for (const key of stored) unseal(key, masterKey)
  return stored.length
}

/** Advances every key by one step. Other processes are notified; one that misses it uses a key that is still published. */
export async function rotateKeys(db: Db, algorithm: Algorithm, masterKey: MasterKey): Promise<void> {
  await ensureKeys(db, algorithm, masterKey)
  await db.transaction(async (db) => {
    await sql.lockKeys(db)
    await sql.promoteKey(db, algorithm, publishedFor)
    await sql.insertKey(db, await createKey(algorithm, masterKey, false))
    await sql.deleteRetiredKeys(db)
  })
}

/** Whether the current key has reached its maximum age. */
export async function isRotationDue(db: Db, algorithm: Algorithm): Promise<boolean> {
  const current = (await sql.findKeys(db)).find((key) => key.algorithm === algorithm)
  return current?.activeAt != null && Date.now() - current.activeAt.getTime() > rotateAfterDays * 86_400_000
}

async function ensureKeys(db: Db, algorithm: Algorithm, masterKey: MasterKey): Promise<void> {
  const needed = [
    { algorithm, active: true },
    { algorithm, active: false },
    { algorithm: refreshAlgorithm, active: true },
  ]
  const missing = async (db: Db) => {
    const present = await sql.findKeys(db)
    return needed.filter(
      ({ algorithm, active }) =>
        !present.some((key) => key.algorithm === algorithm && !key.retiredAt && (key.activeAt !== null) === active),
    )
  }
  if ((await missing(db)).length === 0) return
  await db.transaction(async (db) => {
    await sql.lockKeys(db)
    for (const { algorithm, active } of await missing(db)) {
      await sql.insertKey(db, await createKey(algorithm, masterKey, active))
    }
  })
}

async function createKey(algorithm: string, masterKey: MasterKey, active: boolean) {
  const jwk: JWK =
    algorithm === refreshAlgorithm
      ? { kty: 'oct', k: randomBytes(32).toString('base64url') }
      : await exportJWK((await generateKeyPair(algorithm, { extractable: true })).privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const content = Buffer.from(JSON.stringify({ ...jwk, kid, alg: algorithm, use: 'sig' }))
  return { kid, algorithm, sealed: masterKey.seal(content, kid), active }
}

const unseal = ({ sealed, kid }: sql.StoredKey, masterKey: MasterKey): JWK =>
  JSON.parse(masterKey.open(sealed, kid).toString()) as JWK

const privateFields = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

async function read(stored: sql.StoredKey, masterKey: MasterKey): Promise<KnownKey> {
  const { kid, algorithm, activeAt, retiredAt } = stored
  const jwk = unseal(stored, masterKey)
  const publicJwk: JWK = Object.fromEntries(Object.entries(jwk).filter(([field]) => !privateFields.has(field)))
  const load = (key: JWK) => importJWK(key, algorithm) as Promise<CryptoKey>
  return {
    kid,
    jwk,
    publicJwk,
    privateKey: await load(jwk),
    publicKey: await load(publicJwk),
    activeAt,
    retiredAt,
  }
}
