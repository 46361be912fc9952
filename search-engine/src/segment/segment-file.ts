/**
 * Segments in files: opened by their heads, so that a start reads little and memory holds what is searched. What is not
 * read is not verified either; `faultOf` reads all of a file for that, and keeps nothing.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { DamagedSegment, headLength, headSizeOf, placesOf, readAll, readFrom, sizeOf } from './container.ts'
import { roomFor } from './made.ts'

/** Smaller ones are read at once: the file need not stay open. */
const smallFile = 1 << 20

/** A file is closed this long after its segment was forgotten here: another thread may be at work on it still. */
const closeAfter = 10 * 60_000
const forgotten = new FinalizationRegistry<number>((file) => void setTimeout(closeSync, closeAfter, file).unref())

export function openSegmentFile(path: string): SharedArrayBuffer {
  return withFile(path, (file, keepOpen) => {
    const buffer = readHead(file)
    if (sizeOf(buffer) <= smallFile) {
      readAll(buffer)
    } else {
      keepOpen()
      forgotten.register(buffer, file)
    }
    return buffer
  })
}

/** What is wrong with a file; nothing when it is whole. */
export function faultOf(path: string): string | undefined {
  const piece = Buffer.alloc(pieceSize)
  try {
    withFile(path, (file) => {
      for (const [from, to, checksum] of placesOf(readHead(file))) {
        let sum = 0
        for (let at = from; at < to;) {
          const read = readSync(file, piece, 0, Math.min(pieceSize, to - at), at)
          if (read === 0) throw new DamagedSegment('it ends too early')
          sum = crc32(piece.subarray(0, read), sum)
          at += read
        }
        if (sum !== checksum) throw new DamagedSegment('a section does not agree with its checksum')
      }
    })
    return undefined
  } catch (error) {
    if (error instanceof DamagedSegment) return error.what
    throw error
  }
}
const pieceSize = 1 << 20

function withFile<T>(path: string, work: (file: number, keepOpen: () => void) => T): T {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw Object.assign(new DamagedSegment('it cannot be read'), { cause })
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
  if (headSize > size) throw new DamagedSegment('it ends too early')
  const buffer = new SharedArrayBuffer(size + roomFor(size))
  readSync(file, new Uint8Array(buffer, 0, headSize), 0, headSize, 0)
  readFrom(file, size, buffer, headSize)
  return buffer
}
