/** PNG: XMP in an iTXt chunk and EXIF in eXIf, right behind the header. Other chunks stay as they are. */
import { crc32, inflateSync } from 'node:zlib'
import { damaged, type Edits, maxBlock } from './edits.ts'
import { exifChanges, mergeExif } from './exif.ts'
import type { Part, Source } from './splice.ts'
import { mergeXmp } from './xmp.ts'

const xmpKeyword = Buffer.from('XML:com.adobe.xmp\0')
const signature = 8
const maxChunks = 1_000_000

export async function splicePng(source: Source, edits: Edits): Promise<Part[]> {
  const kept: { first: number; end: number }[] = []
  let [at, count, type] = [signature, 0, '']
  let [xmp, exif, head]: [Buffer | undefined, Buffer | undefined, number] = [undefined, undefined, 0]
  while (type !== 'IEND') {
    if (++count > maxChunks) throw damaged('the PNG has too many chunks')
    const start = await source.read(at, 8)
    const length = start.readUInt32BE()
    type = start.toString('latin1', 4)
    const end = at + 12 + length
    if (end > source.size) throw damaged('a chunk of the PNG is cut off')
    const isXmp = /^[itz][TE]Xt$/.test(type) && length > xmpKeyword.length && (await source.read(at + 8, xmpKeyword.length)).equals(xmpKeyword) // prettier-ignore
    if ((isXmp || type === 'eXIf') && length > maxBlock) throw damaged(`its metadata has more than ${maxBlock} bytes`)
    if (isXmp) xmp ??= textIn(type, Buffer.from(await source.read(at + 8, length)))
    else if (type === 'eXIf') exif ??= Buffer.from(await source.read(at + 8, length))
    else if (type === 'IHDR') head = end
    else if (kept.at(-1)?.end === at) kept.at(-1)!.end = end
    else kept.push({ first: at, end })
    at = end
  }
  if (head === 0) throw damaged('the PNG has no header')
  const own = await mergeExif(exif, exifChanges(edits))
  const packet = Buffer.concat([xmpKeyword, Buffer.alloc(4), mergeXmp(xmp, edits)])
  const rest = at < source.size ? [{ first: at, end: source.size }] : []
  return [{ first: 0, end: head }, ...(own ? [chunk('eXIf', own)] : []), chunk('iTXt', packet), ...kept, ...rest]
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

/**
 * The text of a chunk. iTXt has keyword, compression, language, translated keyword and text; some programs write zTXt or
 * tEXt instead, without the languages.
 */
function textIn(type: string, content: Buffer): Buffer {
  if (type === 'tEXt') return content.subarray(xmpKeyword.length)
  if (type === 'zTXt') return inflated(content.subarray(xmpKeyword.length + 1))
  const isCompressed = content[xmpKeyword.length] === 1
  const language = content.indexOf(0, xmpKeyword.length + 2)
  const translated = language < 0 ? -1 : content.indexOf(0, language + 1)
  if (translated < 0) throw damaged('its XMP is cut off')
  const text = content.subarray(translated + 1)
  return isCompressed ? inflated(text) : text
}

function inflated(text: Buffer): Buffer {
  try {
    return inflateSync(text, { maxOutputLength: maxBlock })
  } catch {
    throw damaged('its XMP cannot be decompressed')
  }
}
