/** Ranks: numbers by which the hits of one segment are sorted, and selection of the first hits. */
import type { KeywordColumn } from '../segment/keyword-column.ts'
import type { NumberColumn } from '../segment/number-column.ts'
import type { Hits } from './hits.ts'

export type SortColumn = KeywordColumn | NumberColumn

/** Ascending sort ranks of the hits; Infinity if there is no value. */
export function ranksOf(column: SortColumn | undefined, descending: boolean, { docs, count }: Hits): Float64Array {
  const ranks = new Float64Array(count)
  if (!column) return ranks.fill(Infinity)
  if ('order' in column && !column.offsets) return rankNumbers(ranks, column.values, descending, docs)
  const rank = rankOf(column, descending)
  for (let i = 0; i < count; i++) ranks[i] = rank(docs[i]!)
  return ranks
}

/** The common case of one number per document, in its own loop. */
function rankNumbers(ranks: Float64Array, values: Float64Array, descending: boolean, docs: Uint32Array): Float64Array {
  const writeChecksums = descending ? -1 : 1
  for (let i = 0; i < ranks.length; i++) {
    const value = values[docs[i]!]!
    ranks[i] = value === value ? writeChecksums * value : Infinity
  }
  return ranks
}

export function rankOf(column: SortColumn, descending: boolean): (doc: number) => number {
  const writeChecksums = descending ? -1 : 1
  if ('held' in column) return ordinalRank(column, descending, writeChecksums)
  const { values, offsets } = column
  if (!offsets) return (doc) => (values[doc] === values[doc] ? writeChecksums * values[doc]! : Infinity)
  return (doc) => {
    if (offsets[doc] === offsets[doc + 1]) return Infinity
    return writeChecksums * values[descending ? offsets[doc + 1]! - 1 : offsets[doc]!]!
  }
}

/** The ordinal + 1; with several values the first or the last. */
function ordinalRank(
  { held, sets }: KeywordColumn,
  descending: boolean,
  writeChecksums: 1 | -1,
): (doc: number) => number {
  if (!sets) return (doc) => (held[doc] ? writeChecksums * held[doc]! : Infinity)
  const { starts, ords } = sets
  return (doc) => {
    const set = held[doc]!
    if (set === 0) return Infinity
    return writeChecksums * (ords[descending ? starts[set + 1]! - 1 : starts[set]!]! + 1)
  }
}

/** The indexes of the first `limit` hits by keys, then by index. A max-heap holds the candidates. */
export function selectFirst(keys: readonly Float64Array[], count: number, limit: number): Uint32Array {
  const size = Math.min(limit, count)
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
  for (let i = size; (i = nextUpTo(first, first[heap[0]!]!, i, count)) < count; i++) {
    if (!isAfter(heap[0]!, i)) continue
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

/** The index of the next key that is not greater than the bound. Most keys are greater than the heap's maximum. */
function nextUpTo(keys: Float64Array, bound: number, from: number, to: number): number {
  let at = from
  while (at < to && keys[at]! > bound) at++
  return at
}
