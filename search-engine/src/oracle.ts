/**
 * What a search means: the slowest and plainest engine, a scan over documents in memory. It is the measure of the
 * conformance tests: whatever another engine does for speed, its hits, totals, order and facets are those of the scan.
 *
 * Only relevance is not defined here, because engines may weigh words as they like.
 */
import { createAnalyser, valueGap, type Analyser, type Clause, type Wanted } from './analysis/analyse.ts'
import { emptyLexicon, type Lexicon } from './analysis/compounds.ts'
import { wantedTest } from './analysis/wanted.ts'
import { createCollations } from './collation.ts'
import { comparatorTests, comparesWords, hasWords, isNumeric, isWhole, type Test } from './comparators.ts'
import { facetOf } from './oracle-facets.ts'
import type {
  Changes,
  FieldDefinition,
  FieldPredicate,
  IndexSchema,
  JoinPredicate,
  LogicalQuery,
  Predicate,
  SearchDocument,
  SearchHits,
  SortKey,
  TextPredicate,
} from './port.ts'
import {
  keyOf,
  numbersOf,
  placeOf,
  placesOf,
  searchedLocales,
  spanOf,
  valuesIn,
  wholeValue,
  wholeValues,
  wordValues,
  written,
} from './values.ts'
import { compileWildcard } from './wildcard.ts'

export interface Oracle {
  apply(changes: Changes): void
  search(query: LogicalQuery): SearchHits
  /** The documents that match. */
  all(predicate: Predicate): SearchDocument[]
  /** The values of a field that links are made by. */
  keysOf(document: SearchDocument, field: string): string[]
}

interface PlacedWord {
  readonly term: string
  readonly position: number
  readonly field: string
}

export function createOracle(
  schema: IndexSchema,
  lexicon: Lexicon = emptyLexicon,
  others: ReadonlyMap<string, Oracle> = new Map(),
): Oracle {
  const documents = new Map<number, SearchDocument>()
  const collations = createCollations()
  const fields = new Map(schema.fields.map((field) => [field.name, field]))
  const analysers = new Map<string, Analyser>()
  const analyserOf = (locale: string) => {
    const known = analysers.get(locale) ?? createAnalyser(locale)
    analysers.set(locale, known)
    return known
  }

  function matches(document: SearchDocument, predicate: Predicate): boolean {
    switch (predicate.kind) {
      case 'all':
        return true
      case 'and':
        return predicate.of.every((each) => matches(document, each))
      case 'or':
        return predicate.of.some((each) => matches(document, each))
      case 'not':
        return !matches(document, predicate.of)
      case 'ids':
        return predicate.ids.includes(document.id)
      case 'field':
        return matchesField(document, predicate)
      case 'text':
        return matchesText(document, predicate)
      case 'join':
        return matchesJoin(document, predicate)
    }
  }

  // Fields

  function matchesField(document: SearchDocument, predicate: FieldPredicate): boolean {
    const { test, negated } = comparatorTests[predicate.comparator]
    const field = fields.get(predicate.field)
    if (!field) return (test === 'empty') !== negated
    const places = placesOf(schema, field, predicate.locale)
    const found =
      test === 'empty'
        ? places.every((place) => isEmpty(document, field, place))
        : places.some((place) => matchesPlace(document, field, place, test, predicate))
    return found !== negated
  }

  function isEmpty(document: SearchDocument, field: FieldDefinition, place: string): boolean {
    const values = valuesIn(document, field, place)
    return isNumeric(field) ? numbersOf(values).length === 0 : wholeValues(field, values).length === 0
  }

  function matchesPlace(
    document: SearchDocument,
    field: FieldDefinition,
    place: string,
    test: Test,
    { operands, keyword }: FieldPredicate,
  ): boolean {
    if (comparesWords(field, test, keyword)) {
      return matchesWords(wordsOf(document, [field], place), place, test, String(operands[0] ?? ''))
    }
    const values = valuesIn(document, field, place)
    if (isNumeric(field)) return numbersOf(values).some((value) => matchesNumber(field, value, test, operands))
    if (!isWhole(field)) return false
    return wholeValues(field, values).some((value) =>
      matchesWhole(value, place || schema.defaultLocale, test, operands),
    )
  }

  function matchesNumber(
    field: FieldDefinition,
    value: number,
    test: Test,
    operands: FieldPredicate['operands'],
  ): boolean {
    const spans = operands.map(spanOf)
    const { first, last } = spans[0] ?? { first: NaN, last: NaN }
    switch (test) {
      case 'eq':
        return value >= first && value <= last
      case 'in':
        return spans.some((span) => value >= span.first && value <= span.last)
      case 'gt':
        return value > last
      case 'ge':
        return value >= first
      case 'lt':
        return value < first
      case 'le':
        return value <= last
      default:
        return matchesWritten(written(field, value), test, operands[0])
    }
  }

  function matchesWhole(value: string, locale: string, test: Test, operands: FieldPredicate['operands']): boolean {
    const order = () => collations(locale).rank(value, wholeValue(String(operands[0])))
    switch (test) {
      case 'eq':
      case 'in':
        return operands.some((operand) => keyOf(String(operand)) === keyOf(value))
      case 'gt':
        return order() > 0
      case 'ge':
        return order() >= 0
      case 'lt':
        return order() < 0
      case 'le':
        return order() <= 0
      default:
        return matchesWritten(keyOf(value), test, operands[0])
    }
  }

  /** A whole value or a number as it is written, against a beginning, an end or a pattern. */
  function matchesWritten(key: string, test: Test, operand: unknown): boolean {
    const wanted = keyOf(String(operand))
    if (test === 'ends') return key.endsWith(wanted)
    return test === 'wildcard' ? compileWildcard(wanted).matches(key) : key.startsWith(wanted)
  }

  // Words

  const remembered = new WeakMap<SearchDocument, Map<string, PlacedWord[]>>()
  function wordsOf(document: SearchDocument, of: readonly FieldDefinition[], place: string): PlacedWord[] {
    const known = remembered.get(document) ?? new Map<string, PlacedWord[]>()
    remembered.set(document, known)
    return of.flatMap((field) => {
      const key = `${field.name}/${place}`
      const words = known.get(key) ?? placeWords(document, field, place)
      known.set(key, words)
      return words
    })
  }

  function placeWords(document: SearchDocument, field: FieldDefinition, place: string): PlacedWord[] {
    let position = 0
    return wordValues(field, valuesIn(document, field, place)).flatMap((value) => {
      const words = analyserOf(place)
        .words(value)
        .map(({ term, step }) => ({ term, position: (position += step), field: field.name }))
      position += valueGap
      return words
    })
  }

  function matchesWords(words: readonly PlacedWord[], place: string, test: Test, operand: string): boolean {
    const analyser = analyserOf(place)
    if (test === 'eq' || test === 'like') {
      const clauses = test === 'eq' ? analyser.clauses(operand.replaceAll('"', ' ')) : analyser.like(operand)
      return clauses.length > 0 && clauses.every((clause) => matchesClause(words, place, clause))
    }
    const wanted = analyser.fold(operand)
    if (test === 'wildcard') return words.some(({ term }) => compileWildcard(wanted).matches(term))
    return words.some(({ term }) => (test === 'starts' ? term.startsWith(wanted) : term.endsWith(wanted)))
  }

  function matchesClause(words: readonly PlacedWord[], place: string, { any, phrase }: Clause): boolean {
    const fits = (wanted: Wanted) => {
      const isWanted = wantedTest(analyserOf(place), lexicon, wanted)
      return words.filter(({ term }) => isWanted(term))
    }
    return any.some((all) => {
      const found = all.map(fits)
      if (!phrase) return found.every((each) => each.length > 0)
      const follows = (start: PlacedWord) =>
        found.every((each, i) => each.some((w) => w.field === start.field && w.position === start.position + i))
      return found[0]!.some(follows)
    })
  }

  /** Words of one locale and words that belong to none may complete each other; words of two locales may not. */
  function matchesText(document: SearchDocument, predicate: TextPredicate): boolean {
    const { text, fields: wanted } = predicate
    const searched = schema.fields.filter(
      (field) => hasWords(field) && (field.weight ?? 0) > 0 && wanted?.includes(field.name) !== false,
    )
    const locales = searchedLocales(schema, predicate)
    return (locales.length ? locales : ['']).some((place) => {
      const own = wordsOf(
        document,
        searched.filter((field) => field.localized),
        place,
      )
      const common = wordsOf(
        document,
        searched.filter((field) => !field.localized),
        '',
      )
      const neutral = analyserOf('').clauses(text)
      return analyserOf(place)
        .clauses(text)
        .every((clause, i) => matchesClause(own, place, clause) || matchesClause(common, '', neutral[i]!))
    })
  }

  // Joins

  function matchesJoin(document: SearchDocument, { index, of, from, to }: JoinPredicate): boolean {
    const other = others.get(index)
    const mine = new Set(keysOf(document, to))
    return other?.all(of).some((each) => other.keysOf(each, from).some((key) => mine.has(key))) ?? false
  }
  /** The values that links are made by: as text, in which numbers are written in one way. */
  function keysOf(document: SearchDocument, name: string): string[] {
    if (name === 'id') return [String(document.id)]
    const values = [...(document.fields.get(name)?.values() ?? [])].flat()
    const field = fields.get(name)
    if (!field) return []
    return isNumeric(field) ? numbersOf(values).map(String) : wholeValues(field, values).map(keyOf)
  }

  // Order

  function compareBy(key: SortKey): (a: SearchDocument, b: SearchDocument) => number {
    const field = fields.get(key.field)
    if (!field || field.long) return () => 0
    const place = placeOf(schema, field, key.locale)
    const compare = isNumeric(field)
      ? (a: string | number, b: string | number) => Number(a) - Number(b)
      : (a: string | number, b: string | number) =>
          collations(place || schema.defaultLocale).compare(String(a), String(b))
    const sign = key.descending ? -1 : 1
    const leading = (document: SearchDocument) => {
      const values = valuesIn(document, field, place)
      const all: readonly (string | number)[] = isNumeric(field) ? numbersOf(values) : wholeValues(field, values)
      return all.toSorted((a, b) => sign * compare(a, b))[0]
    }
    return (a, b) => {
      const [x, y] = [leading(a), leading(b)]
      if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
      return sign * compare(x, y)
    }
  }

  const all = (predicate: Predicate) => [...documents.values()].filter((document) => matches(document, predicate))

  function search({ predicate, sort = [], offset, limit, facets = [] }: LogicalQuery): SearchHits {
    const found = all(predicate)
    const orders = sort.map(compareBy)
    found.sort((a, b) => orders.reduce((order, next) => order || next(a, b), 0) || a.id - b.id)
    return {
      total: found.length,
      exact: true,
      hits: found.slice(offset, offset + limit).map(({ id }) => ({ id, score: 0 })),
      facets: facets.flatMap((request) => {
        const counted = found.filter((document) => matches(document, request.within ?? { kind: 'all' }))
        return facetOf(schema, counted, request, collations)
      }),
    }
  }

  return {
    all,
    keysOf,
    search,
    apply({ put, remove }) {
      for (const id of remove) documents.delete(id)
      for (const document of put) documents.set(document.id, document)
    },
  }
}
