/**
 * The endpoints that read our tokens: keys, userinfo, introspection, revocation.
 *
 * The library cannot answer these for JWT access tokens, which it never stores; we verify and look at the session.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Db } from '../adapters/postgres/db.ts'
import { readForms, type Form } from './form.ts'
import type { Keys } from './keys.ts'
import { OAuthError, retryAfter, toOAuthError } from './oauth-error.ts'
import { open, paths } from './paths.ts'
import type { Sessions } from './sessions.ts'
import { isKnownClient } from './storage.ts'
import { profileOf, type Tokens } from './tokens.ts'
import type { Users } from './users.ts'
import type { Verify } from './verify.ts'

export interface EndpointParts {
  db: Db
  keys: Keys
  users: Users
  sessions: Sessions
  tokens: Tokens
  verify: Verify
}

export const endpoints =
  (parts: EndpointParts): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    answerErrors(app)

    app.get(paths.jwks, open, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=60').send(parts.keys.published()),
    )
    app.route({
      method: ['GET', 'POST'],
      url: paths.userinfo,
      ...open,
      handler: async (request, reply) =>
        noStore(reply).send(await userinfo(parts, request.raw.headersDistinct.authorization)),
    })
    app.post<{ Body: Form }>(paths.introspection, open, async ({ body }, reply) =>
      noStore(reply).send(await introspect(parts, body)),
    )
    app.post<{ Body: Form }>(paths.revocation, open, async ({ body }, reply) => {
      await revoke(parts, body)
      return noStore(reply).send()
    })
  }

const noStore = (reply: FastifyReply) => reply.header('cache-control', 'no-store')

async function userinfo({ users, verify }: EndpointParts, authorization: readonly string[] | undefined) {
  const { principal, claims } = await verify(authorization)
  if (!claims.scope.split(' ').includes('openid')) {
    throw new OAuthError(403, 'insufficient_scope', 'the access token was not issued for the scope openid')
  }
  const user = await users.find({ id: principal.userId })
  return { sub: principal.userId, ...profileOf(user!) }
}

/** Tells a client about its own tokens only; anything else is simply not active. */
async function introspect(parts: EndpointParts, form: Form) {
  const { token, clientId } = await readRequest(parts, form)
  const access = await ownAccessToken(parts, token, clientId)
  if (access)
    return { ...access, active: true, client_id: clientId, username: access.preferred_username, token_type: 'Bearer' }
  const claims = await parts.tokens.readRefreshToken(token)
  if (!claims || claims.azp !== clientId) return { active: false }
  const live =
    claims.oid === undefined ? await parts.sessions.state(claims.sid) : await parts.sessions.findOffline(claims.oid)
  return live
    ? { active: true, client_id: clientId, scope: claims.scope, sub: live.userId, sid: claims.sid }
    : { active: false }
}

/** Ends what the token stands for. One that is not valid needs no revoking, and is no error (RFC 7009). */
async function revoke(parts: EndpointParts, form: Form): Promise<void> {
  const { token, clientId } = await readRequest(parts, form)
  const access = await ownAccessToken(parts, token, clientId)
  if (access) return parts.sessions.end([access.sid])
  const claims = await parts.tokens.readRefreshToken(token)
  if (!claims || claims.azp !== clientId) return
  if (claims.oid === undefined) return parts.sessions.end([claims.sid])
  await parts.sessions.endOffline(claims.oid)
}

async function readRequest({ db }: EndpointParts, form: Form | undefined) {
  const token = form?.get('token')
  const clientId = form?.get('client_id')
  if (!token) throw new OAuthError(400, 'invalid_request', 'Missing form parameter: token')
  if (!clientId || !(await isKnownClient(db, clientId))) {
    throw new OAuthError(401, 'invalid_client', 'Missing or unknown client_id')
  }
  return { token, clientId }
}

async function ownAccessToken({ verify }: EndpointParts, token: string, clientId: string) {
  try {
    const { claims } = await verify(`Bearer ${token}`)
    return claims.azp === clientId ? claims : undefined
  } catch (error) {
    const refusal = toOAuthError(error)
    if (refusal instanceof OAuthError && refusal.statusCode === 401) return undefined
    throw error
  }
}

/** Refusals as RFC 6749 and 6750 want them; what is not a refusal goes on to the server's own handler. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const refusal = toOAuthError(error)
    if (refusal instanceof OAuthError) {
      const { statusCode, message, error_description } = refusal
      if (message === 'invalid_token') reply.header('www-authenticate', `Bearer error="${message}"`)
      if (statusCode === 429) reply.header('retry-after', retryAfter)
      return noStore(reply).code(statusCode).send({ error: message, error_description })
    }
    // Too large, or not a form: found by the server while it read the body.
    if (error.statusCode !== undefined && error.statusCode < 500) {
      return noStore(reply).code(error.statusCode).send({ error: 'invalid_request', error_description: error.message })
    }
    throw error
  })
}
