/** The Search area (JSON only): searching, suggestions, history, stored searches, and the administration of indexes. */
import { area, flag, whole, word } from '../endpoint.ts'
import {
  FieldInfoRequest,
  FieldInfoResult,
  indexes,
  Search,
  SearchResult,
  SearchVersion,
  Suggest,
  SuggestResult,
  TypeAhead,
  TypeAheadResult,
} from '../schema/search.ts'
import {
  DocumentUpdate,
  DocumentWait,
  HistoryAdd,
  HistoryAddResult,
  HistoryDelete,
  HistoryDeleteResult,
  HistoryQuery,
  HistoryQueryResult,
  IndexCommand,
  IndexItem,
  IndexResult,
  IndexStateItem,
  SearchConfiguration,
  SearchConfigurationList,
  StoredSearch,
  StoredSearchInsert,
  StoredSearchListResult,
  StoredSearchOperationResult,
} from '../schema/search-admin.ts'

/** For any user with a read permission. Results contain only objects that the caller may read. */
const user = { access: 'user', formats: 'json', needs: { action: 'read' } } as const
const admin = { access: 'admin', formats: 'json' } as const

const ask = [200, 400, 401] as const
const find = [200, 400, 401, 404] as const

// prettier-ignore
export const search = area({
  base: '/api/v1/search',
  doc: 'Full-text, field, combined, facet and join search over indexes, suggestions, search history, stored searches, and the administration of indexes.',
  resources: {},
  routes: {
    search:            { ...user, doc: 'Searches an index. Totals and facets are exact and count only objects that the caller may read.', method: 'POST', path: '', request: Search, reply: SearchResult, statuses: find },
    searchQuery:       { ...user, own: true, doc: 'Searches an index. Same as POST /api/v1/search.', method: 'POST', path: '/query', request: Search, reply: SearchResult, statuses: find },
    fields:            { ...user, doc: 'Lists the fields of an index.', method: 'POST', path: '/fields', request: FieldInfoRequest, reply: FieldInfoResult, statuses: find },
    listFields:        { ...user, own: true, doc: 'Lists the fields of an index.', method: 'GET', path: '/fields', reply: FieldInfoResult, statuses: find,
                         query: { index: { ...word('The index.', indexes), required: true }, showAllowedOperators: flag('true also lists the allowed comparators of each field.'), fields: 'Field names, separated by commas. Default: all fields.', language: 'Locale of the labels.' } },
    suggest:           { ...user, doc: 'Suggests completions of the typed text. They come from names and from your search history, and include corrections.', method: 'POST', path: '/suggest', request: Suggest, reply: SuggestResult, statuses: ask },
    typeAhead:         { ...user, doc: 'Suggests values of a field that complete the typed text.', method: 'POST', path: '/type-ahead', request: TypeAhead, reply: TypeAheadResult, statuses: find },

    updateDocuments:   { ...admin, doc: 'Reindexes documents after a change that did not go through the server.', method: 'PATCH', path: '/documents', request: DocumentUpdate, statuses: [200, 400, 401, 403, 404] },
    waitForDocuments:  { ...user, doc: 'Waits until the index contains the current version of documents. With modifiedAt, also waits until each document has changed since then.', method: 'POST', path: '/documents/wait', waits: true, request: DocumentWait, statuses: find },

    addHistory:        { ...user, doc: 'Adds an entry to your search history.', method: 'POST', path: '/history', request: HistoryAdd, reply: HistoryAddResult, statuses: [200, 400, 401, 403] },
    deleteHistory:     { ...user, doc: 'Deletes your search history.', method: 'DELETE', path: '/history', request: HistoryDelete, requestOptional: true, reply: HistoryDeleteResult, statuses: [200, 400, 401, 403] },
    queryHistory:      { ...user, doc: 'Lists your search history, latest first.', method: 'POST', path: '/history/query', request: HistoryQuery, requestOptional: true, reply: HistoryQueryResult, statuses: [200, 400, 401, 403] },

    commandIndex:      { ...admin, doc: 'Rebuilds an index, or enables or disables its incremental updates. A rebuild runs in the background while the index remains searchable. Poll its progress with the command STATE.', method: 'POST', path: '/index', request: IndexCommand, reply: IndexResult, statuses: [200, 400, 401, 403] },
    listIndexStates:   { ...user, doc: 'Lists the state of each index: the progress of a rebuild, and whether it matches the current fields.', method: 'GET', path: '/index/state', replyList: IndexStateItem, statuses: [200, 401] },
    listIndexes:       { ...user, doc: 'Lists the indexes.', method: 'GET', path: '/index', replyList: IndexItem, statuses: [200, 401] },

    deleteStoredSearch:{ ...user, doc: 'Deletes one of your stored searches.', method: 'DELETE', path: '/storedsearch/{id}', statuses: [204, 401, 404] },
    getStoredSearch:   { ...user, doc: 'Returns one of your stored searches.', method: 'GET', path: '/storedsearch/{id}', reply: Search, statuses: [200, 401, 404] },
    listStoredSearches:{ ...user, doc: 'Lists your stored searches by name.', method: 'GET', path: '/storedsearch', reply: StoredSearchListResult, statuses: ask,
                         query: { index: word('Only searches in this index.', indexes), configId: whole('Only searches with this configuration.') } },
    storeSearch:       { ...user, doc: 'Stores a search.', method: 'POST', path: '/storedsearch', request: StoredSearchInsert, reply: StoredSearchOperationResult, statuses: [201, 400, 401, 404] },
    changeStoredSearch:{ ...user, doc: 'Renames or replaces one of your stored searches.', method: 'PATCH', path: '/storedsearch/{id}', request: StoredSearch, reply: StoredSearchOperationResult, statuses: [200, 400, 401, 404] },

    listConfigurations:{ ...user, own: true, doc: 'Lists the search configurations by identifier.', method: 'GET', path: '/configurations', reply: SearchConfigurationList, statuses: [200, 401] },
    putConfiguration:  { ...admin, own: true, doc: 'Creates or replaces a search configuration.', method: 'PUT', path: '/configurations/{identifier}', request: SearchConfiguration, reply: SearchConfiguration, statuses: [200, 400, 401, 403] },
    deleteConfiguration:{ ...admin, own: true, doc: 'Deletes a search configuration.', method: 'DELETE', path: '/configurations/{identifier}', statuses: [204, 401, 403, 404] },

    serviceVersion:    { ...user, doc: 'Returns the version of the search service.', method: 'GET', path: '/service-search-version', reply: SearchVersion, statuses: [200, 401] },
    version:           { ...user, own: true, doc: 'Returns the version of the search service. Same as /service-search-version.', method: 'GET', path: '/version', reply: SearchVersion, statuses: [200, 401] },
  },
})
