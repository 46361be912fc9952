/** The Common area: keywords, glossaries, locales and user messages, and the requests that select them. */
import { Config, Links, Meta, Name, Vals } from './blocks.ts'
import {
  alias,
  attr,
  child,
  children,
  either,
  expects,
  leaf,
  leaves,
  map,
  needsOneOf,
  required,
  type,
} from './describe.ts'

// Messages

export const Keyword = type('kwd', 'A keyword in the keyword tree.', {
  name: child(() => Name, 'The item without a locale is the technical name, which is part of the path.'),
  meta: child(() => Meta),
  links: child(() => Links, 'Assets with this keyword.'),
  id: attr('long'),
  parentId: attr('long'),
  path: attr('string', 'The technical names from the root to this keyword, separated by /.'),
  parentPath: attr('string', 'Absent or / for a top-level keyword.'),
})
export const Kwds = type('kwds', 'Keywords.', { kwd: children(() => Keyword) })

export const Glossary = type('glossary', 'A glossary: a named collection of terms and sentences.', {
  name: leaf('string', 'Unique.'),
  meta: child(
    () => Meta,
    'Our addition: enforcement decides what becomes of a text of a product into which somebody writes a forbidden word of the glossary, or of a translation that lacks one of its terms: off (the default), warn (the text is stored, and the result says so) or refuse.',
  ),
  vals: child(() => Vals),
  id: attr('long'),
  tid: attr('string'),
})
export const Glossaries = type('glossaries', 'Glossaries.', { glossary: children(() => Glossary) })

/** The consequence for a text with a forbidden word, or without a term. */
export const enforcements = ['off', 'warn', 'refuse'] as const

export const glossaryEntryTypes = ['sentence', 'term'] as const

export const GlossaryEntry = type('glossaryEntry', 'A term or sentence of a glossary with its translations.', {
  meta: child(
    () => Meta,
    'value, forbidden, lastEditedDate, lastEditedUsername. Our addition, also in translations: useInstead, what to write instead of a forbidden word.',
  ),
  vals: child(() => Vals),
  links: child(() => Links, 'Translations, in one group per target locale.'),
  tid: attr('string'),
  id: attr('long'),
  parentId: attr('long', 'The glossary, by id. New entries require parentId or parentTid.'),
  parentTid: attr('string', 'The glossary, by tid.'),
  type: attr(glossaryEntryTypes, 'Required for new entries.'),
  loc: attr('string', 'Locale of the value, for example en_GB. Required for new entries.'),
})
export const GlossaryEntries = type('glossaryEntries', 'Glossary entries.', {
  glossaryEntry: children(() => GlossaryEntry),
})

export const Locale = type(
  'locale',
  'A locale: a language and a country. Replies always contain language, country and name.',
  {
    meta: child(() => Meta),
    config: child(() => Config, 'Returned if exportConfig is true.'),
    id: attr('long'),
    tid: attr('string', 'Language and country joined by an underscore: en_GB.'),
    language: attr('string', 'ISO 639 code.'),
    country: attr('string', 'ISO 3166 code.'),
    name: either(attr('string')),
  },
)
export const Locales = type('locales', 'Locales.', { locale: children(() => Locale), mode: attr('string') })

// Requests

export const GlossaryRequest = type('glossaryRequest', 'Glossaries by name or id. An empty request returns all.', {
  names: leaves('string'),
  ids: leaves('long'),
  retrieveEntries: alias(leaf('boolean', 'Includes the entries. Default false.'), 'retrieveLinks'),
  sourceLocales: leaves('string', 'Entries in these locales. Default: all.'),
  targetLocales: leaves('string', 'Translations into these locales. Default: all.'),
})

export const KeywordRequest = type('keywordRequest', 'Keywords below a path.', {
  path: leaf('string', 'Technical names separated by /. / is the root.'),
  level: leaf('integer', 'Number of levels below the path. -1 means all levels, 0 is invalid. Default 1.'),
  retrieveLinks: leaf('boolean', 'Includes the linked assets. Default false.'),
})

export const localeModes = ['ID', 'TID', 'ALL', 'CONTENT', 'FRONTEND'] as const

export const LocaleRequest = type('localeRequest', 'Locales by identifier, by use, or all.', {
  mode: required(leaf(localeModes, 'How to select locales.')),
  ids: leaves('long', 'For mode ID.'),
  tids: leaves('string', 'For mode TID: language and country joined by an underscore.'),
  exportConfig: leaf('boolean', 'Includes the configuration. Default false.'),
})

// User messages (JSON only)

export const severities = ['INFO', 'WARN', 'ERROR'] as const

export const Message = type('message', 'A message to a user or to all users with a role.', {
  tid: leaf('string'),
  id: leaf('long', 'Assigned by the system.'),
  creationDate: leaf('date', 'Set when the message is stored.'),
  subject: required(expects(leaf('string'), 1, 255)),
  body: required(expects(leaf('string'), 1, 65_536)),
  severity: leaf(severities),
  recipientUser: leaf('string', 'User name. recipientUser or recipientRole is required.'),
  recipientRole: leaf('string', 'Role name. Takes precedence over recipientUser.'),
  senderUser: leaf('string', 'User name of the sender.'),
  senderApplication: leaf('string'),
  senderPlugin: leaf('string'),
  isRead: leaf('boolean'),
  parameters: map('Further properties.'),
})

export const MessagesPersistRequest = needsOneOf(
  type('messagesPersistRequest', 'Messages to send.', {
    messages: children(() => Message),
  }),
  'messages',
)

export const MessageList = type('messageList', 'The messages of an inbox, newest first.', {
  messages: children(() => Message),
  unread: leaf('integer', 'Number of unread messages in the inbox.'),
})

export const MessagesReadRequest = type('messagesReadRequest', 'Messages to mark as read or unread.', {
  ids: required(leaves('long')),
  isRead: leaf('boolean', 'true marks the messages as read, false as unread. Default true.'),
})

export const MessagesRead = type('messagesRead', 'The number of messages that were marked.', { count: leaf('integer') })

// Bulk runs (JSON only)

export const BulkRunState = type('bulkRunState', 'The state of a bulk run.', {
  id: leaf('string', 'The id for GET bulk/{id}.'),
  resource: leaf('string', 'The resource that received it, for example /api/core/v1/pim/products.'),
  state: leaf(['waiting', 'running', 'finished', 'failed']),
  processed: leaf('long'),
  total: leaf('long'),
  user: leaf('string'),
  startedAt: leaf('date'),
  endedAt: leaf('date'),
})
export const BulkRunList = type('bulkRunList', 'Bulk runs, newest first.', { runs: children(() => BulkRunState) })
