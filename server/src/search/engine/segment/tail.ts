/**
 * The postings of a term that fill no block. Gaps are as wide as the widest of them, and so are spreads; they stand in
 * turn, bit by bit, from the lowest bit of a word on into the next.
 *
 *   | head | gap 0  spread 0  gap 1  spread 1 ... |
 */
import { push, type Numbers } from './bytes.ts'
import { maskOf, widthOf } from './packed.ts'

/** In the head: the bits of a gap, and from here on those of a spread. */
const spreadBitsAt = 8

export function putTail(blocks: Numbers, gaps: Uint32Array, spreads: Uint32Array, count: number): void {
  const gapBits = widthOf(gaps, count)
  const spreadBits = widthOf(spreads, count)
  const stride = gapBits + spreadBits
  push(blocks, gapBits + (spreadBits << spreadBitsAt))
  const start = blocks.length
  for (let words = Math.ceil((count * stride) / 32); words > 0; words--) push(blocks, 0)
  for (let i = 0; i < count; i++) {
    putBits(blocks.data, start, i * stride, gapBits, gaps[i]!)
    putBits(blocks.data, start, i * stride + gapBits, spreadBits, spreads[i]!)
  }
}

/** `at`: how many bits stand before it. */
function putBits(data: Uint32Array, from: number, at: number, bits: number, value: number): void {
  const word = from + (at >>> 5)
  const shift = at & 31
  data[word]! |= value << shift
  if (shift + bits > 32) data[word + 1]! |= value >>> (32 - shift)
}

/** `base`: the last document of the block before. */
export function readTailDocs(blocks: Uint32Array, at: number, base: number, count: number, into: Uint32Array): void {
  const { gapBits, stride } = widthsAt(blocks, at)
  readBits(blocks, at + 1, 0, stride, gapBits, count, into)
  let doc = base
  for (let i = 0; i < count; i++) into[i] = doc += into[i]!
}

export function readTailSpreads(blocks: Uint32Array, at: number, count: number, into: Uint32Array): void {
  const { gapBits, spreadBits, stride } = widthsAt(blocks, at)
  readBits(blocks, at + 1, gapBits, stride, spreadBits, count, into)
}

export function tailSpread(blocks: Uint32Array, at: number, index: number): number {
  const { gapBits, spreadBits, stride } = widthsAt(blocks, at)
  return bitsAt(blocks, at + 1, index * stride + gapBits, maskOf(spreadBits)) >>> 0
}

function widthsAt(blocks: Uint32Array, at: number) {
  const gapBits = blocks[at]! & 0xff
  const spreadBits = blocks[at]! >>> spreadBitsAt
  return { gapBits, spreadBits, stride: gapBits + spreadBits }
}

function readBits(
  data: Uint32Array,
  from: number,
  first: number,
  stride: number,
  bits: number,
  count: number,
  into: Uint32Array,
): void {
  const mask = maskOf(bits)
  for (let i = 0, at = first; i < count; i++, at += stride) into[i] = bitsAt(data, from, at, mask)
}

/** Of two words, without asking whether one is enough: behind the last tail stands one more for that. */
function bitsAt(data: Uint32Array, from: number, at: number, mask: number): number {
  const word = from + (at >>> 5)
  const shift = at & 31
  return ((data[word]! >>> shift) | ((data[word + 1]! << 1) << (31 - shift))) & mask
}
