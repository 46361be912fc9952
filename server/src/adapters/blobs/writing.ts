/** Bytes from a stream to a file, such that disk and processor work at the same time. */
import { type FileHandle, open } from 'node:fs/promises'

/** The source sent more than it may. */
export class TooLong extends Error {}

const writeSize = 1024 * 1024

export interface Writing {
  readonly maxBytes: number
  /** Told of every piece as it arrives. */
  onPiece?(piece: Buffer): void
  /** Writes pieces that stand at this position of the source. */
  write(pieces: Buffer[], at: number): Promise<void>
}

/** Gathers pieces to large writes; the next ones arrive while those before are being written. Returns how many bytes came. */
export async function writeAll(source: AsyncIterable<Buffer>, { maxBytes, onPiece, write }: Writing): Promise<number> {
  let [size, flushed] = [0, 0]
  let pieces: Buffer[] = []
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    const [full, at] = [pieces, flushed]
    ;[pieces, flushed] = [[], size]
    await writing
    if (full.length > 0) writing = write(full, at)
    writing.catch(() => {}) // told by the next await
  }
  try {
    for await (const piece of source) {
      size += piece.length
      if (size > maxBytes) throw new TooLong(`more than ${maxBytes} bytes`)
      onPiece?.(piece)
      pieces.push(piece)
      if (size - flushed >= writeSize) await flush()
    }
    await flush()
    await writing
  } finally {
    await writing.catch(() => {})
  }
  return size
}

/** A disk that fills up may take a part of what it is given and say no more about it. */
export async function writeWhole(handle: FileHandle, pieces: Buffer[], at: number): Promise<void> {
  const { bytesWritten } = await handle.writev(pieces, at)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (bytesWritten !== length) throw new Error(`only ${bytesWritten} of ${length} bytes could be written`)
}

/** Writes pieces one after the other, each before the next is asked for. */
export async function copyInto(handle: FileHandle, offset: number, pieces: AsyncIterable<Buffer>): Promise<void> {
  let at = offset
  for await (const piece of pieces) {
    await writeWhole(handle, [piece], at)
    at += piece.length
  }
}

/** Pieces into a new file, durable. */
export async function writeNew(file: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await copyInto(handle, 0, pieces)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
