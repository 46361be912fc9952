/**
 * The bytes of one JSON value: where it ends, and what it says.
 *
 * The end is found by counting brackets outside of strings, which is all that can be known before the value is complete;
 * whether it is well formed JSON.parse will say. On the way two rare things are noticed that need a second look:
 *
 *   intricate    a number of 16 digits and more, or a name with an escape in it: JSON.parse may get them wrong
 *   suspicious   \u, \b, \f or a byte of U+FFFE and U+FFFF: all that can bring in a character that XML cannot carry
 */
import { parseExactly } from './json-exact.ts'

// prettier-ignore
export const ascii = {
  quote: 0x22, backslash: 0x5c, comma: 0x2c, colon: 0x3a, objectStart: 0x7b, objectEnd: 0x7d, listStart: 0x5b, listEnd: 0x5d,
} as const
const { quote, backslash, comma, colon, objectStart, objectEnd, listStart, listEnd } = ascii
const [zero, nine, letterZ, letterB, letterF, letterU] = [0x30, 0x39, 0x5a, 0x62, 0x66, 0x75] as const
const manyDigits = 16
const firstOfNonCharacters = 0xef

export const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Leaps over values, which may come in any number of pieces. */
export class JsonLeap {
  /** What was noticed of the value so far. */
  intricate = false
  suspicious = false
  readonly #maxNesting: number
  readonly #onTooDeep: () => never
  #nesting = 0
  #digits = 0
  #inString = false
  #escaped = false
  /** Whether the last string had an escape in it. */
  #hadEscape = false
  /** A number, true, false or null: nothing but what follows says that it is over. */
  #isWord = false

  constructor(maxNesting: number, onTooDeep: () => never) {
    this.#maxNesting = maxNesting
    this.#onTooDeep = onTooDeep
  }

  begin(first: number): void {
    this.#isWord = first !== quote && first !== objectStart && first !== listStart
    this.#digits = 0
    this.intricate = false
    this.suspicious = false
  }

  /** Goes on at `at`. Returns where the value ends, or -1 when it does not end in these bytes. */
  leap(bytes: Uint8Array, at: number): number {
    if (this.#isWord) return this.#leapWord(bytes, at)
    const end = bytes.length
    let nesting = this.#nesting
    let digits = this.#digits
    while (at < end) {
      if (this.#inString) {
        at = this.#leapString(bytes, at)
        if (this.#inString) break
        if (nesting === 0) return at
        continue
      }
      const byte = bytes[at++]!
      if (byte === quote) {
        this.#inString = true
        this.#hadEscape = false
      } else if (byte > letterZ) {
        if (byte === objectStart || byte === listStart) {
          if (++nesting > this.#maxNesting) this.#onTooDeep()
        } else if ((byte === objectEnd || byte === listEnd) && --nesting === 0) {
          this.#nesting = 0
          return at
        }
      }
      if (byte > nine || byte < zero) {
        digits = 0
        if (byte === colon && this.#hadEscape) this.intricate = true
      } else if (++digits === manyDigits) this.intricate = true
    }
    this.#nesting = nesting
    this.#digits = digits
    return -1
  }

  /** Goes on inside a string. Returns where it ends, or the end of the bytes while still in the string. */
  #leapString(bytes: Uint8Array, at: number): number {
    const end = bytes.length
    if (this.#escaped) {
      this.#escaped = false
      this.#escape(bytes[at++]!)
    }
    while (at < end) {
      const byte = bytes[at++]!
      if (byte === quote) {
        this.#inString = false
        return at
      }
      if (byte === backslash) {
        if (at < end) this.#escape(bytes[at++]!)
        else this.#escaped = true
      } else if (byte === firstOfNonCharacters) this.suspicious = true
    }
    return at
  }

  #escape(byte: number): void {
    this.#hadEscape = true
    if (byte === letterU || byte === letterB || byte === letterF) this.suspicious = true
  }

  #leapWord(bytes: Uint8Array, at: number): number {
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === comma || byte === objectEnd || byte === listEnd || isSpace(byte)) return at
      if (byte > nine || byte < zero) this.#digits = 0
      else if (++this.#digits === manyDigits) this.intricate = true
    }
    return -1
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface Parsed {
  value?: unknown
  /** What is wrong with the bytes. */
  fault?: 'this is not UTF-8' | 'this is not well-formed JSON'
}

/** Decodes and parses the bytes of values; of several, separated by commas, as a list. */
export function parseBytes(bytes: Uint8Array, asList: boolean, intricate: boolean): Parsed {
  let text
  try {
    text = decoder.decode(bytes)
  } catch {
    return { fault: 'this is not UTF-8' }
  }
  if (asList) text = `[${text}]`
  try {
    return { value: intricate ? parseExactly(text) : JSON.parse(text) }
  } catch {
    return { fault: 'this is not well-formed JSON' }
  }
}
