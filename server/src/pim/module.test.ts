/** Every call of the PIM area in every format, with each status that the contract documents. */
import { pim } from '@kontor/contract'
import { createModel, jacket, productCalls, schemaVersion } from '../../test/catalogue.ts'
import { describeStatuses, type Samples } from '../../test/documented.ts'
import type { TestServer } from '../../test/server.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
const envelope = (contents: object) => ({ body: { schemaVersion, ...contents } })
const deleting = (dataType: string, named: object) => {
  const action = [{ dataType, type: 'delete', ...named }]
  return { 200: envelope({ actions: { action } }), never }
}
/** A batch is always 200; a missing object is reported in the record of its item. */
const never = { 404: 'a missing object is reported in its record' }
const persisting = (container: string, element: string, item: object) => ({
  200: envelope({ [container]: { [element]: [item] } }),
  never,
})
const definition = { tid: 'brand', type: 'text', ...named('Brand') }
const classification = { tid: 'Other', ...named('Other') }
const node = { parentPath: '/Standard', tid: 'Hats', ...named('Hats') }
const attribute = { nodePath: '/Standard/Rain', key: 'material' }
const ends = [
  { value: 'P', key: 'sourceProductTid' },
  { value: 'Q', key: 'targetProductTid' },
]
const link = { type: 'productToProduct', itms: [{ type: 'accessory', itm: ends }] }
const unlinking = { dataType: 'productToProductLink', type: 'unlink', meta: { itm: ends } }

const samples: Samples = {
  'attribute-definitions/query': { 200: { body: {} }, never: { 404: 'a query that finds nothing finds nothing' } },
  'attribute-definitions/retrieve': { 200: { body: { tids: ['material'] } }, 404: { body: { tids: ['nope'] } } },
  'attribute-definitions/persist': persisting('attrDefs', 'attrDef', definition),
  'attribute-definitions/perform': deleting('attrDefinition', { tid: 'nope' }),
  'attribute-definitions/bulk': persisting('attrDefs', 'attrDef', definition),
  'attribute-groups/retrieve': { 200: { body: {} }, 404: { body: { tids: ['nope'] } } },
  'attribute-groups/persist': persisting('attrGroups', 'attrGroup', { tid: 'care', ...named('Care') }),
  'attribute-groups/perform': deleting('attrGroup', { tid: 'nope' }),
  'classes/retrieve': { 200: { body: { tids: ['Standard'] } }, 404: { body: { tids: ['nope'] } } },
  'classes/persist': persisting('classes', 'clazz', classification),
  'classes/perform': deleting('classification', { tid: 'nope' }),
  'classes/bulk': persisting('classes', 'clazz', classification),
  'nodes/query': { 200: { body: { productTid: 'P' } } },
  'nodes/retrieve': { 200: { body: { path: '/Standard' } } },
  'nodes/persist': persisting('nodes', 'node', node),
  'nodes/perform': deleting('node', { path: '/nope' }),
  'nodes/bulk': persisting('nodes', 'node', node),
  'attributes/query': { 200: { body: { nodePath: '/Standard' } }, 404: { body: { nodePath: '/nope' } } },
  'attributes/retrieve': { 200: { body: { nodePaths: ['/Standard'] } }, 404: { body: { nodePaths: ['/nope'] } } },
  'attributes/persist': persisting('attrs', 'attr', attribute),
  'attributes/perform': deleting('attribute', { id: 1 }),
  'attributes/bulk': persisting('attrs', 'attr', attribute),
  'products/query': { 200: { body: {} }, 404: { body: { nodePaths: ['/nope'] } } },
  'products/retrieve': { 200: { body: { tids: ['P'] } }, 404: { body: { tids: ['nope'] } } },
  'products/persist': persisting('products', 'product', jacket('R')),
  'products/perform': deleting('product', { tid: 'nope' }),
  'products/bulk': persisting('products', 'product', jacket('S')),
  'products/links/persist': { 200: envelope({ links: { itms: [link] } }), never },
  'products/links/perform': { 200: envelope({ actions: { action: [unlinking] } }), never },
  listAttributeDefinitions: { 200: {}, never: { 404: 'there is always a list, if an empty one' } },
  listClasses: { 200: {}, never: { 404: 'there is always a list, if an empty one' } },
  listNodeAttributes: {
    200: { path: '/attributes/Standard/Jackets' },
    400: { path: '/attributes/Standard?includeParentAttributes=perhaps' },
    404: { path: '/attributes/nope' },
  },
  classificationTree: { 200: {} },
  attributeUsage: { 200: { body: { tids: ['material'] } } },
  addDomainValue: {
    200: { path: '/attributes/{open}/domain-value?domainValue=green' },
    400: { path: '/attributes/{open}/domain-value' },
    404: { path: '/attributes/99999999/domain-value?domainValue=green' },
  },
  dataItemTree: { 200: { path: '/data-items/P/tree' }, 404: { path: '/data-items/nope/tree' } },
  dataItemsByIds: { 200: { body: { identities: ['P'] } } },
  patchDataItems: { 200: { body: [{ tID: 'P', values: [] }] } },
  pageProducts: { 200: { body: {} }, 404: { body: { nodePath: '/nope' } } },
  retrieveCombinations: { 200: { body: { tid: 'P' } }, 404: { body: { tid: 'nope' } } },
  persistCombinations: { 200: { body: { tid: 'P' } }, 404: { body: { tid: 'nope' } } },
  retrieveTranslations: { 200: { body: { tid: 'P' } }, 404: { body: { tid: 'nope' } } },
  confirmTranslations: {
    200: { body: { tid: 'P', texts: [{ attribute: 'caption', locale: 'de_DE' }] } },
    404: { body: { tid: 'nope', texts: [{ attribute: 'caption', locale: 'de_DE' }] } },
  },
  retrieveVariationAxes: { 200: { body: { nodePath: '/Standard' } }, 404: { body: { nodePath: '/nope' } } },
  persistVariationAxes: {
    200: { body: { nodePath: '/Standard', variations: ['color'] } },
    404: { body: { nodePath: '/nope' } },
  },
  retrieveRelations: { 200: { body: { tids: ['P'] } }, 404: { body: { tids: ['nope'] } } },
  listRelationTypes: { 200: {} },
  putRelationType: { 200: { path: '/relation-types/Gift', body: { quantity: true } } },
  deleteRelationType: { 200: { path: '/relation-types/Alternative' }, 404: { path: '/relation-types/nope' } },
  productHistory: { 200: { body: { tid: 'P' } }, 404: { body: { tid: 'nope' } } },
}

async function create(api: TestServer, resource: string, contents: object): Promise<{ id: number }[]> {
  const reply = await api.post(
    `${pim.base}/${resource}/persist`,
    { schemaVersion, ...contents },
    { token: api.adminToken },
  )
  return reply.json.responses.response
}

describeStatuses(pim, samples, {
  async prepare(api) {
    await createModel(api)
    await productCalls(api).persist(jacket('P'), jacket('Q'))
    const attr = [{ nodePath: '/Standard', key: 'tone' }]
    const domainVals = { domainVal: [{ tid: 'red', itm: [{ value: 'Red' }] }], allowNewValue: 'true' }
    const open = { tid: 'tone', type: 'text', domainVals, ...named('Tone') }
    await create(api, 'attribute-definitions', { attrDefs: { attrDef: [open] } })
    const [made] = await create(api, 'attributes', { attrs: { attr } })
    await api.post(`${pim.base}/variation-axes/persist`, { nodePath: '/Standard', variations: ['color'] }, { token: api.adminToken }) // prettier-ignore
    return { open: made!.id }
  },
  tables: [
    'pim_model',
    'product',
    'node',
    'classification',
    'attr_def',
    'node_attribute',
    'link',
    'bulk_run',
    'history',
  ],
})
