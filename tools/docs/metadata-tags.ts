/** The page of tags: every tag of metadata in files, and the attributes that use it. */
import { embeddedTags, predefinedTags, type TagTarget, usageTags, xmpNamespaces } from '@kontor/contract'
import { generatedFrom, page, table } from './markdown.ts'

export function metadataTagsPage(): string {
  const users = (tag: string, direction: 0 | 1) =>
    Object.entries(predefinedTags)
      .filter(([, lists]) => lists[direction].split(', ').includes(tag))
      .map(([tid]) => `\`${tid}\``)
  const usage = (tag: string) =>
    Object.entries(usageTags)
      .filter(([, tags]) => tags.split(', ').includes(tag))
      .map(([name]) => names[name as keyof typeof usageTags])
  const rows = embeddedTags.map(({ name, target }) => [
    `\`${name}\``,
    target ? placeOf(target) : 'only read',
    users(name, 0).join(', '),
    [...users(name, 1), ...usage(name)].join(', '),
  ])
  return page(
    generatedFrom('contract/src/embedded-tags.ts'),
    '# Tags of metadata in files',
    'A definition of an attribute of files names these tags in its meta items `embedded` (read from) and `embeddedOut` (written to). [How to](../how-to/write-metadata.md).',
    table(['tag', 'where it is in the file', 'read into', 'written from'], rows),
    '## Namespaces of XMP',
    table(
      ['prefix', 'namespace'],
      Object.entries(xmpNamespaces).map(([prefix, uri]) => [`\`${prefix}\``, `\`${uri}\``]),
    ),
  )
}

function placeOf(target: TagTarget): string {
  if (target.block === 'xmp') return `\`${target.prefix}:${target.name}\`, ${shapes[target.shape]}`
  if (target.block === 'iptc') return `2:${target.dataset}, at most ${target.max} bytes${target.is === 'list' ? ' each' : ''}` // prettier-ignore
  return target.block === 'exif' ? `0x${target.tag.toString(16).padStart(4, '0')}` : 'EXIF and XMP'
}

const shapes = {
  text: 'a text',
  alt: 'a text per language',
  bag: 'a list',
  seq: 'a list in order',
  date: 'a date',
  owners: 'a list of owners',
  coordinate: 'a coordinate',
}
const names: Record<keyof typeof usageTags, string> = {
  creditLine: 'credit line',
  holder: 'holder',
  licence: 'licence',
  licenceUrl: 'licence that is an address',
  media: 'media',
  territories: 'countries',
  validFrom: 'begin or embargo',
  validUntil: 'end',
  keywords: 'keywords',
  keywordPaths: 'keywords',
}
