/**
 * The page where people change their password, and what the pages are drawn with.
 *
 * It asks for the present password, so it needs no session, and a form sent by another site has nothing to go on. A new
 * password ends every session of the user.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { readForms, type Form } from '../provider/form.ts'
import { changePassword, ifTooMany, isForeign, pagesOf, show, type LoginParts } from './login.ts'
import { retryAfter } from '../provider/oauth-error.ts'
import { open, paths } from '../provider/paths.ts'

export type PasswordPageParts = Pick<LoginParts, 'db' | 'baseUrl' | 'pages' | 'signIn' | 'users'>

// prettier-ignore
const drawings = [
  { url: paths.stylesheet, file: './login.css', type: 'text/css' },
  { url: paths.wordmark,   file: './kontor.svg', type: 'image/svg+xml' },
]

export const passwordPage =
  (parts: PasswordPageParts): FastifyPluginAsync =>
  async (app) => {
    readForms(app)
    for (const { url, file, type } of drawings) {
      const content = await readFile(new URL(file, import.meta.url), 'utf8')
      app.get(url, open, (_request, reply) =>
        reply.header('cache-control', 'public, max-age=3600').type(type).send(content),
      )
    }
    app.get(paths.password, open, async (request, reply) => show(reply, pagesOf(parts, request).changePassword({})))
    app.post<{ Body: Form | undefined }>(paths.password, open, (request, reply) => change(parts, request, reply))
  }

async function change(
  parts: PasswordPageParts,
  request: FastifyRequest<{ Body: Form | undefined }>,
  reply: FastifyReply,
) {
  const { signIn, baseUrl } = parts
  const pages = pagesOf(parts, request)
  const name = request.body?.get('username') ?? ''
  const again = (status: number, fault: string) => show(reply.code(status), pages.changePassword({ name, fault }))
  if (isForeign(request.headers, baseUrl)) return again(400, pages.words.otherSite)
  const [password = '', code] = ['password', 'code'].map((field) => request.body?.get(field))
  const attempt = { name, password, address: request.ip, client: 'password page', ...(code && { code }) }
  const user = await signIn.byPassword(attempt).catch(ifTooMany)
  if (user === 'tooMany') {
    reply.header('retry-after', retryAfter)
    return again(429, pages.words.tooManyAttempts)
  }
  if (!user) return again(401, pages.words.wrongAny)
  if ('needsCode' in user) return again(401, pages.words.codeMissing)
  const fault = await changePassword(parts, user.id, request)
  return fault === undefined ? show(reply, pages.passwordChanged()) : again(400, fault)
}
