/**
 * Files with metadata: the values of an asset inside its file, or beside it as XMP.
 *
 * Nothing is stored. The new header is made when the file is asked for and the rest is passed on from the store, so that
 * values and rights are those of now and originals stay as they are.
 */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { because } from '@kontor/contract'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { Problem } from '../../errors.ts'
import type { Edits } from './edits.ts'
import { spliceJpeg } from './jpeg.ts'
import { splicePng } from './png.ts'
import { type Part, sizeOf, type Source, sourceOf } from './splice.ts'
import { spliceTiff } from './tiff.ts'
import { spliceWebp } from './webp.ts'
import { mergeXmp } from './xmp.ts'

const containers: Readonly<Record<string, (source: Source, edits: Edits) => Promise<Part[]>>> = {
  'image/jpeg': spliceJpeg,
  'image/png': splicePng,
  'image/webp': spliceWebp,
  'image/tiff': spliceTiff,
}
/** Whether files of this type can carry metadata. */
export const carries = (mime: string) => Object.hasOwn(containers, mime)

interface StoredFile {
  readonly sha256: string
  readonly size: number
  readonly mime: string
  readonly name: string
}
/** The parts of a file that is not stored as it is sent, and its ETag. */
export interface Composed {
  readonly size: number
  readonly parts: readonly Part[]
  readonly etag: string
}

/** Changes when the same values would be written differently. */
const generation = 1

function compose(sha256: string, parts: readonly Part[]): Composed {
  const hash = createHash('sha256').update(`${generation} ${sha256}`)
  for (const part of parts) hash.update(Buffer.isBuffer(part) ? part : `${part.first}-${part.end} `)
  return { size: sizeOf(parts), parts, etag: `"${hash.digest('hex')}"` }
}

/** The file with the edits. Throws if its type cannot carry them, or if it is damaged. */
export async function embedIn<F extends StoredFile>(
  blobs: Pick<Blobs, 'lend'>,
  file: F,
  edits: Edits,
): Promise<F & Composed> {
  const container = carries(file.mime) ? containers[file.mime] : undefined
  if (!container) throw new Problem('invalid', because('metadataType', { type: file.mime }))
  return { ...file, ...compose(file.sha256, await container(sourceOf(blobs, file), edits)) }
}

/** The edits as an XMP file that has the name of the file. */
export function sidecarOf<F extends StoredFile>(file: F, edits: Edits): F & Composed {
  const name = `${posix.basename(file.name, posix.extname(file.name))}.xmp`
  return { ...file, name, mime: 'application/rdf+xml', ...compose('', [mergeXmp(undefined, edits)]) }
}
