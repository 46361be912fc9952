/**
 * Writes XML by building strings. Each shape is compiled once into a function that writes a value of it.
 *
 * Containers that can be streamed are written as late as possible: with their first item, or else at the end.
 *
 *   start(shell)                 <pim …><meta>…</meta>
 *   item('products', a)          <products mode="delta"><product>…</product>
 *   item('products', b)          <product>…</product>
 *   item('assets', c)            </products><assets><asset>…</asset>
 *   end()                        </assets> and the containers of the shell that had no items </pim>
 */
import { Item, Val } from '../schema/blocks.ts'
import type { Infer, Type } from '../schema/describe.ts'
import type { Writer } from './codec.ts'
import { isList, type ShortHead, ShortVal } from './short-val.ts'
import { codePoint, illegalCharacter, writeScalar } from './scalars.ts'
import { namespace, shapeOf, streamedOf, type XmlField, type XmlShape } from './xml-plan.ts'

type Value = Record<string, any>

export function xmlWriter(root: Type): Writer {
  return new XmlWriter(root)
}

class XmlWriter implements Writer {
  readonly #root: Type
  readonly #shape: XmlShape
  /** The containers of the root with streamed items, by property name. */
  readonly #containers: Map<string, XmlField>
  #shell: Value = {}
  readonly #written = new Set<string>()
  #open: XmlField | undefined
  #items = 0

  constructor(root: Type) {
    this.#root = root
    this.#shape = shapeOf(root)
    this.#containers = new Map(this.#shape.fields.filter(streamedOf).map((field) => [field.name, field]))
  }

  start(shell: object): string {
    this.#shell = shell
    const atOnce = { ...shell } as Value
    for (const name of this.#containers.keys()) delete atOnce[name]
    return located(this.#shape, shell, `/${this.#root.name}`, () => {
      const { head, body } = partsOf(this.#shape, atOnce)
      const begin = `<?xml version="1.0" encoding="UTF-8"?>\n<${this.#root.name} xmlns="${namespace}"`
      return `${begin}${head}>${body}`
    })
  }

  item(container: string, item: object): string {
    const opening = this.#open?.name === container ? '' : this.#end() + this.#begin(container)
    const { xml, shape } = streamedOf(this.#open!)!
    const path = `/${this.#root.name}/${this.#open!.xml}/${xml}[${++this.#items}]`
    return opening + located(shape!, item, path, () => element(xml, partsOf(shape!, item)))
  }

  end(): string {
    let text = this.#end()
    for (const [name, field] of this.#containers) {
      const value = this.#shell[name]
      if (value === undefined || value === null || this.#written.has(name)) continue
      const path = `/${this.#root.name}/${field.xml}`
      text += located(field.shape!, value, path, () => element(field.xml, partsOf(field.shape!, value)))
    }
    return `${text}</${this.#root.name}>`
  }

  /** Opens a container with its content in the shell. */
  #begin(container: string): string {
    const field = this.#containers.get(container)
    if (!field) throw new Error(`${this.#root.name} has no container '${container}'`)
    if (this.#written.has(container))
      throw new Error(`the container '${container}' was closed by an item of another one`)
    this.#written.add(container)
    this.#open = field
    const value: Value = this.#shell[container] ?? {}
    this.#items = value[streamedOf(field)!.name]?.length ?? 0
    const path = `/${this.#root.name}/${field.xml}`
    return located(field.shape!, value, path, () => {
      const { head, body } = partsOf(field.shape!, value)
      return `<${field.xml}${head}>${body}`
    })
  }

  #end(): string {
    const text = this.#open ? `</${this.#open.xml}>` : ''
    this.#open = undefined
    return text
  }
}

// Printers

interface Parts {
  /** The attributes. */
  head: string
  /** Text and child elements. */
  body: string
}

interface PrintedField {
  readonly name: string
  readonly part: keyof Parts
  readonly rank: number
  readonly print: (value: any) => string
}

function element(tag: string, { head, body }: Parts): string {
  return body === '' ? `<${tag}${head}/>` : `<${tag}${head}>${body}</${tag}>`
}

const printers = new WeakMap<XmlShape, (value: Value) => Parts>()

function partsOf(shape: XmlShape, value: Value): Parts {
  let print = printers.get(shape)
  if (!print) printers.set(shape, (print = compiled(shape)))
  return print(value)
}

/** A value usually has few of its possible fields, and nearly always in the order of the shape, so its own keys are iterated. */
function compiled(shape: XmlShape): (value: Value) => Parts {
  const fields: PrintedField[] = shape.fields.map((field, rank) => ({
    name: field.name,
    part: field.kind === 'attr' ? 'head' : 'body',
    rank,
    print: field.kind === 'attr' ? attributePrinter(field) : contentPrinter(field),
  }))
  const byName = new Map(fields.map((field) => [field.name, field]))
  return (value) => {
    const parts: Parts = { head: '', body: '' }
    if (isInOrder(value, byName)) {
      for (const name in value) add(parts, byName.get(name), value[name])
    } else {
      for (const field of fields) add(parts, field, value[field.name])
    }
    return parts
  }
}

function add(parts: Parts, field: PrintedField | undefined, value: unknown): void {
  if (field !== undefined && value !== undefined && value !== null) parts[field.part] += field.print(value)
}

function isInOrder(value: Value, byName: Map<string, PrintedField>): boolean {
  let attribute = -1
  let content = -1
  for (const name in value) {
    const field = byName.get(name)
    if (field === undefined) continue
    if (field.rank < (field.part === 'head' ? attribute : content)) return false
    if (field.part === 'head') attribute = field.rank
    else content = field.rank
  }
  return true
}

/** Attributes repeat the same few values (locales, keys, types). Their texts are cached. */
const maxCached = 256

function attributePrinter({ xml }: XmlField): (value: unknown) => string {
  const begin = ` ${xml}="`
  const cached = new Map<unknown, string>()
  return (value) => {
    const known = cached.get(value)
    if (known !== undefined) return known
    const text = `${begin}${typeof value === 'string' ? escaped(value, attributeEscapes) : writeScalar(value)}"`
    if (cached.size < maxCached) cached.set(value, text)
    return text
  }
}

const printText = (value: unknown) => (typeof value === 'string' ? escaped(value, textEscapes) : writeScalar(value))

function contentPrinter({ kind, xml, repeated, shape }: XmlField): (value: any) => string {
  if (kind === 'text') return printText
  const printOne = shape ? elementPrinter(xml, shape) : (value: unknown) => `<${xml}>${printText(value)}</${xml}>`
  if (!repeated) return printOne
  return (values: unknown[]) => {
    let text = ''
    for (const value of values) text += printOne(value)
    return text
  }
}

function elementPrinter(xml: string, shape: XmlShape): (value: any) => string {
  if (shape === shapeOf(Item)) return itemPrinter(xml, shape)
  const print = (value: Value) => element(xml, partsOf(shape, value))
  return shape === shapeOf(Val) ? (value) => (value instanceof ShortVal ? printShort(value) : print(value)) : print
}

function printShort({ head, value }: ShortVal): string {
  const begin = (head.xml ??= beginOf(head))
  if (typeof value === 'string') return `${begin}<itm>${printText(value)}</itm></val>`
  let items = begin
  if (isList(value)) {
    for (let pos = 0; pos < value.length; pos++) items += `<itm pos="${pos}">${printText(value[pos]!)}</itm>`
  } else {
    for (const loc in value) items += `<itm${printLocale(loc)}>${printText(value[loc]!)}</itm>`
  }
  return `${items}</val>`
}
const beginOf = ({ fields }: ShortHead) => `<val${partsOf(shapeOf(Val), fields).head}>`
const printLocale = attributePrinter(shapeOf(Item).attributes.get('loc')!)

/** Two thirds of the elements in most messages are items, so items have a specialised printer. */
function itemPrinter(xml: string, { fields }: XmlShape): (item: Infer<typeof Item>) => string {
  const printerFor = (name: string) => attributePrinter(fields.find((field) => field.name === name)!)
  const [pos, key, loc] = [printerFor('pos'), printerFor('key'), printerFor('loc')]
  const [order, mode] = [printerFor('order'), printerFor('mode')]
  const begin = `<${xml}`
  const ending = `</${xml}>`
  return (item) => {
    let head = begin
    if (item.pos !== undefined) head += pos(item.pos)
    if (item.key !== undefined) head += key(item.key)
    if (item.loc !== undefined) head += loc(item.loc)
    if (item.order !== undefined) head += order(item.order)
    if (item.mode !== undefined) head += mode(item.mode)
    const text = item.value === undefined ? '' : printText(item.value)
    return text === '' ? `${head}/>` : `${head}>${text}${ending}`
  }
}

// Characters

/** Escapes by character code: '' if the character is written unchanged, undefined if it is illegal in XML. */
const textEscapes = escapesOf({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;', '\t': '', '\n': '' })
const attributeEscapes = escapesOf({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
})
type Escapes = readonly (string | undefined)[]

function escapesOf(escapes: Record<string, string>): Escapes {
  return Array.from({ length: 63 }, (_, code) => escapes[String.fromCharCode(code)] ?? (code < 32 ? undefined : ''))
}

/** Most texts are short, so a loop is faster than a regular expression. */
function escaped(text: string, escapes: Escapes): string {
  let written = ''
  let from = 0
  let checked = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 62 && code < 0xd800) continue
    const escape = escapes[code]
    if (escape === '') continue
    if (escape === undefined) {
      if (!checked && illegalCharacter(text) >= 0) throw new Unwritable()
      checked = true
      continue
    }
    written += text.slice(from, at) + escape
    from = at + 1
  }
  return from === 0 ? text : written + text.slice(from)
}

/** A text that is illegal in XML. Readers refuse such texts, so this is a bug in the server, not in the request. */
class Unwritable extends Error {}

/** Prints a value. If a text cannot be printed, searches for its path, which printers do not track for speed. */
function located(shape: XmlShape, value: object, path: string, print: () => string): string {
  try {
    return print()
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error
    throw new Error(unwritableIn(shape, value, path), { cause: error })
  }
}

function unwritableIn(shape: XmlShape, value: Value, path: string): string | undefined {
  for (const field of shape.fields) {
    const step = field.kind === 'text' ? '' : field.kind === 'attr' ? `/@${field.xml}` : `/${field.xml}`
    const parts: unknown[] = field.repeated ? (value[field.name] ?? []) : [value[field.name]]
    for (const [index, part] of parts.entries()) {
      const place = `${path}${step}${field.repeated ? `[${index + 1}]` : ''}`
      if (field.shape && part) {
        const found = unwritableIn(field.shape, part, place)
        if (found) return found
      } else if (typeof part === 'string' && illegalCharacter(part) >= 0)
        return `${place}: XML cannot carry the character ${codePoint(part, illegalCharacter(part))}`
    }
  }
  return undefined
}
