/**
 * Scalars: what each kind accepts from XML text and from a JSON value, and the error message for everything else.
 *
 *   scalar   from text (XML)                      from JSON                        in memory
 *   string   as it is                             string                           string
 *   long     digits, int64                        whole number or digits           number, bigint above 2^53
 *   integer  digits, int32                        whole number or digits           number
 *   boolean  true false 1 0                       true false                       boolean
 *   flag     true false                           'true' 'false' true false        'true' | 'false'
 *   date     2024-02-25, 2024-02-25T08:00:00Z     the same, as a string            the string as sent
 *   number   decimal                              number                           number
 *   words    exactly one of them                  exactly one of them              the word
 *
 * Readers look up a rule once (`scalarOf`) and call it often. A rule therefore returns undefined for a refused value, and
 * the error message is built separately. In XML, white space around a value is dropped as in XML Schema, except for
 * string and words.
 */
import type { Field, Long, Scalar, ScalarName } from '../schema/describe.ts'
import { isSpace } from './xml-characters.ts'

export interface ScalarRule {
  /** The value, or undefined if the text is refused. */
  readonly fromText: (text: string) => unknown
  /** The value, or undefined if the JSON value is refused. */
  readonly fromJson: (value: unknown) => unknown
  /** Completes the error message: `… is not <expected>`. */
  readonly expected: string
}

const minLong = -(2n ** 63n)
const maxLong = 2n ** 63n - 1n
const minInteger = -(2 ** 31)
const maxInteger = 2 ** 31 - 1

const wholeNumber = /^[+-]?\d{1,40}$/
const decimalNumber = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/
const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-3]):?[0-5]\d|[+-]14:?00)?)?$/

/** Adding 0 turns -0 into 0, because no format can express the difference. */
function long(value: number | bigint): Long | undefined {
  if (Number.isSafeInteger(value)) return (value as number) + 0
  if (typeof value !== 'bigint' || value < minLong || value > maxLong) return undefined
  const near = Number(value)
  return Number.isSafeInteger(near) ? near : value
}

function longFromDigits(digits: string): Long | undefined {
  if (!wholeNumber.test(digits)) return undefined
  const near = Number(digits)
  return Number.isSafeInteger(near) ? near + 0 : long(BigInt(digits.startsWith('+') ? digits.slice(1) : digits))
}

function longFromJson(value: unknown): Long | undefined {
  if (typeof value === 'string') return longFromDigits(value)
  return typeof value === 'number' || typeof value === 'bigint' ? long(value) : undefined
}

const inInteger = (value: Long | undefined) =>
  typeof value === 'number' && value >= minInteger && value <= maxInteger ? value : undefined

function numberFromJson(value: unknown): number | undefined {
  const found = typeof value === 'bigint' ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) ? found + 0 : undefined
}

function numberFromDecimal(decimal: string): number | undefined {
  return decimalNumber.test(decimal) ? numberFromJson(Number(decimal)) : undefined
}

function realDate(date: string): string | undefined {
  const parts = dateTime.exec(date)
  if (!parts) return undefined
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year > 0 && month > 0 && month < 13 && day > 0 && day <= daysOf(year, month) ? date : undefined
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Trims XML white space only. A no-break space remains, and is refused where a number is expected. */
function trimmed(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  return to - from === text.length ? text : text.slice(from, to)
}

const spaced =
  <V>(read: (text: string) => V) =>
  (text: string) =>
    read(trimmed(text))
const ifString =
  <V>(read: (text: string) => V) =>
  (value: unknown) =>
    typeof value === 'string' ? read(value) : undefined

const booleans = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

function flag(value: unknown): string | undefined {
  const word = typeof value === 'boolean' ? String(value) : value
  return word === 'true' || word === 'false' ? word : undefined
}

const legal = (text: string) => (illegalCharacter(text) < 0 ? text : undefined)

// prettier-ignore
const rules: Record<ScalarName, ScalarRule> = {
  string:  { expected: 'a text',
             fromText: (text) => text, fromJson: ifString(legal) },
  long:    { expected: `a whole number from ${minLong} to ${maxLong}`,
             fromText: spaced(longFromDigits), fromJson: longFromJson },
  integer: { expected: `a whole number from ${minInteger} to ${maxInteger}`,
             fromText: spaced((digits) => inInteger(longFromDigits(digits))), fromJson: (value) => inInteger(longFromJson(value)) },
  boolean: { expected: 'true or false',
             fromText: spaced((word) => booleans.get(word)), fromJson: (value) => (typeof value === 'boolean' ? value : undefined) },
  flag:    { expected: `'true' or 'false'`,
             fromText: spaced(flag), fromJson: flag },
  date:    { expected: 'a date such as 2024-02-25 or 2024-02-25T08:00:00.000Z',
             fromText: spaced(realDate), fromJson: ifString(realDate) },
  number:  { expected: 'a number',
             fromText: spaced(numberFromDecimal), fromJson: numberFromJson },
}

/** The rule of a field with a scalar: the rule of the scalar, within the range of the field. Look it up once per field. */
export function ruleOf({ scalar, range }: Field): ScalarRule {
  const rule = scalarOf(scalar!)
  if (range === undefined) return rule
  const [min, max] = range
  const inRange = (value: unknown) => (typeof value === 'number' && value >= min && value <= max ? value : undefined)
  return {
    expected: `a whole number from ${min} to ${max}`,
    fromText: (text) => inRange(rule.fromText(text)),
    fromJson: (value) => inRange(rule.fromJson(value)),
  }
}

/** The rule of a scalar. */
export function scalarOf(scalar: Scalar): ScalarRule {
  if (typeof scalar === 'string') return rules[scalar]
  const words = new Map(scalar.map((word) => [word, word]))
  const read = (value: unknown) => words.get(value as string)
  return { fromText: read, fromJson: read, expected: `one of ${scalar.map((word) => `'${word}'`).join(', ')}` }
}

/** The error message for a refused value: what was found and what is expected. */
export function scalarFault(rule: ScalarRule, value: unknown): string {
  const fault = rule === rules.string && typeof value === 'string' ? illegalTextFault(value) : undefined
  return fault ?? `${quoteValue(value)} is not ${rule.expected}`
}

/** The error message for a text that no message can contain, or undefined. */
export function illegalTextFault(text: string): string | undefined {
  const at = illegalCharacter(text)
  return at < 0 ? undefined : `the character ${codePoint(text, at)} cannot be part of a message; leave it out`
}

/** The text of a value in XML. Exact for every long. */
export function writeScalar(value: unknown): string {
  return typeof value === 'string' ? value : String(value)
}

const illegal = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** A much faster pre-check, which also matches the halves of complete surrogate pairs. */
const suspicious = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/

/** The index of the first character that is illegal in XML 1.0 (including lone surrogates), or -1. */
export function illegalCharacter(text: string): number {
  return suspicious.test(text) ? text.search(illegal) : -1
}

/** The code point of a character, for example U+0000. */
export function codePoint(text: string, at: number): string {
  return `U+${text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A value as quoted in error messages: shortened, and without characters that are illegal in XML. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return `'${shortened(value)}'`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

const longestQuote = 60
function shortened(text: string): string {
  const short = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return short.replace(new RegExp(illegal, 'gu'), '\ufffd')
}
