/**
 * Compact JSON to values. Each object is unfolded just before it is judged, so that a fault has the same path as in the
 * other formats, and so that nothing is unfolded deeper than is allowed.
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
import { isObject, shapesOf, type JsonObject, type Open } from './validate.ts'

export const compactReader = readerOf({
  shapeOf: shapesOf({ object: openObject, list: (type) => (isItem(type) ? openItems : undefined) }),
  foldsToList: (type) => listIn(type)?.ofItems === false,
})

function openObject(type: Type): Open | undefined {
  if (isValues(type)) return openValues(type)
  if (isValue(type)) return openValue
  const list = listIn(type)
  if (!list) return undefined
  if (!list.ofItems) return (folded) => (Array.isArray(folded) ? { [list.name]: folded } : folded)
  const names = namesOf(type)
  return (folded) => {
    const isFolded = isObject(folded) ? isMap(folded, names) : folded !== null
    return isFolded ? { [list.name]: folded } : folded
  }
}

/** An object that is not one of this type. With a name of a field among its keys it is one, if perhaps a wrong one. */
function isMap(folded: JsonObject, names: ReadonlySet<string>): boolean {
  let count = 0
  for (const key in folded) {
    if (names.has(key)) return false
    count++
  }
  return count > 0
}

function openItems(folded: unknown): unknown {
  if (Array.isArray(folded)) return isTexts(folded) ? folded.map((value, pos) => ({ value, pos })) : folded
  if (!isObject(folded)) return folded === null ? folded : [{ value: folded }]
  const keys = Object.keys(folded)
  if (keys.every(isLocale)) return keys.map((loc) => ({ value: folded[loc], loc }))
  return keys.map((key) => ({ value: folded[key], key }))
}

// Attribute values

function openValues(type: Type): Open {
  const { name: list } = listIn(type)!
  const names = namesOf(type)
  const valueNames = namesOf(type.fields[list]!.type!()).add(content)
  return (folded, at) => {
    if (Array.isArray(folded)) return { [list]: folded }
    if (!isObject(folded) || !isMap(folded, names)) return folded
    const vals = Object.keys(folded).map((attr, i) => {
      const entry = folded[attr]
      if (!isObject(entry) || isMap(entry, valueNames)) return openEntry(attr, entry)
      if (entry.attr !== undefined && entry.attr !== attr)
        at.fault(`${list}[${i + 1}]/@attr`, `this field is given twice, once as ${nameAsSent(attr)}`)
      return { ...entry, attr }
    })
    return { [list]: vals }
  }
}

function openEntry(attr: string, entry: unknown): JsonObject {
  const type = typeByForm(entry)
  return openContent(type === undefined ? { attr } : { attr, type }, entry)
}

function openValue(folded: unknown): unknown {
  if (!isObject(folded) || !Object.hasOwn(folded, content) || 'itm' in folded || 'i18N' in folded) return folded
  const { [content]: items, ...others } = folded
  return openContent(others, items)
}

function openContent(val: JsonObject, items: unknown): JsonObject {
  if (isObject(items) && isListPerLocale(items)) val.i18N = Object.entries(items).map(([loc, itm]) => ({ loc, itm }))
  else val.itm = items
  return val
}
