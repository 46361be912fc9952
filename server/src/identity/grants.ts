/**
 * The three ways to tokens: a code from the browser, a refresh or offline token, name and password.
 *
 * The provider has read the request and knows the client; sessions and tokens are ours. Each handler finds out who it is
 * and in which session, and the rest is the same.
 */
import { createHash } from 'node:crypto'
import type { Provider, TokenEndpointGrantContext } from 'oidc-provider'
import type { Db } from '../adapters/postgres/db.ts'
import { OAuthError, retryAfter, toOAuthError } from './oauth-error.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import { consumeCode } from './storage.ts'
import type { Tokens } from './tokens.ts'
import type { User, Users } from './users.ts'

export interface GrantParts {
  db: Db
  users: Users
  sessions: Sessions
  tokens: Tokens
  signIn: SignIn
  scopes: readonly string[]
}

interface Granted {
  user: User
  signedIn: SignedIn
  /** When less was asked for than was granted. */
  scope?: string
  nonce?: string
}

type Context = TokenEndpointGrantContext<Record<string, string | undefined>>
type Grant = (ctx: Context, parts: GrantParts) => Promise<Granted>

// prettier-ignore
const grants: Record<string, { params: string[]; grant: Grant }> = {
  authorization_code: { params: ['code', 'redirect_uri', 'code_verifier'], grant: byCode },
  refresh_token:      { params: ['refresh_token', 'scope'],                grant: byRefreshToken },
  password:           { params: ['username', 'password', 'scope'],         grant: byPassword },
}

export function registerGrants(provider: Provider, parts: GrantParts, types: readonly string[]): void {
  for (const type of types) {
    const { params, grant } = grants[type]!
    const handler = async (ctx: Context) => {
      try {
        ctx.body = await parts.tokens.issue(await grant(ctx, parts))
      } catch (error) {
        const refusal = toOAuthError(error)
        if (refusal instanceof OAuthError && refusal.statusCode === 429) ctx.set('Retry-After', retryAfter)
        throw refusal
      }
    }
    provider.registerGrantType<Record<string, string | undefined>>(type, handler, params)
  }
}

async function byCode(ctx: Context, { db, users, sessions }: GrantParts): Promise<Granted> {
  const { client, params, provider } = ctx.oidc
  const value = need(params, 'code')
  const code = await provider.AuthorizationCode.find(value)
  if (!code || code.clientId !== client.clientId) throw invalidGrant('Code not valid')
  if (code.redirectUri !== need(params, 'redirect_uri')) throw invalidGrant('Incorrect redirect_uri')
  const verifier = createHash('sha256')
    .update(params.code_verifier ?? '')
    .digest('base64url')
  if (verifier !== code.codeChallenge) throw invalidGrant('PKCE verification failed')

  const browser = code.sessionUid!
  if (!(await consumeCode(db, value))) {
    await sessions.revokeBrowser(browser) // used twice: one of the two is a thief, and we cannot tell which
    throw invalidGrant('Code not valid')
  }
  const [user, signedInThere] = await Promise.all([
    users.find({ id: code.accountId! }),
    provider.Session.findByUid(browser),
  ])
  if (!user?.enabled || signedInThere?.accountId !== user.id) throw invalidGrant('Session not active')
  const authenticatedAt = code.authTime === undefined ? undefined : new Date(code.authTime * 1000)
  const by = { userId: user.id, clientId: client.clientId, browser, authenticatedAt }
  return { user, signedIn: await sessions.start(by, code.scope ?? ''), nonce: code.nonce }
}

async function byRefreshToken(ctx: Context, { users, sessions, tokens }: GrantParts): Promise<Granted> {
  const { client, params } = ctx.oidc
  const claims = await tokens.readRefreshToken(need(params, 'refresh_token'))
  if (!claims || claims.azp !== client.clientId) throw invalidGrant('Invalid refresh token')
  const scope = params.scope
  const surplus = words(scope).filter((word) => !words(claims.scope).includes(word))
  if (surplus.length > 0) throw new OAuthError(400, 'invalid_scope', `not granted before: ${surplus.join(' ')}`)

  const signedIn = await resume(claims, sessions)
  const user = signedIn && (await users.find({ id: signedIn.session.userId }))
  if (!user) throw invalidGrant('Session not active')
  return { user, signedIn, scope: scope || undefined }
}

async function resume(claims: { sid: string; oid?: string; scope: string }, sessions: Sessions) {
  if (claims.oid !== undefined) return sessions.resumeOffline(claims.oid)
  const session = await sessions.resume(claims.sid)
  return session && { session, scope: claims.scope }
}

async function byPassword(ctx: Context, { sessions, signIn, scopes }: GrantParts): Promise<Granted> {
  const { client, params } = ctx.oidc
  const name = need(params, 'username')
  const user = await signIn({ name, password: need(params, 'password'), address: ctx.ip })
  if (!user) throw new OAuthError(401, 'invalid_grant', 'Invalid user credentials')
  const scope = words(params.scope).filter((word) => scopes.includes(word))
  const by = { userId: user.id, clientId: client.clientId }
  return { user, signedIn: await sessions.start(by, scope.join(' ')) }
}

const words = (text: string | undefined) => (text ? [...new Set(text.split(' '))] : [])

function need(params: Record<string, string | undefined>, name: string): string {
  return params[name] || missing(name)
}

function missing(name: string): never {
  throw new OAuthError(400, 'invalid_request', `Missing form parameter: ${name}`)
}

const invalidGrant = (description: string) => new OAuthError(400, 'invalid_grant', description)
