/**
 * Logout tokens of an external provider (OpenID Connect Back-Channel Logout 1.0): the provider posts one when a session
 * has ended there. The checks, in this order:
 *
 *   format     at most 8 KiB, three parts in canonical base64url
 *   header     an asymmetric algorithm, type logout+jwt or JWT, a key id; no embedded keys and no critical extensions
 *   signature  by the published key with that id
 *   claims     issuer, one of our clients as audience, times (at most a day old), the logout event, a session or a
 *              subject, and no nonce, which only ID tokens have
 *   id         not used before, in any process
 */
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { Problem } from '../../errors.ts'
import { checkHeader, isSignedToken, translateBy } from '../tokens/bearer.ts'
import type { ExternalLogout } from './external.sql.ts'

interface LogoutOptions {
  readonly keys: JWTVerifyGetKey
  readonly issuer: string
  /** The clients to which the provider may address a logout token. */
  readonly clients: readonly string[]
  readonly algorithms: string[]
  /** The tolerated difference of clocks, in seconds. */
  readonly tolerance: number
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

export const refusedLogout = (why: string, options?: ErrorOptions) =>
  new Problem('invalid', `the logout token is refused: ${why}`, options)

export async function readLogoutToken(token: string, options: LogoutOptions): Promise<ExternalLogout> {
  const { keys, issuer, clients, algorithms, tolerance } = options
  if (!isSignedToken(token)) throw refusedLogout('it is not a signed token of the expected form')
  checkHeader(token, { algorithms, types: ['logout+jwt', 'JWT'] }, refusedLogout)
  const { payload } = await jwtVerify(token, keys, {
    algorithms,
    issuer,
    audience: [...clients],
    clockTolerance: tolerance,
    requiredClaims: ['exp', 'iat', 'jti', 'events'],
    maxTokenAge: '1 day',
  }).catch(translateBy(refusedLogout))
  if ('nonce' in payload) throw refusedLogout('it has a nonce, so it is an ID token')
  if (!isLogoutEvent(payload)) throw refusedLogout(`its claim events does not contain ${logoutEvent}`)
  const [jti, subject, session] = [textIn(payload, 'jti'), textIn(payload, 'sub'), textIn(payload, 'sid')]
  if (subject === undefined && session === undefined) throw refusedLogout('it has neither the claim sub nor sid')
  return { issuer, jti: jti!, subject, session, issuedAt: new Date(payload.iat! * 1000) }
}

function isLogoutEvent({ events }: JWTPayload): boolean {
  const event = (events as Record<string, unknown> | null)?.[logoutEvent]
  return typeof event === 'object' && event !== null && !Array.isArray(event)
}

function textIn(claims: JWTPayload, name: 'jti' | 'sub' | 'sid'): string | undefined {
  const value = claims[name]
  if (value === undefined && name !== 'jti') return undefined
  if (typeof value === 'string' && /^[^\0]{1,255}$/.test(value)) return value
  throw refusedLogout(`its claim ${name} is not a text of 1 to 255 characters`)
}
