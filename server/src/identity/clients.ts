/**
 * What a client may do. There is one kind now: first-party and public, it needs no consent and keeps no secret, and proves
 * itself by PKCE. Its redirect addresses are those below the base URL, and any on the caller's own machine (for tools
 * that listen there).
 */
import type { ClientMetadata } from 'oidc-provider'
import type { Algorithm } from './keys.ts'

export const clientMetadata =
  (options: { baseUrl: string; algorithm: Algorithm; passwordGrant: boolean }) =>
  (id: string): ClientMetadata => ({
    client_id: id,
    redirect_uris: [`${options.baseUrl}/`],
    post_logout_redirect_uris: [`${options.baseUrl}/`],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token', ...(options.passwordGrant ? ['password'] : [])],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: options.algorithm,
  })

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

export function isAllowedRedirect(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  if (url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (/^https?:$/.test(url.protocol) && loopback.has(url.hostname)) return true
  // url.href has its dots resolved, so that "{base}/../elsewhere" is not below the base
  return url.href === baseUrl || url.href.startsWith(`${new URL(baseUrl).href.replace(/\/$/, '')}/`)
}
