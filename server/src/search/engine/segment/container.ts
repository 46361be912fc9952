/**
 * A segment as one block of bytes, the same in memory and on disk: what is read is what is searched.
 *
 *   0          8           12        16        20        24
 *   +----------+-----------+---------+---------+---------+-----------+------+-------+------+-----------+--
 *   | magic    | checksum  | entries | length  | length  | entries   | meta | names | fill | section 0 | ...
 *   | KNTRSEG4 | of the    |         | of meta | of names| 12 bytes  | JSON | lines |      |           |
 *   |          | rest      |         |         |         | each      |      |       |      |           |
 *   +----------+-----------+---------+---------+---------+-----------+------+-------+------+-----------+--
 *
 * An entry tells the element type, the place in units of 8 bytes and the number of elements of a section; one that has
 * several names stands there once. Sections are typed arrays over one SharedArrayBuffer, so that all threads search one
 * copy. The checksum is there when the segment goes to a file and is verified once, when it is read; whatever does not
 * agree with it is refused.
 */
import { crc32 } from 'node:zlib'

export type Section = Uint8Array | Uint16Array | Uint32Array | Float64Array

const magic = 'KNTRSEG4'
const headLength = 24
const checksumAt = 8
const wordsPerEntry = 3
const types = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const

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

export function pack<M>(draft: Draft<M>): SharedArrayBuffer {
  const { head, size } = headOf(draft)
  const buffer = new SharedArrayBuffer(size)
  new Uint8Array(buffer).set(head)
  copySections(buffer, head.length, draft.sections)
  return buffer
}

/** What stands before the sections, and how long the whole is. */
function headOf<M>({ meta, sections }: Draft<M>): { head: Buffer; size: number } {
  const about = Buffer.from(JSON.stringify(meta))
  const names = Buffer.from([...sections.keys()].join('\n'))
  const entries = new Uint32Array(sections.size * wordsPerEntry)
  const head = Buffer.alloc(aligned(headLength + entries.byteLength + about.length + names.length))
  let size = head.length
  const places = new Map<Section, number>()
  let at = 0
  for (const section of sections.values()) {
    if (!places.has(section)) {
      places.set(section, size)
      size += aligned(section.byteLength)
    }
    entries[at++] = typeOf(section)
    entries[at++] = places.get(section)! / 8
    entries[at++] = section.length
  }
  head.write(magic, 'latin1')
  head.set(bytesOf(Uint32Array.of(0, sections.size, about.length, names.length)), checksumAt)
  head.set(bytesOf(entries), headLength)
  head.set(about, headLength + entries.byteLength)
  head.set(names, headLength + entries.byteLength + about.length)
  return { head, size }
}

/** The segment for a file, signed, in pieces that follow each other: a large one is nowhere twice. */
export function signedPieces<M>(draft: Draft<M>): Uint8Array[] {
  const { head } = headOf(draft)
  const pieces: Uint8Array[] = [head]
  for (const section of new Set(draft.sections.values())) {
    const bytes = bytesOf(section)
    pieces.push(bytes, fill.subarray(0, aligned(bytes.length) - bytes.length))
  }
  const checksum = pieces.reduce((sum, piece, i) => crc32(i ? piece : piece.subarray(checksumAt + 4), sum), 0)
  head.set(bytesOf(Uint32Array.of(checksum)), checksumAt)
  return pieces
}
const fill = new Uint8Array(8)

export function bytesOf({ buffer, byteOffset, byteLength }: Section): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Most sections of a small segment have a few elements, for which making a view costs more than copying. */
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

/** Writes the checksum, for a segment that goes to a file. */
export function sign(buffer: SharedArrayBuffer): SharedArrayBuffer {
  new Uint32Array(buffer, checksumAt, 1)[0] = checksumOf(buffer)
  return buffer
}

/** What is wrong with a segment that was signed; nothing when it is whole. */
export function faultOf(buffer: SharedArrayBuffer): string | undefined {
  if (buffer.byteLength < headLength || Buffer.from(buffer, 0, 8).toString('latin1') !== magic) {
    return 'it does not begin as one'
  }
  const isWhole = checksumOf(buffer) === new Uint32Array(buffer, checksumAt, 1)[0]
  return isWhole ? undefined : 'it does not agree with its checksum'
}
function checksumOf(buffer: SharedArrayBuffer): number {
  return crc32(new Uint8Array(buffer, checksumAt + 4))
}

export function unpack<M>(buffer: SharedArrayBuffer): { meta: M; sections: Reader } {
  const [count = 0, aboutLength = 0, namesLength = 0] = new Uint32Array(buffer, 12, 3)
  const places = new Uint32Array(buffer, headLength, count * wordsPerEntry)
  const bytes = Buffer.from(buffer)
  const afterPlaces = headLength + places.byteLength
  const afterAbout = afterPlaces + aboutLength
  const meta = JSON.parse(bytes.toString('utf8', afterPlaces, afterAbout)) as M
  const names = count ? bytes.toString('utf8', afterAbout, afterAbout + namesLength).split('\n') : []
  const numbers = new Map<string, number>()
  for (let i = 0; i < names.length; i++) numbers.set(names[i]!, i * wordsPerEntry)
  const get = (name: string) => {
    const at = numbers.get(name)
    return at === undefined ? undefined : sectionOf(buffer, places[at]!, places[at + 1]! * 8, places[at + 2]!)
  }
  return { meta, sections: readerOf({ get, has: (name) => numbers.has(name) }) }
}

/** Sections by name and type. */
export interface Reader {
  bytes(name: string): Uint8Array
  u32(name: string): Uint32Array
  f64(name: string): Float64Array
  /** Four or eight bytes per element, as the writer found enough. */
  numbers(name: string): Uint32Array | Float64Array
  /** One, two or four bytes per element, as the writer found enough. */
  integers(name: string): Uint8Array | Uint16Array | Uint32Array
  has(name: string): boolean
}

/** Reads sections, packed or not. */
export function readerOf(sections: Pick<Sections, 'get' | 'has'>): Reader {
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
    integers: (name) => section<Uint8Array | Uint16Array | Uint32Array>(name, Uint8Array, Uint16Array, Uint32Array),
    has: (name) => sections.has(name),
  }
}

function sectionOf(buffer: SharedArrayBuffer, type: number, offset: number, count: number): Section {
  return new types[type]!(buffer as unknown as ArrayBuffer, offset, count)
}
function typeOf(section: Section): number {
  if (section instanceof Uint32Array) return 2
  return section instanceof Float64Array ? 3 : section instanceof Uint16Array ? 1 : 0
}
function aligned(size: number): number {
  return Math.ceil(size / 8) * 8
}
