/**
 * Puts the provider and our own endpoints behind Fastify, under /auth/realms/{realm}.
 *
 * The provider is an application of its own that writes to the raw reply. It makes addresses and cookies from what the
 * request says of host and protocol; both, and the client's address, are told to it from our settings and from the
 * server, never from the request, as if a proxy stood in between.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { endpoints, type EndpointParts } from './endpoints.ts'
import { readForms, type Form } from './form.ts'
import { login, type LoginParts } from '../pages/login.ts'
import { logout, type LogoutParts } from '../sessions/logout.ts'
import { passwordPage } from '../pages/password-page.ts'
import { open, paths } from './paths.ts'
import type { CurrentProvider } from './provider.ts'
import { refuseRush } from '../sessions/sign-in-throttle.ts'

export interface MountParts extends EndpointParts, Omit<LogoutParts, 'toProvider'>, LoginParts {
  prefix: string
  provider: CurrentProvider
  /** Whether no password of this address is looked at now. */
  isRefused: (address: string) => boolean
}

// prettier-ignore
const providerRoutes = [
  { method: 'GET',  url: paths.discovery },
  { method: 'GET',  url: paths.authorization },
  { method: 'GET',  url: `${paths.authorization}/:uid` },
  { method: 'POST', url: paths.token },
  { method: 'POST', url: `${paths.end_session}/confirm` },
  { method: 'GET',  url: `${paths.end_session}/success` },
] as const

/** The library adds the digest of its own small scripts to script-src, where it needs one. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

export const mount =
  (parts: MountParts): FastifyPluginAsync =>
  async (app) => {
    const toProvider = createHandOver(parts)
    const realm: FastifyPluginAsync = async (app) => {
      app.addHook('onRequest', async (request) => tellForwarded(request, parts.baseUrl))
      await app.register(endpoints(parts))
      await app.register(logout({ ...parts, toProvider }))
      await app.register(login(parts))
      await app.register(passwordPage(parts))
      await app.register(postedAuthorization(parts))
      await app.register(async (app) => {
        app.removeAllContentTypeParsers()
        app.addContentTypeParser('*', (_request, _payload, done) => done(null)) // the provider reads the body
        for (const route of providerRoutes) {
          const handler = route.url === paths.token ? refuseRush(parts.isRefused, toProvider) : toProvider
          app.route({ ...route, ...open, handler })
        }
      })
    }
    await app.register(realm, { prefix: parts.prefix })
  }

/** OpenID Connect wants POST there too: sent on as GET, so that the provider's cookies need not travel across sites. */
const postedAuthorization =
  ({ issuer }: MountParts): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    app.post<{ Body: Form | undefined }>(paths.authorization, open, async ({ body = new Map() }, reply) =>
      reply.redirect(`${issuer}${paths.authorization}?${new URLSearchParams([...body])}`, 303),
    )
  }

function tellForwarded({ raw, ip }: FastifyRequest, baseUrl: string): void {
  const { protocol, host } = new URL(baseUrl)
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  raw.headers['x-forwarded-host'] = host
  raw.headers['x-forwarded-for'] = ip
}

function createHandOver({ provider, prefix, issuer }: MountParts) {
  const mountPath = new URL(issuer).pathname
  return async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack()
    reply.raw.setHeader('content-security-policy', policy)
    reply.raw.setHeader('referrer-policy', 'no-referrer')
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    const url = withConsent(raw.url!.slice(prefix.length))
    await provider.answer(Object.assign(raw, { url, baseUrl: mountPath }), reply.raw)
  }
}

/** Offline access has to be asked for with prompt=consent; our own clients need not say so. */
function withConsent(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://provider')
  const prompts = searchParams.getAll('prompt')
  const offline = pathname === paths.authorization && searchParams.get('scope')?.split(' ').includes('offline_access')
  if (!offline || prompts.length > 1 || /\b(none|consent)\b/.test(prompts[0] ?? '')) return url
  searchParams.set('prompt', [...prompts, 'consent'].join(' '))
  return `${pathname}?${searchParams}`
}
