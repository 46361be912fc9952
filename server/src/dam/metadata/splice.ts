/** A file made of parts of a stored one and of new bytes. Its size is known before a byte is sent, and nothing is copied. */
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Range } from '../../adapters/blobs/store.ts'
import { damaged } from './edits.ts'

/** New bytes, or those of the stored file from `first` up to, but not including, `end`. */
export type Part = Buffer | { readonly first: number; readonly end: number }

/** The parts of a stored file are in its order. */
interface Splice {
  readonly sha256: string
  readonly parts: readonly Part[]
}

const lengthOf = (part: Part) => (Buffer.isBuffer(part) ? part.length : part.end - part.first)
export const sizeOf = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + lengthOf(part), 0)

/** A stored file, read at any position in windows, so that small parts next to each other are one request. */
export interface Source {
  readonly size: number
  /** Throws if the file ends before. */
  read(at: number, length: number): Promise<Buffer>
}
const windowBytes = 256 * 1024

export function sourceOf(blobs: Pick<Blobs, 'lend'>, { sha256, size }: { sha256: string; size: number }): Source {
  let [start, window] = [0, Buffer.alloc(0)]
  return {
    size,
    async read(at, length) {
      if (at < 0 || at + length > size) throw damaged('it is cut off')
      if (at < start || at + length > start + window.length) {
        const wanted = Math.min(size - at, Math.max(length, windowBytes))
        const pieces: Buffer[] = []
        for await (const piece of await blobs.lend(sha256, { first: at, last: at + wanted - 1 }))
          pieces.push(Buffer.from(piece))
        ;[start, window] = [at, Buffer.concat(pieces)]
        if (window.length < length) throw damaged('it is cut off')
      }
      return window.subarray(at - start, at - start + length)
    },
  }
}

/** The bytes of the range. A whole file is read from its beginning to its end, so that its hash is verified. */
export async function lendSplice(
  blobs: Pick<Blobs, 'lend'>,
  splice: Splice,
  range?: Range,
): Promise<AsyncIterable<Buffer>> {
  if (range || splice.parts.every((part) => Buffer.isBuffer(part)))
    return lendRange(blobs, splice, range ?? { first: 0, last: sizeOf(splice.parts) - 1 })
  return lendWhole(await blobs.lend(splice.sha256), splice.parts)
}

async function* lendWhole(stored: AsyncIterable<Buffer>, parts: readonly Part[]): AsyncGenerator<Buffer> {
  const iterator = stored[Symbol.asyncIterator]()
  let [at, piece]: [number, Buffer] = [0, Buffer.alloc(0)]
  try {
    for (const part of parts) {
      if (Buffer.isBuffer(part)) {
        if (part.length > 0) yield part
        continue
      }
      while (at < part.end) {
        if (piece.length === 0) {
          const next = await iterator.next()
          if (next.done) throw new Error('a stored file is shorter than it was')
          piece = next.value
        }
        const skipped = Math.min(Math.max(0, part.first - at), piece.length)
        const taken = piece.subarray(skipped, skipped + Math.max(0, part.end - at - skipped))
        piece = piece.subarray(skipped + taken.length)
        at += skipped + taken.length
        if (taken.length > 0) yield taken
      }
    }
    while (!(await iterator.next()).done); // the hash is verified at the end
  } finally {
    await iterator.return?.()
  }
}

async function* lendRange(
  blobs: Pick<Blobs, 'lend'>,
  { sha256, parts }: Splice,
  { first, last }: Range,
): AsyncGenerator<Buffer> {
  let at = 0
  for (const part of parts) {
    const length = lengthOf(part)
    const [from, to] = [Math.max(0, first - at), Math.min(length, last + 1 - at)]
    at += length
    if (from >= to) continue
    if (Buffer.isBuffer(part)) yield part.subarray(from, to)
    else yield* await blobs.lend(sha256, { first: part.first + from, last: part.first + to - 1 })
  }
}
