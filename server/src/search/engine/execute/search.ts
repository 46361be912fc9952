/** Runs a logical query over the segments of a snapshot. */
import type { LogicalQuery, Predicate, SearchHits } from '../port.ts'
import { compile } from './compile.ts'
import { countFacet } from './facets.ts'
import { hasBit, type Bits } from './hits.ts'
import { restrictBy } from './matcher.ts'
import { pickPage, type SegmentHits } from './order.ts'
import type { Segment } from '../segment/segment.ts'
import type { QueryContext } from './words.ts'

/** A segment as a snapshot sees it. */
export interface LiveSegment {
  readonly segment: Segment
  readonly deleted?: Bits
  /** How many documents are not deleted. */
  readonly live: number
}

export function findHits(context: QueryContext, parts: readonly LiveSegment[], predicate: Predicate): SegmentHits[] {
  return parts.map(({ segment, deleted }) => {
    const hits = compile(context, segment, predicate).collect()
    if (deleted) restrictBy(hits, false, (doc) => hasBit(deleted, doc))
    return { segment, hits }
  })
}

export function search(context: QueryContext, parts: readonly LiveSegment[], query: LogicalQuery): SearchHits {
  const found = findHits(context, parts, query.predicate)
  return {
    total: found.reduce((sum, { hits }) => sum + hits.count, 0),
    exact: true,
    hits: pickPage(context, found, query.sort ?? [], query.offset, query.limit),
    facets: (query.facets ?? []).flatMap((request) => countFacet(context, found, request)),
  }
}
