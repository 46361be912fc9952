/**
 * Content of a message besides an object's own fields: `meta`, with the system's facts and the senders' items, and
 * `vals`.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Infer, Item, Meta, Vals } from '@kontor/contract'
import type { Rights } from '../core/access/permissions.ts'
import { Problem } from '../errors.ts'

export type ItemValue = Infer<typeof Item>
type MetaValue = Infer<typeof Meta>

/** Facts, and the items of senders except those in locales that the caller may not see. */
export function toMeta(
  facts: Readonly<Record<string, string>>,
  sent: readonly ItemValue[] = [],
  rights?: Pick<Rights, 'locale'>,
): MetaValue {
  const visible = sent.filter(({ loc }) => !loc || !rights || rights.locale(loc).visible)
  return { itm: [...Object.entries(facts).map(([key, value]) => ({ value, key })), ...visible] }
}

/** The creator and the last editor of an object, with the dates. */
export interface Stamps {
  createdAt: Date
  createdBy: string
  modifiedAt: Date
  modifiedBy: string
}
export const stampsOf = ({ createdAt, createdBy, modifiedAt, modifiedBy }: Stamps) => ({
  creationDate: createdAt.toISOString(),
  creationUser: createdBy,
  modificationDate: modifiedAt.toISOString(),
  modificationUser: modifiedBy,
})
export const stampKeys = ['creationDate', 'creationUser', 'modificationDate', 'modificationUser'] as const

/**
 * Merges sent items into stored ones by key, locale and position; an item without text removes the stored one. System
 * keys, which clients send back from a retrieve, are ignored. An item equal to the stored one keeps the stored one, so
 * that a different order of properties is not a change. Other items in locales that the caller may not edit are refused.
 */
export function mergeMeta(
  stored: readonly ItemValue[],
  sent: MetaValue | undefined,
  systemKeys: ReadonlySet<string>,
  rights?: Pick<Rights, 'locale'>,
): ItemValue[] {
  const identity = ({ key, loc, pos }: ItemValue) => JSON.stringify([key, loc, String(pos ?? '')])
  const items = new Map(stored.map((item) => [identity(item), item]))
  for (const item of sent?.itm ?? []) {
    if (item.key === undefined || systemKeys.has(item.key)) continue
    if (typeof item.pos === 'bigint') throw new Problem('invalid', `meta ${item.key}: ${item.pos} is not a position`)
    const right = item.loc === undefined ? undefined : rights?.locale(item.loc)
    const isKept = isDeepStrictEqual(items.get(identity(item)), item)
    if (right && !right.editable && !(right.visible && isKept)) {
      throw new Problem('forbidden', `meta ${item.key}: your roles do not allow to change texts in ${item.loc}`)
    }
    if (item.value === undefined) items.delete(identity(item))
    else if (!isKept) items.set(identity(item), item)
  }
  return [...items.values()]
}

/** The text of a meta item, by key. */
export const metaText = (meta: MetaValue | undefined, key: string) => meta?.itm?.find((item) => item.key === key)?.value

/** Attribute values. Objects of this area have no registered attributes. */
export function refuseValues(what: string, vals: Infer<typeof Vals> | undefined): void {
  const first = vals?.val?.[0]
  if (first) throw new Problem('invalid', `vals: the attribute ${first.attr ?? ''} is not registered for ${what}`)
}

/** An id that arrived as text. No object has an id of 16 digits or more. */
export function toId(where: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Problem('invalid', `${where}: ${text} is not an id`)
  if (text.length > 15) throw new Problem('notFound', `${where}: no object has the id ${text}`)
  return Number(text)
}
