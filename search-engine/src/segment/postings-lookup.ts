/**
 * Looks up many documents, in ascending order, in the posting list of a term: which of them contain the term, and with
 * which profile. Documents that fall into the same block are looked up together, and other blocks are skipped.
 *
 *   documents   3 9 12     40 41                90
 *   blocks      [0 .. 14]  [17 .. 44]  [45 ..]  [.. 99]
 */
import { popCount } from './bitmap-block.ts'
import { bitmapAt } from './postings-block.ts'
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
  for (let i = 0; i < count && block.advanceTo(docs[i]!);) {
    i = block.isBitmap ? markInBitmap(block, docs, i, count, found) : markInList(block, docs, i, count, found)
  }
}

/** Both return the index of the first document after the block. */
function markInBitmap(block: BlockIterator, docs: Uint32Array, from: number, to: number, found: Uint8Array): number {
  const { base } = block
  const last = block.last >>> 0
  const { blocks } = block.text
  const bits = bitmapAt(block.at)
  let i = from
  for (; i < to && docs[i]! <= last; i++) {
    const number = docs[i]! - base
    found[i]! |= (blocks[bits + (number >>> 5)]! >>> (number & 31)) & 1
  }
  return i
}

function markInList(block: BlockIterator, docs: Uint32Array, from: number, to: number, found: Uint8Array): number {
  const { count } = block
  const last = block.last >>> 0
  const { docs: listed } = block.text.scratch
  block.read(listed)
  let i = from
  for (let place = 0; i < to && docs[i]! <= last; i++) {
    const doc = docs[i]!
    while (place < count && listed[place]! < doc) place++
    if (place === count) return to
    found[i]! |= Number(listed[place] === doc)
  }
  return i
}

export const notFound = -1

/** Writes the profile of the term in each document. */
export function readProfilesOf(text: TextIndex, term: number, { docs, count }: Documents, profiles: Int32Array): void {
  const block = new BlockIterator(text, term)
  let i = 0
  while (i < count && block.advanceTo(docs[i]!)) {
    const from = i
    i = block.isBitmap
      ? indexesInBitmap(block, docs, i, count, profiles)
      : indexesInList(block, docs, i, count, profiles)
    for (let k = from; k < i; k++) if (profiles[k] !== notFound) profiles[k] = block.profileAt(profiles[k]!)
  }
  profiles.fill(notFound, i, count)
}

/** The index within a bitmap block is the number of bits before it; each bit is counted once. */
function indexesInBitmap(
  block: BlockIterator,
  docs: Uint32Array,
  from: number,
  to: number,
  places: Int32Array,
): number {
  const { base } = block
  const last = block.last >>> 0
  const { blocks } = block.text
  const bits = bitmapAt(block.at)
  let i = from
  for (let word = bits, counted = 0; i < to && docs[i]! <= last; i++) {
    const number = docs[i]! - base
    const bit = 1 << (number & 31)
    for (const own = bits + (number >>> 5); word < own; word++) counted += popCount(blocks[word]!)
    places[i] = (blocks[word]! & bit) === 0 ? notFound : counted + popCount(blocks[word]! & (bit - 1))
  }
  return i
}

function indexesInList(block: BlockIterator, docs: Uint32Array, from: number, to: number, places: Int32Array): number {
  const { count } = block
  const last = block.last >>> 0
  const { docs: listed } = block.text.scratch
  block.read(listed)
  let i = from
  for (let place = 0; i < to && docs[i]! <= last; i++) {
    const doc = docs[i]!
    while (place < count && listed[place]! < doc) place++
    places[i] = place < count && listed[place] === doc ? place : notFound
  }
  return i
}
