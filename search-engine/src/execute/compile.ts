/** Compiles a predicate into a matcher for one segment. */
import type { Clause, QueryTerm } from '../analysis/analyse.ts'
import { createTermTest } from '../analysis/term-test.ts'
import { comparatorTests, comparesWords, hasWords, isNumeric, hasKeywordColumn } from '../comparators.ts'
import type { FieldDefinition, FieldPredicate, Predicate } from '../port.ts'
import { columnName, type Segment } from '../segment/segment.ts'
import { textAt } from '../segment/strings.ts'
import { predicateLocales } from '../values.ts'
import { cachedFilter } from './filter-cache.ts'
import { anyKeyword, matchKeyword, ordinalMatcher } from './keyword-matcher.ts'
import { allOf, anyOf, everything, noneOf, nothing, passing, type Matcher } from './matcher.ts'
import { anyNumber, matchNumber } from './number-matcher.ts'
import { matchIds, matchJoin } from './join-matcher.ts'
import { matchClauses, matchTerms, matchText } from './text-matcher.ts'
import type { QueryContext } from './term-scoring.ts'

export function compile(context: QueryContext, segment: Segment, predicate: Predicate): Matcher {
  const make = () => compiled(context, segment, predicate)
  // Cache the members of a conjunction rather than the conjunction: other queries share them.
  return predicate.kind === 'and' ? make() : cachedFilter(context, segment, predicate, make)
}

function compiled(context: QueryContext, segment: Segment, predicate: Predicate): Matcher {
  const { maxDoc } = segment
  switch (predicate.kind) {
    case 'all':
      return everything(maxDoc)
    case 'and':
      return allOf(
        maxDoc,
        predicate.of.map((each) => compile(context, segment, each)),
      )
    case 'or':
      return anyOf(
        maxDoc,
        predicate.of.map((each) => compile(context, segment, each)),
      )
    case 'not':
      return noneOf(maxDoc, compile(context, segment, predicate.of))
    case 'ids':
      return matchIds(segment, predicate.ids)
    case 'text':
      return matchText(context, segment, predicate)
    case 'join':
      return matchJoin(context, segment, predicate)
    case 'field':
      return matchField(context, segment, predicate)
  }
}

function matchField(context: QueryContext, segment: Segment, predicate: FieldPredicate): Matcher {
  const { maxDoc } = segment
  const { test, negated } = comparatorTests[predicate.comparator]
  const field = context.fields.get(predicate.field)
  const locales = field ? predicateLocales(context.schema, field, predicate.locale) : []
  const found =
    test === 'empty'
      ? noneOf(
          maxDoc,
          anyOf(
            maxDoc,
            locales.map((locale) => anyValue(segment, field!, locale)),
          ),
        )
      : anyOf(
          maxDoc,
          locales.map((locale) => matchValues(context, segment, field!, locale, predicate)),
        )
  return negated ? noneOf(maxDoc, found) : found
}

function anyValue(segment: Segment, field: FieldDefinition, locale: string): Matcher {
  const name = columnName(field.name, locale)
  const numbers = segment.numbers.get(name)
  const keywords = segment.keywords.get(name)
  const present = segment.present.get(name)
  if (isNumeric(field)) return numbers ? anyNumber(numbers, segment.maxDoc) : nothing()
  if (hasKeywordColumn(field)) return keywords ? anyKeyword(keywords, segment.maxDoc) : nothing()
  return present ? passing(segment.maxDoc, segment.maxDoc, (doc) => present[doc] === 1) : nothing()
}

function matchValues(
  context: QueryContext,
  segment: Segment,
  field: FieldDefinition,
  locale: string,
  { comparator, operands, keyword }: FieldPredicate,
): Matcher {
  const { test } = comparatorTests[comparator]
  const { maxDoc } = segment
  const name = columnName(field.name, locale)
  if (comparesWords(field, test, keyword)) {
    const operand = String(operands[0] ?? '')
    const analyser = context.analyserOf(locale)
    if (test !== 'eq' && test !== 'like')
      return matchTerms(context, segment, field, locale, test, analyser.fold(operand, test === 'ends'))
    const clauses = test === 'eq' ? analyser.clauses(operand.replaceAll('"', ' ')) : analyser.like(operand)
    return hasWords(field)
      ? matchClauses(context, segment, field, locale, clauses)
      : matchValuesByWords(context, segment, name, locale, clauses)
  }
  if (isNumeric(field)) {
    const column = segment.numbers.get(name)
    return column ? matchNumber(column, maxDoc, field, test, operands) : nothing()
  }
  const column = hasKeywordColumn(field) ? segment.keywords.get(name) : undefined
  return column ? matchKeyword(context, column, maxDoc, locale, test, operands) : nothing()
}

/** LIKE on a field whose words are not indexed: tests the words of its distinct values. */
function matchValuesByWords(
  context: QueryContext,
  { keywords, maxDoc }: Segment,
  name: string,
  locale: string,
  clauses: readonly Clause[],
): Matcher {
  const column = keywords.get(name)
  if (!column || clauses.length === 0) return nothing()
  const analyser = context.analyserOf(locale)
  const terms = Array.from({ length: column.values.count }, (_, i) => analyser.words(textAt(column.values, i)))
  const matchWord = (wanted: QueryTerm) => {
    const isMatch = createTermTest(analyser, context.lexicon, wanted)
    const having = terms.flatMap((words, ordinal) => (words.some(({ term }) => isMatch(term)) ? [ordinal] : []))
    return ordinalMatcher(column, maxDoc, having)
  }
  const matchClause = ({ any }: Clause) =>
    anyOf(
      maxDoc,
      any.map((all) => allOf(maxDoc, all.map(matchWord))),
    )
  return allOf(maxDoc, clauses.map(matchClause))
}
