/**
 * Clients, and what each may do.
 *
 *   public         the console: no secret, PKCE, no consent. Redirects to below the base URL and to the caller's own
 *                  machine (for tools that listen there); the password grant where the settings allow it.
 *   confidential   keeps a secret, acts for itself as its service user (client credentials), and signs people in when it
 *                  names redirect addresses, which are compared whole. PKCE is asked of it too.
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

/** The library compares secrets by a method that the provider replaces (provider.ts); it wants one to be there. */
function confidentialClient({ secretHash, redirectUris }: Client) {
  const forPeople = redirectUris.length > 0
  return {
    client_secret: secretHash!.toString('base64url'),
    redirect_uris: [...redirectUris],
    post_logout_redirect_uris: [...redirectUris],
    response_types: forPeople ? ['code'] : [],
    grant_types: ['client_credentials', ...(forPeople ? ['authorization_code', 'refresh_token'] : [])],
    token_endpoint_auth_method: 'client_secret_basic',
  } satisfies Partial<ClientMetadata>
}

/** 256 random bits, which no guessing reaches: a plain hash keeps them well enough. */
export const newSecret = () => randomBytes(32).toString('base64url')
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest()
export const isSecret = (given: string, hash: Buffer | null) =>
  hash !== null && timingSafeEqual(hashSecret(given), hash)

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

export function isAllowedRedirect(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  if (url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (/^https?:$/.test(url.protocol) && loopback.has(url.hostname)) return true
  // url.href has its dots resolved, so that "{base}/../elsewhere" is not below the base
  return url.href === baseUrl || url.href.startsWith(`${new URL(baseUrl).href.replace(/\/$/, '')}/`)
}

/** Whether a client may be sent there. */
export const mayRedirect = (client: Pick<Client, 'secretHash' | 'redirectUris'>, address: string, baseUrl: string) =>
  client.secretHash === null ? isAllowedRedirect(address, baseUrl) : client.redirectUris.includes(address)
