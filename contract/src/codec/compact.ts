/**
 * Compact JSON: the JSON form with everything folded that can be unfolded without loss. The rules, in order:
 *
 *   value                                                   written as
 *   a container with only its list                          [ … ]
 *   items with only a key and a text                        {"a": "1", "b": "2"}
 *   items with only a locale and a text                     {"en_GB": "Boat", "de_DE": "Boot"}
 *   items with only a position (0 to n-1) and a text        ["red", "blue"]
 *   a single item with only a text                          "48"
 *   any other items                                         [{"key": "a", "loc": "en_GB", "value": "1"}, …]
 *   an object with only items                               the items, folded as above
 *   attribute values with distinct attr                     {"width": "48", "colors": ["red"], "brand": {"acme": "Acme"}}
 *   such a value, if its type follows from its form         the items; for multi_loc {"en_GB": ["sea"]}
 *   such a value otherwise                                  {"type": …, "dataType": …, "value": the items}
 *
 * A map differs from an object in its keys: none of them is the name of a field. If a key is such a name, or if the order
 * of keys would be lost (JavaScript sorts keys that look like integers), the list is not folded. The JSON form is
 * therefore valid everywhere in a compact message. An item without text is folded as "".
 */
import type { Type } from '../schema/describe.ts'
import { localePattern } from '../schema/words.ts'

/** The list that can replace an object whose other fields are all absent, if none of these is required. */
export function listIn(type: Type): { name: string; ofItems: boolean } | undefined {
  const fields = Object.entries(type.fields)
  const lists = fields.filter(([, field]) => field.kind === 'children')
  if (fields.some(([, field]) => field.required && field.kind !== 'children')) return undefined
  const ofItems = lists.filter(([, field]) => isItem(field.type!()))
  const [only, other] = ofItems.length > 0 ? ofItems : lists
  return only && !other ? { name: only[0], ofItems: ofItems.length > 0 } : undefined
}

export const isItem = (type: Type) => type.name === 'itm'
export const isValue = (type: Type) => type.name === 'val'
/** The container of attribute values, which is folded to a map by attr. */
export const isValues = (type: Type) => type.name === 'vals'

/** All names and aliases of the fields of a type. */
export function namesOf(type: Type): Set<string> {
  return new Set(Object.entries(type.fields).flatMap(([name, field]) => [name, ...(field.aliases ?? [])]))
}

/** The property that holds the folded items of an attribute value. */
export const content = 'value'

const locale = new RegExp(localePattern)
export const isLocale = (key: string) => key.length >= 5 && key.length <= 7 && locale.test(key)

/** The type of an attribute value that follows from its folded form. */
export function typeByForm(folded: unknown): string | undefined {
  if (Array.isArray(folded)) return isTexts(folded) ? 'multiple' : undefined
  if (typeof folded !== 'object' || folded === null) return undefined
  if (!Object.keys(folded).every(isLocale)) return 'domain'
  return isListPerLocale(folded) ? 'multi_loc' : 'localized'
}

export const isTexts = (list: readonly unknown[]) => list.length > 0 && list.every((entry) => typeof entry === 'string')

export const isListPerLocale = (folded: object) =>
  Object.keys(folded).every(isLocale) && Object.values(folded).every(Array.isArray)
