/**
 * The reference implementation: a scan over documents in memory, as slow and simple as possible. The conformance tests
 * compare an engine with it: hits, totals, order and facets must be the same.
 *
 * Relevance is not defined here, because engines may weight words differently.
 */
import { createAnalyser, valueGap, type Clause, type QueryTerm } from './analysis/analyse.ts'
import { emptyLexicon, type Lexicon } from './analysis/compounds.ts'
import { createTermTest } from './analysis/term-test.ts'
import { createCollations } from './collation.ts'
import { comparatorTests, comparesWords, hasWords, isNumeric, hasKeywordColumn, type Test } from './comparators.ts'
import { memoize } from './memoize.ts'
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
  columnLocale,
  predicateLocales,
  searchedLocales,
  spanOf,
  valuesIn,
  keywordValue,
  keywordValues,
  textValues,
  numberText,
} from './values.ts'
import { compileWildcard } from './wildcard.ts'

export interface Oracle {
  apply(changes: Changes): void
  search(query: LogicalQuery): SearchHits
  /** The matching documents. */
  all(predicate: Predicate): SearchDocument[]
  /** The values of a field that a join compares. */
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
  return new ScanningOracle(schema, lexicon, others)
}

class ScanningOracle implements Oracle {
  readonly #schema: IndexSchema
  readonly #lexicon: Lexicon
  readonly #others: ReadonlyMap<string, Oracle>
  readonly #fields: ReadonlyMap<string, FieldDefinition>
  readonly #documents = new Map<number, SearchDocument>()
  readonly #collations = createCollations()
  readonly #analyserOf = memoize(createAnalyser)
  readonly #cache = new WeakMap<SearchDocument, Map<string, PlacedWord[]>>()

  constructor(schema: IndexSchema, lexicon: Lexicon, others: ReadonlyMap<string, Oracle>) {
    this.#schema = schema
    this.#lexicon = lexicon
    this.#others = others
    this.#fields = new Map(schema.fields.map((field) => [field.name, field]))
  }

  apply({ put, remove }: Changes): void {
    for (const id of remove) this.#documents.delete(id)
    for (const document of put) this.#documents.set(document.id, document)
  }

  #matches(document: SearchDocument, predicate: Predicate): boolean {
    switch (predicate.kind) {
      case 'all':
        return true
      case 'and':
        return predicate.of.every((each) => this.#matches(document, each))
      case 'or':
        return predicate.of.some((each) => this.#matches(document, each))
      case 'not':
        return !this.#matches(document, predicate.of)
      case 'ids':
        return predicate.ids.includes(document.id)
      case 'field':
        return this.#matchesField(document, predicate)
      case 'text':
        return this.#matchesText(document, predicate)
      case 'join':
        return this.#matchesJoin(document, predicate)
    }
  }

  // Fields

  #matchesField(document: SearchDocument, predicate: FieldPredicate): boolean {
    const { test, negated } = comparatorTests[predicate.comparator]
    const field = this.#fields.get(predicate.field)
    if (!field) return (test === 'empty') !== negated
    const locales = predicateLocales(this.#schema, field, predicate.locale)
    const found =
      test === 'empty'
        ? locales.every((locale) => this.#isEmpty(document, field, locale))
        : locales.some((locale) => this.#matchesValues(document, field, locale, test, predicate))
    return found !== negated
  }

  #isEmpty(document: SearchDocument, field: FieldDefinition, locale: string): boolean {
    const values = valuesIn(document, field, locale)
    return isNumeric(field) ? numbersOf(values).length === 0 : keywordValues(field, values).length === 0
  }

  #matchesValues(
    document: SearchDocument,
    field: FieldDefinition,
    locale: string,
    test: Test,
    { operands, keyword }: FieldPredicate,
  ): boolean {
    if (comparesWords(field, test, keyword)) {
      return this.#matchesWords(this.#wordsOf(document, [field], locale), locale, test, String(operands[0] ?? ''))
    }
    const values = valuesIn(document, field, locale)
    if (isNumeric(field)) return numbersOf(values).some((value) => this.#matchesNumber(field, value, test, operands))
    if (!hasKeywordColumn(field)) return false
    return keywordValues(field, values).some((value) =>
      this.#matchesWhole(value, locale || this.#schema.defaultLocale, test, operands),
    )
  }

  #matchesNumber(field: FieldDefinition, value: number, test: Test, operands: FieldPredicate['operands']): boolean {
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
        return this.#matchesWritten(numberText(field, value), test, operands[0])
    }
  }

  #matchesWhole(value: string, locale: string, test: Test, operands: FieldPredicate['operands']): boolean {
    const order = () => this.#collations(locale).rank(value, keywordValue(String(operands[0])))
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
        return this.#matchesWritten(keyOf(value), test, operands[0])
    }
  }

  /** Tests a value or number, as text, against a prefix, a suffix or a pattern. */
  #matchesWritten(key: string, test: Test, operand: unknown): boolean {
    const pattern = keyOf(String(operand))
    if (test === 'ends') return key.endsWith(pattern)
    return test === 'wildcard' ? compileWildcard(pattern).matches(key) : key.startsWith(pattern)
  }

  // Words

  #wordsOf(document: SearchDocument, of: readonly FieldDefinition[], locale: string): PlacedWord[] {
    const known = this.#cache.get(document) ?? new Map<string, PlacedWord[]>()
    this.#cache.set(document, known)
    return of.flatMap((field) => {
      const key = `${field.name}/${locale}`
      const words = known.get(key) ?? this.#placeWords(document, field, locale)
      known.set(key, words)
      return words
    })
  }

  #placeWords(document: SearchDocument, field: FieldDefinition, locale: string): PlacedWord[] {
    let position = 0
    return textValues(field, valuesIn(document, field, locale)).flatMap((value) => {
      const words = this.#analyserOf(locale)
        .words(value)
        .map(({ term, step }) => ({ term, position: (position += step), field: field.name }))
      position += valueGap
      return words
    })
  }

  #matchesWords(words: readonly PlacedWord[], locale: string, test: Test, operand: string): boolean {
    const analyser = this.#analyserOf(locale)
    if (test === 'eq' || test === 'like') {
      const clauses = test === 'eq' ? analyser.clauses(operand.replaceAll('"', ' ')) : analyser.like(operand)
      return clauses.length > 0 && clauses.every((clause) => this.#matchesClause(words, locale, clause))
    }
    const pattern = analyser.fold(operand, test === 'ends')
    if (test === 'wildcard') return words.some(({ term }) => compileWildcard(pattern).matches(term))
    return words.some(({ term }) => (test === 'starts' ? term.startsWith(pattern) : term.endsWith(pattern)))
  }

  #matchesClause(words: readonly PlacedWord[], locale: string, { any, phrase }: Clause): boolean {
    const fits = (queryTerm: QueryTerm) => {
      const isMatch = createTermTest(this.#analyserOf(locale), this.#lexicon, queryTerm)
      return words.filter(({ term }) => isMatch(term))
    }
    return any.some((all) => {
      const found = all.map(fits)
      if (!phrase) return found.every((each) => each.length > 0)
      const follows = (start: PlacedWord) =>
        found.every((each, i) => each.some((w) => w.field === start.field && w.position === start.position + i))
      return found[0]!.some(follows)
    })
  }

  /** A localized field and fields without locale may together match a query; two locales may not. */
  #matchesText(document: SearchDocument, predicate: TextPredicate): boolean {
    const { text, fields: only } = predicate
    const searched = this.#schema.fields.filter(
      (field) => hasWords(field) && (field.weight ?? 0) > 0 && only?.includes(field.name) !== false,
    )
    const locales = searchedLocales(this.#schema, predicate)
    return (locales.length ? locales : ['']).some((locale) => {
      const own = this.#wordsOf(
        document,
        searched.filter((field) => field.localized),
        locale,
      )
      const common = this.#wordsOf(
        document,
        searched.filter((field) => !field.localized),
        '',
      )
      const neutral = this.#analyserOf('').clauses(text)
      return this.#analyserOf(locale)
        .clauses(text)
        .every((clause, i) => this.#matchesClause(own, locale, clause) || this.#matchesClause(common, '', neutral[i]!))
    })
  }

  // Joins

  #matchesJoin(document: SearchDocument, { index, of, from, to }: JoinPredicate): boolean {
    const other = this.#others.get(index)
    const mine = new Set(this.keysOf(document, to))
    return other?.all(of).some((each) => other.keysOf(each, from).some((key) => mine.has(key))) ?? false
  }
  /** The values that a join compares, as text with a uniform format for numbers. */
  keysOf(document: SearchDocument, name: string): string[] {
    if (name === 'id') return [String(document.id)]
    const values = [...(document.fields.get(name)?.values() ?? [])].flat()
    const field = this.#fields.get(name)
    if (!field) return []
    return isNumeric(field) ? numbersOf(values).map(String) : keywordValues(field, values).map(keyOf)
  }

  // Order

  #compareBy(key: SortKey): (a: SearchDocument, b: SearchDocument) => number {
    const field = this.#fields.get(key.field)
    if (!field || field.long) return () => 0
    const locale = columnLocale(this.#schema, field, key.locale)
    const compare = isNumeric(field)
      ? (a: string | number, b: string | number) => Number(a) - Number(b)
      : (a: string | number, b: string | number) =>
          this.#collations(locale || this.#schema.defaultLocale).compare(String(a), String(b))
    const writeChecksums = key.descending ? -1 : 1
    const firstValue = (document: SearchDocument) => {
      const values = valuesIn(document, field, locale)
      const all: readonly (string | number)[] = isNumeric(field) ? numbersOf(values) : keywordValues(field, values)
      return all.toSorted((a, b) => writeChecksums * compare(a, b))[0]
    }
    return (a, b) => {
      const [x, y] = [firstValue(a), firstValue(b)]
      if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
      return writeChecksums * compare(x, y)
    }
  }

  all(predicate: Predicate): SearchDocument[] {
    return [...this.#documents.values()].filter((document) => this.#matches(document, predicate))
  }

  search({ predicate, sort = [], offset, limit, facets = [] }: LogicalQuery): SearchHits {
    const found = this.all(predicate)
    const orders = sort.map((key) => this.#compareBy(key))
    found.sort((a, b) => orders.reduce((order, next) => order || next(a, b), 0) || a.id - b.id)
    return {
      total: found.length,
      exact: true,
      hits: found.slice(offset, offset + limit).map(({ id }) => ({ id, score: 0 })),
      facets: facets.flatMap((request) => {
        const counted = found.filter((document) => this.#matches(document, request.within ?? { kind: 'all' }))
        return facetOf(this.#schema, counted, request, this.#collations)
      }),
    }
  }
}
