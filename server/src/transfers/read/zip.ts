/** Entries of a zip by name, read one at a time from a file on disk. */
import { because } from '@kontor/contract'
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
  const file: ZipFile = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(toProblem)
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
