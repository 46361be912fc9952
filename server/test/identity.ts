/** An identity module for a test file: a real server on a free port, with a database cloned from the template. */
import fastify from 'fastify'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { connect, type Database } from '../src/adapters/postgres/db.ts'
import { createIdentity, createMasterKey, type Identity, type IdentityOptions } from '../src/identity/module.ts'
import { createDatabase } from './database.ts'
import { cheapPasswordWorker } from './passwords.ts'

interface TestIdentity {
  db: Database
  /** Every SQL statement sent so far. */
  statements: string[]
  identity: Identity
  baseUrl: string
  issuer: string
}

export const masterKey = createMasterKey('of a test, which need not be secret')
export const password = 'a quiet heron by the weir'

/** Returns an object that is filled before the first test of the file runs. */
export function withIdentity(options: Partial<IdentityOptions> = {}): TestIdentity {
  const test = {} as TestIdentity
  const cleanUp: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const database = await createDatabase()
    cleanUp.push(database.drop)
    const statements: string[] = []
    const poolConfig = { ...database.poolConfig, max: 5, connectionTimeoutMillis: 60_000 }
    const db = connect(poolConfig, (text) => statements.push(text))
    cleanUp.push(db.close)
    const baseUrl = `http://localhost:${await freePort()}`
    const app = fastify()
    const settings = { realm: 'kontor', clientId: 'kontor-ui', audience: 'kontor-api', algorithm: 'ES256' } as const
    const identity = await createIdentity({
      ...settings,
      db,
      baseUrl,
      passwordGrant: true,
      rotateRefreshTokens: 'public',
      corsOrigins: new Set(),
      masterKey,
      passwordWorker: cheapPasswordWorker,
      cacheMillis: 0,
      log: app.log,
      ...options,
    })
    await app.register(identity.plugin)
    await app.listen({ host: 'localhost', port: Number(new URL(baseUrl).port) })
    cleanUp.push(() => app.close())
    Object.assign(test, { db, statements, identity, baseUrl, issuer: `${baseUrl}/auth/realms/kontor` })
  })
  afterAll(async () => {
    for (const clean of cleanUp.toReversed()) await clean()
  })
  return test
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
