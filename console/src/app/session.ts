/**
 * Signs the user in at the identity provider of the installation, by authorization code with PKCE.
 *
 *   no refresh token  -> redirect to the provider, with a fresh verifier; the requested URL is stored
 *   ?code&state       -> exchange the code for tokens and restore the requested URL
 *   later             -> get access tokens by the refresh token; when it is refused, redirect to the provider
 *
 * The refresh token is in the tab's session storage: it survives a reload and is gone when the tab closes. Access
 * tokens are in memory only.
 *
 * A refresh token can be exchanged once, and using it again ends the session. So no two tabs may hold the same one: a
 * duplicated tab, whose session storage is a copy, gets its own from the provider, without a password.
 */
import type { TokenSource } from '@kontor/sdk'
import { SignInFailure } from './sign-in-failure.ts'

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
/** Stored while the browser is at the provider. */
interface Pending {
  readonly state: string
  readonly verifier: string
  readonly returnTo: string
}

const storageKeys = {
  pending: 'kontor.pending',
  refresh: 'kontor.refresh',
  identity: 'kontor.identity',
  tab: 'kontor.tab',
} as const
const redirectUri = `${location.origin}/signed-in`
/** A token is not used any more in the last 30 seconds before it expires. */
const expiryMarginMs = 30_000

export async function openSession(): Promise<Session | undefined> {
  const installation = JSON.parse(document.getElementById('installation')!.textContent) as Installation
  const provider = { ...installation, ...(await discover(installation.issuer)) }
  if (location.pathname === '/signed-in') {
    await isOnlyHolder()
    const first = await exchangeCode(provider)
    return first ? createSession(provider, first) : undefined
  }
  if (sessionStorage.getItem(storageKeys.refresh) === null || !(await isOnlyHolder())) return redirectToSignIn(provider)
  return createSession(provider)
}

async function discover(issuer: string): Promise<Discovery> {
  const reply = await fetchFrom(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (!reply.ok) throw new SignInFailure('status', { host: new URL(issuer).host, status: String(reply.status) })
  return (await reply.json()) as Discovery
}

/** A request to the provider. The browser does not say why a request failed; most often nothing answers there. */
const fetchFrom = (url: string, init?: RequestInit) =>
  fetch(url, init).catch(() => {
    throw new SignInFailure('noAnswer', { host: new URL(url).host })
  })

/** How long a reloaded page waits until its predecessor has released its lock. */
const releaseMs = 1000

/**
 * Whether no other tab has a copy of our session storage. A tab holds a lock on its id until it is closed; the browser
 * releases it. A tab whose id is locked is a copy and takes a new id.
 */
async function isOnlyHolder(): Promise<boolean> {
  if (!isSecureContext) return true // browsers have locks, and we sign in, in secure contexts only
  const id = sessionStorage.getItem(storageKeys.tab) ?? randomText()
  const isHeld = await holdLock(id)
  const held = isHeld ? id : randomText()
  if (!isHeld) await holdLock(held)
  sessionStorage.setItem(storageKeys.tab, held)
  return isHeld
}

const holdLock = (id: string) =>
  new Promise<boolean>((resolve) => {
    const options = { signal: AbortSignal.timeout(releaseMs) }
    const hold = () => {
      resolve(true)
      return new Promise<never>(() => {}) // until the page is left
    }
    navigator.locks.request(`kontor.tab.${id}`, options, hold).catch(() => resolve(false))
  })

type Provider = Installation & Discovery

function createSession(provider: Provider, first?: TokenReply): Session {
  const withExpiry = ({ access_token: token, expires_in: seconds }: TokenReply) => ({
    token,
    expiresAt: Date.now() + seconds * 1000 - expiryMarginMs,
  })
  let held = first && withExpiry(first)
  let refreshing: Promise<string> | undefined
  const refresh = async () => {
    const reply = await requestToken(provider, {
      grant_type: 'refresh_token',
      refresh_token: sessionStorage.getItem(storageKeys.refresh) ?? '',
    })
    if (!reply) {
      await redirectToSignIn(provider)
      return new Promise<string>(() => {}) // the page is being left
    }
    storeTokens(reply)
    held = withExpiry(reply)
    return held.token
  }
  return {
    tokens: (fresh) => {
      if (!fresh && held && Date.now() < held.expiresAt) return Promise.resolve(held.token)
      return (refreshing ??= refresh().finally(() => (refreshing = undefined)))
    },
    async signOut() {
      const hint = sessionStorage.getItem(storageKeys.identity)
      for (const name of Object.values(storageKeys)) sessionStorage.removeItem(name)
      if (!provider.end_session_endpoint) return location.assign('/')
      const fields = { client_id: provider.clientId, post_logout_redirect_uri: `${location.origin}/` }
      location.assign(
        `${provider.end_session_endpoint}?${new URLSearchParams({ ...fields, ...(hint && { id_token_hint: hint }) })}`,
      )
    },
  }
}

async function redirectToSignIn(provider: Provider): Promise<undefined> {
  if (!isSecureContext) throw new SignInFailure('insecure')
  sessionStorage.removeItem(storageKeys.refresh)
  const verifier = randomText()
  const pending: Pending = { state: randomText(), verifier, returnTo: currentUrl() }
  sessionStorage.setItem(storageKeys.pending, JSON.stringify(pending))
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

const currentUrl = () => (location.pathname === '/signed-in' ? '/' : location.pathname + location.search)

/** A code that was issued to someone else, was used before or has expired leads back to the provider. */
async function exchangeCode(provider: Provider): Promise<TokenReply | undefined> {
  const given = new URLSearchParams(location.search)
  const pending = JSON.parse(sessionStorage.getItem(storageKeys.pending) ?? 'null') as Pending | null
  sessionStorage.removeItem(storageKeys.pending)
  const refusal = given.get('error_description') ?? given.get('error')
  if (refusal !== null) throw new SignInFailure('refused', { why: refusal })
  const code = given.get('code')
  const reply =
    pending && code && given.get('state') === pending.state
      ? await requestToken(provider, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: pending.verifier,
        })
      : undefined
  if (!reply || !pending) return redirectToSignIn(provider)
  storeTokens(reply)
  history.replaceState(null, '', pending.returnTo)
  return reply
}

function storeTokens({ refresh_token: refresh, id_token: identity }: TokenReply): void {
  if (refresh !== undefined) sessionStorage.setItem(storageKeys.refresh, refresh)
  if (identity !== undefined) sessionStorage.setItem(storageKeys.identity, identity)
}

async function requestToken(
  { token_endpoint, clientId }: Provider,
  fields: Record<string, string>,
): Promise<TokenReply | undefined> {
  const reply = await fetchFrom(token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...fields }),
  })
  if (reply.ok) return (await reply.json()) as TokenReply
  if (reply.status === 400 || reply.status === 401) return undefined
  throw new SignInFailure('status', { host: new URL(token_endpoint).host, status: String(reply.status) })
}

const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
