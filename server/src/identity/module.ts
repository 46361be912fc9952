/**
 * Identity: who is calling, and how they came to be known. One of these per realm.
 *
 *   browser, tools --> /auth/realms/{realm}/...  sign in, tokens, sign out   (plugin)
 *   every request  --> Authorization: Bearer ...  whose is it?                (verify)
 *
 * The rest of the server sees only `verify` and the `Principal`; another OpenID provider could stand in its place.
 */
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Database, Db } from '../adapters/postgres/db.ts'
import { listen } from '../adapters/postgres/listen.ts'
import type { Permissions } from '../core/access/permissions.ts'
import { identityArea } from './routes.ts'
import { audit, auditAnchor, createAuditWriter } from './audit/audit-chain.ts'
import { ensureClient, findClient } from './clients/clients.sql.ts'
import type { Notify } from './provider/grants.ts'
import { createHashProcess } from './passwords/hash-process.ts'
import { createKeys, isRotationDue, rotateKeys, type Algorithm } from './tokens/keys.ts'
import { createLocks } from './sessions/locks.ts'
import type { MasterKey } from './tokens/master-key.ts'
import { createMemory } from './ttl-cache.ts'
import { mount } from './provider/mount.ts'
import { createPages } from './pages/pages.ts'
import { createPasswords } from './passwords/passwords.ts'
import { paths } from './provider/paths.ts'
import { createPersonalTokens } from './tokens/personal-tokens.ts'
import { createProvider } from './provider/provider.ts'
import { createGrants } from './roles/roles.ts'
import { createSecondFactor } from './sessions/second-factor.ts'
import { createSessions } from './sessions/sessions.ts'
import { deleteOldSessions } from './sessions/sessions.sql.ts'
import { countedAddress, createSignIn } from './sessions/sign-in.ts'
import { deleteOldFailures } from './sessions/sign-in.sql.ts'
import { deleteExpiredModels } from './provider/storage.sql.ts'
import { createTokens, type TokenSet } from './tokens/tokens.ts'
import { createUsers, type User, type Users } from './users/users.ts'
import { createVerify, type Principal } from './tokens/verify.ts'

export { createMasterKey, readMasterKeyFile, type MasterKey } from './tokens/master-key.ts'
export { ensureAdmin } from './users/users.ts'
export type { Principal } from './tokens/verify.ts'

export interface IdentityOptions {
  db: Database
  /** How clients reach the server, without a slash at the end. */
  baseUrl: string
  realm: string
  /** The client of the console and of the password grant. */
  clientId: string
  audience: string
  algorithm: Algorithm
  /** What the private keys are sealed with. */
  masterKey: MasterKey
  passwordGrant: boolean
  /** Whether administrators may use it too; true when absent. */
  adminsByPasswordGrant?: boolean
  /** Whether a refresh or offline token is good for one exchange only. */
  rotateRefreshTokens: boolean
  /** Origins of other sites whose scripts may call. */
  corsOrigins: ReadonlySet<string>
  /** Tells a user of something they should know; nobody is told when absent. */
  notify?: Notify
  /** Called when somebody has a new password. */
  passwordChanged?: (user: User) => Promise<void>
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** Milliseconds after which an ended session is noticed at the latest; tests want 0. */
  sessionMemory?: number
}

export interface Identity {
  /** Everything under /auth/realms/{realm}. */
  readonly plugin: FastifyPluginAsync
  /** Whose access token it is; throws a Problem `unauthorized` when it is not good. The address is noted, for some. */
  verify(authorization: string | readonly string[] | undefined, address?: string): Promise<Principal>
  /** The calls about people, roles, tokens and the audit log. */
  readonly area: ReturnType<typeof identityArea>
  /** What roles allow, as of now. */
  permissionsOf(roles: ReadonlySet<string>): Promise<Permissions>
  readonly users: Users
  /** Tokens for somebody who need not prove who they are, in a new session. */
  issueTokens(user: User, scope?: string): Promise<TokenSet>
  /** Ends the session that access tokens name (sid). */
  endSession(id: string): Promise<void>
  /** Deletes what has expired and rotates keys that are due; to be called now and then, by one process. */
  maintain(): Promise<void>
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { db, baseUrl, realm, clientId, audience, algorithm, masterKey, log } = options
  const prefix = `/auth/realms/${realm}`
  const issuer = `${baseUrl}${prefix}`
  await ensureClient(db, clientId)
  const keys = await createKeys(db, algorithm, masterKey)
  const hasher = createHashProcess()
  const passwords = createPasswords(hasher)
  const users = createUsers(db, passwords, options.passwordChanged)
  const sessions = createSessions(db, { maxAge: options.sessionMemory, rotate: options.rotateRefreshTokens })
  const grants = createGrants(db, options.sessionMemory)
  const clients = createMemory((id: string) => findClient(db, id), options.sessionMemory ?? 1000)
  const tokens = createTokens({ keys, issuer, audience, mandator: realm })
  const verify = createVerify({ keys, sessions, issuer, audience })
  const { pathname } = new URL(issuer)
  const pages = createPages({ stylesheet: pathname + paths.stylesheet, wordmark: pathname + paths.wordmark })
  const writeAudit = createAuditWriter(db)
  const locks = createLocks(db, options.sessionMemory)
  const secondFactor = createSecondFactor(db, masterKey, `Kontor ${new URL(baseUrl).hostname}`)
  const signIn = createSignIn({ db, passwords, locks, secondFactor, writeAudit })
  const read = { keys, users, sessions, tokens, pages, signIn }
  const { notify = async () => {} } = options
  const parts = { ...options, ...read, issuer, writeAudit, notify, findClient: clients.get }
  const personalTokens = createPersonalTokens(db, sessions, tokens)
  const provider = createProvider(parts)
  const isRefused = (address: string) => passwords.isBusy() || locks.remembered([countedAddress(address)]).length > 0
  const plugin = mount({ ...parts, prefix, provider, verify, isRefused })
  const reload = () => void keys.reload().catch((error: unknown) => log.error({ err: error }, 'keys were not reloaded'))
  const forgetAll = () => {
    sessions.forget()
    grants.forget()
    clients.clear()
    locks.forget()
  }
  const listener = await listen(db, 'kontor_identity', {
    received(message) {
      const [what, id] = message.split(' ')
      if (what === 'session') sessions.forget(id)
      else if (what === 'user') sessions.forget()
      else if (what === 'keys') reload()
      else if (what === 'roles') grants.forget()
    },
    missed() {
      forgetAll()
      reload()
    },
  })
  return {
    plugin: async (app) => {
      app.addHook('onClose', async () => {
        hasher.close()
        await listener.stop()
      })
      await app.register(plugin)
    },
    async verify(authorization, address = '') {
      const { principal, personal } = await verify(authorization)
      if (personal) await personalTokens.used(principal.sessionId, address)
      return principal
    },
    area: identityArea({ ...parts, secondFactor, personalTokens, changed: forgetAll }),
    permissionsOf: grants.permissionsOf,
    users,
    issueTokens: async (user, scope = 'openid') =>
      tokens.issue({ user, signedIn: await sessions.start({ userId: user.id, clientId }, scope) }),
    endSession: (id) => sessions.end([id]),
    async maintain() {
      await purgeIdentity(db)
      if (await isRotationDue(db, algorithm)) {
        await rotateKeys(db, algorithm, masterKey)
        await audit(db, { action: 'keys.rotate', actor: 'schedule' })
      }
      log.info({ audit: await auditAnchor(db) }, 'audit anchor')
    },
  }
}

/** Deletes what has expired. */
export async function purgeIdentity(db: Db): Promise<void> {
  await deleteExpiredModels(db)
  await deleteOldSessions(db)
  await deleteOldFailures(db)
}
