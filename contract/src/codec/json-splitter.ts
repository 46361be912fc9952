/**
 * Splits a JSON message into parsed parts while its bytes arrive, so that no message is in memory as a whole.
 *
 *   {"schemaVersion":"5.6.0","products":{"meta":{…},"product":[{…},{…},{…}]}}
 *                    ^value              ^container ^value     ^items, passed on as soon as they are complete
 *
 * Only the outline is tokenized: the properties of the root and of its containers, and the commas of a streamed list. Each
 * value inside is skipped to find its end, and then parsed. Items that are complete at the end of a chunk are parsed
 * together, which is faster; an incomplete item is copied until the rest arrives. No byte is scanned twice, regardless of
 * how the message is cut into chunks.
 */
import type { Limits } from './codec.ts'
import { ascii, isSpace, JsonSkipper, parseBytes } from './json-bytes.ts'

/** Whether the splitter descends into the value of a property, if it is an object or a list. Other values are parsed whole. */
export interface Descends {
  readonly object: boolean
  readonly list: boolean
}

export interface SplitHandler {
  /** The name of a property of the root or of the open container. */
  property(name: string): Descends
  /** The value of that property. */
  propertyValue(value: unknown, suspicious: boolean): void
  openContainer(): void
  closeContainer(): void
  openList(): void
  closeList(): void
  /** The next items of the open list. */
  items(values: readonly unknown[], suspicious: boolean): void
  /**
   * Must throw. `ahead` is the number of items before the fault that were not passed on, `steps` the place of the fault
   * inside of the value.
   */
  fail(message: string, ahead: number, steps?: readonly (string | number)[]): never
}

type Level = 'root' | 'container' | 'list'
type State = 'start' | 'first' | 'name' | 'colon' | 'value' | 'after' | 'end'
type Skipping = 'name' | 'value' | 'item'

const { quote, comma, colon, objectStart, objectEnd, listStart, listEnd } = ascii
const byteOrderMark = [0xef, 0xbb, 0xbf]
/** Size in bytes of the items that are parsed together. */
const batchSize = 64 * 1024
const noBytes = new Uint8Array(0)

export class JsonSplitter {
  readonly #handler: SplitHandler
  readonly #limits: Limits
  readonly #skipper: JsonSkipper
  #state: State = 'start'
  #level: Level = 'root'
  /** The level that contains the open list. */
  #outside: Level = 'root'
  /** For the value of the last name. */
  #descends: Descends = { object: false, list: false }
  #suspiciousName = false
  #skipping: Skipping | undefined
  /** The current chunk, and its offset in the message. */
  #bytes: Uint8Array = noBytes
  #offset = 0
  #markBytes = 0
  /** The start of the skipped value in the chunk. Negative if it began in an earlier chunk. */
  #from = 0
  /** The bytes of the value from earlier chunks. */
  #carried = noBytes
  #carriedSize = 0
  /** The complete items of the chunk: start and end of each, and whether any of them needs special treatment. */
  #starts: number[] = []
  #ends: number[] = []
  #needsExactParse = false
  #suspicious = false
  #properties = 0
  /** Size in bytes of everything that is not an item. */
  #shellSize = 0

  constructor(handler: SplitHandler, limits: Limits) {
    this.#handler = handler
    this.#limits = limits
    // A list adds a second bracket to each level. The exact depth is checked when the value is validated.
    this.#skipper = new JsonSkipper(2 * limits.depth, () =>
      this.#fail(`objects are nested more than ${limits.depth} levels deep`),
    )
  }

  write(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#from = -this.#carriedSize
    let at = 0
    while (at < bytes.length) at = this.#skipping ? this.#continueSkip(this.#skipping, at) : this.#token(bytes[at]!, at)
    this.#flush()
    if (this.#skipping) this.#carry(this.#skipping)
    this.#offset += bytes.length
    this.#bytes = noBytes
  }

  end(): void {
    if (this.#state === 'start') this.#fail('the message is empty')
    if (this.#state !== 'end') this.#fail(`the message ends before it is complete (byte ${this.#offset})`)
  }

  /** Processes one byte of the outline. Returns the position of the next. */
  #token(byte: number, at: number): number {
    if (isSpace(byte)) return at + 1
    switch (this.#state) {
      case 'start':
        return this.#start(byte, at)
      case 'first':
        if (byte === this.#closing()) return this.#close(at)
        return this.#level === 'list' ? this.#begin('item', byte, at) : this.#name(byte, at)
      case 'name':
        return this.#name(byte, at)
      case 'colon':
        if (byte !== colon) this.#expect(`':'`, at)
        this.#state = 'value'
        return at + 1
      case 'value':
        return this.#value(byte, at)
      case 'after':
        if (byte === this.#closing()) return this.#close(at)
        if (byte !== comma) this.#expect(`',' or '${String.fromCharCode(this.#closing())}'`, at)
        this.#state = this.#level === 'list' ? 'value' : 'name'
        return at + 1
      case 'end':
        return this.#fail(`unexpected content after the end of the message (byte ${this.#offset + at})`)
    }
  }

  #start(byte: number, at: number): number {
    if (byte === byteOrderMark[this.#markBytes] && this.#offset + at === this.#markBytes) {
      this.#markBytes++
      return at + 1
    }
    if (byte !== objectStart || this.#markBytes % byteOrderMark.length !== 0) this.#expect(`'{'`, at)
    this.#state = 'first'
    return at + 1
  }

  #name(byte: number, at: number): number {
    if (byte !== quote) this.#expect('the name of a field in quotes', at)
    return this.#begin('name', byte, at)
  }

  #value(byte: number, at: number): number {
    if (this.#level === 'list') return this.#begin('item', byte, at)
    if (byte === objectStart && this.#descends.object) {
      this.#handler.openContainer()
      this.#level = 'container'
    } else if (byte === listStart && this.#descends.list) {
      this.#handler.openList()
      this.#outside = this.#level
      this.#level = 'list'
    } else return this.#begin('value', byte, at)
    this.#state = 'first'
    return at + 1
  }

  #closing(): number {
    return this.#level === 'list' ? listEnd : objectEnd
  }

  #close(at: number): number {
    this.#state = this.#level === 'root' ? 'end' : 'after'
    if (this.#level === 'container') this.#handler.closeContainer()
    if (this.#level === 'list') {
      this.#flush()
      this.#handler.closeList()
    }
    this.#level = this.#level === 'list' ? this.#outside : 'root'
    return at + 1
  }

  // Values

  #begin(skipping: Skipping, byte: number, at: number): number {
    this.#skipper.begin(byte)
    this.#skipping = skipping
    this.#from = at
    return at
  }

  #continueSkip(skipping: Skipping, at: number): number {
    const to = this.#skipper.skip(this.#bytes, at)
    if (to < 0) return this.#bytes.length
    if (to === this.#from) this.#expect('a value', at)
    this.#checkSize(skipping, to - this.#from)
    this.#skipping = undefined
    if (skipping === 'item') this.#addItem(to)
    else this.#single(skipping, to)
    return to
  }

  /** Parses a name or a value that is not an item. */
  #single(skipping: Skipping, to: number): void {
    const { needsExactParse, suspicious, properties } = this.#skipper
    this.#shellSize += to - this.#from
    const { value, fault, steps } = parseBytes(this.#take(this.#from, to), false, needsExactParse, properties)
    if (steps) this.#handler.fail(fault!, 0, steps)
    if (fault) this.#fail(`${fault} (from byte ${this.#offset + this.#from})`)
    if (skipping === 'name') {
      this.#descends = this.#handler.property(value as string)
      this.#suspiciousName = suspicious
      this.#state = 'colon'
    } else {
      this.#handler.propertyValue(value, suspicious || this.#suspiciousName)
      this.#state = 'after'
    }
  }

  #addItem(to: number): void {
    this.#starts.push(this.#from)
    this.#ends.push(to)
    this.#needsExactParse ||= this.#skipper.needsExactParse
    this.#suspicious ||= this.#skipper.suspicious
    this.#properties += this.#skipper.properties
    this.#state = 'after'
    if (this.#from < 0 || to - this.#starts[0]! > batchSize) this.#flush()
  }

  /** Parses the complete items and passes them on. */
  #flush(): void {
    if (this.#starts.length === 0) return
    const [starts, ends, needsExactParse, suspicious, properties] = [
      this.#starts,
      this.#ends,
      this.#needsExactParse,
      this.#suspicious,
      this.#properties,
    ]
    this.#starts = []
    this.#ends = []
    this.#needsExactParse = this.#suspicious = false
    this.#properties = 0
    const bytes = this.#take(starts[0]!, ends.at(-1)!)
    const { value, fault, steps } = parseBytes(bytes, true, needsExactParse, properties)
    if (steps) this.#handler.fail(fault!, steps[0] as number, steps.slice(1))
    if (fault) this.#failItem(starts, ends, bytes)
    this.#handler.items(value as unknown[], suspicious)
  }

  /** Finds the item that could not be parsed. */
  #failItem(starts: number[], ends: number[], bytes: Uint8Array): never {
    const first = starts[0]!
    const faults = starts.map(
      (start, i) => parseBytes(bytes.subarray(start - first, ends[i]! - first), false, false, 0).fault,
    )
    const bad = faults.findIndex((fault) => fault !== undefined)
    return this.#handler.fail(`${faults[bad]} (from byte ${this.#offset + starts[bad]!})`, bad)
  }

  /** The bytes from `from` to `to`, including those carried over from earlier chunks. */
  #take(from: number, to: number): Uint8Array {
    if (from >= 0) return this.#bytes.subarray(from, to)
    this.#append(this.#bytes.subarray(0, to))
    const taken = this.#carried.subarray(0, this.#carriedSize)
    this.#carried = noBytes
    this.#carriedSize = 0
    return taken
  }

  /** Keeps the beginning of a value that is not complete yet. */
  #carry(skipping: Skipping): void {
    this.#append(this.#bytes.subarray(Math.max(this.#from, 0)))
    this.#checkSize(skipping, this.#carriedSize)
  }

  #append(bytes: Uint8Array): void {
    const size = this.#carriedSize + bytes.length
    if (size > this.#carried.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#carried.length))
      larger.set(this.#carried.subarray(0, this.#carriedSize))
      this.#carried = larger
    }
    this.#carried.set(bytes, this.#carriedSize)
    this.#carriedSize = size
  }

  // Refusals

  #checkSize(skipping: Skipping, size: number): void {
    const { item } = this.#limits
    if (skipping === 'item') {
      if (size > item) this.#fail(`an item is larger than ${item} bytes`)
    } else if (this.#shellSize + size > item) this.#fail(`the message without its items is larger than ${item} bytes`)
  }

  #expect(what: string, at: number): never {
    return this.#fail(`expected ${what} (byte ${this.#offset + at})`)
  }

  /** Processes the complete items first, so that the first fault of the message is reported. */
  #fail(message: string): never {
    this.#flush()
    return this.#handler.fail(message, 0)
  }
}
