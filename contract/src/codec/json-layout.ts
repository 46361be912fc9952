/**
 * The layout of JSON output, plain or compact. A value already has the JSON form; the layout orders its fields (child
 * elements before attributes) and leaves out empty ones.
 */
import type { Field, Type } from '../schema/describe.ts'
import type { JsonObject } from './validate.ts'

/** Converts a value to the JSON value that is written for it. */
export type Arrange = (value: any) => unknown

/** Converts a value to its JSON text. */
export type Print = (value: any) => string

export interface Layout {
  /** The text of a streamed item. */
  readonly item: (type: Type) => Print
  /** An object of this type as the value of a field, possibly folded. */
  readonly value: (type: Type) => Arrange
  /** An object of this type as an object, field by field. */
  readonly fields: (type: Type) => (value: JsonObject) => JsonObject
  /** Whether an object of this type is written as its list if its other fields are absent. */
  readonly foldsToList: (type: Type) => boolean
}

/** Caches one result per type. */
export function perType<T>(make: (type: Type) => T): (type: Type) => T {
  const made = new WeakMap<Type, T & object>()
  return (type) => {
    let one = made.get(type)
    if (!one) made.set(type, (one = make(type) as T & object))
    return one
  }
}

/** Applies `arrange` to all items. Returns the same list if no item changes. */
export const each =
  (arrange: Arrange): Arrange =>
  (values: unknown[]) => {
    for (let i = 0; i < values.length; i++) {
      const arranged = arrange(values[i])
      if (arranged !== values[i]) return [...values.slice(0, i), arranged, ...values.slice(i + 1).map(arrange)]
    }
    return values
  }

interface ArrangedField {
  readonly name: string
  readonly field: Field
  readonly rank: number
  readonly arrange: Arrange | undefined
}

/** Arranges the fields of a type. `arrangeField` returns how to arrange a field, or undefined to write it unchanged. */
export function arrangeFields(
  type: Type,
  arrangeField: (field: Field) => Arrange | undefined,
): (value: JsonObject) => JsonObject {
  let fields: ArrangedField[] | undefined
  let byName: Map<string, ArrangedField>
  return (value) => {
    if (fields === undefined) {
      fields = arrangedFields(type, arrangeField) // lazily, because a type can contain itself
      byName = new Map(fields.map((field) => [field.name, field]))
    }
    return arrangeInPlace(value, byName) ?? arrangeCopy(value, fields)
  }
}

/**
 * The fast path for an object whose own fields are in order and not empty, as in nearly all objects. The object is copied
 * only if a nested value changes. Returns undefined if the object itself must be rearranged.
 */
function arrangeInPlace(value: JsonObject, byName: Map<string, ArrangedField>): JsonObject | undefined {
  let arranged: JsonObject | undefined
  let last = -1
  for (const name in value) {
    const field = byName.get(name)
    const one = value[name]
    if (field === undefined || field.rank < last || !isSet(one, field.field)) return undefined
    last = field.rank
    if (field.arrange === undefined) continue
    const within = field.arrange(one)
    if (within !== one) (arranged ??= { ...value })[name] = within
  }
  return arranged ?? value
}

function arrangeCopy(value: JsonObject, fields: readonly ArrangedField[]): JsonObject {
  const arranged: JsonObject = {}
  for (const { name, field, arrange } of fields) {
    const one = value[name]
    if (isSet(one, field)) arranged[name] = arrange === undefined ? one : arrange(one)
  }
  return arranged
}

export function arrangedFields(type: Type, arrangeField: (field: Field) => Arrange | undefined): ArrangedField[] {
  const isAttribute = (kind: Field['kind']) => (kind === 'attr' ? 1 : 0)
  return Object.entries(type.fields)
    .toSorted(([, a], [, b]) => isAttribute(a.kind) - isAttribute(b.kind))
    .map(([name, field], rank) => ({ name, field, rank, arrange: arrangeField(field) }))
}

/** Whether a field is present: an empty list, unless it has a meaning, and an empty text count as absent. */
export function isSet(value: unknown, field?: Field): boolean {
  if (value === undefined) return false
  const kind = field?.kind
  if (kind === 'anything' || (field?.keepsEmpty && value !== null)) return true
  return value !== null && !(value === '' && kind === 'text') && !(Array.isArray(value) && value.length === 0)
}

// Texts

/** A whole message at once. */
export function textOf(layout: Layout): (root: Type, value: object) => string {
  return (root, value) => stringify(layout.fields(root)(value as JsonObject))
}

export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, exactly) // the value contains a bigint, which is rare
  }
}

const exactly = (_key: string, value: unknown) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value)
