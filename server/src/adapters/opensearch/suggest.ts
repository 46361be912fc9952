/**
 * Completion and spelling correction. A word is offered only if a document that the caller may see contains it in a field
 * that the caller may see.
 */
import type { FieldDefinition, TypeAheadAnswer, TypeAheadRequest } from '@kontor/search-engine'
import {
  allowedDistance,
  hasKeywordColumn,
  hasWords,
  keyOf,
  localesOf,
  type QueryTerm,
  runsOf,
  searchedLocales,
} from '@kontor/search-engine/analysis'
import { textOfKey } from './collation-keys.ts'
import { columnOf, completedIn, readCompleted, tokenOf, wholeValue, wordsIn } from './documents.ts'
import { all, any, type Dsl, everything, spanOfTerm, toFilter } from './query.ts'
import { contextOf, runQuery, type Searched } from './search.ts'

const nothingFound: TypeAheadAnswer = { suggestions: [], corrections: [] }

export async function typeAhead(index: Searched, request: TypeAheadRequest): Promise<TypeAheadAnswer> {
  const field = request.field === undefined ? undefined : index.analysis.fields.get(request.field)
  const isHidden = field && request.fields?.includes(field.name) === false
  if (request.field !== undefined && (!field || isHidden || (!hasWords(field) && !hasKeywordColumn(field))))
    return nothingFound
  if (field && !hasWords(field)) return { suggestions: await suggestValues(index, field, request), corrections: [] }
  const typed = runsOf(request.text)
  const last = typed.at(-1)
  if (last === undefined) return nothingFound
  const lead = request.text.slice(0, request.text.lastIndexOf(last))
  const offers = await createOffers(index, field, typed.slice(0, -1), request)
  const suggestions = (await offers.beginning(last)).map(({ text, from }) => ({ text: lead + text, field: from }))
  if (suggestions.length > 0) return { suggestions, corrections: [] }
  const corrections = (await offers.near(last)).map(({ text }) => lead + text)
  return { suggestions, corrections: [...new Set(corrections)] }
}

/** The best correction of a single word. */
export async function nearestWord(index: Searched, request: TypeAheadRequest): Promise<string | undefined> {
  const offers = await createOffers(index, undefined, [], request)
  return (await offers.near(request.text))[0]?.text
}

/** Terms that are considered. */
const mostCandidates = 500

interface Offer {
  readonly text: string
  readonly from: string
  readonly term: string
  readonly documents: number
  readonly distance: number
}

async function createOffers(
  index: Searched,
  field: FieldDefinition | undefined,
  before: readonly string[],
  request: TypeAheadRequest,
) {
  const { cluster, alias, analysis } = index
  const { count, slop = 0, fields: only } = request
  const within = request.within ? await toFilter(contextOf(index), request.within) : everything
  const isOffered = (name: string) =>
    only?.includes(name) !== false && (field ? name === field.name : (analysis.fields.get(name)?.weight ?? 0) > 0)
  /** Undefined if every searched field is offered. */
  const places = field ? [field.name] : only && [...analysis.fields.keys()].filter(isOffered)
  const locales = searchedLocales(analysis.schema, request)
  const offerLocales = field && !field.localized ? [''] : field ? locales : [...locales, '']

  /** The visible words that a pattern selects, in documents that match the filter. */
  async function wordsOf(locale: string, include: string, filter: Dsl, distance: (term: string) => number) {
    // By ordinals, the pattern is compared with each different word once, not with every word of every document.
    const terms = { field: completedIn(locale), include, size: mostCandidates * 4, execution_hint: 'global_ordinals' }
    const body = { query: all([within, filter]), size: 0, aggs: { words: { terms } } }
    const buckets = (await runQuery(cluster, [alias], body)).aggregations?.['words']?.buckets ?? []
    const found = new Map<string, Offer>()
    for (const { key, doc_count: documents } of buckets) {
      const [term, text, from] = readCompleted(key)
      if (!isOffered(from)) continue
      const known = found.get(term) ?? { term, text, from, documents: 0, distance: distance(term) }
      found.set(term, { ...known, documents: known.documents + documents })
    }
    const some = [...found.values()].sort(byRank).slice(0, mostCandidates)
    return before.length > 0 ? following(locale, some) : some
  }

  /** Of the words, those that follow the preceding ones, each with at most `slop` words in between. */
  async function following(locale: string, offers: readonly Offer[]): Promise<Offer[]> {
    if (offers.length === 0) return []
    const terms = before.flatMap((run) =>
      analysis
        .analyserOf(locale)
        .clauses(run)
        .flatMap(({ any: alternatives }) => alternatives[0]!),
    )
    const followed = offers.map(({ term, from }) =>
      any((places ?? [undefined, from]).map((place) => chain(locale, terms, term, place, slop))),
    )
    const aggs = { each: { filters: { filters: followed } } }
    const found = await runQuery(cluster, [alias], { query: within, size: 0, aggs })
    const counts = found.aggregations?.['each']?.buckets ?? []
    return offers.filter((_, i) => (counts[i]?.doc_count ?? 0) > 0)
  }

  async function inAllLocales(offersIn: (locale: string) => Promise<Offer[]>): Promise<Offer[]> {
    const offered = (await Promise.all(offerLocales.map(offersIn))).flat().sort(byRank)
    return [...new Map(offered.map((each) => [each.text, each])).values()].slice(0, count)
  }
  const begins = (locale: string, beginning: string) =>
    any(
      (places ?? [undefined]).map((place) => ({
        prefix: { [wordsIn(locale)]: { value: tokenOf('term', beginning, place) } },
      })),
    )
  const isOneOf = (locale: string, terms: readonly string[]) => ({
    terms: {
      [wordsIn(locale)]: (places ?? [undefined]).flatMap((place) => terms.map((term) => tokenOf('term', term, place))),
    },
  })
  const nearBy = (typed: string, edits: number) =>
    inAllLocales(async (locale) => {
      const word = analysis.analyserOf(locale).fold(typed)
      const near = await similarTerms(index, locale, word, Math.min(edits, allowedDistance(word)))
      if (near.size === 0) return []
      const include = `(${[...near.keys()].map(literal).join('|')})\u0001.*`
      return wordsOf(locale, include, isOneOf(locale, [...near.keys()]), (term) => near.get(term) ?? edits)
    })
  return {
    beginning: (typed: string) =>
      inAllLocales((locale) => {
        const beginning = analysis.analyserOf(locale).fold(typed)
        return wordsOf(locale, `${literal(beginning)}${rest}`, begins(locale, beginning), () => 0)
      }),
    /** One edit is the more likely error, so two edits are tried only if one finds nothing. */
    async near(typed: string) {
      const one = await nearBy(typed, 1)
      return one.length > 0 ? one : nearBy(typed, 2)
    },
  }
}

const byRank = (a: Offer, b: Offer) =>
  a.distance - b.distance || b.documents - a.documents || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0)

/**
 * The rest of a completed word. Not `.*` alone: OpenSearch 2.19 recognises that as a prefix, and fails with an
 * IndexOutOfBoundsException if the prefix follows all words of the index.
 */
const rest = '[^\u0001]*\u0001.*'

/** Escapes a text for the patterns of OpenSearch. */
const literal = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, String.raw`\$&`)

/** Word by word: each span contains the words before it. */
function chain(locale: string, before: readonly QueryTerm[], term: string, field: string | undefined, slop: number) {
  const last = { span_term: { [wordsIn(locale)]: tokenOf('term', term, field) } }
  return [...before.map((each) => spanOfTerm(locale, each, field)), last].reduce((span, next) => ({
    span_near: { clauses: [span, next], slop, in_order: true },
  }))
}

/** The terms of an index within an edit distance, from any document: which of them are visible is asked afterwards. */
async function similarTerms(
  { cluster, alias }: Searched,
  locale: string,
  word: string,
  edits: number,
): Promise<ReadonlyMap<string, number>> {
  if (edits === 0) return new Map()
  const text = tokenOf('term', word)
  const term = {
    field: wordsIn(locale),
    analyzer: 'keyword',
    suggest_mode: 'always',
    max_edits: edits,
    // The first letter is the mark of a term.
    prefix_length: 1,
    min_word_length: 1,
    accuracy: 0.01,
    max_term_freq: 1_000_000_000,
    string_distance: 'damerau_levenshtein',
    size: mostCandidates,
    shard_size: mostCandidates,
  }
  const body = { size: 0, suggest: { near: { text, term } } }
  const found = await runQuery(cluster, [alias], body).catch((error: unknown) => {
    // No document has a text in this locale yet.
    if (String(error).includes('no mapping found')) return { suggest: {} }
    throw error
  })
  const [{ options = [] } = {}] = ((found.suggest ?? {}) as { near?: { options: { text: string }[] }[] }).near ?? []
  const terms = options.map((option) => option.text.slice(1))
  return new Map(terms.map((each) => [each, distanceOf(word, each)] as const).filter(([, far]) => far <= edits))
}

/** The number of letters that were inserted, deleted or replaced, or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1])
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(row[j - 1]! + 1, rows[i - 1]![j]! + 1, replaced, isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity),
      )
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

/** Fields whose words are not indexed are completed by whole values. */
async function suggestValues(
  index: Searched,
  field: FieldDefinition,
  request: TypeAheadRequest,
): Promise<{ text: string; field: string }[]> {
  const { analysis, cluster, alias } = index
  const begun = keyOf(request.text)
  const within = request.within ? await toFilter(contextOf(index), request.within) : everything
  const found = new Map<string, number>()
  for (const locale of field.localized
    ? searchedLocales(analysis.schema, request)
    : localesOf(analysis.schema, field)) {
    const filter = all([within, { prefix: { k: { value: wholeValue(field.name, locale, begun) } } }])
    const terms = { field: columnOf(field.name, locale), size: mostCandidates }
    const body = { query: filter, size: 0, aggs: { values: { terms } } }
    for (const { key, doc_count: count } of (await runQuery(cluster, [alias], body)).aggregations?.['values']
      ?.buckets ?? []) {
      const value = textOfKey(key)
      if (keyOf(value).startsWith(begun)) found.set(value, (found.get(value) ?? 0) + count)
    }
  }
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, request.count)
    .map(([value]) => ({ text: value, field: field.name }))
}
