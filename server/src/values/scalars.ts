/**
 * One value at a time, by data type: every way of writing it is brought to one text, so that equal values are equal texts.
 *
 *   sent                                   stored
 *   text     as it is                      as it is
 *   number   +01.50   1e3   -0             1.5   1000   0             any number of digits, never rounded
 *   date     2024-02-25   …T08:00+02:00    2024-02-25T00:00:00.000Z   UTC, in milliseconds
 *   boolean  TRUE   0                      true   false
 *
 * Most values are sent as they are stored; that is looked for first.
 */

/** The one form of a text, or undefined when it is none of this type. */
export type ReadScalar = (text: string) => string | undefined

export type DataType = 'text' | 'number' | 'date' | 'boolean' | 'ref' | 'table'

// prettier-ignore
export const scalars: Record<Exclude<DataType, 'table'>, { readonly read: ReadScalar; readonly expected: string }> = {
  text:    { read: (text) => text, expected: 'a text' },
  ref:     { read: (text) => text, expected: 'the tid of an object' },
  number:  { read: readNumber, expected: 'a number such as 12.5' },
  date:    { read: readDate, expected: 'a date such as 2024-02-25 or 2024-02-25T08:00:00.000Z' },
  boolean: { read: (text) => booleans.get(text) ?? booleans.get(text.trim().toLowerCase()), expected: 'true or false' },
}

const booleans = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['1', 'true'],
  ['0', 'false'],
])

const storedNumber = /^(?:0|-?(?:[1-9]\d{0,99}(?:\.\d{0,99}[1-9])?|0\.\d{0,99}[1-9]))$/
const anyNumber = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/
const longest = 1000
const mostDigits = 400

function readNumber(text: string): string | undefined {
  if (storedNumber.test(text)) return text
  if (text.length > longest || !/\d/.test(text)) return undefined
  const parts = anyNumber.exec(text.trim())
  if (!parts) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point > mostDigits || digits.length - point > mostDigits) return undefined
  const left = digits.slice(0, Math.max(point, 0)).padEnd(point, '0').replace(/^0+/, '') || '0'
  const right = (point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(point, 0))
  const number = `${left}.${right}`.replace(/\.?0*$/, '')
  return sign === '-' && number !== '0' ? `-${number}` : number
}

/** Which of two numbers in stored form is the larger; exact for any number of digits. */
export function compareNumbers(a: string, b: string): number {
  const [aMinus, bMinus] = [a.startsWith('-'), b.startsWith('-')]
  if (aMinus !== bMinus) return aMinus ? -1 : 1
  return aMinus ? compareSizes(b.slice(1), a.slice(1)) : compareSizes(a, b)
}

function compareSizes(a: string, b: string): number {
  const [aWhole = '', aFraction = ''] = a.split('.')
  const [bWhole = '', bFraction = ''] = b.split('.')
  if (aWhole.length !== bWhole.length) return aWhole.length - bWhole.length
  return compareTexts(aWhole, bWhole) || compareTexts(aFraction, bFraction)
}

export const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const storedDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
const anyDate = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/

function readDate(text: string): string | undefined {
  if (storedDate.test(text)) return text
  const parts = anyDate.exec(text.trim())
  if (!parts) return undefined
  const [, day, time = '00:00', zone = 'Z'] = parts
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day!)) return undefined
  const moment = new Date(`${day}T${time}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`)
  const written = Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
  return written !== undefined && storedDate.test(written.replace(/-\d\dT/, '-01T')) ? written : undefined
}
