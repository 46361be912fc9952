/** Facets as aggregations. Counts are exact: an index has one shard, and several indexes are counted value by value. */
import type { FacetRequest, FacetResult, FieldDefinition, NamedBucket, Range } from '@kontor/search-engine'
import { columnLocale, hasKeywordColumn, isNumeric, pathAbove, roundRanges } from '@kontor/search-engine/analysis'
import { textOfKey } from './collation-keys.ts'
import { columnOf, numbersIn } from './documents.ts'
import { type Dsl, everything, type QueryContext, toFilter } from './query.ts'

/** The part of a reply that is read here. */
export type Aggregations = Readonly<Record<string, Aggregation | undefined>>
interface Aggregation {
  readonly doc_count?: number
  readonly value?: number | null
  readonly doc_count_error_upper_bound?: number
  readonly buckets?: readonly { readonly key: string; readonly doc_count: number }[]
  readonly [inner: string]: unknown
}

interface Counted {
  readonly request: FacetRequest
  readonly field: FieldDefinition
  /** The stored field with its values. */
  readonly name: string
  readonly within: Dsl
}

/** The facets of a query. */
export interface Facets {
  /** Aggregations that must be known before those of `aggregations`; undefined if there are none. */
  readonly extremes: Dsl | undefined
  /** `found` are the results of `extremes`. */
  aggregations(found: Aggregations): Dsl
  read(found: Aggregations, extremes: Aggregations): FacetResult[]
}

export async function toFacets(
  context: QueryContext,
  requests: readonly FacetRequest[],
  hasOneShard: boolean,
): Promise<Facets> {
  const counted = (await Promise.all(requests.map((request) => toCounted(context, request)))).flat()
  const underived = counted.filter(({ field, request }) => isNumeric(field) && !request.ranges)
  const key = (each: Counted) => String(counted.indexOf(each))
  const table = (some: readonly Counted[], make: (each: Counted) => Dsl): Dsl =>
    Object.fromEntries(some.map((each) => [key(each), { filter: each.within, aggs: make(each) }]))
  const rangesOf = (each: Counted, extremes: Aggregations): readonly Range[] => {
    if (each.request.ranges) return each.request.ranges
    const { min, max } = (extremes[key(each)] ?? {}) as Record<'min' | 'max', Aggregation | undefined>
    return roundRanges(each.field.type, min?.value ?? Infinity, max?.value ?? -Infinity, each.request.limit)
  }
  return {
    extremes:
      underived.length === 0
        ? undefined
        : table(underived, ({ name }) => ({ min: { min: { field: name } }, max: { max: { field: name } } })),
    aggregations: (extremes) =>
      table(counted, (each) => ({
        ...(each.request.countEmpty && { empty: { missing: { field: each.name } } }),
        ...(isNumeric(each.field)
          ? countRanges(each.name, rangesOf(each, extremes))
          : countValues(each.name, each.request.limit, hasOneShard)),
      })),
    read: (found, extremes) =>
      counted.map((each) => {
        const inner = (found[key(each)] ?? {}) as Aggregations
        return isNumeric(each.field) ? readRanges(each, inner, rangesOf(each, extremes)) : readValues(each, inner)
      }),
  }
}

async function toCounted(context: QueryContext, request: FacetRequest): Promise<Counted[]> {
  const field = context.fields.get(request.field)
  if (!field || (!isNumeric(field) && !hasKeywordColumn(field))) return []
  const locale = columnLocale(context.schema, field, request.locale)
  const name = (isNumeric(field) ? numbersIn : columnOf)(field.name, locale)
  return [{ request, field, name, within: request.within ? await toFilter(context, request.within) : everything }]
}

/** Values of several indexes are counted up to here, so that none of the first is missed in one of them. */
const mostValues = 50_000

const countValues = (field: string, limit: number, hasOneShard: boolean): Dsl => ({
  values: {
    terms: {
      field,
      size: limit,
      ...(!hasOneShard && { shard_size: mostValues }),
      order: [{ _count: 'desc' }, { _key: 'asc' }],
    },
  },
})

const countRanges = (field: string, ranges: readonly Range[]): Dsl =>
  ranges.length === 0 ? {} : { ranges: { filters: { filters: ranges.map((range) => rangeFilter(field, range)) } } }

function rangeFilter(field: string, { from, to }: Range): Dsl {
  if (from === undefined && to === undefined) return { exists: { field } }
  return { range: { [field]: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) } } }
}

function readRanges({ field, request }: Counted, found: Aggregations, ranges: readonly Range[]): FacetResult {
  const counts = found['ranges']?.buckets ?? []
  const buckets = ranges.map((range, i) => ({ ...range, count: counts[i]?.doc_count ?? 0 }))
  const empty = found['empty']?.doc_count ?? 0
  const emptyBucket = request.countEmpty && empty > 0 ? [{ empty: true as const, count: empty }] : []
  return { field: field.name, facetType: 'RANGED', buckets: [...buckets, ...emptyBucket] }
}

function readValues({ field, request }: Counted, found: Aggregations): FacetResult {
  const first = (found['values']?.buckets ?? []).map(({ key, doc_count: count }) => ({ value: textOfKey(key), count }))
  const level = (parent: string): NamedBucket[] =>
    first
      .filter(({ value }) => !field.path || pathAbove(value) === parent)
      .map(({ value, count }) => {
        const children = field.path ? level(value) : []
        const named = field.type === 'boolean' ? value === 'true' : value
        return { value: named, count, ...(children.length > 0 && { children }) }
      })
  const empty = found['empty']?.doc_count ?? 0
  const emptyBucket = request.countEmpty && empty > 0 ? [{ value: null, count: empty }] : []
  return { field: field.name, facetType: 'NAMED', buckets: [...level(''), ...emptyBucket] }
}
