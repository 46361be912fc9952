/**
 * Derives round ranges for a facet of numbers or dates that has no configured ranges. They depend only on the smallest
 * and the largest value among the hits, so they do not depend on how the index is split into segments.
 */
import type { FieldType, Range } from './port.ts'

const day = 86_400_000
/** Calendar steps in months, from a month to a century. */
const months = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200]

export function roundRanges(type: FieldType, smallest: number, largest: number, limit: number): Range[] {
  if (!(smallest <= largest)) return []
  const maxCount = Math.max(1, limit)
  return type === 'date' && largest - smallest > 31 * day && Math.abs(smallest) < 8e15 && Math.abs(largest) < 8e15
    ? calendarRanges(smallest, largest, maxCount)
    : decimalRanges(smallest, largest, maxCount, type === 'date' ? 1 : Number.MIN_VALUE)
}

function decimalRanges(smallest: number, largest: number, maxCount: number, finest: number): Range[] {
  const span = largest - smallest
  if (!Number.isFinite(span)) return [{ from: smallest }]
  let step = Math.max(finest, 10 ** Math.floor(Math.log10(Math.max(span / maxCount, finest))))
  let [first, last] = stepsAround(smallest, largest, step)
  for (let grow = 0; last - first >= maxCount; grow++) {
    step *= grow % 3 === 1 ? 2.5 : 2
    if (!Number.isFinite(step)) return [{ from: smallest }]
    ;[first, last] = stepsAround(smallest, largest, step)
  }
  // Beyond this precision neighbouring ranges would have the same bounds, so return a single range.
  if (!(last >= first) || !(Math.abs(first) < (Number.isInteger(step) ? 2 ** 52 : 1e14))) return [{ from: smallest }]
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    from: times(first + i, step),
    to: times(first + i + 1, step),
  }))
}

/** The first and last step. Division rounds (0.7 / 0.1 is less than 7), so both are checked against their bounds. */
function stepsAround(smallest: number, largest: number, step: number): [first: number, last: number] {
  const first = Math.floor(smallest / step)
  const last = Math.floor(largest / step)
  return [times(first, step) > smallest ? first - 1 : first, times(last + 1, step) <= largest ? last + 1 : last]
}

/** 3 x 0.1 is 0.3 and not 0.30000000000000004. */
function times(count: number, step: number): number {
  return Number.isInteger(step) ? count * step : Number((count * step).toPrecision(15))
}

function calendarRanges(smallest: number, largest: number, maxCount: number): Range[] {
  const first = monthOf(smallest)
  const last = monthOf(largest)
  const step = months.find((each) => Math.floor(last / each) - Math.floor(first / each) < maxCount)
  if (step === undefined) return [{ from: startOf(first), to: startOf(last + 1) }]
  const from = Math.floor(first / step)
  return Array.from({ length: Math.floor(last / step) - from + 1 }, (_, i) => ({
    from: startOf((from + i) * step),
    to: startOf((from + i + 1) * step),
  }))
}

function monthOf(time: number): number {
  const date = new Date(time)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
function startOf(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
  return date.getTime()
}
