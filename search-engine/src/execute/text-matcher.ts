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
  const wordsIn = (locale: string) => clauseWords(context, segment, locale, context.clausesOf(locale, text), weigh)
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
  locale: string,
  clauses: readonly Clause[],
): Matcher {
  if (clauses.length === 0) return nothing()
  const words = clauseWords(context, segment, locale, clauses, (field) => Number(field === name))
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
  locale: string,
  test: Test,
  pattern: string,
): Matcher {
  const text = segment.words.get(locale)
  if (!text) return nothing()
  const { weights } = createScorer(context, segment, locale, (field) => Number(field === name))
  return termMatcher(segment.maxDoc, text, weights, termsOf(text.terms, test, pattern))
}

function termsOf(terms: Strings, test: Test, pattern: string): number[] {
  if (test === 'starts') {
    const [from, to] = prefixRange(terms, pattern)
    return Array.from({ length: to - from }, (_, i) => from + i)
  }
  if (test === 'ends') return containing(terms, pattern, true)
  const { matches, needle, isNeedle } = compileWildcard(pattern)
  const found = containing(terms, needle)
  return isNeedle ? found : found.filter((i) => matches(textAt(terms, i)))
}

/** The members of a clause: terms, and matchers for alternatives of several terms. */
type ClauseWords = readonly (ScoredTerm | Matcher)[]

function clauseWords(
  context: QueryContext,
  segment: Segment,
  locale: string,
  clauses: readonly Clause[],
  weigh: (field: string) => number,
): ClauseWords[] {
  const scorer = createScorer(context, segment, locale, weigh)
  return clauses.map(({ any, phrase }) =>
    any.flatMap((queryTerms): ClauseWords => {
      if (queryTerms.length === 1) return scorer.termsFor(queryTerms[0]!)
      const all = allOf(
        segment.maxDoc,
        queryTerms.map((each) => wordMatcher(segment.maxDoc, scorer.termsFor(each))),
      )
      return [phrase ? phraseMatcher(all, queryTerms.map(scorer.termsWithPositions)) : all]
    }),
  )
}

function anyWord(maxDoc: number, members: ClauseWords): Matcher {
  const words = members.filter((member) => 'word' in member)
  const others = members.filter((member) => 'collect' in member)
  return anyOf(maxDoc, words.length ? [wordMatcher(maxDoc, words), ...others] : others)
}
