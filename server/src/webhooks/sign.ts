/**
 * Signatures by Standard Webhooks (standardwebhooks.com): HMAC-SHA-256 over id, time and body, in base64. With two
 * secrets there are two signatures; a receiver accepts either.
 */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export const newSecret = () => prefix + randomBytes(32).toString('base64')

export function signed(
  secrets: readonly string[],
  id: string,
  body: string,
  seconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}
