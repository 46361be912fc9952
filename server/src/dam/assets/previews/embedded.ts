/**
 * Metadata inside a file: EXIF, IPTC, XMP and the colour profile, as plain values by name.
 *
 * Only the first mebibyte is read, because cameras and editors write metadata at the beginning. Unreadable metadata is
 * ignored.
 */
import { open } from 'node:fs/promises'
import ExifReader from 'exifreader'

const maxBytes = 1024 * 1024
const [maxText, maxTags, maxItems, maxLanguages] = [2000, 300, 500, 100]
const blocks = ['exif', 'iptc', 'xmp', 'icc'] as const

/**
 * Values by block and name. `lists` has the parts of lists and `languages` the texts by language, both by tag such as
 * `xmp:subject`.
 */
type Embedded = Record<string, Record<string, unknown>>

export async function readEmbedded(file: string, mime: string): Promise<Embedded> {
  if (!/^image\/(?:jpeg|png|webp|avif|heic|tiff|gif)$/.test(mime)) return {}
  try {
    // oxlint-disable-next-line import/no-named-as-default-member -- CommonJS, whose names Node does not see
    const tags = ExifReader.load(await headOf(file), { expanded: true, includeUnknown: false })
    const read = blocks.map((block) => [block, plainTags(tags[block])] as const)
    const [lists, languages] = [listsIn(tags), languagesIn(tags.xmp)]
    const gps = Object.fromEntries(Object.entries(tags.gps ?? {}).filter(([, value]) => typeof value === 'number'))
    return Object.fromEntries(
      [...read, ['gps', gps] as const, ['lists', lists] as const, ['languages', languages] as const].filter(
        ([, values]) => Object.keys(values).length > 0,
      ),
    )
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

interface Tag {
  readonly value?: unknown
  readonly description?: unknown
  readonly attributes?: { readonly lang?: unknown }
}

/** XMP prefixes and tag names come from the file, so only harmless names are accepted. */
const tagsIn = (block: object = {}) =>
  Object.entries(block as Record<string, Tag | Tag[]>).filter(
    ([name]) =>
      /^[\w :.()/-]{1,100}$/.test(name) && name !== '__proto__' && !/thumbnail|_raw|MakerNote|Padding/i.test(name),
  )

function plainTags(block?: object): Record<string, string | number> {
  const entries = tagsIn(block).flatMap(([name, tag]): [string, string | number][] => {
    if (!Array.isArray(tag) && typeof tag.value === 'number') return [[name, tag.value]]
    const text = textOf(tag)
    return text === '' ? [] : [[name, text]]
  })
  return Object.fromEntries(entries.slice(0, maxTags))
}

/** Of texts in several languages, the default; lists with commas. */
function textOf(tag: Tag | Tag[]): string {
  const items = itemsOf(tag)
  const byDefault = items.find(({ attributes }) => attributes?.lang === 'x-default')
  if (items.some(({ attributes }) => attributes?.lang !== undefined)) return plainText(byDefault ?? items[0]!)
  if (items.length > 0) return clean(items.map(plainText).join(', '))
  return Array.isArray(tag) ? '' : plainText(tag)
}

const itemsOf = (tag: Tag | Tag[]): Tag[] => {
  const items: unknown = Array.isArray(tag) ? tag : tag.value
  return Array.isArray(items) ? items.filter((item): item is Tag => typeof item === 'object' && item !== null) : []
}

function plainText({ value, description }: Tag): string {
  const text = typeof description === 'string' && description !== '' ? description : value
  return typeof text === 'string' ? clean(text) : ''
}

function listsIn(tags: { readonly xmp?: object; readonly iptc?: object }): Record<string, string[]> {
  const lists = (['xmp', 'iptc'] as const).flatMap((block) =>
    tagsIn(tags[block]).map(([name, tag]): [string, string[]] => {
      const items = itemsOf(tag).filter(({ attributes }) => attributes?.lang === undefined)
      return [`${block}:${name}`, items.map(plainText).filter((text) => text !== '').slice(0, maxItems)] // prettier-ignore
    }),
  )
  return Object.fromEntries(lists.filter(([, list]) => list.length > 1).slice(0, maxTags))
}

function languagesIn(xmp?: object): Record<string, Record<string, string>> {
  const found = tagsIn(xmp).map(([name, tag]): [string, Record<string, string>] => {
    const texts = itemsOf(tag).flatMap((item): [string, string][] => {
      const { lang } = item.attributes ?? {}
      return typeof lang === 'string' && /^[a-z]{2,3}(-[\w-]{1,20})?$/i.test(lang) ? [[lang, plainText(item)]] : []
    })
    return [`xmp:${name}`, Object.fromEntries(texts.filter(([, text]) => text !== '').slice(0, maxLanguages))]
  })
  return Object.fromEntries(found.filter(([, texts]) => Object.keys(texts).length > 0).slice(0, maxTags))
}

/** Characters that XML messages cannot contain. */
// oxlint-disable-next-line no-control-regex
const unencodable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const clean = (text: string) => text.toWellFormed().replaceAll(unencodable, '').trim().slice(0, maxText)
