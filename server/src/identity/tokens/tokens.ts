/**
 * Tokens: their claims, how they are signed, and how Kontor reads its own tokens.
 *
 *   token     signed by        typ (header / payload)   lifetime         read by
 *   access    published key    at+jwt / Bearer          one hour         every API (verify.ts)
 *   ID        published key    JWT / ID                 one hour         the client; Kontor, as a hint at logout
 *   refresh   HMAC             JWT / Refresh            of its session   Kontor
 *   offline   HMAC             JWT / Offline            30 days unused   Kontor
 *
 * A refresh or offline token contains the session it was issued with (sid). An offline token also contains the offline
 * session (oid), which determines whether it is still valid; the token itself has no expiry.
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
  /** 0 means that it does not expire while it is used regularly. */
  refresh_expires_in: number
  id_token?: string
}

/** The reply to client credentials: the client can always request a new token, so it needs no refresh token. */
interface AccessTokenSet {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  /** Absent if no scope was granted. */
  scope?: string
}

export interface RefreshClaims {
  readonly sid: string
  readonly azp: string
  readonly scope: string
  /** Only in refresh tokens that are rotated: the chain of tokens that replace each other. */
  readonly chn?: string
  /** The generation: with rotation, tokens of older generations are not valid. */
  readonly gen: number
  /** Only in offline tokens. */
  readonly oid?: string
}

export interface Issue {
  readonly user: User
  readonly signedIn: SignedIn
  /** The requested scope, if it is narrower than the granted one. */
  readonly scope?: string | undefined
  readonly nonce?: string | undefined
}

export interface Tokens {
  issue(to: Issue): Promise<TokenSet>
  issueAccess(to: Issue): Promise<AccessTokenSet>
  /** Returns undefined if it is not one of our tokens or has expired. */
  readRefreshToken(token: string): Promise<RefreshClaims | undefined>
  /** Accepts expired ID tokens, too: they still identify the session to end. */
  readIdToken(token: string): Promise<{ sid: string; aud: string } | undefined>
}

interface TokenOptions {
  keys: Keys
  issuer: string
  audience: string
  /** The tenant; other systems with this interface put it into their tokens, too. */
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
  const refreshToken = ({ user, signedIn: { session, scope, offlineId, chain, generation } }: Issue) => {
    const { clientId: azp, id: sid } = session
    const claims = { sub: user.id, azp, sid, aud: issuer, scope, chn: chain, gen: generation }
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
        const { sid, azp, scope, chn, gen, typ, oid } = payload
        return { sid, azp, scope, gen, ...(chn !== undefined && { chn }), ...(typ === 'Offline' && { oid }) }
      }),

    readIdToken: (token) =>
      readable(async () => {
        const key = async ({ kid = '' }) => (await keys.verifier(kid)) ?? Promise.reject(new errors.JWKSNoMatchingKey())
        // Verified as of 1970, so that no token has expired.
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

/** The claims about the user in ID tokens and userinfo. */
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
