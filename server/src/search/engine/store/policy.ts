/**
 * Which segments to merge: those of about one size, once there are several of them. Each document is then copied only
 * a few times in its life, and there are never many segments to search.
 */
import type { Part } from './snapshot.ts'

/** The delta is sealed into a file when it has this many documents. */
export const sealAt = 2000
/** Changes wait for the delta to be tidied when it has more segments than this. */
export const mostInMemory = 32
const factor = 8
/** A segment with a larger share of deleted documents is rewritten alone. */
const deletedShare = 0.3

/** Parts of one size class: 1 to 7 documents, 8 to 63, 64 to 511 ... */
export function partsToMerge(parts: readonly Part[]): readonly Part[] {
  const classes = Map.groupBy(parts, ({ live }) => Math.floor(Math.log(Math.max(1, live)) / Math.log(factor)))
  for (const members of classes.values()) if (members.length >= factor) return members
  return parts.filter(({ segment, live }) => segment.maxDoc - live > segment.maxDoc * deletedShare).slice(0, 1)
}

/** Who merges a part of the delta: the smallest are the writer's, so that a long merge of others never lets them pile up. */
export const mergerOf = ({ live }: Part): 'writer' | 'builder' => (live < factor ? 'writer' : 'builder')

export function inMemory(parts: readonly Part[]): Part[] {
  return parts.filter(({ file }) => file === undefined)
}
export function inFiles(parts: readonly Part[]): Part[] {
  return parts.filter(({ file }) => file !== undefined)
}
