/**
 * Attribute values as they are stored: one JSON object per product, article, asset, …, in the shortest form that the rule
 * of the attribute can read again.
 *
 *   simple    "red"          localized   {"en_GB": "red"}          of a list of domain values: their keys
 *   multiple  ["a", "b"]     multi_loc   {"en_GB": ["a", "b"]}     of a table: {"sizes/width": ["10", null, "12"]}
 *
 * Numbers, dates and booleans are texts too. A value with tags has the long form {"v": …, "tags": […]}; no locale is
 * named v.
 */
import type { Infer, Item, Val } from '@kontor/contract'

export type ItemMessage = Infer<typeof Item>
export type ValMessage = Infer<typeof Val>

/** Null is an empty row of a table. */
export type List = (string | null)[]
export type Localized = { readonly [loc: string]: string | List }
export type Plain = string | List | Localized
interface Tagged {
  readonly v: Plain
  readonly tags: readonly ItemMessage[]
}
export type StoredValue = Plain | Tagged
export type StoredValues = { readonly [key: string]: StoredValue }

export const noValues: StoredValues = {}

const isTagged = (stored: StoredValue): stored is Tagged =>
  typeof stored === 'object' && 'tags' in stored && 'v' in stored
export const plainOf = (stored: StoredValue): Plain => (isTagged(stored) ? stored.v : stored)
export const tagsOf = (stored: StoredValue | undefined) =>
  stored !== undefined && isTagged(stored) ? stored.tags : undefined
export const tagged = (v: Plain, tags: readonly ItemMessage[] | undefined): StoredValue =>
  tags?.length ? { v, tags } : v

export const isLocalized = (plain: Plain): plain is Localized => typeof plain === 'object' && !Array.isArray(plain)

export function isSame(a: StoredValue | undefined, b: StoredValue | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b
  return typeof a === 'object' && typeof b === 'object' && sameText(a) === sameText(b)
}
/** Ignores the order of locales. */
const sameText = (value: object) =>
  Array.isArray(value) ? JSON.stringify(value) : JSON.stringify(Object.entries(value).sort())

/**
 * The differences between two states, for the history: by attribute, and by locale if both states are localized. An added
 * value has no `from`, a removed one no `to`.
 */
export function valueChanges(before: StoredValues, after: StoredValues): Record<string, Change> {
  const changes: Record<string, Change> = {}
  for (const key in after) note(changes, `vals.${key}`, before[key], after[key])
  for (const key in before) if (!(key in after)) note(changes, `vals.${key}`, before[key], undefined)
  return changes
}

export interface Change {
  readonly from?: unknown
  readonly to?: unknown
}

function note(changes: Record<string, Change>, field: string, from?: StoredValue, to?: StoredValue): void {
  if (isSame(from, to)) return
  const [old, now] = [from && plainOf(from), to && plainOf(to)]
  const byLocale = [old, now].every((plain) => plain === undefined || isLocalized(plain))
  if (!byLocale) {
    changes[field] = { ...(old !== undefined && { from: old }), ...(now !== undefined && { to: now }) }
    return
  }
  for (const loc of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
    note(changes, `${field}.${loc}`, (old as Localized | undefined)?.[loc], (now as Localized | undefined)?.[loc])
  }
}
