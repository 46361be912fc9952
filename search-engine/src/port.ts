/**
 * The port that a search engine implements: documents and logical queries in, hits out.
 *
 * A logical query is a search whose fields have been resolved: every field exists, operands have the type of their
 * field, and the caller's permissions are part of the predicate. An engine only compiles and runs it. oracle.ts defines
 * the meaning of every predicate, and every engine must agree with it.
 */
import type { Query } from '@kontor/contract'

// Schema and documents

export type FieldType = 'text' | 'keyword' | 'number' | 'date' | 'boolean'

export interface FieldDefinition {
  readonly name: string
  readonly type: FieldType
  /** Has values per locale. The values of other fields are stored under the locale ''. */
  readonly localized?: boolean
  /** text and keyword: weight in full-text search. Fields without a weight are not searched. */
  readonly weight?: number
  /** keyword: values are paths such as `a/b/c`. A document also has every ancestor, and facets are nested. */
  readonly path?: boolean
  /** text: too long to compare, sort or count as a whole value. Only its words are searched. */
  readonly long?: boolean
}

export interface IndexSchema {
  readonly fields: readonly FieldDefinition[]
  /** The locales in which localized fields have values. */
  readonly locales: readonly string[]
  /** Collates fields that are not localized, and replaces an unknown locale. */
  readonly defaultLocale: string
  /** Change it when documents are built differently, so that existing indexes become outdated. */
  readonly revision?: string
}

/** A date is a number of milliseconds since 1970 in UTC. */
export type Scalar = string | number | boolean
/** Values by locale ('' if the field is not localized). An empty list or an empty text counts as no value. */
export type FieldValues = ReadonlyMap<string, readonly Scalar[]>

export interface SearchDocument {
  readonly id: number
  readonly fields: ReadonlyMap<string, FieldValues>
}

// Queries

export type Comparator = NonNullable<Query['comparator']>

/** A date with its precision: `2024-05-01` is the whole day. `from` is inclusive, `to` is exclusive. */
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
  /** One operand; any number for IN and NOT_IN; none for IS_EMPTY and IS_NOT_EMPTY. */
  readonly operands: readonly Operand[]
  /** text: compare the whole value instead of its words. */
  readonly keyword?: boolean | undefined
  /** Localized fields: the locale to compare. Without it, a value in any locale may match. */
  readonly locale?: string | undefined
}

/** Full text: all words must occur, in any field with a weight. Quoted words must be adjacent in one field. */
export interface TextPredicate {
  readonly kind: 'text'
  readonly text: string
  /** Without it, the best score over all locales counts. */
  readonly locale?: string | undefined
  /** Restrict the search to these fields and locales. */
  readonly fields?: readonly string[] | undefined
  readonly locales?: readonly string[] | undefined
}

/**
 * Matches documents that are linked to a document of another index: a value of `to` here equals a value of `from`
 * there. Either is a field name, or 'id' for the document ID. Values are compared as numbers if `to` is numeric,
 * otherwise as text.
 */
export interface JoinPredicate {
  readonly kind: 'join'
  readonly index: string
  /** Selects the documents of the other index, including the caller's permissions there. */
  readonly of: Predicate
  readonly from: string
  readonly to: string
}

/** Documents without a value come last in both directions. Ties are broken by ID. */
export interface SortKey {
  readonly field: string
  readonly descending?: boolean | undefined
  readonly locale?: string | undefined
}

export interface FacetRequest {
  readonly field: string
  readonly locale?: string | undefined
  /** Maximum number of values, over all levels of a nested facet. */
  readonly limit: number
  /** Also count documents without a value. */
  readonly countEmpty?: boolean | undefined
  /** number and date: the ranges. Without them, round ranges are derived from the hits. */
  readonly ranges?: readonly Range[] | undefined
  /** Count only hits that also match this predicate. */
  readonly within?: Predicate | undefined
}
/** `from` is inclusive, `to` is exclusive. A missing bound is open. */
export interface Range {
  readonly from?: number
  readonly to?: number
}

export interface LogicalQuery {
  readonly predicate: Predicate
  /** Default: by relevance if the query has text, otherwise by ID. */
  readonly sort?: readonly SortKey[] | undefined
  readonly offset: number
  readonly limit: number
  readonly facets?: readonly FacetRequest[] | undefined
  /** If nothing is found, replace words that no document contains by similarly spelled ones. */
  readonly tolerant?: boolean | undefined
}

/** Searches several indexes, each with its own predicate, and ranks and counts the hits as if they were one index. */
export interface CommonQuery extends Omit<LogicalQuery, 'predicate' | 'tolerant'> {
  readonly members: readonly { readonly index: string; readonly predicate: Predicate }[]
}

// Results

export interface Hit {
  readonly id: number
  /** 0 unless hits are sorted by relevance. */
  readonly score: number
  /** The index of the hit, if several were searched. */
  readonly index?: string
}

export interface NamedBucket {
  /** null stands for documents without a value. */
  readonly value: string | boolean | null
  readonly count: number
  readonly children?: readonly NamedBucket[]
}
export interface RangedBucket extends Range {
  /** Marks the count of documents without a value. */
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
  /** The corrected text that was searched because the original text found nothing. */
  readonly corrected?: string
}

export interface TypeAheadRequest {
  readonly text: string
  readonly count: number
  /** Suggest values of this field only. */
  readonly field?: string | undefined
  readonly locale?: string | undefined
  /** Suggest words of these fields and locales only. */
  readonly fields?: readonly string[] | undefined
  readonly locales?: readonly string[] | undefined
  /** Maximum number of other words between the typed words. */
  readonly slop?: number | undefined
  /** Suggest only words of these documents, so that hidden documents do not leak. */
  readonly within?: Predicate | undefined
}
export interface TypeAheadAnswer {
  readonly suggestions: readonly { readonly text: string; readonly field: string }[]
  readonly corrections: readonly string[]
}

/** How far the index has followed its source. Only the feeder interprets the value. */
export type Position = string

export interface SearchEngine {
  search(query: LogicalQuery): Promise<SearchHits>
  typeAhead(request: TypeAheadRequest): Promise<TypeAheadAnswer>
  /** Replaces and removes documents. Idempotent. Searches see either all of the changes or none. */
  apply(changes: Changes, position: Position): Promise<void>
  /** The position of the last change that is searchable. */
  appliedPosition(): Position
}
export interface Changes {
  readonly put: readonly SearchDocument[]
  readonly remove: readonly number[]
  /**
   * A number that was drawn before the documents were read, for an engine that several processes write to: of two writes
   * of a document the one with the higher number wins.
   */
  readonly version?: number | undefined
}

// Indexes across rebuilds

export interface IndexStatus {
  /** missing and damaged find nothing; outdated and ready serve. All but ready require a rebuild. */
  readonly state: 'missing' | 'damaged' | 'outdated' | 'ready'
  readonly position: Position
  /** When the generation that serves was activated. */
  readonly createdAt?: Date | undefined
  readonly rebuilding: boolean
}

export interface SearchIndex extends SearchEngine {
  status(): IndexStatus
  /** New fields can be used at once. Changed field definitions make the index outdated. */
  useSchema(schema: IndexSchema): void
  /** The IDs, ascending, of the documents with one of the values in a keyword field that is not localized. */
  idsWithValue(field: string, values: readonly string[]): Promise<readonly number[]>
  /** The given IDs for which the index has no document. */
  missingIds(ids: readonly number[]): Promise<readonly number[]>
  /** Highlights matches of a predicate in texts of the primary store. */
  highlighter(predicate: Predicate): Highlighter
  /** Stores all applied changes and the position, so that a restart continues there. */
  seal(): Promise<void>
  /** Starts building the next generation. Only one rebuild can run at a time. */
  rebuild(schema: IndexSchema): Promise<Rebuild>
}

/** The next generation of an index, which is built while the active one serves. */
export interface Rebuild {
  /** Adds documents of the source, each once, preferably in the order of their IDs. Waits if the engine is behind. */
  add(documents: readonly SearchDocument[]): Promise<void>
  /** Like `add`, for documents that the engine's own processes read. IDs without a document are skipped. */
  collect?(reader: DocumentReader, ids: readonly number[]): Promise<void>
  /** All documents were added; they are those of the source at this position. */
  finish(position: Position): Promise<void>
  /** Documents may contain new fields from now on. */
  useSchema(schema: IndexSchema): void
  /** Applies changes that happened since the rebuild began. */
  apply(changes: Changes, position: Position): Promise<void>
  /** Makes the new generation active, for searches and after a restart. */
  activate(): Promise<void>
  /** Abandons the rebuild. */
  drop(): Promise<void>
}

/** How another process opens a reader of documents. */
export interface DocumentReader {
  /** URL of a module that exports `openReader`. */
  readonly module: string
  /** Its argument; must be plain data. */
  readonly options: object
}

export interface Highlighter {
  /** Fragments of a text, in a field and locale ('' if not localized); empty if nothing matches. */
  highlight(field: FieldDefinition, locale: string, text: string): string[]
  /** Whether the query looks at a field, or at its texts in a locale. */
  looksAt(field: FieldDefinition, locale?: string): boolean
}

/** A set of indexes, which can be searched together and joined. */
export interface Indexes {
  /** Opens an index, once. A missing or damaged index finds nothing until it is rebuilt. */
  open(name: string, schema: IndexSchema): Promise<SearchIndex>
  /** Searches several open indexes at once. */
  search(query: CommonQuery): Promise<SearchHits>
  close(): Promise<void>
}

/** A rebuild is already running. */
export class RebuildRunning extends Error {
  constructor(name: string) {
    super(`index ${name} is being rebuilt; wait until it is done`)
    this.name = 'RebuildRunning'
  }
}

/** The engine cannot answer now. The same call may succeed later. */
export class SearchUnavailable extends Error {
  override readonly name: string = 'SearchUnavailable'
}
