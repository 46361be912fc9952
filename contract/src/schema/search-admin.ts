/**
 * The Search API beside searching (JSON only): stored searches, search history, and the administration of indexes and
 * documents.
 */
import { child, children, leaf, leaves, required, type } from './describe.ts'
import { documentEvents, indexCommands, indexes, indexEvents, Query, resultHead, Search, SortOption } from './search.ts'

// Stored searches

export const StoredSearchInsert = type('storedSearchInsert', 'A search to store for the caller.', {
  name: required(leaf('string')),
  searchObject: required(child(() => Search)),
})
export const StoredSearch = type('storedSearch', 'Changes to a stored search: only what is sent changes.', {
  name: leaf('string'),
  searchObject: child(() => Search),
})
export const StoredSearchEntry = type('storedSearchEntry', 'A stored search in a list.', {
  id: leaf('long'),
  index: leaf('string'),
  name: leaf('string'),
  pluginConfigurationId: leaf('long', 'Id of the search configuration, where one is used.'),
  pluginIdentifier: leaf('string', 'Identifier of the search configuration.'),
})
export const StoredSearchListResult = type('storedSearchListResult', 'The stored searches of the caller.', {
  ...resultHead,
  storedSearchEntries: children(() => StoredSearchEntry),
})
export const StoredSearchOperationResult = type('storedSearchOperationResult', 'The stored search that was changed.', {
  ...resultHead,
  id: leaf('long'),
  name: leaf('string'),
})

// History

export const HistoryAdd = type('historyAdd', 'Remembers what a user searched for.', {
  text: required(leaf('string')),
  user: leaf('string', 'The caller when absent.'),
  context: leaf('string', 'Where the search was made.'),
})
export const HistoryEntry = type('historyEntry', 'A remembered search.', {
  id: leaf('long'),
  text: leaf('string'),
  user: leaf('string'),
  context: leaf('string'),
})
export const HistoryAddResult = type('historyAddResult', 'What was remembered.', {
  ...resultHead,
  added: child(() => HistoryEntry),
})

export const HistoryDelete = type('historyDelete', 'Forgets what a user searched for.', {
  user: leaf('string', 'The caller when absent.'),
  context: leaf('string', 'Only searches made there.'),
})
export const HistoryDeletion = type('historyDeletion', 'How much was forgotten.', {
  user: leaf('string'),
  context: leaf('string'),
  count: leaf('long'),
})
export const HistoryDeleteResult = type('historyDeleteResult', 'What was forgotten.', {
  ...resultHead,
  deleted: child(() => HistoryDeletion),
})

export const HistoryQuery = type('historyQuery', 'Asks what a user searched for.', {
  text: leaf('string', 'The beginning of the text.'),
  user: leaf('string', 'The caller when absent.'),
  context: leaf('string'),
  count: leaf('integer', 'How many at most.'),
})
export const HistoryQueryResult = type('historyQueryResult', 'What a user searched for, latest first.', {
  ...resultHead,
  histories: leaves('string'),
})

// Indexes

export const IndexCommand = type('indexCommand', 'A command to an index.', {
  index: required(leaf(indexes)),
  command: required(leaf(indexCommands)),
})
export const IndexResult = type('indexResult', 'How far an index is with a command.', {
  ...resultHead,
  index: leaf('string'),
  event: leaf(indexEvents),
  documentsProcessed: leaf('long'),
  totalDocuments: leaf('long'),
  command: leaf('string'),
})
export const IndexItem = type('indexItem', 'An index and whether it fits the current fields.', {
  index: leaf('string'),
  outdated: leaf('boolean'),
  createdAt: leaf('string'),
})
export const MappingState = type('mappingState', 'Whether an index fits the current fields.', {
  outdated: leaf('boolean'),
  createdAt: leaf('string'),
})
export const IndexingState = type('indexingState', 'How far an index is with a rebuild, and with what changes.', {
  state: leaf(indexEvents),
  documentsProcessed: leaf('long'),
  totalDocuments: leaf('long'),
  lag: leaf('long', 'Milliseconds since the oldest change that cannot be found yet; 0 when there is none.'),
})
export const IndexStateItem = type('indexStateItem', 'The state of an index.', {
  index: leaf('string'),
  mappingState: child(() => MappingState),
  indexingState: child(() => IndexingState),
})

// Documents

export const DocumentChange = type('documentChange', 'A document that changed: give its id or its guid.', {
  id: leaf('long'),
  guid: leaf('string'),
  event: required(leaf(documentEvents)),
})
export const DocumentUpdate = type('documentUpdate', 'Documents of one index that changed.', {
  index: required(leaf(indexes)),
  documents: required(children(() => DocumentChange)),
})
export const DocumentWait = type('documentWait', 'Waits until the index has the documents as they are at a time.', {
  index: required(leaf(indexes)),
  modifiedAt: leaf('long', 'Milliseconds since 1970-01-01 UTC.'),
  maxWait: leaf('long', 'Milliseconds to wait at most.'),
  documents: required(leaves('long', 'Ids of the documents.')),
})

// Search configurations

export const SearchConfiguration = type(
  'searchConfiguration',
  'What a search with searchType CONFIG begins with: where to search, what to leave out, what to show.',
  {
    id: leaf('long', 'Given by the server.'),
    identifier: leaf('string', 'Of the address it is stored at.'),
    label: leaf('string', 'What people call it.'),
    index: required(leaf(indexes)),
    filter: child(() => Query, 'Only documents that match are ever found.'),
    sortOptions: children(() => SortOption, 'Applied to a search that has none.'),
    resultAttributes: leaves('string', 'Applied to a search that has none.'),
    aggregationAttributes: leaves('string', 'Applied to a search that has none.'),
    pageSize: leaf('integer', 'Applied to a search that has none.'),
    language: leaf('string', 'Applied to a search that has none.'),
  },
)
export const SearchConfigurationList = type('searchConfigurationList', 'The search configurations.', {
  ...resultHead,
  configurations: children(() => SearchConfiguration),
})
