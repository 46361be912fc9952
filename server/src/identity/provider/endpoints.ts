/**
 * The endpoints that read our tokens: keys, userinfo, introspection, revocation.
 *
 * The library cannot implement them for JWT access tokens, because it does not store these. We verify the token and look
 * up its session.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../adapters/postgres/db.ts'
import { audit } from '../audit/audit-chain.ts'
import { isSecret } from '../clients/clients.ts'
import { findClient, type Client } from '../clients/clients.sql.ts'
import { readForms, type Form } from './form.ts'
import type { Keys } from '../tokens/keys.ts'
import { OAuthError, retryAfter, toOAuthError } from './oauth-error.ts'
import { open, paths } from './paths.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { profileOf, type Tokens } from '../tokens/tokens.ts'
import type { Users } from '../users/users.ts'
import type { Verify } from '../tokens/verify.ts'

export interface EndpointServices {
  db: Db
  keys: Keys
  users: Users
  sessions: Sessions
  tokens: Tokens
  verify: Verify
}

export const endpoints =
  (services: EndpointServices): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    answerErrors(app)

    app.get(paths.jwks, open, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=60').send(services.keys.published()),
    )
    app.route({
      method: ['GET', 'POST'],
      url: paths.userinfo,
      ...open,
      handler: async (request, reply) =>
        noStore(reply).send(await userinfo(services, request.raw.headersDistinct.authorization)),
    })
    app.post<{ Body: Form }>(paths.introspection, open, async (request, reply) =>
      noStore(reply).send(await introspect(services, request)),
    )
    app.post<{ Body: Form }>(paths.revocation, open, async (request, reply) => {
      await revoke(services, request)
      return noStore(reply).send()
    })
  }

type FormRequest = FastifyRequest<{ Body: Form | undefined }>
const noStore = (reply: FastifyReply) => reply.header('cache-control', 'no-store')

async function userinfo({ users, verify }: EndpointServices, authorization: readonly string[] | undefined) {
  const { principal, claims } = await verify(authorization)
  if (!claims.scope.split(' ').includes('openid')) {
    throw new OAuthError(403, 'insufficient_scope', 'the access token was not issued for the scope openid')
  }
  const user = await users.find({ id: principal.userId })
  return { sub: principal.userId, ...profileOf(user!) }
}

/**
 * Describes a token. A client with a secret may ask about every token, a caller with an access token about tokens of the
 * same client. A client id alone is not enough, so that nobody can try out tokens here.
 */
async function introspect(services: EndpointServices, request: FormRequest) {
  const token = tokenIn(request.body)
  const clientId = await introspector(services, request)
  const access = await accessToken(services, token, clientId)
  if (access) {
    const { azp: client_id, preferred_username: username } = access
    return { ...access, active: true, client_id, username, token_type: 'Bearer' }
  }
  const claims = await services.tokens.readRefreshToken(token)
  if (!claims || (clientId !== undefined && claims.azp !== clientId)) return { active: false }
  const { azp: client_id, scope, sid, oid } = claims
  const live = await (oid === undefined ? services.sessions.state(sid) : services.sessions.findOffline(oid))
  return live ? { active: true, client_id, scope, sub: live.userId, sid } : { active: false }
}

/** The client to whose tokens the caller is limited; undefined if the caller may ask about all tokens. */
async function introspector({ db, verify }: EndpointServices, request: FormRequest): Promise<string | undefined> {
  const { authorization } = request.raw.headersDistinct
  if (authorization?.some((value) => /^bearer /i.test(value))) return (await verify(authorization)).claims.azp
  const client = await authenticateClient(db, request)
  if (client.secretHash === null) throw invalidClient('A client with a secret, or an access token, is needed')
  return undefined
}

/** Ends the session of the token. An invalid token is not an error (RFC 7009). */
async function revoke(services: EndpointServices, request: FormRequest): Promise<void> {
  const token = tokenIn(request.body)
  const { id: clientId } = await authenticateClient(services.db, request)
  const note = (session: string) =>
    audit(services.db, { action: 'token.revoke', client: clientId, session, address: request.ip })
  const access = await accessToken(services, token, clientId)
  const claims = access ?? (await services.tokens.readRefreshToken(token))
  if (!claims || claims.azp !== clientId) return
  if ('oid' in claims && claims.oid !== undefined) await services.sessions.endOffline(String(claims.oid))
  else await services.sessions.end([claims.sid])
  await note(claims.sid)
}

function tokenIn(form: Form | undefined): string {
  const token = form?.get('token')
  if (!token) throw new OAuthError(400, 'invalid_request', 'Missing form parameter: token')
  return token
}

/** A public client is identified by its client_id; a confidential one also sends its secret, in the header or the form. */
async function authenticateClient(db: Db, { body, headers }: FormRequest): Promise<Client> {
  const { id, secret } = headers.authorization === undefined ? fromForm(body) : fromBasic(headers.authorization)
  const client = id === undefined ? undefined : await findClient(db, id)
  if (!client?.enabled) throw invalidClient('Missing or unknown client_id')
  if (client.secretHash !== null && !isSecret(secret ?? '', client.secretHash)) {
    throw invalidClient('Invalid client credentials')
  }
  return client
}

const fromForm = (form: Form | undefined) => ({ id: form?.get('client_id'), secret: form?.get('client_secret') })

function fromBasic(header: string): { id?: string; secret?: string } {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  try {
    return id === undefined ? {} : { id: unescapeForm(id), secret: unescapeForm(secret!) }
  } catch {
    return {} // invalid percent-encoding
  }
}

const unescapeForm = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

const invalidClient = (description: string) => new OAuthError(401, 'invalid_client', description)

async function accessToken({ verify }: EndpointServices, token: string, clientId: string | undefined) {
  try {
    const { claims } = await verify(`Bearer ${token}`)
    return clientId === undefined || claims.azp === clientId ? claims : undefined
  } catch (error) {
    const refusal = toOAuthError(error)
    if (refusal instanceof OAuthError && refusal.statusCode === 401) return undefined
    throw error
  }
}

/** Replies with errors in the format of RFC 6749 and 6750. Other errors go to the server's own error handler. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const refusal = toOAuthError(error)
    if (refusal instanceof OAuthError) {
      const { statusCode, message, error_description } = refusal
      if (message === 'invalid_token') reply.header('www-authenticate', `Bearer error="${message}"`)
      if (message === 'invalid_client' && request.headers.authorization) reply.header('www-authenticate', 'Basic')
      if (statusCode === 429) reply.header('retry-after', retryAfter)
      return noStore(reply).code(statusCode).send({ error: message, error_description })
    }
    // Fastify itself refused the body: it is too large or not a form.
    if (error.statusCode !== undefined && error.statusCode < 500) {
      return noStore(reply).code(error.statusCode).send({ error: 'invalid_request', error_description: error.message })
    }
    throw error
  })
}
