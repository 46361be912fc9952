/**
 * The Search API (JSON only): the words it uses, searches and their results, fields and suggestions.
 * Stored searches, history, indexes and documents are in search-admin.ts.
 */
import { anything, child, children, leaf, leaves, required, type, type Infer, type Type } from './describe.ts'

// Words

export const indexes = [
  'ASSET',
  'PRODUCT',
  'CHANNEL',
  'GLOBAL',
  'HISTORY',
  'FS_TABLE_WFL',
  'CHANNEL_2_PRODUCT',
] as const
export const searchTypes = ['CONFIG', 'INDEX'] as const
export const queryTypes = ['FULLTEXT', 'FIELD', 'COMBINED', 'TYPEAHEAD'] as const
export const operators = ['AND', 'OR'] as const
export const directions = ['ASC', 'DESC'] as const
export const facetTypes = ['NAMED', 'RANGED'] as const
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

/** Of the Search API; raised with it, as the rules of semantic versions say. */
export const searchVersion = '1.0.0'

type Word<W extends readonly string[]> = W[number]

/** What every result of the Search API begins with. */
export const resultHead = {
  apiVersion: leaf('string', 'Version of the Search API.'),
  processingTimeMillis: leaf('long'),
}

// Searching

export const SearchContext = type('searchContext', 'Where to search: in an index, or as a search configuration says.', {
  searchType: leaf(searchTypes, 'CONFIG applies a search configuration, INDEX goes straight to the index.'),
  configId: leaf('long'),
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
export const Query: Type<Query> = type('query', 'A condition. Which fields it has depends on queryType.', {
  queryType: required(leaf(queryTypes)),
  customProperty: leaf('string', 'Returned unchanged.'),
  value: anything('FULLTEXT: the text to search for. FIELD: the value to compare with; a list with IN and NOT_IN.'),
  name: leaf('string', 'FIELD and TYPEAHEAD: name of the field.'),
  comparator: leaf(comparators, 'FIELD: how to compare. NOT forms include documents without a value.'),
  keyword: leaf('boolean', 'FIELD: compare the value as a whole instead of word by word.'),
  language: leaf('string', 'FIELD: locale of the value, for example en_GB.'),
  queries: children(() => Query, 'COMBINED: the conditions to combine.'),
  operator: leaf(operators, 'COMBINED: how to combine them.'),
  text: leaf('string', 'TYPEAHEAD: what was typed so far.'),
  count: leaf('integer', 'TYPEAHEAD: how many suggestions at most.'),
  slop: leaf('integer', 'TYPEAHEAD: how many words may stand between the words typed.'),
})

export const SortOption = type('sortOption', 'What to sort by.', {
  attribute: required(leaf('string', 'Name of the field.')),
  direction: leaf(directions, 'Default ASC.'),
  language: leaf('string', 'Locale whose values are sorted by.'),
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
  query: child(() => Query, 'Without a query everything matches.'),
  maxResults: leaf('integer', 'The last hit that can be paged to. Default 10000.'),
  pageIndex: leaf('integer', 'From 0.'),
  pageSize: leaf('integer', 'Default 20, at most 1000.'),
  sortOptions: children(() => SortOption),
  aggregationEnabled: leaf('boolean', 'Also return facets.'),
  aggregateEmptyValueEnabled: leaf('boolean', 'Count documents without a value as a facet of their own.'),
  aggregationMaxResults: leaf(
    'integer',
    'Facets per field, of all levels where they are nested: the most frequent. Default 10.',
  ),
  resultAttributes: leaves('string', 'Fields to return.'),
  storedFields: leaves('string', 'Fields to return as they were indexed.'),
  aggregationAttributes: leaves('string', 'Fields to make facets of.'),
  join: child(() => Join),
  language: leaf('string', 'Locale of values and labels, for example en_GB.'),
  customProperty: leaf('string', 'Returned unchanged.'),
})

export interface Join {
  joinOn: string
  search: Search
}
export const Join: Type<Join> = type('join', 'Keeps hits that are linked to a hit of another search.', {
  joinOn: required(leaf('string', 'A link field of the outer index that holds tids, for example channels.')),
  search: required(child(() => Search)),
})

// Results

export const SearchAttribute = type('searchAttribute', 'A field of a hit.', {
  name: leaf('string'),
  label: leaf('string', 'Name of the field in the language asked for.'),
  type: leaf('string'),
  value: anything(),
})

export const Highlight = type('highlight', 'Where the words searched for were found, marked with em tags.', {
  name: leaf('string', 'Name of the field.'),
  value: leaves('string'),
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
export const Facet: Type<Facet> = type('facet', 'How many documents have a value, or a value in a range.', {
  facetType: leaf(facetTypes, 'RANGED for numbers and dates, NAMED otherwise.'),
  attribute: leaf('string', 'Name of the field.'),
  label: leaf('string'),
  type: leaf('string'),
  value: anything('NAMED: the value.'),
  count: leaf('integer'),
  from: anything('RANGED: the lower bound, included.'),
  to: anything('RANGED: the upper bound, excluded.'),
  children: children(() => Facet),
})

export const FacetGroup = type('facetGroup', 'The facets of one field.', {
  name: leaf('string'),
  facets: children(() => Facet),
})

export const SearchResult = type('searchResult', 'The hits of a search.', {
  ...resultHead,
  resultCount: leaf('integer', 'Hits in this page.'),
  totalHitCount: leaf('long', 'Hits of the search.'),
  exactHitCount: leaf('boolean', 'false when totalHitCount is a lower bound.'),
  items: children(() => SearchItem),
  facets: children(() => FacetGroup),
  suggest: leaves('string', 'What may have been meant instead.'),
})

export const SearchError = type('searchError', 'The reply of a failed call of the Search API.', {
  apiVersion: leaf('string', 'Version of the Search API.'),
  status: leaf('integer', 'HTTP status.'),
  code: leaf('string', 'Code of the error, see the list of errors.'),
  message: leaf('string'),
  supportId: leaf('string', 'Quote it when asking for help.'),
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
  nestedFields?: FieldCfg[]
  allowedOperators?: string[]
}
export const FieldCfg: Type<FieldCfg> = type('fieldCfg', 'A field that can be searched.', {
  fieldName: leaf('string'),
  label: leaf('string'),
  fieldType: leaf('string'),
  aggregatable: leaf('boolean', 'Whether facets can be made of it.'),
  sortable: leaf('boolean'),
  multilingual: leaf('boolean'),
  attrIdentifier: leaf('string', 'Identifier of the attribute the field is made of.'),
  nestedFields: children(() => FieldCfg),
  allowedOperators: leaves('string', 'Comparators that fit the field.'),
})

export const FieldInfoRequest = type('fieldInfoRequest', 'Which fields of an index to describe.', {
  index: leaf(indexes),
  showAllowedOperators: leaf('boolean', 'Default false.'),
  fields: leaves('string', 'Names of fields; all when empty.'),
})

export const FieldInfoResult = type('fieldInfoResult', 'The fields of an index.', {
  ...resultHead,
  fields: children(() => FieldCfg),
})

// Suggestions

export const Suggest = type('suggest', 'Asks for texts that continue what was typed.', {
  index: leaf(indexes),
  text: required(leaf('string')),
  count: leaf('integer', 'How many at most.'),
})
export const SuggestResult = type('suggestResult', 'Texts that continue what was typed.', {
  ...resultHead,
  suggestions: leaves('string'),
})

export const TypeAhead = type('typeAhead', 'Asks for values of a field that continue what was typed.', {
  index: leaf(indexes),
  name: leaf('string', 'Name of the field.'),
  text: required(leaf('string')),
  count: leaf('integer', 'How many at most.'),
  slop: leaf('integer', 'How many words may stand between the words typed.'),
})
export const AdvancedSuggestion = type('advancedSuggestion', 'A suggestion and where it comes from.', {
  text: leaf('string'),
  from: leaf('string', 'Name of the field.'),
})
export const TypeAheadResult = type('typeAheadResult', 'Values that continue what was typed.', {
  ...resultHead,
  suggestions: leaves('string'),
  advSuggestions: children(() => AdvancedSuggestion),
  corrections: leaves('string', 'What may have been meant instead.'),
})

export const SearchVersion = type('searchVersion', 'The version of the search service.', {
  ...resultHead,
  majorVersion: leaf('string'),
  minorVersion: leaf('string'),
  patchVersion: leaf('string'),
  qualifier: leaf('string'),
  buildDate: leaf('string'),
})
