/**
 * Metadata inside a file: EXIF, IPTC, XMP and the colour profile, as plain values by name.
 *
 * Only the first mebibyte is read, because cameras and editors write metadata at the beginning. Unreadable metadata is
 * ignored.
 */
import { open } from 'node:fs/promises'
import ExifReader from 'exifreader'

const maxBytes = 1024 * 1024
const [maxText, maxTags] = [2000, 300]
const blocks = ['exif', 'iptc', 'xmp', 'icc'] as const

export async function readEmbedded(
  file: string,
  mime: string,
): Promise<Record<string, Record<string, string | number>>> {
  if (!/^image\/(?:jpeg|png|webp|avif|heic|tiff|gif)$/.test(mime)) return {}
  try {
    // oxlint-disable-next-line import/no-named-as-default-member -- CommonJS, whose names Node does not see
    const tags = ExifReader.load(await headOf(file), { expanded: true, includeUnknown: false })
    const read = blocks.map((block) => [block, plainTags(tags[block])] as const)
    const gps = Object.fromEntries(Object.entries(tags.gps ?? {}).filter(([, value]) => typeof value === 'number'))
    return Object.fromEntries([...read, ['gps', gps] as const].filter(([, values]) => Object.keys(values).length > 0))
  } catch {
    return {}
  }
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.alloc(Math.min(size, maxBytes))
    await handle.read(buffer, 0, buffer.length, 0)
    return buffer
  } finally {
    await handle.close()
  }
}

/** XMP prefixes and tag names come from the file, so only harmless names are accepted. */
function plainTags(tags: object = {}): Record<string, string | number> {
  const entries = Object.entries(tags as Record<string, { value?: unknown; description?: unknown }>)
    .filter(
      ([name]) =>
        /^[\w :.()/-]{1,100}$/.test(name) && name !== '__proto__' && !/thumbnail|_raw|MakerNote|Padding/i.test(name),
    )
    .flatMap(([name, { value, description }]): [string, string | number][] => {
      if (typeof value === 'number') return [[name, value]]
      const text = typeof description === 'string' && description !== '' ? description : value
      return typeof text === 'string' && text !== '' ? [[name, clean(text)]] : []
    })
  return Object.fromEntries(entries.filter(([, value]) => value !== '').slice(0, maxTags))
}

/** Characters that XML messages cannot contain. */
// oxlint-disable-next-line no-control-regex
const unencodable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const clean = (text: string) => text.toWellFormed().replaceAll(unencodable, '').trim().slice(0, maxText)
