/**
 * The file of a transfer: stored in the database in pieces, so that every process of an installation can continue with
 * it.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../adapters/postgres/db.ts'
import type { Bytes } from './read/source.ts'
import * as rows from './transfers.sql.ts'

/** Small enough that reading ahead by some pieces costs little memory. */
const pieceSize = 512 * 1024

/** Stores bytes as the file of the transfer, from its beginning. */
export async function storeFile(db: Db, id: string, bytes: Bytes): Promise<void> {
  let waiting: Buffer[] = []
  let size = 0
  let number = 0
  const flush = async () => {
    await rows.insertPiece(db, id, number++, Buffer.concat(waiting))
    waiting = []
    size = 0
  }
  for await (const arrived of bytes) {
    for (let from = 0; from < arrived.length; from += pieceSize) {
      const piece = arrived.subarray(from, from + pieceSize)
      waiting.push(piece)
      size += piece.length
      if (size >= pieceSize) await flush()
    }
  }
  if (size > 0) await flush()
}

/** The next piece is read while the current one is used. */
export async function* readFile(db: Db, id: string): AsyncGenerator<Buffer> {
  let next = rows.findPiece(db, id, 0)
  for (let number = 1; ; number++) {
    const piece = await next
    if (!piece) return
    next = rows.findPiece(db, id, number)
    next.catch(() => {}) // awaited in the next round; if the reader is gone by then, the error is dropped
    yield piece
  }
}

/** A copy on disk, for formats that need random access. It is removed when the work is done. */
export const withCopy = <T>(db: Db, data: string, id: string, work: (path: string) => Promise<T>): Promise<T> =>
  withFileOf(data, readFile(db, id), work)

/** A file on disk with these bytes. It is removed when the work is done. */
export async function withFileOf<T>(data: string, bytes: Bytes, work: (path: string) => Promise<T>): Promise<T> {
  await mkdir(join(data, 'tmp'), { recursive: true })
  const folder = await mkdtemp(join(data, 'tmp', 'transfer-'))
  try {
    const path = join(folder, 'file')
    await pipeline(Readable.from(bytes), createWriteStream(path))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
