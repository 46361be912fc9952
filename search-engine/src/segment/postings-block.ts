/**
 * A full block of postings: what its parts are like, the documents, the spreads.
 *
 *   | head | documents                                 | spreads            |
 *   |      | gaps, packed: 4 words for each bit of one | packed, as gaps are|
 *   |      | or bits, one for each number from a base  |                    |
 *
 * Bits are taken for words that many documents have: whether a document is among them is then told without reading the
 * block, which is what a search for several words asks most of the time. They count from the last document of the
 * block before, and so do the gaps.
 */
import { push, type Numbers } from './bytes.ts'
import { writeBitmap, readBitmap } from './bitmap-block.ts'
import { blockSize, pack, packedLength, unpack, unpackOne, unpackSums, widthOf } from './bit-packing.ts'

/** With documents further apart than sixteen, gaps take much less room than bits. */
const mostDenseWords = (16 * blockSize) / 32
/** In the head: the bits of a gap, or above this the words of bits; and from the next byte on the bits of a spread. */
const dense = 64
const profileBitsShift = 8

export function putBlock(blocks: Numbers, gaps: Uint32Array, profiles: Uint32Array): void {
  const profileBits = widthOf(profiles, blockSize)
  const span = gaps.reduce((sum, gap) => sum + gap, 1)
  const words = Math.ceil(span / 32)
  const isBitmap = words <= mostDenseWords
  const gapBits = widthOf(gaps, blockSize)
  push(blocks, (isBitmap ? dense + words : gapBits) + (profileBits << profileBitsShift))
  if (isBitmap) writeBitmap(blocks, sums(gaps), words)
  else pack(blocks, gaps, gapBits)
  pack(blocks, profiles, profileBits)
}

function sums(gaps: Uint32Array): Uint32Array {
  let sum = 0
  return gaps.map((gap) => (sum += gap))
}

/** Room for the postings of a block. */
export interface Block {
  readonly docs: Uint32Array
  readonly profiles: Uint32Array
}
export function createBlock(): Block {
  return { docs: new Uint32Array(blockSize), profiles: new Uint32Array(blockSize) }
}

/** `base`: the last document of the block before. They are written from a place on. */
export function readBlockDocs(blocks: Uint32Array, at: number, base: number, into: Uint32Array, start = 0): void {
  const width = blocks[at]! & 0xff
  if (width > dense) readBitmap(blocks, bitmapAt(at), width - dense, base, into, start)
  else unpackSums(blocks, at + 1, width, base, into, start)
}

export function readBlockProfiles(blocks: Uint32Array, at: number, into: Uint32Array): void {
  unpack(blocks, profilesAt(blocks, at), blocks[at]! >>> profileBitsShift, into)
}
export function blockProfile(blocks: Uint32Array, at: number, index: number): number {
  return unpackOne(blocks, profilesAt(blocks, at), blocks[at]! >>> profileBitsShift, index)
}

function profilesAt(blocks: Uint32Array, at: number): number {
  const width = blocks[at]! & 0xff
  return at + 1 + (width > dense ? width - dense : packedLength(width))
}

export function isBitmap(blocks: Uint32Array, at: number): boolean {
  return (blocks[at]! & 0xff) > dense
}
/** Where the bits of a dense block stand. */
export function bitmapAt(at: number): number {
  return at + 1
}
