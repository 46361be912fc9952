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
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import { createHash } from 'node:crypto'
import { Problem } from '../errors.ts'
import type { Keys } from './keys.ts'
import type { Sessions } from './sessions.ts'
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

const maxToken = 8192
const tolerance = 5
const rememberFor = 60_000
const mostRemembered = 10_000
const refusedHeaders = ['crit', 'jku', 'jwk', 'x5u', 'x5c', 'x5t', 'zip', 'b64', 'enc', 'cty']

export function createVerify({ keys, sessions, issuer, audience }: VerifyOptions): Verify {
  const remembered = new Map<string, { verified: Verified; until: number }>()

  const check = async (token: string): Promise<Verified> => {
    const key = await keys.verifier(checkHeader(token, keys.algorithm).kid)
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

  const checkOnce = async (token: string): Promise<Verified> => {
    const now = Date.now()
    const hash = createHash('sha256').update(token).digest('base64')
    const found = remembered.get(hash)
    if (found && found.until > now) return found.verified
    const verified = await check(token)
    remembered.delete(hash)
    remembered.set(hash, { verified, until: Math.min(now + rememberFor, verified.claims.exp * 1000) })
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
    return verified
  }

  return async (authorization) => {
    const verified = await translate(() => checkOnce(tokenOf(authorization)))
    const { sid, sub, azp, pe } = verified.claims
    const session = await sessions.state(sid)
    if (!session || session.userId !== sub || session.clientId !== azp) throw refused('its session has ended')
    if (session.epoch !== pe) throw refused('the roles of its user have changed')
    return { ...verified, personal: session.personal }
  }
}

function tokenOf(authorization: string | readonly string[] | undefined): string {
  const values = authorization === undefined ? [] : [authorization].flat()
  if (values.length === 0)
    throw new Problem('unauthorized', 'the header Authorization: Bearer <access token> is missing')
  if (values.length > 1) throw new Problem('unauthorized', 'there is more than one Authorization header')
  const [, token] = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(values[0]!) ?? []
  if (token === undefined || token.length > maxToken || !token.split('.').every(isCleanBase64url)) {
    throw refused('it is not a bearer token of the expected form')
  }
  return token
}

/** Exactly one spelling of the bytes is accepted. */
const isCleanBase64url = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part

function checkHeader(token: string, algorithm: string): { kid: string } {
  const header = headerOf(token)
  if (header.alg !== algorithm) throw refused('it is not signed with the expected algorithm')
  if (header.typ !== 'at+jwt') throw refused('it is not an access token')
  const foreign = refusedHeaders.filter((name) => name in header)
  if (foreign.length > 0) throw refused(`its header has ${foreign.join(', ')}`)
  if (typeof header.kid !== 'string') throw refused('it does not name its key')
  return { kid: header.kid }
}

function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token)
  } catch (cause) {
    throw refused('its header cannot be read', { cause })
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

const refused = (why: string, options?: ErrorOptions) =>
  new Problem('unauthorized', `the access token is refused: ${why}`, options)

/** What jose throws, in our words. */
async function translate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw refused('it has expired', { cause })
    if (cause instanceof errors.JOSEError) throw refused('it is not valid', { cause })
    throw cause
  }
}
