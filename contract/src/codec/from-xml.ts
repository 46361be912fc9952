/**
 * Reads XML. The scanner reports elements; the stack of open elements determines what each may contain:
 *
 *   <pim> <products> <product tid="1"> <name>          stack: document, pim, products, product, name
 *
 * A value is attached to its parent when its element opens, so that the path of a fault can be derived from the stack at
 * any time. An unknown element is reported as a fault and skipped with its content; the rest of the message is still
 * validated.
 */
import type { Type } from '../schema/describe.ts'
import { BadMessage, defaultLimits, listFault, maxFaults } from './codec.ts'
import type { Fault, Limits, Reader, ReadOptions, Sink } from './codec.ts'
import { scalarFault, quoteValue } from './scalars.ts'
import { spaceEnd } from './xml-characters.ts'
import { XmlDecoder } from './xml-encoding.ts'
import { XmlMeter } from './xml-meter.ts'
import type { XmlName } from './xml-names.ts'
import { documentOf, namespace, streamedOf, type XmlField, type XmlShape } from './xml-plan.ts'
import { XmlScanner, type XmlAttributes, type XmlHandler } from './xml-scanner.ts'

/** An open element. An element without a shape is a leaf: it has only text. */
interface Frame {
  /** The name as sent. */
  name: string
  field: XmlField
  shape: XmlShape | undefined
  value: Record<string, any>
  /** The first part of its text, further parts (most texts have none), and the total length. */
  text: string
  more: string[]
  length: number
  hasElements: boolean
  /** Whether unexpected text has already been reported. */
  hasStrayText: boolean
}

export function xmlReader(root: Type, options: ReadOptions = {}): Reader {
  return new XmlReader(root, options)
}

/** Depths in the stack. */
const containerDepth = 2
const itemDepth = 3

class XmlReader implements Reader, XmlHandler {
  readonly #limits: Limits
  readonly #sink: Sink | undefined
  readonly #decoder: XmlDecoder
  readonly #scanner: XmlScanner
  readonly #meter: XmlMeter
  /** One reusable frame per depth. The first is the document; `#depth` is the innermost open element. */
  readonly #frames: Frame[]
  #depth = 0
  /** The names of open elements that are skipped. */
  readonly #skipped: string[] = []
  readonly #faults: Fault[] = []
  #faultCount = 0
  /** The number of items of the open container so far, and the number of faults before the last item. */
  #items = 0
  #faultsBefore = 0

  constructor(root: Type, options: ReadOptions) {
    this.#limits = options.limits ?? defaultLimits
    this.#sink = options.sink
    this.#decoder = new XmlDecoder(options.charset)
    this.#scanner = new XmlScanner(this, this.#limits, namespace)
    this.#meter = new XmlMeter()
    this.#frames = [frameOf(documentOf(root))]
  }

  write(chunk: Uint8Array): void {
    const text = this.#decoded(() => this.#decoder.decode(chunk))
    this.#meter.count(chunk.length, text.length)
    this.#scanner.write(text)
    this.#checkSize()
  }

  end(): object {
    this.#decoded(() => this.#decoder.end())
    this.#scanner.end()
    if (this.#faultCount > 0) throw new BadMessage(this.#faults)
    const document = this.#frames[0]!
    return document.value[document.name]
  }

  #decoded<R>(decode: () => R): R {
    try {
      return decode()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return this.#scanner.fail(this.#decoder.decodingFault(error))
    }
  }

  // Events of the scanner

  encoding(declared: string): string | undefined {
    return this.#decoder.encodingFault(declared)
  }

  open(name: XmlName, foreign: string | undefined, attributes: XmlAttributes): void {
    if (this.#skipped.length > 0) return void this.#skipped.push(name.raw)
    const parent = this.#frames[this.#depth]!
    const field = foreign === undefined ? parent.shape?.elements.get(name.local) : undefined
    if (field === undefined)
      return this.#skip(name, () =>
        foreign === undefined ? this.#unknown(parent) : this.#foreign(parent, name, foreign),
      )
    if (!field.repeated && parent.value[field.name] !== undefined)
      return this.#skip(name, () => 'this element may occur only once')
    parent.hasElements = true
    const frame = this.#push(field, name.local)
    if (this.#depth <= itemDepth) this.#enterOuter(frame, parent)
    else if (field.shape) this.#attach(parent, field, frame.value)
    if (attributes.count > 0) this.#readAttributes(frame, attributes)
  }

  text(source: string, from: number, to: number): void {
    if (this.#skipped.length > 0) return
    const frame = this.#frames[this.#depth]!
    if (frame.shape === undefined || frame.shape.text) {
      frame.length += to - from
      if (frame.length > this.#limits.text)
        this.#scanner.fail(`the text is longer than ${this.#limits.text} characters`)
      const piece = source.slice(from, to)
      if (frame.text === '') frame.text = piece
      else frame.more.push(piece)
    } else if (!frame.hasStrayText && spaceEnd(source, from) < to) {
      frame.hasStrayText = true
      this.#fault('', () => `text is not allowed here: ${quoteValue(source.slice(from, to).trim())}`)
    }
  }

  close(): void {
    if (this.#skipped.length > 0) return void this.#skipped.pop()
    const frame = this.#frames[this.#depth]!
    const parent = this.#frames[this.#depth - 1]!
    if (frame.more.length > 0) frame.text += frame.more.join('')
    if (frame.shape) this.#finish(frame, frame.shape)
    else this.#attach(parent, frame.field, this.#scalar(frame.field, frame.text))
    if (this.#depth <= itemDepth) this.#leaveOuter(frame, parent)
    this.#depth--
  }

  fail(message: string): never {
    throw new BadMessage([...this.#faults.slice(0, maxFaults - 1), { path: this.#path(), message }])
  }

  // Elements

  #push(field: XmlField, name: string): Frame {
    const frame = (this.#frames[++this.#depth] ??= frameOf(field))
    frame.name = name
    frame.field = field
    frame.shape = field.shape
    if (field.shape) frame.value = {}
    frame.text = ''
    if (frame.more.length > 0) frame.more = []
    frame.length = 0
    frame.hasElements = false
    frame.hasStrayText = false
    return frame
  }

  #finish(frame: Frame, shape: XmlShape): void {
    if (shape.text && frame.text !== '') this.#readText(frame, shape.text)
    for (const field of shape.required)
      if (frame.value[field.name] === undefined && !this.#wasStreamed(field)) this.#missing(field)
  }

  /** Opens a possible root, container or item. An item for the sink is not attached to its parent. */
  #enterOuter(frame: Frame, parent: Frame): void {
    if (this.#isItem(this.#depth)) {
      this.#items++
      this.#faultsBefore = this.#faultCount
    } else if (frame.shape) this.#attach(parent, frame.field, frame.value)
    if (this.#depth === containerDepth && streamedOf(frame.field)) {
      this.#items = 0
      this.#meter.enterContainer(this.#scanner.position)
    } else if (this.#depth === itemDepth && streamedOf(parent.field)) this.#meter.enterPart(this.#scanner.position)
  }

  #leaveOuter(frame: Frame, parent: Frame): void {
    const { position } = this.#scanner
    if (this.#depth === containerDepth && streamedOf(frame.field)) this.#meter.leaveContainer(position)
    if (this.#depth !== itemDepth || !streamedOf(parent.field)) return
    this.#checkSize()
    this.#meter.leavePart(position, frame.field === streamedOf(parent.field))
    if (this.#isItem(itemDepth) && this.#faultCount === this.#faultsBefore) this.#sink!(parent.field.name, frame.value)
  }

  /** Whether the element at this depth is an item for the sink. */
  #isItem(depth: number): boolean {
    if (this.#sink === undefined || depth !== itemDepth) return false
    return this.#frames[depth]!.field === streamedOf(this.#frames[depth - 1]!.field)
  }

  /** Whether items of this field of the innermost open element went to the sink. */
  #wasStreamed(field: XmlField): boolean {
    if (this.#sink === undefined || this.#depth !== containerDepth) return false
    return this.#items > 0 && field === streamedOf(this.#frames[containerDepth]!.field)
  }

  #checkSize(): void {
    if (this.#meter.size(this.#scanner.position) > this.#limits.item)
      this.#scanner.fail(`an item, or the message without its items, is larger than ${this.#limits.item} bytes`)
  }

  // Values

  #attach(parent: Frame, field: XmlField, value: unknown): void {
    if (attach(parent, field, value) > field.maxItems && this.#limits.lists)
      this.#scanner.fail(listFault(field.maxItems))
  }

  #readAttributes(frame: Frame, { count, names, values }: XmlAttributes): void {
    for (let i = 0; i < count; i++) {
      const name = names[i]!
      const field = name.prefix === '' ? frame.shape?.attributes.get(name.local) : undefined
      if (field === undefined)
        this.#fault(`/@${name.raw}`, () => `unknown attribute; ${allowedNames(frame.shape?.attributes)}`)
      else if (field.hasAliases && frame.value[field.name] !== undefined)
        this.#fault(`/@${name.raw}`, () => 'this attribute is an alias of another attribute that is present')
      else frame.value[field.name] = this.#scalar(field, values[i]!, name)
    }
  }

  /** White space between child elements is not a value. */
  #readText(frame: Frame, field: XmlField): void {
    if (frame.hasElements && spaceEnd(frame.text, 0) === frame.text.length) return
    frame.value[field.name] = this.#scalar(field, frame.text)
  }

  /** A refused value becomes null, so that the field still counts as present. */
  #scalar(field: XmlField, text: string, attribute?: XmlName): unknown {
    const value = field.rule!.fromText(text)
    if (value !== undefined) return value
    this.#fault(attribute ? `/@${attribute.raw}` : '', () => scalarFault(field.rule!, text))
    return null
  }

  // Faults

  /** Records a fault at the innermost open element or at a step below it. Faults beyond `maxFaults` are only counted. */
  #fault(step: string, sentence: () => string): void {
    if (this.#faultCount++ >= maxFaults) return
    const path = this.#path()
    this.#faults.push({ path: path === '/' ? step : path + step, message: sentence() })
  }

  #skip(name: XmlName, sentence: () => string): void {
    this.#fault(`/${name.raw}`, sentence)
    this.#skipped.push(name.raw)
  }

  #unknown(parent: Frame): string {
    return this.#depth === 0
      ? `the root element must be <${parent.shape!.fields[0]!.xml}>`
      : `unknown element; ${allowedNames(parent.shape?.elements)}`
  }

  /** To declare a namespace does not help if the document belongs to another format, such as BMEcat. */
  #foreign({ shape }: Frame, { local }: XmlName, uri: string): string {
    const root = shape?.fields[0]?.xml
    if (this.#depth > 0 || local === root) return foreignFault(uri)
    return `this is not a message of Kontor, which begins with <${root} xmlns="${namespace}">; convert it, or import its data as CSV, XLSX, BMEcat or GS1 XML`
  }

  #missing(field: XmlField): void {
    if (field.kind === 'text') this.#fault('', () => 'the text is missing')
    else if (field.kind === 'attr') this.#fault(`/@${field.xml}`, () => 'this attribute is missing')
    else this.#fault(`/${field.xml}`, () => 'this element is missing')
  }

  #path(): string {
    let path = ''
    for (let depth = 1; depth <= this.#depth; depth++) {
      const { name, field } = this.#frames[depth]!
      path += `/${name}${field.repeated ? `[${this.#number(depth)}]` : ''}`
    }
    for (const name of this.#skipped) path += `/${name}`
    return path || '/'
  }

  /** The number of an open element in its list. A leaf is added to the list only when it closes. */
  #number(depth: number): number {
    if (this.#isItem(depth)) return this.#items
    const { field, shape } = this.#frames[depth]!
    return (this.#frames[depth - 1]!.value[field.name]?.length ?? 0) + (shape ? 0 : 1)
  }
}

function frameOf(field: XmlField): Frame {
  const { name, shape } = field
  return { name, field, shape, value: {}, text: '', more: [], length: 0, hasElements: false, hasStrayText: false }
}

/** Attaches a value to its parent. Returns its number in the list of the parent. */
function attach(parent: Frame, field: XmlField, value: unknown): number {
  const list = parent.value[field.name]
  if (field.repeated && list !== undefined) return list.push(value)
  parent.value[field.name] = field.repeated ? [value] : value
  return 1
}

function foreignFault(uri: string): string {
  return `this element is in ${uri === '' ? 'no namespace' : `the namespace ${quoteValue(uri)}`}; declare xmlns="${namespace}"`
}

function allowedNames(fields: Map<string, XmlField> | undefined): string {
  const names = new Set(Array.from(fields?.values() ?? [], (field) => field.xml))
  return names.size === 0 ? 'none is allowed here' : `allowed here: ${[...names].join(', ')}`
}
