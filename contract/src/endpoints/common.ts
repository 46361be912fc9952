/** The Common area: keywords, glossaries, links, locales, messages, components and format conversion. */
import { area, flag, nextPage, whole, word } from '../endpoint.ts'
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
import { LocaleChange, Unit, UnitChange, UnitList } from '../schema/common-own.ts'
import { Pim, Responses } from '../schema/envelope.ts'
import { localePattern } from '../schema/words.ts'

const destination = {
  destinationParentId: 'The new parent, by id.',
  destinationParentPath: 'The new parent, by path; / is the root.',
}
const targetGlossary = { glossaryId: 'The target glossary, by id.', glossaryTid: 'The target glossary, by tid.' }

// prettier-ignore
export const common = area({
  base: '/api/core/v1/common',
  doc: 'Keywords, glossaries, links, locales, user messages, component status and format conversion.',
  resources: {
    keywords: {
      doc: 'Keywords: a tree of terms that assets are tagged with.',
      access: 'user', container: 'kwds', element: 'kwd', item: Keyword, dataType: 'keyword',
      retrieve: KeywordRequest,
      persist: true,
      perform: {
        delete: { doc: 'Deletes the keyword and everything below it.', identify: ['id', 'path'],
                  meta: { force: 'true also deletes a keyword that is in use, together with its links.' } },
        move:   { doc: 'Moves the keyword to another parent.', identify: ['id', 'path'], meta: destination },
        copy:   { doc: 'Copies the keyword and everything below it to another parent.', identify: ['id', 'path'],
                  meta: { ...destination, newName: 'Technical name of the copy. Default: the same name.' } },
      },
      bulk: 'write',
    },
    glossaries: {
      doc: 'Glossaries: named collections of terms and sentences.',
      access: 'user', container: 'glossaries', element: 'glossary', item: Glossary, dataType: 'glossary',
      retrieve: GlossaryRequest,
      persist: true,
      perform: {
        delete: { doc: 'Deletes the glossary and its entries.', identify: ['tid', 'id'] },
      },
      bulk: 'write',
    },
    glossaryEntries: {
      doc: 'Glossary entries: terms and sentences with their translations.',
      access: 'user', container: 'glossaryEntries', element: 'glossaryEntry', item: GlossaryEntry, dataType: 'glossaryEntry',
      persist: true,
      perform: {
        delete:         { doc: 'Deletes the entry.', identify: ['tid', 'id'] },
        copyToGlossary: { doc: 'Copies the entry into another glossary.', identify: ['tid', 'id'], meta: targetGlossary, aliases: ['copy'] },
        moveToGlossary: { doc: 'Moves the entry into another glossary.', identify: ['tid', 'id'], meta: targetGlossary, aliases: ['move'] },
      },
      bulk: 'write',
    },
    links: {
      doc: 'Links between objects: assets, products, channels, keywords and product extension objects.',
      access: 'user', container: 'links', element: 'itms', item: Items, dataType: 'link',
      persist: true,
      bulk: 'write',
    },
    'links/actions': {
      doc: 'Actions on links.',
      access: 'user', container: 'links', element: 'itms', item: Items, dataType: 'link', own: true,
      actionTypes: ['assetToProductLink', 'assetToProjectLink', 'productToProductLink', 'productToProjectLink', 'peoToProjectLink', 'keywordToAssetLink'],
      perform: {
        unlink: { doc: 'Removes the links between two objects. The data type of the action selects the kind of link. meta identifies both ends as in the links themselves: by tid (keywords by path) or by id.', identify: [],
                  meta: { productTid: 'Or another key that identifies an end: productId, projectTid, assetTid, peoTid, keywordPath, sourceProductTid, targetProductTid, …', linkType: 'Only links of this type. Default: links of all types.' } },
      },
    },
    locales: {
      doc: 'Locales: the languages and countries of this installation.',
      access: 'user', container: 'locales', element: 'locale', item: Locale, dataType: 'locale',
      retrieve: LocaleRequest,
    },
  },
  routes: {
    persistMessages: {
      doc: 'Sends messages to users or roles. If both are given, the role wins.',
      access: 'user', needs: { kind: 'message', action: 'create' }, method: 'POST', path: '/messages/persist', formats: 'json',
      request: MessagesPersistRequest, reply: Responses, statuses: [200, 400, 401],
    },
    listMessages: {
      doc: 'Lists the messages in your inbox: those sent to you and to your roles, newest first.',
      access: 'user', needs: { kind: 'message', action: 'read' }, method: 'GET', path: '/messages', formats: 'json', own: true,
      query: { unread: flag('true lists only unread messages.'), after: nextPage.whole, before: whole('Only messages with a lower id. The same as after.'), count: whole('Page size. Default 50, maximum 1000.') },
      reply: MessageList, statuses: [200, 400, 401],
    },
    readMessages: {
      doc: 'Marks messages in your inbox as read or unread.',
      access: 'user', needs: { kind: 'message', action: 'read' }, method: 'POST', path: '/messages/read', formats: 'json', own: true,
      request: MessagesReadRequest, reply: MessagesRead, statuses: [200, 400, 401],
    },
    listRuns: {
      doc: 'Lists your bulk runs, newest first. Administrators can list the runs of all users.',
      access: 'user', needs: { action: 'read' }, method: 'GET', path: '/runs', formats: 'json', own: true,
      query: { state: word('open lists only runs that are not finished.', ['open']), all: flag('true lists the runs of all users.'), after: nextPage.id, count: whole('Page size. Default 20.', 1, 200) },
      reply: BulkRunList, statuses: [200, 400, 401, 403, 410],
    },
    putLocale: {
      doc: 'Adds a locale, or changes its name and use. Content in a locale that is not used any more is kept.',
      access: 'admin', method: 'PUT', path: '/locales/{locale}', formats: 'json', own: true,
      params: { locale: { doc: 'Language and country, such as en_GB.', pattern: localePattern } },
      request: LocaleChange, reply: Locale, statuses: [200, 400, 401, 403, 409],
    },
    listUnits: {
      doc: 'Lists units of measurement and currencies. An attribute of numbers names its unit in the meta item `unit` of its definition.',
      access: 'user', needs: { action: 'read' }, method: 'GET', path: '/units', formats: 'json', own: true,
      reply: UnitList, statuses: [200, 401],
    },
    putUnit: {
      doc: 'Creates or replaces a unit or a currency.',
      access: 'admin', method: 'PUT', path: '/units/{code}', formats: 'json', own: true,
      request: UnitChange, reply: Unit, statuses: [200, 400, 401, 403, 409],
    },
    deleteUnit: {
      doc: 'Deletes a unit or a currency. Refused while attributes are in it.',
      access: 'admin', method: 'DELETE', path: '/units/{code}', formats: 'json', own: true,
      statuses: [200, 400, 401, 403, 404, 409],
    },
    retrieveComponents: {
      doc: 'Lists the components of the platform and whether they are active.',
      access: 'user', needs: { action: 'read' }, method: 'POST', path: '/components/retrieve', formats: 'json',
      reply: 'map', statuses: [200, 401, 500],
    },
    transform: {
      doc: 'Converts an envelope from the format in Content-Type to the format in Accept.',
      access: 'user', needs: { action: 'read' }, method: 'POST', path: '/transform', formats: 'all',
      request: Pim, reply: Pim, statuses: [200, 400, 401, 500],
    },
  },
})
