/**
 * A full block of 128 postings: the gaps between documents, counted from the last document of the previous block, and
 * the profiles.
 *
 *   | head | gaps, bit-packed | profiles, bit-packed |
 */
import { blockSize, pack, packedLength, unpack, unpackOne, unpackSums, widthOf } from './bit-packing.ts'
import { push, type Numbers } from './bytes.ts'

/** The head holds the bit width of a gap and, shifted by this, the bit width of a profile. */
const profileBitsShift = 8

export function putBlock(blocks: Numbers, gaps: Uint32Array, profiles: Uint32Array): void {
  const gapBits = widthOf(gaps, blockSize)
  const profileBits = widthOf(profiles, blockSize)
  push(blocks, gapBits + (profileBits << profileBitsShift))
  pack(blocks, gaps, gapBits)
  pack(blocks, profiles, profileBits)
}

/** A buffer for the postings of a block. */
export interface Block {
  readonly docs: Uint32Array
  readonly profiles: Uint32Array
}
export function createBlock(): Block {
  return { docs: new Uint32Array(blockSize), profiles: new Uint32Array(blockSize) }
}

/** `base`: the last document of the previous block. Writes from index `start`. */
export function readBlockDocs(blocks: Uint32Array, at: number, base: number, into: Uint32Array, start = 0): void {
  unpackSums(blocks, at + 1, blocks[at]! & 0xff, base, into, start)
}

export function readBlockProfiles(blocks: Uint32Array, at: number, into: Uint32Array): void {
  unpack(blocks, profilesAt(blocks, at), blocks[at]! >>> profileBitsShift, into)
}
export function blockProfile(blocks: Uint32Array, at: number, index: number): number {
  return unpackOne(blocks, profilesAt(blocks, at), blocks[at]! >>> profileBitsShift, index)
}

function profilesAt(blocks: Uint32Array, at: number): number {
  return at + 1 + packedLength(blocks[at]! & 0xff)
}
