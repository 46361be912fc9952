/** Changes of the metadata in a file. */
import type { EmbeddedTag, TagTarget } from '@kontor/contract'
import { because, embeddedTags } from '@kontor/contract'
import { Problem } from '../../errors.ts'

/** A text, with its locale such as `de_DE` if the attribute has one per language. */
export interface Text {
  readonly value: string
  readonly loc?: string
}
/** The new values of tags. A tag without values is removed; other tags of the file stay as they are. */
export type Edits = ReadonlyMap<string, readonly Text[]>

/** Stands for all coordinates, in an edit that removes them. */
const location = 'gps:*'
export const removesLocation = (edits: Edits) => edits.has(location)
export const withoutLocation = (edits: Edits): Edits =>
  new Map([...[...edits].filter(([tag]) => !tag.startsWith('gps:')), [location, []]])

export const tagsByName: ReadonlyMap<string, EmbeddedTag> = new Map(embeddedTags.map((tag) => [tag.name, tag]))

export type TargetOf<B extends TagTarget['block']> = Extract<TagTarget, { block: B }>

/** The edits of one block with the place where each is written. */
export const editsOf = <B extends TagTarget['block']>(edits: Edits, block: B): [TargetOf<B>, readonly Text[]][] =>
  [...edits].flatMap(([name, texts]): [TargetOf<B>, readonly Text[]][] => {
    const target = tagsByName.get(name)?.target
    return target?.block === block ? [[target as TargetOf<B>, texts]] : []
  })

/** Embedded texts without a language are in this one; it is also the default of texts in several languages. */
export const defaultLocale = 'en_GB'

/** The texts for a field without languages: those of the default locale, else of the first one. */
export function plainTexts(texts: readonly Text[]): string[] {
  const locales = texts.flatMap(({ loc }) => loc ?? [])
  const loc = locales.includes(defaultLocale) ? defaultLocale : locales[0]
  return texts.filter((text) => text.loc === loc || text.loc === undefined).map(({ value }) => value)
}

// oxlint-disable-next-line no-control-regex
const unencodable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g
/** Without characters that XML and IPTC cannot contain. */
export const clean = (text: string) => text.toWellFormed().replaceAll(unencodable, '')

/** Parts of a date such as 2026-05-01T12:30:00.000Z or 2026-05-01; undefined if the text is not a date. */
export function partsOfDate(text: string) {
  const [, date, time, , zone] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(:\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?/.exec(text) ?? []
  return date === undefined ? undefined : { date, time: time?.padEnd(8, ':00'), zone: zone === 'Z' ? '+00:00' : zone }
}

/** The metadata in the file is damaged or too large to be merged. */
export const damaged = (cause: string) => new Problem('invalid', because('metadataDamaged', { cause }))

/** Blocks of metadata that are larger are not merged: they have to fit in memory, and XML is parsed in one go. */
export const maxBlock = 1024 * 1024
