/**
 * Whether an access token is good, and whose it is. The rules are those of RFC 8725 and RFC 9068, in this order:
 *
 *   form       one header, scheme Bearer, at most 8 KiB, three parts of clean base64url
 *   header     the one configured algorithm, type at+jwt, a key id; nothing that brings a key along or must be understood
 *   signature  by a published key of that id
 *   claims     issuer, audience, times (an hour at most), subject, session, client
 *   session    live, of that user and client, and no roles changed since
 *
 * All but the last are remembered for a minute per token; the session is asked about every time.
 */
import { jwtVerify, type JWTPayload } from 'jose'
import { checkHeader, refused, cacheChecked, tokenOf } from './bearer.ts'
import type { Keys } from './keys.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { accessSeconds } from './tokens.ts'

export interface Principal {
  readonly userId: string
  readonly userName: string
  readonly name?: string
  readonly roles: ReadonlySet<string>
  readonly clientId: string
  readonly sessionId: string
}

export interface Verified {
  readonly principal: Principal
  readonly claims: JWTPayload & AccessClaims
  /** Whether the token is one that its user made for a script. */
  readonly personal: boolean
}

interface AccessClaims {
  sub: string
  sid: string
  azp: string
  exp: number
  iat: number
  scope: string
  /** Permission epoch. */
  pe: number
  preferred_username: string
  name?: string
  realm_access: { roles: string[] }
}

export interface VerifyOptions {
  keys: Keys
  sessions: Pick<Sessions, 'state'>
  issuer: string
  audience: string
}

/** Takes the values of the Authorization header (a list, where the server kept them apart). */
export type Verify = (authorization: string | readonly string[] | undefined) => Promise<Verified>

const tolerance = 5

export function createVerify({ keys, sessions, issuer, audience }: VerifyOptions): Verify {
  const check = async (token: string): Promise<Verified> => {
    const key = await keys.verifier(checkHeader(token, { algorithms: [keys.algorithm], types: ['at+jwt'] }).kid)
    if (!key) throw refused('its key is not known')
    const { payload } = await jwtVerify<AccessClaims>(token, key, {
      algorithms: [keys.algorithm],
      issuer,
      audience,
      clockTolerance: tolerance,
      maxTokenAge: accessSeconds, // also refuses an iat in the future
      requiredClaims: ['exp', 'iat', 'sub', 'sid', 'azp', 'jti'],
    })
    checkClaims(payload)
    return { claims: payload, principal: toPrincipal(payload), personal: false }
  }

  const checkOnce = cacheChecked(check)
  return async (authorization) => {
    const verified = await checkOnce(tokenOf(authorization))
    const { sid, sub, azp, pe } = verified.claims
    const session = await sessions.state(sid)
    if (!session || session.userId !== sub || session.clientId !== azp) throw refused('its session has ended')
    if (session.epoch !== pe) throw refused('the roles of its user have changed')
    return { ...verified, personal: session.personal }
  }
}

function checkClaims(claims: JWTPayload & AccessClaims): void {
  const texts = [claims.sub, claims.sid, claims.azp, claims.preferred_username]
  if (!texts.every((text) => typeof text === 'string' && text !== '')) throw refused('it lacks a claim')
  if (claims.exp > claims.iat + accessSeconds) throw refused('it lives for more than an hour')
  if (claims.typ !== 'Bearer') throw refused('it is not an access token')
  if (!Array.isArray(claims.realm_access?.roles)) throw refused('it lacks realm_access.roles')
}

const toPrincipal = (claims: AccessClaims): Principal => ({
  userId: claims.sub,
  userName: claims.preferred_username,
  ...(claims.name !== undefined && { name: claims.name }),
  roles: new Set(claims.realm_access.roles),
  clientId: claims.azp,
  sessionId: claims.sid,
})
