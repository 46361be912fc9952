/** The Common area: keywords, glossaries, links, locales, messages, components and the transformation of formats. */
import { area } from '../endpoint.ts'
import { Items } from '../schema/blocks.ts'
import {
  BulkRunList,
  Glossary,
  GlossaryEntry,
  GlossaryRequest,
  Keyword,
  KeywordRequest,
  Locale,
  LocaleRequest,
  MessageList,
  MessagesPersistRequest,
  MessagesRead,
  MessagesReadRequest,
} from '../schema/common.ts'
import { Pim, Responses } from '../schema/envelope.ts'

const destination = {
  destinationParentId: 'The new parent, by id.',
  destinationParentPath: 'The new parent, by path; / is the root.',
}
const targetGlossary = { glossaryId: 'The target glossary, by id.', glossaryTid: 'The target glossary, by tid.' }

// prettier-ignore
export const common = area({
  base: '/api/core/v1/common',
  doc: 'Keywords, glossaries, links, locales, user messages, component status and format transformation.',
  resources: {
    keywords: {
      doc: 'Keywords: a tree of terms that assets are tagged with.',
      access: 'user', container: 'kwds', element: 'kwd', item: Keyword, dataType: 'keyword',
      retrieve: KeywordRequest,
      persist: true,
      perform: {
        delete: { doc: 'Removes the keyword and everything below it.', identify: ['id', 'path'],
                  meta: { force: 'true removes the keyword also where it is in use, and its links with it.' } },
        move:   { doc: 'Puts the keyword under another parent.', identify: ['id', 'path'], meta: destination },
        copy:   { doc: 'Copies the keyword and everything below it under another parent.', identify: ['id', 'path'],
                  meta: { ...destination, newName: 'Technical name of the copy; the same name when absent.' } },
      },
      bulk: 'write',
    },
    glossaries: {
      doc: 'Glossaries: named collections of terms and sentences.',
      access: 'user', container: 'glossaries', element: 'glossary', item: Glossary, dataType: 'glossary',
      retrieve: GlossaryRequest,
      persist: true,
      perform: {
        delete: { doc: 'Removes the glossary and its entries.', identify: ['tid', 'id'] },
      },
      bulk: 'write',
    },
    glossaryEntries: {
      doc: 'The terms and sentences of a glossary with their translations.',
      access: 'user', container: 'glossaryEntries', element: 'glossaryEntry', item: GlossaryEntry, dataType: 'glossaryEntry',
      persist: true,
      perform: {
        delete:         { doc: 'Removes the entry.', identify: ['tid', 'id'] },
        copyToGlossary: { doc: 'Copies the entry into another glossary.', identify: ['tid', 'id'], meta: targetGlossary, aliases: ['copy'] },
        moveToGlossary: { doc: 'Moves the entry into another glossary.', identify: ['tid', 'id'], meta: targetGlossary, aliases: ['move'] },
      },
      bulk: 'write',
    },
    links: {
      doc: 'Relations between objects: assets, products, projects, keywords, product extension objects.',
      access: 'user', container: 'links', element: 'itms', item: Items, dataType: 'link',
      persist: true,
      bulk: 'write',
    },
    'links/actions': {
      doc: 'What can be done to links besides making them.',
      access: 'user', container: 'links', element: 'itms', item: Items, dataType: 'link', own: true,
      actionTypes: ['assetToProductLink', 'assetToProjectLink', 'productToProductLink', 'productToProjectLink', 'peoToProjectLink', 'keywordToAssetLink'],
      perform: {
        unlink: { doc: 'Removes the links between two objects. The data type of the action says of which kind; meta names both ends as in the links themselves, by tid (a keyword by path) or by id.', identify: [],
                  meta: { productTid: 'Or whatever else names an end: productId, projectTid, assetTid, peoTid, keywordPath, sourceProductTid, targetProductTid, …', linkType: 'Only links of this type; those of every type when absent.' } },
      },
    },
    locales: {
      doc: 'The languages and countries the installation works with.',
      access: 'user', container: 'locales', element: 'locale', item: Locale, dataType: 'locale',
      retrieve: LocaleRequest,
    },
  },
  routes: {
    persistMessages: {
      doc: 'Delivers messages to users or roles. The role wins when both are named.',
      access: 'user', needs: { kind: 'message', action: 'create' }, method: 'POST', path: '/messages/persist', formats: 'json',
      request: MessagesPersistRequest, reply: Responses, statuses: [200, 400, 401],
    },
    listMessages: {
      doc: 'The inbox of the caller: messages to them and to their roles, newest first.',
      access: 'user', needs: { kind: 'message', action: 'read' }, method: 'GET', path: '/messages', formats: 'json', own: true,
      query: { unread: 'true lists only unread ones.', before: 'Only messages with a lower id, for the next page.', count: 'At most so many; 50 by default, 1000 at most.' },
      reply: MessageList, statuses: [200, 400, 401],
    },
    readMessages: {
      doc: 'Marks messages of the inbox as read, or as unread again.',
      access: 'user', needs: { kind: 'message', action: 'read' }, method: 'POST', path: '/messages/read', formats: 'json', own: true,
      request: MessagesReadRequest, reply: MessagesRead, statuses: [200, 400, 401],
    },
    listRuns: {
      doc: 'The bulk messages of the caller, newest first; of everybody, for administrators who ask for it.',
      access: 'user', needs: { action: 'read' }, method: 'GET', path: '/runs', formats: 'json', own: true,
      query: { state: 'open lists only those that are not settled yet.', all: 'true lists those of everybody.', count: 'At most so many; 20 by default, 200 at most.' },
      reply: BulkRunList, statuses: [200, 400, 401, 403],
    },
    retrieveComponents: {
      doc: 'Which parts of the platform are active.',
      access: 'user', needs: { action: 'read' }, method: 'POST', path: '/components/retrieve', formats: 'json',
      reply: 'map', statuses: [200, 401, 500],
    },
    transform: {
      doc: 'Converts an envelope from the format of Content-Type into the format of Accept.',
      access: 'user', needs: { action: 'read' }, method: 'POST', path: '/transform', formats: 'all',
      request: Pim, reply: Pim, statuses: [200, 400, 401, 500],
    },
  },
})
