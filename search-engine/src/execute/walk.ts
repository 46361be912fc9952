/**
 * Sorts the hits of a segment by walking along the order that a column keeps, no further than somebody asks: a page of
 * a million hits costs as many steps as it takes to fill it.
 *
 *   order     3 0 4 1 2 5       documents by value
 *   hits      .   4 1   5       asked about one by one
 */
import { bitsOfHits, hasBit } from './hits.ts'
import type { SegmentHits, Span } from './matcher.ts'
import { orderWithin } from './number-matcher.ts'
import { rankOf, type SortColumn } from './ranks.ts'

/** Few hits are quicker to rank. */
const fewHits = 1024
/** A step costs about half of what ranking a hit does; a walk that turns out longer is given up. */
const stepsPerHit = 2
const end = -1

/** The hits in order, by place. */
export interface Walk {
  /** The document at a place, which must be among the first that were wanted; nothing when the walk became too long. */
  docAt(place: number): number | undefined
}

/** How many hits of a segment are wanted: of a deep page among several segments, probably not nearly as many as can be. */
export interface Wanted {
  readonly most: number
  readonly likely: number
}

/**
 * Along a column, or without one along the documents by number. How many are passed over that are no hits is a guess,
 * which fails where hits are gathered at the far end of the order.
 */
export function walkOrder(
  part: SegmentHits,
  column: SortColumn | undefined,
  descending: boolean,
  { most, likely }: Wanted,
): Walk | undefined {
  const { count, segment, span } = part
  let steps = count * stepsPerHit
  if (count <= fewHits || (likely * segment.maxDoc) / count > steps) return undefined
  const next = column ? stepsOf(column, descending, span) : numbers(segment.maxDoc)
  if (!next) return undefined
  const has = membership(part)
  const found = new Uint32Array(most)
  let filled = 0
  return {
    docAt(place) {
      while (filled <= place) {
        if (steps-- === 0) return undefined
        const doc = next()
        if (doc === end) filled = addWithoutValue(part, column!, found, filled)
        else if (has(doc)) found[filled++] = doc
      }
      return found[place]
    },
  }
}

/** Whether a document is a hit. */
export function membership(part: SegmentHits): (doc: number) => boolean {
  if (part.has) return part.has
  const bits = bitsOfHits(part.hits, part.segment.maxDoc)
  return (doc) => hasBit(bits, doc)
}

/** What has no value comes last. */
function addWithoutValue({ hits }: SegmentHits, column: SortColumn, found: Uint32Array, from: number): number {
  const rank = rankOf(column, false)
  let filled = from
  for (let i = 0; i < hits.count && filled < found.length; i++) {
    if (rank(hits.docs[i]!) === Infinity) found[filled++] = hits.docs[i]!
  }
  return filled
}

/** One after the other the documents that have a value, or one in the span; documents with equal values by number. */
function stepsOf(column: SortColumn, descending: boolean, span: Span | undefined): (() => number) | undefined {
  if ('starts' in column) {
    const { sets, docs, starts } = column
    if (sets || !docs) return undefined
    return descending ? backwards(docs, (last) => groupStart(starts, last)) : forwards(docs)
  }
  const { offsets, values } = column
  if (offsets) return undefined
  const order = span?.values === values ? orderWithin(column, span) : column.order
  if (!descending) return forwards(order)
  return backwards(order, (last) => {
    let start = last
    while (start > 0 && values[order[start - 1]!] === values[order[last]!]) start--
    return start
  })
}

function numbers(maxDoc: number): () => number {
  let doc = 0
  return () => (doc < maxDoc ? doc++ : end)
}

function forwards(order: Uint32Array): () => number {
  let at = 0
  return () => (at < order.length ? order[at++]! : end)
}

/** From the last value to the first, and of each value the documents from first to last. */
function backwards(order: Uint32Array, startOf: (last: number) => number): () => number {
  let groupBegin = order.length
  let groupEnd = order.length
  let at = order.length
  return () => {
    if (at === groupEnd) {
      if (groupBegin === 0) return end
      groupEnd = groupBegin
      groupBegin = startOf(groupEnd - 1)
      at = groupBegin
    }
    return order[at++]!
  }
}

/** Where the list that holds a place begins. */
function groupStart(starts: Uint32Array, place: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (starts[middle]! <= place) low = middle
    else high = middle - 1
  }
  return starts[low]!
}
