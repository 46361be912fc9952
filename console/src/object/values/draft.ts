/**
 * Values as they are edited: texts by attribute and locale, and only what differs from what is stored is sent.
 *
 * The texts of a value are a list, of one where there is one, of none where there is none; of a table's column, a text per
 * row. The locale of what is not localized is ''.
 */
import type { Infer, Val } from '@kontor/contract'
import type { Attribute } from './attribute.ts'

export type ValMessage = Infer<typeof Val>
/** `sizes/width` for a column, else the attribute alone. */
export type ValueKey = string
export const columnKey = (table: string, column: string): ValueKey => `${table}/${column}`
export const keyOfVal = ({ attr = '', parent }: ValMessage): ValueKey => (parent ? columnKey(parent, attr) : attr)

export type Texts = readonly string[]

/** What a val says in a locale; domain values by their key. */
export function textsOf(val: ValMessage | undefined, locale: string): Texts {
  if (!val) return []
  const group = val.i18N?.find(({ loc }) => loc === locale)?.itm
  const items = group ?? (val.itm ?? []).filter(({ loc }) => (loc ?? '') === locale)
  const texts: string[] = []
  items.forEach(({ key, value, pos }, index) => (texts[Number(pos ?? index)] = key ?? value ?? ''))
  return Array.from(texts, (text) => text ?? '')
}

/** What people see of it: labels instead of keys. */
export function shownOf(val: ValMessage | undefined, locale: string): string {
  if (!val) return ''
  const group = val.i18N?.find(({ loc }) => loc === locale)?.itm
  const items = group ?? (val.itm ?? []).filter(({ loc }) => loc === undefined || loc === locale)
  return items.map(({ key, value }) => value ?? key ?? '').join(', ')
}

/** The message that stores texts; without any it removes them. `parent` is the table of a column. */
export function toVal(
  attribute: Pick<Attribute, 'key' | 'localized' | 'multiple'>,
  byLocale: ReadonlyMap<string, Texts>,
  parent?: string,
): ValMessage {
  const isList = attribute.multiple || parent !== undefined
  const head = { attr: attribute.key, ...(parent !== undefined && { parent }) }
  if (!attribute.localized) {
    const itm = listOf(byLocale.get('') ?? [], isList)
    return itm.length > 0 ? { ...head, itm } : head
  }
  if (isList) {
    const i18N = [...byLocale].map(([loc, texts]) => ({ loc, itm: listOf(texts, true) }))
    return { ...head, i18N: i18N.map(({ loc, itm }) => (itm.length > 0 ? { loc, itm } : { loc })) }
  }
  return { ...head, itm: [...byLocale].map(([loc, [value]]) => (value ? { value, loc } : { loc })) }
}

const listOf = (texts: Texts, isList: boolean) =>
  texts.flatMap((value, pos) => (value === '' ? [] : [isList ? { value, pos } : { value }]))

/** What was changed and not stored yet: texts by key and locale. */
export type Changes = ReadonlyMap<ValueKey, ReadonlyMap<string, Texts>>
export const noChanges: Changes = new Map()

/** Puts texts over what is stored; texts that equal the stored ones are no change. */
export function change(changes: Changes, key: ValueKey, locale: string, texts: Texts, stored: Texts): Changes {
  const ofKey = new Map(changes.get(key))
  if (sameTexts(texts, stored)) ofKey.delete(locale)
  else ofKey.set(locale, texts)
  const next = new Map(changes)
  if (ofKey.size === 0) next.delete(key)
  else next.set(key, ofKey)
  return next
}

const sameTexts = (a: Texts, b: Texts) => trimmed(a).join('\0') === trimmed(b).join('\0')
/** Empty texts at the end mean nothing. */
function trimmed(texts: Texts): Texts {
  let end = texts.length
  while (end > 0 && !texts[end - 1]) end--
  return texts.slice(0, end)
}

export function toVals(
  changes: Changes,
  attributeOf: (key: string) => Pick<Attribute, 'key' | 'localized' | 'multiple'> | undefined,
): ValMessage[] {
  return [...changes].flatMap(([key, byLocale]) => {
    const [table, column] = key.split('/') as [string, string?]
    const attribute = attributeOf(column ?? table)
    return attribute ? [toVal(attribute, byLocale, column === undefined ? undefined : table)] : []
  })
}
