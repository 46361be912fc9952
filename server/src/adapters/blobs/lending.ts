/**
 * Reads a file into reused buffers.
 *
 * A chunk is only lent: it is valid until the next one is requested, and must be copied to be kept. A reader therefore costs
 * two buffers however much it reads, and leaves almost no garbage. For the same reason it uses the callback API of Node, which
 * leaves half as much garbage as the promise API.
 */
import { read } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Range } from './store.ts'

/** With two buffers one is filled while the other is in use. */
interface Buffers {
  readonly count: 1 | 2
  readonly size: number
}
const usual: Buffers = { count: 2, size: 256 * 1024 }

/** The file stays open unless `onEnd` closes it. A file that ends before the range is an error. */
export async function* lendPieces(
  { fd }: FileHandle,
  { first, last }: Range,
  { count, size } = usual,
  onEnd?: () => Promise<void>,
): AsyncGenerator<Buffer> {
  const bufferSize = Math.min(size, last + 1 - first)
  const buffers = Array.from({ length: count }, () => Buffer.allocUnsafeSlow(bufferSize))
  const fill = (turn: number, at: number) =>
    readInto(fd, buffers[turn % count]!, Math.min(bufferSize, last + 1 - at), at)
  let filling: Promise<Buffer> | undefined
  try {
    for (let [at, turn] = [first, 0]; at <= last; turn++) {
      const piece = await (filling ?? fill(turn, at))
      if (piece.length === 0) throw new Error(`a file ends after ${at} bytes, before its byte ${last}`)
      at += piece.length
      filling = count === 2 && at <= last ? fill(turn + 1, at) : undefined
      filling?.catch(() => {}) // reported by the next await
      yield piece
    }
    release(buffers)
  } finally {
    await filling?.catch(() => {}) // from now on the file may be closed
    await onEnd?.()
  }
}

const readInto = (fd: number, buffer: Buffer, length: number, at: number) =>
  new Promise<Buffer>((resolve, reject) => {
    read(fd, buffer, 0, length, at, (error, bytesRead) =>
      error ? reject(error) : resolve(buffer.subarray(0, bytesRead)),
    )
  })

/**
 * Frees memory at once; V8 would wait for its next full collection. Nothing may use the buffers any more, not even a
 * write that has not finished.
 */
export const release = (buffers: readonly Buffer<ArrayBuffer>[]): void => {
  for (const { buffer } of buffers) buffer.transfer(0)
}
