/** Predicates on words: full text, and the comparators on the words of one field. */
import type { Clause } from '../analysis/analyse.ts'
import type { Test } from '../comparators.ts'
import type { FieldDefinition, TextPredicate } from '../port.ts'
import type { Segment } from '../segment/segment.ts'
import { containing, prefixRange, textAt, type Strings } from '../segment/strings.ts'
import { searchedLocales } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'
import { allOf, anyOf, everything, nothing, type Matcher } from './matcher.ts'
import { phraseMatcher, termMatcher, wordMatcher } from './term-matcher.ts'
import { createScorer, type QueryContext, type ScoredTerm } from './term-scoring.ts'

/** A localized field and fields without locale may together match a query; two locales may not. */
export function matchText(context: QueryContext, segment: Segment, predicate: TextPredicate): Matcher {
  const { schema } = context
  const { maxDoc } = segment
  const { text, fields } = predicate
  const weigh = (name: string) => (fields?.includes(name) === false ? 0 : (context.fields.get(name)?.weight ?? 0))
  const wordsIn = (place: string) => clauseWords(context, segment, place, context.clausesOf(place, text), weigh)
  const common = wordsIn('')
  if (common.length === 0) return everything(maxDoc)
  // Locales without any of the words all find the same: matches in fields that are not localized. One represents them.
  const own = searchedLocales(schema, predicate).map(wordsIn)
  const matching = own.filter((clauses) => clauses.some((words) => words.length > 0))
  const matchers = (matching.length > 0 ? matching : [[]]).map((clauses) =>
    allOf(
      maxDoc,
      common.map((words, i) => anyWord(maxDoc, [...words, ...(clauses[i] ?? [])])),
    ),
  )
  return anyOf(maxDoc, matchers, true)
}

/** EQ and LIKE: all words, in one field. */
export function matchClauses(
  context: QueryContext,
  segment: Segment,
  { name }: FieldDefinition,
  place: string,
  clauses: readonly Clause[],
): Matcher {
  if (clauses.length === 0) return nothing()
  const words = clauseWords(context, segment, place, clauses, (field) => Number(field === name))
  return allOf(
    segment.maxDoc,
    words.map((each) => anyWord(segment.maxDoc, each)),
  )
}

/** Prefixes, suffixes and patterns of words, in one field. They do not score. */
export function matchTerms(
  context: QueryContext,
  segment: Segment,
  { name }: FieldDefinition,
  place: string,
  test: Test,
  wanted: string,
): Matcher {
  const text = segment.words.get(place)
  if (!text) return nothing()
  const { weights } = createScorer(context, segment, place, (field) => Number(field === name))
  return termMatcher(segment.maxDoc, text, weights, termsOf(text.terms, test, wanted))
}

function termsOf(terms: Strings, test: Test, wanted: string): number[] {
  if (test === 'starts') {
    const [from, to] = prefixRange(terms, wanted)
    return Array.from({ length: to - from }, (_, i) => from + i)
  }
  if (test === 'ends') return containing(terms, wanted, true)
  const { matches, needle, isNeedle } = compileWildcard(wanted)
  const found = containing(terms, needle)
  return isNeedle ? found : found.filter((i) => matches(textAt(terms, i)))
}

/** The members of a clause: terms, and matchers for alternatives of several terms. */
type ClauseWords = readonly (ScoredTerm | Matcher)[]

function clauseWords(
  context: QueryContext,
  segment: Segment,
  place: string,
  clauses: readonly Clause[],
  weigh: (field: string) => number,
): ClauseWords[] {
  const score = createScorer(context, segment, place, weigh)
  return clauses.map(({ any, phrase }) =>
    any.flatMap((wanted): ClauseWords => {
      if (wanted.length === 1) return score.wanted(wanted[0]!)
      const all = allOf(
        segment.maxDoc,
        wanted.map((each) => wordMatcher(segment.maxDoc, score.wanted(each))),
      )
      return [phrase ? phraseMatcher(all, wanted.map(score.placed)) : all]
    }),
  )
}

function anyWord(maxDoc: number, members: ClauseWords): Matcher {
  const words = members.filter((member) => 'word' in member)
  const others = members.filter((member) => 'collect' in member)
  return anyOf(maxDoc, words.length ? [wordMatcher(maxDoc, words), ...others] : others)
}
