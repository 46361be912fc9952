/**
 * A segment as one block of bytes, with the same layout in memory and on disk.
 *
 *   0          8          12        16        20        24      28         32
 *   +----------+----------+---------+---------+---------+-------+----------+----------+------+-------+-----------+--
 *   | magic    | checksum | entries | length  | length  | size  | file     | entries  | meta | names | section 0 | ...
 *   | KNTRSG10 | of the   |         | of meta | of names| in 8s | descript.| 20 bytes | JSON | lines |           |
 *   |          | head     |         |         |         |       |          | each     |      |       |           |
 *   +----------+----------+---------+---------+---------+-------+----------+----------+------+-------+-----------+--
 *
 * An entry describes a section: element type, offset in units of 8 bytes, element count, checksum, and whether it has
 * been read. Sections with identical content are stored once. Sections are typed arrays over one SharedArrayBuffer, so
 * that all threads search the same copy.
 *
 * A segment in a file is opened by its head alone (segment-file.ts). A section is read, and its checksum verified, at
 * the first access from any thread. Until then it takes no memory, because the operating system does not allocate pages
 * before the first write. Two threads that read the same section write the same bytes.
 */
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** The narrowest type that holds the largest value. */
export type Integers = Uint8Array | Uint16Array | Uint32Array
type Section = Integers | Float64Array

const magic = 'KNTRSG10'
/** The number of bytes needed to determine the length of the head. */
export const headLength = 32
const checksumAt = 8
const countsAt = 12
const descriptorAt = 28
const wordsPerEntry = 5
const [offsetWord, lengthWord, checksumWord, readWord] = [1, 2, 3, 4] as const
const types = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const

/** The file is not what was written. The index must be rebuilt. */
export class DamagedSegment extends Error {
  readonly what: string
  constructor(what: string) {
    super(`${damage}: ${what}`)
    this.name = 'DamagedSegment'
    this.what = what
  }
}
const damage = 'the segment is damaged'

/** Errors from another thread keep their message but not their class. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(damage)
}

export type Sections = Map<string, Section>

/** A segment that has been built but not packed. */
export interface Draft<M> {
  readonly meta: M
  readonly sections: Sections
}

export function pack<M>(draft: Draft<M>): SharedArrayBuffer {
  const { head, size } = headOf(draft)
  const buffer = new SharedArrayBuffer(size)
  new Uint8Array(buffer).set(head)
  copySections(buffer, head.length, draft.sections)
  return buffer
}

/** The head and the total size. Checksums are computed only if `signed`. */
function headOf<M>({ meta, sections }: Draft<M>, signed = false): { head: Buffer; size: number } {
  const about = Buffer.from(JSON.stringify(meta))
  const names = Buffer.from([...sections.keys()].join('\n'))
  const entries = new Uint32Array(sections.size * wordsPerEntry)
  const head = Buffer.alloc(aligned(headLength + entries.byteLength + about.length + names.length))
  let size = head.length
  const known = new Map<Section, readonly [offset: number, checksum: number]>()
  let at = 0
  for (const section of sections.values()) {
    if (!known.has(section)) {
      known.set(section, [size / 8, signed ? crc32(bytesOf(section)) : 0])
      size += aligned(section.byteLength)
    }
    const [offset, checksum] = known.get(section)!
    entries[at] = typeOf(section)
    entries[at + offsetWord] = offset
    entries[at + lengthWord] = section.length
    entries[at + checksumWord] = checksum
    at += wordsPerEntry
  }
  head.write(magic, 'latin1')
  head.set(bytesOf(Uint32Array.of(sections.size, about.length, names.length, size / 8)), countsAt)
  head.set(bytesOf(entries), headLength)
  head.set(about, headLength + entries.byteLength)
  head.set(names, headLength + entries.byteLength + about.length)
  if (signed) head.writeUInt32LE(headChecksum(head), checksumAt)
  return { head, size }
}
function headChecksum(head: Uint8Array): number {
  return crc32(head.subarray(countsAt))
}

/** The segment with checksums as a list of chunks for a file, without a second copy in memory. */
export function checksummedChunks<M>({ meta, sections: all }: Draft<M>): Uint8Array[] {
  const sections = withoutDuplicates(all)
  const pieces: Uint8Array[] = [headOf({ meta, sections }, true).head]
  for (const section of new Set(sections.values())) {
    const bytes = bytesOf(section)
    pieces.push(bytes, padding.subarray(0, aligned(bytes.length) - bytes.length))
  }
  return pieces
}
const padding = new Uint8Array(8)

/** Columns are often identical, such as a number that equals the ID, or dates that never changed. */
function withoutDuplicates(sections: Sections): Sections {
  const bySize = new Map<string, Section[]>()
  const firstEqual = (section: Section) => {
    const size = `${typeOf(section)} ${section.length}`
    const others = bySize.get(size) ?? []
    const same = others.find((other) => Buffer.compare(bytesOf(other), bytesOf(section)) === 0)
    if (!same) bySize.set(size, [...others, section])
    return same ?? section
  }
  return new Map(Array.from(sections, ([name, section]) => [name, firstEqual(section)]))
}

export function bytesOf({ buffer, byteOffset, byteLength }: Section): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Small segments have many sections with a few elements, for which a loop is faster than creating a view. */
const fewElements = 32

function copySections(buffer: SharedArrayBuffer, start: number, sections: Sections): void {
  const whole = types.map((type) => new type(buffer as unknown as ArrayBuffer))
  let at = start
  for (const section of new Set(sections.values())) {
    const target = whole[typeOf(section)]!
    const from = at / section.BYTES_PER_ELEMENT
    if (section.length > fewElements) target.set(section, from)
    else for (let i = 0; i < section.length; i++) target[from + i] = section[i]!
    at += aligned(section.byteLength)
  }
}

/** Fills in the checksums of a packed segment that is written to a file. */
export function writeChecksums(buffer: SharedArrayBuffer): SharedArrayBuffer {
  for (const entry of entriesOf(buffer)) entry[checksumWord] = crc32(bytesOf(sectionOf(buffer, entry)))
  const head = new Uint8Array(buffer, 0, headSizeOf(new Uint8Array(buffer, 0, headLength)))
  new Uint32Array(buffer, checksumAt, 1)[0] = headChecksum(head)
  return buffer
}

/** The length of the head, computed from its first bytes. */
export function headSizeOf(first: Uint8Array): number {
  const head = Buffer.from(first)
  if (head.length < headLength || head.toString('latin1', 0, checksumAt) !== magic) {
    throw new DamagedSegment('not a segment file of this version')
  }
  const [entries, about, names] = [0, 4, 8].map((at) => head.readUInt32LE(countsAt + at)) as [number, number, number]
  return aligned(headLength + entries * wordsPerEntry * 4 + about + names)
}

/** The size of the segment in bytes. */
export function sizeOf(buffer: SharedArrayBuffer): number {
  const [size = 0] = new Uint32Array(buffer, descriptorAt - 4, 1)
  return size * 8
}

/** Verifies the head of a segment in a file, and lets sections be read from the file at first access. */
export function readFrom(file: number, fileSize: number, buffer: SharedArrayBuffer, headSize: number): void {
  const head = new Uint8Array(buffer, 0, headSize)
  const [checksum] = new Uint32Array(buffer, checksumAt, 1)
  if (headChecksum(head) !== checksum) throw new DamagedSegment('checksum mismatch in the head')
  if (sizeOf(buffer) !== fileSize) throw new DamagedSegment('the file is truncated')
  new Uint32Array(buffer, descriptorAt, 1)[0] = file + 1
}

/** Reads all sections, so that the file can be closed. */
export function readAll(buffer: SharedArrayBuffer): void {
  const entries = entriesOf(buffer)
  for (const entry of entries) sectionOf(buffer, entry)
  new Uint32Array(buffer, descriptorAt, 1)[0] = 0
}

/** The byte range and checksum of each stored section. */
export function* sectionRanges(
  buffer: SharedArrayBuffer,
): Generator<readonly [from: number, to: number, checksum: number]> {
  const seen = new Set<number>()
  for (const entry of entriesOf(buffer)) {
    const from = entry[offsetWord]! * 8
    // A section without elements has the same offset as the next one.
    if (seen.has(from) || entry[lengthWord] === 0) continue
    seen.add(from)
    yield [from, from + entry[lengthWord]! * types[entry[0]!]!.BYTES_PER_ELEMENT, entry[checksumWord]!]
  }
}

function entriesOf(buffer: SharedArrayBuffer): Uint32Array[] {
  const [count = 0] = new Uint32Array(buffer, countsAt, 1)
  const all = new Uint32Array(buffer, headLength, count * wordsPerEntry)
  return Array.from({ length: count }, (_, i) => all.subarray(i * wordsPerEntry, (i + 1) * wordsPerEntry))
}

export function unpack<M>(buffer: SharedArrayBuffer): { meta: M; sections: Reader } {
  const [, aboutLength = 0, namesLength = 0] = new Uint32Array(buffer, countsAt, 3)
  const entries = entriesOf(buffer)
  const bytes = Buffer.from(buffer)
  const afterEntries = headLength + entries.length * wordsPerEntry * 4
  const afterAbout = afterEntries + aboutLength
  const meta = JSON.parse(bytes.toString('utf8', afterEntries, afterAbout)) as M
  const names = entries.length ? bytes.toString('utf8', afterAbout, afterAbout + namesLength).split('\n') : []
  const byName = new Map(names.map((name, i) => [name, i]))
  const get = (name: string) => {
    const number = byName.get(name)
    return number === undefined ? undefined : sectionOf(buffer, entries[number]!)
  }
  return { meta, sections: readSections({ get, has: (name) => byName.has(name) }) }
}

/** Sections by name and type. */
export interface Reader {
  bytes(name: string): Uint8Array
  u32(name: string): Uint32Array
  f64(name: string): Float64Array
  /** Four or eight bytes per element, chosen by the writer. */
  numbers(name: string): Uint32Array | Float64Array
  /** One, two or four bytes per element, chosen by the writer. */
  integers(name: string): Integers
  has(name: string): boolean
}

/** Reads sections, packed or not. */
export function readSections(sections: Pick<Sections, 'get' | 'has'>): Reader {
  const section = <S extends Section>(name: string, ...wanted: (abstract new (...args: never[]) => S)[]): S => {
    const found = sections.get(name)
    for (const type of wanted) if (found instanceof type) return found
    throw new DamagedSegment(`section ${name} is missing`)
  }
  return {
    bytes: (name) => section(name, Uint8Array),
    u32: (name) => section(name, Uint32Array),
    f64: (name) => section(name, Float64Array),
    numbers: (name) => section<Uint32Array | Float64Array>(name, Uint32Array, Float64Array),
    integers: (name) => section<Integers>(name, Uint8Array, Uint16Array, Uint32Array),
    has: (name) => sections.has(name),
  }
}

function sectionOf(buffer: SharedArrayBuffer, entry: Uint32Array): Section {
  const [type, offset, length] = entry
  const section = new types[type!]!(buffer as unknown as ArrayBuffer, offset! * 8, length!)
  const [descriptor] = new Uint32Array(buffer, descriptorAt, 1)
  if (descriptor && Atomics.load(entry, readWord) === 0) {
    readSection(descriptor - 1, bytesOf(section), entry[checksumWord]!)
    Atomics.store(entry, readWord, 1)
  }
  return section
}

function readSection(file: number, into: Uint8Array, checksum: number): void {
  const { byteOffset, length } = into
  for (let at = 0; at < length;) {
    const read = readSync(file, into, at, Math.min(length - at, maxBytesPerRead), byteOffset + at)
    if (read === 0) throw new DamagedSegment('the file is truncated')
    at += read
  }
  if (crc32(into) !== checksum) throw new DamagedSegment('checksum mismatch in a section')
}
/** The operating system reads at most two gigabytes per call. */
const maxBytesPerRead = 1 << 28

function typeOf(section: Section): number {
  if (section instanceof Uint32Array) return 2
  return section instanceof Float64Array ? 3 : section instanceof Uint16Array ? 1 : 0
}
function aligned(size: number): number {
  return Math.ceil(size / 8) * 8
}
