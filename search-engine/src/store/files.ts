/**
 * The files of one generation of an index. Every file is written under a temporary name, synced and renamed, so a file
 * with its final name is complete. Only files listed in the MANIFEST count.
 *
 *   MANIFEST          JSON: mapping, position in the source, live segments with their deletions; with a checksum
 *   LEXICON           JSON: the stems by which compounds are split, written once when the generation is created
 *   000007.segment    a segment (segment/container.ts)
 *   000012.deleted    the deletion bitmap of a segment as of a manifest
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Lexicon } from '../analysis/compounds.ts'
import { countBits, type Bits } from '../execute/hits.ts'
import type { Position } from '../port.ts'
import { DamagedSegment, pack, writeChecksums, unpack } from '../segment/container.ts'
import { openSegmentFile } from '../segment/segment-file.ts'
import { openSegment } from '../segment/segment.ts'
import type { Mapping } from './mapping.ts'
import { partOf, type Part, type Snapshot } from './snapshot.ts'
import { writeAtomically } from './atomic-file.ts'

interface Manifest {
  readonly mapping: Mapping
  readonly position: Position
  readonly segments: readonly { readonly file: string; readonly deleted?: string | undefined }[]
}

export interface IndexFiles {
  readonly lexicon: Lexicon
  /** The state found when the generation was opened. */
  readonly start: { readonly snapshot: Snapshot; readonly mapping: Mapping }
  /** The path of a segment. */
  pathOf(file: string): string
  /** Reserves a name for a segment that another process writes. The file is kept until a commit lists or releases it. */
  reserveSegment(): { readonly file: string; readonly path: string }
  releaseSegment(file: string): void
  /** Writes a manifest that lists exactly these segments, written elsewhere. */
  adopt(segments: readonly string[], mapping: Mapping): Promise<void>
  /** Makes the segments that are in files, and the position, the state found after a restart. */
  commit(snapshot: Snapshot, mapping: Mapping): Promise<void>
}

export async function createFiles(folder: string, mapping: Mapping, lexicon: Lexicon): Promise<IndexFiles> {
  await mkdir(folder, { recursive: true })
  await writeChecked(
    folder,
    'LEXICON',
    [...lexicon].map(([language, stems]) => [language, [...stems]]),
  )
  const start = { snapshot: { parts: [], position: '' }, mapping }
  const files = { ...filesIn(folder, 0, new WeakMap()), lexicon, start }
  await files.commit(start.snapshot, mapping)
  return files
}

/** Returns a description of the damage of a segment file, or undefined. May run in another process. */
export type Inspect = (path: string) => Promise<string | undefined>

/** Reads a whole generation. Throws DamagedSegment if it is damaged and must be rebuilt. */
export async function inspectFiles(folder: string, inspect: Inspect): Promise<void> {
  const listed = async () => {
    const { segments } = await readChecked<Manifest>(folder, 'MANIFEST')
    return segments.flatMap(({ file, deleted }) => (deleted ? [file, deleted] : [file]))
  }
  for (const name of await listed()) {
    const fault = await inspect(join(folder, name))
    // The file may have been merged away in the meantime.
    if (fault !== undefined && (await listed()).includes(name)) throw new DamagedSegment(fault)
  }
}

/** Throws DamagedSegment too, but only for what it reads: sections of large segments are read while searching. */
export async function openFiles(folder: string): Promise<IndexFiles> {
  const { mapping, position, segments } = await readChecked<Manifest>(folder, 'MANIFEST')
  const lexicon = await readLexicon(folder)
  const deletions = new WeakMap<Bits, string>()
  const parts = segments.map(({ file, deleted }): Part => {
    const segment = openSegment(openSegmentFile(join(folder, file)))
    if (!deleted) return partOf(segment, file)
    const bits = unpack(openSegmentFile(join(folder, deleted))).sections.u32('deleted')
    deletions.set(bits, deleted)
    return { segment, file, deleted: bits, live: segment.maxDoc - countBits(bits) }
  })
  const used = (await readdir(folder)).map((name) => Number.parseInt(name, 10)).filter(Number.isFinite)
  const start = { snapshot: { parts, position }, mapping }
  return { ...filesIn(folder, Math.max(0, ...used), deletions), lexicon, start }
}

/** File numbers only grow. `deletions` maps deletion bitmaps to their files. */
function filesIn(folder: string, lastNumber: number, deletions: WeakMap<Bits, string>) {
  let last = lastNumber
  /** Segments that are being written and are not in a manifest yet. */
  const reserved = new Set<string>()
  const newName = (kind: string) => `${String(++last).padStart(6, '0')}.${kind}`
  const writeNew = async (kind: string, buffer: SharedArrayBuffer) => {
    const name = newName(kind)
    await writeAtomically(folder, name, Buffer.from(buffer))
    return name
  }
  async function deletedFile({ deleted }: Part): Promise<string | undefined> {
    if (!deleted) return undefined
    const known =
      deletions.get(deleted) ??
      (await writeNew('deleted', writeChecksums(pack({ meta: {}, sections: new Map([['deleted', deleted]]) }))))
    deletions.set(deleted, known)
    return known
  }
  return {
    pathOf: (file: string) => join(folder, file),
    reserveSegment() {
      // The writer may briefly outlive this process. A unique name prevents it from overwriting a file of the next one.
      const file = newName(`${randomUUID()}.segment`)
      reserved.add(file)
      return { file, path: join(folder, file) }
    },
    releaseSegment: (file: string) => void reserved.delete(file),
    adopt: (names: readonly string[], mapping: Mapping) =>
      writeChecked(folder, 'MANIFEST', {
        mapping,
        position: '',
        segments: names.map((file) => ({ file })),
      } satisfies Manifest),
    async commit({ parts, position }: Snapshot, mapping: Mapping) {
      const kept = parts.filter(({ file }) => file !== undefined)
      const segments: { file: string; deleted: string | undefined }[] = []
      for (const part of kept) segments.push({ file: part.file!, deleted: await deletedFile(part) })
      await writeChecked(folder, 'MANIFEST', { mapping, position, segments } satisfies Manifest)
      for (const { file } of segments) reserved.delete(file)
      await removeUnlisted(folder, segments, reserved)
    },
  }
}

async function readLexicon(folder: string): Promise<Lexicon> {
  const entries = await readChecked<[string, string[]][]>(folder, 'LEXICON')
  return new Map(entries.map(([language, stems]) => [language, new Set(stems)]))
}

/** Writes a value as JSON, preceded by its checksum. */
async function writeChecked(folder: string, name: string, value: unknown): Promise<void> {
  const body = JSON.stringify(value)
  await writeAtomically(folder, name, Buffer.from(`${crc32(body)}\n${body}`))
}
async function readChecked<T>(folder: string, name: string): Promise<T> {
  const text = await readFile(join(folder, name), 'utf8').catch((cause: unknown) => {
    throw Object.assign(new DamagedSegment(`${name} is missing`), { cause })
  })
  const [checksum, body = ''] = text.split('\n')
  if (body === '' || Number(checksum) !== crc32(body)) {
    throw new DamagedSegment(`checksum mismatch in ${name}`)
  }
  return JSON.parse(body) as T
}

/** Removes files that no manifest lists. Threads that still search them keep them open. */
async function removeUnlisted(
  folder: string,
  segments: Manifest['segments'],
  reserved: ReadonlySet<string>,
): Promise<void> {
  const listed = new Set([...segments.flatMap(({ file, deleted }) => [file, deleted]), ...reserved])
  for (const name of await readdir(folder)) {
    const [, whole] = /^(\d+\..*?(?:segment|deleted))(?:\.new)?$/.exec(name) ?? []
    if (whole !== undefined && !listed.has(whole)) await rm(join(folder, name), { force: true })
  }
}
