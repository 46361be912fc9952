/** The Common area: keywords, glossaries, locales and user messages, and the requests that select them. */
import { Config, Links, Meta, Name, Vals } from './blocks.ts'
import { alias, attr, child, children, either, leaf, leaves, map, required, type } from './describe.ts'

// Messages

export const Keyword = type('kwd', 'A keyword in a tree of keywords.', {
  name: child(() => Name, 'The item without a locale is the technical name and forms the path.'),
  meta: child(() => Meta),
  links: child(() => Links, 'Assets that carry the keyword.'),
  id: attr('long'),
  parentId: attr('long'),
  path: attr('string', 'The technical names from the root down, separated by /.'),
  parentPath: attr('string', 'Absent or / for a keyword at the root.'),
})
export const Kwds = type('kwds', 'Keywords.', { kwd: children(() => Keyword) })

export const Glossary = type('glossary', 'A glossary: a named collection of terms and sentences.', {
  name: leaf('string', 'Unique.'),
  meta: child(() => Meta),
  vals: child(() => Vals),
  id: attr('long'),
  tid: attr('string'),
})
export const Glossaries = type('glossaries', 'Glossaries.', { glossary: children(() => Glossary) })

export const glossaryEntryTypes = ['sentence', 'term'] as const

export const GlossaryEntry = type('glossaryEntry', 'A term or sentence of a glossary with its translations.', {
  meta: child(() => Meta, 'value, forbidden, lastEditedDate, lastEditedUsername.'),
  vals: child(() => Vals),
  links: child(() => Links, 'Translations: a group per target locale.'),
  tid: attr('string'),
  id: attr('long'),
  parentId: attr('long', 'The glossary, by id. This or parentTid is required to create.'),
  parentTid: attr('string', 'The glossary, by tid.'),
  type: attr(glossaryEntryTypes, 'Required to create.'),
  loc: attr('string', 'Locale of the value, for example en_GB. Required to create.'),
})
export const GlossaryEntries = type('glossaryEntries', 'Glossary entries.', {
  glossaryEntry: children(() => GlossaryEntry),
})

export const Locale = type('locale', 'A language of a country; replies always name language, country and name.', {
  meta: child(() => Meta),
  config: child(() => Config, 'Sent when exportConfig asks for it.'),
  id: attr('long'),
  tid: attr('string', 'Language and country joined by an underscore: en_GB.'),
  language: attr('string', 'ISO 639 code.'),
  country: attr('string', 'ISO 3166 code.'),
  name: either(attr('string')),
})
export const Locales = type('locales', 'Locales.', { locale: children(() => Locale), mode: attr('string') })

// Requests

export const GlossaryRequest = type('glossaryRequest', 'Glossaries by name or id; an empty request returns all.', {
  names: leaves('string'),
  ids: leaves('long'),
  retrieveEntries: alias(leaf('boolean', 'Also their entries. Default false.'), 'retrieveLinks'),
  sourceLocales: leaves('string', 'Entries in these languages; all when empty.'),
  targetLocales: leaves('string', 'Translations into these languages; all when empty.'),
})

export const KeywordRequest = type('keywordRequest', 'Keywords below a path.', {
  path: leaf('string', 'Technical names separated by /; / is the root.'),
  level: leaf('integer', 'How many levels below the path. Default 1; -1 all levels; 0 is invalid.'),
  retrieveLinks: leaf('boolean', 'Also the linked assets. Default false.'),
})

export const localeModes = ['ID', 'TID', 'ALL', 'CONTENT', 'FRONTEND'] as const

export const LocaleRequest = type('localeRequest', 'Locales by identifier, by use, or all.', {
  mode: required(leaf(localeModes, 'How locales are selected.')),
  ids: leaves('long', 'With mode ID.'),
  tids: leaves('string', 'With mode TID: language and country joined by an underscore.'),
  exportConfig: leaf('boolean', 'Also their configuration. Default false.'),
})

// User messages (JSON only)

export const severities = ['INFO', 'WARN', 'ERROR'] as const

export const Message = type('message', 'A notification to a user or to everyone with a role.', {
  tid: leaf('string'),
  id: leaf('long', 'Assigned by the system.'),
  creationDate: leaf('date', 'Set when the message is stored.'),
  subject: required(leaf('string')),
  body: required(leaf('string')),
  severity: leaf(severities),
  recipientUser: leaf('string', 'User name. This or recipientRole is required.'),
  recipientRole: leaf('string', 'Role name; wins over the user when both are set.'),
  senderUser: leaf('string', 'User name of the sender.'),
  senderApplication: leaf('string'),
  senderPlugin: leaf('string'),
  isRead: leaf('boolean'),
  parameters: map('Further properties.'),
})

export const MessagesPersistRequest = type('messagesPersistRequest', 'Messages to deliver.', {
  messages: children(() => Message),
})

export const MessageList = type('messageList', 'Messages of an inbox, newest first.', {
  messages: children(() => Message),
  unread: leaf('integer', 'How many messages of the inbox are unread.'),
})

export const MessagesReadRequest = type('messagesReadRequest', 'Messages to mark.', {
  ids: required(leaves('long')),
  isRead: leaf('boolean', 'Default true; false marks them as unread.'),
})

export const MessagesRead = type('messagesRead', 'How many messages were marked.', { count: leaf('integer') })

// Bulk messages under way (JSON only)

export const BulkRunState = type('bulkRunState', 'A bulk message while it is being settled, or after.', {
  id: leaf('string', 'As GET bulk/{id} takes it.'),
  resource: leaf('string', 'Where it was sent: /api/core/v1/pim/products.'),
  state: leaf(['waiting', 'running', 'finished', 'failed']),
  processed: leaf('long'),
  total: leaf('long'),
  user: leaf('string'),
  startedAt: leaf('date'),
  endedAt: leaf('date'),
})
export const BulkRunList = type('bulkRunList', 'Bulk messages, newest first.', { runs: children(() => BulkRunState) })
