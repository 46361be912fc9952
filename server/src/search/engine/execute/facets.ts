/**
 * Facets by counting: one loop over the hits per field, by ordinal. Ordinals are numbers of a segment, so segments
 * are added up by value: all values of the smaller segments, and of the largest one only those that can still win.
 */
import { isNumeric, isWhole } from '../comparators.ts'
import type { FacetRequest, FacetResult, FieldDefinition, NamedBucket, RangedBucket } from '../port.ts'
import { roundRanges } from '../ranges.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import type { NumberColumn } from '../segment/number-column.ts'
import { placeName } from '../segment/segment.ts'
import { lowerBound, textAt } from '../segment/strings.ts'
import { inRange, pathSeparator, placeOf } from '../values.ts'
import type { Hits } from './hits.ts'
import { selectFirst, type SegmentHits } from './order.ts'
import type { QueryContext } from './words.ts'

export function countFacet(context: QueryContext, parts: readonly SegmentHits[], request: FacetRequest): FacetResult[] {
  const field = context.fields.get(request.field)
  if (!field || (!isNumeric(field) && !isWhole(field))) return []
  const place = placeOf(context.schema, field, request.locale)
  const name = placeName(field.name, place)
  const filled = parts.filter(({ hits }) => hits.count > 0)
  if (isNumeric(field)) {
    const columns = filled.map(({ segment, hits }) => ({ column: segment.numbers.get(name), hits }))
    return [{ field: field.name, facetType: 'RANGED', buckets: rangedBuckets(field, columns, request) }]
  }
  const counts = filled.map(({ segment, hits }) => countOrdinals(segment.keywords.get(name), hits))
  const { compare } = context.collationOf(place || context.schema.defaultLocale)
  return [{ field: field.name, facetType: 'NAMED', buckets: namedBuckets(field, counts, request, compare) }]
}

// Named

interface Counts {
  readonly column: KeywordColumn | undefined
  /** By ordinal. */
  readonly byOrdinal: Uint32Array
  readonly empty: number
}

function countOrdinals(column: KeywordColumn | undefined, { docs, count }: Hits): Counts {
  if (!column) return { column, byOrdinal: new Uint32Array(0), empty: count }
  const { single, offsets, ords } = column
  const counts = new Uint32Array(column.values.count + 1)
  if (single) {
    for (let i = 0; i < count; i++) counts[single[docs[i]!]!]!++
  } else {
    for (let i = 0; i < count; i++) {
      const from = offsets![docs[i]!]!
      const to = offsets![docs[i]! + 1]!
      if (from === to) counts[0]!++
      for (let j = from; j < to; j++) counts[ords![j]! + 1]!++
    }
  }
  return { column, byOrdinal: counts.subarray(1), empty: counts[0]! }
}

type Compare = (a: string, b: string) => number

function namedBuckets(
  field: FieldDefinition,
  counts: readonly Counts[],
  request: FacetRequest,
  compare: Compare,
): NamedBucket[] {
  const totals = field.path ? addUp(counts, undefined, compare) : addUp(counts, request.limit, compare)
  const buckets = field.path ? tree(totals, request.limit, compare) : best(totals, request.limit, compare)
  const empty = counts.reduce((sum, each) => sum + each.empty, 0)
  const named = field.type === 'boolean' ? buckets.map((each) => ({ ...each, value: each.value === 'true' })) : buckets
  return request.countEmpty && empty > 0 ? [...named, { value: null, count: empty }] : named
}

/**
 * The counts by value. With a limit, those that can be among the best: a value that only the largest segment has
 * counts what it counts there, so beyond the best of that segment only values of other segments matter.
 */
function addUp(counts: readonly Counts[], limit: number | undefined, compare: Compare): Map<string, number> {
  const [largest, ...others] = counts.toSorted((a, b) => b.byOrdinal.length - a.byOrdinal.length)
  const totals = new Map<string, number>()
  for (const { column, byOrdinal } of others) {
    byOrdinal.forEach((count, ordinal) => {
      if (count === 0) return
      const value = textAt(column!.values, ordinal)
      totals.set(value, (totals.get(value) ?? 0) + count)
    })
  }
  if (!largest?.column) return totals
  const { column, byOrdinal } = largest
  for (const [value, count] of totals) totals.set(value, count + countOf(column, byOrdinal, value, compare))
  for (const ordinal of limit === undefined ? byOrdinal.keys() : mostFrequent(byOrdinal, limit)) {
    if (byOrdinal[ordinal] === 0) continue
    const value = textAt(column.values, ordinal)
    if (!totals.has(value)) totals.set(value, byOrdinal[ordinal]!)
  }
  return totals
}

function countOf({ values }: KeywordColumn, byOrdinal: Uint32Array, value: string, compare: Compare): number {
  const ordinal = lowerBound(values, (each) => compare(each, value) < 0)
  return ordinal < values.count && textAt(values, ordinal) === value ? byOrdinal[ordinal]! : 0
}

/** Ordinals stand in the order of their values, which decides between equals. */
function mostFrequent(byOrdinal: Uint32Array, limit: number): Uint32Array {
  const ordinals = new Uint32Array(byOrdinal.length)
  const keys = new Float64Array(byOrdinal.length)
  let count = 0
  for (let ordinal = 0; ordinal < byOrdinal.length; ordinal++) {
    if (byOrdinal[ordinal] === 0) continue
    keys[count] = -byOrdinal[ordinal]!
    ordinals[count++] = ordinal
  }
  return selectFirst([keys], count, limit).map((place) => ordinals[place]!)
}

/** The most frequent first; the order of the values decides between equals. */
function best(totals: Iterable<[string, number]>, limit: number, compare: Compare): { value: string; count: number }[] {
  return [...totals]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compare(a.value, b.value))
    .slice(0, limit)
}

/** Paths by their parents. */
function tree(
  totals: ReadonlyMap<string, number>,
  limit: number,
  compare: Compare,
): { value: string; count: number }[] {
  const byParent = Map.groupBy(totals, ([path]) => path.slice(0, Math.max(0, path.lastIndexOf(pathSeparator))))
  const level = (parent: string): NamedBucket[] =>
    best(byParent.get(parent) ?? [], limit, compare).map(({ value, count }) => {
      const children = level(value)
      return { value, count, ...(children.length ? { children } : {}) }
    })
  return level('') as { value: string; count: number }[]
}

// Ranged

interface NumberHits {
  readonly column: NumberColumn | undefined
  readonly hits: Hits
}

function rangedBuckets(field: FieldDefinition, parts: readonly NumberHits[], request: FacetRequest): RangedBucket[] {
  const ranges = request.ranges ?? rangesOf(field, parts, request.limit)
  const counts = new Uint32Array(ranges.length)
  let empty = 0
  for (const { column, hits } of parts) {
    for (let i = 0; i < hits.count; i++) {
      const [from, to] = valuesAt(column, hits.docs[i]!)
      if (from === to) empty++
      else if (to - from === 1) {
        const value = column!.values[from]!
        for (let r = 0; r < ranges.length; r++) if (inRange(ranges[r]!, value)) counts[r]!++
      } else {
        const values = column!.values.subarray(from, to)
        for (let r = 0; r < ranges.length; r++) if (values.some((value) => inRange(ranges[r]!, value))) counts[r]!++
      }
    }
  }
  const buckets = ranges.map((range, r): RangedBucket => ({ ...range, count: counts[r]! }))
  return request.countEmpty && empty > 0 ? [...buckets, { empty: true, count: empty }] : buckets
}

function rangesOf(field: FieldDefinition, parts: readonly NumberHits[], limit: number) {
  let smallest = Infinity
  let largest = -Infinity
  for (const { column, hits } of parts) {
    for (let i = 0; i < hits.count; i++) {
      const [from, to] = valuesAt(column, hits.docs[i]!)
      for (let j = from; j < to; j++) {
        const value = column!.values[j]!
        if (value < smallest) smallest = value
        if (value > largest) largest = value
      }
    }
  }
  return roundRanges(field.type, smallest, largest, limit)
}

/** Where the values of a document stand. */
function valuesAt(column: NumberColumn | undefined, doc: number): readonly [from: number, to: number] {
  if (!column) return [0, 0]
  if (column.offsets) return [column.offsets[doc]!, column.offsets[doc + 1]!]
  return Number.isNaN(column.values[doc]!) ? [0, 0] : [doc, doc + 1]
}
