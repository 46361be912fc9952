/**
 * The Search API (JSON only): its enumerations, searches and their results, fields and suggestions.
 * Stored searches, history, indexes and documents are in search-admin.ts.
 */
import {
  anything,
  child,
  children,
  expects,
  leaf,
  leaves,
  needsOneOf,
  required,
  safe,
  type,
  type Infer,
  type Type,
} from './describe.ts'

// Enumerations

export const indexes = [
  'ASSET',
  'PRODUCT',
  'CHANNEL',
  'GLOBAL',
  'HISTORY',
  'FS_TABLE_WFL',
  'CHANNEL_2_PRODUCT',
] as const
const searchTypes = ['CONFIG', 'INDEX'] as const
const queryTypes = ['FULLTEXT', 'FIELD', 'COMBINED', 'TYPEAHEAD'] as const
const operators = ['AND', 'OR'] as const
export const directions = ['ASC', 'DESC'] as const
const facetTypes = ['NAMED', 'RANGED'] as const
export const documentEvents = ['CREATE', 'UPDATE', 'DELETE'] as const
// prettier-ignore
export const comparators = [
  'EQ', 'NOT_EQ', 'LIKE', 'NOT_LIKE', 'GT', 'GE', 'LT', 'LE', 'IN', 'NOT_IN', 'IS_EMPTY', 'IS_NOT_EMPTY',
  'TERM_STARTS_WITH', 'TERM_NOT_STARTS_WITH', 'TERM_ENDS_WITH', 'TERM_NOT_ENDS_WITH', 'TERM_WILDCARD', 'TERM_NOT_WILDCARD',
] as const
export const indexCommands = ['REBUILD', 'STATE', 'ENABLE_INCREMENTAL_UPDATES', 'DISABLE_INCREMENTAL_UPDATES'] as const
export const indexEvents = [
  'PREPARE',
  'CREATE_INDEX',
  'ADD_DOCUMENTS',
  'SET_ALIAS',
  'PROCESS_DELTA',
  'DELETE_OLD_INDEX',
  'END',
  'ERROR',
  'BUSY',
] as const

/** The semantic version of the Search API. Raise it when the API changes. */
export const searchVersion = '1.0.0'

type Word<W extends readonly string[]> = W[number]

/** The fields at the beginning of every result of the Search API. */
export const resultHead = {
  apiVersion: leaf('string', 'Version of the Search API.'),
  processingTimeMillis: leaf('long'),
}

// Searching

export const SearchContext = type('searchContext', 'Where to search: in an index, or with a search configuration.', {
  searchType: leaf(searchTypes, 'CONFIG applies a search configuration, INDEX searches the index directly.'),
  configId: safe(leaf('long')),
  configIdentifier: leaf('string'),
  labelLocalization: leaf('string', 'Locale of the labels in the result, for example en_GB.'),
  index: leaf(indexes),
})

export interface Query {
  queryType: Word<typeof queryTypes>
  customProperty?: string
  value?: unknown
  name?: string
  comparator?: Word<typeof comparators>
  keyword?: boolean
  language?: string
  queries?: Query[]
  operator?: Word<typeof operators>
  text?: string
  count?: number
  slop?: number
}
export const Query: Type<Query> = type('query', 'A condition. Its fields depend on queryType.', {
  queryType: required(leaf(queryTypes)),
  customProperty: leaf('string', 'Returned unchanged.'),
  value: anything(
    'FULLTEXT: the text to search for. FIELD: the value to compare with, or a list of values for IN and NOT_IN.',
  ),
  name: leaf('string', 'FIELD and TYPEAHEAD: name of the field.'),
  comparator: leaf(comparators, 'FIELD: how to compare. Negated comparators also match documents without a value.'),
  keyword: leaf('boolean', 'FIELD: compare the value as a whole instead of word by word.'),
  language: leaf('string', 'FIELD: locale of the value, for example en_GB.'),
  queries: children(() => Query, 'COMBINED: the conditions to combine.'),
  operator: leaf(operators, 'COMBINED: how to combine them.'),
  text: leaf('string', 'TYPEAHEAD: the typed text.'),
  count: leaf('integer', 'TYPEAHEAD: maximum number of suggestions.'),
  slop: leaf('integer', 'TYPEAHEAD: maximum number of words between the typed words.'),
})

export const SortOption = type('sortOption', 'A sort criterion.', {
  attribute: required(leaf('string', 'Name of the field.')),
  direction: leaf(directions, 'Default ASC.'),
  language: leaf('string', 'Locale of the values to sort by.'),
})

export interface Search {
  context?: Infer<typeof SearchContext>
  query?: Query
  maxResults?: number
  pageIndex?: number
  pageSize?: number
  sortOptions?: Infer<typeof SortOption>[]
  aggregationEnabled?: boolean
  aggregateEmptyValueEnabled?: boolean
  aggregationMaxResults?: number
  resultAttributes?: string[]
  storedFields?: string[]
  aggregationAttributes?: string[]
  join?: Join
  language?: string
  customProperty?: string
}
export const Search: Type<Search> = type('search', 'A search.', {
  context: child(() => SearchContext),
  query: child(() => Query, 'Without a query, all documents match.'),
  maxResults: expects(leaf('integer', 'Maximum number of hits that can be paged through. Default 10000.'), 0),
  pageIndex: expects(leaf('integer', 'Number of the page, from 0.'), 0),
  pageSize: expects(leaf('integer', 'Default 20.'), 0, 1000),
  sortOptions: expects(
    children(() => SortOption),
    0,
    16,
  ),
  aggregationEnabled: leaf('boolean', 'Whether to return facets.'),
  aggregateEmptyValueEnabled: leaf('boolean', 'Whether to count documents without a value as a separate facet.'),
  aggregationMaxResults: expects(
    leaf(
      'integer',
      'Maximum number of facets per field, including nested facets. The most frequent are returned. Default 10.',
    ),
    1,
    1000,
  ),
  resultAttributes: leaves('string', 'Fields to return.'),
  storedFields: leaves('string', 'Fields to return as indexed.'),
  aggregationAttributes: expects(leaves('string', 'Fields to return facets for.'), 0, 20),
  join: child(() => Join),
  language: leaf('string', 'Locale of values and labels, for example en_GB.'),
  customProperty: leaf('string', 'Returned unchanged.'),
})

export interface Join {
  joinOn: string
  search: Search
}
export const Join: Type<Join> = type('join', 'Restricts hits to those linked to a hit of another search.', {
  joinOn: required(leaf('string', 'A link field of the outer index that contains tids, for example channels.')),
  search: required(child(() => Search)),
})

// Results

export const SearchAttribute = type('searchAttribute', 'A field of a hit.', {
  name: leaf('string'),
  label: leaf('string', 'Name of the field in the requested language.'),
  type: leaf('string'),
  value: anything(),
})

export const Highlight = type('highlight', 'Matches in a field, marked with em tags.', {
  name: leaf('string', 'Name of the field.'),
  value: leaves('string'),
  pages: leaves('integer', 'In the text of a document: the page, slide or sheet of each value (Kontor extension).'),
})

export const SearchItem = type('searchItem', 'A hit.', {
  id: leaf('long'),
  attributes: children(() => SearchAttribute),
  highlights: children(() => Highlight),
})

export interface Facet {
  facetType?: Word<typeof facetTypes>
  attribute?: string
  label?: string
  type?: string
  value?: unknown
  count?: number
  from?: unknown
  to?: unknown
  children?: Facet[]
}
export const Facet: Type<Facet> = type('facet', 'The number of documents with a value, or with a value in a range.', {
  facetType: leaf(facetTypes, 'RANGED for numbers and dates, NAMED otherwise.'),
  attribute: leaf('string', 'Name of the field.'),
  label: leaf('string'),
  type: leaf('string'),
  value: anything('NAMED: the value.'),
  count: leaf('integer'),
  from: anything('RANGED: the lower bound, inclusive.'),
  to: anything('RANGED: the upper bound, exclusive.'),
  children: children(() => Facet),
})

export const FacetGroup = type('facetGroup', 'The facets of one field.', {
  name: leaf('string'),
  facets: children(() => Facet),
})

export const SearchResult = type('searchResult', 'The hits of a search.', {
  ...resultHead,
  resultCount: leaf('integer', 'Number of hits on this page.'),
  totalHitCount: leaf('long', 'Total number of hits.'),
  exactHitCount: leaf('boolean', 'false if totalHitCount is a lower bound.'),
  items: children(() => SearchItem),
  facets: children(() => FacetGroup),
  suggest: leaves('string', 'Suggested corrections.'),
})

export const SearchError = type('searchError', 'The reply to a failed call of the Search API.', {
  apiVersion: leaf('string', 'Version of the Search API.'),
  status: leaf('integer', 'HTTP status.'),
  code: leaf('string', 'Error code; see the list of errors.'),
  message: leaf('string'),
  supportId: leaf('string', 'Quote it in support requests.'),
})

// Fields

export interface FieldCfg {
  fieldName?: string
  label?: string
  fieldType?: string
  aggregatable?: boolean
  sortable?: boolean
  multilingual?: boolean
  attrIdentifier?: string
  unit?: string
  nestedFields?: FieldCfg[]
  allowedOperators?: string[]
}
export const FieldCfg: Type<FieldCfg> = type('fieldCfg', 'A searchable field.', {
  fieldName: leaf('string'),
  label: leaf('string'),
  fieldType: leaf('string'),
  aggregatable: leaf('boolean', 'Whether the field supports facets.'),
  sortable: leaf('boolean'),
  multilingual: leaf('boolean'),
  attrIdentifier: leaf('string', 'Identifier of the attribute of the field.'),
  unit: leaf('string', 'The unit of the numbers of a measure. Queries may use other units of its family: 500 g.'),
  nestedFields: children(() => FieldCfg),
  allowedOperators: leaves('string', 'Comparators that the field supports.'),
})

export const FieldInfoRequest = needsOneOf(
  type('fieldInfoRequest', 'Selects fields of an index.', {
    index: leaf(indexes),
    showAllowedOperators: leaf('boolean', 'Default false.'),
    fields: leaves('string', 'Field names. Default: all fields.'),
  }),
  'index',
)

export const FieldInfoResult = type('fieldInfoResult', 'The fields of an index.', {
  ...resultHead,
  fields: children(() => FieldCfg),
})

// Suggestions

export const Suggest = needsOneOf(
  type('suggest', 'A request for completions of the typed text.', {
    index: leaf(indexes),
    text: required(leaf('string')),
    count: expects(leaf('integer', 'Maximum number of suggestions.'), 1, 100),
  }),
  'index',
)
export const SuggestResult = type('suggestResult', 'Completions of the typed text.', {
  ...resultHead,
  suggestions: leaves('string'),
})

export const TypeAhead = needsOneOf(
  type('typeAhead', 'A request for values of a field that complete the typed text.', {
    index: leaf(indexes),
    name: leaf('string', 'Name of the field.'),
    text: required(leaf('string')),
    count: expects(leaf('integer', 'Maximum number of suggestions.'), 1, 100),
    slop: expects(leaf('integer', 'Maximum number of words between the typed words.'), 0, 20),
  }),
  'index',
)
export const AdvancedSuggestion = type('advancedSuggestion', 'A suggestion and its field.', {
  text: leaf('string'),
  from: leaf('string', 'Name of the field.'),
})
export const TypeAheadResult = type('typeAheadResult', 'Values that complete the typed text.', {
  ...resultHead,
  suggestions: leaves('string'),
  advSuggestions: children(() => AdvancedSuggestion),
  corrections: leaves('string', 'Suggested corrections.'),
})

export const SearchVersion = type('searchVersion', 'The version of the search service.', {
  ...resultHead,
  majorVersion: leaf('string'),
  minorVersion: leaf('string'),
  patchVersion: leaf('string'),
  qualifier: leaf('string'),
  buildDate: leaf('string'),
})
