/**
 * The four grants of the token endpoint: authorization code, refresh or offline token, password, client credentials.
 *
 * The provider library has parsed the request and authenticated the client; sessions and tokens are ours. Each grant
 * determines the user and the session; issuing the tokens is the same for all.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Provider, TokenEndpointGrantContext } from 'oidc-provider'
import type { Db } from '../../adapters/postgres/db.ts'
import { OAuthError, retryAfter, toOAuthError } from './oauth-error.ts'
import type { WriteAudit } from '../audit/audit-chain.ts'
import { findClient } from '../clients/clients.sql.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import { recordUse } from '../tokens/personal-tokens.sql.ts'
import { consumeCode } from './storage.ts'
import { findHolder } from '../sessions/sessions.sql.ts'
import type { Issue, RefreshClaims, Tokens } from '../tokens/tokens.ts'
import type { Users } from '../users/users.ts'

export interface GrantServices {
  db: Db
  users: Users
  sessions: Sessions
  tokens: Tokens
  signIn: SignIn
  writeAudit: WriteAudit
  /** Whether administrators may use the password grant; true by default. */
  adminsByPasswordGrant?: boolean
  /** Sends a message to a user. A message with a tid that exists already is skipped. */
  notify: Notify
  scopes: readonly string[]
}

export type Notify = (notice: {
  tid: string
  recipientUser: string
  subject: string
  body: string
  severity: 'WARN'
}) => Promise<void>

type Context = TokenEndpointGrantContext<Record<string, string | undefined>>
type Grant = (ctx: Context, services: GrantServices) => Promise<Issue>

// prettier-ignore
const grants: Record<string, { params: string[]; grant: Grant }> = {
  authorization_code: { params: ['code', 'redirect_uri', 'code_verifier'], grant: byCode },
  refresh_token:      { params: ['refresh_token', 'scope'],                grant: byRefreshToken },
  password:           { params: ['username', 'password', 'totp', 'scope'], grant: byPassword },
  client_credentials: { params: ['scope'],                                 grant: byClient },
}

export function registerGrants(provider: Provider, services: GrantServices, types: readonly string[]): void {
  for (const type of types) {
    const { params, grant } = grants[type]!
    const handler = async (ctx: Context) => {
      try {
        const issue = await grant(ctx, services)
        ctx.body = await (type === 'client_credentials'
          ? services.tokens.issueAccess(issue)
          : services.tokens.issue(issue))
        await services.writeAudit({
          ...from(ctx),
          ...about(issue),
          action: type === 'refresh_token' ? 'token.refresh' : 'token.issue',
        })
      } catch (error) {
        const refusal = toOAuthError(error)
        if (refusal instanceof OAuthError && refusal.statusCode === 429) ctx.set('Retry-After', retryAfter)
        throw refusal
      }
    }
    provider.registerGrantType<Record<string, string | undefined>>(type, handler, params)
  }
}

async function byCode(ctx: Context, { db, users, sessions, writeAudit }: GrantServices): Promise<Issue> {
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
    await sessions.revokeBrowser(browser) // used twice: one of the two users is a thief, and we do not know which
    await writeAudit({ ...from(ctx), action: 'code.reuse', outcome: 'failure', object: `user ${code.accountId}` })
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

async function byRefreshToken(ctx: Context, services: GrantServices): Promise<Issue> {
  const { db, users, sessions, tokens } = services
  const { client, params } = ctx.oidc
  const claims = await tokens.readRefreshToken(need(params, 'refresh_token'))
  if (!claims || claims.azp !== client.clientId) throw invalidGrant('Invalid refresh token')
  const scope = params.scope
  const excess = words(scope).filter((word) => !words(claims.scope).includes(word))
  if (excess.length > 0) throw new OAuthError(400, 'invalid_scope', `not granted before: ${excess.join(' ')}`)

  const { oid } = claims
  const signedIn = await (oid === undefined ? sessions.resume(claims) : sessions.resumeOffline({ ...claims, oid }))
  if (signedIn === 'reused') {
    await reportReuse(ctx, services, claims)
    throw invalidGrant('Token was used before: its session has ended')
  }
  const user = signedIn && (await users.find({ id: signedIn.session.userId }))
  if (!user) throw invalidGrant('Session not active')
  if (oid !== undefined) await recordUse(db, { offlineId: oid }, ctx.ip)
  return { user, signedIn, scope: scope || undefined }
}

/** A replaced token was presented again, so it may have been stolen: logs the event and warns the user, once. */
async function reportReuse(
  ctx: Context,
  { db, writeAudit, notify }: GrantServices,
  claims: RefreshClaims,
): Promise<void> {
  const { name = '' } = (await findHolder(db, claims)) ?? {}
  const { client, address } = from(ctx)
  await writeAudit({ client, address, action: 'token.reuse', outcome: 'failure', actor: name, session: claims.sid })
  await notify({
    // A tid that can be guessed could be taken by a message sent before, and this one would then be skipped.
    tid: `token-reuse-${randomUUID()}`,
    recipientUser: name,
    severity: 'WARN',
    subject: 'A token of yours was used twice',
    body: `A token that had been replaced was presented again, by the client ${client} from ${address}. Somebody may have copied it. Its session has ended; if you do not know why this happened, change your password.`,
  })
}

async function byPassword(ctx: Context, services: GrantServices): Promise<Issue> {
  const { sessions, signIn, scopes, adminsByPasswordGrant = true } = services
  const { client, params } = ctx.oidc
  const name = need(params, 'username')
  const attempt = { name, password: need(params, 'password'), ...(params.totp && { code: params.totp }) }
  const user = await signIn.byPassword({ ...attempt, ...from(ctx) })
  if (!user || 'needsCode' in user) throw new OAuthError(401, 'invalid_grant', 'Invalid user credentials')
  if (!adminsByPasswordGrant && user.roles.includes('admin')) {
    throw new OAuthError(400, 'unauthorized_client', 'Administrators sign in by browser here')
  }
  const scope = words(params.scope).filter((word) => scopes.includes(word))
  const by = { userId: user.id, clientId: client.clientId }
  return { user, signedIn: await sessions.start(by, scope.join(' ')) }
}

/** The client acts as its service user. It gets no refresh token, because it can always request a new access token. */
async function byClient(ctx: Context, { db, users, sessions, scopes }: GrantServices): Promise<Issue> {
  const { client, params } = ctx.oidc
  const serviceUser = (await findClient(db, client.clientId))?.serviceUser
  const user = serviceUser ? await users.find({ id: serviceUser }) : undefined
  if (!user?.enabled) throw new OAuthError(401, 'unauthorized_client', 'The client has no service user')
  const scope = words(params.scope).filter((word) => scopes.includes(word) && word !== 'offline_access')
  const signedIn = await sessions.start({ userId: user.id, clientId: client.clientId }, scope.join(' '))
  return { user, signedIn }
}

const from = (ctx: Context) => ({ client: ctx.oidc.client.clientId, address: ctx.ip })
const about = ({ user, signedIn: { session, offlineId } }: Issue) => ({
  actor: user.name,
  session: session.id,
  ...(offlineId !== undefined && { detail: { offline: offlineId } }),
})

const words = (text: string | undefined) => (text ? [...new Set(text.split(' '))] : [])

function need(params: Record<string, string | undefined>, name: string): string {
  return params[name] || missing(name)
}

function missing(name: string): never {
  throw new OAuthError(400, 'invalid_request', `Missing form parameter: ${name}`)
}

const invalidGrant = (description: string) => new OAuthError(400, 'invalid_grant', description)
