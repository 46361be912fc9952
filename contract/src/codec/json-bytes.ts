/**
 * The bytes of one JSON value: finds their end and parses them.
 *
 * The end is found by counting brackets outside of strings. JSON.parse checks later whether the value is well formed. The
 * skipper also detects two rare cases that need special treatment:
 *
 *   needsExactParse   a number with 16 or more digits, or a name with an escape: JSON.parse may return a wrong result
 *   suspicious        \u, \b, \f or the first byte of U+FFFE and U+FFFF: may be a character that is illegal in XML
 */
import { DuplicateName, parseExactly, propertiesIn } from './json-exact.ts'

// prettier-ignore
export const ascii = {
  quote: 0x22, backslash: 0x5c, comma: 0x2c, colon: 0x3a, objectStart: 0x7b, objectEnd: 0x7d, listStart: 0x5b, listEnd: 0x5d,
} as const
const { quote, backslash, comma, colon, objectStart, objectEnd, listStart, listEnd } = ascii
const [zero, nine, letterZ, letterB, letterF, letterU] = [0x30, 0x39, 0x5a, 0x62, 0x66, 0x75] as const
const unsafeDigits = 16
const firstOfNonCharacters = 0xef

export const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Skips over values, which may arrive in any number of pieces. */
export class JsonSkipper {
  /** Properties of the value so far; see above. */
  needsExactParse = false
  suspicious = false
  /** The number of properties of all its objects. */
  properties = 0
  readonly #maxNesting: number
  readonly #onTooDeep: () => never
  #nesting = 0
  #digits = 0
  #inString = false
  #escaped = false
  /** Whether the last string contained an escape. */
  #hadEscape = false
  /** A number, true, false or null. Only the following byte shows that it has ended. */
  #isWord = false

  constructor(maxNesting: number, onTooDeep: () => never) {
    this.#maxNesting = maxNesting
    this.#onTooDeep = onTooDeep
  }

  begin(first: number): void {
    this.#isWord = first !== quote && first !== objectStart && first !== listStart
    this.#digits = 0
    this.needsExactParse = false
    this.suspicious = false
    this.properties = 0
  }

  /** Continues at `at`. Returns the end of the value, or -1 if it does not end in these bytes. */
  skip(bytes: Uint8Array, at: number): number {
    if (this.#isWord) return this.#skipWord(bytes, at)
    const end = bytes.length
    let nesting = this.#nesting
    let digits = this.#digits
    while (at < end) {
      if (this.#inString) {
        at = this.#skipString(bytes, at)
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
        if (byte === colon) {
          this.properties++
          if (this.#hadEscape) this.needsExactParse = true
        }
      } else if (++digits === unsafeDigits) this.needsExactParse = true
    }
    this.#nesting = nesting
    this.#digits = digits
    return -1
  }

  /** Continues inside a string. Returns its end, or the end of the bytes if the string continues. */
  #skipString(bytes: Uint8Array, at: number): number {
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

  #skipWord(bytes: Uint8Array, at: number): number {
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === comma || byte === objectEnd || byte === listEnd || isSpace(byte)) return at
      if (byte > nine || byte < zero) this.#digits = 0
      else if (++this.#digits === unsafeDigits) this.needsExactParse = true
    }
    return -1
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface Parsed {
  value?: unknown
  /** Why the bytes were refused. */
  fault?: string
  /** The place of the fault inside the value, if it is known; see DuplicateName. */
  steps?: readonly (string | number)[]
}

/**
 * Decodes and parses one value that has this number of properties in its text. With `asList`, parses several values
 * separated by commas as a list.
 */
export function parseBytes(bytes: Uint8Array, asList: boolean, needsExactParse: boolean, properties: number): Parsed {
  let text
  try {
    text = decoder.decode(bytes)
  } catch {
    return { fault: 'this is not UTF-8' }
  }
  if (asList) text = `[${text}]`
  try {
    const value: unknown = needsExactParse ? parseExactly(text) : JSON.parse(text)
    return { value: propertiesIn(value) < properties ? parseExactly(text) : value }
  } catch (error) {
    if (error instanceof DuplicateName) return { fault: error.message, steps: error.steps }
    return { fault: 'this is not well-formed JSON' }
  }
}
