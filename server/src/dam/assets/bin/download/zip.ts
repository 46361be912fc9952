/**
 * A zip that is written while it is sent: files as they are, one after the other, of any size and in flat memory.
 *
 *   for each file   local header, bytes, descriptor (the CRC, which is only known now, and the size)
 *   at the end      directory: a header per file with its place, then the end record
 *
 * Files are not compressed: pictures and films do not get smaller. Beyond 4 GiB or 65,535 files the fields of ZIP64 say
 * what the old ones cannot. Names are UTF-8 and stay below the folder they are unpacked into.
 */
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly size: number
  readonly modifiedAt: Date
  open(): Promise<AsyncIterable<Buffer>>
}

const [most16, most32] = [0xffff, 0xffff_ffff]
/** Bit 3: the CRC follows the bytes. Bit 11: names are UTF-8. */
const flags = 0x0808

interface Written {
  readonly name: Buffer
  readonly time: number
  readonly crc: number
  readonly size: number
  readonly offset: number
}

export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let at = 0
  for (const { name: text, size, modifiedAt, open } of entries) {
    const [name, offset, time] = [Buffer.from(text), at, dosTime(modifiedAt)]
    const header = localHeader(name, time, size)
    yield header
    let crc = 0
    for await (const piece of await open()) {
      crc = crc32(piece, crc)
      yield piece
    }
    const end = descriptor(crc, size)
    yield end
    at += header.length + size + end.length
    written.push({ name, time, crc, size, offset })
  }
  const directory = Buffer.concat(written.map(directoryHeader))
  yield directory
  yield endRecords(written.length, directory.length, at)
}

/** Fields one after the other: [bytes, value]. */
function fields(...list: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const buffer = Buffer.alloc(list.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of list) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

const isBig = (...numbers: readonly number[]) => numbers.some((number) => number >= most32)
const versionFor = (big: boolean) => (big ? 45 : 20)

// prettier-ignore
function localHeader(name: Buffer, time: number, size: number): Buffer {
  const big = isBig(size)
  const known = big ? most32 : 0
  const extra = big ? fields([2, 1], [2, 16], [8, 0], [8, 0]) : Buffer.alloc(0)
  return Buffer.concat([
    fields([4, 0x04034b50], [2, versionFor(big)], [2, flags], [2, 0], [4, time], [4, 0], [4, known], [4, known],
      [2, name.length], [2, extra.length]),
    name,
    extra,
  ])
}

const descriptor = (crc: number, size: number) => {
  const bytes = isBig(size) ? 8 : 4
  return fields([4, 0x08074b50], [4, crc], [bytes, size], [bytes, size])
}

// prettier-ignore
function directoryHeader({ name, time, crc, size, offset }: Written): Buffer {
  const big = isBig(size, offset)
  const extra = big ? fields([2, 1], [2, 24], [8, size], [8, size], [8, offset]) : Buffer.alloc(0)
  const said = (value: number) => (big ? most32 : value)
  return Buffer.concat([
    fields([4, 0x02014b50], [2, versionFor(big)], [2, versionFor(big)], [2, flags], [2, 0], [4, time], [4, crc],
      [4, said(size)], [4, said(size)], [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0],
      [4, said(offset)]),
    name,
    extra,
  ])
}

// prettier-ignore
function endRecords(count: number, size: number, offset: number): Buffer {
  const big = isBig(size, offset) || count >= most16
  const zip64 = [
    fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, size], [8, offset]),
    fields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
  ]
  const said = Math.min(count, most16)
  return Buffer.concat([
    ...(big ? zip64 : []),
    fields([4, 0x06054b50], [2, 0], [2, 0], [2, said], [2, said], [4, Math.min(size, most32)],
      [4, Math.min(offset, most32)], [2, 0]),
  ])
}

/** Two seconds at a time, from 1980 on. */
function dosTime(date: Date): number {
  const day =
    ((Math.max(1980, date.getUTCFullYear()) - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const second = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return ((day << 16) | second) >>> 0
}
