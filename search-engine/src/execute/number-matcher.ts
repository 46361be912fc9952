/** Predicates on numbers and dates: a test becomes intervals, and these a slice of the sorted order or a scan. */
import type { Test } from '../comparators.ts'
import type { FieldDefinition, Operand } from '../port.ts'
import type { NumberColumn } from '../segment/number-column.ts'
import { keyOf, spanOf, numberText } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'
import { setBit } from './hits.ts'
import { counted, marking, passing, type Matcher, type Span } from './matcher.ts'

/** Both ends are included. */
interface Interval {
  readonly low: number
  readonly high: number
}

export function matchNumber(
  column: NumberColumn,
  maxDoc: number,
  field: FieldDefinition,
  test: Test,
  operands: readonly Operand[],
): Matcher {
  const intervals = intervalsOf(test, operands)
  if (intervals) return intervalMatcher(column, maxDoc, intervals.filter(isFilled))
  const fits = writtenTest(test, keyOf(String(operands[0])))
  return passing(
    maxDoc,
    maxDoc,
    testOf(column, (value) => fits(numberText(field, value))),
  )
}

function intervalsOf(test: Test, operands: readonly Operand[]): Interval[] | undefined {
  const { first, last } = operands.length ? spanOf(operands[0]!) : { first: NaN, last: NaN }
  switch (test) {
    case 'eq':
    case 'in':
      return operands.map(spanOf).map((span) => ({ low: span.first, high: span.last }))
    case 'gt':
      return [{ low: neighbour(last, 1), high: Infinity }]
    case 'ge':
      return [{ low: first, high: Infinity }]
    case 'lt':
      return [{ low: -Infinity, high: neighbour(first, -1) }]
    case 'le':
      return [{ low: -Infinity, high: last }]
    default:
      return undefined
  }
}

function writtenTest(test: Test, pattern: string): (text: string) => boolean {
  if (test === 'ends') return (text) => text.endsWith(pattern)
  return test === 'wildcard' ? compileWildcard(pattern).matches : (text) => text.startsWith(pattern)
}

/** A slice of the sorted order is faster than a scan while it contains less than this share of the documents … */
const maxSliceShare = 1 / 3
/** … and always with more intervals than this, since a scan tests each of them. */
const maxScannedIntervals = 8

function intervalMatcher(column: NumberColumn, maxDoc: number, intervals: readonly Interval[]): Matcher {
  const { order, values, offsets, owners } = column
  const parts = intervals.map(({ low, high }) => ({ from: bound(column, low, false), to: bound(column, high, true) }))
  const cost = parts.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0)
  const ordered = marking(maxDoc, cost, (bits) => {
    for (const { from, to } of parts) {
      for (let i = from; i < to; i++) setBit(bits, owners ? owners[order[i]!]! : order[i]!)
    }
  })
  if (intervals.length > maxScannedIntervals) return ordered
  const isInside = insideOf(intervals)
  const [only] = intervals
  const isSpan = only && intervals.length === 1 && !offsets
  const scan = isSpan ? oneInterval(values, only, cost) : passing(maxDoc, cost, testOf(column, isInside))
  const matcher = cost > maxDoc * maxSliceShare ? scan : { ...ordered, restrict: scan.restrict }
  if (!isSpan) return matcher
  return { ...counted(matcher, cost, (doc) => isInside(values[doc]!)), span: spanFor(column, maxDoc, only) }
}

function spanFor(column: NumberColumn, maxDoc: number, { low, high }: Interval): Span {
  const meet = (other: Span) => {
    const both = { low: Math.max(low, other.low), high: Math.min(high, other.high) }
    return intervalMatcher(column, maxDoc, [both].filter(isFilled))
  }
  return { values: column.values, low, high, meet }
}
/** Operands that are not numbers produce NaN bounds, which match nothing. */
function isFilled({ low, high }: Interval): boolean {
  return low <= high
}

/** The common case: one value per document, one interval of known size. */
function oneInterval(values: Float64Array, { low, high }: Interval, cost: number): Matcher {
  return {
    cost,
    collect() {
      const docs = new Uint32Array(cost)
      let count = 0
      for (let doc = 0; count < cost; doc++) if (values[doc]! >= low && values[doc]! <= high) docs[count++] = doc
      return { docs, count }
    },
    restrict(hits, keep) {
      const { docs } = hits
      let kept = 0
      for (let i = 0; i < hits.count; i++) {
        const value = values[docs[i]!]!
        if ((value >= low && value <= high) === keep) docs[kept++] = docs[i]!
      }
      hits.count = kept
    },
  }
}

function insideOf(intervals: readonly Interval[]): (value: number) => boolean {
  const [only, ...others] = intervals
  if (!only) return () => false
  if (others.length) return (value) => intervals.some(({ low, high }) => value >= low && value <= high)
  const { low, high } = only
  return (value) => value >= low && value <= high
}

function testOf({ values, offsets }: NumberColumn, fits: (value: number) => boolean): (doc: number) => boolean {
  if (!offsets) return (doc) => values[doc] === values[doc] && fits(values[doc]!)
  return (doc) => {
    for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++) if (fits(values[i]!)) return true
    return false
  }
}

/** The slice of the sorted order within an interval. */
export function orderWithin(column: NumberColumn, { low, high }: Interval): Uint32Array {
  return column.order.subarray(bound(column, low, false), bound(column, high, true))
}

/** The number of entries in the sorted order below a value or, with `after`, up to and including it. */
function bound({ order, values }: NumberColumn, value: number, after: boolean): number {
  if (Number.isNaN(value)) return 0
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = values[order[middle]!]!
    if (found < value || (after && found === value)) low = middle + 1
    else high = middle
  }
  return low
}

/** The next double up or down; turns open bounds into closed ones. */
function neighbour(value: number, direction: 1 | -1): number {
  if (Number.isNaN(value) || value === Infinity * direction) return NaN
  if (value === 0) return direction * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(value > 0 ? direction : -direction))
  return view.getFloat64(0)
}

/** Documents that have any value. */
export function anyNumber({ values, offsets, order }: NumberColumn, maxDoc: number): Matcher {
  if (offsets) return passing(maxDoc, order.length, (doc) => offsets[doc + 1]! > offsets[doc]!)
  const isFilled = (doc: number) => values[doc] === values[doc]
  return counted(passing(maxDoc, order.length, isFilled), order.length, isFilled)
}
