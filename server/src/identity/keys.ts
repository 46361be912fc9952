/**
 * The keys that sign tokens. They live in the database, are made on first start, and are shared by all processes.
 *
 * Access and ID tokens are signed with the newest key of the configured algorithm, so that anyone can check them by the
 * published key set. Refresh tokens are read by nobody but us: they carry an HMAC, which no change of the other keys voids.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import { randomBytes } from 'node:crypto'
import type { Db } from '../adapters/postgres/db.ts'
import * as sql from './keys.sql.ts'

export type Algorithm = 'ES256' | 'RS256'
export const refreshAlgorithm = 'HS256'

export interface Keys {
  readonly algorithm: Algorithm
  /** What signs access and ID tokens now. */
  signer(): { kid: string; key: CryptoKey }
  /** The public key of that id. One not known yet may be new: the database is asked again, twice a minute at most. */
  verifier(kid: string): Promise<CryptoKey | undefined>
  /** What signs refresh tokens. */
  readonly refreshKey: Uint8Array
  /** The public keys, as published. */
  published(): { keys: JWK[] }
  /** The private keys, for the provider. */
  all(): JWK[]
}

interface KnownKey {
  readonly kid: string
  readonly jwk: JWK
  readonly publicJwk: JWK
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

const reloadPause = 30_000

export async function createKeys(db: Db, algorithm: Algorithm): Promise<Keys> {
  await ensureKeys(db, [algorithm, refreshAlgorithm])
  const load = async () => {
    const stored = await sql.findKeys(db)
    const known = await Promise.all(stored.filter((key) => key.algorithm === algorithm).map(read))
    return { known, refresh: stored.find((key) => key.algorithm === refreshAlgorithm)!.jwk.k! }
  }
  const first = await load()
  let known = first.known
  let loadedAt = performance.now()
  const find = (kid: string) => known.find((key) => key.kid === kid)?.publicKey
  return {
    algorithm,
    refreshKey: Buffer.from(first.refresh, 'base64url'),
    signer: () => ({ kid: known[0]!.kid, key: known[0]!.privateKey }),
    async verifier(kid) {
      const found = find(kid)
      if (found || performance.now() - loadedAt < reloadPause) return found
      loadedAt = performance.now()
      known = (await load()).known
      return find(kid)
    },
    published: () => ({ keys: known.map(({ publicJwk }) => publicJwk) }),
    all: () => known.map(({ jwk }) => jwk),
  }
}

async function ensureKeys(db: Db, algorithms: readonly string[]): Promise<void> {
  const missing = async (db: Db) => {
    const present = new Set((await sql.findKeys(db)).map((key) => key.algorithm))
    return algorithms.filter((algorithm) => !present.has(algorithm))
  }
  if ((await missing(db)).length === 0) return
  await db.transaction(async (db) => {
    await sql.lockKeys(db)
    for (const algorithm of await missing(db)) await sql.insertKey(db, await makeKey(algorithm))
  })
}

async function makeKey(algorithm: string): Promise<sql.StoredKey> {
  const jwk: JWK =
    algorithm === refreshAlgorithm
      ? { kty: 'oct', k: randomBytes(32).toString('base64url') }
      : await exportJWK((await generateKeyPair(algorithm, { extractable: true })).privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, algorithm, jwk: { ...jwk, kid, alg: algorithm, use: 'sig' } }
}

const privateFields = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

async function read({ kid, algorithm, jwk }: sql.StoredKey): Promise<KnownKey> {
  const publicJwk: JWK = Object.fromEntries(Object.entries(jwk).filter(([field]) => !privateFields.has(field)))
  const load = (key: JWK) => importJWK(key, algorithm) as Promise<CryptoKey>
  return { kid, jwk, publicJwk, privateKey: await load(jwk), publicKey: await load(publicJwk) }
}
