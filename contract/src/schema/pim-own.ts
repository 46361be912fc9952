/** Kontor extensions of the PIM area for browsing: pages of products, trees with counts, histories (JSON only). */
import { Name, Vals } from './blocks.ts'
import { anything, child, children, expects, leaf, leaves, oneOf, required, safe, type } from './describe.ts'
import { productTypes } from './words.ts'

// Pages of products

const productSorts = ['modified', 'created', 'tid', 'name'] as const

export const ProductPageRequest = type('productPageRequest', 'A page of a list of products, or specific products.', {
  nodePath: leaf('string', 'Only products in this classification node and below it.'),
  text: leaf('string', 'Only products whose name or tid contains this text.'),
  tids: leaves('string', 'Only these products, in this order. All other criteria are ignored.'),
  sort: leaf(productSorts, 'Default modified.'),
  descending: leaf('boolean', 'Default false.'),
  offset: expects(leaf('integer', 'Number of products to skip. Default 0.'), 0),
  count: expects(leaf('integer', 'Page size. Default 100.'), 1, 1000),
  attributes: leaves('string', 'Includes the values of these attributes.'),
  total: leaf('boolean', 'Whether to return the total. Default true. Set it to false for further pages.'),
})

export const ProductRow = type('productRow', 'A product in a list.', {
  id: leaf('long'),
  tid: leaf('string'),
  name: leaf('string'),
  node: leaf('string', 'Path of the classification node.'),
  articles: leaf('integer'),
  variations: leaf('integer'),
  picture: leaf('string', 'Tid of the first linked asset.'),
  createdAt: leaf('date'),
  modifiedAt: leaf('date'),
  modifiedBy: leaf('string'),
  vals: child(() => Vals, 'The values of the requested attributes.'),
})
export const ProductPage = type('productPage', 'A page of products.', {
  total: leaf('integer', 'Number of products on all pages.'),
  products: children(() => ProductRow),
})

// The classification tree

export const TreeNode = type('treeNode', 'A classification node with the number of its products.', {
  id: leaf('long'),
  parentId: leaf('long', 'Absent for a root node.'),
  tid: leaf('string'),
  path: leaf('string'),
  classification: leaf('string', 'Tid of the classification.'),
  name: child(() => Name),
  products: leaf('integer', 'Number of products directly in this node that the caller may read.'),
  productsBelow: leaf('integer', 'Number of products in this node and below it.'),
  attributes: leaf('integer', 'Number of attributes of the node itself.'),
})
export const ClassificationTree = type('classificationTree', 'All nodes in display order, parents before children.', {
  nodes: children(() => TreeNode),
})

// History

export const ProductHistoryRequest = type('productHistoryRequest', 'Selects the change history of a product.', {
  tid: required(leaf('string', 'The product. Its articles and variations are included.')),
  before: safe(leaf('long', 'Only entries with a lower number. Use it to fetch the next page.')),
  count: expects(leaf('integer', 'Page size. Default 50.'), 1, 500),
})
export const FieldChange = type('fieldChange', 'One field before and after.', {
  field: leaf('string', 'name, node or vals.<attribute>, with .<locale> for localized values.'),
  from: anything('Absent if there was no value.'),
  to: anything('Absent if the value was removed.'),
})
export const ProductHistoryEntry = type('productHistoryEntry', 'A change of a product, an article or a variation.', {
  id: safe(leaf('long')),
  at: leaf('date'),
  user: leaf('string'),
  action: leaf('string', 'create, update, delete, …'),
  rule: leaf('string', 'The rule that made the change.'),
  dataType: oneOf(leaf('string'), productTypes),
  objectId: leaf('long'),
  tid: leaf('string'),
  name: leaf('string'),
  changes: children(() => FieldChange),
})
export const ProductHistory = type('productHistory', 'Changes of a product, newest first.', {
  entries: children(() => ProductHistoryEntry),
})

// Usage of the data model

export const AttributeUsageRequest = type('attributeUsageRequest', 'Attribute definitions by tid.', {
  tids: required(expects(leaves('string'), 1, 100)),
})
export const AttributeUsage = type('attributeUsage', 'The usage of an attribute definition.', {
  tid: leaf('string'),
  nodes: leaf('integer', 'Number of classification nodes with this attribute of their own.'),
  objects: leaf('integer', 'Number of products, articles and variations with a value of their own.'),
})
export const AttributeUsageList = type('attributeUsageList', 'The usage of attribute definitions.', {
  attributes: children(() => AttributeUsage),
})
