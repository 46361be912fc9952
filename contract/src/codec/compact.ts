/**
 * Compact JSON: the JSON form with everything folded that can be unfolded again without loss. The rules, in order:
 *
 *   what                                                    written as
 *   a container of nothing but its list                     [ … ]
 *   items that are a key and a text each                    {"a": "1", "b": "2"}
 *   items that are a locale and a text each                 {"en_GB": "Boat", "de_DE": "Boot"}
 *   items that are a position and a text each, 0 to n-1     ["red", "blue"]
 *   one item that is only a text                            "48"
 *   any other items                                         [{"key": "a", "loc": "en_GB", "value": "1"}, …]
 *   an object of nothing but its items                      the items, folded as above
 *   attribute values that are told apart by their attr      {"width": "48", "colors": ["red"], "brand": {"acme": "Acme"}}
 *   such a value when its type follows from its form        the items; for multi_loc {"en_GB": ["sea"]}
 *   such a value otherwise                                  {"type": …, "dataType": …, "value": the items}
 *
 * A map is told from an object by its keys: none of them is the name of a field. Where a key is one, or where the order of
 * keys would not survive (JavaScript sorts those that look like integers), the list is not folded. So the JSON form can
 * stand anywhere in a compact message. An item without text is folded as "".
 */
import type { Type } from '../schema/describe.ts'

/** The list by which an object can be replaced when nothing else of it is set. */
export function listIn(type: Type): { name: string; ofItems: boolean } | undefined {
  const lists = Object.entries(type.fields).filter(([, field]) => field.kind === 'children')
  const ofItems = lists.filter(([, field]) => isItem(field.type!()))
  const [only, other] = ofItems.length > 0 ? ofItems : lists
  return only && !other ? { name: only[0], ofItems: ofItems.length > 0 } : undefined
}

export const isItem = (type: Type) => type.name === 'itm'
export const isValue = (type: Type) => type.name === 'val'
/** The container of attribute values, which is folded by their attr. */
export const isValues = (type: Type) => type.name === 'vals'

/** Every name that a field of the type can have. */
export function namesOf(type: Type): Set<string> {
  return new Set(Object.entries(type.fields).flatMap(([name, field]) => [name, ...(field.aliases ?? [])]))
}

/** The property that holds the folded items of an attribute value. */
export const content = 'value'

const locale = /^[a-z]{2,3}_[A-Z]{2,3}$/
export const isLocale = (key: string) => key.length >= 5 && key.length <= 7 && locale.test(key)

/** The type of an attribute value that goes without saying. */
export function typeByForm(folded: unknown): string | undefined {
  if (Array.isArray(folded)) return isTexts(folded) ? 'multiple' : undefined
  if (typeof folded !== 'object' || folded === null) return undefined
  if (!Object.keys(folded).every(isLocale)) return 'domain'
  return isListPerLocale(folded) ? 'multi_loc' : 'localized'
}

export const isTexts = (list: readonly unknown[]) => list.length > 0 && list.every((entry) => typeof entry === 'string')

export const isListPerLocale = (folded: object) =>
  Object.keys(folded).every(isLocale) && Object.values(folded).every(Array.isArray)
