/**
 * Maps embedded metadata to attributes of the asset.
 *
 * Each attribute has a list of sources, `block:Name`, in order of preference. A definition may set its own in the meta
 * item `embedded`; the predefined attributes have theirs in the table below. Existing values are never replaced, and
 * values that an attribute does not accept are skipped.
 */
import type { Db } from '../../../adapters/postgres/db.ts'
import { metaText } from '../../../common/api.ts'
import { rightsAt } from '../../../core/access/permissions.ts'
import { Problem } from '../../../errors.ts'
import type { StoredValues, ValMessage } from '../../../values/api.ts'
import { findDefinitions } from '../../attribute-definitions/attribute-definitions.sql.ts'
import { loadRules, ownersOf } from '../../attribute-definitions/rules.ts'

export type Embedded = Readonly<Record<string, unknown>>

// prettier-ignore
const sources: ReadonlyMap<string, string> = new Map([
  ['TITLE',       'xmp:title, iptc:Object Name, iptc:Headline, exif:DocumentName'],
  ['DESCRIPTION', 'xmp:description, iptc:Caption/Abstract, exif:ImageDescription'],
  ['TAGS',        'xmp:subject, iptc:Keywords'],
  ['AUTHOR',      'xmp:creator, iptc:By-line, exif:Artist'],
  ['CREDIT',      'xmp:Credit, iptc:Credit'],
  ['SOURCE',      'xmp:Source, iptc:Source'],
  ['COPYRIGHT',   'xmp:rights, iptc:Copyright Notice, exif:Copyright'],
  ['USAGE_TERMS', 'xmp:UsageTerms'],
  ['TAKEN_AT',    'exif:DateTimeOriginal, xmp:CreateDate, exif:DateTime'],
  ['CITY',        'xmp:City, iptc:City'],
  ['COUNTRY',     'xmp:Country, iptc:Country/Primary Location Name'],
  ['LATITUDE',    'gps:Latitude'],
  ['LONGITUDE',   'gps:Longitude'],
  ['CAMERA',      'exif:Model'],
  ['LENS',        'exif:LensModel, xmp:Lens'],
])

/** Embedded texts rarely declare their language. */
const locale = 'en_GB'
const allRights = rightsAt([{ kind: '*', actions: ['*'] }], 'asset')

/** The values of an asset, completed by embedded metadata. */
export async function mapEmbedded(
  db: Db,
  type: string,
  stored: StoredValues,
  embedded: Embedded,
): Promise<StoredValues> {
  const [definitions, rules] = [await findDefinitions(db), await loadRules(db)]
  let vals = stored
  for (const row of definitions) {
    const types = ownersOf(row)
    if (row.tid in vals || (types && !types.includes(type))) continue
    const text = textFrom(embedded, metaText(row.definition.meta, 'embedded') ?? sources.get(row.tid) ?? '')
    if (text === undefined) continue
    const val = toVal(row, row.type === 'date' ? toDate(text) : text)
    try {
      vals = rules.merge(type, vals, [val], allRights)
    } catch (error) {
      if (!(error instanceof Problem)) throw error // skip a value that the attribute does not accept
    }
  }
  return vals
}

function textFrom(embedded: Embedded, names: string): string | undefined {
  for (const name of names.split(',')) {
    const [, block = '', tag = ''] = /^(\w+):(.*)$/.exec(name.trim()) ?? []
    const value = (embedded[block] as Record<string, unknown> | undefined)?.[tag]
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return String(value).trim()
  }
  return undefined
}

function toVal(
  { tid, localized, multi }: { tid: string; localized: boolean; multi: boolean },
  text: string,
): ValMessage {
  const texts = multi
    ? [...new Set(text.split(/[,;]/).map((part) => part.trim()))].filter((part) => part !== '')
    : [text]
  const itm = texts.map((value) => ({ value, ...(localized && { loc: locale }) }))
  if (!multi || !localized) return { attr: tid, itm }
  return { attr: tid, i18N: [{ loc: locale, itm: texts.map((value) => ({ value })) }] }
}

/**
 * Converts `2024:05:01 12:00:00`, the format of cameras, which has no time zone, to ISO 8601. Other dates stay as they
 * are.
 */
const toDate = (text: string) => text.replace(/^(\d{4}):(\d\d):(\d\d)/, '$1-$2-$3').replace(' ', 'T')
