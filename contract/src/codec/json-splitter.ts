/**
 * Cuts a JSON message into parsed pieces while its bytes arrive, so that no message has to be held as a whole.
 *
 *   {"schemaVersion":"5.6.0","products":{"meta":{…},"product":[{…},{…},{…}]}}
 *                    ^held               ^container ^held      ^items, handed over as soon as they are complete
 *
 * Only the outline is looked at closely: the properties of the root and of its containers, and the commas of a streamed
 * list. A value inside is leapt over and then parsed. Items that are complete when a piece of the message ends are parsed
 * together, which is faster; one that is not is copied and waits for its rest. No byte is looked at twice, wherever the
 * message is cut.
 */
import type { Limits } from './codec.ts'
import { ascii, isSpace, JsonLeap, parseBytes } from './json-bytes.ts'

/** What may be opened after the name of a property. Everything else is held. */
export interface Opens {
  readonly object: boolean
  readonly list: boolean
}

export interface SplitHandler {
  /** A property of the root, or of the container that is open. */
  property(name: string): Opens
  /** The value of that property. */
  held(value: unknown, suspicious: boolean): void
  openContainer(): void
  closeContainer(): void
  openList(): void
  closeList(): void
  /** The next items of the list that is open. */
  items(values: readonly unknown[], suspicious: boolean): void
  /** Must throw. `ahead` items come before the place in question that were not handed over. */
  fail(message: string, ahead: number): never
}

type Level = 'root' | 'container' | 'list'
type State = 'start' | 'first' | 'name' | 'colon' | 'value' | 'after' | 'end'
type Leaping = 'name' | 'held' | 'item'

const { quote, comma, colon, objectStart, objectEnd, listStart, listEnd } = ascii
const byteOrderMark = [0xef, 0xbb, 0xbf]
/** Bytes of items that are parsed together. */
const batchSize = 64 * 1024
const noBytes = new Uint8Array(0)

export class JsonSplitter {
  readonly #handler: SplitHandler
  readonly #limits: Limits
  readonly #leap: JsonLeap
  #state: State = 'start'
  #level: Level = 'root'
  /** Where a list was opened. */
  #outside: Level = 'root'
  /** Of the last name. */
  #opens: Opens = { object: false, list: false }
  #suspiciousName = false
  #leaping: Leaping | undefined
  /** The piece at hand, and where it begins in the message. */
  #bytes: Uint8Array = noBytes
  #offset = 0
  #markBytes = 0
  /** Where the value being leapt over begins in the piece; below 0 when it began in an earlier one. */
  #from = 0
  /** The bytes of it that came with earlier pieces. */
  #carried = noBytes
  #carriedSize = 0
  /** The complete items of the piece: where each begins and ends, and whether any of them needs a second look. */
  #starts: number[] = []
  #ends: number[] = []
  #intricate = false
  #suspicious = false
  /** Bytes of everything that is not an item. */
  #shellSize = 0

  constructor(handler: SplitHandler, limits: Limits) {
    this.#handler = handler
    this.#limits = limits
    // An element is an object, and in a list in two: what is too deep for a type is found when it is judged.
    this.#leap = new JsonLeap(2 * limits.depth, () =>
      this.#fail(`objects are nested more than ${limits.depth} levels deep`),
    )
  }

  write(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#from = -this.#carriedSize
    let at = 0
    while (at < bytes.length) at = this.#leaping ? this.#leapOn(this.#leaping, at) : this.#token(bytes[at]!, at)
    this.#flush()
    if (this.#leaping) this.#carry(this.#leaping)
    this.#offset += bytes.length
    this.#bytes = noBytes
  }

  end(): void {
    if (this.#state === 'start') this.#fail('the message is empty')
    if (this.#state !== 'end') this.#fail(`the message ends before it is complete (byte ${this.#offset})`)
  }

  /** Takes one byte of the outline, and returns where the next is. */
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
        return this.#fail(`the message goes on after its end (byte ${this.#offset + at})`)
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
    if (byte === objectStart && this.#opens.object) {
      this.#handler.openContainer()
      this.#level = 'container'
    } else if (byte === listStart && this.#opens.list) {
      this.#handler.openList()
      this.#outside = this.#level
      this.#level = 'list'
    } else return this.#begin('held', byte, at)
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

  #begin(leaping: Leaping, byte: number, at: number): number {
    this.#leap.begin(byte)
    this.#leaping = leaping
    this.#from = at
    return at
  }

  #leapOn(leaping: Leaping, at: number): number {
    const to = this.#leap.leap(this.#bytes, at)
    if (to < 0) return this.#bytes.length
    if (to === this.#from) this.#expect('a value', at)
    this.#checkSize(leaping, to - this.#from)
    this.#leaping = undefined
    if (leaping === 'item') this.#addItem(to)
    else this.#single(leaping, to)
    return to
  }

  /** A name, or a value that is held. */
  #single(leaping: Leaping, to: number): void {
    const { intricate, suspicious } = this.#leap
    this.#shellSize += to - this.#from
    const { value, fault } = parseBytes(this.#take(this.#from, to), false, intricate)
    if (fault) this.#fail(`${fault} (from byte ${this.#offset + this.#from})`)
    if (leaping === 'name') {
      this.#opens = this.#handler.property(value as string)
      this.#suspiciousName = suspicious
      this.#state = 'colon'
    } else {
      this.#handler.held(value, suspicious || this.#suspiciousName)
      this.#state = 'after'
    }
  }

  #addItem(to: number): void {
    this.#starts.push(this.#from)
    this.#ends.push(to)
    this.#intricate ||= this.#leap.intricate
    this.#suspicious ||= this.#leap.suspicious
    this.#state = 'after'
    if (this.#from < 0 || to - this.#starts[0]! > batchSize) this.#flush()
  }

  /** Parses the items that are complete and hands them over. */
  #flush(): void {
    if (this.#starts.length === 0) return
    const [starts, ends, intricate, suspicious] = [this.#starts, this.#ends, this.#intricate, this.#suspicious]
    this.#starts = []
    this.#ends = []
    this.#intricate = this.#suspicious = false
    const bytes = this.#take(starts[0]!, ends.at(-1)!)
    const { value, fault } = parseBytes(bytes, true, intricate)
    if (fault) this.#failItem(starts, ends, bytes)
    this.#handler.items(value as unknown[], suspicious)
  }

  /** Finds the item that could not be parsed. */
  #failItem(starts: number[], ends: number[], bytes: Uint8Array): never {
    const first = starts[0]!
    const faults = starts.map(
      (start, i) => parseBytes(bytes.subarray(start - first, ends[i]! - first), false, false).fault,
    )
    const bad = faults.findIndex((fault) => fault !== undefined)
    return this.#handler.fail(`${faults[bad]} (from byte ${this.#offset + starts[bad]!})`, bad)
  }

  /** The bytes from `from` to `to`, and before them what was carried of them. */
  #take(from: number, to: number): Uint8Array {
    if (from >= 0) return this.#bytes.subarray(from, to)
    this.#append(this.#bytes.subarray(0, to))
    const taken = this.#carried.subarray(0, this.#carriedSize)
    this.#carried = noBytes
    this.#carriedSize = 0
    return taken
  }

  /** Keeps the begin of a value whose end is still to come. */
  #carry(leaping: Leaping): void {
    this.#append(this.#bytes.subarray(Math.max(this.#from, 0)))
    this.#checkSize(leaping, this.#carriedSize)
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

  #checkSize(leaping: Leaping, size: number): void {
    const { item } = this.#limits
    if (leaping === 'item') {
      if (size > item) this.#fail(`an item is larger than ${item} bytes`)
    } else if (this.#shellSize + size > item) this.#fail(`all that is not an item is larger than ${item} bytes`)
  }

  #expect(what: string, at: number): never {
    return this.#fail(`${what} is expected (byte ${this.#offset + at})`)
  }

  /** What was complete before is judged first, so that the fault told is the first one of the message. */
  #fail(message: string): never {
    this.#flush()
    return this.#handler.fail(message, 0)
  }
}
