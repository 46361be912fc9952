/** Products with their articles and variations, links between them, and data items. */
import type { Resource, Route } from '../endpoint.ts'
import { Items } from '../schema/blocks.ts'
import { DataItem, DataItemGetByIdsRequest, DataItemPatchResponse, DataItemsResponse } from '../schema/data-item.ts'
import { ProductHistory, ProductHistoryRequest, ProductPage, ProductPageRequest } from '../schema/pim-own.ts'
import { Product, ProductQuery, ProductRequest } from '../schema/pim.ts'
import {
  CombinationList,
  CombinationRequest,
  VariationAxes,
  VariationAxesChange,
  VariationAxesRequest,
} from '../schema/variations.ts'
import { TextConfirmation, TranslationRequest, TranslationState } from '../schema/translations.ts'
import {
  RelationList,
  RelationRequest,
  RelationType,
  RelationTypeChange,
  RelationTypeList,
} from '../schema/relations.ts'

// prettier-ignore
export const productResources = {
  products: {
    doc: 'Products, their articles and variations with attribute values and links.',
    access: 'user', container: 'products', element: 'product', item: Product, dataType: 'product',
    query: { request: ProductQuery, reply: ProductRequest },
    retrieve: ProductRequest,
    persist: true, tagged: true,
    perform: {
      delete: { doc: 'Deletes the product with its articles and variations.', identify: ['tid', 'id'],
                meta: { force: 'true also deletes a product that is in use, together with its links.' } },
      copy:   { doc: 'Copies the product with its articles, variations, values and links. The copy has the same node.', identify: ['tid', 'id'],
                meta: { newProductName: 'Name of the copy. Required.', newProductTid: 'Tid of the copy. Default: generated.' } },
    },
    bulk: 'write',
    statuses: { retrieve: [200, 400, 401, 403, 404, 500] },
  },
  'products/links': {
    doc: 'Links between products, articles and variations: one to one, one to many, many to many. A link whose type is a relation type obeys its rules.',
    access: 'user', container: 'links', element: 'itms', item: Items, dataType: 'link', actionTypes: ['productToProductLink'],
    persist: true,
    perform: {
      unlink: { doc: 'Removes a link between two products.', identify: [],
                meta: { sourceProductTid: 'Or sourceProductId, sourceArticleTid, sourceVariantTid.', targetProductTid: 'Or targetProductId, targetArticleTid, targetVariantTid.', linkType: 'The type of the link. Default: all types.' } },
    },
  },
} as const satisfies Record<string, Resource>

// prettier-ignore
export const productRoutes = {
  dataItemTree: {
    doc: 'Returns a data item with its parent and children.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/data-items/{id}/tree', formats: 'json',
    reply: DataItemsResponse, statuses: [200, 401, 404, 500],
  },
  dataItemsByIds: {
    doc: 'Returns data items by identity: dataType:tid, or a plain tid.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/data-items/get-by-ids', formats: 'json',
    request: DataItemGetByIdsRequest, reply: DataItemsResponse, statuses: [200, 400, 401, 500],
  },
  patchDataItems: {
    doc: 'Updates values of data items.', access: 'user', needs: { kind: 'product', action: 'update' }, method: 'PATCH', path: '/data-items', formats: 'json', own: true,
    requestList: DataItem, reply: DataItemPatchResponse, statuses: [200, 400, 401, 500],
  },
  pageProducts: {
    doc: 'Returns one page of a product list.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/products/page', formats: 'json', own: true,
    request: ProductPageRequest, reply: ProductPage, statuses: [200, 400, 401, 404],
  },
  productHistory: {
    doc: 'Returns the change history of a product, its articles and variations, newest first.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/products/history', formats: 'json', own: true,
    request: ProductHistoryRequest, reply: ProductHistory, statuses: [200, 400, 401, 404],
  },
  retrieveCombinations: {
    doc: 'Lists the articles and variations that the variation axes of a product span, in the order of the values.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/products/combinations/retrieve', formats: 'json', own: true,
    request: CombinationRequest, reply: CombinationList, statuses: [200, 400, 401, 403, 404],
  },
  persistCombinations: {
    doc: 'Creates the articles and variations that the variation axes of a product span and that are missing.', access: 'user', needs: { kind: 'product', action: 'create' }, method: 'POST', path: '/products/combinations/persist', formats: 'json', own: true,
    request: CombinationRequest, reply: CombinationList, statuses: [200, 400, 401, 403, 404, 409],
  },
  retrieveTranslations: {
    doc: 'Returns the texts of a product, its articles and variations whose source text has changed since they were translated.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/products/translations/retrieve', formats: 'json', own: true,
    request: TranslationRequest, reply: TranslationState, statuses: [200, 400, 401, 404],
  },
  confirmTranslations: {
    doc: 'States that texts are still right although their source text has changed. Texts that are not marked are left as they are.', access: 'user', needs: { kind: 'product', action: 'update' }, method: 'POST', path: '/products/translations/confirm', formats: 'json', own: true,
    request: TextConfirmation, reply: TranslationState, statuses: [200, 400, 401, 403, 404, 409],
  },
  retrieveVariationAxes: {
    doc: 'Returns the attributes that span the variations of a category: its own, and those that it inherits.', access: 'user', needs: { kind: 'node', action: 'read' }, method: 'POST', path: '/variation-axes/retrieve', formats: 'json', own: true,
    request: VariationAxesRequest, reply: VariationAxes, statuses: [200, 400, 401, 404],
  },
  persistVariationAxes: {
    doc: 'Sets the attributes that span the variations of a category and of those below it. Refused while products have two variations with the same values.', access: 'user', needs: { kind: 'attribute', action: 'update' }, method: 'POST', path: '/variation-axes/persist', formats: 'json', own: true,
    request: VariationAxesChange, reply: VariationAxes, statuses: [200, 400, 401, 403, 404, 409],
  },
  retrieveRelations: {
    doc: 'Returns the relations of products, articles and variations, from both ends. Relations are stored as links of the kind productToProduct.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'POST', path: '/products/relations', formats: 'json', own: true,
    request: RelationRequest, reply: RelationList, statuses: [200, 400, 401, 404],
  },
  listRelationTypes: {
    doc: 'Lists the types of relations between products, articles and variations.', access: 'user', needs: { kind: 'product', action: 'read' }, method: 'GET', path: '/relation-types', formats: 'json', own: true,
    reply: RelationTypeList, statuses: [200, 401],
  },
  putRelationType: {
    doc: 'Creates or replaces a relation type. Refused if existing relations would break its rules.', access: 'admin', method: 'PUT', path: '/relation-types/{tid}', formats: 'json', own: true,
    request: RelationTypeChange, reply: RelationType, statuses: [200, 400, 401, 403, 409],
  },
  deleteRelationType: {
    doc: 'Deletes a relation type. Refused while relations have it.', access: 'admin', method: 'DELETE', path: '/relation-types/{tid}', formats: 'json', own: true,
    statuses: [200, 401, 403, 404, 409],
  },
} as const satisfies Record<string, Route>
