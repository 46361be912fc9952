/**
 * Maps embedded metadata to attributes of the asset.
 *
 * Each attribute has a list of tags, in order of preference: those of its definition (metadata/tags.ts). Existing values are
 * never replaced, and values that an attribute does not accept are skipped.
 */
import type { Db } from '../../../adapters/postgres/db.ts'
import { findLocales } from '../../../common/api.ts'
import { rightsAt } from '../../../core/access/permissions.ts'
import { Problem } from '../../../errors.ts'
import type { DefinitionRow, StoredValues, ValMessage } from '../../../values/api.ts'
import { findDefinitions } from '../../attribute-definitions/attribute-definitions.sql.ts'
import { loadRules, ownersOf, type Rules } from '../../attribute-definitions/rules.ts'
import { defaultLocale } from '../../metadata/edits.ts'
import { readTags } from '../../metadata/tags.ts'

export type Embedded = Readonly<Record<string, unknown>>

const allRights = rightsAt([{ kind: '*', actions: ['*'] }], 'asset')

/** The values of an asset, completed by embedded metadata. */
export type Mapper = (type: string, stored: StoredValues, embedded: Embedded) => StoredValues

export async function loadMapper(db: Db): Promise<Mapper> {
  const [definitions, rules] = [await findDefinitions(db), await loadRules(db)]
  return createMapper(definitions, rules, (await findLocales.CONTENT(db)).map(({ tid }) => tid)) // prettier-ignore
}

export const createMapper =
  (definitions: readonly DefinitionRow[], rules: Rules, locales: readonly string[]): Mapper =>
  (type, stored, embedded) => {
    let vals = stored
    for (const row of definitions) {
      const types = ownersOf(row)
      if (row.tid in vals || (types && !types.includes(type))) continue
      const found = firstOf(embedded, readTags(row))
      if (!found) continue
      try {
        vals = rules.merge(type, vals, [toVal(row, found, locales)], allRights)
      } catch (error) {
        if (!(error instanceof Problem)) throw error // skip a value that the attribute does not accept
      }
    }
    return vals
  }

/** The value of a tag: as one text, as a list, and by language as far as the file says so. */
interface Found {
  readonly tag: string
  readonly text: string
  readonly list?: readonly string[]
  readonly languages?: Readonly<Record<string, string>>
}

function firstOf(embedded: Embedded, names: readonly string[]): Found | undefined {
  const part = <T>(block: string, name: string) => (embedded[block] as Record<string, T> | undefined)?.[name]
  for (const name of names) {
    const [, block = '', tag = ''] = /^(\w+):(.*)$/.exec(name) ?? []
    const value = part<unknown>(block, tag)
    if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) continue
    const [list, languages] = [part<string[]>('lists', name), part<Record<string, string>>('languages', name)]
    return { tag: name, text: String(value).trim(), ...(list && { list }), ...(languages && { languages }) }
  }
  return undefined
}

function toVal({ tid, type, localized, multi }: DefinitionRow, found: Found, locales: readonly string[]): ValMessage {
  const text = type === 'date' ? toDate(found.text) : found.text
  const parts = multi ? (found.list ?? text.split(/[,;]/)) : [text]
  const texts = [...new Set(parts.map((part) => part.trim()))].filter((part) => part !== '')
  if (!localized) return { attr: tid, itm: texts.map((value) => ({ value })) }
  if (multi) return { attr: tid, i18N: [{ loc: defaultLocale, itm: texts.map((value) => ({ value })) }] }
  return { attr: tid, itm: byLocale(text, found.languages, locales) }
}

/** Texts rarely declare their language. The default is a language of its own only if it differs from the others. */
function byLocale(text: string, languages: Found['languages'] = {}, locales: readonly string[]) {
  const known = Object.entries(languages).flatMap(([language, value]) => {
    const wanted = language.replaceAll('-', '_').toLowerCase()
    const loc = locales.find((one) => one.toLowerCase() === wanted) ?? locales.find((one) => one.toLowerCase().startsWith(`${wanted}_`)) // prettier-ignore
    return loc === undefined ? [] : [{ value, loc }]
  })
  const isOwn = !known.some(({ loc, value }) => loc === defaultLocale || value === text)
  return [
    ...(isOwn ? [{ value: text, loc: defaultLocale }] : []),
    ...new Map(known.map((one) => [one.loc, one])).values(),
  ]
}

/**
 * Converts `2024:05:01 12:00:00`, the format of cameras, which has no time zone, to ISO 8601. Other dates stay as they
 * are.
 */
const toDate = (text: string) => text.replace(/^(\d{4}):(\d\d):(\d\d)/, '$1-$2-$3').replace(' ', 'T')

/** The tags of EXIF with the time zone of a date. */
const zones: Readonly<Record<string, string>> = {
  'exif:DateTimeOriginal': 'OffsetTimeOriginal',
  'exif:DateTimeDigitized': 'OffsetTimeDigitized',
  'exif:DateTime': 'OffsetTime',
}

/** The tag that an attribute is filled from, and a date as the file says it: with its time zone, if it has one. */
export function sourceOf(row: DefinitionRow, embedded: Embedded): { tag: string; date?: string } | undefined {
  const found = firstOf(embedded, readTags(row))
  if (!found || row.type !== 'date') return found && { tag: found.tag }
  const zone = (embedded['exif'] as Record<string, unknown> | undefined)?.[zones[found.tag] ?? '']
  return { tag: found.tag, date: toDate(found.text) + (/^[+-]\d\d:\d\d$/.test(String(zone)) ? String(zone) : '') }
}
