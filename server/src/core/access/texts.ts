/** Texts of messages in the locales that a caller may see. */
import { type Permissions, rightsAnywhere } from './permissions.ts'

/**
 * Removes texts in hidden locales from messages about objects of a kind: items, and groups of items, that have such a `loc`.
 * Messages stay as they are for callers who may see all locales.
 */
export function visibleTexts(permissions: Permissions, kind: string): <M>(message: M) => M {
  if (!permissions.some(({ visibleLocales }) => visibleLocales)) return (message) => message
  const { locale } = rightsAnywhere(permissions, kind)
  const known = new Map<string, boolean>()
  const isHidden = (part: unknown) => {
    const loc = typeof part === 'object' && part !== null && 'loc' in part ? part.loc : undefined
    if (typeof loc !== 'string' || loc === '') return false
    if (!known.has(loc)) known.set(loc, !locale(loc).visible)
    return known.get(loc)!
  }
  const filtered = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.filter((one) => !isHidden(one)).map(filtered)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, filtered(value)]))
  }
  return <M>(message: M) => filtered(message) as M
}
