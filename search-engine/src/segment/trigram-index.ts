/**
 * Which texts of a table may have a piece in them: by every three bytes that follow each other, the texts that have
 * these. It is made when a piece is first asked for (made.ts), in tens of milliseconds, and takes about a byte for each
 * byte of the table.
 *
 *   a b c d 0      bucket of abc    1 7 9         bucket of bcd   1 4        bucket of cd0 ...
 *
 * Buckets are chosen by hash, so that there may be others in one; a list is gaps as varints. Where the lists end stands
 * before them: by bucket, in bytes.
 */
import { readVarint, type VarintReader } from './bytes.ts'

export interface TrigramIndex {
  /** Visits texts, ascending, among which are all that have the piece, which has three bytes at least. */
  eachCandidate(piece: Uint8Array, visit: (text: number) => void): void
}

const bucketBits = 14
const buckets = 1 << bucketBits

/** `starts`: where each text begins, and the last one ends. */
export function buildTrigramIndex(bytes: Uint8Array, starts: Uint32Array): Uint32Array {
  const next = new Uint32Array(buckets + 1)
  eachGap(bytes, starts, (bucket, gap) => void (next[bucket + 1]! += lengthOf(gap)))
  for (let bucket = 0; bucket < buckets; bucket++) next[bucket + 1]! += next[bucket]!
  const made = new Uint32Array(next.length + Math.ceil(next[buckets]! / 4))
  made.set(next)
  const lists = listsIn(made)
  eachGap(bytes, starts, (bucket, gap) => {
    let at = next[bucket]!
    let rest = gap
    for (; rest > 127; rest >>>= 7) lists[at++] = (rest & 127) | 128
    lists[at++] = rest
    next[bucket] = at
  })
  return made
}

function listsIn(made: Uint32Array): Uint8Array {
  const before = (buckets + 1) * 4
  return new Uint8Array(made.buffer, made.byteOffset + before, made.byteLength - before)
}

export function readTrigramIndex(made: Uint32Array): TrigramIndex {
  const ends = made.subarray(0, buckets + 1)
  const lists = listsIn(made)
  return {
    eachCandidate(piece, visit) {
      let rarest = bucketAt(piece, 2)
      const sizeOf = (bucket: number) => ends[bucket + 1]! - ends[bucket]!
      for (let last = 3; last < piece.length; last++) {
        const bucket = bucketAt(piece, last)
        if (sizeOf(bucket) < sizeOf(rarest)) rarest = bucket
      }
      const reader: VarintReader = { data: lists, at: ends[rarest]! }
      for (let text = -1; reader.at < ends[rarest + 1]!;) visit((text += readVarint(reader)))
    },
  }
}

/** Of each bucket one after the other the texts that are in it, as the gap to the text before, which is -1 at first. */
function eachGap(bytes: Uint8Array, starts: Uint32Array, visit: (bucket: number, gap: number) => void): void {
  const latest = new Int32Array(buckets).fill(-1)
  for (let text = 0; text < starts.length - 1; text++) {
    for (let last = starts[text]! + 2; last < starts[text + 1]!; last++) {
      const bucket = bucketAt(bytes, last)
      const gap = text - latest[bucket]!
      if (gap === 0) continue
      visit(bucket, gap)
      latest[bucket] = text
    }
  }
}

/** The bucket of the three bytes that end at a place. */
function bucketAt(bytes: Uint8Array, last: number): number {
  const three = (bytes[last - 2]! << 16) | (bytes[last - 1]! << 8) | bytes[last]!
  return Math.imul(three, 0x9e3779b1) >>> (32 - bucketBits)
}

function lengthOf(varint: number): number {
  return varint < 1 << 7 ? 1 : varint < 1 << 14 ? 2 : varint < 1 << 21 ? 3 : 4
}
