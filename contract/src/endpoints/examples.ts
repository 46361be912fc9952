/**
 * A sample request, and where it helps a sample reply, of every operation, by its id. They are shown in the OpenAPI
 * document and the reference page in all three formats. A test reads each of them by the contract.
 */
import { schemaVersion } from '../schema/envelope.ts'

export interface Example {
  readonly request?: object
  /** Of persist, perform and bulk the replies are all alike and made from the declaration. */
  readonly reply?: object
}

const pim = (contents: object) => ({ schemaVersion, ...contents })
const items = (values: Readonly<Record<string, string>>) => ({
  itm: Object.entries(values).map(([key, value]) => ({ value, key })),
})

/** What every reply of the Core API says of itself. */
export const replyMeta = (more: Readonly<Record<string, string>> = {}) =>
  items({ messageType: 'request', messageTime: '2025-03-05T08:00:00.000Z', sourceEnv: 'web', ...more })
const replyWith = (itemInformationType: string, contents: object) =>
  pim({ meta: replyMeta({ itemInformationType }), ...contents })

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
/** One value of each kind that compact JSON folds in its own way. */
const dinghy = {
  name: 'Dinghy',
  vals: {
    val: [
      { itm: [{ value: '3.2' }], attr: 'length' },
      {
        itm: [
          { value: 'Jolle', loc: 'de_DE' },
          { value: 'Dinghy', loc: 'en_GB' },
        ],
        attr: 'title',
        type: 'localized',
      },
      {
        itm: [
          { value: 'red', pos: 0 },
          { value: 'blue', pos: 1 },
        ],
        attr: 'colours',
        type: 'multiple',
      },
    ],
  },
  tid: 'dinghy',
}
const sailing = { name: 'Sailing', tid: 'sailing' }

export const examples: Readonly<Record<string, Example>> = {
  'cm.channels.query': { request: { tid: 'shop', level: 2 }, reply: { tids: ['shop', 'shop-sale'] } },
  'cm.channels.retrieve': {
    request: { tids: ['shop'], retrieveLinkedAssets: true, retrieveLinkedAssetsBehavior: 'withDescendants' },
    reply: replyWith('project', {
      projects: { project: [{ name: 'Shop', id: 4720, tid: 'shop', type: 'Webshop', orderSequence: 1048576 }] },
    }),
  },
  'cm.channels.persist': {
    request: pim({ projects: { project: [{ name: 'Sale', tid: 'shop-sale', parentTid: 'shop', type: 'Webshop' }] } }),
  },
  'cm.retrieveBriefing': {
    request: { tids: ['spring'], briefingInfo: { locale: 'en_GB', briefingModuleCfgTid: 'F.BriefingModule.Page' } },
  },
  'cm.retrieveReadiness': { request: { tids: ['shop'], locales: ['en_GB', 'de_DE'] } },
  'cm.retrieveWhereUsed': { request: { dataType: 'asset', tids: ['sail-photo'] } },
  'peo.peos.query': { request: { tidProject: 'shop', names: ['Spring price'] }, reply: { tids: ['dinghy-spring'] } },
  'peo.peos.retrieve': { request: { tids: ['dinghy-spring'], withMetadata: true } },
  'peo.peos.persist': {
    request: pim({
      peos: {
        peo: [
          {
            name: 'Spring price',
            nodes: { node: [{ tid: 'shop' }] },
            tid: 'dinghy-spring',
            productTid: 'dinghy',
            templateTid: 'Default',
          },
        ],
      },
    }),
  },
  'peo.peos.perform': {
    request: pim({
      actions: {
        action: [{ meta: items({ name: 'Summer price' }), dataType: 'peo', type: 'copy', tid: 'dinghy-spring' }],
      },
    }),
  },
  'peo.peos.links.persist': {
    request: pim({
      links: { itms: [{ itms: [items({ peoTid: 'dinghy-spring', projectTid: 'shop' })], type: 'peoToProject' }] },
    }),
  },
  'peo.peos.links.perform': {
    request: pim({
      actions: {
        action: [
          {
            meta: items({ peoTid: 'dinghy-spring', projectTid: 'shop' }),
            dataType: 'peoToProjectLink',
            type: 'unlink',
          },
        ],
      },
    }),
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
