/**
 * Chunks of uploads in a folder, written once: where the size of chunks is known, each lands where it belongs in one file,
 * and that file becomes the blob.
 *
 *   uploads/<upload>/<file>     | chunk 0 | chunk 1 |         | chunk 3 |     place <file>@<offset>
 *
 * The size is that of the first chunk that came, so chunks that come together with it stand aside, in files of their own,
 * and are copied in at the end. So is everything when chunks turn out to differ in size, or when the server was started
 * anew meanwhile: a file is only ever written by the process that made it, which knows who writes where. After a finish
 * was tried nobody writes into its file any more, for the same bytes may be a blob by then.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises'
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
import { makeFolder, syncFolder } from './disk.ts'
import { lendPieces } from './lending.ts'
import { copyInto, writeAll, writeNew, writeWhole } from './writing.ts'

/** The file of an upload that this process writes. */
interface Layout {
  readonly file: string
  readonly chunkSize: number
  /** Numbers whose place is taken: by chunks that are there, or that somebody is about to put there. */
  readonly taken: Set<number>
  /** How many are writing into the file, or about to. */
  writers: number
}
/** So many uploads are remembered; for a forgotten one a new file is begun. */
const mostLayouts = 10_000

const placeOf = (file: string, offset: number) => `${file}@${offset}`
const readPlace = (place: string) => {
  const [file = '', offset = ''] = place.split('@')
  return { file, offset: Number(offset) }
}

export function diskChunks(root: string, reception: Reception): Chunks {
  const { spool, onPiece } = reception
  const layouts = new Map<string, Layout>()
  const folderOf = (upload: string) => join(root, chunkKey(upload, ''))
  const fileOf = (upload: string, file: string) => join(root, chunkKey(upload, file))

  const remember = (upload: string, layout: Layout) => {
    if (layouts.size >= mostLayouts) layouts.delete(layouts.keys().next().value!)
    layouts.set(upload, layout)
  }

  /** Where the chunk belongs, if that is known and nobody else is there. */
  async function claim({ upload, number, chunkSize, isKnown }: Coming): Promise<Layout | undefined> {
    if (number === undefined || chunkSize === 0) return undefined
    let layout = layouts.get(upload)
    if (layout?.chunkSize !== chunkSize) {
      layout = { file: randomUUID(), chunkSize, taken: new Set(), writers: 0 }
      remember(upload, layout)
    }
    if (layout.taken.has(number)) return undefined
    // Taken before the question is asked: whoever stores a chunk here has taken its place until it is known.
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
      const { size, aside } = await writeWithin({ handle, offset, room: layout.chunkSize }, source, maxBytes, reception)
      if (aside !== undefined) return await settleAside(upload, number, size, aside).finally(leave)
      await handle.datasync()
      const keep = () => void (kept = true)
      return { size, place: placeOf(layout.file, offset), keep, drop: async () => leave() }
    } catch (error) {
      leave()
      throw error
    } finally {
      layout.writers--
      await handle?.close()
    }
  }

  /** A chunk in a file of its own. The first one becomes the file of its upload. */
  async function settleAside(
    upload: string,
    number: number | undefined,
    size: number,
    spooled: string,
  ): Promise<Received> {
    const file = randomUUID()
    const path = fileOf(upload, file)
    await makeFolder(root, folderOf(upload))
    await rename(spooled, path)
    await syncFolder(folderOf(upload))
    let kept = false
    return {
      size,
      place: placeOf(file, 0),
      keep() {
        kept = true
        if (number === 0 && size > 0 && !layouts.has(upload))
          remember(upload, { file, chunkSize: size, taken: new Set([0]), writers: 0 })
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

  return {
    async receive(coming, source) {
      const layout = await claim(coming)
      if (layout) return receiveInPlace(coming, layout, source)
      const spooled = await spool()
      const size = await writeAside(spooled, source, { maxBytes: coming.maxBytes, onPiece })
      return settleAside(coming.upload, coming.number, size, spooled)
    },

    read,

    async join(upload, chunks, target) {
      const layout = layouts.get(upload)
      layouts.delete(upload)
      if (!layout || !fits(layout, chunks)) return writeNew(target, readAll(upload, chunks))
      const path = fileOf(upload, layout.file)
      const handle = await openShared(root, path)
      try {
        for (const chunk of chunks) {
          const offset = chunk.number * layout.chunkSize
          if (chunk.place !== placeOf(layout.file, offset)) await copyInto(handle, offset, read(upload, chunk))
        }
        await handle.truncate(chunks.reduce((sum, { size }) => sum + size, 0))
        await handle.datasync()
      } finally {
        await handle.close()
      }
      // A second name for the same bytes; where a volume knows no such thing, a copy.
      await link(path, target).catch(() => copyFile(path, target, constants.COPYFILE_EXCL))
    },

    forget: (upload) => void layouts.delete(upload),
  }
}

/** Whether the file can become the whole: chunks have the size it was laid out for, and nobody has any other in it. */
function fits({ chunkSize, taken, writers }: Layout, chunks: readonly PlacedChunk[]): boolean {
  const numbers = new Set(chunks.map(({ number }) => number))
  const sized = chunks.every(
    ({ number, size }, i) => number === i && (i === chunks.length - 1 ? size <= chunkSize : size === chunkSize),
  )
  return sized && writers === 0 && [...taken].every((number) => numbers.has(number))
}

/** Opens a file that several write at once; makes it, durably, when it is not there. */
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

/** Writes a chunk to its place. One that is too long for it goes aside, into the spool, with what has come of it. */
async function writeWithin(
  { handle, offset, room }: { handle: FileHandle; offset: number; room: number },
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  { spool, onPiece }: Reception,
): Promise<{ size: number; aside?: string }> {
  let aside: { file: string; handle: FileHandle } | undefined
  const write = async (pieces: Buffer[], at: number) => {
    const end = at + pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (!aside && end > room) {
      const file = await spool()
      aside = { file, handle: await open(file, 'wx') }
      await copyInto(aside.handle, 0, lendPieces(handle, { first: offset, last: offset + at - 1 }))
    }
    await (aside ? writeWhole(aside.handle, pieces, at) : writeWhole(handle, pieces, offset + at))
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
