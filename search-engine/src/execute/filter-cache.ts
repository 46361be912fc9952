/**
 * Filters that are asked again and again, kept as bits: the rights of a role, a status, a category, the channels of a
 * region. A segment never changes, so what a filter comes to there is true for as long as the segment is; documents that
 * were deleted are left out later.
 *
 *   segment   "status EQ active"   1 0 1 1 0 ...      kept when it is asked for the second time
 *             "price GE 10"        -                  asked for once
 */
import type { IndexSchema, JoinPredicate, Operand, Predicate } from '../port.ts'
import type { Segment } from '../segment/segment.ts'
import { bitsOfHits } from './hits.ts'
import { marked, type Matcher } from './matcher.ts'

/** Of each segment by key, the one that was asked for last at the end; nothing yet where it was asked for once. */
export type FilterCache = WeakMap<IndexSchema, WeakMap<Segment, Map<string, Matcher | undefined>>>

/** What is needed to know a filter again. */
interface Keeping {
  readonly filterCache: FilterCache
  readonly schema: IndexSchema
  filterKey(predicate: Predicate): string | undefined
}

/** Few documents are found as quickly again. */
const manyDocuments = 1024
const leastShare = 1 / 64
/** Of each segment; 125 kB each where there are a million documents. */
const maxCached = 64
/** Longer lists are hardly ever asked for twice. */
const mostKeys = 1000

/** The filter as it is kept, or as `make` makes it. */
export function cachedFilter(context: Keeping, segment: Segment, predicate: Predicate, make: () => Matcher): Matcher {
  const key = segment.maxDoc < manyDocuments ? undefined : context.filterKey(predicate)
  if (key === undefined) return make()
  const kept = keptIn(context, segment)
  const known = kept.get(key)
  const filter = known ?? make()
  if (!known && (filter.score || filter.cost < segment.maxDoc * leastShare)) return filter
  const keeping = known ?? (kept.has(key) ? asBits(filter, segment.maxDoc) : undefined)
  kept.delete(key)
  kept.set(key, keeping)
  if (kept.size > maxCached) kept.delete(kept.keys().next().value!)
  return keeping ?? filter
}

/**
 * Bits are made when they are first needed: two bounds of one value become an interval, and nobody asks for either. To
 * find all documents of an interval takes long, so some are looked up one by one, until it has been about as many.
 */
function asBits(filter: Matcher, maxDoc: number): Matcher {
  const { cost, span, collect, isList } = filter
  let made: Required<Pick<Matcher, 'collect' | 'set' | 'restrict'>> | undefined
  let lookedUp = 0
  const bits = () => (made ??= marked(filter.set?.().bits ?? bitsOfHits(collect(), maxDoc)))
  return {
    cost,
    span,
    collect: isList ? collect : () => bits().collect(),
    set: () => bits().set(),
    restrict(hits, keep) {
      const isFew = span && !made && (lookedUp += hits.count) < maxDoc
      if (isFew) filter.restrict(hits, keep)
      else bits().restrict(hits, keep)
    },
  }
}

function keptIn({ filterCache, schema }: Keeping, segment: Segment): Map<string, Matcher | undefined> {
  const ofSchema = filterCache.get(schema) ?? new WeakMap<Segment, Map<string, Matcher | undefined>>()
  filterCache.set(schema, ofSchema)
  const ofSegment = ofSchema.get(segment) ?? new Map<string, Matcher | undefined>()
  ofSchema.set(segment, ofSegment)
  return ofSegment
}

type KeysOf = (join: JoinPredicate) => ReadonlySet<string | number>

/** What makes a filter the same: all that it looks at in a segment. Of a join that is what the other index gave. */
export function filterKey(keysOf: KeysOf, predicate: Predicate): string | undefined {
  switch (predicate.kind) {
    case 'field':
      return predicate.operands.length <= mostKeys && predicate.operands.every(isWritable)
        ? JSON.stringify(predicate)
        : undefined
    case 'join': {
      const keys = keysOf(predicate)
      return keys.size <= mostKeys ? JSON.stringify([predicate.kind, predicate.to, ...keys]) : undefined
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

/** JSON has no infinity, nor what is no number. */
function isWritable(operand: Operand): boolean {
  return typeof operand !== 'number' || Number.isFinite(operand)
}
