/**
 * OpenID clients and the grants that each of them may use.
 *
 *   public         the console: no secret, PKCE, no consent. Redirects to addresses below the base URL and to the user's
 *                  own machine (for command-line tools); the password grant if the settings allow it.
 *   confidential   has a secret and calls the API as its service user (client credentials). It signs users in if it has
 *                  redirect addresses, which are compared as URLs. It needs PKCE too.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ClientMetadata } from 'oidc-provider'
import type { Algorithm } from '../tokens/keys.ts'
import type { Client } from './clients.sql.ts'

export const clientMetadata =
  (options: { baseUrl: string; algorithm: Algorithm; passwordGrant: boolean }) =>
  (client: Client): ClientMetadata => ({
    client_id: client.id,
    ...(client.secretHash === null ? publicClient(options) : confidentialClient(client)),
    id_token_signed_response_alg: options.algorithm,
  })

const publicClient = ({ baseUrl, passwordGrant }: { baseUrl: string; passwordGrant: boolean }) =>
  ({
    redirect_uris: [`${baseUrl}/`],
    post_logout_redirect_uris: [`${baseUrl}/`],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token', ...(passwordGrant ? ['password'] : [])],
    token_endpoint_auth_method: 'none',
  }) satisfies Partial<ClientMetadata>

/** The library requires a `client_secret`. provider.ts replaces the method that compares it, so the hash is enough. */
function confidentialClient({ secretHash, redirectUris }: Client) {
  const signsUsersIn = redirectUris.length > 0
  return {
    client_secret: secretHash!.toString('base64url'),
    redirect_uris: [...redirectUris],
    post_logout_redirect_uris: [...redirectUris],
    response_types: signsUsersIn ? ['code'] : [],
    grant_types: ['client_credentials', ...(signsUsersIn ? ['authorization_code', 'refresh_token'] : [])],
    token_endpoint_auth_method: 'client_secret_basic',
  } satisfies Partial<ClientMetadata>
}

/** 256 random bits cannot be guessed, so a plain SHA-256 is enough to store them safely. */
export const newSecret = () => randomBytes(32).toString('base64url')
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest()
export const isSecret = (given: string, hash: Buffer | null) =>
  hash !== null && timingSafeEqual(hashSecret(given), hash)

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The address as a URL, if it is written as the URL standard writes it. Parsers disagree about other spellings, such as
 * `http://localhost\\@evil.example/`: a browser or a proxy may read another host than we do.
 */
function readRedirect(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url && (url.href === address || url.href === `${address}/`) ? url : undefined
}

/** Whether a public client may redirect to the address: below the base URL, or on the user's own machine. */
export function isAllowedRedirect(address: string, baseUrl: string): boolean {
  const url = readRedirect(address)
  if (!url || url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (/^https?:$/.test(url.protocol) && loopback.has(url.hostname)) return true
  const base = new URL(baseUrl).href
  return url.href === base || url.href.startsWith(`${base.replace(/\/$/, '')}/`)
}

/** Whether the address is one of those that are registered for a client with a secret. */
export const isRegisteredRedirect = (address: string, registered: readonly string[]) =>
  registered.some((known) => new URL(known).href === readRedirect(address)?.href)

/** Whether a browser may be redirected to the address on behalf of the client. */
export const mayRedirect = (client: Pick<Client, 'secretHash' | 'redirectUris'>, address: string, baseUrl: string) =>
  client.secretHash === null ? isAllowedRedirect(address, baseUrl) : isRegisteredRedirect(address, client.redirectUris)
