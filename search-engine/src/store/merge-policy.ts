/**
 * The merge policy: merges segments of similar size once there are several. Each document is copied only a few times,
 * and the number of segments stays small.
 */
import type { Part } from './snapshot.ts'

/** Documents in the delta before it is sealed. Until then every search thread builds its own columns of the delta. */
export const sealAt = 512
/** Changes wait for the delta to be sealed if it has more documents than this. */
export const maxInMemory = 4 * sealAt
const factor = 8
/**
 * A large segment with a larger share of deleted documents is rewritten alone. Small segments are merged soon anyway, and
 * rewriting them would repeat work while their documents keep changing.
 */
const deletedShare = 0.3
const minLarge = factor * factor * sealAt
const maxSmall = factor * sealAt
/** Documents per segment in a rebuild. Larger segments are faster to search but need more memory to build. */
export const segmentSize = 250_000
/** Segments above half of that size are not merged by size: that would amount to a rebuild. */
const maxMerged = segmentSize / 2

/** Segments of one size class: 1 to 7 documents, 8 to 63, 64 to 511 ... */
function partsToJoin(parts: readonly Part[]): readonly Part[] {
  const classes = Map.groupBy(parts, ({ live }) => Math.floor(Math.log(Math.max(1, live)) / Math.log(factor)))
  for (const members of classes.values()) if (members.length >= factor) return members
  return []
}

/**
 * Joins only small parts of the delta: search threads build columns of the joined part, and building those of a nearly
 * full delta would delay searches for a part that is sealed soon.
 */
export function deltasToJoin(parts: readonly Part[]): readonly Part[] {
  return partsToJoin(inMemory(parts).filter(({ live }) => live * factor < sealAt))
}

/**
 * Selects segments in files to merge. During a rebuild only small segments are merged: that keeps searches fast, and
 * larger merges would delay the rebuild that makes them unnecessary.
 */
export function partsToMerge(parts: readonly Part[], isRebuilding: boolean): readonly Part[] {
  const mergeable = partsToJoin(parts.filter(({ live }) => live < (isRebuilding ? maxSmall : maxMerged)))
  if (mergeable.length > 0 || isRebuilding) return mergeable
  const rewritten = parts.find(
    ({ segment: { maxDoc }, live }) => maxDoc >= minLarge && maxDoc - live > maxDoc * deletedShare,
  )
  return rewritten ? [rewritten] : []
}

export function inMemory(parts: readonly Part[]): Part[] {
  return parts.filter(({ file }) => file === undefined)
}
export function inFiles(parts: readonly Part[]): Part[] {
  return parts.filter(({ file }) => file !== undefined)
}
