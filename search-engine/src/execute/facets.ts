/**
 * Counts facets in one loop over the hits per field, by ordinal. Ordinals of all segments are mapped to global ordinals
 * (global-ordinals.ts). Only values that can be among the first are read as text.
 */
import type { Collation } from '../collation.ts'
import { isNumeric, hasKeywordColumn } from '../comparators.ts'
import type { FacetRequest, FacetResult, FieldDefinition, NamedBucket, RangedBucket } from '../port.ts'
import { roundRanges } from '../ranges.ts'
import type { Integers } from '../segment/container.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import type { NumberColumn } from '../segment/number-column.ts'
import { columnName } from '../segment/segment.ts'
import { inRange, columnLocale } from '../values.ts'
import { lastCount } from './top-counts.ts'
import type { Hits } from './hits.ts'
import { createGlobalOrdinals, type GlobalOrdinals } from './global-ordinals.ts'
import type { SegmentHits } from './matcher.ts'
import type { QueryContext } from './term-scoring.ts'

export function countFacet(context: QueryContext, parts: readonly SegmentHits[], request: FacetRequest): FacetResult[] {
  const field = context.fields.get(request.field)
  if (!field || (!isNumeric(field) && !hasKeywordColumn(field))) return []
  const locale = columnLocale(context.schema, field, request.locale)
  const name = columnName(field.name, locale)
  const filled = parts.filter(({ count }) => count > 0)
  if (isNumeric(field)) {
    const columns = filled.map(({ segment, hits }) => ({ column: segment.numbers.get(name), hits }))
    return [{ field: field.name, facetType: 'RANGED', buckets: rangedBuckets(field, columns, request) }]
  }
  const counts = countValues(
    context,
    filled.map(({ segment, hits }) => ({ column: segment.keywords.get(name), hits })),
    context.collationOf(locale || context.schema.defaultLocale),
  )
  return [{ field: field.name, facetType: 'NAMED', buckets: namedBuckets(field, counts, request) }]
}

// Named

interface Counts {
  readonly ordinals: GlobalOrdinals
  /** By global ordinal. */
  readonly byOrdinal: Uint32Array
  readonly empty: number
}

interface KeywordHits {
  readonly column: KeywordColumn | undefined
  readonly hits: Hits
}

function countValues({ ordinalMaps }: QueryContext, parts: readonly KeywordHits[], collation: Collation): Counts {
  const columns = parts.flatMap(({ column }) => column ?? [])
  const ordinals = createGlobalOrdinals(ordinalMaps, columns, collation)
  const byOrdinal = new Uint32Array(ordinals.count)
  let empty = 0
  for (const { column, hits } of parts) {
    if (!column) {
      empty += hits.count
      continue
    }
    const numbers = column.sets ? column.sets.count : column.values.count + 1
    const byNumber = countHeld(column.held, hits, new Uint32Array(numbers))
    empty += byNumber[0]!
    addCounts(byOrdinal, column, ordinals.ordinalMapOf(column), byNumber)
  }
  return { ordinals, byOrdinal, empty }
}

/** Adds the counts of each value or ordinal set to the global ordinals. */
function addCounts(
  byOrdinal: Uint32Array,
  { sets }: KeywordColumn,
  ordinalMap: Uint32Array | undefined,
  byNumber: Uint32Array,
): void {
  const { starts, ords } = sets ?? {}
  for (let number = 1; number < byNumber.length; number++) {
    const docCount = byNumber[number]!
    if (docCount === 0) continue
    if (!starts || !ords) {
      byOrdinal[ordinalMap ? ordinalMap[number - 1]! : number - 1]! += docCount
      continue
    }
    for (let at = starts[number]!; at < starts[number + 1]!; at++) {
      const ordinal = ords[at]!
      byOrdinal[ordinalMap ? ordinalMap[ordinal]! : ordinal]! += docCount
    }
  }
}

/**
 * Counts the hits by number. One loop per element width: a single loop would be megamorphic and three times slower.
 */
function countHeld(held: Integers, { docs, count }: Hits, counts: Uint32Array): Uint32Array {
  if (held instanceof Uint8Array) for (let i = 0; i < count; i++) counts[held[docs[i]!]!]!++
  else if (held instanceof Uint16Array) for (let i = 0; i < count; i++) counts[held[docs[i]!]!]!++
  else for (let i = 0; i < count; i++) counts[held[docs[i]!]!]!++
  return counts
}

function namedBuckets(field: FieldDefinition, counts: Counts, { limit, countEmpty }: FacetRequest): NamedBucket[] {
  const { empty } = counts
  const buckets = field.path ? tree(counts, limit) : list(counts, limit)
  const named = field.type === 'boolean' ? buckets.map((each) => ({ ...each, value: each.value === 'true' })) : buckets
  return countEmpty && empty > 0 ? [...named, { value: null, count: empty }] : named
}

/** The most frequent ordinals. Among ordinals with the same count as the last, the first of each segment suffice. */
function mostFrequent({ ordinals, byOrdinal }: Counts, limit: number): number[] {
  const least = lastCount(byOrdinal, limit)
  const chosen: number[] = []
  for (let ordinal = 0; ordinal < byOrdinal.length; ordinal++) if (byOrdinal[ordinal]! > least) chosen.push(ordinal)
  return [...chosen, ...ordinals.firstOf(limit - chosen.length, (ordinal) => byOrdinal[ordinal] === least)]
}

/** Most frequent first; ties are broken by the order of the values. */
function best(counts: Counts, limit: number): number[] {
  const { ordinals, byOrdinal } = counts
  return mostFrequent(counts, limit)
    .sort((a, b) => byOrdinal[b]! - byOrdinal[a]! || ordinals.compare(a, b))
    .slice(0, limit)
}

function bucketOf({ ordinals, byOrdinal }: Counts, ordinal: number) {
  return { value: ordinals.valueOf(ordinal), count: byOrdinal[ordinal]! }
}

function list(counts: Counts, limit: number): NamedBucket[] {
  return best(counts, limit).map((ordinal) => bucketOf(counts, ordinal))
}

/** Nests paths. A parent is at least as frequent as its children and sorts before them, so it is always included. */
function tree(counts: Counts, limit: number): NamedBucket[] {
  const byParent = Map.groupBy(best(counts, limit), counts.ordinals.parentOf)
  const level = (parent: number): NamedBucket[] =>
    (byParent.get(parent) ?? []).map((ordinal) => {
      const children = level(ordinal)
      const bucket = bucketOf(counts, ordinal)
      return children.length ? { ...bucket, children } : bucket
    })
  return level(-1)
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

/** The range of a document's values. */
function valuesAt(column: NumberColumn | undefined, doc: number): readonly [from: number, to: number] {
  if (!column) return [0, 0]
  if (column.offsets) return [column.offsets[doc]!, column.offsets[doc + 1]!]
  return Number.isNaN(column.values[doc]!) ? [0, 0] : [doc, doc + 1]
}
