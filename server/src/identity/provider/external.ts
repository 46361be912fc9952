/**
 * An external OpenID provider (Keycloak or any other) that replaces the bundled one: KONTOR_OIDC_ISSUER.
 *
 * Its access tokens are verified with its published keys; it authenticates users and assigns their roles. The first call
 * of a user creates an account here, because history and messages refer to it; the account can be disabled here. After
 * a logout at the provider, tokens issued before stay valid until they expire: only the issuer knows of the logout.
 */
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { identityArea } from '../routes.ts'
import { audit, auditAnchor } from '../audit/audit-chain.ts'
import { checkHeader, refused, cacheChecked, tokenOf } from '../tokens/bearer.ts'
import { listenForChanges } from '../changes.ts'
import { createTtlCache } from '../ttl-cache.ts'
import type { Identity } from '../module.ts'
import { createPasswords } from '../passwords/passwords.ts'
import { createGrants } from '../roles/roles.ts'
import { createUsers, insertUser, type User } from '../users/users.ts'
import { createCallerNow } from '../users/present.ts'
import { findExternalUser, reportRoles } from '../users/users.sql.ts'

interface ExternalOptions {
  db: Database
  /** The issuer, exactly as in the tokens' `iss`. */
  issuer: string
  /** A value that `aud` must contain. */
  audience: string
  /** The only client whose tokens are accepted; by default, tokens of all clients are. */
  clientId?: string | undefined
  /** The path of the roles in the claims: names separated by dots. */
  rolesClaim: string
  log: Pick<FastifyBaseLogger, 'info'>
}

/** Only asymmetric algorithms: nobody can forge a token with the published keys. */
const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA']
const tolerance = 30
const maxDocument = 64 * 1024
const timeoutMillis = 5000

type Claims = JWTPayload & { exp: number; iat: number; sub: string; azp?: string; client_id?: string; sid?: string }
interface Checked {
  claims: Claims
  roles: ReadonlySet<string>
  /** Whether the roles were stored for work that goes on after its request. */
  isReported?: boolean
}

export async function createExternalIdentity(options: ExternalOptions): Promise<Identity> {
  const { db, issuer, log } = options
  const users = createUsers(db, createPasswords())
  const grants = createGrants(db)
  const known = createTtlCache((subject: string) => findExternalUser(db, issuer, subject), 1000)
  const clearCaches = () => {
    known.clear()
    grants.forget()
  }
  const changes = await listenForChanges(db, clearCaches)
  const checkOnce = cacheChecked(createCheck(options))
  const notSupported = (): never => {
    throw new Problem('invalid', `this installation signs users in at ${issuer}`)
  }
  return {
    plugin: async (app) => void app.addHook('onClose', changes.stop),
    async verify(authorization) {
      const checked = await checkOnce(tokenOf(authorization))
      const { claims, roles } = checked
      const user =
        (await known.get(claims.sub)) ?? (await createExternalUser(db, issuer, claims).finally(() => known.clear()))
      if (!user.enabled) throw refused('its user is disabled')
      const { sid, jti, azp, client_id: client } = claims
      const clientId = azp ?? client ?? ''
      if (!checked.isReported) {
        const issuedAt = new Date(claims.iat * 1000)
        await reportRoles(db, { userId: user.id, clientId, roles: [...roles], issuedAt })
        checked.isReported = true
      }
      return { userId: user.id, userName: user.name, roles, clientId, sessionId: sid ?? jti ?? '' }
    },
    area: identityArea({
      db,
      users,
      signIn: {
        byPassword: async () => notSupported(),
        byCode: async () => notSupported(),
        proveCode: async () => notSupported(),
      },
      secondFactor: { state: notSupported, begin: notSupported, confirm: notSupported, check: notSupported },
      personalTokens: { create: notSupported, list: async () => [], revoke: notSupported, used: async () => {} },
      externalIssuer: issuer,
      invalidateCaches: clearCaches,
    }),
    permissionsOf: grants.permissionsOf,
    callerNow: createCallerNow(db, grants.permissionsOf),
    onChange: changes.onChange,
    users,
    issueTokens: async () => notSupported(),
    endSession: async () => notSupported(),
    async maintain() {
      log.info({ audit: await auditAnchor(db) }, 'audit anchor')
    },
  }
}

function createCheck({ issuer, audience, clientId, rolesClaim }: ExternalOptions) {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined
  const findKeys = () => {
    keys ??= openKeys(issuer)
    keys.catch(() => setTimeout(() => (keys = undefined), timeoutMillis).unref()) // retry later, but not on every request
    return keys
  }
  return async (token: string): Promise<Checked> => {
    const { typ } = checkHeader(token, { algorithms, types: ['at+jwt', 'JWT'] })
    const { payload } = await jwtVerify<Claims>(token, await findKeys(), {
      algorithms,
      issuer,
      audience,
      clockTolerance: tolerance,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    // A plain JWT could be an ID token. Keycloak states the type in the payload.
    if (typ === 'JWT' && payload.typ !== 'Bearer') throw refused('it is not an access token')
    if (payload.iat > Date.now() / 1000 + tolerance) throw refused('it was issued in the future')
    if (clientId !== undefined && (payload.azp ?? payload.client_id) !== clientId)
      throw refused('it is for another client')
    return { claims: payload, roles: rolesIn(payload, rolesClaim) }
  }
}

function rolesIn(claims: JWTPayload, path: string): ReadonlySet<string> {
  const found = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], claims)
  return new Set(Array.isArray(found) ? found.filter((role) => typeof role === 'string') : [])
}

/** Fetches the keys from the address in the discovery document. Unknown key ids cause at most two fetches a minute. */
async function openKeys(issuer: string) {
  const reply = await fetchLimited(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {}).catch(
    (cause: unknown) => {
      throw new Problem('unavailable', 'the identity provider does not answer', { cause })
    },
  )
  const found = (await reply.json().catch(() => ({}))) as { issuer?: string; jwks_uri?: string }
  if (!reply.ok || found.issuer !== issuer || !URL.canParse(found.jwks_uri ?? '')) {
    throw new Problem('unavailable', `the identity provider does not describe itself as ${issuer}`)
  }
  return createRemoteJWKSet(new URL(found.jwks_uri!), {
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    timeoutDuration: timeoutMillis,
    [customFetch]: (url, init) =>
      fetchLimited(url, init).catch((cause: unknown) => {
        throw cause instanceof errors.JOSEError ? cause : new errors.JWKSTimeout(undefined, { cause })
      }),
  })
}

/** Fetches a document of at most 64 KiB, without following redirects. */
async function fetchLimited(url: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: init.signal ?? AbortSignal.timeout(timeoutMillis),
  })
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of reply.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxDocument) throw new Error(`${url} has more than ${maxDocument} bytes`)
    parts.push(part)
  }
  return new Response(Buffer.concat(parts), { status: reply.status, headers: reply.headers })
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
