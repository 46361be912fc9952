/** Writes a stream to a file so that disk and CPU work at the same time. */
import { type FileHandle, open } from 'node:fs/promises'
import { release } from './lending.ts'

/** The source is longer than allowed. */
export class TooLong extends Error {}

/** There are two of these buffers per source. */
const writeSize = 256 * 1024

export interface Writing {
  readonly maxBytes: number
  /** Called with every chunk as it arrives. */
  readonly onPiece?: ((piece: Buffer) => void) | undefined
  /** Writes bytes at this position of the source. They stay valid until it has finished. */
  write(bytes: Buffer, at: number): Promise<void>
}

/**
 * Combines chunks into large writes with two alternating buffers: one is filled while the other is being written. Chunks
 * are copied so that they can be collected at once; if they waited for the write, they would reach the old generation.
 * Returns the number of bytes.
 */
export async function writeAll(source: AsyncIterable<Buffer>, { maxBytes, onPiece, write }: Writing): Promise<number> {
  let [filling, other] = [Buffer.allocUnsafeSlow(writeSize), Buffer.allocUnsafeSlow(writeSize)]
  let [size, filled] = [0, 0]
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    await writing
    writing = write(filling.subarray(0, filled), size - filled)
    writing.catch(() => {}) // reported by the next await
    ;[filling, other, filled] = [other, filling, 0]
  }
  try {
    for await (const piece of source) {
      if (size + piece.length > maxBytes) throw new TooLong(`more than ${maxBytes} bytes`)
      onPiece?.(piece)
      for (let at = 0; at < piece.length;) {
        const copied = piece.copy(filling, filled, at)
        ;[at, filled, size] = [at + copied, filled + copied, size + copied]
        if (filled === writeSize) await flush()
      }
    }
    if (filled > 0) await flush()
    await writing
  } finally {
    await writing.catch(() => {})
    release([filling, other])
  }
  return size
}

/** A disk that fills up may write only a part without an error. */
export async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at)
  if (bytesWritten !== bytes.length) throw fullDisk(`only ${bytesWritten} of ${bytes.length} bytes could be written`)
}

const fullDisk = (message: string) => Object.assign(new Error(message), { code: 'ENOSPC' })

/** Writes each chunk before it requests the next one. */
export async function copyInto(handle: FileHandle, offset: number, pieces: AsyncIterable<Buffer>): Promise<void> {
  let at = offset
  for await (const piece of pieces) {
    await writeWhole(handle, piece, at)
    at += piece.length
  }
}

/** Writes chunks into a new, durable file. */
export async function writeNew(file: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await copyInto(handle, 0, pieces)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
