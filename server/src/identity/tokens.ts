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
import type { SignedIn } from './sessions.ts'
import { sessionSeconds } from './sessions.sql.ts'
import type { User } from './users.ts'

export const accessSeconds = 3600

/** A reply of the token endpoint. */
export interface TokenSet {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  /** 0 means: as long as it is used now and then. */
  refresh_expires_in: number
  id_token?: string
  /** Absent when none was granted. */
  scope?: string
}

export interface RefreshClaims {
  readonly sid: string
  readonly azp: string
  readonly scope: string
  /** Only in offline tokens. */
  readonly oid?: string
}

export interface Tokens {
  issue(to: { user: User; signedIn: SignedIn; scope?: string; nonce?: string }): Promise<TokenSet>
  /** Undefined when it is none of ours, or too old. */
  readRefreshToken(token: string): Promise<RefreshClaims | undefined>
  /** An expired ID token still tells which session to end. */
  readIdToken(token: string): Promise<{ sid: string; aud: string } | undefined>
}

export function createTokens({ keys, issuer, audience }: { keys: Keys; issuer: string; audience: string }): Tokens {
  const sign = (claims: JWTPayload, typ: string, seconds: number) => {
    const { kid, key } = keys.signer()
    return stamp(new SignJWT(claims), issuer, seconds).setProtectedHeader({ alg: keys.algorithm, typ, kid }).sign(key)
  }
  const signRefresh = (claims: JWTPayload, seconds: number | undefined) =>
    stamp(new SignJWT(claims), issuer, seconds)
      .setProtectedHeader({ alg: refreshAlgorithm, typ: 'JWT' })
      .sign(keys.refreshKey)

  return {
    async issue({ user, signedIn: { session, scope: granted, offlineId }, scope = granted, nonce }) {
      const shared = { ...profileOf(user), sub: user.id, azp: session.clientId, sid: session.id }
      const accessToken = await sign(
        { ...shared, typ: 'Bearer', aud: audience, scope, realm_access: { roles: user.roles }, pe: user.epoch },
        'at+jwt',
        accessSeconds,
      )
      const bound = { sub: user.id, azp: session.clientId, sid: session.id, aud: issuer, scope: granted }
      const offline = offlineId !== undefined
      return {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: accessSeconds,
        refresh_token: await (offline
          ? signRefresh({ ...bound, typ: 'Offline', oid: offlineId }, undefined)
          : signRefresh({ ...bound, typ: 'Refresh' }, sessionSeconds)),
        refresh_expires_in: offline ? 0 : sessionSeconds,
        ...(scope.split(' ').includes('openid') && {
          id_token: await sign(
            {
              ...shared,
              typ: 'ID',
              aud: session.clientId,
              auth_time: Math.floor(session.authenticatedAt.getTime() / 1000),
              at_hash: halfHash(accessToken),
              nonce,
            },
            'JWT',
            accessSeconds,
          ),
        }),
        ...(scope !== '' && { scope }),
      }
    },

    readRefreshToken: (token) =>
      readable(async () => {
        const options = { issuer, audience: issuer, algorithms: [refreshAlgorithm], clockTolerance: 5 }
        const { payload } = await jwtVerify<RefreshClaims & { typ: string }>(token, keys.refreshKey, options)
        const { sid, azp, scope, typ, oid } = payload
        return { sid, azp, scope, ...(typ === 'Offline' && { oid }) }
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
