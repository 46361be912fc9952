/**
 * Reading a file into two buffers that take turns: one is filled while the other is being used.
 *
 * A piece is only lent: it holds its bytes until the next one is asked for. Whoever must keep it copies it. So a reader
 * costs two buffers however much it reads, and leaves nothing behind to be collected.
 */
import type { FileHandle } from 'node:fs/promises'
import type { Range } from './store.ts'

/** A file that ends before its range does is broken, and not a shorter file. */
export async function* lendPieces(handle: FileHandle, { first, last }: Range, pieceSize: number) {
  const room = Math.min(pieceSize, last + 1 - first)
  const buffers = [Buffer.allocUnsafeSlow(room), Buffer.allocUnsafeSlow(room)] as const
  const fill = (turn: number, at: number) => handle.read(buffers[turn % 2]!, 0, Math.min(room, last + 1 - at), at)
  let filling: ReturnType<typeof fill> | undefined
  try {
    for (let [at, turn] = [first, 0]; at <= last;) {
      const { bytesRead, buffer } = await (filling ?? fill(turn, at))
      if (bytesRead === 0) throw new Error(`a file ends after ${at} bytes, before its byte ${last}`)
      at += bytesRead
      filling = at > last ? undefined : fill(++turn, at)
      filling?.catch(() => {}) // told by the next await
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await filling?.catch(() => {}) // the file is about to be closed
  }
}
