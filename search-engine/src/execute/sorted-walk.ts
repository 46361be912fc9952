/**
 * Sorts the hits of a segment by walking the sorted order of a column, only as far as needed: a page of a million hits
 * costs as many steps as it takes to fill it.
 *
 *   order     3 0 4 1 2 5       documents by value
 *   hits      .   4 1   5       tested one by one
 */
import { bitsOfHits, hasBit } from './hits.ts'
import type { SegmentHits, Span } from './matcher.ts'
import { orderWithin } from './number-matcher.ts'
import { rankOf, type SortColumn } from './ranks.ts'

/** Few hits are faster to rank. */
const fewHits = 1024
/** A step costs about half as much as ranking a hit. A walk that becomes longer than that is abandoned. */
const stepsPerHit = 2
const end = -1

/** The hits in sort order, by index. */
export interface Walk {
  /** The document at an index below the limit; undefined if the walk became too long. */
  docAt(index: number): number | undefined
}

/** How many hits of a segment are needed. With several segments a deep page probably needs far fewer than the maximum. */
export interface HitLimits {
  readonly most: number
  readonly expected: number
}

/**
 * Walks along a column or, without one, along the documents by number. The number of steps is an estimate, which fails
 * if the hits are concentrated at the far end.
 */
export function walkOrder(
  part: SegmentHits,
  column: SortColumn | undefined,
  descending: boolean,
  { most, expected }: HitLimits,
): Walk | undefined {
  const { count, segment, span } = part
  let steps = count * stepsPerHit
  if (count <= fewHits || (expected * segment.maxDoc) / count > steps) return undefined
  const next = column ? stepsOf(column, descending, span) : numbers(segment.maxDoc)
  if (!next) return undefined
  const has = membership(part)
  const found = new Uint32Array(most)
  let filled = 0
  return {
    docAt(index) {
      while (filled <= index) {
        if (steps-- === 0) return undefined
        const doc = next()
        if (doc === end) filled = addWithoutValue(part, column!, found, filled)
        else if (has(doc)) found[filled++] = doc
      }
      return found[index]
    },
  }
}

/** Returns a function that tests whether a document is a hit. */
export function membership(part: SegmentHits): (doc: number) => boolean {
  if (part.has) return part.has
  const bits = bitsOfHits(part.hits, part.segment.maxDoc)
  return (doc) => hasBit(bits, doc)
}

/** Documents without a value come last. */
function addWithoutValue({ hits }: SegmentHits, column: SortColumn, found: Uint32Array, from: number): number {
  const rank = rankOf(column, false)
  let filled = from
  for (let i = 0; i < hits.count && filled < found.length; i++) {
    if (rank(hits.docs[i]!) === Infinity) found[filled++] = hits.docs[i]!
  }
  return filled
}

/** Iterates over the documents with a value (within the span, if any), ties by document number. */
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

/** From the last value to the first, with the documents of each value in ascending order. */
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

/** The start of the posting list that contains an index. */
function groupStart(starts: Uint32Array, index: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (starts[middle]! <= index) low = middle
    else high = middle - 1
  }
  return starts[low]!
}
