/**
 * An external OpenID provider (Keycloak or any other) that replaces the bundled one: KONTOR_OIDC_ISSUER.
 *
 * Its access tokens are verified with its published keys; it authenticates users and assigns their roles and groups. The
 * first call of a user creates an account here, because history and messages refer to it; the account can be disabled
 * here. When a session ends at the provider, the provider notifies us (external-logout.ts); without that, tokens stay valid
 * until they expire.
 */
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { identityArea } from '../routes.ts'
import { audit, auditAnchor } from '../audit/audit-chain.ts'
import { checkHeader, refused, cacheChecked, tokenOf } from '../tokens/bearer.ts'
import { listenForChanges } from '../changes.ts'
import { createTtlCache } from '../ttl-cache.ts'
import { rolesByGroup } from '../groups/groups.sql.ts'
import type { Identity } from '../module.ts'
import { createPasswords } from '../passwords/passwords.ts'
import { createGrants } from '../roles/roles.ts'
import { createUsers, insertUser, type User } from '../users/users.ts'
import { createCallerNow } from '../users/present.ts'
import { findExternalUser, reportRoles } from '../users/users.sql.ts'
import { groupName, textsAt } from './claims.ts'
import { createExternalKeys } from './external-keys.ts'
import { readLogoutToken, refusedLogout } from './external-logout.ts'
import { deleteOldLogouts, findLogouts, insertLogout, type LastLogouts } from './external.sql.ts'

interface ExternalOptions {
  db: Database
  /** The issuer, exactly as in the tokens' `iss`. */
  issuer: string
  /** A value that `aud` must contain. */
  audience: string
  /** The only clients whose tokens are accepted; by default, tokens of all clients are. */
  clients?: readonly string[] | undefined
  /** The client of the console, to which the provider addresses its logout tokens. */
  consoleClient: string
  /** Where the roles are in the claims. */
  rolesClaim: string
  /** Where the groups are in the claims; members of a group have the roles of the group with the same name here. */
  groupsClaim?: string | undefined
  log: Pick<FastifyBaseLogger, 'info'>
}

/** Only asymmetric algorithms: nobody can forge a token with the published keys. */
const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA']
/** The tolerated difference of clocks, in seconds. */
const tolerance = 30

type Claims = JWTPayload & { exp: number; iat: number; sub: string; azp?: string; client_id?: string; sid?: string }
interface Checked {
  claims: Claims
  roles: readonly string[]
  groups: readonly string[]
  /** Whether the roles were stored for work that goes on after its request. */
  isReported?: boolean
}

export async function createExternalIdentity(options: ExternalOptions): Promise<Identity> {
  const { db, issuer, log } = options
  const keys = createExternalKeys(issuer)
  const users = createUsers(db, createPasswords())
  const grants = createGrants(db)
  const caches = createCaches(db, issuer)
  const clearCaches = () => {
    caches.clear()
    grants.forget()
  }
  const changes = await listenForChanges(db, clearCaches)
  const checkOnce = cacheChecked(createCheck(keys, options))
  return {
    plugin: async (app) => void app.addHook('onClose', changes.stop),
    async verify(authorization) {
      const checked = await checkOnce(tokenOf(authorization))
      const { claims } = checked
      const [user, logouts, groupRoles] = await Promise.all([
        caches.user(claims.sub),
        caches.logouts(claims.sub, claims.sid),
        checked.groups.length > 0 ? caches.rolesByGroup() : undefined,
      ])
      if (hasEnded(claims, logouts)) throw refused('its session has ended at the identity provider')
      const { id, name, enabled } = user ?? (await createExternalUser(db, issuer, claims).finally(caches.clear))
      if (!enabled) throw refused('its user is disabled')
      const clientId = claims.azp ?? claims.client_id ?? ''
      await report(db, checked, id, clientId)
      const roles = new Set([...checked.roles, ...checked.groups.flatMap((group) => groupRoles?.get(group) ?? [])])
      return { userId: id, userName: name, roles, clientId, sessionId: claims.sid ?? claims.jti ?? '' }
    },
    area: identityArea({
      db,
      users,
      ...unsupported(issuer),
      externalIssuer: issuer,
      endExternalSession: createEndSession(keys, options),
      invalidateCaches: clearCaches,
    }),
    permissionsOf: grants.permissionsOf,
    callerNow: createCallerNow(db, grants.permissionsOf),
    onChange: changes.onChange,
    users,
    issueTokens: async () => notSupported(issuer),
    endSession: async () => notSupported(issuer),
    async maintain() {
      await deleteOldLogouts(db)
      log.info({ audit: await auditAnchor(db) }, 'audit anchor')
    },
  }
}

function notSupported(issuer: string): never {
  throw new Problem('invalid', `this installation signs users in at ${issuer}`)
}

/** The services of the bundled provider. */
function unsupported(issuer: string) {
  const refuse = () => notSupported(issuer)
  return {
    signIn: { byPassword: async () => refuse(), byCode: async () => refuse(), proveCode: async () => refuse() },
    secondFactor: { state: refuse, begin: refuse, confirm: refuse, check: refuse },
    personalTokens: { create: refuse, list: async () => [], revoke: refuse, used: async () => {} },
  }
}

/** Look-ups that every request needs. They are cached for a second, or until a change is announced. */
function createCaches(db: Database, issuer: string) {
  const maxAge = 1000
  const users = createTtlCache((subject: string) => findExternalUser(db, issuer, subject), maxAge)
  const groups = createTtlCache(() => rolesByGroup(db), maxAge)
  const logouts = createTtlCache((key: string) => {
    const [subject, session] = JSON.parse(key) as [string, string?]
    return findLogouts(db, issuer, subject, session)
  }, maxAge)
  return {
    user: users.get,
    rolesByGroup: () => groups.get(''),
    logouts: (subject: string, session: string | undefined) => logouts.get(JSON.stringify([subject, session])),
    clear() {
      for (const cache of [users, groups, logouts]) cache.clear()
    },
  }
}

/**
 * A token that the provider issues after the logout is valid: the user has signed in again, or it is for an offline
 * session, which outlives the logout and has the same id. Clocks of the provider's machines may differ, but a tolerance
 * without a session would refuse a user who signs in again at once.
 */
const hasEnded = ({ iat }: Claims, { session, subject }: LastLogouts) =>
  (session !== null && iat <= session.getTime() / 1000 + tolerance) ||
  (subject !== null && iat <= subject.getTime() / 1000)

function createCheck(keys: JWTVerifyGetKey, { issuer, audience, clients, rolesClaim, groupsClaim }: ExternalOptions) {
  const rolesIn = textsAt(rolesClaim)
  const groupsIn = groupsClaim === undefined ? () => [] : textsAt(groupsClaim)
  return async (token: string): Promise<Checked> => {
    const { typ } = checkHeader(token, { algorithms, types: ['at+jwt', 'JWT'] })
    const { payload } = await jwtVerify<Claims>(token, keys, {
      algorithms,
      issuer,
      audience,
      clockTolerance: tolerance,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    // A plain JWT could be an ID token. Keycloak states the type in the payload.
    if (typ === 'JWT' && payload.typ !== 'Bearer') throw refused('it is not an access token')
    if (payload.iat > Date.now() / 1000 + tolerance) throw refused('it was issued in the future')
    if (clients !== undefined && !clients.includes(payload.azp ?? payload.client_id ?? ''))
      throw refused('it is for another client')
    return { claims: payload, roles: rolesIn(payload), groups: groupsIn(payload).map(groupName) }
  }
}

/** Stores the roles and groups of the token, once per token and process. */
async function report(db: Database, checked: Checked, userId: string, clientId: string): Promise<void> {
  if (checked.isReported) return
  const { claims, roles, groups } = checked
  await reportRoles(db, { userId, clientId, roles, groups, issuedAt: new Date(claims.iat * 1000) })
  checked.isReported = true
}

function createEndSession(keys: JWTVerifyGetKey, options: ExternalOptions) {
  const { db, issuer, clients = [], consoleClient } = options
  const expected = { keys, issuer, clients: [...clients, consoleClient], algorithms, tolerance }
  return async (token: string, address: string): Promise<void> => {
    const logout = await readLogoutToken(token, expected)
    const { subject, session } = logout
    const user = subject === undefined ? undefined : await findExternalUser(db, issuer, subject)
    await db.transaction(async (db) => {
      if (!(await insertLogout(db, logout))) throw refusedLogout('it was used before')
      const actor = user?.name ?? subject ?? issuer
      await audit(db, { action: 'logout', actor, session, address, detail: { issuer } })
    })
  }
}

/** Creates the account of a new user. If the name is taken here by another user, the subject is appended to it. */
async function createExternalUser(db: Database, issuer: string, claims: Claims): Promise<User> {
  const { sub: subject } = claims
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined)
  const name = (text('preferred_username') ?? subject).trim()
  const person = { email: text('email'), displayName: text('name'), issuer, subject }
  for (const candidate of [name, `${name} (${subject})`]) {
    try {
      return await db.transaction(async (db) => {
        const user = await insertUser(db, { ...person, name: candidate.slice(0, 255) }, [])
        await audit(db, { action: 'user.create', actor: issuer, object: `user ${user.name}`, detail: { subject } })
        return user
      })
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'exists') throw error
      const found = await findExternalUser(db, issuer, subject) // a concurrent request created it
      if (found) return found
    }
  }
  throw refused('the name of its user is taken')
}
