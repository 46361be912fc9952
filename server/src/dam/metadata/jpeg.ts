/**
 * JPEG: EXIF in APP1, XMP in APP1 and image resources with IPTC in APP13. Only the segments before the picture are read;
 * the picture and everything behind it stays byte by byte.
 */
import { createHash } from 'node:crypto'
import { because } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { damaged, type Edits } from './edits.ts'
import { exifChanges, mergeExif } from './exif.ts'
import { iptcIn, maxResources, mergeIptc, withIptc } from './iptc.ts'
import { type Part, sizeOf, type Source } from './splice.ts'
import { mergeXmp, splitXmp } from './xmp.ts'

const exifName = Buffer.from('Exif\0\0')
const xmpName = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
const extendedName = Buffer.from('http://ns.adobe.com/xmp/extension/\0')
const photoshopName = Buffer.from('Photoshop 3.0\0')
const mpfName = Buffer.from('MPF\0')
const [app0, app1, app2, app13, startOfScan, endOfImage] = [0xe0, 0xe1, 0xe2, 0xed, 0xda, 0xd9]
/** The bytes of a segment, without its length. */
const maxSegment = 0xffff - 2
const [maxSegments, maxHeader] = [5000, 64 * 1024 * 1024]

interface Segment {
  readonly marker: number
  readonly first: number
  readonly end: number
}

async function segmentsOf(source: Source): Promise<{ segments: Segment[]; end: number }> {
  const segments: Segment[] = []
  let at = 2
  for (let step = 0; step < maxSegments && at < maxHeader; step++) {
    const [mark, marker = 0] = await source.read(at, 2)
    if (mark !== 0xff) throw damaged('a segment of the JPEG has a wrong beginning')
    if (marker === 0xff) {
      at++ // fill bytes
      continue
    }
    if (marker === startOfScan || marker === endOfImage) return { segments, end: at }
    const length = (await source.read(at + 2, 2)).readUInt16BE()
    if (length < 2) throw damaged('a segment of the JPEG has a wrong length')
    const end = at + 2 + length
    if (end > source.size) throw damaged('a segment of the JPEG is cut off')
    segments.push({ marker, first: at, end })
    at = end
  }
  throw damaged('the JPEG has too many segments')
}

/** The size of the picture, from the start of its frame. */
async function pictureOf(source: Source, segments: readonly Segment[]) {
  const isFrame = ({ marker }: Segment) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
  const frame = segments.find(isFrame)
  if (!frame) throw damaged('the JPEG has no picture')
  const bytes = await source.read(frame.first + 5, 4)
  return { height: bytes.readUInt16BE(0), width: bytes.readUInt16BE(2) }
}

export async function spliceJpeg(source: Source, edits: Edits): Promise<Part[]> {
  const { segments, end } = await segmentsOf(source)
  const named = async (marker: number, name: Buffer) => {
    const found: Segment[] = []
    for (const segment of segments) {
      const isLong = segment.marker === marker && segment.end - segment.first >= 4 + name.length
      if (isLong && (await source.read(segment.first + 4, name.length)).equals(name)) found.push(segment)
    }
    return found
  }
  const contentOf = async ({ first, end }: Segment, name: Buffer) =>
    Buffer.from(await source.read(first + 4 + name.length, end - first - 4 - name.length))
  const [exifs, xmps, extended, resources] = [
    (await named(app1, exifName)).slice(0, 1),
    await named(app1, xmpName),
    await named(app1, extendedName),
    await named(app13, photoshopName),
  ]
  const stored = exifs[0] && (await contentOf(exifs[0], exifName))
  const exif = await mergeExif(stored, exifChanges(edits), await pictureOf(source, segments))
  const packet = xmps[0] && (await contentOf(xmps[0], xmpName))
  if (sizeOf(resources) > maxResources) throw damaged('its image resources are too large')
  const parts = await Promise.all(resources.map((one) => contentOf(one, photoshopName)))
  const photoshop = parts.length > 0 ? Buffer.concat(parts) : undefined
  const iptc = mergeIptc(photoshop && iptcIn(photoshop), edits)

  const replaced = new Set([...exifs, ...xmps, ...resources])
  const own = [
    ...(exif ? [segment(app1, exifName, exif, 'EXIF')] : []),
    ...xmpSegments(packet, edits, extended.length > 0),
    ...(photoshop || iptc ? chunked(app13, photoshopName, withIptc(photoshop, iptc)) : []),
  ]
  // JFIF has to be the first segment.
  const isFirst = segments[0]?.marker === app0
  const head = isFirst ? segments[0]!.end : 2
  const kept = segments.slice(isFirst ? 1 : 0).filter((one) => !replaced.has(one))
  const [mpf] = await named(app2, mpfName)
  const delta = sizeOf(own) - sizeOf([...replaced])
  const after = sizeOf([...replaced].filter(({ first }) => mpf !== undefined && first > mpf.first))
  return [
    { first: 0, end: head },
    ...own,
    ...(await Promise.all(
      kept.map(async (one): Promise<Part> => (one === mpf ? moved(await source.read(one.first, one.end - one.first), delta, -after) : one)), // prettier-ignore
    )),
    { first: end, end: source.size },
  ]
}

const tooLarge = (block: string) => new Problem('invalid', because('metadataTooLarge', { block }))

function segment(marker: number, name: Buffer, content: Buffer, block: string): Buffer {
  const length = name.length + content.length
  if (length > maxSegment) throw tooLarge(block)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(length + 2, 2)
  return Buffer.concat([head, name, content])
}

function chunked(marker: number, name: Buffer, content: Buffer): Buffer[] {
  const size = maxSegment - name.length
  return Array.from({ length: Math.ceil(content.length / size) }, (_, i) =>
    segment(marker, name, content.subarray(i * size, (i + 1) * size), 'IPTC'),
  )
}

/** XMP that is too large for a segment: the edits are the main packet, the rest is extended XMP. */
function xmpSegments(packet: Buffer | undefined, edits: Edits, isExtended: boolean): Buffer[] {
  const merged = mergeXmp(packet, edits)
  const max = maxSegment - xmpName.length
  if (merged.length <= max) return [segment(app1, xmpName, merged, 'XMP')]
  if (isExtended) throw tooLarge('XMP')
  let guid = ''
  const { own, rest } = splitXmp(packet, edits, (rest) => {
    guid = createHash('md5').update(rest).digest('hex').toUpperCase()
    return `<rdf:Description rdf:about="" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${guid}"/>`
  })
  if (own.length > max || rest.length === 0) throw tooLarge('XMP')
  const size = maxSegment - extendedName.length - 40
  const chunks = Array.from({ length: Math.ceil(rest.length / size) }, (_, i) => {
    const head = Buffer.alloc(40)
    head.write(guid, 'latin1')
    head.writeUInt32BE(rest.length, 32)
    head.writeUInt32BE(i * size, 36)
    return segment(app1, extendedName, Buffer.concat([head, rest.subarray(i * size, (i + 1) * size)]), 'XMP')
  })
  return [segment(app1, xmpName, own, 'XMP'), ...chunks]
}

/**
 * Phones append further pictures to a JPEG and list them in the segment MPF: the size of the first, and where the others
 * begin, counted from this segment.
 */
function moved(segment: Buffer, whole: number, behind: number): Buffer {
  const copy = Buffer.from(segment)
  const tiff = copy.subarray(4 + mpfName.length)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const add = (at: number, distance: number) => {
    const value = (u32(at) + distance) >>> 0
    if (isLittle) tiff.writeUInt32LE(value, at)
    else tiff.writeUInt32BE(value, at)
  }
  try {
    const ifd = u32(4)
    for (let i = 0; i < u16(ifd); i++) {
      const entry = ifd + 2 + i * 12
      if (u16(entry) !== 0xb002) continue
      const [count, list] = [u32(entry + 4) / 16, u32(entry + 8)]
      for (let image = 0; image < count; image++) {
        const at = list + image * 16
        if (image === 0) add(at + 4, whole)
        else if (u32(at + 8) !== 0) add(at + 8, behind)
      }
    }
    return copy
  } catch {
    return segment // damaged: nobody can follow it anyway
  }
}
