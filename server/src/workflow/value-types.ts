/**
 * Parses external values by the types of the API: parameters of starts and fields of forms.
 *
 *   string   text                                long, integer   whole numbers          double   a number
 *   boolean  true or false                       language        a locale: en_GB
 *   date     2024-03-05T08:00:00.000+0100: with milliseconds, and an offset without a colon
 */
import type { parameterTypes } from '@kontor/contract'

export type ValueType = (typeof parameterTypes)[number]
export type Value = string | number | boolean

const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/
const within = (min: number, max: number) => (text: string) => {
  const number = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

/** Parsers by type, undefined for an invalid text, with a description of valid texts. */
// prettier-ignore
const types: Readonly<Record<ValueType, { read: (text: string) => Value | undefined; expected: string }>> = {
  string:   { read: (text) => text, expected: 'a text' },
  integer:  { read: within(-(2 ** 31), 2 ** 31 - 1), expected: 'a whole number of 32 bits' },
  long:     { read: within(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), expected: 'a whole number' },
  double:   { read: readDouble, expected: 'a number' },
  boolean:  { read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined), expected: 'true or false' },
  date:     { read: readDate, expected: 'a date like 2024-03-05T08:00:00.000+0100' },
  language: { read: (text) => (/^[a-z]{2,3}(_[A-Z]{2})?$/.test(text) ? text : undefined), expected: 'a locale like en_GB' },
}

function readDouble(text: string): number | undefined {
  const isNumber = text.length <= 400 && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
}

function readDate(text: string): string | undefined {
  if (!date.test(text)) return undefined
  const moment = new Date(`${text.slice(0, -2)}:${text.slice(-2)}`)
  // `Date` would roll a day that its month lacks over into the next month.
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10))
  return Number.isNaN(moment.getTime()) || !isDay ? undefined : text
}

export interface ValueRule {
  readonly key: string
  readonly type: ValueType
  readonly multiple: boolean
  readonly allowedValues: readonly string[]
}

/** Parses texts by a rule; returns the value or the fault. */
export function readValues(rule: ValueRule, texts: readonly string[]): { value: Value | Value[] } | { fault: string } {
  if (texts.length > 1 && !rule.multiple) return { fault: `${rule.key} takes one value; ${texts.length} are given` }
  const values: Value[] = []
  for (const text of texts) {
    const value = types[rule.type].read(text)
    if (value === undefined)
      return { fault: `${rule.key}: "${text.slice(0, 100)}" is not ${types[rule.type].expected}` }
    if (rule.allowedValues.length > 0 && !rule.allowedValues.includes(text)) {
      return { fault: `${rule.key}: "${text.slice(0, 100)}" is not one of ${rule.allowedValues.join(', ')}` }
    }
    values.push(value)
  }
  return { value: rule.multiple ? values : values[0]! }
}

/** Whether a key may be the name of a variable. */
export const isVariable = (key: string): boolean => /^[A-Za-z_]\w{0,63}$/.test(key) && !reserved.has(key)

/** Variables that every process has. */
const known = 'process starter linked item error products files projects peos glossaries'
const words = 'true false null and or not in __proto__'
export const reserved: ReadonlySet<string> = new Set(`${known} ${words}`.split(' '))
