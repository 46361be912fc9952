/**
 * Codes of authenticator apps: time-based one-time passwords (RFC 6238) with the parameters that all apps support: SHA-1,
 * six digits, thirty seconds.
 */
import { createHmac } from 'node:crypto'

const period = 30
const digits = 6
/** The number of periods before and after the current one that are accepted, because the clocks of phones differ. */
const tolerance = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding, for users who type the secret instead of scanning it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The number of the period that contains the given time. */
export const stepAt = (millis: number) => Math.floor(millis / 1000 / period)

export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The period of the code; undefined if the code belongs to no accepted period. */
export function stepOf(secret: Uint8Array, code: string, now = Date.now()): number | undefined {
  const steps = Array.from({ length: 2 * tolerance + 1 }, (_, i) => stepAt(now) - tolerance + i)
  return steps.find((step) => codeAt(secret, step) === code)
}

/** The address that the app reads from a QR code. */
export function otpauthUri(secret: Uint8Array, issuer: string, name: string): string {
  const label = [issuer, name].map(encodeURIComponent).join(':')
  return `otpauth://totp/${label}?${new URLSearchParams({ secret: toBase32(secret), issuer, digits: String(digits), period: String(period) })}`
}
