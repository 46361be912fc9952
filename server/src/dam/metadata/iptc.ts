/**
 * IPTC IIM and the image resources of Photoshop that contain it. Other datasets and resources stay. Texts are UTF-8, which
 * dataset 1:90 states; texts of a file that does not state it are converted.
 */
import { createHash } from 'node:crypto'
import { clean, damaged, type Edits, editsOf, maxBlock, partsOfDate, plainTexts, type TargetOf, type Text } from './edits.ts' // prettier-ignore

interface Dataset {
  readonly record: number
  readonly number: number
  readonly data: Buffer
}
/** ESC % G: the texts are UTF-8. */
const utf8 = Buffer.from([0x1b, 0x25, 0x47])
const tagMarker = 0x1c
/** Datasets of record 2 from here on are binary, as is number 0, the version. */
const firstBinary = 200

/** Of datasets or image resources in a file. Real ones have some hundred; a hostile one could keep the server busy. */
const maxParts = 20_000
/** Bytes of the image resources of a file. */
export const maxResources = 16 * maxBlock

function readDatasets(block: Buffer): Dataset[] {
  const found: Dataset[] = []
  let at = 0
  while (at + 5 <= block.length && block[at] === tagMarker) {
    if (found.length === maxParts) throw damaged(`its IPTC has more than ${maxParts} entries`)
    const [record, number, short] = [block[at + 1]!, block[at + 2]!, block.readUInt16BE(at + 3)]
    at += 5
    let length = short
    if (short & 0x8000) {
      const bytes = short & 0x7fff
      if (bytes === 0 || bytes > 4 || at + bytes > block.length) throw damaged('its IPTC has a wrong length')
      length = block.readUIntBE(at, bytes)
      at += bytes
    }
    if (at + length > block.length) throw damaged('its IPTC is cut off')
    found.push({ record, number, data: block.subarray(at, at + length) })
    at += length
  }
  return found
}

function writeDataset({ record, number, data }: Dataset): Buffer {
  const isLong = data.length > 0x7fff
  const head = Buffer.alloc(isLong ? 9 : 5)
  head.set([tagMarker, record, number])
  head.writeUInt16BE(isLong ? 0x8004 : data.length, 3)
  if (isLong) head.writeUInt32BE(data.length, 5)
  return Buffer.concat([head, data])
}

/** The block with the edits; undefined if it is empty. */
export function mergeIptc(block: Buffer | undefined, edits: Edits): Buffer | undefined {
  const changes = editsOf(edits, 'iptc')
  if (!block && changes.every(([, texts]) => texts.length === 0)) return undefined
  const stored = block ? readDatasets(block) : []
  const changed = new Set(changes.map(([{ dataset }]) => dataset))
  const isUtf8 = stored.some(({ record, number, data }) => record === 1 && number === 90 && data.equals(utf8))
  const kept = stored
    .filter(({ record, number }) => !(record === 1 && number === 90) && !(record === 2 && changed.has(number)))
    .map((one) => (isUtf8 ? one : converted(one)))
  const own = changes.flatMap(([target, texts]) =>
    dataOf(target, texts).map((data): Dataset => ({ record: 2, number: target.dataset, data })),
  )
  const version = kept.some(({ record, number }) => record === 2 && number === 0)
    ? []
    : [{ record: 2, number: 0, data: Buffer.from([0, 4]) }]
  const all = [{ record: 1, number: 90, data: utf8 }, ...version, ...kept, ...own]
  const sorted = all.toSorted((a, b) => a.record - b.record || a.number - b.number)
  return Buffer.concat(sorted.map(writeDataset))
}

function converted(one: Dataset): Dataset {
  if (one.record !== 2 || one.number === 0 || one.number >= firstBinary) return one
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(one.data)
    return one
  } catch {
    return { ...one, data: Buffer.from(new TextDecoder('windows-1252').decode(one.data)) }
  }
}

function dataOf({ is, max }: TargetOf<'iptc'>, texts: readonly Text[]): Buffer[] {
  const plain = plainTexts(texts)
  if (is === 'list') return [...new Set(plain)].map((text) => cut(text, max)).filter(({ length }) => length > 0)
  const text = is === 'text' ? plain.join(', ') : dateText(is, plain[0])
  return text === '' ? [] : [cut(text, max)]
}

/** The standard limits the bytes of each dataset. Characters are not cut. */
function cut(text: string, max: number): Buffer {
  const bytes = Buffer.from(clean(text).trim())
  if (bytes.length <= max) return bytes
  let end = max
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

function dateText(is: 'date' | 'time', text = ''): string {
  const parts = partsOfDate(text)
  if (is === 'date') return parts?.date.replaceAll('-', '') ?? ''
  return parts?.time === undefined ? '' : `${parts.time}${parts.zone ?? '+00:00'}`.replaceAll(':', '')
}

// Image resources

interface Resource {
  readonly id: number
  readonly data: Buffer
  /** As in the file. */
  readonly whole: Buffer
}
const [iptcId, digestId] = [0x0404, 0x0425]

function readResources(block: Buffer): Resource[] {
  const found: Resource[] = []
  for (let at = 0; at + 12 <= block.length;) {
    if (found.length === maxParts) throw damaged(`it has more than ${maxParts} image resources`)
    if (!/^(?:8BIM|MeSa|AgHg|PHUT|DCSR)$/.test(block.toString('latin1', at, at + 4))) {
      if (block.subarray(at).every((byte) => byte === 0)) return found
      throw damaged('its image resources have a wrong signature')
    }
    const nameEnd = at + 6 + even(1 + block[at + 6]!)
    if (nameEnd + 4 > block.length) throw damaged('its image resources are cut off')
    const size = block.readUInt32BE(nameEnd)
    const [from, to] = [nameEnd + 4, nameEnd + 4 + size]
    if (to > block.length) throw damaged('its image resources are cut off')
    const end = Math.min(from + even(size), block.length)
    found.push({ id: block.readUInt16BE(at + 4), data: block.subarray(from, to), whole: block.subarray(at, end) })
    at = end
  }
  return found
}
const even = (length: number) => length + (length % 2)

function writeResource(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.write('8BIM', 'latin1')
  head.writeUInt16BE(id, 4)
  head.writeUInt32BE(data.length, 8)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** The IPTC in image resources. */
export const iptcIn = (resources: Buffer) => readResources(resources).find(({ id }) => id === iptcId)?.data

/**
 * The image resources with another IPTC. Programs compare its digest: if it does not match, they take IPTC for newer than
 * XMP.
 */
export function withIptc(resources: Buffer | undefined, iptc: Buffer | undefined): Buffer {
  const kept = (resources ? readResources(resources) : []).filter(({ id }) => id !== iptcId && id !== digestId)
  const own = iptc
    ? [writeResource(iptcId, iptc), writeResource(digestId, createHash('md5').update(iptc).digest())]
    : []
  return Buffer.concat([...own, ...kept.map(({ whole }) => (whole.length % 2 ? Buffer.concat([whole, Buffer.alloc(1)]) : whole))]) // prettier-ignore
}
