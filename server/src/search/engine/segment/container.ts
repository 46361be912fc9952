/**
 * A segment as one block of bytes, the same in memory and on disk: what is read is what is searched.
 *
 *   0         8            12             16                       8-byte aligned
 *   +---------+------------+--------------+-----------------+------+-----------+-----------+--
 *   | magic   | directory  | checksum of  | directory, JSON | fill | section 0 | section 1 | ...
 *   | KNTRSEG1| length u32 | the directory| {meta, sections}|      |           |           |
 *   +---------+------------+--------------+-----------------+------+-----------+-----------+--
 *
 * The directory names every section with its place, its element type and its checksum. Sections are typed arrays over
 * one SharedArrayBuffer, so that all threads search one copy. What comes from a file is verified once, when it is read;
 * whatever does not agree with its checksum is refused.
 */
import { crc32 } from 'node:zlib'

export type Section = Uint8Array | Uint16Array | Uint32Array | Float64Array

const magic = 'KNTRSEG1'
const types = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array }
type TypeName = keyof typeof types

interface Entry {
  name: string
  type: TypeName
  offset: number
  count: number
  checksum: number
}

/** A file that is not what was written. The index it belongs to must be built again. */
export class DamagedSegment extends Error {
  constructor(what: string) {
    super(`the segment is damaged: ${what}`)
    this.name = 'DamagedSegment'
  }
}

export type Sections = Map<string, Section>

/** A segment that was made and not yet packed. */
export interface Draft<M> {
  readonly meta: M
  readonly sections: Sections
}

export function pack<M>({ meta, sections }: Draft<M>): SharedArrayBuffer {
  const entries: Entry[] = []
  let size = 0
  for (const [name, section] of sections) {
    const type = typeOf(section)
    entries.push({ name, type, offset: size, count: section.length, checksum: crc32(bytesOf(section)) })
    size += aligned(section.byteLength)
  }
  const directory = Buffer.from(JSON.stringify({ meta, entries, size }))
  const start = aligned(16 + directory.length)
  const buffer = new SharedArrayBuffer(start + size)
  const bytes = Buffer.from(buffer)
  bytes.write(magic, 'latin1')
  bytes.writeUInt32LE(directory.length, 8)
  bytes.writeUInt32LE(crc32(directory), 12)
  directory.copy(bytes, 16)
  for (const entry of entries) bytes.set(bytesOf(sections.get(entry.name)!), start + entry.offset)
  return buffer
}

export function unpack<M>(buffer: SharedArrayBuffer): { meta: M; sections: Reader } {
  const { meta, entries, start } = readDirectory<M>(buffer)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return { meta, sections: readerOf(byName, (entry) => sectionOf(buffer, start, entry)) }
}

/** Throws DamagedSegment unless every section is what was written. */
export function verify(buffer: SharedArrayBuffer): void {
  const { entries, start } = readDirectory(buffer)
  for (const entry of entries) {
    if (crc32(bytesOf(sectionOf(buffer, start, entry))) !== entry.checksum) {
      throw new DamagedSegment(`section ${entry.name} does not agree with its checksum`)
    }
  }
}

/** Sections by name and type. */
export interface Reader {
  bytes(name: string): Uint8Array
  u32(name: string): Uint32Array
  f64(name: string): Float64Array
  /** One, two or four bytes per element, as the writer found enough. */
  integers(name: string): Uint8Array | Uint16Array | Uint32Array
  has(name: string): boolean
}

function readerOf(entries: ReadonlyMap<string, Entry>, read: (entry: Entry) => Section): Reader {
  const section = <S extends Section>(name: string, type: abstract new (...args: never[]) => S): S => {
    const entry = entries.get(name)
    const found = entry && read(entry)
    if (!(found instanceof type)) throw new DamagedSegment(`section ${name} is missing`)
    return found
  }
  return {
    bytes: (name) => section(name, Uint8Array),
    u32: (name) => section(name, Uint32Array),
    f64: (name) => section(name, Float64Array),
    integers(name) {
      const type = entries.get(name)?.type
      if (type === 'u8') return section(name, Uint8Array)
      return type === 'u16' ? section(name, Uint16Array) : section(name, Uint32Array)
    },
    has: (name) => entries.has(name),
  }
}

function readDirectory<M>(buffer: SharedArrayBuffer): { meta: M; entries: Entry[]; start: number } {
  const bytes = Buffer.from(buffer)
  if (bytes.length < 16 || bytes.toString('latin1', 0, 8) !== magic)
    throw new DamagedSegment('it does not begin as one')
  const length = bytes.readUInt32LE(8)
  const directory = bytes.subarray(16, 16 + length)
  if (directory.length !== length || crc32(directory) !== bytes.readUInt32LE(12)) {
    throw new DamagedSegment('its directory does not agree with its checksum')
  }
  const { meta, entries, size } = JSON.parse(directory.toString()) as { meta: M; entries: Entry[]; size: number }
  const start = aligned(16 + length)
  if (bytes.length !== start + size) throw new DamagedSegment('it has not the length it says')
  return { meta, entries, start }
}

function sectionOf(buffer: SharedArrayBuffer, start: number, entry: Entry): Section {
  return new types[entry.type](buffer as unknown as ArrayBuffer, start + entry.offset, entry.count)
}

function typeOf(section: Section): TypeName {
  if (section instanceof Float64Array) return 'f64'
  return section instanceof Uint32Array ? 'u32' : section instanceof Uint16Array ? 'u16' : 'u8'
}
function bytesOf(section: Section): Uint8Array {
  return new Uint8Array(section.buffer, section.byteOffset, section.byteLength)
}
function aligned(size: number): number {
  return Math.ceil(size / 8) * 8
}
