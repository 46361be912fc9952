/** Relations between products, articles and variations (JSON only, Kontor extension). The relations themselves are links. */
import { Name } from './blocks.ts'
import { atMost, child, children, expects, leaf, leaves, needsOneOf, required, safe, type } from './describe.ts'
import { productTypes } from './words.ts'

const relationTypeFields = {
  label: child(() => Name, 'Its name per locale, as seen from the source: Spare parts.'),
  inverse: child(() => Name, 'Its name per locale, as seen from the target: Spare part of.'),
  sources: atMost(3, leaves(productTypes, 'What can be at the source. Default: product, article and variant.')),
  targets: atMost(3, leaves(productTypes, 'What can be at the target. Default: product, article and variant.')),
  quantity: leaf('boolean', 'Whether a relation can have a quantity. Default false.'),
  pos: expects(leaf('integer', 'Its place among the types. Default 0.'), 0, 10_000),
}
export const RelationType = type('relationType', 'A type of relations: accessory, spare part, successor.', {
  tid: leaf('string', 'The type of the links.'),
  ...relationTypeFields,
  uses: leaf('integer', 'Number of relations of this type. Only for administrators.'),
})
export const RelationTypeChange = type('relationTypeChange', 'The new state of a relation type.', relationTypeFields)
export const RelationTypeList = type('relationTypeList', 'Relation types, in their order.', {
  types: children(() => RelationType),
})

export const relationDirections = ['outgoing', 'incoming'] as const

export const RelationRequest = needsOneOf(
  type('relationRequest', 'Selects the relations of products, articles and variations.', {
    tids: atMost(
      1000,
      leaves('string', 'Products. Their articles and variations are included. Take precedence over ids.'),
    ),
    ids: atMost(1000, leaves('long', 'Products, articles or variations.')),
    types: leaves('string', 'Only relations of these types. Default: all links between products.'),
    direction: leaf(relationDirections, 'Default: both.'),
  }),
  'tids',
  'ids',
)
const end = {
  tid: required(leaf('string')),
  id: required(safe(leaf('long'))),
  itemType: required(leaf(productTypes)),
  name: leaf('string'),
  productTid: leaf('string', 'The product that an article or a variation belongs to.'),
}
export const RelationEnd = type('relationEnd', 'An end of a relation: a product, an article or a variation.', end)
export const Relation = type('relation', 'A relation of an object, as seen from that object.', {
  type: leaf('string', 'Absent for a link without a type.'),
  direction: required(leaf(relationDirections, 'outgoing: the object is the source.')),
  own: required(child(() => RelationEnd, 'The object.')),
  other: required(child(() => RelationEnd, 'The object at the other end.')),
  pos: leaf('long', 'Its place among the relations of the source.'),
  quantity: leaf('string', 'A decimal number.'),
})
export const RelationList = type(
  'relationList',
  'Relations, by type and place. Objects that you may not read are left out.',
  { relations: children(() => Relation) },
)
