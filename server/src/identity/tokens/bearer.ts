/**
 * Checks that are the same for tokens of all issuers: the format, the header, and a cache of verified access tokens.
 *
 * The order matters: nothing is looked up before the format is valid, and keys embedded in the header are never used.
 */
import { decodeProtectedHeader, errors, type ProtectedHeaderParameters } from 'jose'
import { hash } from 'node:crypto'
import { Problem } from '../../errors.ts'

const maxToken = 8192
const cacheMillis = 60_000
const maxCached = 10_000
const refusedHeaders = ['crit', 'jku', 'jwk', 'x5u', 'x5c', 'x5t', 'zip', 'b64', 'enc', 'cty']

/** Creates the error for a token that is refused for this reason. */
type Refuse = (why: string, options?: ErrorOptions) => Problem

export const refused: Refuse = (why, options) =>
  new Problem('unauthorized', `the access token is refused: ${why}`, options)

/** Reads the token from the Authorization header; a list contains the values of repeated headers. */
export function tokenOf(authorization: string | readonly string[] | undefined): string {
  const values = authorization === undefined ? [] : [authorization].flat()
  if (values.length === 0)
    throw new Problem('unauthorized', 'the header Authorization: Bearer <access token> is missing')
  if (values.length > 1) throw new Problem('unauthorized', 'there is more than one Authorization header')
  const [, token = ''] = /^Bearer +([\w.-]+)$/i.exec(values[0]!) ?? []
  if (!isSignedToken(token)) throw refused('it is not a bearer token of the expected form')
  return token
}

/** Whether the text has the form of a signed token: three parts, not too long. */
export const isSignedToken = (text: string) =>
  text.length <= maxToken && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text) && text.split('.').every(isCanonicalBase64url)

/** Accepts only the canonical encoding of the bytes. */
const isCanonicalBase64url = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part

export function checkHeader(
  token: string,
  expected: { algorithms: readonly string[]; types: readonly string[] },
  refuse = refused,
) {
  const header = headerOf(token, refuse)
  const { alg = '', typ = '', kid } = header
  if (!expected.algorithms.includes(alg)) throw refuse('it is not signed with the expected algorithm')
  if (!expected.types.includes(typ)) throw refuse(`it is a token of another type: ${typ.slice(0, 50) || 'none'}`)
  const foreign = refusedHeaders.filter((name) => name in header)
  if (foreign.length > 0) throw refuse(`its header has ${foreign.join(', ')}`)
  if (typeof kid !== 'string') throw refuse('it does not name its key')
  return { kid, typ }
}

function headerOf(token: string, refuse: Refuse): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token)
  } catch (cause) {
    throw refuse('its header cannot be read', { cause })
  }
}

/** Caches verified tokens for a minute, but not beyond their expiry. Refusals are not cached. */
export function cacheChecked<T extends { claims: { exp: number } }>(check: (token: string) => Promise<T>) {
  const cached = new Map<string, { checked: T; until: number }>()
  return async (token: string): Promise<T> => {
    const now = Date.now()
    const key = hash('sha256', token, 'base64')
    const found = cached.get(key)
    if (found && found.until > now) return found.checked
    const checked = await check(token).catch(translateBy(refused))
    cached.delete(key)
    cached.set(key, { checked, until: Math.min(now + cacheMillis, checked.claims.exp * 1000) })
    if (cached.size > maxCached) cached.delete(cached.keys().next().value!)
    return checked
  }
}

/** Converts the errors of jose to ours. */
export const translateBy =
  (refuse: Refuse) =>
  (cause: unknown): never => {
    if (cause instanceof errors.JWTExpired) throw refuse('it has expired', { cause })
    if (cause instanceof errors.JWTClaimValidationFailed)
      throw refuse(`its claim ${cause.claim} is missing or not the expected one`, { cause })
    if (cause instanceof errors.JWKSTimeout)
      throw new Problem('unavailable', 'the identity provider does not answer', { cause })
    if (cause instanceof errors.JOSEError) throw refuse('it is not valid', { cause })
    throw cause
  }
