/**
 * The port of every search engine: documents in, logical queries in, hits out.
 *
 * A logical query is what remains of a search of the interface after its fields were looked up: the fields exist, the
 * operands have the type of their field, and the caller's rights are part of the predicate. An engine only compiles it.
 * What a predicate means is defined by oracle.ts; every engine must agree with it.
 */
import type { Query } from '@kontor/contract'

// What an index holds

export type FieldType = 'text' | 'keyword' | 'number' | 'date' | 'boolean'

export interface FieldDefinition {
  readonly name: string
  readonly type: FieldType
  /** Has values per locale; otherwise its values stand under the locale ''. */
  readonly localized?: boolean
  /** text and keyword: weight in full-text search; absent or 0 keeps the field out of it. */
  readonly weight?: number
  /** keyword: values are paths such as `a/b/c`. A document also has every ancestor, and facets are nested. */
  readonly path?: boolean
  /** text: too long to be compared, sorted or counted as a whole; it is searched by words only. */
  readonly long?: boolean
}

export interface IndexSchema {
  readonly fields: readonly FieldDefinition[]
  /** Locales that localized fields have values in. */
  readonly locales: readonly string[]
  /** Collates fields that are not localized, and stands in for a locale that is not known. */
  readonly defaultLocale: string
  /** Changes when documents are made in another way than before, so that an index of older ones is outdated. */
  readonly revision?: string
}

/** A date is a number of milliseconds since 1970 in UTC. */
export type Scalar = string | number | boolean
/** Values by locale ('' where the field is not localized). An empty list and an empty text are no value. */
export type FieldValues = ReadonlyMap<string, readonly Scalar[]>

export interface SearchDocument {
  readonly id: number
  readonly fields: ReadonlyMap<string, FieldValues>
}

// What can be asked

export type Comparator = NonNullable<Query['comparator']>

/** A date as it was written: `2024-05-01` is the whole day. From is included, to is not. */
export interface Moment {
  readonly from: number
  readonly to: number
}
export type Operand = Scalar | Moment

export type Predicate =
  | { readonly kind: 'all' }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | FieldPredicate
  | TextPredicate
  | JoinPredicate
  | { readonly kind: 'ids'; readonly ids: readonly number[] }

export interface FieldPredicate {
  readonly kind: 'field'
  readonly field: string
  readonly comparator: Comparator
  /** One operand, any number with IN and NOT_IN, none with IS_EMPTY and IS_NOT_EMPTY. */
  readonly operands: readonly Operand[]
  /** text: compare the value as a whole instead of word by word. */
  readonly keyword?: boolean
  /** Localized fields: the locale to look at; without it a value in any locale may match. */
  readonly locale?: string
}

/** Full text: all words, in any field that has a weight; words in quotes must follow each other in one field. */
export interface TextPredicate {
  readonly kind: 'text'
  readonly text: string
  /** Without it the best of all locales counts. */
  readonly locale?: string
  /** Only these fields and these locales are searched; without them all are. */
  readonly fields?: readonly string[]
  readonly locales?: readonly string[]
}

/**
 * Documents that are linked to a document of another index: a value of `to` here is a value of `from` there. Either is
 * a field, or 'id' for the id of the document. Values are compared as numbers where `to` is one, otherwise as text.
 */
export interface JoinPredicate {
  readonly kind: 'join'
  readonly index: string
  /** Which documents of the other index count, the caller's rights there included. */
  readonly of: Predicate
  readonly from: string
  readonly to: string
}

/** Documents without a value come last in both directions; the id decides between equals. */
export interface SortKey {
  readonly field: string
  readonly descending?: boolean
  readonly locale?: string
}

export interface FacetRequest {
  readonly field: string
  readonly locale?: string
  /** Values at most, of all levels where they are nested. */
  readonly limit: number
  /** Also count the documents without a value. */
  readonly countEmpty?: boolean
  /** number and date: the ranges; without them round ones are made to fit the hits. */
  readonly ranges?: readonly Range[]
  /** Only hits that also match this are counted. */
  readonly within?: Predicate
}
/** From is included, to is not; an absent bound is open. */
export interface Range {
  readonly from?: number
  readonly to?: number
}

export interface LogicalQuery {
  readonly predicate: Predicate
  /** Without sort keys: by relevance when there is text to search for, otherwise by id. */
  readonly sort?: readonly SortKey[]
  readonly offset: number
  readonly limit: number
  readonly facets?: readonly FacetRequest[]
  /** When nothing is found, words that no document has are replaced by those that are spelled nearly so. */
  readonly tolerant?: boolean
}

/** A search over several indexes, each by its own predicate, ranked and counted as if they were one. */
export interface CommonQuery extends Omit<LogicalQuery, 'predicate' | 'tolerant'> {
  readonly members: readonly { readonly index: string; readonly predicate: Predicate }[]
}

// What is answered

export interface Hit {
  readonly id: number
  /** 0 where hits come in another order than by relevance. */
  readonly score: number
  /** Where it was found, when several indexes were searched. */
  readonly index?: string
}

export interface NamedBucket {
  /** null counts the documents without a value. */
  readonly value: string | boolean | null
  readonly count: number
  readonly children?: readonly NamedBucket[]
}
export interface RangedBucket extends Range {
  /** Marks the count of the documents without a value. */
  readonly empty?: true
  readonly count: number
}
export type FacetResult =
  | { readonly field: string; readonly facetType: 'NAMED'; readonly buckets: readonly NamedBucket[] }
  | { readonly field: string; readonly facetType: 'RANGED'; readonly buckets: readonly RangedBucket[] }

export interface SearchHits {
  readonly total: number
  readonly exact: boolean
  readonly hits: readonly Hit[]
  readonly facets: readonly FacetResult[]
  /** What was searched for instead, because nothing was found by the text as it was typed. */
  readonly corrected?: string
}

export interface TypeAheadRequest {
  readonly text: string
  readonly count: number
  /** Values of this field only. */
  readonly field?: string
  readonly locale?: string
  /** Only words of these fields and these locales; without them all are. */
  readonly fields?: readonly string[]
  readonly locales?: readonly string[]
  /** How many words may stand between the words typed. */
  readonly slop?: number
  /** Only what occurs in these documents is suggested, so that nothing hidden shows. */
  readonly within?: Predicate
}
export interface TypeAheadAnswer {
  readonly suggestions: readonly { readonly text: string; readonly field: string }[]
  readonly corrections: readonly string[]
}

/** How far an index has followed its source; only the feeder reads what is in it. */
export type Position = string

export interface SearchEngine {
  search(query: LogicalQuery): Promise<SearchHits>
  typeAhead(request: TypeAheadRequest): Promise<TypeAheadAnswer>
  /** Replaces and removes documents. Idempotent; searches see all of it or none. */
  apply(changes: Changes, position: Position): Promise<void>
  /** The position of the last change that is searchable. */
  appliedPosition(): Position
}
export interface Changes {
  readonly put: readonly SearchDocument[]
  readonly remove: readonly number[]
}
