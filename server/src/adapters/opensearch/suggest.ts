/**
 * Completion and spelling correction. A word is offered only if a document that the caller may see contains it in a field
 * that the caller may see.
 */
import type { FieldDefinition, TypeAheadAnswer, TypeAheadRequest } from '@kontor/search-engine'
import {
  type Analyser,
  hasKeywordColumn,
  hasWords,
  keyOf,
  localesOf,
  type QueryTerm,
  runsOf,
  searchedLocales,
} from '@kontor/search-engine/analysis'
import { textOfKey } from './collation-keys.ts'
import {
  columnOf,
  completedIn,
  initialOf,
  readCompleted,
  separator,
  tokenOf,
  wholeValue,
  wordsIn,
} from './documents.ts'
import { all, any, type Dsl, everything, spanOfTerm, toFilter } from './query.ts'
import { contextOf, runQuery, type Searched } from './search.ts'
import { type Similar, similarTerms } from './similar.ts'

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

/** Words of a locale to look for. */
interface Asked {
  readonly locale: string
  readonly initial: number
  readonly include: string
  readonly filter: Dsl
  distance(term: string): number
}
interface Offer extends CountedWord {
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
  /** A word counts in several spellings and fields, and hidden fields are left out afterwards. */
  const considered = before.length > 0 || only ? mostCandidates * 4 : mostCandidates
  const locales = searchedLocales(analysis.schema, request)
  const offerLocales = field && !field.localized ? [''] : field ? locales : [...locales, '']

  /** Of the visible words that patterns select, in documents that match the filters, the first. */
  async function offersOf(asked: readonly Asked[]): Promise<Offer[]> {
    if (asked.length === 0) return []
    const aggs = Object.fromEntries(asked.map((each, i) => [i, countWords(each, considered)]))
    // A document with one of the words matches the filter of this word, so that the filters may be asked together.
    const query = all([within, any(asked.map(({ filter }) => filter))])
    const found = await runQuery(cluster, [alias], { query, size: 0, track_total_hits: false, aggs })
    const offered = await Promise.all(
      asked.map(async ({ locale, distance }, i) => {
        const words = (found.aggregations?.[i]?.buckets ?? []).map(readWord).filter(({ from }) => isOffered(from))
        const some = toOffers(words, distance)
        return before.length > 0 ? following(locale, some) : some
      }),
    )
    const ranked = offered.flat().sort(byRank)
    return [...new Map(ranked.map((each) => [each.text, each])).values()].slice(0, count)
  }

  /** Of the words, those that follow the preceding ones, each with at most `slop` words in between. */
  async function following(locale: string, offers: readonly Offer[]): Promise<Offer[]> {
    if (offers.length === 0) return []
    const analyser = analysis.analyserOf(locale)
    const terms = before.flatMap((run) => analyser.clauses(run).flatMap(({ any: alternatives }) => alternatives[0]!))
    const followed = offers.map(({ term, from }) =>
      any((places ?? [undefined, from]).map((place) => chain(analyser, terms, term, place, slop))),
    )
    const aggs = { each: { filters: { filters: followed } } }
    const found = await runQuery(cluster, [alias], { query: within, size: 0, aggs })
    const counts = found.aggregations?.['each']?.buckets ?? []
    return offers.filter((_, i) => (counts[i]?.doc_count ?? 0) > 0)
  }

  async function nearBy(typed: string, edits: number): Promise<Offer[]> {
    const words = offerLocales.map((locale) => analysis.analyserOf(locale).fold(typed))
    const similar = await similarTerms(index, offerLocales, words, edits)
    const asked = offerLocales.flatMap((locale, i) => askNear(locale, similar[i]!, places))
    return offersOf(asked)
  }
  return {
    beginning: (typed: string) =>
      offersOf(offerLocales.map((locale) => askBeginning(analysis.analyserOf(locale), typed, places))),
    /** One edit is the more likely error, so two edits are tried only if one finds nothing. */
    async near(typed: string) {
      const one = await nearBy(typed, 1)
      return one.length > 0 ? one : nearBy(typed, 2)
    },
  }
}

function askBeginning(analyser: Analyser, typed: string, places: Places): Asked {
  const { locale } = analyser
  const beginning = analyser.fold(typed)
  const include = `${literal(beginning)}${rest}`
  const filter = begins(locale, beginning, places)
  return { locale, initial: initialOf(beginning), include, filter, distance: () => 0 }
}

function askNear(locale: string, similar: readonly Similar[], places: Places): Asked[] {
  const distances = new Map(similar.map(({ term, distance }) => [term, distance]))
  const distance = (term: string) => distances.get(term) ?? Infinity
  return [...Map.groupBy(distances.keys(), initialOf)].map(([initial, terms]) => {
    const include = `(${terms.map(literal).join('|')})${separator}.*`
    return { locale, initial, include, filter: isOneOf(locale, terms, places), distance }
  })
}

/** By ordinals, the pattern is compared with each different word once, not with every word of every document. */
const countWords = ({ locale, initial, include }: Asked, size: number): Dsl => ({
  terms: { field: completedIn(locale, initial), include, size, execution_hint: 'global_ordinals' },
})

/** The fields to look in; undefined if all searched fields count. */
type Places = readonly string[] | undefined

const begins = (locale: string, beginning: string, places: Places) =>
  any(
    (places ?? [undefined]).map((place) => ({
      prefix: { [wordsIn(locale)]: { value: tokenOf('term', beginning, place) } },
    })),
  )
const isOneOf = (locale: string, terms: readonly string[], places: Places) => ({
  terms: {
    [wordsIn(locale)]: (places ?? [undefined]).flatMap((place) => terms.map((term) => tokenOf('term', term, place))),
  },
})

interface CountedWord {
  readonly term: string
  readonly text: string
  readonly from: string
  readonly documents: number
}
function readWord({ key, doc_count: documents }: { key: string; doc_count: number }): CountedWord {
  const [term, text, from] = readCompleted(key)
  return { term, text, from, documents }
}

/** One offer for each term, which may occur in several spellings and fields. */
function toOffers(words: readonly CountedWord[], distance: Asked['distance']): Offer[] {
  const found = new Map<string, Offer>()
  for (const { documents, ...word } of words) {
    const known = found.get(word.term) ?? { ...word, documents: 0, distance: distance(word.term) }
    found.set(word.term, { ...known, documents: known.documents + documents })
  }
  return [...found.values()].sort(byRank).slice(0, mostCandidates)
}

const byRank = (a: Offer, b: Offer) =>
  a.distance - b.distance || b.documents - a.documents || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0)

/**
 * The rest of a completed word. Not `.*` alone: OpenSearch 2.19 recognises that as a prefix, and fails with an
 * IndexOutOfBoundsException if the prefix follows all words of the index.
 */
const rest = `[^${separator}]*${separator}.*`

/** Escapes a text for the patterns of OpenSearch. */
const literal = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, String.raw`\$&`)

/** Word by word: each span contains the words before it. */
function chain(
  analyser: Analyser,
  before: readonly QueryTerm[],
  term: string,
  field: string | undefined,
  slop: number,
) {
  const last = { span_term: { [wordsIn(analyser.locale)]: tokenOf('term', term, field) } }
  return [...before.map((each) => spanOfTerm(analyser, each, field)), last].reduce((span, next) => ({
    span_near: { clauses: [span, next], slop, in_order: true },
  }))
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
