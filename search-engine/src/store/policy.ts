/**
 * Which segments to merge: those of about one size, once there are several of them. Each document is then copied only
 * a few times in its life, and there are never many segments to search.
 */
import type { Part } from './snapshot.ts'

/** The delta is sealed into a file when it has this many documents: until then every thread makes its own columns of it. */
export const sealAt = 512
/** Changes wait for the delta to be sealed when it has more documents than this. */
export const mostInMemory = 4 * sealAt
const factor = 8
/**
 * A large segment with a larger share of deleted documents is rewritten alone. A small one is merged with others before
 * long, and what changes all the time would have each of its segments rewritten several times until then.
 */
const deletedShare = 0.3
const largeAt = factor * factor * sealAt
const smallUpTo = factor * sealAt
/** Documents of a segment that a rebuild makes: large ones are searched quicker, and take more memory while they are made. */
export const segmentSize = 250_000
/** Half of that is large enough: to merge those by size would be to build all again. */
const wholeAt = segmentSize / 2

/** Parts of one size class: 1 to 7 documents, 8 to 63, 64 to 511 ... */
function partsToJoin(parts: readonly Part[]): readonly Part[] {
  const classes = Map.groupBy(parts, ({ live }) => Math.floor(Math.log(Math.max(1, live)) / Math.log(factor)))
  for (const members of classes.values()) if (members.length >= factor) return members
  return []
}

/**
 * Of the delta, only what stays small: a thread that searches makes columns of what was joined, and those of as many
 * documents as are sealed would keep the searches behind it waiting, for a part that is soon a file.
 */
export function partsToJoinInMemory(parts: readonly Part[]): readonly Part[] {
  return partsToJoin(inMemory(parts).filter(({ live }) => live * factor < sealAt))
}

/**
 * Of those in files; parts of the delta are only ever joined by size. While another generation is made only small ones
 * are: searches need them few meanwhile, and whatever takes longer would delay what makes it needless.
 */
export function partsToMerge(parts: readonly Part[], isReplaced: boolean): readonly Part[] {
  const several = partsToJoin(parts.filter(({ live }) => live < (isReplaced ? smallUpTo : wholeAt)))
  if (several.length > 0 || isReplaced) return several
  const rewritten = parts.find(
    ({ segment: { maxDoc }, live }) => maxDoc >= largeAt && maxDoc - live > maxDoc * deletedShare,
  )
  return rewritten ? [rewritten] : []
}

export function inMemory(parts: readonly Part[]): Part[] {
  return parts.filter(({ file }) => file === undefined)
}
export function inFiles(parts: readonly Part[]): Part[] {
  return parts.filter(({ file }) => file !== undefined)
}
