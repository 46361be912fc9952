/** Samples for channels and product extension objects. */
import { actions, byLocale, type Examples, items, pim, replyWith } from './build.ts'

export const cmExamples: Examples = {
  'cm.channels.query': { request: { tid: 'shop', level: 2 }, reply: { tids: ['shop', 'shop-sale'] } },
  'cm.channels.retrieve': {
    request: { tids: ['shop'], retrieveLinkedAssets: true, retrieveLinkedAssetsBehavior: 'withDescendants' },
    reply: replyWith('project', {
      projects: { project: [{ name: 'Shop', id: 4720, tid: 'shop', type: 'Webshop', orderSequence: 1048576 }] },
    }),
  },
  'cm.channels.persist': {
    request: pim({
      projects: {
        project: [
          { name: 'Shop', tid: 'shop', type: 'Webshop' },
          { name: 'Sale', tid: 'shop-sale', parentTid: 'shop', type: 'Webshop' },
        ],
      },
    }),
  },
  'cm.retrieveBriefing': {
    request: { tids: ['spring'], briefingInfo: { locale: 'en_GB', briefingModuleCfgTid: 'F.BriefingModule.Page' } },
  },
  'cm.listBriefings': { request: { tids: ['spring'] } },
  'cm.countProducts': { request: { tids: ['shop'] } },
  'cm.retrieveRequirements': { request: { tids: ['shop'] } },
  'cm.persistRequirement': { request: { tid: 'shop', locales: ['en_GB', 'de_DE'], attributes: [] } },
  'cm.retrieveChannelQuality': { request: { tids: ['shop'] } },
  'cm.persistChannelQuality': {
    request: { tid: 'shop', checks: [{ check: 'similarName' }, { check: 'mainPicture', weight: 2 }] },
  },
  'cm.retrieveQuality': { request: { productTids: ['dinghy'], locales: ['en_GB'] } },
  'cm.retrieveReadinessHistory': { request: { tids: ['shop'], locales: ['en_GB'], count: 30 } },
  'cm.retrieveReadiness': { request: { tids: ['shop'], locales: ['en_GB', 'de_DE'] } },
  'cm.retrieveWhereUsed': { request: { dataType: 'asset', tids: ['sail-photo'] } },
  'cm.channels.actions.perform': actions({ dataType: 'project', type: 'delete', tid: 'shop-sale' }),
  'cm.admin.channel-types.persist': {
    request: pim({
      projectDefs: {
        projectDef: [
          {
            name: byLocale({ en_GB: 'Kiosk', de_DE: 'Kiosk' }),
            attrDefs: { attrDef: [{ name: byLocale({ en_GB: 'Opened on' }), tid: 'OPENED_ON', type: 'date' }] },
            tid: 'Kiosk',
          },
        ],
      },
    }),
  },
  'cm.persistBriefing': {
    request: {
      briefingInfo: { locale: 'en_GB', briefingModuleCfgTid: 'F.BriefingModule.Page' },
      layout: [
        {
          attribute: [
            { value: '210', identifier: 'width' },
            { value: '297', identifier: 'height' },
          ],
          boxes: { box: [{ id: 'picture', name: 'Picture', type: 'image' }] },
          id: 'page-1',
          name: 'Page 1',
        },
      ],
      tid: 'shop',
    },
  },
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
  'peo.peos.values.retrieve': { request: { tids: ['dinghy-spring'] } },
  'peo.listPeos': { request: { tids: ['dinghy-spring'], withMetadata: true } },
  'peo.admin.templates.persist': {
    request: pim({ templates: { template: [{ name: 'Spring prices', tid: 'Spring' }] } }),
  },
}
