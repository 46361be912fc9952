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
 *   z-de_DE-4                term, surface form and field of each word, for completion. By first letter: completion
 *                            then counts only the words of a document that may begin as the typed text does
 *
 * A word has tokens in x without a field for full text, and with one for a single field:
 *
 *   Damenschuhe   tdamenschuhe sdamenschuh sdam sschuh   Tname/damenschuhe Sname/damenschuh Sname/dam Sname/schuh
 *                 term         stem, and the parts of a compound
 *
 * A word that is its own stem has no token for the stem: every token is written for every word of every document.
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
  runsOf,
  textValues,
  valuesIn,
} from '@kontor/search-engine/analysis'
import type { CollationKeys } from './collation-keys.ts'
import { memoized } from './memoized.ts'

/** The analysis of an index and its locales. */
export interface Analysis {
  readonly schema: IndexSchema
  readonly fields: ReadonlyMap<string, FieldDefinition>
  readonly lexicon: Lexicon
  analyserOf(locale: string): Analyser
  collationOf(locale: string): CollationKeys
}

const escaped = memoized((name) =>
  name.replace(/[^A-Za-z0-9_]/g, (letter) => `%${letter.codePointAt(0)!.toString(16)}`),
)

export const columnOf = (field: string, locale: string) => `c-${escaped(field)}-${locale}`
export const numbersIn = (field: string, locale: string) => `n-${escaped(field)}-${locale}`
export const wordsIn = (locale: string) => `x-${locale}`
export const scoredIn = (locale: string, weight: number) => `y-${locale}-${String(weight).replace('.', '_')}`
export const completedIn = (locale: string, initial: number) => `z-${locale}-${initial}`
/** Groups of words for completion. */
export const initials = Array.from({ length: 16 }, (_, i) => i)
/** The group of the words that begin with this. */
export const initialOf = (word: string) => (word.codePointAt(0) ?? 0) % initials.length
export const presence = (field: string, locale: string) => `${escaped(field)}|${locale}`
export const wholeValue = (field: string, locale: string, key: string) => `${presence(field, locale)}|${key}`

/** Longer words are found by their beginning. */
const longestToken = 1000
/** Letters of all tokens of a position: no limit in practice. */
const longestPosition = 1_000_000
/** Spaces and bars separate tokens. */
const plainToken = (word: string) => word.replace(/[\s|]/g, '\u0002').slice(0, longestToken)

const marks = { term: 't', stem: 's' } as const
const ofField = (field: string) => ({ term: `T${escaped(field)}/`, stem: `S${escaped(field)}/` })
/** A token of any searched field, or of one field. The parts of a compound are stems. */
export const tokenOf = (kind: 'term' | 'stem', word: string, field?: string) =>
  (field === undefined ? marks : ofField(field))[kind] + plainToken(word)
/** The tokens of words with this stem. */
export const stemTokens = (analyser: Analyser, stem: string, field?: string) => [
  tokenOf('stem', stem, field),
  ...(analyser.stem(stem) === stem ? [tokenOf('term', stem, field)] : []),
]
/** A token for relevance. */
export const scoredToken = (kind: 'stem' | 'part', word: string) => (kind === 'part' ? '~' : '') + plainToken(word)

/** No word contains it, and JSON does not escape it. */
export const separator = '\u007f'
const longestCompleted = 200
/** The beginning of a word that may be suggested; the field follows. Most words are written as their terms. */
const completed = (term: string, surface: string) =>
  term + separator + (surface === term ? '' : surface.slice(0, longestCompleted)) + separator
export function readCompleted(text: string): [term: string, surface: string, field: string] {
  const [term, surface, field] = text.split(separator) as [string, string, string]
  return [term, surface || term, field]
}

const isText = ({ type, name }: FieldDefinition) => type === 'text' || (type === 'keyword' && !isInternal(name))
/** Internal fields contain ids and digests, in which nobody looks for words. */
const isInternal = (name: string) => name.startsWith('_')
/** Whether the words of a field are stored. LIKE compares words of all texts, also of those without a weight. */
const storesWords = (field: FieldDefinition) => hasWords(field) || isText(field)

type Source = Record<string, readonly (string | number)[]>

export function toSource(index: string, analysis: Analysis, document: SearchDocument): Source {
  const lists = new Map<string, (string | number)[]>([
    ['id', [document.id]],
    ['i', [index]],
  ])
  const add = (name: string, value: string | number) => {
    const list = lists.get(name)
    if (list) list.push(value)
    else lists.set(name, [value])
  }
  for (const field of analysis.schema.fields) {
    for (const locale of localesOf(analysis.schema, field)) {
      const values = valuesIn(document, field, locale)
      if (values.length > 0) addValues(analysis, field, locale, values, add)
    }
  }
  return Object.fromEntries(lists)
}

type Add = (name: string, value: string | number) => void

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
    for (const number of numbers) {
      add(numbersIn(name, locale), number)
      add('k', wholeValue(name, locale, numberText(field, number)))
    }
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

/** The tokens of a run of letters, which are the same in all fields. */
interface Run {
  readonly positions: readonly Words[]
  /** The tokens without a field. */
  readonly anywhere: string
  readonly scored: string
  /** The column of a word, and the word without its field. */
  readonly completed: readonly (readonly [column: string, word: string])[]
}
/** The words of a position, as they are in tokens. */
interface Words {
  readonly terms: string[]
  readonly stems: string[]
}

/** Words repeat often in a catalogue. */
const runsKnown = new WeakMap<Lexicon, (locale: string) => (run: string) => Run>()

function runsIn({ analyserOf, lexicon }: Analysis, locale: string): (run: string) => Run {
  const known = runsKnown.get(lexicon) ?? memoized((each) => memoized((run) => toRun(analyserOf(each), lexicon, run)))
  runsKnown.set(lexicon, known)
  return known(locale)
}

function toRun(analyser: Analyser, lexicon: Lexicon, run: string): Run {
  const language = analysedLanguage(analyser.locale)
  const positions: Words[] = []
  const scored: string[] = []
  const words: Run['completed'][number][] = []
  for (const { term, surface, step } of analyser.wordsOfRun(run)) {
    if (step === 1 || positions.length === 0) positions.push({ terms: [], stems: [] })
    const stem = analyser.stem(term)
    const parts = partsOf(term, language, lexicon)
    const { terms, stems } = positions.at(-1)!
    terms.push(plainToken(term))
    stems.push(...(stem === term ? parts : [stem, ...parts]).map(plainToken))
    scored.push(scoredToken('stem', stem), ...parts.map((part) => scoredToken('part', part)))
    if (term.length > longestCompleted) continue
    words.push([completedIn(analyser.locale, initialOf(term)), completed(term, surface)])
  }
  const anywhere = positions.map(tokensWith(marks)).join(' ')
  return { positions, anywhere, scored: scored.join(' '), completed: words }
}

const tokensWith =
  ({ term, stem }: { term: string; stem: string }) =>
  ({ terms, stems }: Words) =>
    [...terms.map((each) => term + each), ...stems.map((each) => stem + each)].join('|')

function addWords(analysis: Analysis, field: FieldDefinition, locale: string, text: string, add: Add) {
  const { name, weight = 0 } = field
  const runs = runsOf(text).map(runsIn(analysis, locale))
  const positions = runs.flatMap((run) => run.positions)
  if (positions.length === 0) return
  add(wordsIn(locale), positions.map(tokensWith(ofField(name))).join(' '))
  if (weight > 0) {
    add(wordsIn(locale), runs.map(({ anywhere }) => anywhere).join(' '))
    add(scoredIn(locale, weight), runs.map(({ scored }) => scored).join(' '))
  }
  if (!hasWords(field)) return
  for (const run of new Set(runs)) for (const [column, word] of run.completed) add(column, word + name)
}

/** More than any distance between words that a query asks for. */
const valueGap = 100
const wordsMapping = { type: 'text', analyzer: 'positions', norms: false, position_increment_gap: valueGap }

/** Set when an index begins to serve. */
export const servingSettings = { index: { auto_expand_replicas: '0-1', 'translog.durability': 'request' } }

/** The last hit that a page may contain, before which OpenSearch skips hits by itself. */
export const deepestPage = 100_000

/**
 * Settings and mapping of an index: types follow from the first letter of a field. Similar words can only be asked of
 * fields that exist.
 */
export const indexDefinition = ({ locales }: IndexSchema) => ({
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
      // A rebuild that OpenSearch does not survive starts again.
      'translog.durability': 'async',
      max_result_window: deepestPage,
      max_terms_count: 10_000_000,
      'mapping.total_fields.limit': 20_000,
    },
    analysis: {
      // Much faster than a pattern.
      tokenizer: { spaces: { type: 'char_group', tokenize_on_chars: [' '], max_token_length: longestPosition } },
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
      ...Object.fromEntries(['', ...locales].map((locale) => [wordsIn(locale), wordsMapping])),
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
})
