/**
 * A trigram index over a string table: for every three consecutive bytes, the strings that contain them. Built at the
 * first substring search, in tens of milliseconds; takes about one byte per byte of the table.
 *
 *   a b c d 0      bucket of abc    1 7 9         bucket of bcd   1 4        bucket of cd0 ...
 *
 * Trigrams are hashed into buckets, so a bucket may contain other strings too. A bucket is a list of varint gaps.
 */
import { readVarint, type VarintReader } from './bytes.ts'

export interface TrigramIndex {
  /** Visits, in ascending order, all strings that may contain the needle, which must have at least three bytes. */
  eachCandidate(needle: Uint8Array, visit: (text: number) => void): void
}

const bucketBits = 14
const buckets = 1 << bucketBits

/** `starts`: the start of each string, and the end of the last. */
export function createTrigramIndex(bytes: Uint8Array, starts: Uint32Array): TrigramIndex {
  const ends = new Uint32Array(buckets + 1)
  eachGap(bytes, starts, (bucket, gap) => void (ends[bucket + 1]! += varintLength(gap)))
  for (let bucket = 0; bucket < buckets; bucket++) ends[bucket + 1]! += ends[bucket]!
  const lists = fillLists(bytes, starts, ends)
  const sizeOf = (bucket: number) => ends[bucket + 1]! - ends[bucket]!
  return {
    eachCandidate(needle, visit) {
      let rarest = bucketAt(needle, 2)
      for (let last = 3; last < needle.length; last++) {
        const bucket = bucketAt(needle, last)
        if (sizeOf(bucket) < sizeOf(rarest)) rarest = bucket
      }
      const reader: VarintReader = { data: lists, at: ends[rarest]! }
      for (let text = -1; reader.at < ends[rarest + 1]!;) visit((text += readVarint(reader)))
    },
  }
}

function fillLists(bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array): Uint8Array {
  const lists = new Uint8Array(ends[buckets]!)
  const next = ends.slice()
  eachGap(bytes, starts, (bucket, gap) => {
    let at = next[bucket]!
    let rest = gap
    for (; rest > 127; rest >>>= 7) lists[at++] = (rest & 127) | 128
    lists[at++] = rest
    next[bucket] = at
  })
  return lists
}

/** Visits each string once per bucket, as the gap to the previous string of the bucket (-1 at first). */
function eachGap(bytes: Uint8Array, starts: Uint32Array, visit: (bucket: number, gap: number) => void): void {
  const previous = new Int32Array(buckets).fill(-1)
  for (let text = 0; text < starts.length - 1; text++) {
    for (let last = starts[text]! + 2; last < starts[text + 1]!; last++) {
      const bucket = bucketAt(bytes, last)
      const gap = text - previous[bucket]!
      if (gap === 0) continue
      visit(bucket, gap)
      previous[bucket] = text
    }
  }
}

/** The bucket of the three bytes that end at `last`. */
function bucketAt(bytes: Uint8Array, last: number): number {
  const trigram = (bytes[last - 2]! << 16) | (bytes[last - 1]! << 8) | bytes[last]!
  return Math.imul(trigram, 0x9e3779b1) >>> (32 - bucketBits)
}

function varintLength(value: number): number {
  return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : 4
}
