/** What the PIM area offers beyond the interface, for people who browse: pages of products, trees with counts, histories. In JSON alone. */
import { Name, Vals } from './blocks.ts'
import { anything, child, children, leaf, leaves, oneOf, required, type } from './describe.ts'
import { productTypes } from './words.ts'

// Pages of products

export const productSorts = ['modified', 'created', 'tid', 'name'] as const

export const ProductPageRequest = type(
  'productPageRequest',
  'A page of a long list of products, or these very products.',
  {
    nodePath: leaf('string', 'Only products in this classification node and below it.'),
    text: leaf('string', 'Only products whose name or tid contains this.'),
    tids: leaves('string', 'Only these products, in this order; nothing else is looked at.'),
    sort: leaf(productSorts, 'Default modified.'),
    descending: leaf('boolean', 'Default false.'),
    offset: leaf('integer', 'How many to leave out; default 0.'),
    count: leaf('integer', 'At most so many; default 100, at most 1000.'),
    attributes: leaves('string', 'Also the values of these attributes.'),
    total: leaf(
      'boolean',
      'Whether to say how many there are in all; default true. Whoever pages on knows it already.',
    ),
  },
)

export const ProductRow = type('productRow', 'A product as lists show it.', {
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
  vals: child(() => Vals, 'What was asked for.'),
})
export const ProductPage = type('productPage', 'A page of products.', {
  total: leaf('integer', 'How many there are on all pages.'),
  products: children(() => ProductRow),
})

// The classification tree

export const TreeNode = type('treeNode', 'A classification node with what is in it.', {
  id: leaf('long'),
  parentId: leaf('long', 'Absent at a root.'),
  tid: leaf('string'),
  path: leaf('string'),
  classification: leaf('string', 'Tid of the classification.'),
  name: child(() => Name),
  products: leaf('integer', 'Products in this very node that the caller may read.'),
  productsBelow: leaf('integer', 'In this node and everything below it.'),
  attributes: leaf('integer', 'Attributes that the node itself has.'),
})
export const ClassificationTree = type('classificationTree', 'All nodes, parents before children, in their order.', {
  nodes: children(() => TreeNode),
})

// History

export const ProductHistoryRequest = type('productHistoryRequest', 'What became of a product, newest first.', {
  tid: required(leaf('string', 'The product; its articles and variations are included.')),
  before: leaf('long', 'Only entries with a lower number, for the next page.'),
  count: leaf('integer', 'At most so many; default 50, at most 500.'),
})
export const FieldChange = type('fieldChange', 'One field before and after.', {
  field: leaf('string', 'name, node, or vals.<attribute>, with .<locale> where the value is localized.'),
  from: anything('Absent when there was nothing.'),
  to: anything('Absent when there is nothing any more.'),
})
export const ProductHistoryEntry = type('productHistoryEntry', 'A change of a product, an article or a variation.', {
  id: leaf('long'),
  at: leaf('date'),
  user: leaf('string'),
  action: leaf('string', 'create, update, delete, …'),
  dataType: oneOf(leaf('string'), productTypes),
  objectId: leaf('long'),
  tid: leaf('string'),
  name: leaf('string'),
  changes: children(() => FieldChange),
})
export const ProductHistory = type('productHistory', 'Changes of a product, newest first.', {
  entries: children(() => ProductHistoryEntry),
})

// What uses the model

export const AttributeUsageRequest = type('attributeUsageRequest', 'Attribute definitions by tid.', {
  tids: required(leaves('string')),
})
export const AttributeUsage = type('attributeUsage', 'What uses an attribute definition.', {
  tid: leaf('string'),
  nodes: leaf('integer', 'Classification nodes that have the attribute themselves.'),
  objects: leaf('integer', 'Products, articles and variations with a value of their own.'),
})
export const AttributeUsageList = type('attributeUsageList', 'What uses attribute definitions.', {
  attributes: children(() => AttributeUsage),
})
