/**
 * What a backup folder holds, and how it is known to be whole.
 *
 *   manifest.json                       the last thing that a backup writes, by a change of name: it is there whole or not
 *   records/<run>/<table>.copy.gz       the rows of one moment; the digest of each file is in the manifest
 *   files/ab/cdef…                      stored files, named by their SHA-256; those of earlier backups are used again
 *
 * A backup that breaks off leaves the manifest before it, and everything that one names, as it was.
 */
import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../errors.ts'

export const format = 1

export interface RecordFile {
  readonly table: string
  readonly columns: readonly string[]
  /** Below the folder of the backup. */
  readonly file: string
  readonly rows: number
  readonly sha256: string
}
export interface Manifest {
  readonly format: number
  readonly takenAt: string
  /** The run whose records these are. */
  readonly run: string
  /** The migrations that the schema had. */
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly checksum: string }[]
  readonly tables: readonly RecordFile[]
  /** Jobs that were waiting or running. */
  readonly jobs: RecordFile | undefined
  /** The last number that each sequence gave out; one that gave none is not here. */
  readonly sequences: Readonly<Record<string, string>>
  readonly files: {
    readonly count: number
    readonly bytes: number
    /** Files that could not be read when the backup was taken. */
    readonly missing: readonly string[]
  }
  /** The end of the audit log: its number and hash. */
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

/** The names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The manifest before, of a folder that may be new. */
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
  throw new Problem('notFound', `${nameOf(folder)} is missing: this is no backup, or one that was never finished`)
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
