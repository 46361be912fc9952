/**
 * Values to JSON. A value already has the JSON form; it only has to be put in order (child elements first, attributes
 * after them), and what is empty left out. Compact JSON is written here too: only its layout differs.
 *
 * Written in pieces, the shell comes first and a container follows when its first item does:
 *
 *   start   {"meta":{…},"schemaVersion":"5.6.0"
 *   item    ,"products":{"product":[{…}
 *   item    ,{…}
 *   end     ]}}
 */
import { Val } from '../schema/blocks.ts'
import type { Field, Type } from '../schema/describe.ts'
import { streamedField, type Writer } from './codec.ts'
import { isList, type ShortHead, ShortVal } from './short-val.ts'
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

const inOrder = perType((type) => layFields(type, layField))
const plain: Layout = { item: perType(printerOf), value: inOrder, fields: inOrder, foldsToList: () => false }

function layField(field: Field): Lay | undefined {
  if (field.kind === 'child') return inOrder(field.type!())
  return field.kind === 'children' ? each(inOrder(field.type!())) : undefined
}

export const jsonWriter = writerOf(plain)
export const toJson = textOf(plain)

// Layouts

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
    if (isInOrder(value, byName)) return layWithin(value, byName)
    const laid: JsonObject = {}
    for (const { name, kind, lay } of fields) {
      const one = value[name]
      if (isSet(one, kind)) laid[name] = lay === undefined ? one : lay(one)
    }
    return laid
  }
}

/** An object that is in order is copied only when something in it is not. Nearly all are. */
function layWithin(value: JsonObject, byName: Map<string, LaidField>): JsonObject {
  let laid: JsonObject | undefined
  for (const name in value) {
    const lay = byName.get(name)!.lay
    const one = lay?.(value[name])
    if (lay !== undefined && one !== value[name]) (laid ??= { ...value })[name] = one
  }
  return laid ?? value
}

function laidFields(type: Type, layField: (field: Field) => Lay | undefined): LaidField[] {
  const isAttribute = (kind: Field['kind']) => (kind === 'attr' ? 1 : 0)
  return Object.entries(type.fields)
    .toSorted(([, a], [, b]) => isAttribute(a.kind) - isAttribute(b.kind))
    .map(([name, field], rank) => ({ name, kind: field.kind, rank, lay: layField(field) }))
}

/** Whether the fields of an object stand in order and none of them is empty. */
function isInOrder(value: JsonObject, byName: Map<string, LaidField>): boolean {
  let last = -1
  for (const name in value) {
    const field = byName.get(name)
    if (field === undefined || field.rank < last || !isSet(value[name], field.kind)) return false
    last = field.rank
  }
  return true
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

// Values in short form, and what contains them, are printed piece by piece; everything else as a whole.

function printerOf(type: Type): Print {
  if (type === Val) return (val) => (val instanceof ShortVal ? printShort(val) : stringify(layVal(val)))
  return holdsVals(type) ? fieldsPrinter(type) : (value) => stringify(inOrder(type)(value))
}
const layVal = inOrder(Val)

function holdsVals(type: Type, above: readonly Type[] = []): boolean {
  return Object.values(type.fields).some((field) => {
    const inside = field.type?.()
    return inside !== undefined && !above.includes(inside) && (inside === Val || holdsVals(inside, [...above, type]))
  })
}

function fieldsPrinter(type: Type): Print {
  let fields: (readonly [name: string, kind: Field['kind'], print: Print])[] | undefined
  return (value: JsonObject) => {
    fields ??= laidFields(type, layField).map(
      ({ name, kind }) => [name, kind, fieldPrinter(type.fields[name]!)] as const,
    )
    let text = ''
    for (const [name, kind, print] of fields) {
      const one = value[name]
      if (isSet(one, kind)) text += `${text === '' ? '' : ','}"${name}":${print(one)}`
    }
    return `{${text}}`
  }
}

function fieldPrinter({ kind, type }: Field): Print {
  if (kind === 'child') return printerOf(type!())
  if (kind !== 'children') return stringify
  const print = printerOf(type!())
  return (values: unknown[]) => `[${values.map(print).join(',')}]`
}

function printShort({ head, value }: ShortVal): string {
  const ending = (head.json ??= endingOf(head))
  if (typeof value === 'string') return `{"itm":[{"value":${quoted(value)}}${ending}`
  let text = '{"itm":['
  if (isList(value)) {
    for (let pos = 0; pos < value.length; pos++) {
      text += `${pos === 0 ? '' : ','}{"value":${quoted(value[pos]!)},"pos":${pos}}`
    }
  } else {
    let separator = ''
    for (const loc in value) {
      text += `${separator}{"value":${quoted(value[loc]!)},"loc":${quoted(loc)}}`
      separator = ','
    }
  }
  return text + ending
}
const endingOf = ({ fields }: ShortHead) => `],${stringify(fields).slice(1)}`

/** Up to this length it is quicker to look for what must be escaped than to ask. */
const shortText = 100

function quoted(text: string): string {
  if (text.length > shortText) return JSON.stringify(text)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(text)
  }
  return `"${text}"`
}

export function writerOf(layout: Layout): (root: Type) => Writer {
  const containersOf = perType(streamedContainers)
  return (root) => new JsonWriter(root, layout, containersOf(root))
}

interface Container {
  readonly type: Type
  readonly list: string
  readonly item: Type
}

function streamedContainers(root: Type): Map<string, Container> {
  const containers = new Map<string, Container>()
  for (const [name, field] of Object.entries(root.fields)) {
    const type = field.kind === 'child' ? field.type!() : undefined
    const found = type && streamedField(type)
    if (found) containers.set(name, { type: type!, list: found[0], item: found[1].type!() })
  }
  return containers
}

class JsonWriter implements Writer {
  readonly #root: Type
  readonly #layout: Layout
  readonly #containers: Map<string, Container>
  /** The containers of the shell that are not written yet. */
  readonly #waiting = new Map<string, JsonObject>()
  readonly #closed = new Set<string>()
  #open = ''
  #print: Print = String
  /** What ends the open container. */
  #ending = ''
  #separator = ''

  constructor(root: Type, layout: Layout, containers: Map<string, Container>) {
    this.#root = root
    this.#layout = layout
    this.#containers = containers
  }

  start(shell: object): string {
    const rest: JsonObject = {}
    for (const [name, value] of Object.entries(shell)) {
      if (value !== undefined && this.#containers.has(name)) this.#waiting.set(name, value)
      else rest[name] = value
    }
    const text = stringify(this.#layout.fields(this.#root)(rest)).slice(0, -1)
    this.#separator = text === '{' ? '' : ','
    return text
  }

  item(container: string, item: object): string {
    const text = container === this.#open ? '' : this.#close() + this.#begin(container)
    return text + this.#next(item)
  }

  end(): string {
    let text = this.#close()
    for (const [name, value] of this.#waiting) {
      text += `${this.#separator}"${name}":${stringify(this.#layout.value(this.#containers.get(name)!.type)(value))}`
      this.#separator = ','
    }
    return `${text}}`
  }

  #begin(name: string): string {
    const container = this.#containers.get(name)
    if (!container || this.#closed.has(name)) throw new Error(`${name} takes no items here`)
    const { [container.list]: items, ...others } = this.#waiting.get(name) ?? {}
    this.#waiting.delete(name)
    this.#open = name
    this.#print = this.#layout.item(container.item)
    const fields = stringify(this.#layout.fields(container.type)(others)).slice(0, -1)
    const asList = fields === '{' && this.#layout.foldsToList(container.type)
    this.#ending = asList ? ']' : ']}'
    const text = asList ? '[' : `${fields}${fields === '{' ? '' : ','}"${container.list}":[`
    const before = `${this.#separator}"${name}":${text}`
    this.#separator = ''
    return ((items ?? []) as object[]).reduce((written, item) => written + this.#next(item), before)
  }

  #next(item: object): string {
    const text = this.#separator + this.#print(item)
    this.#separator = ','
    return text
  }

  #close(): string {
    if (this.#open === '') return ''
    this.#closed.add(this.#open)
    this.#open = ''
    this.#separator = ','
    return this.#ending
  }
}
