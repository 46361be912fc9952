/** Runs logical queries over the segments of one index, or of several. */
import type { QueryTerm } from '../analysis/analyse.ts'
import { memoize } from '../memoize.ts'
import type {
  CommonQuery,
  FacetRequest,
  FacetResult,
  JoinPredicate,
  LogicalQuery,
  Operand,
  Predicate,
  SearchHits,
} from '../port.ts'
import { hashKeys, type HashedKeys } from '../segment/key-hash-table.ts'
import type { Segment } from '../segment/segment.ts'
import { keyOf } from '../values.ts'
import { compile } from './compile.ts'
import { countFacet } from './facets.ts'
import { filterKey } from './filter-cache.ts'
import { copyOf, hasBit, hitsOfBits, leaveOut, restrictToBits, without, type Bits, type Hits } from './hits.ts'
import { keysOfHits } from './join-matcher.ts'
import type { Matcher, SegmentHits } from './matcher.ts'
import { pickPage } from './page.ts'
import { membership } from './sorted-walk.ts'
import { normsIn, idfIn, type JoinKeys, type QueryContext } from './term-scoring.ts'

/** A segment in a snapshot. */
export interface LiveSegment {
  readonly segment: Segment
  readonly deleted?: Bits | undefined
  /** The number of documents that are not deleted. */
  readonly live: number
}

/** An index as queries see it. `indexOf` finds other indexes for joins. */
export interface IndexContext extends Omit<QueryContext, keyof Found> {
  readonly parts: readonly LiveSegment[]
  indexOf(name: string): IndexContext | undefined
}

/** Computed once per query rather than once per segment. */
type Found = Pick<QueryContext, 'keysOf' | 'operandKeys' | 'filterKey' | 'clausesOf' | 'idfOf' | 'normsOf'>

export function queryContext(index: IndexContext): QueryContext {
  const idfs = memoize((locale: string) =>
    memoize(
      (queryTerm: QueryTerm) => idfIn(index.segments, locale, queryTerm),
      ({ term, prefix }) => `${term}${prefix ? '*' : ''}`,
    ),
  )
  const keysOf = memoize((join: JoinPredicate) => findKeys(index, join))
  const clauses = memoize((locale: string) => memoize(index.analyserOf(locale).clauses))
  return {
    ...index,
    clausesOf: (locale, text) => clauses(locale)(text),
    idfOf: (locale, queryTerm) => idfs(locale)(queryTerm),
    normsOf: memoize((locale: string) => normsIn(index.segments, locale)),
    keysOf,
    operandKeys: memoize(distinctKeys),
    filterKey: memoize((predicate: Predicate) => filterKey(keysOf, predicate)),
  }
}
function distinctKeys(operands: readonly Operand[]): HashedKeys {
  const keys = new Set(operands.map((operand) => keyOf(String(operand))))
  return hashKeys(Array.from(keys, (key) => Buffer.from(key)))
}
function findKeys(index: IndexContext, { index: name, of, from }: JoinPredicate): JoinKeys {
  const other = index.indexOf(name)
  if (!other) return new Set()
  const context = queryContext(other)
  return keysOfHits(context, findHits(context, other.parts, of), from)
}

export function findHits(context: QueryContext, parts: readonly LiveSegment[], predicate: Predicate): SegmentHits[] {
  return parts.map((part) => hitsOfSegment(part, compile(context, part.segment, predicate)))
}

/** So few hits are faster to list than to test. */
const fewHits = 1024

function hitsOfSegment({ segment, deleted }: LiveSegment, matcher: Matcher): SegmentHits {
  const { span, score, best } = matcher
  const set = matcher.set?.()
  if (!set || set.count <= fewHits) {
    const hits = set ? set.list() : matcher.collect()
    if (deleted) leaveOut(hits, deleted)
    const found = { segment, count: hits.count, hits, score }
    return best ? { ...found, best: (topHits) => best(topHits, segment, membership(found)) } : found
  }
  const gone = deleted && hitsOfBits(deleted)
  if (gone && set.bits) restrictToBits(gone, set.bits, true)
  else if (gone) matcher.restrict(gone, true)
  const { count, has, list } = gone ? without(set, deleted, gone) : set
  let listed: Hits | undefined
  return {
    segment,
    span,
    count,
    has,
    score,
    // A set that is known without a list contains every document with the terms.
    best: best && ((topHits) => best(topHits, segment, (doc) => !deleted || !hasBit(deleted, doc))),
    get hits() {
      return (listed ??= list())
    },
  }
}

export function search(index: IndexContext, query: LogicalQuery): SearchHits {
  const context = queryContext(index)
  const found = findHits(context, index.parts, query.predicate)
  return answer(context, found, query)
}

/** Searches several indexes. Inverse document frequencies are computed over all of them, so that scores are comparable. */
export function searchCommon(indexes: readonly IndexContext[], query: CommonQuery): SearchHits {
  const segments = indexes.flatMap((index) => index.segments)
  const found = indexes.map((index, i) => {
    const context = queryContext({ ...index, segments })
    return { name: query.members[i]!.index, hits: findHits(context, index.parts, query.members[i]!.predicate) }
  })
  const names = new Map(found.flatMap(({ name, hits }) => hits.map(({ segment }) => [segment, name])))
  return answer(
    commonContext(indexes),
    found.flatMap(({ hits }) => hits),
    query,
    names,
  )
}

/** Fields with the same name are treated as one field. */
function commonContext(indexes: readonly IndexContext[]): QueryContext {
  const fields = new Map(indexes.flatMap((index) => [...index.fields]).toReversed())
  const locales = [...new Set(indexes.flatMap(({ schema }) => schema.locales))]
  const schema = { ...indexes[0]!.schema, fields: [...fields.values()], locales }
  return queryContext({ ...indexes[0]!, schema, fields })
}

function answer(
  context: QueryContext,
  found: readonly SegmentHits[],
  { sort = [], offset, limit, facets = [] }: Omit<LogicalQuery, 'predicate'>,
  names?: ReadonlyMap<Segment, string>,
): SearchHits {
  return {
    total: found.reduce((sum, { count }) => sum + count, 0),
    exact: true,
    hits: pickPage(context, found, sort, offset, limit).map(({ segment, id, score }) =>
      names ? { id, score, index: names.get(segment)! } : { id, score },
    ),
    facets: facets.flatMap((request) => facet(context, found, request)),
  }
}

function facet(context: QueryContext, found: readonly SegmentHits[], request: FacetRequest): FacetResult[] {
  const { within } = request
  if (!within) return countFacet(context, found, request)
  const counted = found.map(({ segment, hits }) => {
    const kept = copyOf(hits)
    compile(context, segment, within).restrict(kept, true)
    return { segment, count: kept.count, hits: kept }
  })
  return countFacet(context, counted, request)
}
