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
import { putDense, readDense } from './dense.ts'
import { blockSize, pack, packedLength, unpack, unpackOne, unpackSums, widthOf } from './packed.ts'

/** With documents further apart than sixteen, gaps take much less room than bits. */
const mostDenseWords = (16 * blockSize) / 32
/** In the head: the bits of a gap, or above this the words of bits; and from the next byte on the bits of a spread. */
const dense = 64
const spreadBitsAt = 8

export function putBlock(blocks: Numbers, gaps: Uint32Array, spreads: Uint32Array): void {
  const spreadBits = widthOf(spreads, blockSize)
  const span = gaps.reduce((sum, gap) => sum + gap, 1)
  const words = Math.ceil(span / 32)
  const isDense = words <= mostDenseWords
  const gapBits = widthOf(gaps, blockSize)
  push(blocks, (isDense ? dense + words : gapBits) + (spreadBits << spreadBitsAt))
  if (isDense) putDense(blocks, sums(gaps), words)
  else pack(blocks, gaps, gapBits)
  pack(blocks, spreads, spreadBits)
}

function sums(gaps: Uint32Array): Uint32Array {
  let sum = 0
  return gaps.map((gap) => (sum += gap))
}

/** Room for the postings of a block. */
export interface Block {
  readonly docs: Uint32Array
  readonly spreads: Uint32Array
}
export function createBlock(): Block {
  return { docs: new Uint32Array(blockSize), spreads: new Uint32Array(blockSize) }
}

/** `base`: the last document of the block before. They are written from a place on. */
export function readBlockDocs(blocks: Uint32Array, at: number, base: number, into: Uint32Array, start = 0): void {
  const width = blocks[at]! & 0xff
  if (width > dense) readDense(blocks, denseAt(at), width - dense, base, into, start)
  else unpackSums(blocks, at + 1, width, base, into, start)
}

export function readBlockSpreads(blocks: Uint32Array, at: number, into: Uint32Array): void {
  unpack(blocks, spreadsAt(blocks, at), blocks[at]! >>> spreadBitsAt, into)
}
export function blockSpread(blocks: Uint32Array, at: number, index: number): number {
  return unpackOne(blocks, spreadsAt(blocks, at), blocks[at]! >>> spreadBitsAt, index)
}

function spreadsAt(blocks: Uint32Array, at: number): number {
  const width = blocks[at]! & 0xff
  return at + 1 + (width > dense ? width - dense : packedLength(width))
}

export function isDense(blocks: Uint32Array, at: number): boolean {
  return (blocks[at]! & 0xff) > dense
}
/** Where the bits of a dense block stand. */
export function denseAt(at: number): number {
  return at + 1
}
