/** Files that are about to be sent, with the metadata that the caller asked for. */
import type { metadataChoices } from '@kontor/contract'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import type { FileRow } from '../files.sql.ts'
import type { Parameters } from '../renditions/recipe.ts'
import { type Edits, withoutLocation } from './edits.ts'
import { type Composed, embedIn, sidecarOf } from './embed.ts'
import { type Described, loadEdits, type Reader, toEdits } from './values.ts'

export type Metadata = (typeof metadataChoices)[number]

interface Needs {
  readonly blobs: Pick<Blobs, 'lend'>
  readonly db: Db
  readonly reader: Reader
}
type StoredFile = Pick<FileRow, 'sha256' | 'size' | 'mime' | 'name'>
const isOriginal = (asset: Described, file: StoredFile) => file.sha256 === asset.sha256

/** One file as it was asked for. Throws if it cannot carry the values. */
export async function withMetadata<F extends StoredFile>(
  { blobs, db, reader }: Needs,
  asset: Described,
  file: F,
  metadata: Metadata | undefined,
): Promise<F & Partial<Composed>> {
  if (metadata === undefined) return file
  const edits = (await loadEdits(db, reader, [asset]))(asset)
  return metadata === 'embed' ? embedIn(blobs, file, toEdits(edits, isOriginal(asset, file))) : sidecarOf(file, toEdits(edits, false)) // prettier-ignore
}

/** A rendition as its profile or parameters say. */
export async function describeRendition<F extends StoredFile>(
  { blobs, db, reader }: Needs,
  asset: Described,
  file: F,
  { metadata, keepMetadata, removeLocation }: Pick<Parameters, 'metadata' | 'keepMetadata' | 'removeLocation'>,
): Promise<F & Partial<Composed>> {
  const edits: Edits = metadata ? toEdits((await loadEdits(db, reader, [asset]))(asset), false) : new Map()
  if (removeLocation && (metadata || keepMetadata)) return embedIn(blobs, file, withoutLocation(edits))
  return metadata ? embedIn(blobs, file, edits) : file
}

/** The files of one asset for a zip: a file that cannot carry the values is followed by a sidecar. */
export type FilesOf = <F extends StoredFile>(asset: Described, file: F) => Promise<(F & Partial<Composed>)[]>

/** For a zip. The values are those of the time at which it is asked for. */
export async function loadFilesOf(
  { blobs, db, reader }: Needs,
  assets: readonly Described[],
  metadata: Metadata | undefined,
): Promise<FilesOf> {
  if (metadata === undefined) return async (_asset, file) => [file]
  const editsOf = await loadEdits(db, reader, assets)
  return async (asset, file) => {
    const edits = editsOf(asset)
    const both = () => [file, sidecarOf(file, toEdits(edits, false))]
    if (metadata === 'sidecar') return both()
    const embedded = await embedIn(blobs, file, toEdits(edits, isOriginal(asset, file))).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
    })
    return embedded ? [embedded] : both()
  }
}
