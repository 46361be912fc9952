/**
 * The page on which users change their password, and the stylesheet and logo of all pages.
 *
 * The page asks for the current password. It therefore needs no session, and a forged form of another site achieves
 * nothing. A new password ends all sessions of the user.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { readForms, type Form } from '../provider/form.ts'
import { changePassword, toTooMany, isForeign, pagesOf, show, type LoginServices } from './login.ts'
import { retryAfter } from '../provider/oauth-error.ts'
import { open, paths } from '../provider/paths.ts'

type PasswordPageServices = Pick<LoginServices, 'db' | 'baseUrl' | 'pages' | 'signIn' | 'users'>

// prettier-ignore
const assets = [
  { url: paths.stylesheet, file: './login.css', type: 'text/css' },
  { url: paths.wordmark,   file: './kontor.svg', type: 'image/svg+xml' },
]

export const passwordPage =
  (services: PasswordPageServices): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    for (const { url, file, type } of assets) {
      const content = await readFile(new URL(file, import.meta.url), 'utf8')
      app.get(url, open, (_request, reply) =>
        reply.header('cache-control', 'public, max-age=3600').type(type).send(content),
      )
    }
    app.get(paths.password, open, async (request, reply) => show(reply, pagesOf(services, request).changePassword({})))
    app.post<{ Body: Form | undefined }>(paths.password, open, (request, reply) => change(services, request, reply))
  }

async function change(
  services: PasswordPageServices,
  request: FastifyRequest<{ Body: Form | undefined }>,
  reply: FastifyReply,
) {
  const { signIn, baseUrl } = services
  const pages = pagesOf(services, request)
  const name = request.body?.get('username') ?? ''
  const showAgain = (status: number, fault: string) => show(reply.code(status), pages.changePassword({ name, fault }))
  if (isForeign(request.headers, baseUrl)) return showAgain(400, pages.texts.otherSite)
  const [password = '', code] = ['password', 'code'].map((field) => request.body?.get(field))
  const attempt = { name, password, address: request.ip, client: 'password page', ...(code && { code }) }
  const user = await signIn.byPassword(attempt).catch(toTooMany)
  if (user === 'tooMany') {
    reply.header('retry-after', retryAfter)
    return showAgain(429, pages.texts.tooManyAttempts)
  }
  if (!user) return showAgain(401, pages.texts.wrongAny)
  if ('needsCode' in user) return showAgain(401, pages.texts.codeMissing)
  const fault = await changePassword(services, user.id, request)
  return fault === undefined ? show(reply, pages.passwordChanged()) : showAgain(400, fault)
}
