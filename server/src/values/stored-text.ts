/**
 * Stored values as the database writes them, by key. What JSON.parse makes of the values of a product is an object whose
 * shape hardly any other has; finding out about a new shape takes the engine many times as long as reading the text.
 *
 *   {"size": "8", "title": {"en_GB": "red", "de_DE": "rot"}, "tags": ["a", "b"]}      a value is a text, or is parsed alone
 */
import { Entries } from '../core/outbox/entries.ts'
import type { StoredValue } from './stored.ts'

const [quote, backslash, colon, comma, space, opening, closing] = Buffer.from('"\\:, {}') as unknown as Codes
type Codes = [number, number, number, number, number, number, number]
/** By this much, brackets are before braces. */
const beforeBraces = 32

export function readStored(text: string): Entries<StoredValue> {
  const values = new Entries<StoredValue>()
  for (let at = text.indexOf('"'); at >= 0 && at < text.length - 1;) {
    const keyEnd = endOfText(text, at)
    const from = behind(text, keyEnd, colon)
    const to = text.charCodeAt(from) === quote ? endOfText(text, from) : endOfValue(text, from)
    values.add(
      valueAt(text, at, keyEnd) as string, // what stands between quotation marks is a text
      valueAt(text, from, to),
    )
    at = behind(text, to, comma)
  }
  return values
}

/** What stands in a place: mostly a text as it is. */
function valueAt(text: string, from: number, to: number): StoredValue {
  const isPlain = text.charCodeAt(from) === quote
  const within = isPlain ? text.slice(from + 1, to - 1) : ''
  return isPlain && !within.includes('\\') ? within : (JSON.parse(text.slice(from, to)) as StoredValue)
}

/** Behind the closing quotation mark; those of the text itself are escaped. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end + 1
  }
}

/** Behind a list, an object or a word such as null. */
function endOfValue(text: string, from: number): number {
  for (let at = from, depth = 0; ;) {
    const code = text.charCodeAt(at)
    const isEnd = (code | beforeBraces) === closing
    if (depth === 0 && (isEnd || code === comma)) return at
    if (isEnd) depth--
    else if ((code | beforeBraces) === opening) depth++
    at = code === quote ? endOfText(text, at) : at + 1
  }
}

/** Where the text goes on behind a separator. */
function behind(text: string, from: number, separator: number): number {
  let at = from
  while (text.charCodeAt(at) === separator || text.charCodeAt(at) === space) at++
  return at
}
