/**
 * Which words of a segment a wanted word stands for, and what they are worth.
 *
 *   its kin            words with the same stem                              1
 *   beginnings         words that begin with it, where a prefix is wanted    0.7
 *   compounds          words that have it as a part, as if they were one     0.5
 */
import type { Analyser, Clause, Wanted } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import type { Collation } from '../collation.ts'
import type { FieldDefinition, IndexSchema, JoinPredicate, Operand, Predicate } from '../port.ts'
import type { HashedKeys } from '../segment/key-table.ts'
import type { Segment } from '../segment/segment.ts'
import { prefixRange } from '../segment/strings.ts'
import { listOfPart, weighSpreads, wordsIn, wordsOf, type TextIndex } from '../segment/text-index.ts'
import { decodeLength } from '../segment/text-writer.ts'
import type { Deletions } from './deletions.ts'
import type { Filters } from './filters.ts'
import type { Translations } from './ordinals.ts'

/** What compiling needs to know beyond the segment. */
export interface QueryContext {
  readonly schema: IndexSchema
  readonly fields: ReadonlyMap<string, FieldDefinition>
  readonly segments: readonly Segment[]
  readonly scratch: Scratch
  readonly translations: Translations
  readonly filters: Filters
  readonly deletions: Deletions
  readonly lexicon: Lexicon
  analyserOf(locale: string): Analyser
  collationOf(locale: string): Collation
  /** What a join looks for: the keys that the other index gives, found once per query. */
  keysOf(join: JoinPredicate): JoinKeys
  /** What a text asks for in a locale; found once per query. */
  clausesOf(locale: string, text: string): readonly Clause[]
  /** How rare a word is and what lengths are worth, in the whole index; found once per query. */
  rarityOf(locale: string, wanted: Wanted): number
  normsOf(locale: string): Float32Array
  /** What operands are compared by, each once; made once per query. */
  operandKeys(operands: readonly Operand[]): HashedKeys
  /** By which a filter is known again, if it can be kept; made once per query. */
  filterKey(predicate: Predicate): string | undefined
}

/** The values that a join brings from one index to another. */
export type JoinKeys = ReadonlySet<string | number>

/** Room to count values, for so many at least: all zero whenever nobody uses it. */
export interface Scratch {
  counts(numbers: number): Uint32Array
}
export function createScratch(): Scratch {
  let counts = new Uint32Array(0)
  return {
    counts(numbers) {
      if (counts.length < numbers) counts = new Uint32Array(numbers)
      return counts
    },
  }
}

/** By the number of a list of postings, what it is worth; without positions one list stands for all compounds. */
function listsFor(text: TextIndex, { term, stem, prefix }: Wanted, withPositions = false): Map<number, number> {
  const lists = new Map<number, number>()
  const compounds = listOfPart(text, stem)
  if (withPositions) for (const word of wordsIn(text.parts, stem)) lists.set(word, 0.5)
  else if (compounds >= 0) lists.set(compounds, 0.5)
  if (prefix) {
    const [from, to] = prefixRange(text.terms, term)
    for (let word = from; word < to; word++) lists.set(word, 0.7)
  }
  for (const word of wordsOf(text, stem)) lists.set(word, 1)
  return lists
}

/** A word of one segment, or all compounds of one, with all that scoring needs. */
export interface Scored {
  readonly text: TextIndex
  readonly word: number
  /** By spread, its weight; 0 where the word stands in no field that is searched. */
  readonly weights: Float32Array
  /** Whether it has a weight wherever it stands. */
  readonly isEverywhere: boolean
  /** Whether a field, by its number, is searched: a spread may have others beside it. */
  isSearched(field: number): boolean
  /** By length of the document: a word counts more in a short one. */
  readonly norms: Float32Array
  /** How rare the wanted word is in the whole index, times what this word is worth. */
  readonly worth: number
}

export interface Scorer {
  wanted(wanted: Wanted): Scored[]
  /** The same words, each by itself: it is known where they stand. */
  placed(wanted: Wanted): Scored[]
  /** By spread, its weight. */
  readonly weights: Float32Array
}

/** Scores words of one locale, in some fields: the weight of a field, 0 to leave it out. */
export function createScorer(
  context: QueryContext,
  segment: Segment,
  locale: string,
  weigh: (field: string) => number,
): Scorer {
  const text = segment.words.get(locale)
  if (!text) return { wanted: () => [], placed: () => [], weights: new Float32Array() }
  const weightOf = (code: number) => weigh(segment.fields[code]!.name)
  const isSearched = (code: number) => weightOf(code) > 0
  const weights = weighSpreads(text, (code, count) => weightOf(code) * saturated(count))
  const isEverywhere = weights.every((weight) => weight > 0)
  const scored = (word: number, worth: number, norms: Float32Array): Scored => {
    return { text, word, weights, isEverywhere, isSearched, norms, worth }
  }
  function find(wanted: Wanted, withPositions: boolean): Scored[] {
    const lists = listsFor(text!, wanted, withPositions)
    const rare = lists.size ? context.rarityOf(locale, wanted) : 0
    const norms = context.normsOf(locale)
    return [...lists].map(([list, worth]) => scored(list, worth * rare, norms))
  }
  return {
    wanted: (wanted) => find(wanted, false),
    placed: (wanted) => find(wanted, true),
    weights,
  }
}

// BM25, its two factors apart, so that both are tables: how often a word stands in a field, saturated and times the
// weight of the field (by spread), and how long the document is (by length). Rarity and average are those of the whole
// index, so that scores of different segments can be compared.

const saturation = 1.2
const lengthShare = 0.75

function saturated(count: number): number {
  return (count * (saturation + 1)) / (count + saturation)
}

export function rarityIn(segments: readonly Segment[], locale: string, wanted: Wanted): number {
  let having = 0
  let documents = 0
  for (const segment of segments) {
    const text = segment.words.get(locale)
    documents += segment.maxDoc
    if (text) for (const list of listsFor(text, wanted).keys()) having += text.counts[list]!
  }
  const inDocuments = Math.min(having, documents)
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
