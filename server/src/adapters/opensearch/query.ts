/** Converts a logical query to the query language of OpenSearch. The meaning of each predicate is that of the oracle. */
import type { FieldDefinition, FieldPredicate, JoinPredicate, Predicate, TextPredicate } from '@kontor/search-engine'
import {
  type Analyser,
  type Clause,
  comparatorTests,
  comparesWords,
  hasKeywordColumn,
  hasWords,
  isNumeric,
  keyOf,
  keywordValue,
  localesOf,
  predicateLocales,
  type QueryTerm,
  searchedLocales,
  spanOf,
} from '@kontor/search-engine/analysis'
import { afterRank } from './collation-keys.ts'
import {
  type Analysis,
  columnOf,
  numbersIn,
  presence,
  scoredIn,
  scoredToken,
  stemTokens,
  tokenOf,
  wholeValue,
  wordsIn,
} from './documents.ts'

export type Dsl = Record<string, unknown>

export interface QueryContext extends Analysis {
  /** The values that the other index of a join provides, as text. */
  joinKeys(join: JoinPredicate): Promise<ReadonlySet<string>>
}

export const everything: Dsl = { match_all: {} }
export const nothing: Dsl = { match_none: {} }

export function all(of: readonly Dsl[]): Dsl {
  const some = of.filter((each) => each !== everything)
  if (some.includes(nothing)) return nothing
  return some.length === 0 ? everything : some.length === 1 ? some[0]! : { bool: { filter: some } }
}
export function any(of: readonly Dsl[]): Dsl {
  const some = of.filter((each) => each !== nothing)
  if (some.includes(everything)) return everything
  if (some.length <= 1) return some[0] ?? nothing
  return { bool: { should: some, minimum_should_match: 1 } }
}
function not(query: Dsl): Dsl {
  if (query === everything) return nothing
  return query === nothing ? everything : { bool: { must_not: [query] } }
}

export async function toFilter(context: QueryContext, predicate: Predicate): Promise<Dsl> {
  switch (predicate.kind) {
    case 'all':
      return everything
    case 'and':
      return all(await Promise.all(predicate.of.map((each) => toFilter(context, each))))
    case 'or':
      return any(await Promise.all(predicate.of.map((each) => toFilter(context, each))))
    case 'not':
      return not(await toFilter(context, predicate.of))
    case 'ids':
      return predicate.ids.length > 0 ? { terms: { id: predicate.ids } } : nothing
    case 'text':
      return toTextFilter(context, predicate)
    case 'join':
      return toJoin(context, predicate)
    case 'field':
      return toComparison(context, predicate)
  }
}

// Fields

function toComparison(context: QueryContext, predicate: FieldPredicate): Dsl {
  const { test, negated } = comparatorTests[predicate.comparator]
  const field = context.fields.get(predicate.field)
  const locales = field ? predicateLocales(context.schema, field, predicate.locale) : []
  const found =
    test === 'empty'
      ? not(any(locales.map((locale) => ({ term: { h: presence(field!.name, locale) } }))))
      : any(locales.map((locale) => compareValues(context, field!, locale, predicate)))
  return negated ? not(found) : found
}

function compareValues(context: QueryContext, field: FieldDefinition, locale: string, predicate: FieldPredicate): Dsl {
  const { test } = comparatorTests[predicate.comparator]
  if (comparesWords(field, test, predicate.keyword)) {
    return compareWords(context, field.name, locale, test, String(predicate.operands[0] ?? ''))
  }
  if (isNumeric(field)) return compareNumbers(field, locale, predicate)
  return hasKeywordColumn(field) ? compareWhole(context, field, locale, predicate) : nothing
}

function compareNumbers({ name }: FieldDefinition, locale: string, { comparator, operands }: FieldPredicate): Dsl {
  const { test } = comparatorTests[comparator]
  const range = (bounds: Record<string, number>) =>
    Object.values(bounds).some(Number.isNaN) ? nothing : { range: { [numbersIn(name, locale)]: toFinite(bounds) } }
  const spans = operands.map(spanOf)
  const { first, last } = spans[0] ?? { first: NaN, last: NaN }
  switch (test) {
    case 'eq':
      return range({ gte: first, lte: last })
    case 'in': {
      // OpenSearch refuses more than 1024 ranges.
      const [exact, wide] = [spans.filter(isExact), spans.filter((span) => !isExact(span))]
      const single =
        exact.length > 0 ? { terms: { [numbersIn(name, locale)]: exact.map((span) => span.first) } } : nothing
      return any([single, ...wide.map((span) => range({ gte: span.first, lte: span.last }))])
    }
    case 'gt':
      return range({ gt: last })
    case 'ge':
      return range({ gte: first })
    case 'lt':
      return range({ lt: first })
    case 'le':
      return range({ lte: last })
    default:
      return compareWritten(name, locale, test, operands[0])
  }
}

const isExact = ({ first, last }: ReturnType<typeof spanOf>) => first === last && Number.isFinite(first)

/** JSON has no infinite numbers. */
const toFinite = (bounds: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(bounds).map(([bound, value]) => [bound, Number.isFinite(value) ? value : String(value)]),
  )

function compareWhole(
  { schema, collationOf }: QueryContext,
  { name }: FieldDefinition,
  locale: string,
  { comparator, operands }: FieldPredicate,
): Dsl {
  const { test } = comparatorTests[comparator]
  const rank = () => collationOf(locale || schema.defaultLocale).rankOf(keywordValue(String(operands[0])))
  const range = (bounds: Dsl) => ({ range: { [columnOf(name, locale)]: bounds } })
  switch (test) {
    case 'eq':
    case 'in':
      return anyTerm(
        'k',
        operands.map((operand) => wholeValue(name, locale, keyOf(String(operand)))),
      )
    case 'gt':
      return range({ gte: afterRank(rank()) })
    case 'ge':
      return range({ gte: rank() })
    case 'lt':
      return range({ lt: rank() })
    case 'le':
      return range({ lt: afterRank(rank()) })
    default:
      return compareWritten(name, locale, test, operands[0])
  }
}

const anyTerm = (field: string, terms: readonly string[]): Dsl =>
  terms.length === 0 ? nothing : { terms: { [field]: [...new Set(terms)] } }

/** Compares a value or number, as text, with a prefix, a suffix or a pattern. */
const compareWritten = (name: string, locale: string, test: string, operand: unknown) =>
  comparePattern('k', wholeValue(name, locale, ''), test, keyOf(String(operand)))

function comparePattern(field: string, before: string, test: string, pattern: string): Dsl {
  if (test === 'ends') return { wildcard: { [field]: { value: `${literal(before)}*${literal(pattern)}` } } }
  if (test === 'wildcard') {
    return { wildcard: { [field]: { value: literal(before) + pattern.replaceAll('\\', String.raw`\\`) } } }
  }
  return { prefix: { [field]: { value: before + pattern } } }
}
const literal = (text: string) => text.replace(/[\\*?]/g, String.raw`\$&`)

// Words

function compareWords(context: QueryContext, name: string, locale: string, test: string, operand: string): Dsl {
  const analyser = context.analyserOf(locale)
  if (test !== 'eq' && test !== 'like') {
    const pattern = analyser.fold(operand, test === 'ends')
    return comparePattern(wordsIn(locale), tokenOf('term', '', name), test, pattern)
  }
  const clauses = test === 'eq' ? analyser.clauses(operand.replaceAll('"', ' ')) : analyser.like(operand)
  return clauses.length === 0 ? nothing : all(clauses.map((clause) => matchClause(analyser, clause, [name])))
}

/** Without fields, in every field with a weight. */
function matchClause(analyser: Analyser, { any: alternatives, phrase }: Clause, fields?: readonly string[]): Dsl {
  const { locale } = analyser
  const places = fields ?? [undefined]
  const match = ({ term, stem, prefix }: QueryTerm) => {
    const same = anyTerm(
      wordsIn(locale),
      places.flatMap((place) => stemTokens(analyser, stem, place)),
    )
    if (!prefix) return same
    const begun = places.map((place) => ({ prefix: { [wordsIn(locale)]: { value: tokenOf('term', term, place) } } }))
    return any([same, ...begun])
  }
  return any(
    alternatives.map((terms) =>
      phrase ? any(places.map((place) => adjacent(analyser, terms, place))) : all(terms.map(match)),
    ),
  )
}

export const spanOfTerm = (analyser: Analyser, { stem }: QueryTerm, field?: string): Dsl => ({
  span_or: {
    clauses: stemTokens(analyser, stem, field).map((token) => ({ span_term: { [wordsIn(analyser.locale)]: token } })),
  },
})

const adjacent = (analyser: Analyser, terms: readonly QueryTerm[], field: string | undefined): Dsl => ({
  span_near: { clauses: terms.map((term) => spanOfTerm(analyser, term, field)), slop: 0, in_order: true },
})

/** A localized field and fields without locale may together match a query; two locales may not. */
function toTextFilter(context: QueryContext, predicate: TextPredicate): Dsl {
  const { schema, analyserOf } = context
  const locales = searchedLocales(schema, predicate)
  const common = fieldsOf(context, predicate, false)
  const own = fieldsOf(context, predicate, true)
  const neutral = analyserOf('').clauses(predicate.text)
  return any(
    (locales.length > 0 ? locales : ['']).map((locale) =>
      all(
        analyserOf(locale)
          .clauses(predicate.text)
          .map((clause, i) =>
            any([
              ...(locale === '' || own.names?.length === 0 ? [] : [matchClause(analyserOf(locale), clause, own.names)]),
              ...(common.names?.length === 0 ? [] : [matchClause(analyserOf(''), neutral[i]!, common.names)]),
            ]),
          ),
      ),
    ),
  )
}

/** The searched fields with or without locales. The names are undefined if they are not restricted. */
function fieldsOf({ schema }: QueryContext, { fields: only }: TextPredicate, localized: boolean) {
  const searched = schema.fields.filter(
    (field) =>
      hasWords(field) &&
      (field.weight ?? 0) > 0 &&
      (field.localized ?? false) === localized &&
      only?.includes(field.name) !== false,
  )
  return { searched, names: only && searched.map(({ name }) => name) }
}

// Relevance

/** Words beyond these do not count for relevance. */
const mostScored = 12
const partWeight = 0.5

/** Queries that score the texts of a predicate. They do not decide whether a document matches. */
export function toScores(context: QueryContext, predicate: Predicate): Dsl[] {
  const texts = new Map(textsIn(predicate).map((text) => [JSON.stringify(text), text]))
  return [...texts.values()].flatMap((text) => scoreText(context, text))
}

export function textsIn(predicate: Predicate): TextPredicate[] {
  if (predicate.kind === 'and' || predicate.kind === 'or') return predicate.of.flatMap(textsIn)
  return predicate.kind === 'text' ? [predicate] : []
}

function scoreText(context: QueryContext, predicate: TextPredicate): Dsl[] {
  const scoreIn = (locale: string): Dsl[] => {
    const { searched, names } = fieldsOf(context, predicate, locale !== '')
    const byWeight = [...Map.groupBy(searched, ({ weight = 0 }) => weight)]
    const analyser = context.analyserOf(locale)
    const terms = analyser.clauses(predicate.text).flatMap(({ any: alternatives }) => alternatives.flat())
    return terms
      .slice(0, mostScored)
      .flatMap(({ stem }) => byWeight.flatMap(([weight, fields]) => scoreStem(analyser, stem, weight, names && fields)))
  }
  const sum = (some: readonly Dsl[]) => (some.length > 0 ? [{ bool: { should: some } }] : [])
  const byLocale = searchedLocales(context.schema, predicate).flatMap((locale) => sum(scoreIn(locale)))
  return [...sum(scoreIn('')), ...(byLocale.length > 0 ? [{ dis_max: { queries: byLocale } }] : [])]
}

/** Restricted fields are not scored by how frequent a word is, because hidden fields would influence that. */
function scoreStem(analyser: Analyser, stem: string, weight: number, only?: readonly FieldDefinition[]): Dsl[] {
  const { locale } = analyser
  if (only) {
    const tokens = only.flatMap(({ name }) => stemTokens(analyser, stem, name))
    return [{ constant_score: { filter: anyTerm(wordsIn(locale), tokens), boost: weight } }]
  }
  return (['stem', 'part'] as const).map((kind) => ({
    term: {
      [scoredIn(locale, weight)]: {
        value: scoredToken(kind, stem),
        boost: kind === 'part' ? weight * partWeight : weight,
      },
    },
  }))
}

// Joins

async function toJoin(context: QueryContext, join: JoinPredicate): Promise<Dsl> {
  const keys = [...(await context.joinKeys(join))]
  const numbers = () => keys.map(Number).filter((number, i) => String(number) === keys[i])
  const anyNumber = (name: string): Dsl => (numbers().length > 0 ? { terms: { [name]: numbers() } } : nothing)
  if (join.to === 'id') return anyNumber('id')
  const field = context.fields.get(join.to)
  if (!field || keys.length === 0) return nothing
  return any(
    localesOf(context.schema, field).map((locale) =>
      isNumeric(field)
        ? anyNumber(numbersIn(field.name, locale))
        : anyTerm(
            'k',
            keys.map((key) => wholeValue(field.name, locale, key)),
          ),
    ),
  )
}
