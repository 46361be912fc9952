/**
 * Streams of bytes that grow side by side, by the hundred thousand: the postings of each term while documents come by.
 * A stream is a chain of slices in common blocks; its slices get longer, so that a rare term takes little room and a
 * frequent one few steps.
 *
 *   block     | term 7       ->| term 2    ->|              term 7                  ->|  ...
 *               16 bytes         16 bytes       32 bytes                    the last four of a slice tell the next one
 */
import { createBytes, reserve, type Bytes } from './bytes.ts'

export interface Streams {
  /** Streams have numbers from 0, and begin when they are first written to. */
  append(stream: number, bytes: Bytes): void
  /** All bytes of a stream, until it is asked for another. */
  read(stream: number): Bytes
}

const blockBits = 16
const blockSize = 1 << blockBits
const linkSize = 4
const sizes = [16, 32, 64, 128, 256, 512, 1024]
const sizeAt = (level: number) => sizes[Math.min(level, sizes.length - 1)]!

/** Of each stream: where its first slice begins, where it goes on, how much room its slice has left, which slice it is. */
const perStream = 4

export function createStreams(): Streams {
  let first = new Uint8Array(1024)
  const blocks: Uint8Array[] = [first]
  let used = 0
  let streams = new Int32Array(perStream * 64)
  const whole = createBytes(1024)

  function slice(level: number): number {
    const size = sizeAt(level)
    if (used + size > first.length) {
      if (blocks.length === 1 && first.length < blockSize) growFirst()
      else if (used + size > blocks.length * blockSize) {
        used = blocks.length * blockSize
        blocks.push(new Uint8Array(blockSize))
      }
    }
    const at = used
    used += size
    return at
  }
  /** Most segments are those of a few changes: their streams need no whole block. */
  function growFirst(): void {
    const larger = new Uint8Array(Math.min(blockSize, first.length * 4))
    larger.set(first)
    blocks[0] = first = larger
  }
  function begin(at: number): void {
    if (at >= streams.length) {
      const more = new Int32Array(Math.max(streams.length * 2, at + perStream))
      more.set(streams)
      streams = more
    }
    if (streams[at + 3] !== 0) return
    const start = slice(0)
    streams.set([start, start, sizeAt(0) - linkSize, 1], at)
  }
  /** Goes on in another slice, which the end of this one tells. */
  function extend(at: number): void {
    const level = streams[at + 3]!
    const next = slice(level)
    const block = blocks[streams[at + 1]! >>> blockBits]!
    const end = streams[at + 1]! & (blockSize - 1)
    for (let i = 0; i < linkSize; i++) block[end + i] = next >>> (8 * i)
    streams[at + 1] = next
    streams[at + 2] = sizeAt(level) - linkSize
    streams[at + 3] = level + 1
  }
  return {
    append(stream, { data, length }) {
      const state = stream * perStream
      if (state >= streams.length || streams[state + 3] === 0) begin(state)
      for (let from = 0; from < length;) {
        if (streams[state + 2] === 0) extend(state)
        const fits = Math.min(streams[state + 2]!, length - from)
        const block = blocks[streams[state + 1]! >>> blockBits]!
        let at = streams[state + 1]! & (blockSize - 1)
        for (const end = from + fits; from < end;) block[at++] = data[from++]!
        streams[state + 1]! += fits
        streams[state + 2]! -= fits
      }
    },
    read(stream) {
      whole.length = 0
      const state = stream * perStream
      const levels = streams[state + 3] ?? 0
      let at = streams[state]!
      for (let level = 0; level < levels; level++) {
        const block = blocks[at >>> blockBits]!
        const start = at & (blockSize - 1)
        const room = sizeAt(level) - linkSize
        const length = level === levels - 1 ? room - streams[state + 2]! : room
        reserve(whole, length)
        whole.data.set(block.subarray(start, start + length), whole.length)
        whole.length += length
        const link = start + room
        at = block[link]! | (block[link + 1]! << 8) | (block[link + 2]! << 16) | (block[link + 3]! << 24)
      }
      return whole
    },
  }
}
