/** Reads and writes the building blocks of messages: facts in `meta`, names by locale. */
import type { Infer, Item, Meta, Name } from '@kontor/contract'

type Itm = Infer<typeof Item>

/** One fact of an object's meta. */
export const fact = (object: { meta?: Infer<typeof Meta> | undefined }, key: string): string | undefined =>
  object.meta?.itm?.find((item) => item.key === key)?.value

export const toItems = (facts: Readonly<Record<string, string>>): Itm[] =>
  Object.entries(facts).map(([key, value]) => ({ key, value }))

/** The name in a locale, else in a locale of the same language, else the technical name, else any. */
export function nameIn(name: Infer<typeof Name> | undefined, locale: string): string {
  const items = name?.itm ?? []
  const by = (test: (item: Itm) => boolean) => items.find((item) => item.value && test(item))?.value
  return (
    by(({ loc }) => loc === locale) ??
    by(({ loc }) => loc?.slice(0, 2) === locale.slice(0, 2)) ??
    by(({ loc }) => loc === undefined) ??
    items[0]?.value ??
    ''
  )
}

/** The technical name: the item without a locale. */
export const technicalName = (name: Infer<typeof Name> | undefined) =>
  name?.itm?.find(({ loc }) => loc === undefined)?.value

/** The text of one locale alone; without a locale, the technical name. */
export const valueIn = (name: Infer<typeof Name> | undefined, locale: string | undefined): string =>
  name?.itm?.find(({ loc }) => loc === locale)?.value ?? ''

/** A name with the text of one locale set. An empty text stays in it, so that the message can say that it is removed. */
export function withValue(
  name: Infer<typeof Name> | undefined,
  locale: string | undefined,
  value: string,
): { itm: Itm[] } {
  const item = { value, ...(locale !== undefined && { loc: locale }) }
  const items = name?.itm ?? []
  const at = items.findIndex(({ loc }) => loc === locale)
  return { itm: at < 0 ? [...items, item] : items.with(at, item) }
}

/** A name to be stored, without spaces around its texts. An item without text removes the text of its locale. */
export const trimmedName = (name: Infer<typeof Name>): { itm: Itm[] } => ({
  itm: (name.itm ?? []).map(({ value = '', loc }) => ({
    ...(value.trim() && { value: value.trim() }),
    ...(loc && { loc }),
  })),
})
