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
import { dirname, join } from 'node:path'
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
  /** The name of the file has been synced. */
  isNamed: boolean
}
/** How many uploads are remembered; a new file is created for others. */
const mostUploads = 10_000

const placeOf = (file: string, offset: number) => `${file}@${offset}`
const readPlace = (place: string) => {
  const [file = '', offset = ''] = place.split('@')
  return { file, offset: Number(offset) }
}

export function diskChunks(root: string, reception: Reception): Chunks {
  const layouts = new Map<string, Layout>()
  const fileOf = (upload: string, file: string) => join(root, chunkKey(upload, file))
  const read = chunkReader(root)
  const digests = uploadDigests(read)

  async function receiveInPlace({ upload, number, maxBytes }: Coming, layout: Layout, source: AsyncIterable<Buffer>) {
    const offset = number! * layout.chunkSize
    let kept = false
    const leave = () => void (kept || layout.taken.delete(number!))
    let handle: FileHandle | undefined
    try {
      handle = await openShared(root, fileOf(upload, layout.file), layout)
      const place = { handle, offset, capacity: layout.chunkSize }
      const { size, aside } = await writeWithin(place, source, maxBytes, reception)
      if (aside !== undefined) return await settleAside(upload, size, aside).finally(leave)
      await handle.datasync()
      const stored = { size, place: placeOf(layout.file, offset) }
      const keep = (number: number) => {
        kept = true
        digests.add(upload, { number, ...stored })
      }
      return { ...stored, keep, drop: async () => leave() }
    } catch (error) {
      leave()
      throw error
    } finally {
      layout.writers--
      await handle?.close()
    }
  }

  /** Moves a chunk from the spool to a file of its own. The first one becomes the file of its upload. */
  async function settleAside(upload: string, size: number, spooled: string): Promise<Received> {
    const file = randomUUID()
    const path = fileOf(upload, file)
    await moveInto(root, fileOf(upload, ''), spooled, path)
    const stored = { size, place: placeOf(file, 0) }
    let kept = false
    return {
      ...stored,
      keep(number) {
        kept = true
        digests.add(upload, { number, ...stored })
        if (number === 0 && size > 0 && !layouts.has(upload))
          remember(layouts, upload, { file, chunkSize: size, taken: new Set([0]), writers: 0, isNamed: true })
      },
      drop: async () => void (kept || (await rm(path, { force: true }))),
    }
  }

  return {
    async receive(coming, source) {
      const layout = await claim(layouts, coming)
      if (layout) return receiveInPlace(coming, layout, source)
      const spooled = await reception.spool()
      const size = await writeAside(spooled, source, { maxBytes: coming.maxBytes, onPiece: reception.onPiece })
      return settleAside(coming.upload, size, spooled)
    },

    read,

    async join(upload, chunks, target) {
      const layout = layouts.get(upload)
      layouts.delete(upload)
      const digesting = digests.take(upload).finish(chunks)
      digesting.catch(() => {}) // reported below
      const readChunk = (chunk: PlacedChunk) => read(upload, chunk)
      if (layout && fits(layout, chunks)) await complete(root, upload, layout, chunks, readChunk, target)
      else await writeNew(target, readAll(chunks, readChunk))
      const { sha256, head } = await digesting
      return { sha256, head, size: (await stat(target)).size }
    },

    forget(upload) {
      layouts.delete(upload)
      digests.take(upload)
    },
  }
}

/** The running digests of the uploads that this process receives. */
function uploadDigests(read: Chunks['read']) {
  const digestOf = (upload: string) => runningDigest((chunk: PlacedChunk) => read(upload, chunk))
  const digests = new Map<string, ReturnType<typeof digestOf>>()
  return {
    add(upload: string, chunk: PlacedChunk) {
      if (!digests.has(upload)) remember(digests, upload, digestOf(upload))
      digests.get(upload)!.add(chunk)
    },
    /** Returns the digest of an upload and forgets it. */
    take(upload: string) {
      const digest = digests.get(upload) ?? digestOf(upload)
      digests.delete(upload)
      return digest
    },
  }
}

async function moveInto(root: string, folder: string, source: string, target: string): Promise<void> {
  await makeFolder(root, folder)
  await rename(source, target)
  await syncFolder(folder)
}

/** The file with the place of the chunk, if the place is known and free. */
async function claim(
  layouts: Map<string, Layout>,
  { upload, number, chunkSize, isKnown }: Coming,
): Promise<Layout | undefined> {
  if (number === undefined || chunkSize === 0) return undefined
  let layout = layouts.get(upload)
  if (layout?.chunkSize !== chunkSize) {
    layout = { file: randomUUID(), chunkSize, taken: new Set(), writers: 0, isNamed: false }
    remember(layouts, upload, layout)
  }
  if (layout.taken.has(number)) return undefined
  // Take the place before asking the database: a writer holds its place until the database has its chunk.
  layout.taken.add(number)
  layout.writers++
  const known = await isKnown(number).catch((error: unknown) => {
    release(layout, number)
    throw error
  })
  if (!known) return layout
  release(layout, number)
  return undefined
}

function release(layout: Layout, number: number): void {
  layout.taken.delete(number)
  layout.writers--
}

const chunkReader = (root: string): Chunks['read'] =>
  async function* read(upload, { place, size }) {
    const { file, offset } = readPlace(place)
    const handle = await open(join(root, chunkKey(upload, file)))
    try {
      yield* lendPieces(handle, { first: offset, last: offset + size - 1 })
    } finally {
      await handle.close()
    }
  }

type ReadChunk = (chunk: PlacedChunk) => AsyncIterable<Buffer>

async function* readAll(chunks: readonly PlacedChunk[], read: ReadChunk) {
  for (const chunk of chunks) yield* read(chunk)
}

/** Completes the file. Only chunks with files of their own must be copied; the others are durable in place. */
async function complete(
  root: string,
  upload: string,
  layout: Layout,
  chunks: readonly PlacedChunk[],
  read: ReadChunk,
  target: string,
): Promise<void> {
  const { file, chunkSize } = layout
  const path = join(root, chunkKey(upload, file))
  const handle = await openShared(root, path, layout)
  try {
    const aside = chunks.filter(({ number, place }) => place !== placeOf(file, number * chunkSize))
    for (const chunk of aside) await copyInto(handle, chunk.number * chunkSize, read(chunk))
    const size = chunks.reduce((sum, chunk) => sum + chunk.size, 0)
    const isLonger = (await handle.stat()).size > size
    if (isLonger) await handle.truncate(size)
    if (isLonger || aside.length > 0) await handle.datasync()
  } finally {
    await handle.close()
  }
  await link(path, target).catch(() => copyDurably(path, target))
}

/** Where the volume has no hard links. */
async function copyDurably(path: string, target: string): Promise<void> {
  await copyFile(path, target, constants.COPYFILE_EXCL)
  const handle = await open(target, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
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
async function openShared(root: string, path: string, layout: Layout): Promise<FileHandle> {
  const folder = dirname(path)
  await makeFolder(root, folder)
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT)
  if (layout.isNamed) return handle
  try {
    await syncFolder(folder)
  } catch (error) {
    await handle.close()
    throw error
  }
  layout.isNamed = true
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
