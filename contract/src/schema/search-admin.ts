/**
 * The rest of the Search API (JSON only): stored searches, search history, and the administration of indexes and
 * documents.
 */
import { child, children, expects, leaf, leaves, needsOneOf, required, safe, type } from './describe.ts'
import { documentEvents, indexCommands, indexes, indexEvents, Query, resultHead, Search, SortOption } from './search.ts'

// Stored searches

const notify = leaf(
  ['never', 'atOnce', 'daily'],
  'Whether you get a message when something new matches, and how soon: within about a minute, or once a day (Kontor extension). Default never. At most 20 searches can notify you; each may find at most 10,000 objects.',
)
export const StoredSearchInsert = type('storedSearchInsert', 'A search to store.', {
  name: required(leaf('string')),
  searchObject: required(child(() => Search)),
  notify,
})
export const StoredSearch = needsOneOf(
  type('storedSearch', 'Changes to a stored search. Fields that are not sent remain unchanged.', {
    name: leaf('string'),
    searchObject: child(() => Search),
    notify,
  }),
  'name',
  'searchObject',
  'notify',
)
export const StoredSearchEntry = type('storedSearchEntry', 'A stored search in a list.', {
  id: leaf('long'),
  index: leaf('string'),
  name: leaf('string'),
  pluginConfigurationId: leaf('long', 'Id of the search configuration, if the search uses one.'),
  pluginIdentifier: leaf('string', 'Identifier of the search configuration.'),
  notify: leaf(
    ['atOnce', 'daily'],
    'How soon you get a message about new matches; absent if never (Kontor extension).',
  ),
})
export const StoredSearchListResult = type('storedSearchListResult', 'Your stored searches.', {
  ...resultHead,
  storedSearchEntries: children(() => StoredSearchEntry),
})
export const StoredSearchOperationResult = type('storedSearchOperationResult', 'The stored or changed search.', {
  ...resultHead,
  id: leaf('long'),
  name: leaf('string'),
})

// History

export const HistoryAdd = type('historyAdd', 'An entry to add to the search history.', {
  text: required(leaf('string')),
  user: leaf('string', 'Default: the caller.'),
  context: leaf('string', 'The place in the application where the search was made.'),
})
export const HistoryEntry = type('historyEntry', 'An entry of the search history.', {
  id: leaf('long'),
  text: leaf('string'),
  user: leaf('string'),
  context: leaf('string'),
})
export const HistoryAddResult = type('historyAddResult', 'The added entry.', {
  ...resultHead,
  added: child(() => HistoryEntry),
})

export const HistoryDelete = type('historyDelete', 'Selects the search history to delete.', {
  user: leaf('string', 'Default: the caller.'),
  context: leaf('string', 'Only searches made in this context.'),
})
export const HistoryDeletion = type('historyDeletion', 'The number of deleted entries.', {
  user: leaf('string'),
  context: leaf('string'),
  count: leaf('long'),
})
export const HistoryDeleteResult = type('historyDeleteResult', 'The result of a deletion.', {
  ...resultHead,
  deleted: child(() => HistoryDeletion),
})

export const HistoryQuery = type('historyQuery', 'A query for the search history of a user.', {
  text: leaf('string', 'Only entries that begin with this text.'),
  user: leaf('string', 'Default: the caller.'),
  context: leaf('string'),
  count: expects(leaf('integer', 'Maximum number of entries.'), 1, 200),
})
export const HistoryQueryResult = type('historyQueryResult', 'The search history of a user, latest first.', {
  ...resultHead,
  histories: leaves('string'),
})

// Indexes

export const IndexCommand = type('indexCommand', 'A command for an index.', {
  index: required(leaf(indexes)),
  command: required(leaf(indexCommands)),
})
export const IndexResult = type('indexResult', 'The progress of a command.', {
  ...resultHead,
  index: leaf('string'),
  event: leaf(indexEvents),
  documentsProcessed: leaf('long'),
  totalDocuments: leaf('long'),
  command: leaf('string'),
})
export const IndexItem = type('indexItem', 'An index, and whether it is outdated.', {
  index: leaf('string'),
  outdated: leaf('boolean'),
  createdAt: leaf('string'),
})
export const MappingState = type('mappingState', 'Whether an index matches the current fields.', {
  outdated: leaf('boolean'),
  createdAt: leaf('string'),
})
export const IndexingState = type('indexingState', 'The progress of a rebuild, and the lag behind current changes.', {
  state: leaf(indexEvents),
  documentsProcessed: leaf('long'),
  totalDocuments: leaf('long'),
  lag: leaf('long', 'Milliseconds since the oldest change that is not searchable yet. 0 if there is none.'),
})
export const IndexStateItem = type('indexStateItem', 'The state of an index.', {
  index: leaf('string'),
  mappingState: child(() => MappingState),
  indexingState: child(() => IndexingState),
})

// Documents

export const DocumentChange = needsOneOf(
  type('documentChange', 'A changed document.', {
    id: leaf('long'),
    guid: leaf('string'),
    event: required(leaf(documentEvents)),
  }),
  'id',
  'guid',
)
export const DocumentUpdate = type('documentUpdate', 'Changed documents of one index.', {
  index: required(leaf(indexes)),
  documents: required(children(() => DocumentChange)),
})
export const DocumentWait = type('documentWait', 'The documents to wait for.', {
  index: required(leaf(indexes)),
  modifiedAt: leaf(
    'long',
    'Also wait until each document has changed since this time, in milliseconds since 1970-01-01 UTC.',
  ),
  maxWait: expects(
    leaf('long', 'Maximum time to wait, in milliseconds. Default 10000; at most 120000 have an effect.'),
    0,
  ),
  documents: required(expects(leaves('long', 'Ids of the documents.'), 1, 1000)),
})

// Search configurations

export const SearchConfiguration = type(
  'searchConfiguration',
  'The defaults of searches with searchType CONFIG: the index, a filter and the fields to return.',
  {
    id: safe(leaf('long', 'Assigned by the server.')),
    identifier: leaf('string', 'The identifier in the URL of the configuration.'),
    label: leaf('string', 'The display name.'),
    index: required(leaf(indexes)),
    filter: child(() => Query, 'Only documents that match this filter are found.'),
    sortOptions: children(() => SortOption, 'Default of the search.'),
    resultAttributes: leaves('string', 'Default of the search.'),
    aggregationAttributes: leaves('string', 'Default of the search.'),
    pageSize: leaf('integer', 'Default of the search.'),
    language: leaf('string', 'Default of the search.'),
  },
)
export const SearchConfigurationList = type('searchConfigurationList', 'Search configurations.', {
  ...resultHead,
  configurations: children(() => SearchConfiguration),
})
