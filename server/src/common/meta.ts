/** `meta` of an object: facts the system knows, then what the sender put there. */
import type { Infer, Item, Meta } from '@kontor/contract'

type ItemValue = Infer<typeof Item>
type MetaValue = Infer<typeof Meta>

export function toMeta(facts: Readonly<Record<string, string>>, sent: readonly ItemValue[] = []): MetaValue {
  return { itm: [...Object.entries(facts).map(([key, value]) => ({ value, key })), ...sent] }
}

/** Stored items with those sent put over them, by key and locale; one without text is removed. System keys are ignored. */
export function mergeMeta(
  stored: readonly ItemValue[],
  sent: MetaValue | undefined,
  systemKeys: ReadonlySet<string>,
): ItemValue[] {
  const identity = ({ key = '', loc = '' }: ItemValue) => `${key}\n${loc}`
  const items = new Map(stored.map((item) => [identity(item), item]))
  for (const item of sent?.itm ?? []) {
    if (item.key === undefined || systemKeys.has(item.key)) continue
    if (item.value === undefined) items.delete(identity(item))
    else items.set(identity(item), item)
  }
  return [...items.values()]
}

/** The text of a meta item, by key. */
export const metaText = (meta: MetaValue | undefined, key: string) => meta?.itm?.find((item) => item.key === key)?.value
