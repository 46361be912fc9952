/**
 * Another OpenID provider (Keycloak or any other) in place of the bundled one: KONTOR_OIDC_ISSUER.
 *
 * Its access tokens are checked against its published keys; it decides who somebody is and which roles they have. A user
 * appears here with their first call, so that history and messages have a name to go by, and can be disabled here too.
 * When somebody logs out there, a token that was issued before stays good until it expires: only its issuer could tell.
 */
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../adapters/postgres/db.ts'
import { listen } from '../../adapters/postgres/listen.ts'
import { Problem } from '../../errors.ts'
import { identityArea } from '../routes.ts'
import { audit, auditAnchor } from '../audit/audit-chain.ts'
import { checkHeader, refused, rememberChecked, tokenOf } from '../tokens/bearer.ts'
import { createMemory } from '../ttl-cache.ts'
import type { Identity } from '../module.ts'
import { createPasswords } from '../passwords/passwords.ts'
import { createGrants } from '../roles/roles.ts'
import { createUsers, insertUser, type User } from '../users/users.ts'
import { findExternalUser } from '../users/users.sql.ts'

export interface ExternalOptions {
  db: Database
  /** The issuer, exactly as its tokens name it. */
  issuer: string
  /** What `aud` must contain. */
  audience: string
  /** The one client whose tokens are accepted; any, when absent. */
  clientId?: string
  /** Where the roles are: names separated by dots. */
  rolesClaim: string
  log: Pick<FastifyBaseLogger, 'info'>
}

/** Asymmetric ones only: with a published key nobody can make a token of these. */
const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA']
const tolerance = 30
const maxDocument = 64 * 1024
const patience = 5000

type Claims = JWTPayload & { exp: number; sub: string; azp?: string; client_id?: string; sid?: string }
interface Checked {
  claims: Claims
  roles: ReadonlySet<string>
}

export async function createExternalIdentity(options: ExternalOptions): Promise<Identity> {
  const { db, issuer, log } = options
  const users = createUsers(db, createPasswords())
  const grants = createGrants(db)
  const known = createMemory((subject: string) => findExternalUser(db, issuer, subject), 1000)
  const forgetAll = () => {
    known.clear()
    grants.forget()
  }
  const listener = await listen(db, 'kontor_identity', { received: forgetAll, missed: forgetAll })
  const checkOnce = rememberChecked(createCheck(options))
  const notHere = (): never => {
    throw new Problem('invalid', `this installation signs people in at ${issuer}`)
  }
  return {
    plugin: async (app) => void app.addHook('onClose', () => listener.stop()),
    async verify(authorization) {
      const { claims, roles } = await checkOnce(tokenOf(authorization))
      const user = (await known.get(claims.sub)) ?? (await welcome(db, issuer, claims).finally(() => known.clear()))
      if (!user.enabled) throw refused('its user is disabled')
      const { sid, jti, azp, client_id: client } = claims
      const clientId = azp ?? client ?? ''
      return { userId: user.id, userName: user.name, roles, clientId, sessionId: sid ?? jti ?? '' }
    },
    area: identityArea({
      db,
      users,
      signIn: { byPassword: async () => notHere(), byCode: async () => notHere(), proveCode: async () => notHere() },
      secondFactor: { state: notHere, begin: notHere, confirm: notHere, check: notHere },
      personalTokens: { create: notHere, list: async () => [], revoke: notHere, used: async () => {} },
      elsewhere: issuer,
      changed: forgetAll,
    }),
    permissionsOf: grants.permissionsOf,
    users,
    issueTokens: async () => notHere(),
    endSession: async () => notHere(),
    async maintain() {
      log.info({ audit: await auditAnchor(db) }, 'audit anchor')
    },
  }
}

function createCheck({ issuer, audience, clientId, rolesClaim }: ExternalOptions) {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined
  const findKeys = () => {
    keys ??= openKeys(issuer)
    keys.catch(() => setTimeout(() => (keys = undefined), patience).unref()) // asked again, though not by every request
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
    // A plain JWT could be an ID token; Keycloak says in the payload what it is.
    if (typ === 'JWT' && payload.typ !== 'Bearer') throw refused('it is not an access token')
    if (payload.iat! > Date.now() / 1000 + tolerance) throw refused('it is from the future')
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

/** The keys, from where the discovery document says. An unknown key id is looked for again twice a minute at most. */
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
    timeoutDuration: patience,
    [customFetch]: (url, init) =>
      fetchLimited(url, init).catch((cause: unknown) => {
        throw cause instanceof errors.JOSEError ? cause : new errors.JWKSTimeout(undefined, { cause })
      }),
  })
}

/** A document of 64 KiB at most, without following it elsewhere. */
async function fetchLimited(url: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(url, { ...init, redirect: 'error', signal: init.signal ?? AbortSignal.timeout(patience) })
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of reply.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxDocument) throw new Error(`${url} has more than ${maxDocument} bytes`)
    parts.push(part)
  }
  return new Response(Buffer.concat(parts), { status: reply.status, headers: reply.headers })
}

/** The first call of somebody. A name that is taken here gets the subject added; the two are not the same person. */
async function welcome(db: Database, issuer: string, claims: Claims): Promise<User> {
  const { sub: subject } = claims
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined)
  const name = text('preferred_username') ?? subject
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
      const found = await findExternalUser(db, issuer, subject) // another request was first
      if (found) return found
    }
  }
  throw refused('its user has a name that is taken here')
}
