/**
 * Values to XML, by string building: each shape is compiled once into a function that writes a value of it.
 *
 * A message may come in parts. What can be a streamed container is therefore written as late as possible: when its first
 * item comes, or else at the end.
 *
 *   start(shell)                 <pim …><meta>…</meta>
 *   item('products', a)          <products mode="delta"><product>…</product>
 *   item('products', b)          <product>…</product>
 *   item('assets', c)            </products><assets><asset>…</asset>
 *   end()                        </assets> and the containers of the shell that had no items </pim>
 */
import { Item } from '../schema/blocks.ts'
import type { Infer, Type } from '../schema/describe.ts'
import type { Writer } from './codec.ts'
import { codePoint, illegalCharacter, writeScalar } from './scalars.ts'
import { namespace, shapeOf, streamedOf, type XmlField, type XmlShape } from './xml-plan.ts'

type Value = Record<string, any>

export function xmlWriter(root: Type): Writer {
  return new XmlWriter(root)
}

class XmlWriter implements Writer {
  readonly #root: Type
  readonly #shape: XmlShape
  /** The containers of the root, whose items may be streamed, by property name. */
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
    const { head, body } = printerOf(this.#shape)
    return located(this.#shape, shell, `/${this.#root.name}`, () => {
      const begin = `<?xml version="1.0" encoding="UTF-8"?>\n<${this.#root.name} xmlns="${namespace}"`
      return `${begin}${head(atOnce)}>${body(atOnce)}`
    })
  }

  item(container: string, item: object): string {
    const opening = this.#open?.name === container ? '' : this.#end() + this.#begin(container)
    const { xml, shape } = streamedOf(this.#open!)!
    const path = `/${this.#root.name}/${this.#open!.xml}/${xml}[${++this.#items}]`
    return opening + located(shape!, item, path, () => element(xml, printerOf(shape!), item))
  }

  end(): string {
    let text = this.#end()
    for (const [name, field] of this.#containers) {
      const value = this.#shell[name]
      if (value === undefined || value === null || this.#written.has(name)) continue
      const path = `/${this.#root.name}/${field.xml}`
      text += located(field.shape!, value, path, () => element(field.xml, printerOf(field.shape!), value))
    }
    return `${text}</${this.#root.name}>`
  }

  /** Opens a container, with all that the shell holds of it. */
  #begin(container: string): string {
    const field = this.#containers.get(container)
    if (!field) throw new Error(`${this.#root.name} has no container '${container}'`)
    if (this.#written.has(container))
      throw new Error(`the container '${container}' was closed by an item of another one`)
    this.#written.add(container)
    this.#open = field
    const value: Value = this.#shell[container] ?? {}
    this.#items = value[streamedOf(field)!.name]?.length ?? 0
    const { head, body } = printerOf(field.shape!)
    const path = `/${this.#root.name}/${field.xml}`
    return located(field.shape!, value, path, () => `<${field.xml}${head(value)}>${body(value)}`)
  }

  #end(): string {
    const text = this.#open ? `</${this.#open.xml}>` : ''
    this.#open = undefined
    return text
  }
}

// Printers

interface Printer {
  /** The attributes. */
  head(value: Value): string
  /** Text and child elements. */
  body(value: Value): string
}

function element(tag: string, { head, body }: Printer, value: Value): string {
  const content = body(value)
  return content === '' ? `<${tag}${head(value)}/>` : `<${tag}${head(value)}>${content}</${tag}>`
}

const printers = new WeakMap<XmlShape, Printer>()

function printerOf(shape: XmlShape): Printer {
  let printer = printers.get(shape)
  if (!printer) printers.set(shape, (printer = compiled(shape)))
  return printer
}

function compiled(shape: XmlShape): Printer {
  const attributes = shape.fields
    .filter((field) => field.kind === 'attr')
    .map((field) => ({ name: field.name, print: attributePrinter(field) }))
  const contents = shape.fields
    .filter((field) => field.kind !== 'attr')
    .map((field) => ({ name: field.name, print: contentPrinter(field) }))
  return { head: inOrder(attributes), body: inOrder(contents) }
}

function inOrder(parts: { name: string; print: (value: any) => string }[]): (value: Value) => string {
  return (value) => {
    let text = ''
    for (const { name, print } of parts) {
      const part = value[name]
      if (part !== undefined && part !== null) text += print(part)
    }
    return text
  }
}

/** Attributes say the same few things over and over (locales, keys, types); those are kept as they are written. */
const mostKept = 256

function attributePrinter({ xml }: XmlField): (value: unknown) => string {
  const begin = ` ${xml}="`
  const kept = new Map<unknown, string>()
  return (value) => {
    const known = kept.get(value)
    if (known !== undefined) return known
    const text = `${begin}${typeof value === 'string' ? escapedAttribute(value) : writeScalar(value)}"`
    if (kept.size < mostKept) kept.set(value, text)
    return text
  }
}

const printText = (value: unknown) => (typeof value === 'string' ? escapedText(value) : writeScalar(value))

function contentPrinter({ kind, xml, repeated, shape }: XmlField): (value: any) => string {
  if (kind === 'text') return printText
  const printOne: (value: any) => string = shape
    ? shape === shapeOf(Item)
      ? itemPrinter(xml, shape)
      : childPrinter(xml, shape)
    : (value: unknown) => `<${xml}>${printText(value)}</${xml}>`
  if (!repeated) return printOne
  return (values: unknown[]) => {
    let text = ''
    for (const value of values) text += printOne(value)
    return text
  }
}

/** Looks its printer up late, because a type may contain itself. */
function childPrinter(xml: string, shape: XmlShape): (value: Value) => string {
  let printer: Printer | undefined
  return (value) => element(xml, (printer ??= printerOf(shape)), value)
}

/** Two of three elements of nearly every message are items, so these alone have a printer that knows its fields. */
function itemPrinter(xml: string, { fields }: XmlShape): (item: Infer<typeof Item>) => string {
  const printerFor = (name: string) => attributePrinter(fields.find((field) => field.name === name)!)
  const [pos, key, loc] = [printerFor('pos'), printerFor('key'), printerFor('loc')]
  const [order, mode] = [printerFor('order'), printerFor('mode')]
  return (item) => {
    let head = `<${xml}`
    if (item.pos !== undefined) head += pos(item.pos)
    if (item.key !== undefined) head += key(item.key)
    if (item.loc !== undefined) head += loc(item.loc)
    if (item.order !== undefined) head += order(item.order)
    if (item.mode !== undefined) head += mode(item.mode)
    const text = item.value === undefined ? '' : printText(item.value)
    return text === '' ? `${head}/>` : `${head}>${text}</${xml}>`
  }
}

// Characters

/** All but what can be written as it is: what is escaped, what XML cannot carry, and pairs, which are looked at twice. */
const specialInText = /[^\t\n -%'-;=?-\ud7ff\ue000-\ufffd]/
const specialInAttribute = /[^ !#-%'-;=?-\ud7ff\ue000-\ufffd]/
/** By the code of the character. */
const textEscapes = escapesOf({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' })
const attributeEscapes = escapesOf({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
})

function escapesOf(escapes: Record<string, string>): readonly (string | undefined)[] {
  return Array.from({ length: 64 }, (_, code) => escapes[String.fromCharCode(code)])
}

const escapedText = (text: string) => (specialInText.test(text) ? escaped(text, textEscapes) : text)
const escapedAttribute = (text: string) => (specialInAttribute.test(text) ? escaped(text, attributeEscapes) : text)

function escaped(text: string, escapes: readonly (string | undefined)[]): string {
  if (illegalCharacter(text) >= 0) throw new Unwritable()
  let written = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const escape = code < 64 ? escapes[code] : undefined
    if (escape === undefined) continue
    written += text.slice(from, at) + escape
    from = at + 1
  }
  return written + text.slice(from)
}

/** A text that XML cannot carry. Readers refuse such texts, so it is our fault, and no answer hides it. */
class Unwritable extends Error {}

/** Prints, and says where the text is that cannot be printed; printers are too busy to keep track of that. */
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
