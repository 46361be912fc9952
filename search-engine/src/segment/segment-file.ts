/**
 * Opens segment files by their head only, so that a start reads little and memory holds only what is searched. Sections
 * that are not read are not verified either; `findDamage` reads and verifies a whole file and keeps nothing in memory.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { DamagedSegment, headLength, headSizeOf, sectionRanges, readAll, readFrom, sizeOf } from './container.ts'

/** Smaller files are read at once, so that they need not stay open. */
const smallFile = 1 << 20

/** Delay before closing the file of a garbage collected segment (ms): another thread may still be reading it. */
const closeAfter = 10 * 60_000
const unreferenced = new FinalizationRegistry<number>((file) => void setTimeout(closeSync, closeAfter, file).unref())

export function openSegmentFile(path: string): SharedArrayBuffer {
  return withFile(path, (file, keepOpen) => {
    const buffer = readHead(file)
    if (sizeOf(buffer) <= smallFile) {
      readAll(buffer)
    } else {
      keepOpen()
      unreferenced.register(buffer, file)
    }
    return buffer
  })
}

/** Describes the damage of a file; undefined if the file is intact. */
export function findDamage(path: string): string | undefined {
  const chunk = Buffer.alloc(chunkSize)
  try {
    withFile(path, (file) => {
      for (const [from, to, checksum] of sectionRanges(readHead(file))) {
        let sum = 0
        for (let at = from; at < to;) {
          const read = readSync(file, chunk, 0, Math.min(chunkSize, to - at), at)
          if (read === 0) throw new DamagedSegment('the file is truncated')
          sum = crc32(chunk.subarray(0, read), sum)
          at += read
        }
        if (sum !== checksum) throw new DamagedSegment('checksum mismatch in a section')
      }
    })
    return undefined
  } catch (error) {
    if (error instanceof DamagedSegment) return error.what
    throw error
  }
}
const chunkSize = 1 << 20

function withFile<T>(path: string, work: (file: number, keepOpen: () => void) => T): T {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw Object.assign(new DamagedSegment('the file cannot be read'), { cause })
  }
  let isKept = false
  try {
    return work(file, () => (isKept = true))
  } finally {
    if (!isKept) closeSync(file)
  }
}

function readHead(file: number): SharedArrayBuffer {
  const { size } = fstatSync(file)
  const first = Buffer.alloc(headLength)
  readSync(file, first, 0, headLength, 0)
  const headSize = headSizeOf(first)
  if (headSize > size) throw new DamagedSegment('the file is truncated')
  const buffer = new SharedArrayBuffer(size)
  readSync(file, new Uint8Array(buffer, 0, headSize), 0, headSize, 0)
  readFrom(file, size, buffer, headSize)
  return buffer
}
