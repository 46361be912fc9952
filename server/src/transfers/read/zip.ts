/** Entries of a zip by name, read one at a time from a file on disk. */
import { because } from '@kontor/contract'
import { open } from 'node:fs/promises'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { Problem } from '../../errors.ts'
import type { Bytes } from './source.ts'

export interface Zip {
  readonly names: readonly string[]
  read(name: string): Promise<Bytes>
  /** Bytes of an entry, decompressed. */
  sizeOf(name: string): number
  close(): void
}

/** A zip that expands to more than this many times its size is refused. */
const maxRatio = 200
const maxEntries = 100_000
const maxName = 1000

export async function openZip(path: string): Promise<Zip> {
  const file: ZipFile = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(async (error: Error) =>
    toProblem((await isOldOffice(path)) ? oldOffice(error) : error),
  )
  const entries = await readEntries(file).catch((error: Error) => {
    file.close()
    return toProblem(error)
  })
  return {
    names: [...entries.keys()],
    sizeOf: (name) => entries.get(name)!.uncompressedSize,
    read: async (name) => readEntry(file, entries.get(name)!),
    close: () => file.close(),
  }
}

/** The container of old Office files, and of new ones with a password. */
const oldMark = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const oldOffice = (cause: Error) =>
  new Problem('invalid', 'the file is a workbook of an old Excel (XLS), or has a password; save it as XLSX without a password', { cause }) // prettier-ignore

async function isOldOffice(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(oldMark.length), 0, oldMark.length, 0)
    return buffer.equals(oldMark)
  } finally {
    await file.close()
  }
}

async function* readEntry(file: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* (await file.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
  } catch (error) {
    toProblem(error as Error)
  }
}

/** Names that lead out of the zip count as faults. */
function toProblem(error: Error): never {
  if (error instanceof Problem) throw error
  throw new Problem('invalid', because('zipDamaged', { cause: error.message }), { cause: error })
}

async function readEntries(file: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  let count = 0
  for await (const entry of file.eachEntry()) {
    if (entry.fileName.length > maxName)
      throw new Problem(
        'invalid',
        `a name in the zip is longer than ${maxName} characters: ${entry.fileName.slice(0, 50)}…`,
      )
    if (++count > maxEntries) throw new Problem('invalid', `more than ${maxEntries} files in the zip`)
    if (entry.fileName.endsWith('/')) continue
    if (entry.uncompressedSize > 1024 * 1024 && entry.uncompressedSize > entry.compressedSize * maxRatio)
      throw new Problem('invalid', `${entry.fileName} unfolds to more than ${maxRatio} times its size`)
    entries.set(entry.fileName, entry)
  }
  return entries
}
