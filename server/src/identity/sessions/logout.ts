/**
 * Signing out, in three ways:
 *
 *   an ID token as hint     the session ends at once and the browser is redirected (RP-initiated logout)
 *   a refresh token         the session ends, 204 (as in Keycloak, for clients without a browser)
 *   neither                 the provider's page asks for confirmation, because a link must not sign users out
 *
 * Offline tokens survive logout; they end when they are revoked.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { audit } from '../audit/audit-chain.ts'
import { mayRedirect } from '../clients/clients.ts'
import { findClient } from '../clients/clients.sql.ts'
import { answerErrors, type EndpointServices } from '../provider/endpoints.ts'
import { readForms, toForm, type Form } from '../provider/form.ts'
import { OAuthError } from '../provider/oauth-error.ts'
import type { PagesFor } from '../pages/pages.ts'
import { open, paths } from '../provider/paths.ts'

export interface LogoutServices extends Pick<EndpointServices, 'db' | 'sessions' | 'tokens'> {
  baseUrl: string
  issuer: string
  pages: PagesFor
  /** Passes the request to the provider library. */
  toProvider: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

export const logout =
  (services: LogoutServices): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    answerErrors(app)
    app.get(paths.end_session, open, async (request, reply) => {
      const params = toForm(new URL(request.url, services.baseUrl).searchParams)
      if (params.has('id_token_hint')) return byHint(services, params, request.ip, reply)
      return services.toProvider(request, reply)
    })
    app.post<{ Body: Form | undefined }>(paths.end_session, open, async ({ body: params = new Map(), ip }, reply) => {
      if (params.has('refresh_token')) return byRefreshToken(services, params, ip, reply)
      if (params.has('id_token_hint')) return byHint(services, params, ip, reply)
      return reply.redirect(`${services.issuer}${paths.end_session}?${new URLSearchParams([...params])}`, 303)
    })
  }

async function byHint(services: LogoutServices, params: Form, address: string, reply: FastifyReply) {
  const { db, tokens, sessions, baseUrl, pages } = services
  const hint = await tokens.readIdToken(params.get('id_token_hint')!)
  const clientId = params.get('client_id') ?? hint?.aud
  if (!hint || hint.aud !== clientId) throw new OAuthError(400, 'invalid_request', 'Invalid parameter: id_token_hint')
  const target = params.get('post_logout_redirect_uri')
  const client = await findClient(db, clientId!)
  if (target !== undefined && !(client && mayRedirect(client, target, baseUrl))) {
    throw new OAuthError(400, 'invalid_request', 'Invalid redirect uri')
  }
  await sessions.end([hint.sid])
  await audit(db, { action: 'logout', client: hint.aud, session: hint.sid, address })
  reply.header('cache-control', 'no-store')
  if (target !== undefined) return reply.redirect(withState(target, params.get('state')), 302)
  const { html, policy } = pages(reply.request.headers['accept-language']).signedOut()
  return reply.header('content-security-policy', policy).type('text/html').send(html)
}

async function byRefreshToken(services: LogoutServices, params: Form, address: string, reply: FastifyReply) {
  const { db, tokens, sessions } = services
  const claims = await tokens.readRefreshToken(params.get('refresh_token')!)
  if (!claims || claims.azp !== params.get('client_id')) {
    throw new OAuthError(400, 'invalid_grant', 'Invalid refresh token')
  }
  // An earlier copy of an offline token does not contain the session of the latest access token.
  const current = claims.oid === undefined ? undefined : (await sessions.findOffline(claims.oid))?.sessionId
  await sessions.end([claims.sid, ...(current ? [current] : [])])
  await audit(db, { action: 'logout', client: claims.azp, session: claims.sid, address })
  return reply.code(204).send()
}

function withState(target: string, state: string | undefined): string {
  const url = new URL(target)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
