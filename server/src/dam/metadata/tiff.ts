/** TIFF: all metadata are tags of its first directory, which is written anew behind the file. The pixels stay in place. */
import { damaged, type Edits, maxBlock, removesLocation } from './edits.ts'
import { appendIfds, exifChanges, findValue } from './exif.ts'
import { iptcIn, mergeIptc, withIptc } from './iptc.ts'
import type { Part, Source } from './splice.ts'
import { mergeXmp } from './xmp.ts'

const [xmpTag, iptcTag, resourcesTag] = [700, 33723, 34377]
const [typeByte, typeLong] = [1, 4]

export async function spliceTiff(source: Source, edits: Edits): Promise<Part[]> {
  const changes = exifChanges(edits)
  const stored = async (tag: number) => {
    const found = await findValue(source.read, source.size, tag)
    if (found && found.length > 16 * maxBlock) throw damaged('its metadata is too large')
    return found && Buffer.from(await source.read(found.at, found.length))
  }
  const put = (tag: number, type: number, data: Buffer) => changes.image.set(tag, { type, count: data.length, data })
  put(xmpTag, typeByte, mergeXmp(await stored(xmpTag), edits))
  const resources = await stored(resourcesTag)
  const iptc = mergeIptc((await stored(iptcTag)) ?? (resources && iptcIn(resources)), edits)
  if (iptc) {
    const data = Buffer.concat([iptc, Buffer.alloc((4 - (iptc.length % 4)) % 4)]) // by convention in units of four bytes
    changes.image.set(iptcTag, { type: typeLong, count: data.length / 4, data })
  }
  if (resources) put(resourcesTag, typeByte, withIptc(resources, iptc))
  const { header, tail, replaced } = await appendIfds(source.read, source.size, changes)
  const rest = removesLocation(edits) ? blanked(source.size, replaced) : [{ first: 8, end: source.size }]
  return [header, ...rest, tail]
}

/** The file behind its header, with zeros instead of these values. Only for renditions: their pixels are elsewhere. */
function blanked(size: number, values: readonly { readonly at: number; readonly length: number }[]): Part[] {
  const parts: Part[] = []
  let first = 8
  for (const { at, length } of values.toSorted((a, b) => a.at - b.at)) {
    if (at < first || at + length > size) continue
    parts.push({ first, end: at }, Buffer.alloc(length))
    first = at + length
  }
  return [...parts, { first, end: size }]
}
