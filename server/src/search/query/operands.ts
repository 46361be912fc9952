/** Converts the values of a query to the type of their field: one table of types, each with its own error text. */
import type { DocumentField } from '../../core/outbox/documents.ts'
import { partsOfMeasure, toBase, unitFinder, type UnitSize } from '@kontor/contract'
import type { Moment, Operand } from '@kontor/search-engine'
import { Problem } from '../../errors.ts'

type Read = (value: unknown) => Operand | undefined

// prettier-ignore
const types: Record<DocumentField['type'], { readonly read: Read; readonly expected: string }> = {
  text:    { read: toText,    expected: 'a text' },
  keyword: { read: toText,    expected: 'a text' },
  number:  { read: toNumber,  expected: 'a number' },
  date:    { read: toDate,    expected: 'a date such as 2024-05-01, 2024-05-01T12:00:00Z, or milliseconds since 1970' },
  boolean: { read: toBoolean, expected: 'true or false' },
}

export function toOperand({ name, type, units }: DocumentField, value: unknown, place: string): Operand {
  const { read, expected: plain } = types[type]
  const operand = read(value) ?? (units && toMeasure(units, value))
  if (operand !== undefined) return operand
  const codes = units?.map(({ code }) => code)
  const expected = codes ? `a number in ${codes[0]}, or an amount in one of ${codes.join(', ')}` : plain
  const quoted = typeof value === 'object' ? 'this' : `"${String(value).slice(0, 60)}"`
  throw new Problem('invalid', `${place}: ${quoted} is not ${expected}, as the field ${name} has`)
}

/** For comparators that compare the written form of a value, regardless of its type. */
export function toWritten(value: unknown, place: string): string {
  const text = toText(value)
  if (text === undefined) throw new Problem('invalid', `${place}: expected a text`)
  return text
}

function toText(value: unknown): string | undefined {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : undefined
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number)
    ? number
    : typeof number === 'bigint'
      ? Number(number)
      : undefined
}

/** An amount with a unit, in the base unit. */
function toMeasure(units: readonly UnitSize[], value: unknown): number | undefined {
  const parts = typeof value === 'string' ? partsOfMeasure(value) : undefined
  const unit = parts && unitFinder(units)(parts.unit)
  return unit && toBase(Number(parts.number), unit)
}

const booleans = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
])
function toBoolean(value: unknown): boolean | undefined {
  return booleans.get(value)
}

/** 2024, 2024-05 and 2024-05-01 mean the whole period in UTC; a date with a time is one moment. */
function toDate(value: unknown): number | Moment | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value !== 'string') return undefined
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(value.trim()) ?? []
  if (year === undefined) return toMoment(value.trim())
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const from = dayOf(y, m, d)
  const first = new Date(from)
  if (first.getUTCMonth() !== m || first.getUTCDate() !== d) return undefined
  const to = day !== undefined ? dayOf(y, m, d + 1) : month !== undefined ? dayOf(y, m + 1, 1) : dayOf(y + 1, 0, 1)
  return { from, to }
}

/** Does not use `Date.UTC`, which reads the year 1 as 1901. */
const dayOf = (year: number, month: number, day: number) => new Date(0).setUTCFullYear(year, month, day)

/** A time without a zone is UTC, as everywhere in the API. */
function toMoment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const time = Date.parse(/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}
