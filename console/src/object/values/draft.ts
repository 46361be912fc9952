/**
 * Values as they are edited: texts by attribute and locale. Only texts that differ from the stored ones are sent.
 *
 * The texts of a value are always a list: empty without a value, with one text for a single value, and with a text per row
 * for a column of a table. Values that are not localized have the locale ''.
 */
import type { Infer, Val } from '@kontor/contract'
import type { Attribute } from './attribute.ts'

export type ValMessage = Infer<typeof Val>
/** `sizes/width` for a column of a table, else the key of the attribute. */
type ValueKey = string
export const columnKey = (table: string, column: string): ValueKey => `${table}/${column}`
export const keyOfVal = ({ attr = '', parent }: ValMessage): ValueKey => (parent ? columnKey(parent, attr) : attr)

export type Texts = readonly string[]

/** The texts of a value in a locale; domain values by their key. */
export function textsOf(val: ValMessage | undefined, locale: string): Texts {
  if (!val) return []
  const group = val.i18N?.find(({ loc }) => loc === locale)?.itm
  const items = group ?? (val.itm ?? []).filter(({ loc }) => (loc ?? '') === locale)
  const texts: string[] = []
  items.forEach(({ key, value, pos }, index) => (texts[Number(pos ?? index)] = key ?? value ?? ''))
  return Array.from(texts, (text) => text ?? '')
}

/** The text that people read: labels instead of keys. */
export function displayTextOf(val: ValMessage | undefined, locale: string): string {
  if (!val) return ''
  const group = val.i18N?.find(({ loc }) => loc === locale)?.itm
  const items = group ?? (val.itm ?? []).filter(({ loc }) => loc === undefined || loc === locale)
  return items.map(({ key, value }) => value ?? key ?? '').join(', ')
}

/** The message that stores texts; without texts it removes the value. `parent` is the table of a column. */
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

/** Changes that are not stored yet: texts by key and locale. */
export type Changes = ReadonlyMap<ValueKey, ReadonlyMap<string, Texts>>

export const sameTexts = (a: Texts, b: Texts) => trimmed(a).join('\0') === trimmed(b).join('\0')
/** Without the empty texts at the end, which have no meaning. */
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
