/**
 * How the cells of a table write the values of a column, as the profile describes it:
 *
 *   profile                          cell         value
 *   decimal ","  thousands "."       1.234,50     1234.50
 *   dateFormat DD.MM.YYYY            25.02.2024   2024-02-25
 *   trueWords ja  falseWords nein    Ja           true
 *   values of the column             SHOES        /Shop/Shoes
 *   unit kg of the column            500 g        0.5; of a measure 500 g
 *
 * Exports with the profile write the same notation, so that they can be imported with it. A cell in another notation is
 * refused rather than guessed: 1.5 is not 15.
 */
import { because, type UnitSize } from '@kontor/contract'
import { Problem } from '../errors.ts'
import type { Profile } from './options.ts'
import { inUnit, type Notation, withCurrencies, withUnits } from './units.ts'

/** Undefined if cells contain the values as they are. `units`: of a measure, to which administrators can add. */
export function notationOf(
  profile: Profile | undefined,
  heading: string,
  type: string | undefined,
  units?: readonly UnitSize[],
): Notation | undefined {
  if (!profile) return undefined
  const { values, unit, cellUnit = unit } = profile.columns?.find(({ column }) => column === heading) ?? {}
  const typed = type === undefined ? undefined : byType.get(type)?.(profile)
  const amounts = type === 'measure' ? withUnits : type === 'price' ? withCurrencies : undefined
  const measured =
    amounts?.(cellUnit, numbers(profile), units) ?? (unit === undefined ? typed : inUnit(unit, cellUnit!, typed))
  const notation = values ? mapped(values, measured) : measured
  return profile.trim ? trimmed(notation) : notation
}

function trimmed(notation: Notation | undefined): Notation {
  const { read = (cell: string) => cell, write = (value: string) => value } = notation ?? {}
  return { read: (cell) => read(cell.trim()), write }
}

const byType: ReadonlyMap<string, (profile: Profile) => Notation | undefined> = new Map([
  ['number', numbers],
  ['date', dates],
  ['boolean', booleans],
])

function mapped(values: Readonly<Record<string, string>>, otherwise: Notation | undefined): Notation {
  const cells = new Map<string, string>()
  for (const [cell, value] of Object.entries(values)) if (!cells.has(value)) cells.set(value, cell)
  return {
    read(cell) {
      const key = cell.trim()
      return Object.hasOwn(values, key) ? values[key]! : (otherwise?.read(cell) ?? cell)
    },
    write: (value) => cells.get(value) ?? otherwise?.write(value) ?? value,
  }
}

const refusal = (cell: string, expected: string) =>
  new Problem('invalid', because('cellForm', { cell: cell.slice(0, 50), expected }))

// Numbers

/** Signs that look the same are the same. */
const thousandsSigns: Readonly<Record<string, string>> = {
  ' ': '[ \u00a0\u2009\u202f]',
  "'": "['’]",
  '.': '\\.',
  ',': ',',
}

function numbers({ decimal, thousands }: Profile): Notation | undefined {
  if (decimal === undefined && thousands === undefined) return undefined
  const point = decimal ?? '.'
  const group = thousands === undefined ? undefined : thousandsSigns[thousands]
  const whole = group === undefined ? '\\d+' : `\\d{1,3}(?:${group}\\d{3})+|\\d+`
  const expected = new RegExp(`^[+-]?(?=\\${point}?\\d)(?:${whole})?(?:\\${point}\\d*)?(?:[eE][+-]?\\d{1,3})?$`)
  const grouping = group === undefined ? undefined : new RegExp(group, 'g')
  return {
    read(cell) {
      const text = cell.trim()
      if (text === '') return ''
      if (!expected.test(text)) throw refusal(cell, `a number such as 1${thousands ?? ''}234${point}5`)
      return (grouping ? text.replaceAll(grouping, '') : text).replace(point, '.')
    },
    write: (value) => value.replace('.', point),
  }
}

// Dates

const dateParts: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
}
const dateWords = /YYYY|MM?|DD?|HH|mm|ss/g

/** The reason why a date format cannot be used. */
export function dateFormatFault(format: string): string | undefined {
  const words = format.match(dateWords) ?? []
  const has = (initial: string) => words.filter((word) => word.startsWith(initial)).length
  const isDate = ['Y', 'M', 'D'].every((initial) => has(initial) === 1)
  const short = words.filter((word) => word.length === 1).length
  const separate = format.match(/(?<![A-Za-z])[MD](?![A-Za-z])/g)?.length ?? 0
  const isTime = has('H') === has('m') && has('H') <= 1 && has('s') <= has('m')
  if (
    format.length <= 50 &&
    isDate &&
    isTime &&
    short === separate &&
    !/[\p{L}\p{N}]/u.test(format.replaceAll(dateWords, ''))
  )
    return undefined
  return 'expected the year as YYYY, the month as MM or M and the day as DD or D, as in DD.MM.YYYY, with signs around M and D; the time, if any, as HH:mm or HH:mm:ss'
}

function dates({ dateFormat }: Profile): Notation | undefined {
  if (dateFormat === undefined) return undefined
  const pattern = dateFormat.replaceAll(
    /[^A-Za-z]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const expected = new RegExp(`^${pattern.replaceAll(dateWords, (word) => dateParts[word]!)}$`)
  const read = (cell: string) => {
    const text = cell.trim()
    if (text === '' || /^\d{4}-\d\d-\d\dT/.test(text)) return text // workbooks store dates
    const { year, month = '', day = '', hour, minute = '00', second = '00' } = expected.exec(text)?.groups ?? {}
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    const value = hour === undefined ? date : `${date}T${hour}:${minute}:${second}`
    if (year === undefined || !isDate(value)) throw refusal(cell, `a date such as ${written(dateFormat, '2024-02-25T08:30:00.000Z')}`) // prettier-ignore
    return value
  }
  return {
    read,
    write(value) {
      const cell = written(dateFormat, value)
      return isSame(read(cell), value) ? cell : value // the format has no place for the time
    },
  }
}

/** Months end at their last day: a date that does not exist would become another one. */
const isDate = (value: string) => stamp(value)?.startsWith(value) ?? false
const isSame = (value: string, stored: string) => stamp(value) === stored
function stamp(value: string): string | undefined {
  const date = new Date(value.includes('T') ? `${value}Z` : value)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function written(format: string, stored: string): string {
  const [, YYYY = '', MM = '', DD = '', HH = '', mm = '', ss = ''] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(stored) ?? []
  const parts: Readonly<Record<string, string>> = { YYYY, MM, DD, HH, mm, ss, M: MM.replace(/^0/, ''), D: DD.replace(/^0/, '') } // prettier-ignore
  return format.replaceAll(dateWords, (word) => parts[word]!)
}

// Words for yes and no

/** Case does not matter. */
export const wordKey = (word: string) => word.trim().toLowerCase()

function booleans({ trueWords = [], falseWords = [] }: Profile): Notation | undefined {
  if (trueWords.length === 0 && falseWords.length === 0) return undefined
  const values = new Map([
    ...trueWords.map((word) => [wordKey(word), 'true'] as const),
    ...falseWords.map((word) => [wordKey(word), 'false'] as const),
  ])
  const words = new Map([
    ['true', trueWords[0]],
    ['false', falseWords[0]],
  ])
  return { read: (cell) => values.get(wordKey(cell)) ?? cell, write: (value) => words.get(value) ?? value }
}

// Deletions

/**
 * The column `deleted` in the table of a series. Imports do not delete: a product that is only no longer part of the
 * export is marked in the same way.
 */
export const deletionMark = ({ falseWords = [] }: Profile = {}): Notation => ({
  read(cell) {
    if (['', '0', 'false', ...falseWords.map(wordKey)].includes(wordKey(cell))) return ''
    throw new Problem(
      'invalid',
      'the row marks a deletion, and imports do not delete; delete the product yourself and remove the row, or ignore the column in a profile',
    )
  },
  write: (value) => value,
})
