/**
 * Tokens: what is in them, how they are signed, and how our own are read back.
 *
 *   token     signed by        typ (header / payload)   lives            read by
 *   access    published key    at+jwt / Bearer          one hour         every API (verify.ts)
 *   ID        published key    JWT / ID                 one hour         the client; us, as a hint at logout
 *   refresh   our own HMAC     JWT / Refresh            with its session us
 *   offline   our own HMAC     JWT / Offline            30 days unused   us
 *
 * A refresh or offline token names the session it was issued with (sid); an offline one also the offline session (oid),
 * which decides whether it is still good, so that it needs no end of its own.
 */
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { createHash, randomUUID } from 'node:crypto'
import { refreshAlgorithm, type Keys } from './keys.ts'
import type { Session, SignedIn } from '../sessions/sessions.ts'
import { sessionSeconds } from '../sessions/sessions.sql.ts'
import type { User } from '../users/users.ts'

export const accessSeconds = 3600

/** A reply of the token endpoint. */
export interface TokenSet extends AccessTokenSet {
  refresh_token: string
  /** 0 means: as long as it is used now and then. */
  refresh_expires_in: number
  id_token?: string
}

/** All there is for a client that acts for itself: it can always ask anew. */
export interface AccessTokenSet {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  /** Absent when none was granted. */
  scope?: string
}

export interface RefreshClaims {
  readonly sid: string
  readonly azp: string
  readonly scope: string
  /** The generation: with rotation, a token of a past one is not good any more. */
  readonly gen: number
  /** Only in offline tokens. */
  readonly oid?: string
}

export interface Issue {
  readonly user: User
  readonly signedIn: SignedIn
  /** When less was asked for than was granted. */
  readonly scope?: string
  readonly nonce?: string
}

export interface Tokens {
  issue(to: Issue): Promise<TokenSet>
  issueAccess(to: Issue): Promise<AccessTokenSet>
  /** Undefined when it is none of ours, or too old. */
  readRefreshToken(token: string): Promise<RefreshClaims | undefined>
  /** An expired ID token still tells which session to end. */
  readIdToken(token: string): Promise<{ sid: string; aud: string } | undefined>
}

export interface TokenOptions {
  keys: Keys
  issuer: string
  audience: string
  /** The tenant, which other systems that speak this interface name in their tokens. */
  mandator: string
}

export function createTokens({ keys, issuer, audience, mandator }: TokenOptions): Tokens {
  const sign = (claims: JWTPayload, typ: string, seconds: number) => {
    const { kid, key } = keys.signer()
    return stamp(new SignJWT(claims), issuer, seconds).setProtectedHeader({ alg: keys.algorithm, typ, kid }).sign(key)
  }
  const signRefresh = (claims: JWTPayload, seconds: number | undefined) =>
    stamp(new SignJWT(claims), issuer, seconds)
      .setProtectedHeader({ alg: refreshAlgorithm, typ: 'JWT' })
      .sign(keys.refreshKey)

  const accessToken = ({ user, signedIn: { session, scope: granted }, scope = granted }: Issue) =>
    sign(
      {
        ...sharedClaims(user, session),
        typ: 'Bearer',
        aud: audience,
        scope,
        realm_access: { roles: user.roles },
        mandator,
        pe: user.epoch,
      },
      'at+jwt',
      accessSeconds,
    )
  const refreshToken = ({ user, signedIn: { session, scope, offlineId, generation } }: Issue) => {
    const { clientId: azp, id: sid } = session
    const claims = { sub: user.id, azp, sid, aud: issuer, scope, gen: generation }
    return offlineId === undefined
      ? signRefresh({ ...claims, typ: 'Refresh' }, sessionSeconds)
      : signRefresh({ ...claims, typ: 'Offline', oid: offlineId }, undefined)
  }
  const idToken = ({ user, signedIn: { session }, nonce }: Issue, accessToken: string) => {
    const authTime = Math.floor(session.authenticatedAt.getTime() / 1000)
    const claims = { typ: 'ID', aud: session.clientId, auth_time: authTime, at_hash: halfHash(accessToken), nonce }
    return sign({ ...sharedClaims(user, session), ...claims }, 'JWT', accessSeconds)
  }

  const issueAccess = async (to: Issue): Promise<AccessTokenSet> => {
    const { scope = to.signedIn.scope } = to
    const token = await accessToken(to)
    return { access_token: token, token_type: 'Bearer', expires_in: accessSeconds, ...(scope !== '' && { scope }) }
  }

  return {
    issueAccess,
    async issue(to) {
      const { signedIn, scope = signedIn.scope } = to
      const access = await issueAccess(to)
      return {
        ...access,
        refresh_token: await refreshToken(to),
        refresh_expires_in: signedIn.offlineId === undefined ? sessionSeconds : 0,
        ...(scope.split(' ').includes('openid') && { id_token: await idToken(to, access.access_token) }),
      }
    },

    readRefreshToken: (token) =>
      readable(async () => {
        const options = { issuer, audience: issuer, algorithms: [refreshAlgorithm], clockTolerance: 5 }
        const { payload } = await jwtVerify<RefreshClaims & { typ: string }>(token, keys.refreshKey, options)
        const { sid, azp, scope, gen, typ, oid } = payload
        return { sid, azp, scope, gen, ...(typ === 'Offline' && { oid }) }
      }),

    readIdToken: (token) =>
      readable(async () => {
        const key = async ({ kid = '' }) => (await keys.verifier(kid)) ?? Promise.reject(new errors.JWKSNoMatchingKey())
        // Read as of 1970, when no token had expired yet.
        const options = { issuer, algorithms: [keys.algorithm], typ: 'JWT', currentDate: new Date(0) }
        const { payload } = await jwtVerify<{ sid: string; aud: string; typ: string }>(token, key, options)
        return payload.typ === 'ID' ? { sid: payload.sid, aud: payload.aud } : undefined
      }),
  }
}

const sharedClaims = (user: User, session: Session) => ({
  ...profileOf(user),
  sub: user.id,
  azp: session.clientId,
  sid: session.id,
})

/** What ID tokens and userinfo say of a person. */
export const profileOf = (user: User) => ({
  preferred_username: user.name,
  name: user.displayName ?? user.name,
  ...(user.email !== null && { email: user.email }),
})

function stamp(token: SignJWT, issuer: string, seconds: number | undefined): SignJWT {
  const now = Math.floor(Date.now() / 1000)
  token.setIssuer(issuer).setIssuedAt(now).setJti(randomUUID())
  return seconds === undefined ? token : token.setExpirationTime(now + seconds)
}

/** at_hash of OpenID Connect Core 3.1.3.6, for the algorithms that end in 256. */
const halfHash = (token: string) => createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
