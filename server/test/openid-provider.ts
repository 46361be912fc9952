/**
 * An external OpenID provider in a process of its own, for KONTOR_OIDC_ISSUER in tests. Started as a program with the port as
 * argument; prints `ready` when it listens. Its "users" are clients that request a token of their own.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { Provider, type ClientMetadata } from 'oidc-provider'

export const people: Record<
  string,
  { roles: string[]; audience?: string; header?: string; typ?: string; ttl?: number; claims?: (now: number) => object }
> = {
  anna: { roles: ['admin', 'offline_access'] },
  rob: { roles: ['reader'] },
  nobody: { roles: [] },
  member: {
    roles: ['reader'],
    claims: () => ({
      teams: ['/press', 'shop/texts', 'unknown', 7],
      resource_access: { 'kontor.api': { roles: ['admin'] } },
    }),
  },
  keycloak: { roles: ['user'], header: 'JWT', typ: 'Bearer' },
  'id-token': { roles: ['admin'], header: 'JWT', typ: 'ID' },
  elsewhere: { roles: ['admin'], audience: 'another-api' },
  late: { roles: ['admin'], ttl: 1 },
  expired: { roles: ['admin'], claims: (now) => ({ iat: now - 400, exp: now - 100 }) },
  future: { roles: ['admin'], claims: (now) => ({ iat: now + 600, exp: now + 900 }) },
  'not-yet': { roles: ['admin'], claims: (now) => ({ nbf: now + 600 }) },
  foreign: { roles: ['admin'], claims: () => ({ iss: 'https://evil.example/realms/shop' }) },
}
export const secret = 'the secret of every client in this test'

const port = Number(process.argv[2])
if (port > 0) serve(port)

function serve(port: number): void {
  const issuer = `http://localhost:${port}/realms/shop`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }
  const clients: ClientMetadata[] = Object.keys(people).map((id) => ({
    client_id: id,
    client_secret: secret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_post',
  }))
  const provider = new Provider(issuer, {
    clients,
    jwks: { keys: [key] as never }, // jose and oidc-provider declare a JWK differently
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:kontor',
        getResourceServerInfo: (_ctx, _resource, client) => ({
          scope: 'api',
          audience: people[client.clientId]!.audience ?? 'kontor-api',
          accessTokenFormat: 'jwt',
          accessTokenTTL: people[client.clientId]!.ttl ?? 300,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    extraTokenClaims: (_ctx, token) => {
      const { roles, typ } = people[token.clientId!]!
      const named = { preferred_username: token.clientId, name: `The ${token.clientId}`, realm_access: { roles } }
      return { ...named, azp: token.clientId, ...(typ && { typ }), groups: { shop: ['editor'] } }
    },
    formats: {
      customizers: {
        jwt: (_ctx, token, parts) => {
          const { header, claims } = people[token.clientId!]!
          if (header) parts.header = { ...parts.header, typ: header }
          Object.assign(parts.payload, claims?.(Math.floor(Date.now() / 1000)))
        },
      },
    },
  })
  const app = provider.callback()
  void import('node:http').then(({ createServer }) =>
    createServer((request, reply) => {
      request.url = request.url!.replace('/realms/shop', '')
      Object.assign(request, { originalUrl: `/realms/shop${request.url}`, baseUrl: '/realms/shop' })
      void app(request, reply)
    }).listen(port, 'localhost', () => console.log('ready')),
  )
}
