/**
 * EXIF and TIFF have the same structure: directories of tags with values at absolute positions. Changed directories are
 * appended at the end and the others stay where they are, so that positions inside notes of camera makers and of pixels
 * remain right. Texts are UTF-8.
 */
import { clean, damaged, type Edits, editsOf, partsOfDate, plainTexts, removesLocation, type Text } from './edits.ts'

interface Entry {
  readonly tag: number
  readonly type: number
  readonly count: number
  /** The four bytes of the entry, or a new value. */
  readonly raw?: Buffer
  readonly data?: Buffer
}
/** Changes of one directory: new values, or null to remove a tag. */
export type Changes = Map<number, { readonly type: number; readonly count: number; readonly data: Buffer } | null>
type IfdName = 'image' | 'exif' | 'gps'
type IfdChanges = Readonly<Record<IfdName, Changes>>

const [typeByte, typeAscii, typeShort, typeLong, typeRational, typeUndefined] = [1, 2, 3, 4, 5, 7]
/** The tags that say which version of the standard a directory follows. */
const versions = { exif: 0x9000, gps: 0 } as const
const pointers = { exif: 0x8769, gps: 0x8825 } as const
const maxEntries = 4096

/** The tags of EXIF that edits change. */
export function exifChanges(edits: Edits): IfdChanges {
  const changes: IfdChanges = { image: new Map(), exif: new Map(), gps: new Map() }
  for (const [{ ifd, tag, kind }, texts] of editsOf(edits, 'exif')) {
    const data = kind === 'utf16' ? utf16Of(texts) : kind === 'date' ? dateOf(texts) : asciiOf(texts)
    const type = kind === 'utf16' ? typeByte : typeAscii
    changes[ifd].set(tag, data ? { type, count: data.length, data } : null)
    const [zoneTag, fractionTag] = partsOfTime[tag] ?? []
    if (zoneTag === undefined || fractionTag === undefined) continue
    // Those of the earlier date are wrong for another one.
    const zone = data && zoneOf(texts)
    changes.exif.set(zoneTag, zone ? { type, count: zone.length, data: zone } : null)
    changes.exif.set(fractionTag, null)
  }
  if (removesLocation(edits)) changes.image.set(pointers.gps, null)
  for (const [{ axis }, [text]] of editsOf(edits, 'gps')) {
    const [sideTag, tag] = axis === 'Latitude' ? [1, 2] : [3, 4]
    const degrees = Number(text?.value)
    const isKnown = text !== undefined && Number.isFinite(degrees) && Math.abs(degrees) <= 180
    const side = Buffer.from(`${axis === 'Latitude' ? (degrees < 0 ? 'S' : 'N') : degrees < 0 ? 'W' : 'E'}\0`)
    changes.gps.set(sideTag, isKnown ? { type: typeAscii, count: 2, data: side } : null)
    // Big-endian here; the numbers are turned when the byte order of the file is known.
    changes.gps.set(tag, isKnown ? { type: typeRational, count: 3, data: degreesOf(Math.abs(degrees)) } : null)
  }
  return changes
}
/** The time zone and the fraction of the second of a date have tags of their own. */
const partsOfTime: Readonly<Record<number, readonly [zone: number, fraction: number]>> = {
  0x0132: [0x9010, 0x9290],
  0x9003: [0x9011, 0x9291],
  0x9004: [0x9012, 0x9292],
}
const zoneOf = (texts: readonly Text[]) => {
  const zone = partsOfDate(texts[0]?.value ?? '')?.zone
  return zone === undefined ? undefined : Buffer.from(`${zone}\0`)
}

const asciiOf = (texts: readonly Text[]) => {
  const text = clean(plainTexts(texts).join('; ')).trim()
  return text === '' ? undefined : Buffer.from(`${text}\0`)
}
const utf16Of = (texts: readonly Text[]) => {
  const text = clean(plainTexts(texts).join(';')).trim()
  return text === '' ? undefined : Buffer.from(`${text}\0`, 'utf16le')
}
function dateOf(texts: readonly Text[]): Buffer | undefined {
  const parts = partsOfDate(texts[0]?.value ?? '')
  return parts && Buffer.from(`${parts.date.replaceAll('-', ':')} ${parts.time ?? '00:00:00'}\0`)
}

/** Degrees, minutes and seconds as fractions. */
function degreesOf(degrees: number): Buffer {
  const data = Buffer.alloc(24)
  const units = Math.round(degrees * 3600 * 1e6)
  const parts = [[Math.floor(units / 3.6e9), 1], [Math.floor(units / 6e7) % 60, 1], [units % 6e7, 1e6]] // prettier-ignore
  parts.flat().forEach((number, i) => data.writeUInt32BE(number, i * 4))
  return data
}

export const isChanged = (changes: IfdChanges) => Object.values(changes).some(({ size }) => size > 0)
/** Whether there is anything to write into a file without EXIF. */
const hasValues = (changes: IfdChanges) => Object.values(changes).some((map) => [...map.values()].some(Boolean))

/** A part of the structure; throws if the file ends before it. */
export type Read = (at: number, length: number) => Promise<Buffer>

/** The size of a JPEG, which its EXIF has to state. */
interface Picture {
  readonly width: number
  readonly height: number
}

interface Appended {
  /** The first eight bytes. */
  readonly header: Buffer
  /** Zero bytes before it and the new directories: to be written behind the structure. */
  readonly tail: Buffer
  /** Where the values are that are not used any more. */
  readonly replaced: readonly { readonly at: number; readonly length: number }[]
}

class Order {
  readonly isLittle: boolean
  constructor(isLittle: boolean) {
    this.isLittle = isLittle
  }
  u16 = (bytes: Buffer, at: number) => (this.isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  u32 = (bytes: Buffer, at: number) => (this.isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  put16 = (bytes: Buffer, value: number, at: number) =>
    this.isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  put32 = (bytes: Buffer, value: number, at: number) =>
    this.isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  long(value: number): Buffer {
    const bytes = Buffer.alloc(4)
    this.put32(bytes, value, 0)
    return bytes
  }
}

/** New directories behind a structure of this size. */
export async function appendIfds(read: Read, size: number, changes: IfdChanges, picture?: Picture): Promise<Appended> {
  const header = Buffer.from(await read(0, 8))
  const order = orderOf(header)
  const image = await readIfd(read, order, order.u32(header, 4), size)
  const begin = size + (size % 2)
  if (begin > 0xffff_0000) throw damaged('it is too large for a TIFF')
  const pieces: Buffer[] = [Buffer.alloc(size % 2)]
  const own: Changes = new Map([
    ...(image.entries.length === 0 ? required('image', order, picture) : []),
    ...changes.image,
  ])
  const replaced = valuesOf(image.entries, changes.image, order)
  if (changes.image.get(pointers.gps) === null) replaced.push(...(await wholeIfd(read, order, image.entries, size)))
  let at = begin
  for (const name of ['exif', 'gps'] as const) {
    if (changes[name].size === 0) continue
    const pointer = image.entries.find(({ tag }) => tag === pointers[name])
    const before = pointer ? await readIfd(read, order, order.u32(pointer.raw!, 0), size) : { entries: [], next: 0 }
    const known = new Set(before.entries.map(({ tag }) => tag))
    const isNew = !known.has(versions[name]) && [...changes[name].values()].some(Boolean)
    const more = isNew ? [...required(name, order, picture)].filter(([tag]) => !known.has(tag)) : []
    const version = name === 'exif' ? versionFor(before.entries, changes.exif) : []
    const entries = applied(before.entries, new Map([...more, ...version, ...changes[name]]), order)
    replaced.push(...valuesOf(before.entries, changes[name], order))
    if (entries.length === 0) {
      own.set(pointers[name], null)
      continue
    }
    const written = writeIfd(entries, before.next, order, at)
    own.set(pointers[name], { type: typeLong, count: 1, data: order.long(written.at) })
    pieces.push(written.bytes)
    at += written.bytes.length
  }
  const written = writeIfd(applied(image.entries, own, order), image.next, order, at)
  order.put32(header, written.at, 4)
  return { header, tail: Buffer.concat([...pieces, written.bytes]), replaced }
}

/** Time zones exist since version 2.31. */
function versionFor(
  before: readonly Entry[],
  changes: Changes,
): (readonly [number, ReturnType<typeof undefinedBytes>])[] {
  const stored = before.find(({ tag }) => tag === versions.exif)?.raw?.toString('latin1') ?? ''
  const hasZone = Object.values(partsOfTime).some(([zone]) => changes.get(zone))
  return hasZone && /^0[0-2]/.test(stored) && stored < '0231' ? [[versions.exif, undefinedBytes('0232')]] : []
}

/** EXIF as it is inside a JPEG, PNG or WebP. Undefined if there is nothing to write. */
export async function mergeExif(
  exif: Buffer | undefined,
  changes: IfdChanges,
  picture?: Picture,
): Promise<Buffer | undefined> {
  if (!isChanged(changes)) return exif
  if (!exif && !hasValues(changes)) return undefined
  const source = Buffer.from(exif ?? emptyExif())
  const { header, tail, replaced } = await appendIfds(readIn(source), source.length, changes, picture)
  // A value that was removed, such as a place, must not be found in the file. A damaged file says that it is elsewhere.
  for (const { at, length } of replaced) if (at >= 8 && at + length <= source.length) source.fill(0, at, at + length)
  return Buffer.concat([header, source.subarray(8), tail])
}

/** A big-endian structure whose first directory follows at once. */
const emptyExif = () => Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 0])

const readIn =
  (bytes: Buffer): Read =>
  async (at, length) => {
    if (at + length > bytes.length) throw damaged('its EXIF is cut off')
    return bytes.subarray(at, at + length)
  }

/** Bytes of a value by type. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 6: 1, 7: 1 }
const lengthOf = ({ type, count }: Entry) => count * (sizes[type] ?? 8)

/** The values of changed tags, as far as they are outside of the directory. */
const valuesOf = (entries: readonly Entry[], changes: Changes, order: Order) =>
  entries.flatMap((entry) => {
    const length = lengthOf(entry)
    return changes.has(entry.tag) && length > 4 ? [{ at: order.u32(entry.raw!, 0), length }] : []
  })

/** The directory of coordinates with all its values, which must not be found in the file. */
async function wholeIfd(read: Read, order: Order, image: readonly Entry[], size: number) {
  const pointer = image.find(({ tag }) => tag === pointers.gps)
  if (!pointer) return []
  const at = order.u32(pointer.raw!, 0)
  const { entries } = await readIfd(read, order, at, size)
  const values = valuesOf(entries, new Map(entries.map(({ tag }) => [tag, null])), order)
  return [...values, { at, length: 2 + entries.length * 12 }]
}

/** Where the value of a tag of the first directory is. */
export async function findValue(
  read: Read,
  size: number,
  wanted: number,
): Promise<{ at: number; length: number } | undefined> {
  const header = await read(0, 8)
  const order = orderOf(header)
  const [ifd, position] = [order.u32(header, 4), order.u32(header, 4) + 2]
  const { entries } = await readIfd(read, order, ifd, size)
  const index = entries.findIndex(({ tag }) => tag === wanted)
  if (index < 0) return undefined
  const { raw } = entries[index]!
  const length = lengthOf(entries[index]!)
  return { at: length <= 4 ? position + index * 12 + 8 : order.u32(raw!, 0), length }
}

function orderOf(header: Buffer): Order {
  const mark = header.toString('latin1', 0, 4)
  if (mark === 'II*\0') return new Order(true)
  if (mark === 'MM\0*') return new Order(false)
  throw damaged('its EXIF has a wrong beginning')
}

/** The position 0 stands for an empty directory. */
async function readIfd(
  read: Read,
  order: Order,
  at: number,
  size: number,
): Promise<{ entries: Entry[]; next: number }> {
  if (at === 0) return { entries: [], next: 0 }
  if (at < 8 || at + 6 > size) throw damaged('its EXIF names a directory outside of it')
  const count = order.u16(await read(at, 2), 0)
  if (count > maxEntries) throw damaged('its EXIF has too many tags')
  const bytes = await read(at + 2, count * 12 + 4)
  const entries = Array.from({ length: count }, (_, i): Entry => {
    const from = i * 12
    return {
      tag: order.u16(bytes, from),
      type: order.u16(bytes, from + 2),
      count: order.u32(bytes, from + 4),
      raw: bytes.subarray(from + 8, from + 12),
    }
  })
  return { entries, next: order.u32(bytes, count * 12) }
}

function applied(entries: readonly Entry[], changes: Changes, order: Order): Entry[] {
  const own = [...changes].flatMap(([tag, value]): Entry[] => {
    if (!value) return []
    const data = value.type === typeRational && order.isLittle ? Buffer.from(value.data).swap32() : value.data
    return [{ ...value, tag, data }]
  })
  return [...entries.filter(({ tag }) => !changes.has(tag)), ...own].toSorted((a, b) => a.tag - b.tag)
}

const undefinedBytes = (text: string) => ({
  type: typeUndefined,
  count: text.length,
  data: Buffer.from(text, 'latin1'),
})

/** The tags that the standard demands of a new directory. */
function required(name: IfdName, order: Order, picture?: Picture): Changes {
  const short = (value: number) => {
    const data = Buffer.alloc(2)
    order.put16(data, value, 0)
    return { type: typeShort, count: 1, data }
  }
  const long = (value: number) => ({ type: typeLong, count: 1, data: order.long(value) })
  if (name === 'gps')
    return new Map([
      [0, { type: typeByte, count: 4, data: Buffer.from([2, 3, 0, 0]) }],
      [0x1b, undefinedBytes('ASCII\0\0\0MANUAL')],
    ])
  if (name === 'exif')
    return new Map([
      [0x9000, undefinedBytes('0232')],
      [0xa000, undefinedBytes('0100')],
      [0xa001, short(1)], // sRGB, which programs assume anyway
      ...(picture ? ([[0x9101, undefinedBytes('\x01\x02\x03\0')], [0xa002, long(picture.width)], [0xa003, long(picture.height)]] as const) : []), // prettier-ignore
    ])
  const density = { type: typeRational, count: 1, data: Buffer.from([0, 0, 0, 72, 0, 0, 0, 1]) }
  return new Map([[0x011a, density], [0x011b, density], [0x0128, short(2)], ...(picture ? [[0x0213, short(1)] as const] : [])]) // prettier-ignore
}

/** `begin` is where the bytes will be; `at` is where the directory is. */
function writeIfd(entries: readonly Entry[], next: number, order: Order, begin: number): { bytes: Buffer; at: number } {
  const values: Buffer[] = []
  let end = begin
  const ifd = Buffer.alloc(2 + entries.length * 12 + 4)
  order.put16(ifd, entries.length, 0)
  entries.forEach(({ tag, type, count, raw, data }, i) => {
    const from = 2 + i * 12
    order.put16(ifd, tag, from)
    order.put16(ifd, type, from + 2)
    order.put32(ifd, count, from + 4)
    if (raw) ifd.set(raw, from + 8)
    else if (data!.length <= 4) ifd.set(data!, from + 8)
    else {
      order.put32(ifd, end, from + 8)
      values.push(data!, Buffer.alloc(data!.length % 2))
      end += data!.length + (data!.length % 2)
    }
  })
  order.put32(ifd, next, 2 + entries.length * 12)
  return { bytes: Buffer.concat([...values, ifd]), at: end }
}
