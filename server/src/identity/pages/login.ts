/**
 * The login page. The provider sends the browser here with the id of a sign-in under way, in the address and in a cookie
 * of that address; both must agree, so that nobody signs somebody else in. Then the browser goes back where it came from.
 *
 * Who has a second factor is asked for a code next. Whose password somebody else chose (the first administrator's, one that was reset) is asked for another first. That the
 * old one was right is noted with the sign-in under way, on the server.
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

export interface LoginParts {
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
  (parts: LoginParts): FastifyPluginAsync =>
  async (app) => {
    readForms(app)

    app.get(`${paths.login}/:uid`, open, async (request, reply) => {
      const interaction = await underWay(parts, request, reply)
      if (!interaction) return showExpired(parts, request, reply)
      const { login_hint: hint } = interaction.params
      return show(
        reply,
        pagesOf(parts, request).signIn({ name: typeof hint === 'string' ? hint : '', ...targetsOf(interaction) }),
      )
    })
    app.post(`${paths.login}/:uid`, open, async (request: Post, reply) => {
      const interaction = await underWay(parts, request, reply)
      if (!interaction || isForeign(request.headers, parts.baseUrl)) return showExpired(parts, request, reply)
      return takePassword(parts, interaction, request, reply)
    })
    app.post(`${paths.login}/:uid/code`, open, async (request: Post, reply) => {
      const interaction = await underWay(parts, request, reply)
      const { needsCode: userId } = notedOf(interaction)
      if (!interaction || !userId || isForeign(request.headers, parts.baseUrl)) {
        return showExpired(parts, request, reply)
      }
      return takeCode(parts, interaction, userId, request, reply)
    })
    app.post(`${paths.login}/:uid/password`, open, async (request: Post, reply) => {
      const interaction = await underWay(parts, request, reply)
      const { mustChangePassword: userId } = notedOf(interaction)
      if (!interaction || !userId || isForeign(request.headers, parts.baseUrl))
        return showExpired(parts, request, reply)
      return takeNewPassword(parts, interaction, userId, request, reply)
    })
  }

export const pagesOf = ({ pages }: Pick<LoginParts, 'pages'>, { headers }: FastifyRequest) =>
  pages(headers['accept-language'])

function showExpired(parts: LoginParts, request: FastifyRequest, reply: FastifyReply) {
  const pages = pagesOf(parts, request)
  return show(reply.code(400), pages.fault(pages.words.expired))
}

/** What is known already of a sign-in under way, by the id of the user. */
interface Noted {
  /** Who has given the right password and must give a code. */
  needsCode?: string
  /** Who has proven who they are and must choose another password; and how they have. */
  mustChangePassword?: string
  factors?: string[]
}
const notedOf = (interaction: Interaction | undefined) => (interaction?.lastSubmission ?? {}) as Noted

/** The sign-in under way, or undefined when there is none for this browser and address. */
async function underWay({ provider }: LoginParts, { raw, params }: FastifyRequest, reply: FastifyReply) {
  const { uid } = params as { uid: string }
  const interaction = await provider.get().interactionDetails(raw, reply.raw).catch(ignoreMissing)
  return interaction?.uid === uid ? interaction : undefined
}

async function takePassword(parts: LoginParts, interaction: Interaction, request: Post, reply: FastifyReply) {
  const pages = pagesOf(parts, request)
  const name = request.body?.get('username') ?? ''
  const again = (status: number, fault: string) =>
    show(reply.code(status), pages.signIn({ name, fault, ...targetsOf(interaction) }))
  const attempt = { name, password: request.body?.get('password') ?? '', ...originOf(interaction, request) }
  const user = await parts.signIn.byPassword(attempt).catch(ifTooMany)
  if (user === 'tooMany') {
    reply.header('retry-after', retryAfter)
    return again(429, pages.words.tooMany)
  }
  if (!user) return again(401, pages.words.wrong)
  if (!('needsCode' in user)) return goOn(parts, interaction, user, ['pwd'], request, reply)
  await note(interaction, { needsCode: user.needsCode })
  return show(reply, pages.code({ action: addressOf(request, 'code'), ...targetsOf(interaction) }))
}

async function takeCode(
  parts: LoginParts,
  interaction: Interaction,
  userId: string,
  request: Post,
  reply: FastifyReply,
) {
  const pages = pagesOf(parts, request)
  const again = (status: number, fault: string) =>
    show(reply.code(status), pages.code({ action: '', fault, ...targetsOf(interaction) }))
  const attempt = { userId, code: request.body?.get('code') ?? '', ...originOf(interaction, request) }
  const user = await parts.signIn.byCode(attempt).catch(ifTooMany)
  if (user === 'tooMany') {
    reply.header('retry-after', retryAfter)
    return again(429, pages.words.tooMany)
  }
  if (!user) return again(401, pages.words.wrongCode)
  return goOn(parts, interaction, user, ['pwd', 'otp'], request, reply)
}

/** Who has proven who they are is let in, unless a password of their own is wanted first. Factors as of RFC 8176. */
async function goOn(
  parts: LoginParts,
  interaction: Interaction,
  user: User,
  factors: string[],
  request: Post,
  reply: FastifyReply,
) {
  if (!user.mustChangePassword) return finish(parts, user, factors, request, reply)
  await note(interaction, { mustChangePassword: user.id, factors })
  const action = addressOf(request, 'password')
  return show(reply, pagesOf(parts, request).newPassword({ action, name: user.name, ...targetsOf(interaction) }))
}

async function note(interaction: Interaction, noted: Noted): Promise<void> {
  Object.assign(interaction, { lastSubmission: noted })
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
}

const originOf = (interaction: Interaction, { ip }: Post) => ({
  address: ip,
  client: String(interaction.params.client_id),
})

async function takeNewPassword(
  parts: LoginParts,
  interaction: Interaction,
  userId: string,
  request: Post,
  reply: FastifyReply,
) {
  const fault = await changePassword(parts, userId, request)
  const user = (await parts.users.find({ id: userId }))!
  if (fault === undefined) return finish(parts, user, notedOf(interaction).factors ?? ['pwd'], request, reply)
  return show(
    reply.code(400),
    pagesOf(parts, request).newPassword({ action: '', name: user.name, fault, ...targetsOf(interaction) }),
  )
}

/** Sets the password that the form has twice; says what is wrong with it. */
export async function changePassword(parts: Pick<LoginParts, 'users' | 'pages'>, id: string, request: Post) {
  const { body, ip } = request
  const password = body?.get('new-password') ?? ''
  if (password !== (body?.get('repeat-password') ?? '')) return pagesOf(parts, request).words.notTheSame
  const note = (db: Db, { name }: User) =>
    audit(db, { action: 'user.password', actor: name, object: `user ${name}`, address: ip })
  try {
    await parts.users.setPassword(id, password, { note })
    return undefined
  } catch (error) {
    if (error instanceof Problem && ['invalid', 'tooMany'].includes(error.kind)) return error.message
    throw error
  }
}

async function finish(
  { provider }: LoginParts,
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

/** A step of the sign-in at this address, seen from it; it may have a path of a proxy before it. */
function addressOf({ url, params }: Post, step: string): string {
  const { uid } = params as { uid: string }
  return new URL(url, 'http://server').pathname.endsWith(`/${uid}`) ? `${uid}/${step}` : step
}

/** Whether another site's page sent the form. Browsers that are told to keep the referrer secret say `null` as origin. */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin = 'null', 'sec-fetch-site': site = 'same-origin' } = headers
  return (origin !== 'null' && origin !== new URL(baseUrl).origin) || site === 'cross-site'
}

/** The library throws this when the cookie is missing, foreign or too old. */
function ignoreMissing(error: Error): undefined {
  if (error.name === 'SessionNotFound') return undefined
  throw error
}

export function ifTooMany(error: unknown): 'tooMany' {
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
