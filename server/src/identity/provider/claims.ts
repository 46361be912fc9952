/** Roles and groups in the claims of an external provider's tokens. */
import type { JWTPayload } from 'jose'

/** Reads texts from claims. */
type TextsIn = (claims: JWTPayload) => string[]

/**
 * Returns a reader of the texts at these paths: `realm_access.roles, groups` are two paths, of two names and of one. A dot
 * that belongs to a name is written as `\.`. A single text is a list of one; everything else is ignored.
 */
export function textsAt(paths: string): TextsIn {
  const parsed = paths.split(',').map((path) => path.trim().split(/(?<!\\)\./))
  const names = parsed.map((path) => path.map((name) => name.replaceAll('\\.', '.')))
  return (claims) => {
    const found = names.flatMap((path) => path.reduce<unknown>(ownValue, claims))
    return [...new Set(found.filter((value) => typeof value === 'string'))]
  }
}

const ownValue = (part: unknown, name: string): unknown =>
  typeof part === 'object' && part !== null && Object.hasOwn(part, name)
    ? (part as Record<string, unknown>)[name]
    : undefined

/** Keycloak writes a group as its path (/shop/editors) or as its name (editors); our names have no leading slash. */
export const groupName = (text: string) => text.replace(/^\//, '')
