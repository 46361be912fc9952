/**
 * Deleted documents as lists. Every search leaves them out, and to find them among the bits takes longer than some
 * searches: a list is made once, for as long as no more are deleted.
 */
import type { Segment } from '../segment/segment.ts'
import { copyOf, hitsOfBits, type Bits, type Hits } from './hits.ts'

/** Of each segment, with how many documents there were besides. */
export type Deletions = WeakMap<Segment, { readonly live: number; readonly hits: Hits }>

/** The list belongs to the caller. */
export function deletedOf(known: Deletions, segment: Segment, deleted: Bits, live: number): Hits {
  const before = known.get(segment)
  // What is deleted stays so: when as many are left, they are the same.
  const hits = before?.live === live ? before.hits : hitsOfBits(deleted)
  known.set(segment, { live, hits })
  return copyOf(hits)
}
