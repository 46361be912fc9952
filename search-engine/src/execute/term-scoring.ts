/**
 * Expands a query term to the terms of a segment, and weights them.
 *
 *   same stem          terms with the same stem                       1
 *   prefix             terms that begin with it, for prefix queries   0.7
 *   compounds          terms that contain it as a part, together      0.5
 */
import type { Analyser, Clause, QueryTerm } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import type { Collation } from '../collation.ts'
import type { FieldDefinition, IndexSchema, JoinPredicate, Operand, Predicate } from '../port.ts'
import type { HashedKeys } from '../segment/key-hash-table.ts'
import type { Segment } from '../segment/segment.ts'
import { prefixRange } from '../segment/strings.ts'
import {
  compoundListOf,
  type ProfileWeights,
  weighProfiles,
  wordsIn,
  wordsOf,
  type TextIndex,
} from '../segment/text-index.ts'
import { decodeLength } from '../segment/text-writer.ts'
import type { FilterCache } from './filter-cache.ts'
import type { OrdinalMaps } from './global-ordinals.ts'

/** Everything that compiling a predicate needs, apart from the segment. */
export interface QueryContext {
  readonly schema: IndexSchema
  readonly fields: ReadonlyMap<string, FieldDefinition>
  readonly segments: readonly Segment[]
  readonly ordinalMaps: OrdinalMaps
  readonly filterCache: FilterCache
  readonly lexicon: Lexicon
  analyserOf(locale: string): Analyser
  collationOf(locale: string): Collation
  /** The keys that the other index of a join provides; computed once per query. */
  keysOf(join: JoinPredicate): JoinKeys
  /** The clauses of a text in a locale; computed once per query. */
  clausesOf(locale: string, text: string): readonly Clause[]
  /** Inverse document frequency and length norms over the whole index; computed once per query. */
  idfOf(locale: string, queryTerm: QueryTerm): number
  normsOf(locale: string): Float32Array
  /** The distinct comparison keys of operands; computed once per query. */
  operandKeys(operands: readonly Operand[]): HashedKeys
  /** The cache key of a filter, undefined if it cannot be cached; computed once per query. */
  filterKey(predicate: Predicate): string | undefined
}

/** The values that a join passes from one index to another. */
export type JoinKeys = ReadonlySet<string | number>

/** Posting lists by number, with their weight. Without positions one list represents all compounds. */
function listsFor(text: TextIndex, { term, stem, prefix }: QueryTerm, withPositions = false): Map<number, number> {
  const lists = new Map<number, number>()
  const compounds = compoundListOf(text, stem)
  if (withPositions) for (const word of wordsIn(text.parts, stem)) lists.set(word, 0.5)
  else if (compounds >= 0) lists.set(compounds, 0.5)
  if (prefix) {
    const [from, to] = prefixRange(text.terms, term)
    for (let word = from; word < to; word++) lists.set(word, 0.7)
  }
  for (const word of wordsOf(text, stem)) lists.set(word, 1)
  return lists
}

/** A term of one segment, or all compounds of one, with everything needed for scoring. */
export interface ScoredTerm {
  readonly text: TextIndex
  readonly word: number
  /** Weight by profile; 0 if no field of the profile is searched. */
  readonly weights: Float32Array
  /** Whether every profile has a weight. */
  readonly isEverywhere: boolean
  /** Whether a field is searched, by its number: a profile may contain other fields too. */
  isSearched(field: number): boolean
  /** By encoded document length: a term counts more in a short document. */
  readonly norms: Float32Array
  /** Inverse document frequency of the query term, times the weight of this term. */
  readonly weight: number
}

interface Scorer {
  termsFor(queryTerm: QueryTerm): ScoredTerm[]
  /** The same terms, compounds individually, so that their positions are known. */
  termsWithPositions(queryTerm: QueryTerm): ScoredTerm[]
  /** Weight by profile. */
  readonly weights: Float32Array
}

/** Scores terms of one locale. `weigh` returns the weight of a field, 0 to exclude it. */
export function createScorer(
  context: QueryContext,
  segment: Segment,
  locale: string,
  weigh: (field: string) => number,
): Scorer {
  const text = segment.words.get(locale)
  if (!text) return { termsFor: () => [], termsWithPositions: () => [], weights: new Float32Array() }
  const fieldWeights = segment.fields.map(({ name }) => weigh(name))
  const isSearched = (code: number) => fieldWeights[code]! > 0
  let made: ProfileWeights | undefined
  const profiles = () =>
    (made ??= weighProfiles(text, fieldWeights, (code, count) => fieldWeights[code]! * saturated(count)))
  const scoredTerm = (word: number, weight: number, norms: Float32Array): ScoredTerm => {
    return { text, word, ...profiles(), isSearched, norms, weight }
  }
  function find(queryTerm: QueryTerm, withPositions: boolean): ScoredTerm[] {
    const lists = listsFor(text!, queryTerm, withPositions)
    const idf = lists.size ? context.idfOf(locale, queryTerm) : 0
    const norms = context.normsOf(locale)
    return [...lists].map(([list, weight]) => scoredTerm(list, weight * idf, norms))
  }
  return {
    termsFor: (queryTerm) => find(queryTerm, false),
    termsWithPositions: (queryTerm) => find(queryTerm, true),
    get weights() {
      return profiles().weights
    },
  }
}

// BM25 with its two factors as tables: the saturated term frequency times the weight of the field (by profile), and the
// length norm (by document length). Document frequency and average length are those of the whole index, so that scores
// of different segments are comparable.

const saturation = 1.2
const lengthShare = 0.75

function saturated(count: number): number {
  return (count * (saturation + 1)) / (count + saturation)
}

export function idfIn(segments: readonly Segment[], locale: string, queryTerm: QueryTerm): number {
  let matching = 0
  let documents = 0
  for (const segment of segments) {
    const text = segment.words.get(locale)
    documents += segment.maxDoc
    if (text) for (const list of listsFor(text, queryTerm).keys()) matching += text.counts[list]!
  }
  const inDocuments = Math.min(matching, documents)
  return Math.log(1 + (documents - inDocuments + 0.5) / (inDocuments + 0.5))
}

export function normsIn(segments: readonly Segment[], locale: string): Float32Array {
  let words = 0
  let documents = 0
  for (const segment of segments) {
    words += segment.words.get(locale)?.totalLength ?? 0
    documents += segment.maxDoc
  }
  const average = words / Math.max(1, documents) || 1
  const norms = new Float32Array(decodedLengths.length)
  for (let code = 0; code < norms.length; code++) {
    const length = 1 - lengthShare + (lengthShare * decodedLengths[code]!) / average
    norms[code] = (saturation + 1) / (1 + saturation * length)
  }
  return norms
}
const decodedLengths = Float64Array.from({ length: 256 }, (_, code) => decodeLength(code))
