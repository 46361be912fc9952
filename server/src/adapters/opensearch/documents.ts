/**
 * Documents as OpenSearch stores them. Our own analysis makes the terms, and OpenSearch only looks them up, so that both
 * engines give the same answers.
 *
 *   id, i                    the id, and the name of the index
 *   h    name|de_DE          the fields and locales with a value
 *   k    name|de_DE|rot      whole values by their comparison key; numbers and dates as they are written
 *   c-name-de_DE             whole values as sort keys (collation-keys.ts): sorted, counted, compared by rank
 *   n-price-                 numbers and dates
 *   x-de_DE                  the words of all fields with their positions; equal positions are joined by |
 *   y-de_DE-3                the stems of the fields with this weight, for relevance
 *   z-de_DE                  term, surface form and field of each word, for completion
 *
 * A word has three kinds of tokens in x, without a field for full text and with one for a single field:
 *
 *   Damenschuhe   tdamenschuhe sdamenschuh cdam cschuh   Tname/damenschuhe Sname/damenschuh Cname/dam Cname/schuh
 *                 term         stem        parts
 */
import type { FieldDefinition, IndexSchema, Scalar, SearchDocument } from '@kontor/search-engine'
import {
  analysedLanguage,
  type Analyser,
  hasKeywordColumn,
  hasWords,
  isNumeric,
  keyOf,
  keywordValues,
  type Lexicon,
  localesOf,
  numbersOf,
  numberText,
  partsOf,
  textValues,
  valuesIn,
} from '@kontor/search-engine/analysis'
import type { CollationKeys } from './collation-keys.ts'

/** The analysis of an index and its locales. */
export interface Analysis {
  readonly schema: IndexSchema
  readonly fields: ReadonlyMap<string, FieldDefinition>
  readonly lexicon: Lexicon
  analyserOf(locale: string): Analyser
  collationOf(locale: string): CollationKeys
}

const escaped = (name: string) => name.replace(/[^A-Za-z0-9_]/g, (letter) => `%${letter.codePointAt(0)!.toString(16)}`)

export const columnOf = (field: string, locale: string) => `c-${escaped(field)}-${locale}`
export const numbersIn = (field: string, locale: string) => `n-${escaped(field)}-${locale}`
export const wordsIn = (locale: string) => `x-${locale}`
export const scoredIn = (locale: string, weight: number) => `y-${locale}-${String(weight).replace('.', '_')}`
export const completedIn = (locale: string) => `z-${locale}`
export const presence = (field: string, locale: string) => `${escaped(field)}|${locale}`
export const wholeValue = (field: string, locale: string, key: string) => `${presence(field, locale)}|${key}`

/** Longer words are found by their beginning. */
const longestToken = 1000
/** Spaces and bars separate tokens. */
const plainToken = (word: string) => word.replace(/[\s|]/g, '\u0002').slice(0, longestToken)

type TokenKind = 'term' | 'stem' | 'part'
const marks = { term: 't', stem: 's', part: 'c' } as const
/** A token of any searched field, or of one field. */
export const tokenOf = (kind: TokenKind, word: string, field?: string) =>
  field === undefined
    ? marks[kind] + plainToken(word)
    : `${marks[kind].toUpperCase()}${escaped(field)}/${plainToken(word)}`
/** A token for relevance. */
export const scoredToken = (kind: 'stem' | 'part', word: string) => (kind === 'part' ? '~' : '') + plainToken(word)

const separator = '\u0001'
const longestCompleted = 200
/** The term, the surface form and the field of a word that may be suggested. */
export const completed = (...parts: [term: string, surface: string, field: string]) => parts.join(separator)
export const readCompleted = (text: string) => text.split(separator) as [term: string, surface: string, field: string]

const isText = ({ type, name }: FieldDefinition) => type === 'text' || (type === 'keyword' && !isInternal(name))
/** Internal fields contain ids and digests, in which nobody looks for words. */
const isInternal = (name: string) => name.startsWith('_')
/** Whether the words of a field are stored. LIKE compares words of all texts, also of those without a weight. */
const storesWords = (field: FieldDefinition) => hasWords(field) || isText(field)

type Source = Record<string, (string | number)[] | string | number>

export function toSource(index: string, analysis: Analysis, document: SearchDocument): Source {
  const lists = new Map<string, (string | number)[]>()
  const add = (name: string, ...values: (string | number)[]) => {
    const list = lists.get(name)
    if (list) list.push(...values)
    else lists.set(name, values)
  }
  for (const field of analysis.schema.fields) {
    for (const locale of localesOf(analysis.schema, field)) {
      const values = valuesIn(document, field, locale)
      if (values.length > 0) addValues(analysis, field, locale, values, add)
    }
  }
  return { id: document.id, i: index, ...Object.fromEntries(lists) }
}

type Add = (name: string, ...values: (string | number)[]) => void

function addValues(
  analysis: Analysis,
  field: FieldDefinition,
  locale: string,
  values: readonly Scalar[],
  add: Add,
): void {
  const { name } = field
  if (isNumeric(field)) {
    const numbers = numbersOf(values)
    if (numbers.length === 0) return
    add('h', presence(name, locale))
    add(numbersIn(name, locale), ...numbers)
    for (const number of numbers) add('k', wholeValue(name, locale, numberText(field, number)))
    return
  }
  const whole = keywordValues(field, values)
  if (whole.length > 0) add('h', presence(name, locale))
  if (hasKeywordColumn(field)) {
    const { keyOf: sortKey } = analysis.collationOf(locale || analysis.schema.defaultLocale)
    for (const value of whole) add(columnOf(name, locale), sortKey(value))
    for (const key of new Set(whole.map(keyOf))) add('k', wholeValue(name, locale, key))
  }
  if (storesWords(field)) for (const text of textValues(field, values)) addWords(analysis, field, locale, text, add)
}

function addWords({ analyserOf, lexicon }: Analysis, field: FieldDefinition, locale: string, text: string, add: Add) {
  const { name, weight = 0 } = field
  const analyser = analyserOf(locale)
  const language = analysedLanguage(locale)
  const positions: string[][] = []
  const scored: string[] = []
  const words = new Set<string>()
  for (const { term, surface, step } of analyser.words(text)) {
    if (step === 1 || positions.length === 0) positions.push([])
    const stem = analyser.stem(term)
    const parts = partsOf(term, language, lexicon)
    for (const of of weight > 0 ? [undefined, name] : [name]) {
      positions
        .at(-1)!
        .push(tokenOf('term', term, of), tokenOf('stem', stem, of), ...parts.map((part) => tokenOf('part', part, of)))
    }
    scored.push(scoredToken('stem', stem), ...parts.map((part) => scoredToken('part', part)))
    if (term.length <= longestCompleted) words.add(completed(term, surface.slice(0, longestCompleted), name))
  }
  if (positions.length === 0) return
  add(wordsIn(locale), positions.map((tokens) => tokens.join('|')).join(' '))
  if (weight > 0) add(scoredIn(locale, weight), scored.join(' '))
  if (hasWords(field)) add(completedIn(locale), ...words)
}

/** More than any distance between words that a query asks for. */
const valueGap = 100
const wordsMapping = { type: 'text', analyzer: 'positions', norms: false, position_increment_gap: valueGap }

/** Set when an index begins to serve. */
export const replicatedSettings = { index: { auto_expand_replicas: '0-1' } }

/** Settings and mapping of an index: types follow from the first letter of a field. */
export const indexDefinition = {
  settings: {
    index: {
      // One shard gives exact counts and comparable scores.
      number_of_shards: 1,
      // The copy is made when the index is complete: copying files costs less than analysing documents twice.
      number_of_replicas: 0,
      // Changes become visible together, when a batch is complete.
      refresh_interval: '-1',
      // A late write of a deleted document must not bring it back.
      gc_deletes: '1h',
      max_terms_count: 10_000_000,
      'mapping.total_fields.limit': 20_000,
    },
    analysis: {
      tokenizer: { spaces: { type: 'pattern', pattern: ' ' } },
      filter: { bars: { type: 'pattern_capture', preserve_original: false, patterns: ['([^|]+)'] } },
      analyzer: {
        positions: { type: 'custom', tokenizer: 'spaces', filter: ['bars'] },
        tokens: { type: 'custom', tokenizer: 'spaces' },
      },
    },
  },
  mappings: {
    _source: { enabled: false },
    date_detection: false,
    properties: {
      id: { type: 'long' },
      i: { type: 'keyword' },
      h: { type: 'keyword', doc_values: false },
      k: { type: 'keyword', doc_values: false },
    },
    dynamic_templates: [
      // Not indexed: ranges of long texts are compared by column, because Lucene refuses them as terms.
      { columns: { match: 'c-*', mapping: { type: 'keyword', index: false } } },
      { numbers: { match: 'n-*', mapping: { type: 'double' } } },
      { words: { match: 'x-*', mapping: wordsMapping } },
      { scored: { match: 'y-*', mapping: { type: 'text', analyzer: 'tokens', index_options: 'freqs' } } },
      { completed: { match: 'z-*', mapping: { type: 'keyword', index: false } } },
    ],
  },
}
