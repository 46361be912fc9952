/**
 * A fake OpenID provider for tests: it publishes its keys and signs whatever a test asks for, also what a real provider
 * never would. It signs nobody in. `openid-provider.ts` is a real one.
 */
import { createServer, type Server } from 'node:http'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { exportJWK, generateKeyPair, type CryptoKey, type JWK, SignJWT } from 'jose'
import { freePort } from '../src/process/free-port.ts'

export interface FakeProvider {
  readonly issuer: string
  /** How often the keys were fetched. */
  readonly keyFetches: () => number
  /** Signs claims with the current key. A header of undefined value is removed. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** Signs with a new key from now on. With `withdraw`, the former keys are not published any more. */
  rotate(withdraw?: boolean): Promise<void>
  /** The status of all replies from now on. */
  answer(status: number): void
  stop(): Promise<void>
  start(): Promise<void>
}

interface Signer {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly published: JWK
}

async function createSigner(): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = randomUUID()
  return { kid, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
}

/** Chooses a port and listens on it. `seenAs` returns the address under which others reach it. */
export async function startFakeProvider(
  seenAs = (address: string): string | Promise<string> => address,
): Promise<FakeProvider> {
  const port = await freePort('localhost')
  const issuer = await seenAs(`http://localhost:${port}/realms/fake`)
  let signers = [await createSigner()]
  let keyFetches = 0
  let status = 200
  let server: Server | undefined
  const documents: Record<string, () => object> = {
    '/realms/fake/.well-known/openid-configuration': () => ({ issuer, jwks_uri: `${issuer}/keys` }),
    '/realms/fake/keys': () => {
      keyFetches++
      return { keys: signers.map(({ published }) => published) }
    },
  }
  const fake: FakeProvider = {
    issuer,
    keyFetches: () => keyFetches,
    sign: (claims, header = {}) => {
      const { kid, privateKey } = signers[0]!
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(privateKey)
    },
    async rotate(withdraw = false) {
      signers = [await createSigner(), ...(withdraw ? [] : signers)]
    },
    answer: (next) => void (status = next),
    async start() {
      server = createServer((request, reply) => {
        const body = documents[request.url!]?.()
        reply.writeHead(body ? status : 404, { 'content-type': 'application/json', connection: 'close' })
        reply.end(JSON.stringify(body))
      })
      server.listen(port, 'localhost')
      await once(server, 'listening')
    },
    async stop() {
      if (!server?.listening) return
      server.close()
      await once(server, 'close')
    },
  }
  await fake.start()
  return fake
}
