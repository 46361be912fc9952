/** WebP: EXIF and XMP are chunks behind the picture, and the chunk VP8X says that they exist. */
import { damaged, type Edits, maxBlock } from './edits.ts'
import { exifChanges, mergeExif } from './exif.ts'
import { type Part, sizeOf, type Source } from './splice.ts'
import { mergeXmp } from './xmp.ts'

const [exifFlag, xmpFlag, alphaFlag] = [0x08, 0x04, 0x10]
const maxChunks = 100_000

interface Chunk {
  readonly type: string
  readonly first: number
  readonly end: number
  readonly length: number
}

async function chunksOf(source: Source): Promise<Chunk[]> {
  const total = 8 + (await source.read(4, 4)).readUInt32LE()
  if (total > source.size) throw damaged('the WebP is cut off')
  const chunks: Chunk[] = []
  for (let at = 12; at + 8 <= total;) {
    if (chunks.length > maxChunks) throw damaged('the WebP has too many chunks')
    const head = await source.read(at, 8)
    const length = head.readUInt32LE(4)
    const end = at + 8 + length + (length % 2)
    if (end > total + 1 || end > source.size + 1) throw damaged('a chunk of the WebP is cut off')
    chunks.push({ type: head.toString('latin1', 0, 4), first: at, end: Math.min(end, source.size), length })
    at = end
  }
  return chunks
}

export async function spliceWebp(source: Source, edits: Edits): Promise<Part[]> {
  const chunks = await chunksOf(source)
  const contentOf = async (type: string) => {
    const found = chunks.find((one) => one.type === type)
    if (found && found.length > maxBlock) throw damaged(`its metadata has more than ${maxBlock} bytes`)
    return found && Buffer.from(await source.read(found.first + 8, found.length))
  }
  const stored = await contentOf('EXIF')
  // Some programs write the marker of JPEG before it.
  const exif = await mergeExif(stored?.toString('latin1', 0, 6) === 'Exif\0\0' ? stored.subarray(6) : stored, exifChanges(edits)) // prettier-ignore
  const xmp = mergeXmp(await contentOf('XMP '), edits)
  const head = Buffer.from((await contentOf('VP8X')) ?? (await headFor(source, chunks)))
  head[0] = (head[0]! & ~exifFlag) | xmpFlag | (exif ? exifFlag : 0)
  const parts: Part[] = [
    chunk('VP8X', head),
    ...chunks.filter(({ type }) => !['VP8X', 'EXIF', 'XMP '].includes(type)).map(({ first, end }) => ({ first, end })),
    ...(exif ? [chunk('EXIF', exif)] : []),
    chunk('XMP ', xmp),
  ]
  const riff = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  riff.writeUInt32LE(sizeOf(parts) + 4, 4)
  return [riff, ...parts]
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + data.length + (data.length % 2))
  bytes.write(type, 'latin1')
  bytes.writeUInt32LE(data.length, 4)
  bytes.set(data, 8)
  return bytes
}

/** VP8X for a simple file: its size, and whether it has transparency. */
async function headFor(source: Source, chunks: readonly Chunk[]): Promise<Buffer> {
  const head = Buffer.alloc(10)
  const picture = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L')
  if (!picture || picture.length < 10) throw damaged('the WebP has no picture')
  const start = await source.read(picture.first + 8, 10)
  if (picture.type === 'VP8 ') {
    const [width, height] = [start.readUInt16LE(6) & 0x3fff, start.readUInt16LE(8) & 0x3fff]
    if (width === 0 || height === 0) throw damaged('the WebP has no picture')
    head.writeUIntLE(width - 1, 4, 3)
    head.writeUIntLE(height - 1, 7, 3)
    return head
  }
  const bits = start.readUInt32LE(1)
  head.writeUIntLE(bits & 0x3fff, 4, 3)
  head.writeUIntLE((bits >>> 14) & 0x3fff, 7, 3)
  if ((bits >>> 28) & 1) head[0] = alphaFlag
  return head
}
