/**
 * Token sources. A source requests an access token when a call first needs one, reuses it until shortly before it
 * expires, and then requests the next. Concurrent calls share one request.
 *
 * An offline token is a refresh token for integrations. It expires after 30 days without use. Every exchange returns a
 * new offline token that replaces the old one, so the caller must store it (`onOfflineToken`).
 */
import { KontorError } from './errors.ts'
import { btoa, fetch, URLSearchParams } from './runtime.ts'

/** Returns an access token. With `forceRefresh` it returns a new one, because the server rejected the last. */
export type TokenSource = (forceRefresh: boolean) => Promise<string>

export interface Provider {
  readonly baseUrl: string
  readonly realm?: string
  readonly clientId?: string
}

interface TokenReply {
  access_token: string
  expires_in: number
  refresh_token?: string
  error_description?: string
}

/** An access token that the caller renews. */
export const fixedToken =
  (token: string): TokenSource =>
  async () =>
    token

export function passwordTokens(provider: Provider, username: string, password: string): TokenSource {
  return cachedTokens(() => requestToken(provider, { grant_type: 'password', username, password, scope: 'openid' }))
}

/** The tokens of a client that acts for itself, not for a user: client credentials. `provider.clientId` is its id. */
export function clientTokens(provider: Provider & { readonly clientId: string }, clientSecret: string): TokenSource {
  return cachedTokens(() => requestToken(provider, { grant_type: 'client_credentials' }, clientSecret))
}

/** Signs in once and returns an offline token for `offlineTokens`. The token is a secret. */
export async function signInOffline(provider: Provider, username: string, password: string): Promise<string> {
  const scope = 'openid offline_access'
  const reply = await requestToken(provider, { grant_type: 'password', username, password, scope })
  if (reply.refresh_token === undefined) throw new KontorError(403, ['the server issued no offline token to this user'])
  return reply.refresh_token
}

export function offlineTokens(
  provider: Provider,
  offlineToken: string,
  onOfflineToken: (token: string) => void | Promise<void> = () => {},
): TokenSource {
  let current = offlineToken
  return cachedTokens(async () => {
    const reply = await requestToken(provider, {
      grant_type: 'refresh_token',
      refresh_token: current,
      scope: 'openid offline_access',
    })
    if (reply.refresh_token !== undefined && reply.refresh_token !== current) {
      current = reply.refresh_token
      await onOfflineToken(current)
    }
    return reply
  })
}

/** Milliseconds before its expiry from which on a token is no longer used. */
const expiryMargin = 30_000

function cachedTokens(requestNext: () => Promise<TokenReply>): TokenSource {
  let cached: { token: string; usableUntil: number } | undefined
  let pending: Promise<string> | undefined
  return (forceRefresh) => {
    if (!forceRefresh && cached && Date.now() < cached.usableUntil) return Promise.resolve(cached.token)
    pending ??= requestNext()
      .then(({ access_token: token, expires_in: seconds }) => {
        cached = { token, usableUntil: Date.now() + seconds * 1000 - expiryMargin }
        return token
      })
      .finally(() => (pending = undefined))
    return pending
  }
}

/** Both parts are encoded as in a form, RFC 6749 section 2.3.1. */
const basic = (id: string, secret: string) => `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`

async function requestToken(
  { baseUrl, realm = 'kontor', clientId = 'kontor-ui' }: Provider,
  fields: Record<string, string>,
  clientSecret?: string,
): Promise<TokenReply> {
  const isConfidential = clientSecret !== undefined
  const reply = await fetch(`${baseUrl}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isConfidential && { authorization: basic(clientId, clientSecret) }),
    },
    body: new URLSearchParams({ ...(!isConfidential && { client_id: clientId }), ...fields }).toString(),
  })
  const body = (await reply.json()) as TokenReply
  if (!reply.ok) throw new KontorError(reply.status, [body.error_description ?? 'the server issued no token'])
  return body
}
