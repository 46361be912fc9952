/**
 * Attributes as fields of search documents: what a definition becomes, and how stored values fill it. Products, assets and
 * channels use it alike.
 *
 *   definition                     field
 *   text                           text, searched by words and as a whole; long ones by words alone
 *   text with a list of values     keyword of the keys, and an inner text of their labels
 *   number, date, boolean          the same
 *   ref                            keyword
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
import type { Definition } from './definition.ts'
import { toNames } from './definition.ts'
import { columnKey } from './rule.ts'
import { isLocalized, type List, plainOf, type StoredValue } from './stored.ts'

export interface AttributeFields {
  readonly fields: readonly DocumentField[]
  /** Puts a stored value, by its key, to the fields of a document, if its field is wanted. */
  put(into: Entries<FieldValues>, key: string, stored: StoredValue, wanted?: ReadonlySet<string>): void
}

/** Texts that may be longer are searched by words alone. */
const longestWhole = 512

/** `taken`: names of standard fields; an attribute of such a name becomes `attr.<tid>`. */
export function attributeFields(definitions: readonly Definition[], taken: ReadonlySet<string>): AttributeFields {
  const byTid = new Map(definitions.map((definition) => [definition.tid, definition]))
  const fields = new Map<string, DocumentField>()
  for (const definition of definitions) {
    if (definition.type !== 'table') fields.set(definition.tid, toField(definition, taken))
    for (const tid of definition.columns) {
      const column = byTid.get(tid)
      if (!column || column.type === 'table') continue
      const key = columnKey(definition.tid, tid)
      fields.set(key, { ...toField(column, taken), name: key, table: definition.tid, attribute: definition.tid })
    }
  }
  return {
    fields: [...fields.values()].flatMap((field) => (field.words ? [field, wordsOf(field)] : [field])),
    put(into, key, stored, wanted) {
      const field = fields.get(key)
      if (!field || (wanted && !wanted.has(field.name))) return
      const values = toValues(field, stored)
      if (values.size === 0) return
      into.add(field.name, values)
      const words = field.words !== undefined && field.values?.size ? labelsOf(field.values, values) : undefined
      if (words?.size) into.add(field.words!, words)
    },
  }
}

const types = { text: 'text', ref: 'keyword', number: 'number', date: 'date', boolean: 'boolean' } as const

function toField(definition: Definition, taken: ReadonlySet<string>): DocumentField {
  const { tid, type, localized, domain, validation, row } = definition
  const name = taken.has(tid) || tid.startsWith('_') ? `attr.${tid}` : tid
  const label = toNames(row.definition.name?.itm)
  const base = { name, label, attribute: tid, ...(localized && { localized }) }
  if (domain) return { ...base, type: 'keyword', values: domain.values, words: `_label.${tid}` }
  const fieldType = types[type as keyof typeof types]
  if (fieldType !== 'text') return { ...base, type: fieldType }
  const isLong = (validation?.maxLength ?? 0) > longestWhole
  return { ...base, type: 'text', weight: 1, ...(isLong && { long: true }) }
}

/** The labels of listed values, by words only. */
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

const readers: Record<DocumentField['type'], (text: string) => FieldScalar> = {
  text: (text) => text,
  keyword: (text) => text,
  number: Number,
  date: Date.parse,
  boolean: (text) => text === 'true',
}

function toValues({ type, localized }: DocumentField, stored: StoredValue): FieldValues {
  const read = readers[type]
  if (typeof stored === 'string') return withoutLocale([read(stored)])
  const plain = plainOf(stored)
  const list = (value: string | List) =>
    typeof value === 'string' ? [read(value)] : value.flatMap((text) => (text === null ? [] : [read(text)]))
  if (!isLocalized(plain)) return withoutLocale(list(plain))
  // Stored when the attribute still had locales: all of them count.
  if (!localized) return withoutLocale(Object.values(plain).flatMap(list))
  const values = new Entries<FieldScalar[]>()
  for (const locale in plain) values.add(locale, list(plain[locale]!))
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
