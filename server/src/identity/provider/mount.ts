/**
 * Mounts the provider library and our own endpoints in Fastify, under /auth/realms/{realm}.
 *
 * The library is a Koa application that writes to the raw response. It derives addresses and cookies from the forwarded
 * headers of the request. We overwrite these headers with the configured base URL and the address of the client, so
 * that a caller cannot forge them.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { endpoints, type EndpointServices } from './endpoints.ts'
import { readForms, type Form } from './form.ts'
import { login, type LoginServices } from '../pages/login.ts'
import { logout, type LogoutServices } from '../sessions/logout.ts'
import { passwordPage } from '../pages/password-page.ts'
import { open, paths } from './paths.ts'
import type { CurrentProvider } from './provider.ts'
import { throttleSignIns } from '../sessions/sign-in-throttle.ts'

interface MountServices extends EndpointServices, Omit<LogoutServices, 'toProvider'>, LoginServices {
  prefix: string
  provider: CurrentProvider
  /** Whether password grants from this address are refused at the moment. */
  isThrottled: (address: string) => boolean
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

/** The library adds the hashes of its own inline scripts to script-src. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

export const mount =
  (services: MountServices): FastifyPluginAsync =>
  async (app) => {
    const toProvider = createProviderHandler(services)
    const realm: FastifyPluginAsync = async (app) => {
      app.addHook('onRequest', async (request) => setForwardedHeaders(request, services.baseUrl))
      await app.register(endpoints(services))
      await app.register(logout({ ...services, toProvider }))
      await app.register(login(services))
      await app.register(passwordPage(services))
      await app.register(postedAuthorization(services))
      await app.register(async (app) => {
        app.removeAllContentTypeParsers()
        app.addContentTypeParser('*', (_request, _payload, done) => done(null)) // the provider reads the body
        for (const route of providerRoutes) {
          const handler = route.url === paths.token ? throttleSignIns(services.isThrottled, toProvider) : toProvider
          app.route({ ...route, ...open, handler })
        }
      })
    }
    await app.register(realm, { prefix: services.prefix })
  }

/** OpenID Connect requires POST, too. We redirect it to GET, because SameSite cookies are not sent with a foreign POST. */
const postedAuthorization =
  ({ issuer }: MountServices): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    app.post<{ Body: Form | undefined }>(paths.authorization, open, async ({ body = new Map() }, reply) =>
      reply.redirect(`${issuer}${paths.authorization}?${new URLSearchParams([...body])}`, 303),
    )
  }

function setForwardedHeaders({ raw, ip }: FastifyRequest, baseUrl: string): void {
  const { protocol, host } = new URL(baseUrl)
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  raw.headers['x-forwarded-host'] = host
  raw.headers['x-forwarded-for'] = ip
}

function createProviderHandler({ provider, prefix, issuer }: MountServices) {
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

/** The library requires prompt=consent for offline access; we add it, so that clients need not. */
function withConsent(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://provider')
  const prompts = searchParams.getAll('prompt')
  const offline = pathname === paths.authorization && searchParams.get('scope')?.split(' ').includes('offline_access')
  if (!offline || prompts.length > 1 || /\b(none|consent)\b/.test(prompts[0] ?? '')) return url
  searchParams.set('prompt', [...prompts, 'consent'].join(' '))
  return `${pathname}?${searchParams}`
}
