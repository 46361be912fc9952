/**
 * Content-addressed files: a blob is named by its SHA-256, never changes, and is stored once however often it is uploaded.
 *
 *   stage    bytes arrive -> tmp/<uuid>, hashed on the way, on disk before stage returns
 *   keep     tmp/<uuid>   -> sha256/ab/cdef…, durable; nothing to do if the same bytes are stored already
 *   row      the database commits: only now is the file visible
 *
 * A crash between two steps leaves unreferenced bytes, which the collector removes. Chunks of an upload are stored separately
 * (chunks.ts) and removed with their upload.
 */
import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { chunkKey, type Chunks, objectChunks, type PlacedChunk, type Reception } from './chunks.ts'
import { createDigest, type Digest } from './digest.ts'
import { diskChunks } from './disk-chunks.ts'
import { diskStore, makeFolder } from './disk.ts'
import { createBufferCollector } from './buffer-gc.ts'
import { s3Store } from './s3.ts'
import type { PresignedReply, Range, Store } from './store.ts'
import { writeAll, writeNew, writeWhole } from './writing.ts'

export interface Staged extends Digest {
  /** Makes the bytes durable under a key of the store. */
  moveTo(key: string): Promise<void>
  /** Removes the staged bytes unless they were kept. */
  drop(): Promise<void>
}

/** The stored bytes are damaged. */
export class Corrupt extends Error {
  readonly sha256: string
  constructor(sha256: string) {
    super(`the stored bytes of ${sha256} do not have that hash`)
    this.sha256 = sha256
  }
}

export type Blobs = ReturnType<typeof createBlobs>

/** `s3://bucket?endpoint=…`, or a folder if there is no URL. */
export const openBlobs = (url: string | undefined, folder: string): Blobs =>
  url === undefined ? folderBlobs(folder) : createBlobs(s3Store(url), join(folder, 'tmp'))

/** In a folder together with its spool: files are moved in by rename. */
export const folderBlobs = (folder: string): Blobs =>
  createBlobs(diskStore(folder), join(folder, 'tmp'), (reception) => diskChunks(folder, reception))

/** How many verified blobs this process remembers; others are verified again. */
const maxVerified = 10_000

export function createBlobs(
  store: Store,
  tmp: string,
  chunksIn = (reception: Reception): Chunks => objectChunks(store, reception),
) {
  const verified = new Map<string, string>()
  const passed = createBufferCollector()
  const spool = createSpool(store, tmp)
  const chunks = chunksIn({ spool: spool.newFile, onPiece: ({ length }) => passed(length) })
  const blobs = {
    stage: (source: AsyncIterable<Buffer>, maxBytes: number): Promise<Staged> =>
      spool.stage((file) => writeHashed(file, source, maxBytes, passed)),

    /** Makes staged bytes durable under their hash. Idempotent. Returns whether it wrote them. */
    async keep({ sha256, size, moveTo }: Staged): Promise<boolean> {
      if (await blobs.settle(sha256, size)) return false
      await moveTo(blobKey(sha256))
      return true
    },

    /** Whether the bytes are stored. They are durable then, also if their writer failed or has not ended yet. */
    async settle(sha256: string, size: number): Promise<boolean> {
      if (!(await blobs.has(sha256, size))) return false
      await store.settle?.(blobKey(sha256))
      return true
    },

    /** Writes staged bytes even if bytes of their hash are stored, because those are damaged. */
    async replace({ sha256, moveTo }: Staged): Promise<void> {
      await moveTo(blobKey(sha256))
      verified.delete(sha256)
    },

    has: async (sha256: string, size: number) => (await store.size(blobKey(sha256))) === size,

    /**
     * The bytes in chunks; each is valid until the next one is requested. Verifies all bytes against their hash, unless
     * this process has done so before; a range is not verified.
     */
    async lend(sha256: string, range?: Range): Promise<AsyncIterable<Buffer>> {
      const { pieces, size, print } = await store.read(blobKey(sha256), range)
      if (range || verified.get(sha256) === print) return pieces
      return verify(sha256, size, pieces, () => {
        if (verified.size >= maxVerified) verified.delete(verified.keys().next().value!)
        verified.set(sha256, print)
      })
    },

    /** All bytes, verified whatever was verified before. */
    async reread(sha256: string): Promise<AsyncIterable<Buffer>> {
      verified.delete(sha256)
      const { pieces, size } = await store.read(blobKey(sha256))
      return verify(sha256, size, pieces, () => {})
    },

    /** The same with chunks that stay valid. */
    async open(sha256: string, range?: Range): Promise<Readable> {
      return Readable.from(copies(await blobs.lend(sha256, range), passed), { objectMode: false })
    },

    /** The bytes as a local file; a temporary copy, if needed, is removed when `work` has ended. */
    async withFile<T>(sha256: string, work: (file: string) => Promise<T>): Promise<T> {
      const near = store.fileOf?.(blobKey(sha256))
      if (near !== undefined) return work(near)
      const file = await spool.newFile()
      try {
        await writeNew(file, await blobs.lend(sha256))
        return await work(file)
      } finally {
        await rm(file, { force: true })
      }
    },

    remove: (sha256: string) => store.remove(blobKey(sha256)),

    check: store.check,

    async *list() {
      for await (const { key, ...rest } of store.list('sha256')) {
        yield { sha256: key.split('/').slice(1).join(''), ...rest }
      }
    },

    presign:
      store.presign &&
      ((sha256: string, reply: PresignedReply, seconds: number) => store.presign!(blobKey(sha256), reply, seconds)),

    ...chunkedUploads(store, chunks, spool),

    /** Removes leftovers of crashes from the spool and incomplete writes from the store. */
    sweep: async (before: Date): Promise<number> => (await spool.sweep(before)) + ((await store.sweep?.(before)) ?? 0),
  }
  return blobs
}

type Spool = ReturnType<typeof createSpool>

/** Files that are being received, in a folder from which the store takes them. */
function createSpool(store: Store, tmp: string) {
  const newFile = async () => {
    await makeFolder(dirname(tmp), tmp)
    return join(tmp, randomUUID())
  }
  return {
    /** The path of a file that does not exist yet. */
    newFile,

    async stage(write: (file: string) => Promise<Digest>): Promise<Staged> {
      const file = await newFile()
      const drop = () => rm(file, { force: true })
      try {
        return { ...(await write(file)), moveTo: (key) => store.write(key, file), drop }
      } catch (error) {
        await drop()
        throw error
      }
    },

    async sweep(before: Date): Promise<number> {
      let count = 0
      for (const name of await readdir(tmp).catch(() => [])) {
        const file = join(tmp, name)
        const found = await stat(file).catch(() => undefined)
        if (!found || found.mtime >= before) continue
        await rm(file, { force: true })
        count++
      }
      return count
    },
  }
}

/** The part of `Blobs` for uploads in chunks. */
function chunkedUploads(store: Store, chunks: Chunks, spool: Spool) {
  return {
    receiveChunk: chunks.receive,
    readChunk: chunks.read,

    /** Concatenates the chunks in the given order into one file. They stay until they are dropped. */
    async stageChunks(upload: string, placed: readonly PlacedChunk[]): Promise<Staged> {
      const joined = await chunks.joinThere?.(upload, placed)
      if (!joined) return spool.stage((file) => chunks.join(upload, placed, file))
      const { key, ...digest } = joined
      return {
        ...digest,
        moveTo: (to) => store.join!([{ key, size: digest.size }], to),
        drop: () => store.remove(key),
      }
    },

    /** A URL of the store that accepts a chunk of exactly this size for this place. */
    presignChunk:
      store.presignWrite &&
      ((upload: string, { place, size }: Pick<PlacedChunk, 'place' | 'size'>, seconds: number) =>
        store.presignWrite!(chunkKey(upload, place), size, seconds)),

    /** The number of bytes at each place of an upload. */
    async chunkSizes(upload: string): Promise<Map<string, number>> {
      const sizes = new Map<string, number>()
      for await (const { key, size } of store.list(`uploads/${upload}`)) sizes.set(key.split('/').at(-1)!, size)
      return sizes
    },

    async dropChunks(upload: string): Promise<void> {
      chunks.forget(upload)
      for await (const { key } of store.list(`uploads/${upload}`)) await store.remove(key)
    },

    /** The uploads that have chunks, with the time of the last one. */
    async uploads(): Promise<Map<string, Date>> {
      const found = new Map<string, Date>()
      for await (const { key, modifiedAt } of store.list('uploads')) {
        const upload = key.split('/')[1]!
        if (!(found.get(upload)! > modifiedAt)) found.set(upload, modifiedAt)
      }
      return found
    },
  }
}

/** Two letters of the hash are a folder: with a million files each has about 4,000. */
const blobKey = (sha256: string) => {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a hash')
  return `sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`
}

/** Hashes while writing; the file is on disk when this returns. */
async function writeHashed(
  file: string,
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  passed: (bytes: number) => void,
) {
  const digest = createDigest()
  const handle = await open(file, 'wx')
  const onPiece = (piece: Buffer) => {
    digest.add(piece)
    passed(piece.length)
  }
  try {
    await writeAll(source, { maxBytes, onPiece, write: (bytes, at) => writeWhole(handle, bytes, at) })
    await handle.datasync()
    return digest.result()
  } finally {
    await handle.close()
  }
}

/** Holds back the last chunk until the hash is verified, so that a damaged file never looks complete. */
async function* verify(sha256: string, size: number, pieces: AsyncIterable<Buffer>, onVerified: () => void) {
  const hash = createHash('sha256')
  let left = size
  const check = () => {
    if (hash.digest('hex') !== sha256) throw new Corrupt(sha256)
    onVerified()
  }
  if (size === 0) check()
  for await (const piece of pieces) {
    hash.update(piece)
    left -= piece.length
    if (left === 0) check()
    yield piece
  }
}

async function* copies(pieces: AsyncIterable<Buffer>, passed: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    passed(piece.length)
    yield Buffer.from(piece)
  }
}
