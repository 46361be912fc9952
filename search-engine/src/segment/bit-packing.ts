/**
 * Bit packing: the numbers of a block, all with the width of the largest. They are interleaved in four lanes, so that four
 * numbers at a time are decoded with the same shifts; 128 numbers of n bits take 4n words.
 *
 *   word      0        1        2        3       4 ...
 *   numbers   0 4 8    1 5 9    2 6 10   3 7     each word from its lowest bit; the remaining bits of a number are in the
 *                                                next word of the lane
 */
import { push, type Numbers } from './bytes.ts'

export const blockBits = 7
export const blockSize = 1 << blockBits
const buildQueues = 4

export function bitsFor(largest: number): number {
  return 32 - Math.clz32(largest)
}

/** The width of the first `count` numbers. The union of their bits has the width of the largest. */
export function widthOf(numbers: Uint32Array, count: number): number {
  let all = 0
  for (let i = 0; i < count; i++) all |= numbers[i]!
  return bitsFor(all)
}
/** The number of words of a packed block. */
export function packedLength(bits: number): number {
  return buildQueues * bits
}

export function pack(into: Numbers, values: Uint32Array, bits: number): void {
  const start = into.length
  for (let i = packedLength(bits); i > 0; i--) push(into, 0)
  const { data } = into
  if (bits === 0) return
  for (let i = 0; i < blockSize; i++) {
    const at = (i >>> 2) * bits
    const word = start + (at >>> 5) * buildQueues + (i & 3)
    const shift = at & 31
    data[word]! |= values[i]! << shift
    if (shift + bits > 32) data[word + buildQueues]! |= values[i]! >>> (32 - shift)
  }
}

export function unpack(data: Uint32Array, from: number, bits: number, into: Uint32Array): void {
  if (bits === 0) return void into.fill(0)
  const mask = maskOf(bits)
  for (let i = 0, at = 0; i < blockSize; i += buildQueues, at += bits) {
    const word = from + (at >>> 5) * buildQueues
    const shift = at & 31
    if (shift + bits <= 32) {
      into[i] = (data[word]! >>> shift) & mask
      into[i + 1] = (data[word + 1]! >>> shift) & mask
      into[i + 2] = (data[word + 2]! >>> shift) & mask
      into[i + 3] = (data[word + 3]! >>> shift) & mask
    } else {
      const rest = 32 - shift
      into[i] = ((data[word]! >>> shift) | (data[word + 4]! << rest)) & mask
      into[i + 1] = ((data[word + 1]! >>> shift) | (data[word + 5]! << rest)) & mask
      into[i + 2] = ((data[word + 2]! >>> shift) | (data[word + 6]! << rest)) & mask
      into[i + 3] = ((data[word + 3]! >>> shift) | (data[word + 7]! << rest)) & mask
    }
  }
}

/** Unpacks gaps as running sums, starting at `base`. Writes from index `start`. */
export function unpackSums(
  data: Uint32Array,
  from: number,
  bits: number,
  base: number,
  into: Uint32Array,
  start: number,
): void {
  const mask = maskOf(bits)
  let sum = base | 0
  for (let i = start, at = 0; i < start + blockSize; i += buildQueues, at += bits) {
    const word = from + (at >>> 5) * buildQueues
    const shift = at & 31
    if (shift + bits <= 32) {
      into[i] = sum = (sum + ((data[word]! >>> shift) & mask)) | 0
      into[i + 1] = sum = (sum + ((data[word + 1]! >>> shift) & mask)) | 0
      into[i + 2] = sum = (sum + ((data[word + 2]! >>> shift) & mask)) | 0
      into[i + 3] = sum = (sum + ((data[word + 3]! >>> shift) & mask)) | 0
    } else {
      const rest = 32 - shift
      into[i] = sum = (sum + (((data[word]! >>> shift) | (data[word + 4]! << rest)) & mask)) | 0
      into[i + 1] = sum = (sum + (((data[word + 1]! >>> shift) | (data[word + 5]! << rest)) & mask)) | 0
      into[i + 2] = sum = (sum + (((data[word + 2]! >>> shift) | (data[word + 6]! << rest)) & mask)) | 0
      into[i + 3] = sum = (sum + (((data[word + 3]! >>> shift) | (data[word + 7]! << rest)) & mask)) | 0
    }
  }
}

/** Unpacks a single number. */
export function unpackOne(data: Uint32Array, from: number, bits: number, index: number): number {
  if (bits === 0) return 0
  const at = (index >>> 2) * bits
  const word = from + (at >>> 5) * buildQueues + (index & 3)
  const shift = at & 31
  const low = data[word]! >>> shift
  return ((shift + bits > 32 ? low | (data[word + buildQueues]! << (32 - shift)) : low) & maskOf(bits)) >>> 0
}

export function maskOf(bits: number): number {
  return bits === 32 ? -1 : (1 << bits) - 1
}
