/**
 * Verifies access tokens and determines their user. The checks follow RFC 8725 and RFC 9068, in this order:
 *
 *   format     one header, scheme Bearer, at most 8 KiB, three parts in canonical base64url
 *   header     the configured algorithm, type at+jwt, a key id; no embedded keys and no critical extensions
 *   signature  by the published key with that id
 *   claims     issuer, audience, times (at most an hour), subject, session, client
 *   session    live, of that user and client, and no change of roles since
 *
 * The results of all checks but the last are cached for a minute per token. The session is looked up every time.
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
  /** Whether it is a personal token. */
  readonly personal?: boolean
}

export interface Verified {
  readonly principal: Principal
  readonly claims: JWTPayload & AccessClaims
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

interface VerifyOptions {
  keys: Keys
  sessions: Pick<Sessions, 'state'>
  issuer: string
  audience: string
}

/** Takes the value of the Authorization header; a list contains the values of repeated headers. */
export type Verify = (authorization: string | readonly string[] | undefined) => Promise<Verified>

const tolerance = 5

export function createVerify({ keys, sessions, issuer, audience }: VerifyOptions): Verify {
  const check = async (token: string): Promise<Verified> => {
    const key = await keys.verifier(checkHeader(token, { algorithms: [keys.algorithm], types: ['at+jwt'] }).kid)
    if (!key) throw refused('its key is unknown')
    const { payload } = await jwtVerify<AccessClaims>(token, key, {
      algorithms: [keys.algorithm],
      issuer,
      audience,
      clockTolerance: tolerance,
      maxTokenAge: accessSeconds, // also refuses an iat in the future
      requiredClaims: ['exp', 'iat', 'sub', 'sid', 'azp', 'jti'],
    })
    checkClaims(payload)
    return { claims: payload, principal: toPrincipal(payload) }
  }

  const checkOnce = cacheChecked(check)
  return async (authorization) => {
    const verified = await checkOnce(tokenOf(authorization))
    const { sid, sub, azp, pe } = verified.claims
    const session = await sessions.state(sid)
    if (!session || session.userId !== sub || session.clientId !== azp) throw refused('its session has ended')
    if (session.epoch !== pe) throw refused('the roles of its user have changed')
    return { ...verified, principal: { ...verified.principal, ...(session.personal && { personal: true }) } }
  }
}

function checkClaims(claims: JWTPayload & AccessClaims): void {
  const texts = [claims.sub, claims.sid, claims.azp, claims.preferred_username]
  if (!texts.every((text) => typeof text === 'string' && text !== '')) throw refused('it lacks a claim')
  if (claims.exp > claims.iat + accessSeconds) throw refused('its lifetime is more than an hour')
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
