/**
 * Codes of authenticator apps: time-based one-time passwords (RFC 6238) with what every app takes for granted, SHA-1,
 * six digits, thirty seconds.
 */
import { createHmac } from 'node:crypto'

const period = 30
const digits = 6
/** Clocks of telephones are a little off: one period before and after counts too. */
const tolerance = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding: what people type when they cannot scan. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The period a moment falls into. */
export const stepAt = (millis: number) => Math.floor(millis / 1000 / period)

export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The period whose code this is, as of now; undefined when it is of none that counts. */
export function stepOf(secret: Uint8Array, code: string, now = Date.now()): number | undefined {
  const steps = Array.from({ length: 2 * tolerance + 1 }, (_, i) => stepAt(now) - tolerance + i)
  return steps.find((step) => codeAt(secret, step) === code)
}

/** What the app scans. */
export function otpauthUri(secret: Uint8Array, issuer: string, name: string): string {
  const label = [issuer, name].map(encodeURIComponent).join(':')
  return `otpauth://totp/${label}?${new URLSearchParams({ secret: toBase32(secret), issuer, digits: String(digits), period: String(period) })}`
}
