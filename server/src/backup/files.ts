/** The files of a backup: records as compressed COPY text with a digest, and stored files named by their hash. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Blobs, Corrupt } from '../adapters/blobs/blobs.ts'
import { makeFolder } from '../adapters/blobs/disk.ts'
import { piecesOf } from '../adapters/late-file.ts'
import { Missing } from '../adapters/blobs/store.ts'
import { Problem } from '../errors.ts'
import { blobFile, type Manifest, type RecordFile } from './manifest.ts'

/** A pass-through stream that hashes its bytes. */
function hasher(): { readonly through: Transform; digest(): string } {
  const hash = createHash('sha256')
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { through, digest: () => hash.digest('hex') }
}

/** Writes the records compressed and flushed to the disk; returns the digest of the file. */
export async function writeRecords(file: string, source: Readable): Promise<string> {
  const { through, digest } = hasher()
  await pipeline(source, createGzip({ level: 4 }), through, createWriteStream(file, { flush: true }))
  return digest()
}

/** Reads the records. The last chunk is yielded only if the file has the digest of the manifest. */
export async function* readRecords(folder: string, { file, sha256, table }: RecordFile): AsyncGenerator<Buffer> {
  const { through, digest } = hasher()
  const gunzip = createGunzip()
  const reading = pipeline(createReadStream(join(folder, file)), through, gunzip)
  reading.catch(() => {}) // the loop below reports the error
  let held: Buffer | undefined
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      if (held) yield held
      held = chunk
    }
    await reading
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new Problem('invalid', `the records of ${table} are ${missing ? 'missing' : 'damaged'}: ${file}`, {
      cause: error,
    })
  }
  if (digest() !== sha256) throw new Problem('invalid', `the records of ${table} are damaged: ${file}`)
  if (held) yield held
}

interface StoredFile {
  readonly sha256: string
  readonly size: number
}

/** The stored files of the backup, from the records of the table blob. */
export async function* storedFiles(
  folder: string,
  { tables }: Manifest | Pick<Manifest, 'tables'>,
): AsyncGenerator<StoredFile> {
  const blobs = tables.find(({ table }) => table === 'blob')
  if (!blobs) return
  const [sha, size] = ['sha256', 'size'].map((name) => blobs.columns.indexOf(name)) as [number, number]
  for await (const line of createInterface({ input: Readable.from(readRecords(folder, blobs)) })) {
    const fields = line.split('\t')
    yield { sha256: fields[sha]!, size: Number(fields[size]) }
  }
}

const hasSize = async (file: string, size: number) => (await stat(file).catch(() => undefined))?.size === size

/**
 * Copies a stored file to the backup unless it contains the file already; returns false if the file is missing or damaged. The
 * caller syncs its folder.
 */
export async function saveBlob(folder: string, blobs: Blobs, { sha256, size }: StoredFile): Promise<boolean> {
  const file = blobFile(folder, sha256)
  if (await hasSize(file, size)) return true
  await makeFolder(folder, dirname(file))
  const fresh = `${file}.${randomUUID()}.new`
  try {
    await pipeline(readBlob(blobs, sha256), createWriteStream(fresh, { flush: true }))
    await rename(fresh, file)
    return true
  } catch (error) {
    await rm(fresh, { force: true })
    if (error instanceof Unreadable) return false
    throw error
  }
}

class Unreadable extends Error {}

/** Only these bytes are lost; any other error would meet other files, too. */
async function* readBlob(blobs: Blobs, sha256: string): AsyncGenerator<Buffer> {
  try {
    yield* (await blobs.open(sha256)) as AsyncIterable<Buffer>
  } catch (cause) {
    const isLost =
      cause instanceof Missing || cause instanceof Corrupt || (cause as NodeJS.ErrnoException).code === 'EIO'
    throw isLost ? new Unreadable(undefined, { cause }) : cause
  }
}

/** Restores a file of the backup; throws if it is missing or damaged. */
export async function restoreBlob(folder: string, blobs: Blobs, { sha256, size }: StoredFile): Promise<void> {
  if (await blobs.settle(sha256, size)) return
  const file = blobFile(folder, sha256)
  const broken = (fault: string, cause?: unknown) =>
    new Problem('invalid', `the file ${sha256} of the backup is ${fault}: ${file}`, { cause })
  if (!(await stat(file).catch(() => undefined))) throw broken('missing')
  const staged = await blobs.stage(piecesOf(file), Number.MAX_SAFE_INTEGER)
  try {
    if (staged.sha256 !== sha256) throw broken('damaged')
    await blobs.keep(staged)
  } finally {
    await staged.drop()
  }
}

/** Compares the content of a file with the hash in its name. */
export async function faultOf(folder: string, { sha256 }: StoredFile): Promise<'missing' | 'damaged' | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(blobFile(folder, sha256)) as AsyncIterable<Buffer>) hash.update(chunk)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'damaged'
  }
  return hash.digest('hex') === sha256 ? undefined : 'damaged'
}

/** Removes what the manifest does not name: records of other runs, files no longer stored, incomplete files. */
export async function prune(folder: string, manifest: Manifest): Promise<void> {
  for (const run of await readdir(join(folder, 'records')).catch(() => [])) {
    if (run !== manifest.run) await rm(join(folder, 'records', run), { recursive: true, force: true })
  }
  const wanted = storedFiles(folder, manifest)
  let next = await wanted.next()
  for (const two of (await readdir(join(folder, 'files')).catch(() => [])).sort()) {
    for (const rest of (await readdir(join(folder, 'files', two))).sort()) {
      while (!next.done && next.value.sha256 < two + rest) next = await wanted.next()
      if (next.done || next.value.sha256 !== two + rest) await rm(join(folder, 'files', two, rest), { force: true })
    }
  }
}
