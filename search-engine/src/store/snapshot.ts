/**
 * The immutable state of an index at one moment. A query that holds a snapshot sees a consistent state for as long as it
 * runs. Every change creates a new snapshot that shares the unchanged parts.
 *
 *   segment 0 (file)      1 M documents     deleted 0 0 1 0 ...
 *   segment 1 (file)      2,000 documents   deleted ...
 *   segment 2 (memory)    16 documents                        the delta: documents as they arrived (segment/delta.ts),
 *   segment 3 (memory)    1 document                          joined when there are many, finally sealed into a file
 */
import { allBits, createBits, hasBit, hitsOfBits, setBit, type Bits } from '../execute/hits.ts'
import type { LiveSegment } from '../execute/search.ts'
import type { Position } from '../port.ts'
import { documentOf, type Segment } from '../segment/segment.ts'

export interface Part extends LiveSegment {
  /** The file of the segment. A part without one is lost with the process, and its changes are read again. */
  readonly file?: string | undefined
}

export interface Snapshot {
  readonly parts: readonly Part[]
  readonly position: Position
}

export function partOf(segment: Segment, file?: string): Part {
  return { segment, live: segment.maxDoc, file }
}

/** Marks documents as deleted. Parts without any of them are returned unchanged. */
export function withoutDocuments(parts: readonly Part[], ids: Iterable<number>): Part[] {
  const allIds = [...ids]
  return parts.map((part) => {
    const found = allIds.map((id) => documentOf(part.segment, id)).filter((doc) => doc >= 0 && !isDeleted(part, doc))
    if (found.length === 0) return part
    const deleted = sharedCopy(part.deleted ?? createBits(part.segment.maxDoc))
    for (const doc of found) setBit(deleted, doc)
    return { ...part, deleted, live: part.live - new Set(found).size }
  })
}

/** Deletion bitmaps are read by all threads, like segments. */
function sharedCopy(bits: Bits): Bits {
  const copy = new Uint32Array(new SharedArrayBuffer(bits.byteLength))
  copy.set(bits)
  return copy
}

export function isDeleted({ deleted }: Pick<LiveSegment, 'deleted'>, doc: number): boolean {
  return deleted !== undefined && hasBit(deleted, doc)
}

/** The number of live documents. */
export function liveIn(parts: readonly Part[]): number {
  return parts.reduce((sum, { live }) => sum + live, 0)
}

export function hasDocument(part: Part, id: number): boolean {
  const doc = documentOf(part.segment, id)
  return doc >= 0 && !isDeleted(part, doc)
}

/** Replaces several parts by one, and carries over deletions made while it was being built. */
export function replaceParts(parts: readonly Part[], merged: readonly Part[], replacement: Part): Part[] {
  const now = new Map(parts.map((part) => [part.segment, part]))
  const deletedSince = merged.flatMap((before) => {
    const after = now.get(before.segment)
    const deletedNow = hitsOfBits(after ? (after.deleted ?? createBits(0)) : allBits(before.segment.maxDoc)).docs
    return after?.deleted === before.deleted && after
      ? []
      : Array.from(
          deletedNow.filter((doc) => !isDeleted(before, doc)),
          (doc) => before.segment.ids[doc]!,
        )
  })
  const sources = new Set(merged.map(({ segment }) => segment))
  const at = Math.max(
    0,
    parts.findIndex(({ segment }) => sources.has(segment)),
  )
  const others = parts.filter(({ segment }) => !sources.has(segment))
  const [current] = withoutDocuments([replacement], deletedSince)
  return current!.live === 0 ? others : others.toSpliced(at, 0, current!)
}
