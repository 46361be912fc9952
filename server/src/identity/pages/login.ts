/**
 * The login page. The provider redirects the browser here with the id of an interaction (a sign-in in progress), both in
 * the address and in a cookie. The two must match, so that nobody can sign another browser in. After the sign-in the
 * browser goes back to the provider.
 *
 * The page then asks for a code if the user has a second factor, and for a new password if somebody else chose the old
 * one (the first administrator's, or a reset one). The steps that the user has completed are stored on the server, with
 * the interaction.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { audit } from '../audit/audit-chain.ts'
import { readForms, type Form } from '../provider/form.ts'
import { Problem } from '../../errors.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { retryAfter } from '../provider/oauth-error.ts'
import { formTargetsOf, type Page, type PagesFor } from './pages.ts'
import { open, paths } from '../provider/paths.ts'
import type { CurrentProvider } from '../provider/provider.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import type { User, Users } from '../users/users.ts'

export interface LoginServices {
  db: Db
  baseUrl: string
  provider: CurrentProvider
  pages: PagesFor
  signIn: SignIn
  users: Users
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
type Post = FastifyRequest<{ Body: Form | undefined }>

export const login =
  (services: LoginServices): FastifyPluginAsync =>
  async (app) => {
    readForms(app)

    app.get(`${paths.login}/:uid`, open, async (request, reply) => {
      const interaction = await findInteraction(services, request, reply)
      if (!interaction) return showExpired(services, request, reply)
      const { login_hint: hint } = interaction.params
      return show(
        reply,
        pagesOf(services, request).signIn({ name: typeof hint === 'string' ? hint : '', ...targetsOf(interaction) }),
      )
    })
    app.post(`${paths.login}/:uid`, open, async (request: Post, reply) => {
      const interaction = await findInteraction(services, request, reply)
      if (!interaction || isForeign(request.headers, services.baseUrl)) return showExpired(services, request, reply)
      return takePassword(services, interaction, request, reply)
    })
    app.post(`${paths.login}/:uid/code`, open, async (request: Post, reply) => {
      const interaction = await findInteraction(services, request, reply)
      const { needsCode: userId } = progressOf(interaction)
      if (!interaction || !userId || isForeign(request.headers, services.baseUrl)) {
        return showExpired(services, request, reply)
      }
      return takeCode(services, interaction, userId, request, reply)
    })
    app.post(`${paths.login}/:uid/password`, open, async (request: Post, reply) => {
      const interaction = await findInteraction(services, request, reply)
      const { mustChangePassword: userId } = progressOf(interaction)
      if (!interaction || !userId || isForeign(request.headers, services.baseUrl))
        return showExpired(services, request, reply)
      return takeNewPassword(services, interaction, userId, request, reply)
    })
  }

export const pagesOf = ({ pages }: Pick<LoginServices, 'pages'>, { headers }: FastifyRequest) =>
  pages(headers['accept-language'])

function showExpired(services: LoginServices, request: FastifyRequest, reply: FastifyReply) {
  const pages = pagesOf(services, request)
  return show(reply.code(400), pages.fault(pages.texts.expired))
}

/** The steps of a sign-in that are completed. */
interface Progress {
  /** The id of the user who gave the right password and still needs a code. */
  needsCode?: string
  /** The id of the user who is authenticated and still has to choose a new password. */
  mustChangePassword?: string
  /** How that user was authenticated. */
  factors?: string[]
}
const progressOf = (interaction: Interaction | undefined) => (interaction?.lastSubmission ?? {}) as Progress

/** The interaction of this browser and address, if there is one. */
async function findInteraction({ provider }: LoginServices, { raw, params }: FastifyRequest, reply: FastifyReply) {
  const { uid } = params as { uid: string }
  const interaction = await provider.get().interactionDetails(raw, reply.raw).catch(ignoreMissing)
  return interaction?.uid === uid ? interaction : undefined
}

async function takePassword(services: LoginServices, interaction: Interaction, request: Post, reply: FastifyReply) {
  const pages = pagesOf(services, request)
  const name = request.body?.get('username') ?? ''
  const showAgain = (status: number, fault: string) =>
    show(reply.code(status), pages.signIn({ name, fault, ...targetsOf(interaction) }))
  const attempt = { name, password: request.body?.get('password') ?? '', ...originOf(interaction, request) }
  const user = await services.signIn.byPassword(attempt).catch(toTooMany)
  if (user === 'tooMany') {
    reply.header('retry-after', retryAfter)
    return showAgain(429, pages.texts.tooMany)
  }
  if (!user) return showAgain(401, pages.texts.wrong)
  if (!('needsCode' in user)) return continueSignIn(services, interaction, user, ['pwd'], request, reply)
  await saveProgress(interaction, { needsCode: user.needsCode })
  return show(reply, pages.code({ action: addressOf(request, 'code'), ...targetsOf(interaction) }))
}

async function takeCode(
  services: LoginServices,
  interaction: Interaction,
  userId: string,
  request: Post,
  reply: FastifyReply,
) {
  const pages = pagesOf(services, request)
  const showAgain = (status: number, fault: string) =>
    show(reply.code(status), pages.code({ action: '', fault, ...targetsOf(interaction) }))
  const attempt = { userId, code: request.body?.get('code') ?? '', ...originOf(interaction, request) }
  const user = await services.signIn.byCode(attempt).catch(toTooMany)
  if (user === 'tooMany') {
    reply.header('retry-after', retryAfter)
    return showAgain(429, pages.texts.tooMany)
  }
  if (!user) return showAgain(401, pages.texts.wrongCode)
  return continueSignIn(services, interaction, user, ['pwd', 'otp'], request, reply)
}

/** Signs an authenticated user in, or asks for a new password first. `factors` are values of RFC 8176. */
async function continueSignIn(
  services: LoginServices,
  interaction: Interaction,
  user: User,
  factors: string[],
  request: Post,
  reply: FastifyReply,
) {
  if (!user.mustChangePassword) return finish(services, user, factors, request, reply)
  await saveProgress(interaction, { mustChangePassword: user.id, factors })
  const action = addressOf(request, 'password')
  return show(reply, pagesOf(services, request).newPassword({ action, name: user.name, ...targetsOf(interaction) }))
}

async function saveProgress(interaction: Interaction, progress: Progress): Promise<void> {
  Object.assign(interaction, { lastSubmission: progress })
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
}

const originOf = (interaction: Interaction, { ip }: Post) => ({
  address: ip,
  client: String(interaction.params.client_id),
})

async function takeNewPassword(
  services: LoginServices,
  interaction: Interaction,
  userId: string,
  request: Post,
  reply: FastifyReply,
) {
  const fault = await changePassword(services, userId, request)
  const user = (await services.users.find({ id: userId }))!
  if (fault === undefined) return finish(services, user, progressOf(interaction).factors ?? ['pwd'], request, reply)
  return show(
    reply.code(400),
    pagesOf(services, request).newPassword({ action: '', name: user.name, fault, ...targetsOf(interaction) }),
  )
}

/** Sets the new password of the form; returns a message if it is not acceptable. */
export async function changePassword(services: Pick<LoginServices, 'users' | 'pages'>, id: string, request: Post) {
  const { body, ip } = request
  const password = body?.get('new-password') ?? ''
  if (password !== (body?.get('repeat-password') ?? '')) return pagesOf(services, request).texts.notTheSame
  const note = (db: Db, { name }: User) =>
    audit(db, { action: 'user.password', actor: name, object: `user ${name}`, address: ip })
  try {
    await services.users.setPassword(id, password, { note })
    return undefined
  } catch (error) {
    if (error instanceof Problem && ['invalid', 'tooMany'].includes(error.kind)) return error.message
    throw error
  }
}

async function finish(
  { provider }: LoginServices,
  { id, enabled }: User,
  amr: string[],
  { raw }: Post,
  reply: FastifyReply,
) {
  if (!enabled) throw new Problem('unauthorized', 'the user was disabled meanwhile')
  const result = { login: { accountId: id, amr } }
  return reply.redirect(await provider.get().interactionResult(raw, reply.raw, result), 303)
}

const targetsOf = (interaction: Interaction) => ({ formTargets: formTargetsOf(interaction.params.redirect_uri) })

/** The relative address of another step of this sign-in. It is relative because a proxy may add a path prefix. */
function addressOf({ url, params }: Post, step: string): string {
  const { uid } = params as { uid: string }
  return new URL(url, 'http://server').pathname.endsWith(`/${uid}`) ? `${uid}/${step}` : step
}

/** Whether a page of another site sent the form. Browsers send the origin `null` if the referrer policy hides it. */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin = 'null', 'sec-fetch-site': site = 'same-origin' } = headers
  return (origin !== 'null' && origin !== new URL(baseUrl).origin) || site === 'cross-site'
}

/** The library throws SessionNotFound when the cookie is missing, invalid or expired. */
function ignoreMissing(error: Error): undefined {
  if (error.name === 'SessionNotFound') return undefined
  throw error
}

export function toTooMany(error: unknown): 'tooMany' {
  if (error instanceof Problem && error.kind === 'tooMany') return 'tooMany'
  throw error
}

export const show = (reply: FastifyReply, { html, policy }: Page) =>
  reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .type('text/html')
    .send(html)
