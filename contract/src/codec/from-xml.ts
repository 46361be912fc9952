/**
 * XML to values. The scanner reports elements; the stack of open ones says what each may contain:
 *
 *   <pim> <products> <product tid="1"> <name>          stack: document, pim, products, product, name
 *
 * A value joins its parent when its element opens, so that the path of a fault can be told from the stack at any time.
 * What does not belong is told as a fault and skipped with all that is in it; the rest of the message is still judged.
 */
import type { Type } from '../schema/describe.ts'
import { BadMessage, defaultLimits, maxFaults } from './codec.ts'
import type { Fault, Limits, Reader, ReadOptions, Sink } from './codec.ts'
import { scalarFault, shown } from './scalars.ts'
import { spaceEnd } from './xml-characters.ts'
import { XmlDecoder } from './xml-encoding.ts'
import { XmlMeter } from './xml-meter.ts'
import type { XmlName } from './xml-names.ts'
import { documentOf, namespace, type XmlField, type XmlShape } from './xml-plan.ts'
import { XmlScanner, type XmlAttributes, type XmlHandler } from './xml-scanner.ts'

/** An open element. One without a shape is a leaf: it has only text. */
interface Frame {
  /** As it was sent. */
  name: string
  field: XmlField
  shape: XmlShape | undefined
  value: Record<string, any>
  text: string
  hasElements: boolean
  /** Whether text that does not belong was told of already. */
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
  /** One frame per depth, used again and again; the document itself is the first, `#depth` the innermost open one. */
  readonly #frames: Frame[]
  #depth = 0
  /** The names of open elements that do not belong. */
  readonly #skipped: string[] = []
  readonly #faults: Fault[] = []
  #faultCount = 0
  /** How many items of the open container were handed over, and how many faults there were before the last one. */
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
    return Object.values(this.#frames[0]!.value)[0]
  }

  #decoded<R>(decode: () => R): R {
    try {
      return decode()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return this.#scanner.fail(this.#decoder.complaint(error))
    }
  }

  // What the scanner reports

  encoding(declared: string): string | undefined {
    return this.#decoder.contradiction(declared)
  }

  open(name: XmlName, foreign: string | undefined, attributes: XmlAttributes): void {
    if (this.#skipped.length > 0) return void this.#skipped.push(name.raw)
    const parent = this.#frames[this.#depth]!
    const field = foreign === undefined ? parent.shape?.elements.get(name.local) : undefined
    if (field === undefined) return this.#skip(name, foreign === undefined ? this.#unknown(parent) : strange(foreign))
    if (!field.repeated && parent.value[field.name] !== undefined)
      return this.#skip(name, 'this element may occur only once')
    parent.hasElements = true
    const frame = this.#push(field, name.local)
    if (field.shape) {
      frame.value = {}
      this.#enter(parent, frame)
    }
    if (attributes.count > 0) this.#readAttributes(frame, attributes)
  }

  text(source: string, from: number, to: number): void {
    if (this.#skipped.length > 0) return
    const frame = this.#frames[this.#depth]!
    if (frame.shape === undefined || frame.shape.text) {
      if (frame.text.length + to - from > this.#limits.text)
        this.#scanner.fail(`the text is longer than ${this.#limits.text} characters`)
      frame.text += source.slice(from, to)
    } else if (!frame.hasStrayText && spaceEnd(source, from) < to) {
      frame.hasStrayText = true
      this.#fault(this.#path(), `text is not allowed here: ${shown(source.slice(from, to).trim())}`)
    }
  }

  close(): void {
    if (this.#skipped.length > 0) return void this.#skipped.pop()
    const frame = this.#frames[this.#depth]!
    const parent = this.#frames[this.#depth - 1]!
    if (frame.shape) this.#leave(frame, frame.shape, parent)
    else join(parent, frame.field, this.#scalar(frame.field, frame.text))
    this.#depth--
  }

  fail(message: string): never {
    throw new BadMessage([...this.#faults.slice(0, maxFaults - 1), { path: this.#path(), message }])
  }

  // Elements

  #push(field: XmlField, name: string): Frame {
    const depth = ++this.#depth
    const frame = (this.#frames[depth] ??= frameOf(field))
    frame.name = name
    frame.field = field
    frame.shape = field.shape
    frame.text = ''
    frame.hasElements = false
    frame.hasStrayText = false
    return frame
  }

  /** Joins the value to its parent, unless it is an item that goes to the sink when it is complete. */
  #enter(parent: Frame, frame: Frame): void {
    if (this.#isItem(this.#depth)) {
      this.#items++
      this.#faultsBefore = this.#faultCount
    } else join(parent, frame.field, frame.value)
    if (this.#depth === containerDepth && frame.shape!.streamed) {
      this.#items = 0
      this.#meter.enterContainer(this.#scanner.position)
    } else if (this.#depth === itemDepth && parent.shape!.streamed) this.#meter.enterPart(this.#scanner.position)
  }

  #leave(frame: Frame, shape: XmlShape, parent: Frame): void {
    if (shape.text && frame.text !== '') this.#readText(frame, shape.text)
    for (const field of shape.required)
      if (frame.value[field.name] === undefined && !this.#wasStreamed(field)) this.#missing(field)
    if (this.#depth === containerDepth && shape.streamed) this.#meter.leaveContainer(this.#scanner.position)
    if (this.#depth !== itemDepth || !parent.shape!.streamed) return
    const isItem = frame.field === parent.shape!.streamed
    this.#checkSize()
    this.#meter.leavePart(this.#scanner.position, isItem)
    if (this.#sink && isItem && this.#faultCount === this.#faultsBefore) this.#sink(parent.field.name, frame.value)
  }

  /** Whether the element at this depth of the stack is one of those handed over to the sink. */
  #isItem(depth: number): boolean {
    if (this.#sink === undefined || depth !== itemDepth) return false
    return this.#frames[depth]!.field === this.#frames[depth - 1]!.shape!.streamed
  }

  #wasStreamed(field: XmlField): boolean {
    return (
      this.#sink !== undefined &&
      this.#depth === containerDepth &&
      this.#items > 0 &&
      this.#frames[this.#depth]!.shape!.streamed === field
    )
  }

  #checkSize(): void {
    if (this.#meter.size(this.#scanner.position) > this.#limits.item)
      this.#scanner.fail(`an item, or all that is not an item, is larger than ${this.#limits.item} bytes`)
  }

  // Values

  #readAttributes(frame: Frame, { count, names, values }: XmlAttributes): void {
    for (let i = 0; i < count; i++) {
      const name = names[i]!
      const field = name.prefix === '' ? frame.shape?.attributes.get(name.local) : undefined
      if (field === undefined)
        this.#fault(`${this.#path()}/@${name.raw}`, `unknown attribute; ${among(frame.shape?.attributes)}`)
      else if (frame.value[field.name] !== undefined)
        this.#fault(`${this.#path()}/@${name.raw}`, 'this attribute is another name of one that is present')
      else frame.value[field.name] = this.#scalar(field, values[i]!, name)
    }
  }

  /** White space between child elements is not a value. */
  #readText(frame: Frame, field: XmlField): void {
    if (frame.hasElements && spaceEnd(frame.text, 0) === frame.text.length) return
    frame.value[field.name] = this.#scalar(field, frame.text)
  }

  /** A refused value becomes null, so that it still counts as present. */
  #scalar(field: XmlField, text: string, attribute?: XmlName): unknown {
    const value = field.rule!.fromText(text)
    if (value !== undefined) return value
    this.#fault(this.#path() + (attribute ? `/@${attribute.raw}` : ''), scalarFault(field.rule!, text))
    return null
  }

  // Faults

  #fault(path: string, message: string): void {
    if (this.#faultCount++ < maxFaults) this.#faults.push({ path, message })
  }

  #skip(name: XmlName, message: string): void {
    const path = this.#path()
    this.#fault(`${path === '/' ? '' : path}/${name.raw}`, message)
    this.#skipped.push(name.raw)
  }

  #unknown(parent: Frame): string {
    return this.#depth === 0
      ? `the root element must be <${parent.shape!.fields[0]!.xml}>`
      : `unknown element; ${among(parent.shape?.elements)}`
  }

  #missing(field: XmlField): void {
    if (field.kind === 'text') this.#fault(this.#path(), 'the text is missing')
    else if (field.kind === 'attr') this.#fault(`${this.#path()}/@${field.xml}`, 'this attribute is missing')
    else this.#fault(`${this.#path()}/${field.xml}`, 'this element is missing')
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

  /** Which one of its list an open element is. A leaf joins the list only when it closes. */
  #number(depth: number): number {
    if (this.#isItem(depth)) return this.#items
    const { field, shape } = this.#frames[depth]!
    return (this.#frames[depth - 1]!.value[field.name]?.length ?? 0) + (shape ? 0 : 1)
  }
}

function frameOf(field: XmlField): Frame {
  return { name: field.name, field, shape: field.shape, value: {}, text: '', hasElements: false, hasStrayText: false }
}

function join(parent: Frame, field: XmlField, value: unknown): void {
  if (!field.repeated) parent.value[field.name] = value
  else if (parent.value[field.name] === undefined) parent.value[field.name] = [value]
  else parent.value[field.name].push(value)
}

function strange(uri: string): string {
  return `this element is in ${uri === '' ? 'no namespace' : `the namespace ${shown(uri)}`}; declare xmlns="${namespace}"`
}

function among(fields: Map<string, XmlField> | undefined): string {
  const names = new Set(Array.from(fields?.values() ?? [], (field) => field.xml))
  return names.size === 0 ? 'none is allowed here' : `allowed here: ${[...names].join(', ')}`
}
