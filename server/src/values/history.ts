/**
 * The part of an object's history that a caller may see.
 *
 *   place     an object that was elsewhere was seen by others then: what was changed there is hidden, and so is the place
 *   values    of hidden attributes and in hidden locales; meta items in hidden locales
 *   others    linked objects, and the original of a copy, that the caller may not read
 *
 * A change that is hidden leaves its entry: that something was done, by whom and when.
 */
import type { Rights } from '../core/access/permissions.ts'

export type Changes = Readonly<Record<string, unknown>>
interface Sides {
  readonly from?: unknown
  readonly to?: unknown
}

interface HistoryView {
  /** The field with the place of the object: `node` of a product, `path` of an asset. */
  readonly place: string
  mayRead(place: string): boolean
  /** Undefined when the caller may see everything. */
  readonly rights: Rights | undefined
  /** Whether there is an attribute with this key. */
  isAttribute(key: string): boolean
  /** Whether the caller may read the other objects that a change names. */
  mayReadOthers(field: string, change: unknown): boolean
}

/** The changes of each entry. `entries` are all up to the oldest that is asked for, newest first; `now` is the place after them. */
export function visibleHistory(entries: readonly { readonly changes: Changes }[], now: string, view: HistoryView) {
  let after = now
  return entries.map(({ changes }): Changes => {
    const moved = sidesOf(changes[view.place])
    const before = typeof moved?.from === 'string' ? moved.from : after
    const [sawBefore, sawAfter] = [view.mayRead(before), view.mayRead(after)]
    after = before
    return Object.fromEntries(
      Object.entries(changes).flatMap(([field, change]) => {
        if (!isVisibleField(field, view) || !view.mayReadOthers(field, change)) return []
        const sides = sidesOf(change)
        if (!sides) return sawAfter ? [[field, change]] : []
        const { from, to, ...rest } = sides
        const seen = {
          ...rest,
          ...(sawBefore && from !== undefined && { from: visibleItems(from, view) }),
          ...(sawAfter && to !== undefined && { to: visibleItems(to, view) }),
        }
        return seen.from === undefined && seen.to === undefined ? [] : [[field, seen]]
      }),
    )
  })
}

/** A field before and after. Some fields have only a value: the path of a copy. */
function sidesOf(change: unknown): Sides | undefined {
  return typeof change === 'object' && change !== null && ('from' in change || 'to' in change) ? change : undefined
}

/** Meta items without those in hidden locales; anything else as it is. */
function visibleItems(value: unknown, { rights }: HistoryView): unknown {
  if (!rights || !Array.isArray(value)) return value
  return value.filter(({ loc }: { loc?: string }) => !loc || rights.locale(loc).visible)
}

const localeAtEnd = /^(.+)\.([a-z]{2,3}_[A-Z]{2,3})$/

/**
 * The attribute of a field, and its locale: `vals.title.de_DE`, or `vals.sizes/width` for a column of a table. Tids may have dots, so a field can be read as an
 * attribute or as one in a locale; those that make sense are returned. None for a field that is not a value.
 */
export function readingsOf(field: string, isAttribute: (key: string) => boolean): readonly Reading[] {
  if (!field.startsWith('vals.')) return []
  const key = field.slice('vals.'.length)
  const [, attribute, locale] = localeAtEnd.exec(key) ?? []
  const readings: Reading[] = [[key], ...(attribute === undefined ? [] : [[attribute, locale] as Reading])]
  const known = readings.filter(([one]) => isAttribute(one))
  return known.length > 0 ? known : readings
}
export type Reading = readonly [attribute: string, locale?: string | undefined]

/** It must be visible in every way in which it can be read. */
const isVisibleField = (field: string, { rights, isAttribute }: Pick<HistoryView, 'rights' | 'isAttribute'>) =>
  !rights || readingsOf(field, isAttribute).every((reading) => rights.attribute(...reading).visible)
