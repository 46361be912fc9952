/**
 * Reading a file into buffers that are used again and again.
 *
 * A piece is only lent: it holds its bytes until the next one is asked for. Whoever must keep it copies it. So a reader
 * costs its buffers however much it reads, and leaves next to nothing behind to be collected. For the same reason files
 * are read by the older calls of Node, which leave half as much as those that return promises of their own.
 */
import { read } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Range } from './store.ts'

/** With two buffers one is filled while the other is being used. */
interface Buffers {
  readonly count: 1 | 2
  readonly size: number
}
const usual: Buffers = { count: 2, size: 256 * 1024 }

/** The file stays open unless `onEnd` closes it. One that ends before the range does is broken, and not a shorter file. */
export async function* lendPieces(
  { fd }: FileHandle,
  { first, last }: Range,
  { count, size } = usual,
  onEnd?: () => Promise<void>,
): AsyncGenerator<Buffer> {
  const room = Math.min(size, last + 1 - first)
  const buffers = Array.from({ length: count }, () => Buffer.allocUnsafeSlow(room))
  const fill = (turn: number, at: number) => readInto(fd, buffers[turn % count]!, Math.min(room, last + 1 - at), at)
  let filling: Promise<Buffer> | undefined
  try {
    for (let [at, turn] = [first, 0]; at <= last; turn++) {
      const piece = await (filling ?? fill(turn, at))
      if (piece.length === 0) throw new Error(`a file ends after ${at} bytes, before its byte ${last}`)
      at += piece.length
      filling = count === 2 && at <= last ? fill(turn + 1, at) : undefined
      filling?.catch(() => {}) // told by the next await
      yield piece
    }
    release(buffers)
  } finally {
    await filling?.catch(() => {}) // the file may be closed now
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
 * Gives memory back at once. V8 would do so only when it next goes through its whole heap. Nobody may use the buffers
 * any more, a write that is still under way neither.
 */
export const release = (buffers: readonly Buffer<ArrayBuffer>[]): void => {
  for (const { buffer } of buffers) buffer.transfer(0)
}
