/**
 * Caches repeated filters as bitmaps: the permissions of a role, a status, a category, the channels of a region. A segment is
 * immutable, so the result of a filter stays valid as long as the segment; deleted documents are removed later.
 *
 *   segment   "status EQ active"   1 0 1 1 0 ...      cached at its second use
 *             "price GE 10"        -                  used once
 */
import type { IndexSchema, JoinPredicate, Operand, Predicate } from '../port.ts'
import type { Segment } from '../segment/segment.ts'
import { bitsOfHits } from './hits.ts'
import { marked, type Matcher } from './matcher.ts'

/** By schema, segment and key; most recently used last. Undefined after the first use. */
export type FilterCache = WeakMap<IndexSchema, WeakMap<Segment, Map<string, Matcher | undefined>>>

/** The key of a filter. */
interface CacheContext {
  readonly filterCache: FilterCache
  readonly schema: IndexSchema
  filterKey(predicate: Predicate): string | undefined
}

/** Filters with few documents are as fast to evaluate again. */
const minDocuments = 1024
const minShare = 1 / 64
/** Per segment. A bitmap of a million documents takes 125 kB. */
const maxCached = 64
/** Longer lists are rarely used twice. */
const maxKeys = 1000

/** The cached filter, or a new one from `make`. */
export function cachedFilter(
  context: CacheContext,
  segment: Segment,
  predicate: Predicate,
  make: () => Matcher,
): Matcher {
  const key = segment.maxDoc < minDocuments ? undefined : context.filterKey(predicate)
  if (key === undefined) return make()
  const cache = filtersOf(context, segment)
  const cached = cache.get(key)
  const filter = cached ?? make()
  if (!cached && (filter.score || filter.cost < segment.maxDoc * minShare)) return filter
  const entry = cached ?? (cache.has(key) ? asBits(filter, segment.maxDoc) : undefined)
  cache.delete(key)
  cache.set(key, entry)
  if (cache.size > maxCached) cache.delete(cache.keys().next().value!)
  return entry ?? filter
}

/**
 * The bitmap is built when it is needed: two bounds on one field are merged into an interval, and then neither bound is
 * evaluated. Building the bitmap of an interval is expensive, so documents are tested one by one until that would have
 * cost as much.
 */
function asBits(filter: Matcher, maxDoc: number): Matcher {
  const { cost, span, collect, isList } = filter
  let made: Required<Pick<Matcher, 'collect' | 'set' | 'restrict'>> | undefined
  let tested = 0
  const bits = () => (made ??= marked(filter.set?.().bits ?? bitsOfHits(collect(), maxDoc)))
  return {
    cost,
    span,
    collect: isList ? collect : () => bits().collect(),
    set: () => bits().set(),
    restrict(hits, keep) {
      const isFew = span && !made && (tested += hits.count) < maxDoc
      if (isFew) filter.restrict(hits, keep)
      else bits().restrict(hits, keep)
    },
  }
}

function filtersOf({ filterCache, schema }: CacheContext, segment: Segment): Map<string, Matcher | undefined> {
  const ofSchema = filterCache.get(schema) ?? new WeakMap<Segment, Map<string, Matcher | undefined>>()
  filterCache.set(schema, ofSchema)
  const ofSegment = ofSchema.get(segment) ?? new Map<string, Matcher | undefined>()
  ofSchema.set(segment, ofSegment)
  return ofSegment
}

type KeysOf = (join: JoinPredicate) => ReadonlySet<string | number>

/** The cache key: everything the filter depends on. For a join these are the keys from the other index. */
export function filterKey(keysOf: KeysOf, predicate: Predicate): string | undefined {
  switch (predicate.kind) {
    case 'field':
      return predicate.operands.length <= maxKeys && predicate.operands.every(isWritable)
        ? JSON.stringify(predicate)
        : undefined
    case 'join': {
      const keys = keysOf(predicate)
      return keys.size <= maxKeys ? JSON.stringify([predicate.kind, predicate.to, ...keys]) : undefined
    }
    case 'not':
    case 'or':
    case 'and': {
      const members = [predicate.of].flat().map((each) => filterKey(keysOf, each))
      return members.includes(undefined) ? undefined : JSON.stringify([predicate.kind, ...members])
    }
    default:
      return undefined
  }
}

/** JSON cannot represent NaN and infinities. */
function isWritable(operand: Operand): boolean {
  return typeof operand !== 'number' || Number.isFinite(operand)
}
