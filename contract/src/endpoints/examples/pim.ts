/** Samples for the data model and products. */
import { actions, byLocale, type Examples, items, noon, pim, replyWith } from './build.ts'

/** One value for each way in which compact JSON folds values. */
export const dinghy = {
  name: 'Dinghy',
  node: '/Boats/Sailing',
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
const title = { name: byLocale({ en_GB: 'Title', de_DE: 'Titel' }), tid: 'title', type: 'text', localized: 'true' }
const length = { name: byLocale({ en_GB: 'Length (m)', de_DE: 'Länge (m)' }), tid: 'length', type: 'number' }
const colours = {
  name: byLocale({ en_GB: 'Colours', de_DE: 'Farben' }),
  multiValued: { value: 'true' },
  tid: 'colours',
  type: 'text',
}
const sailingNode = { name: byLocale({ en_GB: 'Sailing boats', de_DE: 'Segelboote' }), tid: 'Sailing' }

export const pimExamples: Examples = {
  'pim.attribute-definitions.query': { request: { types: ['text', 'number'] } },
  'pim.attribute-definitions.retrieve': { request: { tids: ['title', 'length'] } },
  'pim.attribute-definitions.persist': { request: pim({ attrDefs: { attrDef: [title, length, colours] } }) },
  'pim.attribute-definitions.perform': actions({ dataType: 'attrDefinition', type: 'delete', tid: 'colours' }),
  'pim.attribute-groups.retrieve': { request: { tids: ['dimensions'] } },
  'pim.attribute-groups.persist': {
    request: pim({
      attrGroups: {
        attrGroup: [
          {
            name: byLocale({ en_GB: 'Dimensions', de_DE: 'Abmessungen' }),
            references: { itm: [{ value: 'length' }] },
            tid: 'dimensions',
          },
        ],
      },
    }),
  },
  'pim.attribute-groups.perform': actions({ dataType: 'attrGroup', type: 'delete', tid: 'dimensions' }),
  'pim.classes.retrieve': { request: { tids: ['Boats'], withNodes: true } },
  'pim.classes.persist': {
    request: pim({ classes: { clazz: [{ name: byLocale({ en_GB: 'Boats', de_DE: 'Boote' }), tid: 'Boats' }] } }),
  },
  'pim.classes.perform': actions({ dataType: 'classification', type: 'delete', tid: 'Boats' }),
  'pim.nodes.query': { request: { productTid: 'dinghy' } },
  'pim.nodes.retrieve': { request: { path: '/Boats', level: 1 } },
  'pim.nodes.persist': { request: pim({ nodes: { node: [{ ...sailingNode, parentPath: '/Boats' }] } }) },
  'pim.nodes.perform': actions({ dataType: 'node', type: 'delete', id: 4716 }),
  'pim.attributes.query': { request: { nodePath: '/Boats/Sailing', includeParentAttributes: true } },
  'pim.attributes.retrieve': { request: { nodePaths: ['/Boats/Sailing'], withDomainValues: true } },
  'pim.attributes.persist': {
    request: pim({ attrs: { attr: [{ key: 'length', level: 'p', restriction: 'required', nodePath: '/Boats' }] } }),
  },
  'pim.attributes.perform': actions({ dataType: 'attribute', type: 'delete', id: 4717 }),
  'pim.products.query': {
    request: { modifiedFrom: noon, nodePaths: ['/Boats'] },
    reply: { tids: ['dinghy'] },
  },
  'pim.products.retrieve': {
    request: { tids: ['dinghy'] },
    reply: replyWith('product', { products: { product: [dinghy] } }),
  },
  'pim.products.persist': { request: pim({ products: { product: [dinghy] } }) },
  'pim.products.perform': actions({ dataType: 'product', type: 'delete', tid: 'dinghy' }),
  'pim.products.links.persist': {
    request: pim({
      links: {
        itms: [
          {
            itms: [items({ sourceProductTid: 'dinghy', targetProductTid: 'paddle' })],
            type: 'productToProduct',
          },
        ],
      },
    }),
  },
  'pim.products.links.perform': actions({
    meta: items({ sourceProductTid: 'dinghy', targetProductTid: 'paddle' }),
    dataType: 'link',
    type: 'unlink',
  }),
  'pim.attributeUsage': { request: { tids: ['length'] } },
  'pim.dataItemsByIds': { request: { identities: ['dinghy'] } },
  'pim.patchDataItems': {
    request: [{ tID: 'dinghy', values: [{ items: [{ value: '3.4' }], key: 'length', type: 'simple' }] }],
  },
  'pim.pageProducts': { request: { nodePath: '/Boats', text: 'dinghy', sort: 'name', count: 50 } },
  'pim.retrieveCombinations': { request: { tid: 'dinghy' } },
  'pim.persistCombinations': {
    request: { tid: 'dinghy', choices: [{ attribute: 'colour', values: ['red', 'blue'] }] },
  },
  'pim.retrieveTranslations': { request: { tid: 'dinghy' } },
  'pim.confirmTranslations': {
    request: { tid: 'dinghy', texts: [{ attribute: 'title', locale: 'de_DE' }] },
  },
  'pim.retrieveVariationAxes': { request: { nodePath: '/Boats' } },
  'pim.persistVariationAxes': { request: { nodePath: '/Boats', articles: ['colour'], variations: ['size'] } },
  'pim.retrieveRelations': { request: { tids: ['dinghy'], types: ['Accessory'] } },
  'pim.putRelationType': {
    request: {
      label: { itm: [{ value: 'Spare parts', loc: 'en_GB' }] },
      inverse: { itm: [{ value: 'Spare part of', loc: 'en_GB' }] },
      targets: ['product', 'article'],
      quantity: true,
    },
  },
  'pim.productHistory': { request: { tid: 'dinghy', count: 20 } },
}
