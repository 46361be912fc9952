/**
 * The published keys of an external OpenID provider.
 *
 *   first token             fetch the discovery document, then the keys; a failed attempt is repeated after five seconds
 *   unknown key id          fetch the keys again, at most twice a minute, because the provider may have rotated them
 *   every ten minutes       fetch the keys in the background, so that a key that was withdrawn is not accepted for long
 *   provider does not answer   go on with the known keys; a token with an unknown key is answered with 503
 */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { Problem } from '../../errors.ts'

const maxDocument = 64 * 1024
const timeoutMillis = 5000
const retryMillis = 5000
const cooldownMillis = 30_000
const refreshMillis = 600_000

/** Finds the key of a token. Throws a Problem `unavailable` or a JWKSTimeout if the provider does not answer. */
export function createExternalKeys(issuer: string): JWTVerifyGetKey {
  let opened: Promise<JWTVerifyGetKey> | undefined
  const open = async () => {
    try {
      return openKeys(await findKeysUrl(issuer))
    } catch (error) {
      setTimeout(() => (opened = undefined), retryMillis).unref() // retry later, but not on every request
      throw error
    }
  }
  return async (header, token) => (await (opened ??= open()))(header, token)
}

async function findKeysUrl(issuer: string): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const reply = await fetchLimited(url, {}).catch((cause: unknown) => {
    throw new Problem('unavailable', 'the identity provider does not answer', { cause })
  })
  const found = (await reply.json().catch(() => ({}))) as { issuer?: string; jwks_uri?: string }
  if (!reply.ok || found.issuer !== issuer || !URL.canParse(found.jwks_uri ?? '')) {
    throw new Problem('unavailable', `the identity provider does not describe itself as ${issuer}`)
  }
  return new URL(found.jwks_uri!)
}

function openKeys(url: URL): JWTVerifyGetKey {
  let failedAt = -Infinity
  const fetchKeys = async (url: string, init: RequestInit) => {
    if (Date.now() < failedAt + retryMillis) throw new errors.JWKSTimeout()
    try {
      const reply = await fetchLimited(url, init)
      if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
      return reply
    } catch (cause) {
      failedAt = Date.now()
      throw new errors.JWKSTimeout(undefined, { cause })
    }
  }
  const keys = createRemoteJWKSet(url, {
    cooldownDuration: cooldownMillis,
    cacheMaxAge: Infinity, // otherwise no token could be verified while the provider is away
    timeoutDuration: timeoutMillis,
    [customFetch]: fetchKeys,
  })
  let refreshAt = Date.now() + refreshMillis
  return (header, token) => {
    if (Date.now() >= refreshAt) {
      refreshAt = Date.now() + refreshMillis
      keys.reload().catch(() => (refreshAt = Date.now() + cooldownMillis))
    }
    return keys(header, token)
  }
}

/** Fetches a document of at most 64 KiB, without following redirects. */
async function fetchLimited(url: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: init.signal ?? AbortSignal.timeout(timeoutMillis),
  })
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of reply.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxDocument) throw new Error(`${url} has more than ${maxDocument} bytes`)
    parts.push(part)
  }
  return new Response(Buffer.concat(parts), { status: reply.status, headers: reply.headers })
}
