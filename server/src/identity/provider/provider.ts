/**
 * The OpenID provider: the configuration of the oidc-provider library and its callbacks into our code.
 *
 * The library implements discovery, the authorization endpoint and the flow through the login page. It authenticates
 * clients at the token endpoint and manages the browser's session. Users, sessions and tokens are ours (grants.ts), as
 * are the endpoints that read tokens (endpoints.ts). The paths are Keycloak's, because existing clients expect them.
 */
import type { EventEmitter } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { JWK } from 'jose'
import { interactionPolicy, Provider, type Configuration, type ErrorOut, type KoaContextWithOIDC } from 'oidc-provider'
import type { Client } from '../clients/clients.sql.ts'
import { clientMetadata, isAllowedRedirect, isRegisteredRedirect, isSecret } from '../clients/clients.ts'
import { registerGrants, type GrantServices } from './grants.ts'
import type { Keys } from '../tokens/keys.ts'
import { paths, providerPaths, scopes } from './paths.ts'
import { formTargetsOf, type Page, type PagesFor } from '../pages/pages.ts'
import { sessionSeconds } from '../sessions/sessions.sql.ts'
import { createClientStorage, createStorage } from './storage.ts'

interface ProviderOptions extends Omit<GrantServices, 'scopes'> {
  baseUrl: string
  issuer: string
  keys: Keys
  pages: PagesFor
  passwordGrant: boolean
  findClient: (id: string) => Promise<Client | undefined>
  /** Origins of other sites whose scripts may call the endpoints. */
  corsOrigins: ReadonlySet<string>
  log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Creates a new provider whenever the keys change, because the library reads them only once. The provider has no other
 * state, so a sign-in that one instance began can be finished by the next.
 */
export function createProvider(options: ProviderOptions): CurrentProvider {
  let made: { keys: readonly JWK[]; provider: Provider; answer: Answer } | undefined
  const current = () => {
    const keys = options.keys.all()
    if (made?.keys === keys) return made
    const provider = createInstance(options)
    made = { keys, provider, answer: provider.callback() }
    return made
  }
  return { get: () => current().provider, answer: (request, reply) => current().answer(request, reply) }
}

type Answer = ReturnType<Provider['callback']>
export interface CurrentProvider {
  get(): Provider
  readonly answer: Answer
}

function createInstance(options: ProviderOptions): Provider {
  const { baseUrl, issuer, sessions, passwordGrant, log } = options
  const provider = new Provider(issuer, configuration(options))
  provider.proxy = true // trust the forwarded headers: mount.ts sets them from the base URL
  const events: EventEmitter = provider
  events.on('server_error', (_ctx, error) => log.error({ err: error }, 'the OpenID provider failed'))
  events.on('error', (error) => log.error({ err: error }, 'the OpenID provider failed'))

  correctErrorCodes(provider)
  const types = ['authorization_code', 'refresh_token', 'client_credentials', ...(passwordGrant ? ['password'] : [])]
  registerGrants(provider, { ...options, scopes }, types)

  Object.assign(provider.Client.prototype, clientMethods(baseUrl))

  const destroy = provider.Session.prototype.destroy
  provider.Session.prototype.destroy = async function endWithItsSessions() {
    await sessions.endBrowser(this.uid)
    await destroy.call(this)
  }
  return provider
}

/** Replaces methods of the library's clients: our secrets are stored as hashes, and clients.ts checks redirects. */
function clientMethods(baseUrl: string) {
  type Known = InstanceType<Provider['Client']>
  function allowed(this: Known, address: string) {
    return this.clientAuthMethod === 'none'
      ? isAllowedRedirect(address, baseUrl)
      : isRegisteredRedirect(address, this.redirectUris ?? [])
  }
  return {
    redirectUriAllowed: allowed,
    postLogoutRedirectUriAllowed: allowed,
    compareClientSecret(this: Known, given: string) {
      return isSecret(given, Buffer.from(this.clientSecret!, 'base64url'))
    },
  }
}

function configuration(options: ProviderOptions): Configuration {
  const { db, baseUrl, issuer, keys, users } = options
  const path = new URL(issuer).pathname
  const metadata = clientMetadata({ ...options, algorithm: keys.algorithm })
  const { login } = paths
  return {
    adapter: (model) =>
      model === 'Client' ? createClientStorage(db, options.findClient, metadata) : createStorage(db, model),
    routes: providerPaths,
    jwks: { keys: [...keys.all()] },
    cookies: cookies(baseUrl, path),
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    scopes: [...scopes],
    claims: { openid: ['sub', 'sid'], profile: ['preferred_username', 'name'], email: ['email'] },
    enabledJWA: { idTokenSigningAlgValues: [keys.algorithm] },
    ttl: { AuthorizationCode: 60, Interaction: 1800, Session: sessionSeconds },
    clientBasedCORS: (_ctx, origin) => origin === new URL(baseUrl).origin || options.corsOrigins.has(origin),
    interactions: { policy: policy(), url: (_ctx, { uid }) => `${path}${login}/${uid}` },
    loadExistingGrant,
    async findAccount(_ctx, id) {
      const user = await users.find({ id })
      return user?.enabled ? { accountId: user.id, claims: () => ({ sub: user.id }) } : undefined
    },
    features: features(options),
    renderError(ctx, out) {
      if (ctx.oidc.route === 'token') ctx.body = out
      else show(ctx, options.pages(ctx.get('accept-language')).fault(out.error_description ?? out.error))
    },
  }
}

// prettier-ignore
const features = ({ pages }: ProviderOptions): Configuration['features'] => ({
  devInteractions:             { enabled: false },
  dPoP:                        { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators:          { enabled: false },
  introspection:               { enabled: true },
  revocation:                  { enabled: true },
  rpInitiatedLogout:           {
    enabled: true,
    logoutSource: (ctx, form) => show(ctx, pages(ctx.get('accept-language')).signOut(form, formTargetsOf(ctx.oidc.params?.post_logout_redirect_uri))),
    postLogoutSuccessSource: (ctx) => show(ctx, pages(ctx.get('accept-language')).signedOut()),
  },
})

/** The library reports a grant that the client may not use as invalid_request; RFC 6749 requires unauthorized_client. */
function correctErrorCodes(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    const out = ctx.body as Partial<ErrorOut> | undefined
    const isRefusal = ctx.status === 400 && out?.error_description?.startsWith('requested grant type is not allowed')
    if (isRefusal) ctx.body = { ...out, error: 'unauthorized_client' }
  })
}

/** The consent prompt must exist, because offline access requires it in the request; without checks it is never shown. */
function policy() {
  const { base, Check } = interactionPolicy
  const prompts = base()
  prompts.get('consent')!.checks.clear()
  prompts
    .get('login')!
    .checks.add(new Check('account_gone', 'the user no longer exists', (ctx) => ctx.oidc.account === undefined))
  return prompts
}

/** Grants all requested scopes without storing a consent: all clients are first-party. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const grant = new ctx.oidc.provider.Grant({
    accountId: ctx.oidc.account!.accountId,
    clientId: ctx.oidc.client!.clientId,
  })
  grant.addOIDCScope(scopes.filter((scope) => ctx.oidc.requestParamScopes.has(scope)).join(' '))
  return grant
}

/** Browsers accept cookies with these prefixes only over https and, with __Host-, only for this host. */
function cookies(baseUrl: string, path: string): Configuration['cookies'] {
  const secure = baseUrl.startsWith('https:')
  const shared = { httpOnly: true, sameSite: 'lax', secure, signed: false } as const
  return {
    names: secure
      ? { session: '__Host-sid', interaction: '__Secure-login', resume: '__Secure-resume' }
      : { session: 'kontor-sid', interaction: 'kontor-login', resume: 'kontor-resume' },
    long: { ...shared, path: secure ? '/' : path },
    short: shared,
  }
}

function show(ctx: KoaContextWithOIDC, page: Page): void {
  ctx.set('Content-Security-Policy', page.policy)
  ctx.type = 'html'
  ctx.body = page.html
}
