/**
 * Converts a query of the API into a predicate of the engine: looks up fields, converts values to the type of their
 * field, and excludes values that the caller may not see. Every error names its place in the message.
 */
import type { Query } from '@kontor/contract'
import type { DocumentField, IndexName, Link } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import type { Comparator, FieldPredicate, Predicate } from '@kontor/search-engine'
import type { Entry } from '../feed/catalogue.ts'
import { toOperand, toWritten } from './operands.ts'
import { isBelow } from '../../core/access/permissions.ts'
import { both, either, everything, guarded, joinOf, nothing, type View, withAnyOf } from './rights.ts'

/** An index as one caller sees it. */
export interface Scope {
  readonly index: IndexName
  readonly entry: Entry
  readonly view: View
  /** The same caller's scope of another index, for links. */
  other(index: IndexName): Scope
  /** Set for members of GLOBAL: a field that this index lacks then counts as empty. */
  readonly isPart?: true
}

const mostDepth = 20
const mostClauses = 1024
const mostValues = 1000
/** Limit over all texts of a query, because highlighting looks for every word in every returned hit. */
const mostLetters = 10_000

/** Creates a converter for one query; `language` is the locale of values that name none. */
export function createReader(scope: Scope, language: string | undefined) {
  let clauses = 0
  let letters = 0
  const read = (query: Query, place: string, depth: number): Predicate => {
    if (depth > mostDepth) throw new Problem('invalid', `${place}: queries are nested too deep; at most ${mostDepth}`)
    if (++clauses > mostClauses) throw new Problem('invalid', `${place}: too many queries; at most ${mostClauses}`)
    letters += lettersOf(query)
    if (letters > mostLetters)
      throw new Problem('invalid', `${place}: too much text; at most ${mostLetters} letters in all`)
    return readers[query.queryType](query, place, depth)
  }
  const readers: Record<Query['queryType'], (query: Query, place: string, depth: number) => Predicate> = {
    FULLTEXT: ({ value, language: own }, place) =>
      fullText(scope, toWritten(value, `${place}/value`), localeOf(own ?? language)),
    FIELD: (query, place) => readField(scope, query, query.language ?? language, place),
    TYPEAHEAD: ({ name = 'name', text }, place) =>
      readField(scope, { queryType: 'FIELD', name, comparator: 'LIKE', value: text ?? '' }, language, place),
    COMBINED({ queries = [], operator = 'AND' }, place, depth) {
      const of = queries.map((each, i) => read(each, `${place}/queries[${i + 1}]`, depth + 1))
      return operator === 'AND' ? both(of) : either(of)
    },
  }
  return (query: Query | undefined, place: string) => (query ? read(query, place, 1) : everything)
}

/** Counts search texts only; list values are compared without analysis. */
function lettersOf({ value, text }: Query): number {
  return (typeof value === 'string' ? value.length : 0) + (text?.length ?? 0)
}

/** Normalizes a locale: `de-DE` and `de_de` become de_DE. */
export function localeOf(language: string | undefined): string | undefined {
  if (language === undefined || language.trim() === '') return undefined
  const [, word, country] = /^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2,3}))?$/.exec(language.trim()) ?? []
  if (word === undefined)
    throw new Problem('invalid', `language: ${language.slice(0, 40)} is not a locale such as de_DE`)
  return country === undefined ? word.toLowerCase() : `${word.toLowerCase()}_${country.toUpperCase()}`
}

/** Finds a field by name. Throws if the caller may not see it in any document. */
export function findField({ index, entry, view }: Scope, name: string, place: string): DocumentField {
  const field = entry.fields.get(name)
  if (field && !field.inner && view.visible(field) !== nothing) return field
  throw new Problem('invalid', `${place}: index ${index} has no field ${name.slice(0, 100)}; see /api/v1/search/fields`)
}

/** Whether there is such a field, but the caller may not see it in any document. */
export function isHidden(scopes: readonly Scope[], name: string): boolean {
  const having = scopes.filter(({ entry }) => entry.fields.has(name))
  return having.length > 0 && having.every(({ entry, view }) => view.visible(entry.fields.get(name)!) === nothing)
}

/** A field to count or sort by, with the documents in which the caller may see it. */
export function findWhole(scopes: readonly Scope[], name: string, locale: string | undefined, place: string) {
  const scope = scopes.find(({ entry }) => entry.fields.has(name)) ?? scopes[0]!
  return { field: findField(scope, name, place), visible: visibilityOf(scopes, name, locale) }
}

/**
 * For each index that has the field, the documents in which the caller may see its value in the given locale, or in the
 * default locale if none is given.
 */
export function visibilityOf(scopes: readonly Scope[], name: string, locale: string | undefined): Predicate[] {
  return scopes.flatMap(({ entry, view }) => {
    const field = entry.fields.get(name)
    if (!field) return []
    return [view.visible(field, field.localized ? (locale ?? entry.schema.defaultLocale) : undefined)]
  })
}

// Full text

function fullText({ entry, view }: Scope, text: string, locale: string | undefined): Predicate {
  const whole = { kind: 'text' as const, text, ...(locale !== undefined && { locale }) }
  if (!view.parts) return whole
  return either(
    view.parts.map((part) => {
      const isHidden = locale !== undefined && !part.allowsLocale(locale)
      const fields = entry.searched.filter((field) => part.allowsField(field) && !(isHidden && field.localized))
      const locales = entry.schema.locales.filter(part.allowsLocale)
      return both([part.where, { ...whole, fields: fields.map(({ name }) => name), locales }])
    }),
  )
}

// Fields

type FieldQuery = Query & { readonly queryType: 'FIELD' }

function readField(scope: Scope, query: Query | FieldQuery, language: string | undefined, place: string): Predicate {
  const { name, comparator = 'EQ', value, keyword } = query
  if (name === undefined) throw new Problem('invalid', `${place}/name: is missing; name a field`)
  if (scope.isPart && !scope.entry.fields.has(name)) return onEmpty(comparator) ? everything : nothing
  const field = findField(scope, name, `${place}/name`)
  const locale = field.localized ? localeOf(language) : undefined
  const operands = toOperands(field, comparator, value, `${place}/value`)
  const rest = {
    comparator,
    operands,
    ...(keyword !== undefined && { keyword }),
    ...(locale !== undefined && { locale }),
  }
  const limits = scope.view.limits(field)
  if (field.link && (field.link.elsewhere || limits)) return lookUp(scope, field.link, rest)
  if (limits?.paths) return comparePaths(field, limits.paths, rest, `${place}/comparator`)
  const compared = compare(scope, field, rest)
  const words = field.words === undefined ? undefined : scope.entry.fields.get(field.words)
  if (!words || (comparator !== 'LIKE' && comparator !== 'NOT_LIKE')) return compared
  const labelled = compare(scope, words, rest)
  return comparator === 'LIKE' ? either([compared, labelled]) : both([compared, labelled])
}

/** Whether a comparator matches a document without a value. */
export const onEmpty = (comparator: Comparator) =>
  comparator === 'IS_EMPTY' || (comparator !== 'IS_NOT_EMPTY' && comparator.includes('NOT_'))

const asWritten = /^TERM_|LIKE$/

function toOperands(field: DocumentField, comparator: Comparator, value: unknown, place: string) {
  if (comparator === 'IS_EMPTY' || comparator === 'IS_NOT_EMPTY') return []
  const isList = comparator === 'IN' || comparator === 'NOT_IN'
  if (value === undefined || value === null) {
    throw new Problem('invalid', `${place}: is missing; ${comparator} needs ${isList ? 'a list of values' : 'a value'}`)
  }
  if (Array.isArray(value) && !isList) {
    throw new Problem('invalid', `${place}: ${comparator} takes one value; use IN for a list`)
  }
  const values: unknown[] = Array.isArray(value) ? value : [value]
  if (values.length > mostValues) throw new Problem('invalid', `${place}: at most ${mostValues} values can be compared`)
  return values.map((each, i) => {
    const at = Array.isArray(value) ? `${place}[${i + 1}]` : place
    return asWritten.test(comparator) ? toWritten(each, at) : toOperand(field, each, at)
  })
}

type Comparison = Omit<FieldPredicate, 'kind' | 'field'>

const localesOf = ({ entry }: Scope, { localized }: DocumentField) => (localized ? entry.schema.locales : [])

/** A comparison limited to visible values: in one locale, or in every locale that the caller may see. */
function compare(scope: Scope, field: DocumentField, comparison: Comparison): Predicate {
  const { comparator, locale } = comparison
  const { view } = scope
  const inLocale = (valueLocale: string | undefined): Predicate =>
    guarded(
      view.visible(field, valueLocale),
      { kind: 'field', field: field.name, ...comparison, ...(valueLocale !== undefined && { locale: valueLocale }) },
      onEmpty(comparator),
    )
  const locales = localesOf(scope, field)
  if (locale !== undefined || locales.every((each) => view.visible(field, each) === view.visible(field))) {
    return inLocale(locale)
  }
  const each = locales.map(inLocale)
  return onEmpty(comparator) ? both(each) : either(each)
}

// Links

/** Comparison of a field whose tids only the other index stores: joins with the matching documents there. */
function lookUp(scope: Scope, link: Link, { comparator, operands }: Comparison): Predicate {
  const other = scope.other(link.index)
  const positive = comparator.replace('NOT_', '') as Comparator
  const matching: Predicate =
    comparator === 'IS_EMPTY' || comparator === 'IS_NOT_EMPTY'
      ? everything
      : { kind: 'field', field: link.named ?? 'tid', comparator: positive, operands }
  const linked = joinOf(link, both([other.view.within, matching]))
  return onEmpty(comparator) ? { kind: 'not', of: linked } : linked
}

const wholePaths: readonly Comparator[] = ['EQ', 'NOT_EQ', 'IN', 'NOT_IN', 'IS_EMPTY', 'IS_NOT_EMPTY']

/** Comparison of a field with paths, of which the caller may read those in some subtrees. */
function comparePaths(
  field: DocumentField,
  tops: readonly string[],
  { comparator, operands }: Comparison,
  place: string,
): Predicate {
  if (!wholePaths.includes(comparator)) {
    throw new Problem(
      'invalid',
      `${place}: your roles let you see some ${field.name} only; compare them by ${wholePaths.join(', ')}`,
    )
  }
  // A path stands for everything below it, so one above the subtrees stands for these.
  const readable = operands.map(String).flatMap((path) => {
    if (tops.some((top) => isBelow(path, top))) return [path]
    return tops.filter((top) => isBelow(top, path))
  })
  const paths = comparator.endsWith('EMPTY') ? tops : readable
  const named = withAnyOf(field, { paths })
  return onEmpty(comparator) ? { kind: 'not', of: named } : named
}
