/**
 * The files of one generation of an index. Everything is written under another name, synced and renamed, so that a
 * file that has its name is whole; and nothing counts until the MANIFEST names it.
 *
 *   MANIFEST          JSON: mapping, position in the source, live segments with their deletions; and a checksum
 *   LEXICON           JSON: the stems that compounds are split by, written once, when the generation is begun
 *   000007.segment    a segment (segment/container.ts)
 *   000012.deleted    the deletions of a segment as of a manifest
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Lexicon } from '../analysis/compounds.ts'
import { countBits, type Bits } from '../execute/hits.ts'
import type { Position } from '../port.ts'
import { DamagedSegment, pack, sign, unpack } from '../segment/container.ts'
import { openSegmentFile } from '../segment/segment-file.ts'
import { openSegment } from '../segment/segment.ts'
import type { Mapping } from './mapping.ts'
import { partOf, type Part, type Snapshot } from './snapshot.ts'
import { writeWhole } from './whole-file.ts'

interface Manifest {
  readonly mapping: Mapping
  readonly position: Position
  readonly segments: readonly { readonly file: string; readonly deleted?: string }[]
}

export interface IndexFiles {
  readonly lexicon: Lexicon
  /** What is there when it is opened. */
  readonly start: { readonly snapshot: Snapshot; readonly mapping: Mapping; readonly createdAt: Date }
  /** Where a segment is. */
  pathOf(file: string): string
  /** A name for a segment that somebody else writes, and where. It stays until a commit names it, or it is released. */
  reserveSegment(): { readonly file: string; readonly path: string }
  releaseSegment(file: string): void
  /** Makes segments that were written elsewhere what a start finds, and nothing but them. */
  adopt(segments: readonly string[], mapping: Mapping): Promise<void>
  /** Makes the parts that are in files, and the position, what a restart finds. */
  commit(snapshot: Snapshot, mapping: Mapping): Promise<void>
}

export async function createFiles(folder: string, mapping: Mapping, lexicon: Lexicon): Promise<IndexFiles> {
  await mkdir(folder, { recursive: true })
  await writeChecked(
    folder,
    'LEXICON',
    [...lexicon].map(([language, stems]) => [language, [...stems]]),
  )
  const start = { snapshot: { parts: [], position: '' }, mapping, createdAt: new Date() }
  const files = { ...filesIn(folder, 0, new WeakMap()), lexicon, start }
  await files.commit(start.snapshot, mapping)
  return files
}

/** Tells what is wrong with the file of a segment; the work may be done elsewhere. */
export type Inspect = (path: string) => Promise<string | undefined>

/** Reads all of a generation, and throws DamagedSegment when it cannot be trusted and must be built again. */
export async function inspectFiles(folder: string, inspect: Inspect): Promise<void> {
  const named = async () => {
    const { segments } = await readChecked<Manifest>(folder, 'MANIFEST')
    return segments.flatMap(({ file, deleted }) => (deleted ? [file, deleted] : [file]))
  }
  for (const name of await named()) {
    const fault = await inspect(join(folder, name))
    // It may have been merged into another one meanwhile, and be gone.
    if (fault !== undefined && (await named()).includes(name)) throw new DamagedSegment(fault)
  }
}

/** Throws DamagedSegment as well, for what it reads: a large segment is read while it is searched. */
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
  const { mtime: createdAt } = await stat(join(folder, 'LEXICON'))
  const start = { snapshot: { parts, position }, mapping, createdAt }
  return { ...filesIn(folder, Math.max(0, ...used), deletions), lexicon, start }
}

/** Writes under numbers that only grow. `deletions` tells which file has which deletions. */
function filesIn(folder: string, lastNumber: number, deletions: WeakMap<Bits, string>) {
  let last = lastNumber
  /** Segments that are being written, and no manifest names yet. */
  const reserved = new Set<string>()
  const newName = (kind: string) => `${String(++last).padStart(6, '0')}.${kind}`
  const writeNew = async (kind: string, buffer: SharedArrayBuffer) => {
    const name = newName(kind)
    await writeWhole(folder, name, Buffer.from(buffer))
    return name
  }
  async function deletedFile({ deleted }: Part): Promise<string | undefined> {
    if (!deleted) return undefined
    const known =
      deletions.get(deleted) ??
      (await writeNew('deleted', sign(pack({ meta: {}, sections: new Map([['deleted', deleted]]) }))))
    deletions.set(deleted, known)
    return known
  }
  return {
    pathOf: (file: string) => join(folder, file),
    reserveSegment() {
      // Who writes it may outlive this process by a moment, and must never write what the next one does.
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
      const segments: { file: string; deleted?: string }[] = []
      for (const part of kept) segments.push({ file: part.file!, deleted: await deletedFile(part) })
      await writeChecked(folder, 'MANIFEST', { mapping, position, segments } satisfies Manifest)
      for (const { file } of segments) reserved.delete(file)
      await removeUnnamed(folder, segments, reserved)
    },
  }
}

async function readLexicon(folder: string): Promise<Lexicon> {
  const entries = await readChecked<[string, string[]][]>(folder, 'LEXICON')
  return new Map(entries.map(([language, stems]) => [language, new Set(stems)]))
}

/** A value as JSON, after its checksum. */
async function writeChecked(folder: string, name: string, value: unknown): Promise<void> {
  const body = JSON.stringify(value)
  await writeWhole(folder, name, Buffer.from(`${crc32(body)}\n${body}`))
}
async function readChecked<T>(folder: string, name: string): Promise<T> {
  const text = await readFile(join(folder, name), 'utf8').catch((cause: unknown) => {
    throw Object.assign(new DamagedSegment(`there is no ${name}`), { cause })
  })
  const [checksum, body = ''] = text.split('\n')
  if (body === '' || Number(checksum) !== crc32(body)) {
    throw new DamagedSegment(`${name} does not agree with its checksum`)
  }
  return JSON.parse(body) as T
}

/** What no manifest names any more, or never did. Whoever still searches it has it open. */
async function removeUnnamed(
  folder: string,
  segments: Manifest['segments'],
  reserved: ReadonlySet<string>,
): Promise<void> {
  const named = new Set([...segments.flatMap(({ file, deleted }) => [file, deleted]), ...reserved])
  for (const name of await readdir(folder)) {
    const [, whole] = /^(\d+\..*?(?:segment|deleted))(?:\.new)?$/.exec(name) ?? []
    if (whole !== undefined && !named.has(whole)) await rm(join(folder, name), { force: true })
  }
}
