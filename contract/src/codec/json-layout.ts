/**
 * How JSON is laid out, plain or compact: a value already has the JSON form; it only has to be put in order (child elements
 * first, attributes after them), and what is empty left out.
 */
import type { Field, Type } from '../schema/describe.ts'
import type { JsonObject } from './validate.ts'

/** Makes of a value what is written for it. */
export type Lay = (value: any) => unknown

/** Makes the text of a value. */
export type Print = (value: any) => string

export interface Layout {
  /** The text of an item that comes by itself. */
  readonly item: (type: Type) => Print
  /** An object of this type where it stands, which may be something shorter than an object. */
  readonly value: (type: Type) => Lay
  /** An object of this type as an object, field by field. */
  readonly fields: (type: Type) => (value: JsonObject) => JsonObject
  /** Whether an object of this type is written as the list in it when nothing else is set. */
  readonly foldsToList: (type: Type) => boolean
}

/** Makes something for every type, once. */
export function perType<T>(make: (type: Type) => T): (type: Type) => T {
  const made = new WeakMap<Type, T & object>()
  return (type) => {
    let one = made.get(type)
    if (!one) made.set(type, (one = make(type) as T & object))
    return one
  }
}

/** A list whose items all stay as they are stays as it is. */
export const each =
  (lay: Lay): Lay =>
  (values: unknown[]) => {
    for (let i = 0; i < values.length; i++) {
      const laid = lay(values[i])
      if (laid !== values[i]) return [...values.slice(0, i), laid, ...values.slice(i + 1).map(lay)]
    }
    return values
  }

interface LaidField {
  readonly name: string
  readonly kind: Field['kind']
  readonly rank: number
  readonly lay: Lay | undefined
}

/** Lays out the fields of a type in order. `layField` says how a field is laid out that is not written as it is. */
export function layFields(type: Type, layField: (field: Field) => Lay | undefined): (value: JsonObject) => JsonObject {
  let fields: LaidField[] | undefined
  let byName: Map<string, LaidField>
  return (value) => {
    if (fields === undefined) {
      fields = laidFields(type, layField) // not before: a type may contain itself
      byName = new Map(fields.map((field) => [field.name, field]))
    }
    return layWithin(value, byName) ?? layAnew(value, fields)
  }
}

/**
 * An object whose fields stand in order, and of which none is empty, is copied only when something in it is not so. Nearly
 * all are. Undefined when it is not in order itself.
 */
function layWithin(value: JsonObject, byName: Map<string, LaidField>): JsonObject | undefined {
  let laid: JsonObject | undefined
  let last = -1
  for (const name in value) {
    const field = byName.get(name)
    const one = value[name]
    if (field === undefined || field.rank < last || !isSet(one, field.kind)) return undefined
    last = field.rank
    if (field.lay === undefined) continue
    const within = field.lay(one)
    if (within !== one) (laid ??= { ...value })[name] = within
  }
  return laid ?? value
}

function layAnew(value: JsonObject, fields: readonly LaidField[]): JsonObject {
  const laid: JsonObject = {}
  for (const { name, kind, lay } of fields) {
    const one = value[name]
    if (isSet(one, kind)) laid[name] = lay === undefined ? one : lay(one)
  }
  return laid
}

export function laidFields(type: Type, layField: (field: Field) => Lay | undefined): LaidField[] {
  const isAttribute = (kind: Field['kind']) => (kind === 'attr' ? 1 : 0)
  return Object.entries(type.fields)
    .toSorted(([, a], [, b]) => isAttribute(a.kind) - isAttribute(b.kind))
    .map(([name, field], rank) => ({ name, kind: field.kind, rank, lay: layField(field) }))
}

/** Whether there is anything to write: an empty list and an empty text are the same as none. */
export function isSet(value: unknown, kind?: Field['kind']): boolean {
  if (value === undefined) return false
  if (kind === 'anything') return true
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
    return JSON.stringify(value, exactly) // it holds a bigint, which is rare
  }
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
const exactly = (_key: string, value: unknown) => (typeof value === 'bigint' ? rawJSON(String(value)) : value)
