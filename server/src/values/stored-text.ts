/**
 * Parses stored values from the text of a jsonb column. JSON.parse would build an object of a new shape for almost every
 * product, and creating a hidden class for each shape costs V8 many times the time of reading the text.
 *
 *   {"size": "8", "title": {"en_GB": "red", "de_DE": "rot"}, "tags": ["a", "b"]}      a value is a text, or is parsed alone
 */
import { Entries } from '../core/outbox/entries.ts'
import type { StoredValue } from './stored.ts'

const [quote, backslash, colon, comma, space] = [0x22, 0x5c, 0x3a, 0x2c, 0x20]
const [opening, closing] = [0x7b, 0x7d] // braces
/** The character code of a brace is that of the bracket plus this: `code | braceBit` maps [ to { and ] to }. */
const braceBit = 32

export function readStored(text: string): Entries<StoredValue> {
  const values = new Entries<StoredValue>()
  for (let at = text.indexOf('"'); at >= 0 && at < text.length - 1;) {
    const keyEnd = endOfText(text, at)
    const from = skip(text, keyEnd, colon)
    const to = text.charCodeAt(from) === quote ? endOfText(text, from) : endOfValue(text, from)
    values.add(valueAt(text, at, keyEnd) as string, valueAt(text, from, to))
    at = skip(text, to, comma)
  }
  return values
}

/** Most values are texts without escapes, which need no parsing. */
function valueAt(text: string, from: number, to: number): StoredValue {
  const isPlain = text.charCodeAt(from) === quote
  const within = isPlain ? text.slice(from + 1, to - 1) : ''
  return isPlain && !within.includes('\\') ? within : (JSON.parse(text.slice(from, to)) as StoredValue)
}

/** The position after the closing quotation mark; those inside the text are escaped. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end + 1
  }
}

/** The position after a list, an object or a literal such as null. */
function endOfValue(text: string, from: number): number {
  for (let at = from, depth = 0; ;) {
    const code = text.charCodeAt(at)
    const isEnd = (code | braceBit) === closing
    if (depth === 0 && (isEnd || code === comma)) return at
    if (isEnd) depth--
    else if ((code | braceBit) === opening) depth++
    at = code === quote ? endOfText(text, at) : at + 1
  }
}

/** The position after a separator and spaces. */
function skip(text: string, from: number, separator: number): number {
  let at = from
  while (text.charCodeAt(at) === separator || text.charCodeAt(at) === space) at++
  return at
}
