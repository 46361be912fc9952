/**
 * Attributes as fields of search documents, for products, assets and channels: the field that a definition becomes, and
 * how stored values fill it. Which type of field an attribute type becomes is in attribute-types.ts.
 *
 *   definition                     field
 *   text                           text, searched by words and as a whole; long ones by words alone
 *   text with a list of values     keyword of the keys, and an inner text of their labels
 *   number, date, boolean          the same
 *   richtext                       text without its elements, searched by words
 *   ref, identifier                keyword
 *   measure                        number, in the base unit of its family
 *   price                          a number `price/EUR` for each currency
 *   table                          a field `table/column` for each column
 */
import {
  type DocumentField,
  type FieldScalar,
  type FieldValues,
  type Labels,
  withoutLocale,
} from '../core/outbox/documents.ts'
import { Entries } from '../core/outbox/entries.ts'
import { type ScalarRules, scalarOf } from './attribute-types.ts'
import { type Definition, toNames } from './definition.ts'
import { columnKey } from './rule.ts'
import { isLocalized, type List, plainOf, type StoredValue } from './stored.ts'

export interface AttributeFields {
  readonly fields: readonly DocumentField[]
  /** Adds a stored value to the fields of a document, unless `wanted` excludes its field. */
  put(into: Entries<FieldValues>, key: string, stored: StoredValue, wanted?: ReadonlySet<string>): void
}

/** Texts that may be longer than this are searched by words alone. */
const maxWholeText = 512

/** `taken`: names of standard fields; an attribute with such a tid becomes `attr.<tid>`. */
export function attributeFields(definitions: readonly Definition[], taken: ReadonlySet<string>): AttributeFields {
  const byTid = new Map(definitions.map((definition) => [definition.tid, definition]))
  const sources = new Map<string, readonly Source[]>()
  for (const definition of definitions) {
    sources.set(definition.tid, toSources(definition, taken))
    for (const tid of definition.columns) {
      const column = byTid.get(tid)
      if (!column) continue
      const key = columnKey(definition.tid, tid)
      const ofColumn = toSources(column, taken).map((source) => {
        const name = source.part === undefined ? key : columnKey(key, source.part)
        return { ...source, field: { ...source.field, name, table: definition.tid, attribute: definition.tid } }
      })
      sources.set(key, ofColumn)
    }
  }
  return {
    fields: [...sources.values()].flat().flatMap(({ field }) => (field.words ? [field, wordsOf(field)] : [field])),
    put(into, key, stored, wanted) {
      for (const source of sources.get(key) ?? []) {
        if (!wanted || wanted.has(source.field.name)) putField(into, source, stored)
      }
    },
  }
}

function putField(into: Entries<FieldValues>, source: Source, stored: StoredValue): void {
  const { field } = source
  const values = toValues(source, stored)
  if (values.size === 0) return
  into.add(field.name, values)
  const words = field.words !== undefined && field.values?.size ? labelsOf(field.values, values) : undefined
  if (words?.size) into.add(field.words!, words)
}

interface Source {
  readonly field: DocumentField
  /** The part of a value that it holds: the currency of a price. */
  readonly part?: string
  readonly toField: (stored: string) => FieldScalar | undefined
}
const asItIs = (stored: string) => stored

/** One field, or one for each part of a value. A table has none: its columns have. */
function toSources(definition: Definition, taken: ReadonlySet<string>): Source[] {
  const { tid, type, format } = definition
  const scalar = scalarOf(type, format)
  const own = scalar && toSource(definition, scalar, taken)
  if (!own) return []
  if (!scalar.parts) return [own]
  return [...scalar.parts].map(([part, toField]) => {
    const label = Object.fromEntries(Object.entries(own.field.label).map(([loc, text]) => [loc, `${text} (${part})`]))
    return { field: { ...own.field, name: columnKey(own.field.name, part), table: tid, label }, part, toField }
  })
}

function toSource(definition: Definition, scalar: ScalarRules, taken: ReadonlySet<string>): Source {
  const { tid, localized, domain, validation, row } = definition
  const name = taken.has(tid) || tid.startsWith('_') ? `attr.${tid}` : tid
  const label = toNames(row.definition.name?.itm)
  const base = { name, label, attribute: tid, ...(localized && { localized }) }
  if (domain) {
    const field: DocumentField = { ...base, type: 'keyword', values: domain.values, words: `_label.${tid}` }
    return { field, toField: asItIs }
  }
  const { type: fieldType, toField, units, isLong: isAlwaysLong } = scalar.field
  if (fieldType !== 'text') return { field: { ...base, type: fieldType, ...(units && { units }) }, toField }
  const isLong = isAlwaysLong || (validation?.maxLength ?? 0) > maxWholeText
  return { field: { ...base, type: 'text', weight: 1, ...(isLong && { long: true }) }, toField }
}

/** The field of the labels of listed values: searched by words only. */
const wordsOf = ({ words, attribute, label }: DocumentField): DocumentField => ({
  name: words!,
  type: 'text',
  localized: true,
  weight: 1,
  long: true,
  inner: true,
  label,
  ...(attribute !== undefined && { attribute }),
})

const noValues: FieldValues = new Map()
const ofOne = (value: FieldScalar | undefined) => (value === undefined ? noValues : withoutLocale([value]))
const ofAll = (values: FieldScalar[]) => (values.length === 0 ? noValues : withoutLocale(values))

function toValues({ field: { localized }, toField: read }: Source, stored: StoredValue): FieldValues {
  if (typeof stored === 'string') return ofOne(read(stored))
  const one = (text: string) => {
    const value = read(text)
    return value === undefined ? [] : [value]
  }
  const plain = plainOf(stored)
  const list = (value: string | List) =>
    typeof value === 'string' ? one(value) : value.flatMap((text) => (text === null ? [] : one(text)))
  if (!isLocalized(plain)) return ofAll(list(plain))
  // The value was stored when the attribute was still localized: use the values of all locales.
  if (!localized) return ofAll(Object.values(plain).flatMap(list))
  const values = new Entries<FieldScalar[]>()
  for (const locale in plain) {
    const some = list(plain[locale]!)
    if (some.length > 0) values.add(locale, some)
  }
  return values
}

/** The labels of values, by locale. */
function labelsOf(labels: ReadonlyMap<string, Labels>, values: FieldValues): FieldValues {
  const words = new Map<string, string[]>()
  for (const key of new Set([...values.values()].flat())) {
    for (const [locale, label] of Object.entries(labels.get(String(key)) ?? {})) {
      if (locale !== '') words.set(locale, [...(words.get(locale) ?? []), label])
    }
  }
  return words
}
