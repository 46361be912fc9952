/**
 * Reads compact JSON. Each object is unfolded just before it is validated, so that faults have the same path as in the
 * other formats, and nothing is unfolded beyond the depth limit.
 */
import type { Type } from '../schema/describe.ts'
import {
  content,
  isItem,
  isListPerLocale,
  isLocale,
  isTexts,
  isValue,
  isValues,
  listIn,
  namesOf,
  typeByForm,
} from './compact.ts'
import { readerOf } from './from-json.ts'
import { nameAsSent } from './inspection.ts'
import { isObject, shapesOf, type JsonObject, type Unfold } from './validate.ts'

export const compactReader = readerOf({
  shapeOf: shapesOf({ object: unfoldObject, list: (type) => (isItem(type) ? unfoldItems : undefined) }),
  foldsToList: (type) => listIn(type)?.ofItems === false,
})

function unfoldObject(type: Type): Unfold | undefined {
  if (isValues(type)) return unfoldValues(type)
  if (isValue(type)) return unfoldValue
  const list = listIn(type)
  if (!list) return undefined
  if (!list.ofItems) return (folded) => (Array.isArray(folded) ? { [list.name]: folded } : folded)
  const names = namesOf(type)
  return (folded) => {
    const isFolded = isObject(folded) ? isMap(folded, names) : folded !== null
    return isFolded ? { [list.name]: folded } : folded
  }
}

/** Whether the object is a map, not an object of the type: none of its keys is the name of a field. */
function isMap(folded: JsonObject, names: ReadonlySet<string>): boolean {
  let count = 0
  for (const key in folded) {
    if (names.has(key)) return false
    count++
  }
  return count > 0
}

function unfoldItems(folded: unknown): unknown {
  if (Array.isArray(folded)) return isTexts(folded) ? folded.map((value, pos) => ({ value, pos })) : folded
  if (!isObject(folded)) return folded === null ? folded : [{ value: folded }]
  const keys = Object.keys(folded)
  if (keys.every(isLocale)) return keys.map((loc) => ({ value: folded[loc], loc }))
  return keys.map((key) => ({ value: folded[key], key }))
}

// Attribute values

function unfoldValues(type: Type): Unfold {
  const { name: list } = listIn(type)!
  const names = namesOf(type)
  const valueNames = namesOf(type.fields[list]!.type!()).add(content)
  return (folded, at) => {
    if (Array.isArray(folded)) return { [list]: folded }
    if (!isObject(folded) || !isMap(folded, names)) return folded
    const vals = Object.keys(folded).map((attr, i) => {
      const entry = folded[attr]
      if (!isObject(entry) || isMap(entry, valueNames)) return unfoldEntry(attr, entry)
      if (entry.attr !== undefined && entry.attr !== attr)
        at.fault(`${list}[${i + 1}]/@attr`, `this field is given twice, once as ${nameAsSent(attr)}`)
      return { ...entry, attr }
    })
    return { [list]: vals }
  }
}

function unfoldEntry(attr: string, entry: unknown): JsonObject {
  const type = typeByForm(entry)
  return unfoldContent(type === undefined ? { attr } : { attr, type }, entry)
}

function unfoldValue(folded: unknown): unknown {
  if (!isObject(folded) || !Object.hasOwn(folded, content) || 'itm' in folded || 'i18N' in folded) return folded
  const { [content]: items, ...others } = folded
  return unfoldContent(others, items)
}

function unfoldContent(val: JsonObject, items: unknown): JsonObject {
  if (isObject(items) && isListPerLocale(items)) val.i18N = Object.entries(items).map(([loc, itm]) => ({ loc, itm }))
  else val.itm = items
  return val
}
