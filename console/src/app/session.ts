/**
 * Signing in by authorization code with PKCE, at the provider the server names.
 *
 *   no token     -> the provider, with a fresh verifier and the place one wanted to see
 *   ?code&state  -> the code is exchanged, and that place is shown
 *   later        -> access tokens come by the refresh token; refused, it is back to the provider
 *
 * The refresh token lives in the tab's session storage: it survives a reload and ends with the tab. Access tokens live in
 * memory alone.
 */
import type { TokenSource } from '@kontor/sdk'

export interface Session {
  readonly tokens: TokenSource
  /** Ends the session here and at the provider. */
  signOut(): Promise<void>
}

interface Installation {
  readonly issuer: string
  readonly clientId: string
}
interface Discovery {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly end_session_endpoint?: string
}
interface TokenReply {
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_token?: string
  readonly id_token?: string
}
/** What is remembered while the browser is at the provider. */
interface Pending {
  readonly state: string
  readonly verifier: string
  readonly place: string
}

const kept = {
  pending: 'kontor.pending',
  refresh: 'kontor.refresh',
  identity: 'kontor.identity',
} as const
const redirectUri = `${location.origin}/signed-in`
/** Half a minute before a token ends it is not used any more. */
const margin = 30_000

export async function openSession(): Promise<Session | undefined> {
  const installation = JSON.parse(document.getElementById('installation')!.textContent) as Installation
  const reply = await fetch(`${installation.issuer}/.well-known/openid-configuration`)
  const discovery = (await reply.json()) as Discovery
  const provider = { ...installation, ...discovery }
  if (location.pathname === '/signed-in') {
    const first = await exchangeCode(provider)
    return first ? createSession(provider, first) : undefined
  }
  if (sessionStorage.getItem(kept.refresh) === null) return leaveForSignIn(provider)
  return createSession(provider)
}

type Provider = Installation & Discovery

function createSession(provider: Provider, first?: TokenReply): Session {
  const hold = ({ access_token: token, expires_in: seconds }: TokenReply) => ({
    token,
    until: Date.now() + seconds * 1000 - margin,
  })
  let held = first && hold(first)
  let asking: Promise<string> | undefined
  const refresh = async () => {
    const reply = await askToken(provider, {
      grant_type: 'refresh_token',
      refresh_token: sessionStorage.getItem(kept.refresh) ?? '',
    })
    if (!reply) {
      await leaveForSignIn(provider)
      return new Promise<string>(() => {}) // the page is being left
    }
    keep(reply)
    held = hold(reply)
    return held.token
  }
  return {
    tokens: (fresh) => {
      if (!fresh && held && Date.now() < held.until) return Promise.resolve(held.token)
      return (asking ??= refresh().finally(() => (asking = undefined)))
    },
    async signOut() {
      const hint = sessionStorage.getItem(kept.identity)
      for (const name of Object.values(kept)) sessionStorage.removeItem(name)
      if (!provider.end_session_endpoint) return location.assign('/')
      const fields = { client_id: provider.clientId, post_logout_redirect_uri: `${location.origin}/` }
      location.assign(
        `${provider.end_session_endpoint}?${new URLSearchParams({ ...fields, ...(hint && { id_token_hint: hint }) })}`,
      )
    },
  }
}

async function leaveForSignIn(provider: Provider): Promise<undefined> {
  if (!isSecureContext) throw new Error('Signing in needs a secure connection: use https, or localhost.')
  sessionStorage.removeItem(kept.refresh)
  const verifier = randomText()
  const pending: Pending = { state: randomText(), verifier, place: placeNow() }
  sessionStorage.setItem(kept.pending, JSON.stringify(pending))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const fields = {
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state: pending.state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }
  location.replace(`${provider.authorization_endpoint}?${new URLSearchParams(fields)}`)
}

const placeNow = () => (location.pathname === '/signed-in' ? '/' : location.pathname + location.search)

/** A code that is not ours, was used, or came too late leads back to the provider. */
async function exchangeCode(provider: Provider): Promise<TokenReply | undefined> {
  const given = new URLSearchParams(location.search)
  const pending = JSON.parse(sessionStorage.getItem(kept.pending) ?? 'null') as Pending | null
  sessionStorage.removeItem(kept.pending)
  if (given.has('error')) throw new Error(`Signing in failed: ${given.get('error_description') ?? given.get('error')}`)
  const code = given.get('code')
  const reply =
    pending && code && given.get('state') === pending.state
      ? await askToken(provider, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: pending.verifier,
        })
      : undefined
  if (!reply || !pending) return leaveForSignIn(provider)
  keep(reply)
  history.replaceState(null, '', pending.place)
  return reply
}

function keep({ refresh_token: refresh, id_token: identity }: TokenReply): void {
  if (refresh !== undefined) sessionStorage.setItem(kept.refresh, refresh)
  if (identity !== undefined) sessionStorage.setItem(kept.identity, identity)
}

async function askToken(
  { token_endpoint, clientId }: Provider,
  fields: Record<string, string>,
): Promise<TokenReply | undefined> {
  const reply = await fetch(token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...fields }),
  })
  if (reply.ok) return (await reply.json()) as TokenReply
  if (reply.status === 400 || reply.status === 401) return undefined
  throw new Error(`The sign-in service answered ${reply.status}; try again in a moment.`)
}

const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
