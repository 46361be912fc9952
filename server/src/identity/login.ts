/**
 * The login page. The provider sends the browser here with the id of a sign-in under way, in the address and in a cookie
 * of that address; both must agree, so that nobody signs somebody else in. Then the browser goes back where it came from.
 */
import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { readForms, type Form } from './form.ts'
import { Problem } from '../errors.ts'
import { retryAfter } from './oauth-error.ts'
import { formTargetsOf, type Page, type Pages } from './pages.ts'
import { open, paths } from './paths.ts'
import type { SignIn } from './sign-in.ts'

export interface LoginParts {
  baseUrl: string
  provider: Provider
  pages: Pages
  signIn: SignIn
}

const expired = 'This sign-in has expired or was started in another window.'

export const login =
  ({ baseUrl, provider, pages, signIn }: LoginParts): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    const stylesheet = await readFile(new URL('./login.css', import.meta.url), 'utf8')
    app.get(paths.stylesheet, open, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type('text/css').send(stylesheet),
    )

    /** The sign-in under way, or undefined when there is none for this browser and address. */
    const underWay = async ({ raw, params }: FastifyRequest, reply: FastifyReply) => {
      const { uid } = params as { uid: string }
      const interaction = await provider.interactionDetails(raw, reply.raw).catch(ignoreMissing)
      return interaction?.uid === uid ? interaction : undefined
    }

    app.get(`${paths.login}/:uid`, open, async (request, reply) => {
      const interaction = await underWay(request, reply)
      if (!interaction) return show(reply.code(400), pages.fault(expired))
      const { login_hint: hint, redirect_uri: target } = interaction.params
      const name = typeof hint === 'string' ? hint : undefined
      return show(reply, pages.signIn({ name, formTargets: formTargetsOf(target) }))
    })

    app.post<{ Body: Form | undefined }>(`${paths.login}/:uid`, open, async (request, reply) => {
      const interaction = await underWay(request, reply)
      if (!interaction || isForeign(request.headers, baseUrl)) return show(reply.code(400), pages.fault(expired))
      const name = request.body?.get('username') ?? ''
      const again = (status: number, fault: string) =>
        show(
          reply.code(status),
          pages.signIn({ name, fault, formTargets: formTargetsOf(interaction.params.redirect_uri) }),
        )
      try {
        const user = await signIn({ name, password: request.body?.get('password') ?? '', address: request.ip })
        if (!user) return again(401, 'User name or password is wrong.')
        const result = { login: { accountId: user.id, amr: ['pwd'] } }
        return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== 'tooMany') throw error
        reply.header('retry-after', retryAfter)
        return again(429, 'Too many sign-ins at this moment. Try again in a minute.')
      }
    })
  }

/** Whether another site's page sent the form. Browsers that are told to keep the referrer secret say `null` as origin. */
function isForeign(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin = 'null', 'sec-fetch-site': site = 'same-origin' } = headers
  return (origin !== 'null' && origin !== new URL(baseUrl).origin) || site === 'cross-site'
}

/** The library throws this when the cookie is missing, foreign or too old. */
function ignoreMissing(error: Error): undefined {
  if (error.name === 'SessionNotFound') return undefined
  throw error
}

const show = (reply: FastifyReply, { html, policy }: Page) =>
  reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .type('text/html')
    .send(html)
