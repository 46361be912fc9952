/**
 * Identity: signs users in and identifies the caller of every request. There is one instance per realm.
 *
 *   browser, tools --> /auth/realms/{realm}/...  sign in, tokens, sign out   (plugin)
 *   every request  --> Authorization: Bearer ...  identify the caller         (verify)
 *
 * The rest of the server uses only `verify` and the `Principal`, so that an external OpenID provider can replace this
 * module (provider/external.ts).
 */
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Database, Db } from '../adapters/postgres/db.ts'
import type { Permissions } from '../core/access/permissions.ts'
import type { Services } from '../core/context.ts'
import { identityArea } from './routes.ts'
import { audit, auditAnchor, createAuditWriter } from './audit/audit-chain.ts'
import { ensureClient, findClient } from './clients/clients.sql.ts'
import type { Notify } from './provider/grants.ts'
import { createHashProcess } from './passwords/hash-process.ts'
import { createKeys, isRotationDue, rotateKeys, type Algorithm } from './tokens/keys.ts'
import { createLocks } from './sessions/locks.ts'
import type { MasterKey } from './tokens/master-key.ts'
import { listenForChanges } from './changes.ts'
import { createTtlCache } from './ttl-cache.ts'
import { mount } from './provider/mount.ts'
import { createPages } from './pages/pages.ts'
import { createPasswords, type PasswordWorker } from './passwords/passwords.ts'
import { paths } from './provider/paths.ts'
import { createPersonalTokens } from './tokens/personal-tokens.ts'
import { createProvider } from './provider/provider.ts'
import { createGrants } from './roles/roles.ts'
import { createSecondFactor } from './sessions/second-factor.ts'
import { createSessions, type Rotation } from './sessions/sessions.ts'
import { deleteOldSessions } from './sessions/sessions.sql.ts'
import { createSignIn } from './sessions/sign-in.ts'
import { deleteOldFailures } from './sessions/sign-in.sql.ts'
import { deleteExpiredModels } from './provider/storage.sql.ts'
import { createTokens, type TokenSet } from './tokens/tokens.ts'
import { createCallerNow } from './users/present.ts'
import { createUsers, type User, type Users } from './users/users.ts'
import { createVerify, type Principal } from './tokens/verify.ts'

export { createMasterKey, readMasterKeyFile, type MasterKey } from './tokens/master-key.ts'
export { createHashProcess } from './passwords/hash-process.ts'
export { createPagePasswords } from './passwords/page-passwords.ts'
export { createPasswords } from './passwords/passwords.ts'
export { viewedRights } from './roles/trials.ts'
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
  /** Encrypts the private keys. */
  masterKey: MasterKey
  passwordGrant: boolean
  /** Whether administrators may use the password grant too; true by default. */
  adminsByPasswordGrant?: boolean
  /** Which refresh and offline tokens can be exchanged only once. */
  rotateRefreshTokens: Rotation
  /** Origins of other sites whose scripts may call the API. */
  corsOrigins: ReadonlySet<string>
  /** Sends a message to a user, for example about a stolen token. By default no message is sent. */
  notify?: Notify
  /** Called after a user's password has changed. */
  passwordChanged?: (user: User) => Promise<void>
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** Hashes and judges passwords: a separate process by default, a cheaper one in tests. */
  passwordWorker?: PasswordWorker | undefined
  /** How long sessions, roles, clients and locks are cached, in milliseconds; tests set it to 0. */
  cacheMillis?: number
}

export interface Identity {
  /** Everything under /auth/realms/{realm}. */
  readonly plugin: FastifyPluginAsync
  /**
   * Returns the user of an access token; throws a Problem `unauthorized` when the token is not valid. For personal tokens
   * the address is stored as the place of last use.
   */
  verify(authorization: string | readonly string[] | undefined, address?: string): Promise<Principal>
  /** The routes for users, groups, roles, clients, tokens and the audit log. */
  readonly area: ReturnType<typeof identityArea>
  /** Returns what the roles currently permit. */
  permissionsOf(roles: ReadonlySet<string>): Promise<Permissions>
  /** Returns the user of stored work with their present rights. */
  readonly callerNow: Services['callerNow']
  /** Calls the listener when users, sessions or roles have changed, in this process or another. */
  onChange(listener: () => void): void
  readonly users: Users
  /** Issues tokens in a new session without authenticating the user. */
  issueTokens(user: User, scope?: string): Promise<TokenSet>
  /** Ends a session, identified by the `sid` of its access tokens. */
  endSession(id: string): Promise<void>
  /** Deletes expired rows and rotates keys that are due. One process calls this periodically. */
  maintain(): Promise<void>
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { db, baseUrl, realm, clientId, audience, algorithm, masterKey, log } = options
  const prefix = `/auth/realms/${realm}`
  const issuer = `${baseUrl}${prefix}`
  await ensureClient(db, clientId)
  const keys = await createKeys(db, algorithm, masterKey)
  const { passwordWorker = createHashProcess() } = options
  const passwords = createPasswords(passwordWorker)
  const users = createUsers(db, passwords, options.passwordChanged)
  const sessions = createSessions(db, { maxAge: options.cacheMillis, rotate: options.rotateRefreshTokens })
  const grants = createGrants(db, options.cacheMillis)
  const clients = createTtlCache((id: string) => findClient(db, id), options.cacheMillis ?? 1000)
  const tokens = createTokens({ keys, issuer, audience, mandator: realm })
  const verify = createVerify({ keys, sessions, issuer, audience })
  const { pathname } = new URL(issuer)
  const pages = createPages({ stylesheet: pathname + paths.stylesheet, wordmark: pathname + paths.wordmark })
  const writeAudit = createAuditWriter(db)
  const locks = createLocks(db, options.cacheMillis)
  const secondFactor = createSecondFactor(db, masterKey, `Kontor ${new URL(baseUrl).hostname}`)
  const signIn = createSignIn({ db, passwords, locks, secondFactor, writeAudit })
  const { notify = async () => {} } = options
  const core = { keys, users, sessions, tokens, pages, signIn }
  const services = { ...options, ...core, issuer, writeAudit, notify, findClient: clients.get }
  const personalTokens = createPersonalTokens(db, sessions, tokens)
  const provider = createProvider(services)
  const isThrottled = (address: string) => passwords.isBusy() || locks.isAddressCached(address)
  const plugin = mount({ ...services, prefix, provider, verify, isThrottled })
  const reload = () =>
    void keys.reload().catch((error: unknown) => log.error({ err: error }, 'cannot reload the signing keys'))
  const clearCaches = () => {
    sessions.forget()
    grants.forget()
    clients.clear()
    locks.forget()
  }
  const changes = await listenForChanges(db, (topic, id) => {
    if (topic === 'session') sessions.forget(id)
    else if (topic === 'user') sessions.forget()
    else if (topic === 'roles') grants.forget()
    else if (topic === 'missed') clearCaches()
    if (topic === 'keys' || topic === 'missed') reload()
  })
  return {
    plugin: async (app) => {
      app.addHook('onClose', async () => {
        passwordWorker.close()
        await changes.stop()
      })
      await app.register(plugin)
    },
    async verify(authorization, address = '') {
      const { principal } = await verify(authorization)
      if (principal.personal) await personalTokens.used(principal.sessionId, address)
      return principal
    },
    area: identityArea({ ...services, secondFactor, personalTokens, invalidateCaches: clearCaches }),
    permissionsOf: grants.permissionsOf,
    callerNow: createCallerNow(db, grants.permissionsOf),
    onChange: changes.onChange,
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

/** Deletes expired sessions, provider records and counts of failed sign-ins. */
export async function purgeIdentity(db: Db): Promise<void> {
  await deleteExpiredModels(db)
  await deleteOldSessions(db)
  await deleteOldFailures(db)
}
