/**
 * The contents of a backup folder, and its manifest.
 *
 *   manifest.json                       written last and renamed atomically, so that it is always complete
 *   records/<run>/<table>.copy.gz       the rows of one snapshot; the manifest has the digest of each file
 *   files/ab/cdef…                      stored files, named by their SHA-256; later backups reuse them
 *
 * An interrupted backup leaves the previous manifest, and everything that it names, unchanged.
 */
import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../adapters/blobs/disk.ts'
import { Problem } from '../errors.ts'

export const format = 1

export interface RecordFile {
  readonly table: string
  readonly columns: readonly string[]
  /** The path relative to the folder of the backup. */
  readonly file: string
  readonly rows: number
  readonly sha256: string
}
export interface Manifest {
  readonly format: number
  readonly takenAt: string
  /** The run that wrote the records. */
  readonly run: string
  /** The migrations of the schema. */
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly checksum: string }[]
  readonly tables: readonly RecordFile[]
  /** Jobs that were waiting or running. */
  readonly jobs: RecordFile | undefined
  /** The last value of each sequence that was used. */
  readonly sequences: Readonly<Record<string, string>>
  readonly files: {
    readonly count: number
    readonly bytes: number
    /** Files that could not be read when the backup was taken. */
    readonly missing: readonly string[]
  }
  /** The number and hash of the last row of the audit log. */
  readonly auditEnd: string | undefined
}

const nameOf = (folder: string) => join(folder, 'manifest.json')
const digestOf = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

export const blobFile = (folder: string, sha256: string) => join(folder, 'files', sha256.slice(0, 2), sha256.slice(2))
export const runFolder = (folder: string, run: string) => join(folder, 'records', run)

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const fresh = `${nameOf(folder)}.new`
  await writeDurably(fresh, `${JSON.stringify({ manifest, sha256: digestOf(manifest) }, null, 2)}\n`)
  await rename(fresh, nameOf(folder))
  await syncFolder(folder)
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns undefined if the folder has no manifest yet. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(nameOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parse(folder, text)
}

export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await findManifest(folder)
  if (manifest) return manifest
  throw new Problem('notFound', `${nameOf(folder)} is missing: this is not a backup, or it was never completed`)
}

function parse(folder: string, text: string): Manifest {
  const damaged = (cause?: unknown) =>
    new Problem('invalid', `${nameOf(folder)} is damaged: take another copy of the backup`, { cause })
  let found: { manifest?: Manifest; sha256?: string }
  try {
    found = JSON.parse(text)
  } catch (error) {
    throw damaged(error)
  }
  const { manifest, sha256 } = found
  if (!manifest || digestOf(manifest) !== sha256) throw damaged()
  if (manifest.format !== format)
    throw new Problem('invalid', `${nameOf(folder)} has the format ${manifest.format}, which this version cannot read`)
  return manifest
}
