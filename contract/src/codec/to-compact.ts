/** Writes compact JSON: folds values by the rules in compact.ts. */
import type { Field, Type } from '../schema/describe.ts'
import { content, isItem, isLocale, isValue, isValues, listIn, namesOf } from './compact.ts'
import { impliedType, ShortVal } from './short-val.ts'
import { each, isSet, type Arrange, arrangeFields, type Layout, perType, stringify, textOf } from './json-layout.ts'
import { writerOf } from './json-writer.ts'
import type { JsonObject } from './validate.ts'

const fieldsOf = perType((type) => arrangeFields(type, (field) => arrangeField(field, type)))

/** Folds an object of a type. */
const foldOf = perType((type): Arrange => {
  if (isValues(type)) return foldValues(type)
  if (isValue(type)) return foldValue(type)
  const list = listIn(type)
  return list ? foldObject(type, list.name, list.ofItems ? {} : []) : fieldsOf(type)
})

const compact: Layout = {
  item: perType((type) => (value: object) => stringify(foldOf(type)(value))),
  value: foldOf,
  fields: fieldsOf,
  foldsToList: (type) => listIn(type)?.ofItems === false,
}

export const compactWriter = writerOf(compact)
export const toCompact = textOf(compact)

function arrangeField(field: Field, owner: Type): Arrange | undefined {
  if (field.kind === 'child') return foldOf(field.type!())
  if (field.kind !== 'children') return undefined
  return isItem(field.type!()) ? foldItems(owner, fieldsOf(field.type!())) : each(foldOf(field.type!()))
}

/** An object with only its list becomes the list. */
function foldObject(type: Type, list: string, empty: unknown): Arrange {
  const arrange = fieldsOf(type)
  return (object: JsonObject) => {
    const arranged = arrange(object)
    const [first, second] = Object.keys(arranged)
    if (second !== undefined) return arranged
    return first === undefined ? empty : first === list ? arranged[list] : arranged
  }
}

// Items

type Item = Partial<Record<'value' | 'key' | 'loc', string>> & { pos?: number | bigint }

/** Folded items, and the type of an attribute value that follows from their form. */
interface Folded {
  readonly items: unknown
  readonly type: string | undefined
}
type Fold = (items: Item[], reserved: ReadonlySet<string>) => unknown

/** How to fold items, by the field that distinguishes them. A fold returns undefined if the items cannot be folded. */
// prettier-ignore
const folds = new Map<string, { type: string | undefined; fold: Fold }>([
  ['key',   { type: 'domain',    fold: (items, reserved) => (items.every(hasLocaleKey) ? undefined : mapBy('key', items, reserved)) }],
  ['loc',   { type: 'localized', fold: (items, reserved) => (items.every(hasLocale) ? mapBy('loc', items, reserved) : undefined) }],
  ['pos',   { type: 'multiple',  fold: (items) => (items.every(isAtItsPosition) ? items.map(textOfItem) : undefined) }],
  ['value', { type: undefined,   fold: (items) => (items.length === 1 ? textOfItem(items[0]!) : undefined) }],
])
const hasLocaleKey = (item: Item) => isLocale(item.key!)
const hasLocale = (item: Item) => isLocale(item.loc!)
const isAtItsPosition = (item: Item, i: number) => item.pos === i
const textOfItem = (item: Item) => item.value ?? ''

function foldItems(owner: Type, arrange: Arrange): Arrange {
  const reserved = namesOf(owner)
  return (items: Item[]) => folded(items, reserved)?.items ?? items.map(arrange)
}

function folded(items: Item[], reserved: ReadonlySet<string>): Folded | undefined {
  const found = folds.get(distinguishingField(items))
  const folded = found?.fold(items, reserved)
  return folded === undefined ? undefined : { items: folded, type: found!.type }
}

/** The only field that all items have besides their text: `value` if there is none, '' if the items differ. */
function distinguishingField(items: Item[]): string {
  let by: string | undefined
  for (const item of items) {
    let own = 'value'
    for (const key in item) {
      if (key === 'value' || item[key as keyof Item] === undefined) continue
      if (own !== 'value') return ''
      own = key
    }
    if (own !== (by ??= own)) return ''
  }
  return by!
}

function mapBy(by: 'key' | 'loc', items: Item[], reserved: ReadonlySet<string>): JsonObject | undefined {
  const map: JsonObject = {}
  for (const item of items) if (!put(map, item[by]!, textOfItem(item), reserved)) return undefined
  return map
}

/** JavaScript objects list such keys before all others. */
const looksLikeInteger = (key: string) => key.charCodeAt(0) <= 0x39 && /^[0-9]+$/.test(key)

/** Adds an entry to a map. Returns false if the map could be mistaken for an object or would lose its order. */
function put(map: JsonObject, key: string, entry: unknown, reserved: ReadonlySet<string>): boolean {
  if (reserved.has(key) || looksLikeInteger(key) || key === '__proto__' || Object.hasOwn(map, key)) return false
  map[key] = entry
  return true
}

// Attribute values

interface Localized {
  loc?: string
  itm?: Item[]
}
interface Val {
  attr?: string | undefined
  type?: string
  itm?: Item[]
  i18N?: Localized[]
}

function foldValues(type: Type): Arrange {
  const { name: list } = listIn(type)!
  const valueType = type.fields[list]!.type!()
  const reserved = namesOf(type)
  const entry = foldEntry(valueType)
  const asObject = fieldsOf(type)
  const asList = each(foldOf(valueType))
  const own = new Set([list])
  return (object: JsonObject) => {
    if (!hasOnly(object, own)) return asObject(object)
    const vals = (object[list] ?? []) as Val[]
    const map: JsonObject = {}
    for (const val of vals) if (val.attr === undefined || !put(map, val.attr, entry(val), reserved)) return asList(vals)
    return vals.length === 0 ? [] : map
  }
}

const shortFields = new Set(['attr', 'type', 'itm', 'i18N'])

/** Folds an attribute value in a map, with its attr as the key. */
function foldEntry(type: Type): Arrange {
  const contentOf = foldContent(type)
  const inFull = foldInFull(type)
  return (entry: Val) => {
    if (entry instanceof ShortVal && isFolded(entry)) return entry.value
    const val = inLong(entry)
    const folded = contentOf(val)
    const isShort = folded !== undefined && val.type === folded.type && hasOnly(val, shortFields)
    return isShort ? folded.items : inFull({ ...val, attr: undefined }, folded)
  }
}

/** Whether the short form of a value is also its folded form. */
function isFolded({ value, type, parent, dataType }: ShortVal): boolean {
  if (type !== impliedType(value) || parent !== undefined || dataType !== undefined) return false
  return type !== 'localized' || Object.keys(value).every(isLocale)
}

const inLong = (val: Val): Val => (val instanceof ShortVal ? val.inLong() : val)

function foldValue(type: Type): Arrange {
  const contentOf = foldContent(type)
  const inFull = foldInFull(type)
  return (val: Val) => inFull(inLong(val), contentOf(val))
}

function foldInFull(type: Type): (val: Val, folded: Folded | undefined) => JsonObject {
  const arrange = fieldsOf(type)
  return (val, folded) =>
    folded ? { ...arrange({ ...val, itm: undefined, i18N: undefined }), [content]: folded.items } : arrange({ ...val })
}

/** Folds the items of an attribute value, if possible. */
function foldContent(type: Type): (val: Val) => Folded | undefined {
  const reserved = namesOf(type).add(content)
  return ({ itm = [], i18N = [] }) => {
    if (itm.length > 0) return i18N.length > 0 ? undefined : folded(itm, reserved)
    return i18N.length > 0 ? foldLocales(i18N, reserved) : undefined
  }
}

const localizedFields = new Set(['loc', 'itm'])

function foldLocales(lists: Localized[], reserved: ReadonlySet<string>): Folded | undefined {
  const map: JsonObject = {}
  for (const list of lists) {
    const { loc = '', itm = [] } = list
    if (!isLocale(loc) || !hasOnly(list, localizedFields)) return undefined
    const texts = itm.length > 0 ? folded(itm, reserved) : { items: [], type: 'multiple' }
    if (texts?.type !== 'multiple' || !put(map, loc, texts.items, reserved)) return undefined
  }
  return { items: map, type: 'multi_loc' }
}

function hasOnly(object: object, names: ReadonlySet<string>): boolean {
  for (const name in object) if (!names.has(name) && isSet((object as JsonObject)[name])) return false
  return true
}
