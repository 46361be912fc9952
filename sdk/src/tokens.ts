/**
 * Access tokens: asked for when needed, used until they end, and then asked for again, once for all calls that wait.
 *
 * An offline token is a refresh token for integrations: it lives for 30 days of non-use, and every exchange returns a new
 * one, which must be kept (`onOfflineToken`).
 */
import { KontorError } from './errors.ts'
import { fetch, URLSearchParams } from './surroundings.ts'

/** Gives an access token; `fresh` demands a new one, because the last was refused. */
export type TokenSource = (fresh: boolean) => Promise<string>

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

/** A token that somebody else looks after. */
export const fixedToken =
  (token: string): TokenSource =>
  async () =>
    token

export function passwordTokens(provider: Provider, username: string, password: string): TokenSource {
  return keeping(() => request(provider, { grant_type: 'password', username, password, scope: 'openid' }))
}

/** Signs in once for an integration: the offline token, which `offlineTokens` lives on and which is to be kept secret. */
export async function signInOffline(provider: Provider, username: string, password: string): Promise<string> {
  const scope = 'openid offline_access'
  const reply = await request(provider, { grant_type: 'password', username, password, scope })
  if (reply.refresh_token === undefined) throw new KontorError(403, ['the server gives this user no offline token'])
  return reply.refresh_token
}

export function offlineTokens(
  provider: Provider,
  offlineToken: string,
  onOfflineToken: (token: string) => void | Promise<void> = () => {},
): TokenSource {
  let current = offlineToken
  return keeping(async () => {
    const reply = await request(provider, {
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

/** Half a minute before a token ends it is not handed out any more. */
const margin = 30_000

function keeping(ask: () => Promise<TokenReply>): TokenSource {
  let held: { token: string; until: number } | undefined
  let asking: Promise<string> | undefined
  return (fresh) => {
    if (!fresh && held && Date.now() < held.until) return Promise.resolve(held.token)
    asking ??= ask()
      .then(({ access_token: token, expires_in: seconds }) => {
        held = { token, until: Date.now() + seconds * 1000 - margin }
        return token
      })
      .finally(() => (asking = undefined))
    return asking
  }
}

async function request(
  { baseUrl, realm = 'kontor', clientId = 'kontor-ui' }: Provider,
  fields: Record<string, string>,
) {
  const reply = await fetch(`${baseUrl}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
  })
  const body = (await reply.json()) as TokenReply
  if (!reply.ok) throw new KontorError(reply.status, [body.error_description ?? 'no token was given'])
  return body
}
