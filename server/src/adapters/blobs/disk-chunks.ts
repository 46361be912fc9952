/**
 * Chunks of uploads in a folder, written once: if the chunk size is known, each chunk is written to its final place in one
 * file, and that file becomes the blob.
 *
 *   uploads/<upload>/<file>     | chunk 0 | chunk 1 |         | chunk 3 |     place <file>@<offset>
 *
 * The size is that of the first chunk to arrive, so chunks that arrive at the same time go into files of their own and are
 * copied at the end. So do all chunks if they differ in size, or if the server was restarted meanwhile: only the process that
 * created a file writes to it, because it knows which places are being written. After an attempted finish nothing is written
 * to the file any more, because the same bytes may be a blob by then.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  chunkKey,
  type Chunks,
  type Coming,
  type PlacedChunk,
  type Received,
  type Reception,
  writeAside,
} from './chunks.ts'
import { runningDigest } from './digest.ts'
import { makeFolder, syncFolder } from './disk.ts'
import { lendPieces } from './lending.ts'
import { copyInto, writeAll, writeNew, writeWhole } from './writing.ts'

/** A file of an upload that this process writes. */
interface Layout {
  readonly file: string
  readonly chunkSize: number
  /** Chunk numbers whose place is taken, by stored chunks or by chunks that are being written. */
  readonly taken: Set<number>
  /** The number of current and pending writers of the file. */
  writers: number
}
/** How many uploads are remembered; a new file is created for others. */
const mostUploads = 10_000

const placeOf = (file: string, offset: number) => `${file}@${offset}`
const readPlace = (place: string) => {
  const [file = '', offset = ''] = place.split('@')
  return { file, offset: Number(offset) }
}

export function diskChunks(root: string, reception: Reception): Chunks {
  const { spool, onPiece } = reception
  const layouts = new Map<string, Layout>()
  const digests = new Map<string, ReturnType<typeof digestOf>>()
  const folderOf = (upload: string) => join(root, chunkKey(upload, ''))
  const fileOf = (upload: string, file: string) => join(root, chunkKey(upload, file))

  const digestOf = (upload: string) => runningDigest((chunk: PlacedChunk) => read(upload, chunk))
  const addToDigest = (upload: string, chunk: PlacedChunk) => {
    if (!digests.has(upload)) remember(digests, upload, digestOf(upload))
    digests.get(upload)!.add(chunk)
  }

  /** The place of the chunk, if it is known and free. */
  async function claim({ upload, number, chunkSize, isKnown }: Coming): Promise<Layout | undefined> {
    if (number === undefined || chunkSize === 0) return undefined
    let layout = layouts.get(upload)
    if (layout?.chunkSize !== chunkSize) {
      layout = { file: randomUUID(), chunkSize, taken: new Set(), writers: 0 }
      remember(layouts, upload, layout)
    }
    if (layout.taken.has(number)) return undefined
    // Take the place before asking the database: a writer holds its place until the database has its chunk.
    layout.taken.add(number)
    layout.writers++
    const known = await isKnown(number).catch((error: unknown) => {
      give(layout, number)
      throw error
    })
    if (!known) return layout
    give(layout, number)
    return undefined
  }
  const give = (layout: Layout, number: number) => {
    layout.taken.delete(number)
    layout.writers--
  }

  async function receiveInPlace({ upload, number, maxBytes }: Coming, layout: Layout, source: AsyncIterable<Buffer>) {
    const offset = number! * layout.chunkSize
    let kept = false
    const leave = () => void (kept || layout.taken.delete(number!))
    let handle: FileHandle | undefined
    try {
      handle = await openShared(root, fileOf(upload, layout.file))
      const { size, aside } = await writeWithin(
        { handle, offset, capacity: layout.chunkSize },
        source,
        maxBytes,
        reception,
      )
      if (aside !== undefined) return await settleAside(upload, size, aside).finally(leave)
      await handle.datasync()
      const place = placeOf(layout.file, offset)
      const keep = (number: number) => {
        kept = true
        addToDigest(upload, { number, size, place })
      }
      return { size, place, keep, drop: async () => leave() }
    } catch (error) {
      leave()
      throw error
    } finally {
      layout.writers--
      await handle?.close()
    }
  }

  /** Receives a chunk into a file of its own. The first one becomes the file of its upload. */
  async function settleAside(upload: string, size: number, spooled: string): Promise<Received> {
    const file = randomUUID()
    const path = fileOf(upload, file)
    await makeFolder(root, folderOf(upload))
    await rename(spooled, path)
    await syncFolder(folderOf(upload))
    const place = placeOf(file, 0)
    let kept = false
    return {
      size,
      place,
      keep(number) {
        kept = true
        addToDigest(upload, { number, size, place })
        if (number === 0 && size > 0 && !layouts.has(upload))
          remember(layouts, upload, { file, chunkSize: size, taken: new Set([0]), writers: 0 })
      },
      drop: async () => void (kept || (await rm(path, { force: true }))),
    }
  }

  async function* read(upload: string, { place, size }: Pick<PlacedChunk, 'place' | 'size'>) {
    const { file, offset } = readPlace(place)
    const handle = await open(fileOf(upload, file))
    try {
      yield* lendPieces(handle, { first: offset, last: offset + size - 1 })
    } finally {
      await handle.close()
    }
  }
  async function* readAll(upload: string, chunks: readonly PlacedChunk[]) {
    for (const chunk of chunks) yield* read(upload, chunk)
  }

  /** Completes the file. Only chunks with files of their own must be copied; the others are durable in place. */
  async function putTogether(upload: string, layout: Layout, chunks: readonly PlacedChunk[], target: string) {
    const path = fileOf(upload, layout.file)
    const handle = await openShared(root, path)
    try {
      const aside = chunks.filter(({ number, place }) => place !== placeOf(layout.file, number * layout.chunkSize))
      for (const chunk of aside) await copyInto(handle, chunk.number * layout.chunkSize, read(upload, chunk))
      const size = chunks.reduce((sum, chunk) => sum + chunk.size, 0)
      const isLonger = (await handle.stat()).size > size
      if (isLonger) await handle.truncate(size)
      if (isLonger || aside.length > 0) await handle.datasync()
    } finally {
      await handle.close()
    }
    // A hard link; a copy where the volume has no hard links.
    await link(path, target).catch(() => copyFile(path, target, constants.COPYFILE_EXCL))
  }
  const forget = (upload: string) => {
    layouts.delete(upload)
    digests.delete(upload)
  }

  return {
    async receive(coming, source) {
      const layout = await claim(coming)
      if (layout) return receiveInPlace(coming, layout, source)
      const spooled = await spool()
      const size = await writeAside(spooled, source, { maxBytes: coming.maxBytes, onPiece })
      return settleAside(coming.upload, size, spooled)
    },

    read,

    async join(upload, chunks, target) {
      const [layout, digest] = [layouts.get(upload), digests.get(upload) ?? digestOf(upload)]
      forget(upload)
      const digesting = digest.finish(chunks)
      digesting.catch(() => {}) // reported below
      if (layout && fits(layout, chunks)) await putTogether(upload, layout, chunks, target)
      else await writeNew(target, readAll(upload, chunks))
      const { sha256, head } = await digesting
      return { sha256, head, size: (await stat(target)).size }
    },

    forget,
  }
}

const remember = <T>(known: Map<string, T>, upload: string, value: T) => {
  if (known.size >= mostUploads) known.delete(known.keys().next().value!)
  known.set(upload, value)
}

/** Whether the file can become the blob: all chunks have the expected size, and no other chunk was written to it. */
function fits({ chunkSize, taken, writers }: Layout, chunks: readonly PlacedChunk[]): boolean {
  const numbers = new Set(chunks.map(({ number }) => number))
  const sized = chunks.every(
    ({ number, size }, i) => number === i && (i === chunks.length - 1 ? size <= chunkSize : size === chunkSize),
  )
  return sized && writers === 0 && [...taken].every((number) => numbers.has(number))
}

/** Opens a file for concurrent writers; creates it durably if it does not exist. */
async function openShared(root: string, path: string): Promise<FileHandle> {
  const existing = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (existing) return existing
  await makeFolder(root, join(path, '..'))
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT)
  await syncFolder(join(path, '..'))
  return handle
}

/** Writes a chunk to its place. A chunk that is too long for it is moved to a file of its own in the spool. */
async function writeWithin(
  { handle, offset, capacity }: { handle: FileHandle; offset: number; capacity: number },
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  { spool, onPiece }: Reception,
): Promise<{ size: number; aside?: string }> {
  let aside: { file: string; handle: FileHandle } | undefined
  const write = async (bytes: Buffer, at: number) => {
    if (!aside && at + bytes.length > capacity) {
      const file = await spool()
      aside = { file, handle: await open(file, 'wx') }
      await copyInto(aside.handle, 0, lendPieces(handle, { first: offset, last: offset + at - 1 }))
    }
    await (aside ? writeWhole(aside.handle, bytes, at) : writeWhole(handle, bytes, offset + at))
  }
  try {
    const size = await writeAll(source, { maxBytes, onPiece, write })
    await aside?.handle.datasync()
    return { size, ...(aside && { aside: aside.file }) }
  } catch (error) {
    if (aside) await rm(aside.file, { force: true })
    throw error
  } finally {
    await aside?.handle.close()
  }
}
