/**
 * Looks up documents in the postings of a term, many at a time and in ascending order: which of them have it, and how it
 * is spread there. Those that fall into one block are looked up in a row, without asking for each where it may be; blocks
 * that none falls into are not read.
 *
 *   documents   3 9 12     40 41                90
 *   blocks      [0 .. 14]  [17 .. 44]  [45 ..]  [.. 99]
 */
import { bitsIn } from './dense.ts'
import { denseAt } from './postings-block.ts'
import { BlockWalk } from './postings.ts'
import type { TextIndex } from './text-index.ts'

/** Documents that ascend, so many of them. */
interface Documents {
  readonly docs: Uint32Array
  readonly count: number
}

/** Notes 1 at the place of each document that has the term. */
export function noteHaving(text: TextIndex, term: number, { docs, count }: Documents, found: Uint8Array): void {
  const block = new BlockWalk(text, term)
  for (let i = 0; i < count && block.enterFor(docs[i]!);) {
    i = block.isDense ? noteInBits(block, docs, i, count, found) : noteInList(block, docs, i, count, found)
  }
}

/** Both return the place of the first document that is behind the block. */
function noteInBits(block: BlockWalk, docs: Uint32Array, from: number, to: number, found: Uint8Array): number {
  const { base } = block
  const last = block.last >>> 0
  const { blocks } = block.text
  const bits = denseAt(block.at)
  let i = from
  for (; i < to && docs[i]! <= last; i++) {
    const number = docs[i]! - base
    found[i]! |= (blocks[bits + (number >>> 5)]! >>> (number & 31)) & 1
  }
  return i
}

function noteInList(block: BlockWalk, docs: Uint32Array, from: number, to: number, found: Uint8Array): number {
  const { count } = block
  const last = block.last >>> 0
  const { docs: listed } = block.text.room
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

export const notThere = -1

/** Notes at the place of each document how the term is spread there. */
export function noteSpreads(text: TextIndex, term: number, { docs, count }: Documents, spreads: Int32Array): void {
  const block = new BlockWalk(text, term)
  let i = 0
  while (i < count && block.enterFor(docs[i]!)) {
    const from = i
    i = block.isDense ? placesInBits(block, docs, i, count, spreads) : placesInList(block, docs, i, count, spreads)
    for (let k = from; k < i; k++) if (spreads[k] !== notThere) spreads[k] = block.spreadAt(spreads[k]!)
  }
  spreads.fill(notThere, i, count)
}

/** Where documents stand in a block is told by counting the bits before them; no bit is counted twice. */
function placesInBits(block: BlockWalk, docs: Uint32Array, from: number, to: number, places: Int32Array): number {
  const { base } = block
  const last = block.last >>> 0
  const { blocks } = block.text
  const bits = denseAt(block.at)
  let i = from
  for (let word = bits, counted = 0; i < to && docs[i]! <= last; i++) {
    const number = docs[i]! - base
    const bit = 1 << (number & 31)
    for (const own = bits + (number >>> 5); word < own; word++) counted += bitsIn(blocks[word]!)
    places[i] = (blocks[word]! & bit) === 0 ? notThere : counted + bitsIn(blocks[word]! & (bit - 1))
  }
  return i
}

function placesInList(block: BlockWalk, docs: Uint32Array, from: number, to: number, places: Int32Array): number {
  const { count } = block
  const last = block.last >>> 0
  const { docs: listed } = block.text.room
  block.read(listed)
  let i = from
  for (let place = 0; i < to && docs[i]! <= last; i++) {
    const doc = docs[i]!
    while (place < count && listed[place]! < doc) place++
    places[i] = place < count && listed[place] === doc ? place : notThere
  }
  return i
}
