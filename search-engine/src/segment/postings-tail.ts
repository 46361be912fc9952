/**
 * The remaining postings of a term, too few for a block. Gaps and profiles alternate as a continuous bit stream, each with
 * the width of the widest.
 *
 *   | head | gap 0  profile 0  gap 1  profile 1 ... |
 */
import { push, type Numbers } from './bytes.ts'
import { maskOf, widthOf } from './bit-packing.ts'
import type { Block } from './postings-block.ts'

/** The head holds the bit width of a gap and, shifted by this, the bit width of a profile. */
const profileBitsShift = 8

export function putTail(blocks: Numbers, gaps: Uint32Array, profiles: Uint32Array, count: number): void {
  const gapBits = widthOf(gaps, count)
  const profileBits = widthOf(profiles, count)
  const stride = gapBits + profileBits
  push(blocks, gapBits + (profileBits << profileBitsShift))
  const start = blocks.length
  for (let words = Math.ceil((count * stride) / 32); words > 0; words--) push(blocks, 0)
  for (let i = 0; i < count; i++) {
    putBits(blocks.data, start, i * stride, gapBits, gaps[i]!)
    putBits(blocks.data, start, i * stride + gapBits, profileBits, profiles[i]!)
  }
}

/** `at`: the bit offset. */
function putBits(data: Uint32Array, from: number, at: number, bits: number, value: number): void {
  const word = from + (at >>> 5)
  const shift = at & 31
  data[word]! |= value << shift
  if (shift + bits > 32) data[word + 1]! |= value >>> (32 - shift)
}

/** `base`: the last document of the previous block. Writes from index `start`. */
export function readTailDocs(
  blocks: Uint32Array,
  at: number,
  base: number,
  count: number,
  into: Uint32Array,
  start = 0,
): void {
  const { gapBits, stride } = widthsAt(blocks, at)
  const mask = maskOf(gapBits)
  let doc = base | 0
  for (let i = 0, bit = 0; i < count; i++, bit += stride) {
    into[start + i] = doc = (doc + bitsAt(blocks, at + 1, bit, mask)) | 0
  }
}

export function readTailProfiles(blocks: Uint32Array, at: number, count: number, into: Uint32Array): void {
  const { gapBits, profileBits, stride } = widthsAt(blocks, at)
  const mask = maskOf(profileBits)
  for (let i = 0, bit = gapBits; i < count; i++, bit += stride) into[i] = bitsAt(blocks, at + 1, bit, mask)
}

/** Decodes documents and profiles. */
export function readTail(blocks: Uint32Array, at: number, base: number, count: number, into: Block): void {
  const { docs, profiles } = into
  const { gapBits, profileBits, stride } = widthsAt(blocks, at)
  const gapMask = maskOf(gapBits)
  const profileMask = maskOf(profileBits)
  let doc = base | 0
  for (let i = 0, bit = 0; i < count; i++, bit += stride) {
    docs[i] = doc = (doc + bitsAt(blocks, at + 1, bit, gapMask)) | 0
    profiles[i] = bitsAt(blocks, at + 1, bit + gapBits, profileMask)
  }
}

/** Sets the bit of each document whose profile is accepted. */
export function markTail(
  blocks: Uint32Array,
  at: number,
  base: number,
  count: number,
  counts: Uint8Array,
  bits: Uint32Array,
): void {
  const { gapBits, profileBits, stride } = widthsAt(blocks, at)
  const gapMask = maskOf(gapBits)
  const profileMask = maskOf(profileBits)
  let doc = base | 0
  for (let i = 0, bit = 0; i < count; i++, bit += stride) {
    doc = (doc + bitsAt(blocks, at + 1, bit, gapMask)) | 0
    bits[doc >>> 5]! |= counts[bitsAt(blocks, at + 1, bit + gapBits, profileMask)]! << (doc & 31)
  }
}

export function tailProfile(blocks: Uint32Array, at: number, index: number): number {
  const { gapBits, profileBits, stride } = widthsAt(blocks, at)
  return bitsAt(blocks, at + 1, index * stride + gapBits, maskOf(profileBits)) >>> 0
}

function widthsAt(blocks: Uint32Array, at: number) {
  const gapBits = blocks[at]! & 0xff
  const profileBits = blocks[at]! >>> profileBitsShift
  return { gapBits, profileBits, stride: gapBits + profileBits }
}

/** Always reads two words, which avoids a branch. The writer appends a word for the last tail. */
function bitsAt(data: Uint32Array, from: number, at: number, mask: number): number {
  const word = from + (at >>> 5)
  const shift = at & 31
  return ((data[word]! >>> shift) | ((data[word + 1]! << 1) << (31 - shift))) & mask
}
