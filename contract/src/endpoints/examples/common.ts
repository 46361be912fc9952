/** Samples for keywords, glossaries, links, locales, messages and transform. */
import { actions, type Examples, items, pim, replyWith } from './build.ts'
import { dinghy } from './pim.ts'

const boats = { itm: [{ value: 'boats' }, { value: 'Boote', loc: 'de_DE' }, { value: 'Boats', loc: 'en_GB' }] }
const sail = {
  meta: { itm: [{ value: 'Segel', key: 'value', loc: 'de_DE' }] },
  links: {
    itms: [
      {
        itm: [
          { value: 'sail', key: 'value', loc: 'en_GB' },
          { value: '100', key: 'similarity' },
        ],
        loc: 'en_GB',
        type: 'term',
      },
    ],
  },
  parentTid: 'sailing',
  type: 'term',
  loc: 'de_DE',
}
const message = {
  subject: 'Import finished',
  body: '1,200 products were imported.',
  severity: 'INFO',
  recipientRole: 'admin',
}
const sailing = { name: 'Sailing', tid: 'sailing' }

export const commonExamples: Examples = {
  'common.putUnit': {
    request: {
      kind: 'measure',
      name: { itm: [{ value: 'stone', loc: 'en_GB' }] },
      family: 'mass',
      factor: 6.35029318,
      synonyms: ['st', 'stones'],
    },
  },
  'common.keywords.retrieve': {
    request: { path: '/', level: -1 },
    reply: replyWith('keyword', { kwds: { kwd: [{ name: boats, id: 4711, path: '/boats' }] } }),
  },
  'common.keywords.persist': { request: pim({ kwds: { kwd: [{ name: boats, parentPath: '/' }] } }) },
  'common.keywords.perform': {
    request: pim({
      actions: {
        action: [
          { meta: items({ destinationParentPath: '/travel' }), dataType: 'keyword', type: 'move', path: '/boats' },
          { dataType: 'keyword', type: 'delete', id: 4712 },
        ],
      },
    }),
  },
  'common.glossaries.retrieve': {
    request: { names: ['Sailing'], retrieveEntries: true },
    reply: replyWith('glossary', {
      glossaries: { glossary: [{ ...sailing, id: 4713 }] },
      glossaryEntries: { glossaryEntry: [{ ...sail, id: 4714 }] },
    }),
  },
  'common.glossaries.persist': { request: pim({ glossaries: { glossary: [sailing] } }) },
  'common.glossaries.perform': {
    request: pim({ actions: { action: [{ dataType: 'glossary', type: 'delete', tid: 'sailing' }] } }),
  },
  'common.glossaryEntries.persist': { request: pim({ glossaryEntries: { glossaryEntry: [sail] } }) },
  'common.glossaryEntries.perform': {
    request: pim({
      actions: {
        action: [
          { meta: items({ glossaryTid: 'boating' }), dataType: 'glossaryEntry', type: 'moveToGlossary', id: 4714 },
        ],
      },
    }),
  },
  'common.links.actions.perform': actions({
    meta: items({ assetTid: 'sail-photo', productTid: 'dinghy' }),
    dataType: 'assetToProductLink',
    type: 'unlink',
  }),
  'common.links.persist': {
    request: pim({
      links: {
        itms: [
          {
            itms: [{ ...items({ assetTid: 'sail-photo', productTid: 'dinghy' }), type: 'Main_Image' }],
            type: 'assetToProduct',
          },
        ],
      },
    }),
  },
  'common.locales.retrieve': {
    request: { mode: 'TID', tids: ['en_GB'] },
    reply: replyWith('locale', {
      locales: { locale: [{ name: 'English (United Kingdom)', tid: 'en_GB', language: 'en', country: 'GB' }] },
    }),
  },
  'common.persistMessages': {
    request: { messages: [message] },
    reply: {
      response: [
        {
          status: 'SUCCESS',
          action: 'create',
          dataType: 'message',
          id: 4715,
          tid: '0b6cb0a5-6a0c-4a0f-9d0e-0d3a7c1f2e11',
        },
      ],
    },
  },
  'common.listMessages': {
    reply: { messages: [{ ...message, id: 4715, senderUser: 'kim', isRead: false }], unread: 1 },
  },
  'common.readMessages': { request: { ids: [4715] }, reply: { count: 1 } },
  'common.retrieveComponents': { reply: { pim: 'active', dam: 'inactive' } },
  'common.transform': {
    request: pim({ products: { product: [dinghy] } }),
    reply: pim({ products: { product: [dinghy] } }),
  },
}
