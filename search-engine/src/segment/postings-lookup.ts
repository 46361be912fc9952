/**
 * Looks up many documents, in ascending order, in the posting list of a term: which of them contain the term, and with
 * which profile. Documents that fall into the same block are looked up together, and other blocks are skipped.
 *
 *   documents   3 9 12     40 41                90
 *   blocks      [0 .. 14]  [17 .. 44]  [45 ..]  [.. 99]
 */
import { BlockIterator } from './postings.ts'
import type { TextIndex } from './text-index.ts'

/** Ascending document numbers; the first `count` entries are valid. */
interface Documents {
  readonly docs: Uint32Array
  readonly count: number
}

/** Sets found[i] to 1 if document i contains the term. */
export function markContaining(text: TextIndex, term: number, { docs, count }: Documents, found: Uint8Array): void {
  const block = new BlockIterator(text, term)
  const { docs: inBlock } = text.scratch
  for (let i = 0; i < count && block.advanceTo(docs[i]!);) {
    const last = block.last >>> 0
    block.read(inBlock)
    for (let at = 0; i < count && docs[i]! <= last; i++) {
      while (at < block.count && inBlock[at]! < docs[i]!) at++
      if (at === block.count) return
      found[i]! |= Number(inBlock[at] === docs[i])
    }
  }
}

export const notFound = -1

/** Writes the profile of the term in each document. */
export function readProfilesOf(text: TextIndex, term: number, { docs, count }: Documents, profiles: Int32Array): void {
  const block = new BlockIterator(text, term)
  const { docs: inBlock } = text.scratch
  let i = 0
  while (i < count && block.advanceTo(docs[i]!)) {
    const last = block.last >>> 0
    block.read(inBlock)
    for (let at = 0; i < count && docs[i]! <= last; i++) {
      while (at < block.count && inBlock[at]! < docs[i]!) at++
      profiles[i] = at < block.count && inBlock[at] === docs[i] ? block.profileAt(at) : notFound
    }
  }
  profiles.fill(notFound, i, count)
}
