/**
 * Chunks of unfinished uploads: the interface of a store for them, and its implementation for S3, one object per chunk. A
 * folder has a better one (disk-chunks.ts).
 *
 * A chunk is durable once it was received. It is identified by its place, a string that only the store interprets.
 */
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { createDigest, type Digest } from './digest.ts'
import { smallestPart, type Store, Unsupported } from './store.ts'
import { writeAll, writeNew, writeWhole, type Writing } from './writing.ts'

export interface PlacedChunk {
  readonly number: number
  readonly size: number
  readonly place: string
}

/** A received chunk. The receiver must keep or drop it. */
export interface Received {
  readonly size: number
  readonly place: string
  /** The database has it under this number now. */
  keep(number: number): void
  /** Removes it unless it was kept. */
  drop(): Promise<void>
}

/** The facts about a chunk that are known before it arrives. */
export interface Coming {
  readonly upload: string
  /** Its number, if the form had it before the bytes. */
  readonly number: number | undefined
  /** The size of the largest chunk so far; 0 when there is none. */
  readonly chunkSize: number
  readonly maxBytes: number
  /** Whether the database has a chunk of this number. */
  isKnown(number: number): Promise<boolean>
}

export interface Chunks {
  receive(coming: Coming, source: AsyncIterable<Buffer>): Promise<Received>
  read(upload: string, chunk: Pick<PlacedChunk, 'place' | 'size'>): AsyncIterable<Buffer>
  /** Concatenates them into a new, durable file of the spool. The chunks stay as they are. */
  join(upload: string, chunks: readonly PlacedChunk[], file: string): Promise<Digest>
  /** The same inside the store; the bytes are only read once, for the hash. Undefined if the store cannot do it. */
  joinThere?(upload: string, chunks: readonly PlacedChunk[]): Promise<(Digest & { readonly key: string }) | undefined>
  /** Removes all chunks of an upload. */
  forget(upload: string): void
}

export const chunkKey = (upload: string, name: string) => `uploads/${upload}/${name}`

/** Writes a chunk into a new, durable file of the spool. Leaves nothing behind on failure. */
export async function writeAside(
  file: string,
  source: AsyncIterable<Buffer>,
  { maxBytes, onPiece }: Pick<Writing, 'maxBytes' | 'onPiece'>,
): Promise<number> {
  const handle = await open(file, 'wx')
  try {
    const write = (bytes: Buffer, at: number) => writeWhole(handle, bytes, at)
    const size = await writeAll(source, { maxBytes, onPiece, write })
    await handle.datasync()
    return size
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** The spool that receives chunks, and a callback for the length of every piece. */
export interface Reception {
  spool(): Promise<string>
  onPiece(piece: Buffer): void
}

export function objectChunks(store: Store, { spool, onPiece }: Reception): Chunks {
  const read = async function* (upload: string, { place }: Pick<PlacedChunk, 'place'>) {
    yield* (await store.read(chunkKey(upload, place))).pieces
  }
  return {
    async receive({ upload, maxBytes }, source) {
      const [file, place] = [await spool(), randomUUID()]
      const size = await writeAside(file, source, { maxBytes, onPiece })
      try {
        await store.write(chunkKey(upload, place), file)
      } finally {
        await rm(file, { force: true })
      }
      let kept = false
      return {
        size,
        place,
        keep: () => void (kept = true),
        drop: async () => void (kept || (await store.remove(chunkKey(upload, place)))),
      }
    },
    read,
    async join(upload, chunks, file) {
      const digest = createDigest()
      const all = async function* () {
        for (const chunk of chunks)
          for await (const piece of read(upload, chunk)) {
            digest.add(piece)
            yield piece
          }
      }
      await writeNew(file, all())
      return digest.result()
    },

    /**
     * A client with a URL of the store may overwrite its chunk at any time. Therefore a copy under a key without a URL is
     * read and becomes the file.
     */
    async joinThere(upload, chunks) {
      if (!store.join || chunks.slice(0, -1).some(({ size }) => size < smallestPart)) return undefined
      const key = chunkKey(upload, randomUUID())
      const parts = chunks.map(({ place, size }) => ({ key: chunkKey(upload, place), size }))
      try {
        await store.join(parts, key)
      } catch (error) {
        if (error instanceof Unsupported) return undefined
        throw error
      }
      const digest = createDigest()
      for await (const piece of (await store.read(key)).pieces) {
        digest.add(piece)
        onPiece(piece)
      }
      return { ...digest.result(), key }
    },
    forget() {},
  }
}
