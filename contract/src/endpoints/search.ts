/** The Search area (JSON only): searching, suggestions, history, stored searches, and the administration of indexes. */
import { area } from '../endpoint.ts'
import {
  FieldInfoRequest,
  FieldInfoResult,
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

/** For everybody who may read anything; what is found is what the caller may read. */
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
    search:            { ...user, doc: 'Searches an index. Totals and facets are exact, and count only what the caller may read.', method: 'POST', path: '', request: Search, reply: SearchResult, statuses: find },
    searchQuery:       { ...user, own: true, doc: 'Searches an index: another address for the same.', method: 'POST', path: '/query', request: Search, reply: SearchResult, statuses: find },
    fields:            { ...user, doc: 'The fields of an index.', method: 'POST', path: '/fields', request: FieldInfoRequest, reply: FieldInfoResult, statuses: find },
    listFields:        { ...user, own: true, doc: 'The fields of an index.', method: 'GET', path: '/fields', reply: FieldInfoResult, statuses: find,
                         query: { index: 'The index; required.', showAllowedOperators: 'true also lists the comparators that fit each field.', fields: 'Names of fields, separated by commas; all when absent.', language: 'Locale of the labels.' } },
    suggest:           { ...user, doc: 'Texts that continue what was typed: of names, of what the caller searched for before, and corrections.', method: 'POST', path: '/suggest', request: Suggest, reply: SuggestResult, statuses: ask },
    typeAhead:         { ...user, doc: 'Values of a field that continue what was typed.', method: 'POST', path: '/type-ahead', request: TypeAhead, reply: TypeAheadResult, statuses: find },

    updateDocuments:   { ...admin, doc: 'Has documents of an index read again, after a change that the server was not told of.', method: 'PATCH', path: '/documents', request: DocumentUpdate, statuses: [200, 400, 401, 403] },
    waitForDocuments:  { ...user, doc: 'Waits until documents can be found as they are now, or as of a time. Returns the moment they can.', method: 'POST', path: '/documents/wait', request: DocumentWait, statuses: find },

    addHistory:        { ...user, doc: 'Remembers what the caller searched for.', method: 'POST', path: '/history', request: HistoryAdd, reply: HistoryAddResult, statuses: [200, 400, 401, 403] },
    deleteHistory:     { ...user, doc: 'Forgets what the caller searched for.', method: 'DELETE', path: '/history', request: HistoryDelete, requestOptional: true, reply: HistoryDeleteResult, statuses: [200, 400, 401, 403] },
    queryHistory:      { ...user, doc: 'What the caller searched for, latest first.', method: 'POST', path: '/history/query', request: HistoryQuery, requestOptional: true, reply: HistoryQueryResult, statuses: [200, 400, 401, 403] },

    commandIndex:      { ...admin, doc: 'Rebuilds an index while it is searched, or lets it stand still. A rebuild goes on in the background; ask for its state.', method: 'POST', path: '/index', request: IndexCommand, reply: IndexResult, statuses: [200, 400, 401, 403] },
    listIndexStates:   { ...user, doc: 'How far each index is with a rebuild, and whether it fits the present fields.', method: 'GET', path: '/index/state', replyList: IndexStateItem, statuses: [200, 401] },
    listIndexes:       { ...user, doc: 'The indexes.', method: 'GET', path: '/index', replyList: IndexItem, statuses: [200, 401] },

    deleteStoredSearch:{ ...user, doc: 'Removes a stored search of the caller.', method: 'DELETE', path: '/storedsearch/{id}', statuses: [204, 401, 404] },
    getStoredSearch:   { ...user, doc: 'A stored search of the caller.', method: 'GET', path: '/storedsearch/{id}', reply: Search, statuses: [200, 401, 404] },
    listStoredSearches:{ ...user, doc: 'The stored searches of the caller, by name.', method: 'GET', path: '/storedsearch', reply: StoredSearchListResult, statuses: ask,
                         query: { index: 'Only searches of this index.', configId: 'Only searches of this configuration.' } },
    storeSearch:       { ...user, doc: 'Stores a search for the caller.', method: 'POST', path: '/storedsearch', request: StoredSearchInsert, reply: StoredSearchOperationResult, statuses: [201, 400, 401] },
    changeStoredSearch:{ ...user, doc: 'Renames a stored search of the caller, or stores another in its place.', method: 'PATCH', path: '/storedsearch/{id}', request: StoredSearch, reply: StoredSearchOperationResult, statuses: [200, 400, 401, 404] },

    listConfigurations:{ ...user, own: true, doc: 'The search configurations, by identifier.', method: 'GET', path: '/configurations', reply: SearchConfigurationList, statuses: [200, 401] },
    putConfiguration:  { ...admin, own: true, doc: 'Makes a search configuration, or makes it so.', method: 'PUT', path: '/configurations/{identifier}', request: SearchConfiguration, reply: SearchConfiguration, statuses: [200, 400, 401, 403] },
    deleteConfiguration:{ ...admin, own: true, doc: 'Removes a search configuration.', method: 'DELETE', path: '/configurations/{identifier}', statuses: [204, 401, 403, 404] },

    serviceVersion:    { ...user, doc: 'The version of the search service.', method: 'GET', path: '/service-search-version', reply: SearchVersion, statuses: [200, 401] },
    version:           { ...user, own: true, doc: 'The version of the search service: another address for the same.', method: 'GET', path: '/version', reply: SearchVersion, statuses: [200, 401] },
  },
})
