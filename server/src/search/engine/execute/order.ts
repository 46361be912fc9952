/**
 * Picks the page: the first hits of each segment by rank, then of all segments by value.
 *
 * Ranks are numbers within a segment (an ordinal, or the number itself), so a segment is sorted without touching a
 * text. Where many documents match, the order that the column keeps is walked until the page is full.
 */
import { isNumeric, isWhole } from '../comparators.ts'
import type { SortKey } from '../port.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import type { NumberColumn } from '../segment/number-column.ts'
import { placeName, type Segment } from '../segment/segment.ts'
import { firstNot, textAt } from '../segment/strings.ts'
import { placeOf } from '../values.ts'
import { bitsOfHits, hasBit, type Hits } from './hits.ts'
import type { Span } from './matcher.ts'
import { orderWithin } from './number-matcher.ts'
import type { QueryContext } from './words.ts'

export interface SegmentHits {
  readonly segment: Segment
  readonly hits: Hits
  /** The hits are the documents of this interval, but for deleted ones. */
  readonly span?: Span
}
export interface Candidate {
  readonly segment: Segment
  readonly doc: number
  readonly id: number
  readonly score: number
}

/** A sort key with the column it reads; without a column all documents are alike. */
interface Order {
  readonly descending: boolean
  compare(a: string | number, b: string | number): number
  columnOf(segment: Segment): KeywordColumn | NumberColumn | undefined
}

export function pickPage(
  context: QueryContext,
  parts: readonly SegmentHits[],
  sort: readonly SortKey[],
  offset: number,
  limit: number,
): readonly Candidate[] {
  const orders = sort.flatMap((key) => orderOf(context, key))
  const runs = parts
    .filter(({ hits }) => hits.count > 0)
    .map((part) => ({ ...part, ...firstOf(part, orders, offset + limit) }))
  const [only] = runs
  if (only && runs.length === 1) {
    return Array.from(only.docs.subarray(offset, offset + limit), (_, i) => candidate(only, offset + i))
  }
  return mergeRuns(runs, orders, offset, limit)
}

/** The first documents of a segment in order; their scores where these are the order. */
interface First {
  readonly docs: Uint32Array
  readonly scores?: Float32Array
}
interface Run extends SegmentHits, First {}

function candidate({ segment, hits, docs, scores }: Run, place: number): Candidate {
  const doc = docs[place]!
  const score = scores ? scores[place]! : scoreAt(hits, doc)
  return { segment, doc, id: segment.ids[doc]!, score }
}
function scoreAt({ docs, scores, count }: Hits, doc: number): number {
  return scores ? scores[firstNot(count, (place) => docs[place]! < doc)]! : 0
}

/** The hit that a run stands at, with what it is sorted by; no value where it has none. */
interface Head {
  readonly run: Run
  readonly readers: readonly ((doc: number) => string | number | undefined)[]
  readonly keys: (string | number | undefined)[]
  at: number
  id: number
  score: number
}

/** Goes on to the next hit of a run; false when there is none left. */
function advance(head: Head): boolean {
  const { run, readers, keys } = head
  const doc = run.docs[++head.at]
  if (doc === undefined) return false
  for (let i = 0; i < readers.length; i++) keys[i] = readers[i]!(doc)
  head.id = run.segment.ids[doc]!
  head.score = run.scores?.[head.at] ?? 0
  return true
}

/** Takes the first of all runs again and again; only the heads of the runs are compared. */
function mergeRuns(runs: readonly Run[], orders: readonly Order[], offset: number, limit: number): Candidate[] {
  const heads = runs.map((run): Head => {
    const readers = orders.map(({ columnOf, descending }) => readerOf(columnOf(run.segment), descending))
    return { run, readers, keys: [], at: -1, id: 0, score: 0 }
  })
  heads.forEach(advance)
  heads.sort((a, b) => compareHeads(orders, a, b))
  const page: Candidate[] = []
  for (let taken = 0; taken < offset + limit && heads.length; taken++) {
    const first = heads[0]!
    if (taken >= offset) page.push(candidate(first.run, first.at))
    if (!advance(first)) {
      heads.shift()
      continue
    }
    for (let i = 1; i < heads.length && compareHeads(orders, first, heads[i]!) > 0; i++) {
      heads[i - 1] = heads[i]!
      heads[i] = first
    }
  }
  return page
}

function compareHeads(orders: readonly Order[], a: Head, b: Head): number {
  if (orders.length === 0 && a.score !== b.score) return b.score - a.score
  for (let i = 0; i < orders.length; i++) {
    const left = a.keys[i]
    const right = b.keys[i]
    if (left === right) continue
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1
    const order = orders[i]!.compare(left, right)
    if (order !== 0) return orders[i]!.descending ? -order : order
  }
  return a.id - b.id
}

/** The value of a document that a segment's rank stands for. */
function readerOf(
  column: KeywordColumn | NumberColumn | undefined,
  descending: boolean,
): (doc: number) => string | number | undefined {
  if (!column) return () => undefined
  const rank = rankOf(column, descending)
  return (doc) => {
    const found = rank(doc)
    if (found === Infinity) return undefined
    if (!('starts' in column)) return Math.abs(found) === 0 ? 0 : descending ? -found : found
    return textAt(column.values, column.single ? Math.abs(found) - 1 : Math.abs(found))
  }
}

function orderOf({ schema, fields, collationOf }: QueryContext, { field: name, locale, descending }: SortKey): Order[] {
  const field = fields.get(name)
  if (!field || (!isNumeric(field) && !isWhole(field))) return []
  const place = placeOf(schema, field, locale)
  const column = placeName(name, place)
  const collation = collationOf(place || schema.defaultLocale)
  return [
    {
      descending: descending ?? false,
      compare: isNumeric(field) ? (a, b) => Number(a) - Number(b) : (a, b) => collation.compare(String(a), String(b)),
      columnOf: (segment) => (isNumeric(field) ? segment.numbers.get(column) : segment.keywords.get(column)),
    },
  ]
}

function firstOf(part: SegmentHits, orders: readonly Order[], wanted: number): First {
  const { segment, hits } = part
  const size = Math.min(wanted, hits.count)
  if (orders.length === 0 && !hits.scores) return { docs: hits.docs.subarray(0, size) }
  const column = orders.length === 1 ? orders[0]!.columnOf(segment) : undefined
  const walked = column && walkOrder(part, column, orders[0]!.descending, size)
  if (walked) return { docs: walked }
  const keys = orders.length
    ? orders.map((order) => ranksOf(order.columnOf(segment), order.descending, hits))
    : [byScore(hits)]
  const places = selectFirst(keys, hits.count, size)
  const docs = places.map((place) => hits.docs[place]!)
  return orders.length ? { docs } : { docs, scores: Float32Array.from(places, (place) => hits.scores![place]!) }
}

function byScore({ scores, count }: Hits): Float64Array {
  const keys = new Float64Array(count)
  for (let i = 0; i < count; i++) keys[i] = -scores![i]!
  return keys
}

/** Numbers by which the hits sort ascending; Infinity where there is no value. */
function ranksOf(
  column: KeywordColumn | NumberColumn | undefined,
  descending: boolean,
  { docs, count }: Hits,
): Float64Array {
  const ranks = new Float64Array(count)
  if (!column) return ranks.fill(Infinity)
  if (!column.offsets && 'order' in column) return rankNumbers(ranks, column.values, descending, docs)
  const rank = rankOf(column, descending)
  for (let i = 0; i < count; i++) ranks[i] = rank(docs[i]!)
  return ranks
}

/** The usual case, one number per document, in a loop of its own. */
function rankNumbers(ranks: Float64Array, values: Float64Array, descending: boolean, docs: Uint32Array): Float64Array {
  const sign = descending ? -1 : 1
  for (let i = 0; i < ranks.length; i++) {
    const value = values[docs[i]!]!
    ranks[i] = value === value ? sign * value : Infinity
  }
  return ranks
}

function rankOf(column: KeywordColumn | NumberColumn, descending: boolean): (doc: number) => number {
  const sign = descending ? -1 : 1
  if (column.offsets) {
    const values = 'ords' in column ? column.ords! : (column as NumberColumn).values
    const { offsets } = column
    return (doc) => {
      if (offsets[doc] === offsets[doc + 1]) return Infinity
      return sign * values[descending ? offsets[doc + 1]! - 1 : offsets[doc]!]!
    }
  }
  if ('single' in column) {
    const single = column.single!
    return (doc) => (single[doc] ? sign * single[doc]! : Infinity)
  }
  const { values } = column as NumberColumn
  return (doc) => (values[doc] === values[doc] ? sign * values[doc]! : Infinity)
}

/** The places of the first `wanted` hits by keys, then by place. A heap keeps the worst of the best on top. */
export function selectFirst(keys: readonly Float64Array[], count: number, wanted: number): Uint32Array {
  const size = Math.min(wanted, count)
  const heap = new Uint32Array(size)
  const first = keys[0]!
  const isAfter = (a: number, b: number): boolean => {
    if (first[a] !== first[b]) return first[a]! > first[b]!
    for (let k = 1; k < keys.length; k++) if (keys[k]![a] !== keys[k]![b]) return keys[k]![a]! > keys[k]![b]!
    return a > b
  }
  const sink = (from: number, length: number) => {
    const moved = heap[from]!
    let at = from
    for (let child = 2 * at + 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isAfter(heap[child + 1]!, heap[child]!)) child++
      if (!isAfter(heap[child]!, moved)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = moved
  }
  if (size === 0) return heap
  for (let i = 0; i < size; i++) heap[i] = i
  for (let i = size >>> 1; i-- > 0;) sink(i, size)
  for (let i = size; i < count; i++) {
    // Most are behind the worst of the best, which one comparison tells; among equals the earlier comes first.
    if (first[i]! > first[heap[0]!]! || !isAfter(heap[0]!, i)) continue
    heap[0] = i
    sink(0, size)
  }
  for (let length = size - 1; length > 0; length--) {
    const last = heap[length]!
    heap[length] = heap[0]!
    heap[0] = last
    sink(0, length)
  }
  return heap
}

/** The documents that have a value, or one in the span, in order; documents with equal values by number. */
function walkOf(
  column: KeywordColumn | NumberColumn,
  descending: boolean,
  span: Span | undefined,
): Iterable<number> | undefined {
  if ('starts' in column) {
    const { single, docs, starts } = column
    return single && docs ? (descending ? groupsBackwards(docs, (at) => groupStart(starts, at)) : docs) : undefined
  }
  const { offsets, values } = column
  if (offsets) return undefined
  const order = span?.values === values ? orderWithin(column, span) : column.order
  if (!descending) return order
  return groupsBackwards(order, (at) => {
    let start = at
    while (start > 0 && values[order[start - 1]!] === values[order[at]!]) start--
    return start
  })
}

function* groupsBackwards(order: Uint32Array, startOf: (last: number) => number): Generator<number> {
  for (let end = order.length; end > 0;) {
    const start = startOf(end - 1)
    for (let i = start; i < end; i++) yield order[i]!
    end = start
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

/** Few hits are quicker to sort. */
const fewHits = 1024
/** A step of a walk costs about half of what ranking a hit does; a walk that turns out longer is given up. */
const stepsPerHit = 2

/**
 * Walks along the order that the column keeps until the page is full. That passes over documents that are no hits: how
 * many is a guess, which fails where hits are gathered at the far end of the order.
 */
function walkOrder(
  { segment: { maxDoc }, hits, span }: SegmentHits,
  column: KeywordColumn | NumberColumn,
  descending: boolean,
  size: number,
): Uint32Array | undefined {
  const { docs, count } = hits
  let steps = count * stepsPerHit
  if (count <= fewHits || (size * maxDoc) / count > steps) return undefined
  const walk = walkOf(column, descending, span)
  if (!walk) return undefined
  const bits = bitsOfHits(hits, maxDoc)
  const found = new Uint32Array(size)
  let filled = 0
  for (const doc of walk) {
    if (filled >= size) return found
    if (steps-- === 0) return undefined
    if (hasBit(bits, doc)) found[filled++] = doc
  }
  const rank = rankOf(column, false)
  for (let i = 0; i < count && filled < size; i++) if (rank(docs[i]!) === Infinity) found[filled++] = docs[i]!
  return found
}
