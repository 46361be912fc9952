/**
 * Normalises values before they are indexed or compared, in one place, so that index, query and oracle agree.
 *
 *   value    well formed, without NUL, at most 512 characters     "  Größe "   returned by facets
 *   key      value in NFC, trimmed, case folded                   "grösse"     used for comparison
 */
import type { FieldDefinition, IndexSchema, Operand, Range, Scalar, SearchDocument, TextPredicate } from './port.ts'

/** Longer values are compared, sorted and counted by their first 512 characters. Full text has no limit. */
const keywordLength = 512
export const pathSeparator = '/'

/** Removes lone surrogates and NUL characters. NUL separates strings in a segment. */
function cleanText(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '')
}

export function keywordValue(value: Scalar): string {
  const text = cleanText(String(value))
  return text.length <= keywordLength ? text : text.slice(0, keywordLength).toWellFormed()
}

/** Whether normalising would return the value unchanged. One pass over the string is faster than the general path. */
function isNormalised(value: Scalar): value is string {
  if (typeof value !== 'string' || value.length > keywordLength) return false
  const first = value.charCodeAt(0)
  if (!(first > 0x20 && first < 0x7f)) return false
  for (let i = 1; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code === 0 || code >= firstSurrogate) return false
  }
  return true
}
const firstSurrogate = 0xd800

/** Printable ASCII without outer spaces: nothing to normalise or trim. */
const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

export function keyOf(text: string): string {
  if (text.length <= keywordLength && plain.test(text)) return text.toLowerCase()
  return keywordValue(text).normalize('NFC').trim().toLowerCase().replaceAll('ß', 'ss')
}

/** All prefixes of a path: `a/b/c` also belongs to `a/b` and `a`. */
export function ancestors(path: string): string[] {
  const parts = path.split(pathSeparator)
  return parts.map((_, depth) => parts.slice(0, depth + 1).join(pathSeparator)).filter((each) => each !== '')
}

/** The parent path: `a/b` for `a/b/c`, '' for `a`. */
export function pathAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(pathSeparator)))
}

/** The distinct normalised values of a field, in their original order. */
export function keywordValues(field: FieldDefinition, values: readonly Scalar[]): readonly string[] {
  if (values.length === 1 && !field.path) {
    if (isNormalised(values[0]!)) return values as readonly string[]
    const only = keywordValue(values[0]!)
    return only.trim() === '' ? [] : [only]
  }
  const whole = values.map(keywordValue).filter((value) => value.trim() !== '')
  return [...new Set(field.path ? whole.flatMap(ancestors) : whole)]
}

/** The texts whose words are indexed. */
export function textValues(field: FieldDefinition, values: readonly Scalar[]): readonly string[] {
  if (field.type !== 'text') return keywordValues(field, values)
  if (values.length === 1 && cleanText(String(values[0])) === values[0]) return values as readonly string[]
  return values.map((value) => cleanText(String(value)))
}

export function numbersOf(values: readonly Scalar[]): readonly number[] {
  if (values.length === 1) {
    const only = Number(values[0])
    if (only === values[0] && only !== 0) return Number.isFinite(only) ? (values as readonly number[]) : []
    return Number.isFinite(only) ? [only + 0] : []
  }
  return [...new Set(values.map(Number).filter(Number.isFinite))].map((value) => value + 0)
}

/** A number or date as text comparators see it. */
export function numberText(field: FieldDefinition, value: number): string {
  if (field.type !== 'date') return String(value)
  return Math.abs(value) <= 8.64e15 ? new Date(value).toISOString().toLowerCase() : String(value)
}

/** The values of a document's field in one locale. */
export function valuesIn(document: SearchDocument, field: FieldDefinition, locale: string): readonly Scalar[] {
  return document.fields.get(field.name)?.get(field.localized ? locale : '') ?? []
}

/** The locales under which a field stores values. */
export function localesOf(schema: IndexSchema, field: FieldDefinition): readonly string[] {
  return field.localized ? schema.locales : ['']
}

/** Locale fallback: the requested locale, else one of the same language, else the default. */
export function resolveLocale(schema: IndexSchema, requested: string): string {
  if (schema.locales.includes(requested)) return requested
  const language = languageOf(requested)
  return schema.locales.find((locale) => languageOf(locale) === language) ?? schema.defaultLocale
}

/** The locales that a predicate looks at: the named one, otherwise all. */
export function predicateLocales(
  schema: IndexSchema,
  field: FieldDefinition,
  locale: string | undefined,
): readonly string[] {
  return field.localized && locale ? [resolveLocale(schema, locale)] : localesOf(schema, field)
}

/** The locales searched by full text, in addition to fields that are not localized. */
export function searchedLocales(
  schema: IndexSchema,
  { locale, locales = schema.locales }: Pick<TextPredicate, 'locale' | 'locales'>,
): readonly string[] {
  return locale ? [resolveLocale(schema, locale)] : locales.filter((each) => schema.locales.includes(each))
}

/** The single locale that a sort key or facet reads. */
export function columnLocale(schema: IndexSchema, field: FieldDefinition, locale: string | undefined): string {
  return field.localized ? resolveLocale(schema, locale ?? schema.defaultLocale) : ''
}

export function languageOf(locale: string): string {
  return locale.slice(0, 2).toLowerCase()
}

/** The range a number or date is compared with, both ends included. NaN if the operand is not a number. */
export interface Span {
  readonly first: number
  readonly last: number
}
export function spanOf(operand: Operand): Span {
  if (typeof operand === 'object') return { first: operand.from, last: operand.to - 1 }
  const value = typeof operand === 'string' && operand.trim() === '' ? NaN : Number(operand)
  return { first: value, last: value }
}

export function inRange(range: Range, value: number): boolean {
  return (range.from === undefined || value >= range.from) && (range.to === undefined || value < range.to)
}

/** Compares like `<` does, so that the order does not depend on the machine's locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
