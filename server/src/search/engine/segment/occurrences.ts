/**
 * Where the terms of one document stand, grouped by term as they come. All of it is small and used again for the next
 * document, so that it stays in the cache of the processor.
 *
 *   buckets   by the last bits of a term: the first occurrence of the latest term with these bits
 *   rows      term, field, position, next occurrence of the term; and for the first one of a term its last occurrence
 *             so far, and the first occurrence of an earlier term in the bucket
 */
import { putVarint, type Bytes } from './bytes.ts'
import type { TextWriter } from './text-writer.ts'

export interface Occurrences {
  add(term: number, field: number, position: number): void
  count(): number
  /** Visits each term with its first occurrence, and begins anew. */
  drain(visit: (term: number, first: number) => void): void
  /** The number of the spread of a term, given by its first occurrence. */
  spreadOf(first: number, writer: TextWriter): number
  /** Its positions, as text-writer.ts wants them. */
  putPositions(first: number, into: Bytes): void
}

const bucketCount = 1024
const none = -1
const perRow = 6
const [field, position, next, last, earlier] = [1, 2, 3, 4, 5] as const

export function createOccurrences(): Occurrences {
  const buckets = new Int32Array(bucketCount).fill(none)
  let rows = new Int32Array(perRow * 256)
  let end = 0

  function firstOf(term: number): number {
    let at = buckets[term & (bucketCount - 1)]!
    while (at !== none && rows[at] !== term) at = rows[at + earlier]!
    return at
  }
  return {
    add(term, inField, at) {
      if (end === rows.length) {
        const more = new Int32Array(rows.length * 2)
        more.set(rows)
        rows = more
      }
      const row = end
      end += perRow
      rows[row] = term
      rows[row + field] = inField
      rows[row + position] = at
      rows[row + next] = none
      const first = firstOf(term)
      if (first === none) {
        rows[row + last] = row
        rows[row + earlier] = buckets[term & (bucketCount - 1)]!
        buckets[term & (bucketCount - 1)] = row
      } else {
        rows[row + last] = none
        rows[rows[first + last]! + next] = row
        rows[first + last] = row
      }
    },
    count: () => end / perRow,
    drain(visit) {
      for (let row = 0; row < end; row += perRow) {
        if (rows[row + last] !== none) visit(rows[row]!, row)
        buckets[rows[row]! & (bucketCount - 1)] = none
      }
      end = 0
    },
    spreadOf(first, writer) {
      if (rows[first + next] === none) return writer.single(rows[first + field]!)
      const spread: number[] = []
      for (let row = first; row !== none; row = rows[row + next]!) {
        if (spread.at(-2) === rows[row + field]) spread[spread.length - 1]!++
        else spread.push(rows[row + field]!, 1)
      }
      return writer.spread(spread)
    },
    putPositions(first, into) {
      let before = 0
      let inField = rows[first + field]!
      for (let row = first; row !== none; row = rows[row + next]!) {
        if (rows[row + field] !== inField) before = 0
        inField = rows[row + field]!
        putVarint(into, rows[row + position]! - before)
        before = rows[row + position]!
      }
    },
  }
}
