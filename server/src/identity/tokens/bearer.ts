/**
 * What is the same for every access token, whoever issued it: its form, its header, and remembering that it was good.
 *
 * The order matters: nothing is looked up before the form is right, and no key is asked for that the header brings along.
 */
import { decodeProtectedHeader, errors, type ProtectedHeaderParameters } from 'jose'
import { hash } from 'node:crypto'
import { Problem } from '../../errors.ts'

const maxToken = 8192
const rememberFor = 60_000
const mostRemembered = 10_000
const refusedHeaders = ['crit', 'jku', 'jwk', 'x5u', 'x5c', 'x5t', 'zip', 'b64', 'enc', 'cty']

export const refused = (why: string, options?: ErrorOptions) =>
  new Problem('unauthorized', `the access token is refused: ${why}`, options)

/** The token in the values of the Authorization header (a list, where the server kept them apart). */
export function tokenOf(authorization: string | readonly string[] | undefined): string {
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

export function checkHeader(token: string, expected: { algorithms: readonly string[]; types: readonly string[] }) {
  const header = headerOf(token)
  const { alg = '', typ = '', kid } = header
  if (!expected.algorithms.includes(alg)) throw refused('it is not signed with the expected algorithm')
  if (!expected.types.includes(typ)) throw refused('it is not an access token')
  const foreign = refusedHeaders.filter((name) => name in header)
  if (foreign.length > 0) throw refused(`its header has ${foreign.join(', ')}`)
  if (typeof kid !== 'string') throw refused('it does not name its key')
  return { kid, typ }
}

function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token)
  } catch (cause) {
    throw refused('its header cannot be read', { cause })
  }
}

/** A token that was good is good for a minute more, as far as it alone is concerned; a refusal is never remembered. */
export function cacheChecked<T extends { claims: { exp: number } }>(check: (token: string) => Promise<T>) {
  const remembered = new Map<string, { checked: T; until: number }>()
  return async (token: string): Promise<T> => {
    const now = Date.now()
    const key = hash('sha256', token, 'base64')
    const found = remembered.get(key)
    if (found && found.until > now) return found.checked
    const checked = await check(token).catch(translate)
    remembered.delete(key)
    remembered.set(key, { checked, until: Math.min(now + rememberFor, checked.claims.exp * 1000) })
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
    return checked
  }
}

/** What jose throws, in our words. */
function translate(cause: unknown): never {
  if (cause instanceof errors.JWTExpired) throw refused('it has expired', { cause })
  if (cause instanceof errors.JWKSTimeout)
    throw new Problem('unavailable', 'the identity provider does not answer', { cause })
  if (cause instanceof errors.JOSEError) throw refused('it is not valid', { cause })
  throw cause
}
