/**
 * The PIM area: products, classifications and attributes in messages, and the requests that select them.
 * The JSON objects of the data-item endpoints are in data-item.ts.
 */
import { Abbreviation, DefaultValue, Item, Links, Meta, Name, Tags, Tooltip, Vals } from './blocks.ts'
import {
  alias,
  atMost,
  attr,
  child,
  children,
  inList,
  leaf,
  leaves,
  oneOf,
  required,
  type,
  type Field,
  type Infer,
  type Long,
  type Type,
  either,
  expects,
  needsExactlyOneOf,
  needsOneOf,
} from './describe.ts'
import { attributeTypes, identifierSchemes } from './words.ts'

// Product tree

export const Variant = type('variant', 'A variation: the third level of a product.', {
  name: leaf('string', 'Unique within the article.'),
  meta: child(() => Meta),
  links: child(() => Links),
  vals: child(() => Vals),
  tid: attr('string'),
})
/** Of articles of a product, and of variations of an article. */
const maxChildren = 5000

export const Variants = type('variants', 'The variations of an article.', {
  variant: atMost(
    maxChildren,
    children(() => Variant),
  ),
})

export const Article = type('article', 'An article: the second level of a product.', {
  name: leaf('string', 'Unique within the product.'),
  meta: child(() => Meta),
  links: child(() => Links),
  vals: child(() => Vals),
  variants: child(() => Variants),
  tid: attr('string'),
})
export const Articles = type('articles', 'The articles of a product.', {
  article: atMost(
    maxChildren,
    children(() => Article),
  ),
})

export const Product = type('product', 'A product with its articles and their variations.', {
  name: leaf('string', 'Unique within the classification node. Required for new products.'),
  node: either(leaf('string', 'Path of the classification node, separated by /. Required for new products.')),
  clazz: either(leaf('string', 'The classification of the node.')),
  links: child(() => Links, 'Links to channels, assets and other products.'),
  meta: child(() => Meta),
  vals: child(() => Vals),
  articles: child(() => Articles),
  tid: attr('string'),
})
export const Products = type('products', 'Products.', { meta: child(() => Meta), product: children(() => Product) })

// Attribute definitions

/** Text content that is `true` or `false`. */
const flagText = (doc: string): Field<'true' | 'false', false> => ({ kind: 'text', scalar: 'flag', doc })

export const MultiValued = type('multiValued', 'Whether an attribute holds a list of values.', {
  value: flagText('true if several values are allowed.'),
  cardinality: attr('integer', 'Maximum number of values.'),
})

export const Validation = type('validation', 'Constraints on text values.', {
  type: attr('string', 'Regular expression that the value must match.'),
  minLength: attr('integer'),
  maxLength: attr('integer'),
})

export const DomainVal = type('domainVal', 'One domain value with its labels by locale.', {
  itm: children(() => Item),
  tid: required(attr('string')),
})
export const DomainVals = type('domainVals', 'The domain of an attribute: its list of allowed values.', {
  domainVal: children(() => DomainVal),
  allowNewValue: attr('flag', 'Whether users may add values.'),
  sortDirection: attr('string', 'MANUAL, ASC or DESC.'),
  sortLanguageId: attr('long', 'Id of the locale whose labels define the order.'),
  mode: attr('string', 'FULL if the list is complete.'),
})

export const DomainRange = type('domainRange', 'The allowed range of a number or date.', {
  from: attr('string'),
  to: attr('string'),
  intOnly: attr('flag', 'Whether only whole numbers are allowed.'),
})

export const References = type('references', 'Attributes that belong to this attribute: the columns of a table.', {
  itm: children(() => Item),
})

export const FormatUnit = type('formatUnit', 'A unit in which the values of an attribute can be given.', {
  synonym: leaves('string', 'Other spellings that are accepted.'),
  code: required(attr('string', 'As it is written behind the amount: kg.')),
  factor: attr('string', 'Base unit = amount × factor + offset. The base unit has the factor 1. Set by the server.'),
  offset: attr('string', 'Of temperatures. Default 0. Set by the server.'),
})

export const ValueFormat = type(
  'format',
  'How values of the types identifier, measure and price are written (Kontor extension). Clients that do not know these types can treat their values as texts.',
  {
    unit: children(
      () => FormatUnit,
      'measure: the units of the family, the base unit first; set by the server. price: its currencies.',
    ),
    scheme: attr(identifierSchemes, 'identifier: the scheme that defines length and check digit.'),
    unique: attr('flag', 'identifier: whether two products, articles or variations cannot have the same value.'),
    family: attr('string', 'measure: the family of units, such as mass.'),
  },
)

export const AttrGroupPlace = type(
  'attrGroupPlace',
  'The group of an attribute, and the place in it (Kontor extension).',
  {
    tid: attr('string', 'The group. An empty element takes the attribute out of its group.'),
    pos: attr('integer', 'The place among the attributes of the group, from 0. Default: the last.'),
  },
)

export const attributeRequirements = ['optional', 'required', 'requiredInAllLanguages'] as const

export const AttrDefinition = type('attrDef', 'The definition of an attribute: its type and its allowed values.', {
  meta: child(() => Meta),
  name: child(() => Name),
  abbr: child(() => Abbreviation),
  tooltip: child(() => Tooltip),
  defaultVal: child(() => DefaultValue),
  multiValued: child(() => MultiValued),
  validation: child(() => Validation),
  domainVals: child(() => DomainVals),
  domainRange: child(() => DomainRange),
  tags: child(() => Tags),
  references: child(() => References),
  format: child(() => ValueFormat),
  group: child(() => AttrGroupPlace, 'Only attributes of products have a group.'),
  noValidateAsRichText: attr('string', 'true skips the check that the text is valid rich text.'),
  id: attr('long'),
  tid: required(attr('string')),
  type: required(oneOf(attr('string', 'Type of the values.'), attributeTypes)),
  localized: attr('flag', 'Whether the attribute has a value per locale.'),
  required: attr(attributeRequirements),
  domain: attr('string', 'Name of the domain of the values.'),
})
export const AttrDefs = type('attrDefs', 'Attribute definitions.', {
  attrDef: children(() => AttrDefinition),
  type: attr('string'),
})

export const AttrGroup = type('attrGroup', 'A group of attributes of products (Kontor extension).', {
  name: child(() => Name, 'Its label per locale.'),
  references: child(
    () => References,
    'Its attributes by tid, in their order. If sent, the group has these and no others; without it, the group keeps its attributes.',
  ),
  id: attr('long'),
  tid: attr('string'),
  pos: attr('integer', 'Its place among the groups, from 0 to 10000. Default: the last.'),
})
export const AttrGroups = type('attrGroups', 'Groups of attributes.', { attrGroup: children(() => AttrGroup) })
export const AttrGroupRequest = type('attrGroupRequest', 'Selects groups of attributes; all without tids and ids.', {
  tids: leaves('string', 'Take precedence over ids.'),
  ids: leaves('long'),
})

// Attributes on classification nodes

export const attributeRestrictions = ['optional', 'required', 'mandatory'] as const
export const attributeOptions = ['READONLY', 'OVERWRITE', 'SYNCHRONIZED'] as const

export const Attr = type('attr', 'An attribute that the products of a classification node have.', {
  defaultVal: child(() => DefaultValue),
  domainVals: child(() => DomainVals),
  domainRange: child(() => DomainRange),
  key: attr('string', 'Identifier of the attribute definition.'),
  level: attr(
    'string',
    'Levels that have the attribute: p (product), a (article), v (variation). Default: all levels.',
  ),
  inheritance: attr('string', 'visible or not_visible.'),
  restriction: attr(attributeRestrictions),
  localized: attr('flag', 'Whether the attribute has a value per locale.'),
  cardinality: attr('integer', 'Maximum number of values.'),
  option: attr(attributeOptions),
  id: attr('long'),
  nodeId: attr('long', 'Id of the classification node.'),
  nodePath: attr('string', 'Path of the classification node.'),
})
export const Attrs = type('attrs', 'Attributes of classification nodes.', { attr: children(() => Attr) })

// Classifications

export interface Node {
  name?: Infer<typeof Name>
  attr?: Infer<typeof Attr>[]
  node?: Node[]
  tid?: string
  id?: Long
  parentId?: Long
  path?: string
  parentPath?: string
  classificationTid?: string
  mode?: string
}
export const Node: Type<Node> = type('node', 'A node of a classification.', {
  name: child(() => Name),
  attr: children(() => Attr, 'The attributes of the products in this node.'),
  node: children(() => Node, 'Child nodes, if nested nodes were requested.'),
  tid: attr('string'),
  id: attr('long'),
  parentId: attr('long'),
  path: attr('string', 'The tids from the root node to this node, separated by /.'),
  parentPath: attr('string'),
  classificationTid: attr('string', 'Classification of a root node.'),
  mode: attr('string'),
})
export const Nodes = type('nodes', 'Classification nodes.', { node: children(() => Node) })

export const Classification = type('clazz', 'A classification: a tree of nodes that products are assigned to.', {
  name: child(() => Name),
  node: child(() => Node, 'The root node.'),
  tid: attr('string'),
  id: attr('long'),
})
export const Classes = type('classes', 'Classifications.', {
  clazz: alias(
    children(() => Classification),
    'class',
  ),
  mode: attr('string'),
})

// Definitions that are stored and returned unchanged

export const TagDefinition = type('tagDef', 'The definition of a tag.', {
  name: child(() => Name),
  meta: child(() => Meta),
  tid: attr('string'),
})
export const TagDefs = type('tagDefs', 'Tag definitions.', { tagDef: children(() => TagDefinition) })

// Requests

export const ProductRequest = needsOneOf(
  type('productRequest', 'Products by identifier.', {
    ids: leaves('long'),
    tids: leaves('string'),
  }),
  'tids',
  'ids',
)

export const ProductQuery = type('productQuery', 'A query for products. All given criteria must match.', {
  modifiedFrom: leaf(
    'date',
    'Changed at or after this time, without time zone, with milliseconds: 2024-02-25T01:00:00.000.',
  ),
  modifiedUntil: leaf('date', 'Changed at or before this time.'),
  nodePaths: leaves('string', 'Paths of classification nodes.'),
  searchStrategy: oneOf(leaf('string', 'How to search nodePaths. Default subtree.'), ['subtree', 'node']),
})

export const AttributeDefinitionsRequest = needsOneOf(
  type('attributeDefinitionsRequest', 'Attribute definitions by identifier.', {
    tids: leaves('string', 'Take precedence over ids.'),
    ids: leaves('long'),
    all: leaf('boolean', 'true returns all definitions and ignores ids and tids. Default false.'),
  }),
  'tids',
  'ids',
  'all',
)

export const AttributeDefinitionsQueryRequest = type(
  'attributeDefinitionsQueryRequest',
  'A query for attribute definitions.',
  { types: oneOf(leaves('string', 'Attribute types.'), attributeTypes) },
)

export const AttributesQueryRequest = needsExactlyOneOf(
  type('attributesQueryRequest', 'A query for the attributes of a product or of a node.', {
    productId: inList(leaf('long')),
    productTid: inList(leaf('string')),
    nodeId: inList(leaf('long')),
    nodePath: inList(leaf('string')),
    includeParentAttributes: leaf(
      'boolean',
      'Includes attributes of parent nodes. Default false. Always true for products.',
    ),
  }),
  'productId',
  'productTid',
  'nodeId',
  'nodePath',
)

export const AttributesRetrieveRequest = needsExactlyOneOf(
  type('attributesRetrieveRequest', 'Attributes by id, or all attributes of products or nodes.', {
    ids: leaves('long'),
    productIds: leaves('long'),
    productTids: leaves('string'),
    nodeIds: leaves('long'),
    nodePaths: leaves('string'),
    includeParentAttributes: leaf('boolean', 'Includes attributes of parent nodes.'),
    withDomainValues: leaf('boolean', 'Default false.'),
    withDefaultValues: leaf('boolean', 'Default false.'),
  }),
  'ids',
  'productIds',
  'productTids',
  'nodeIds',
  'nodePaths',
)

export const AttributesRequest = type('attributesRequest', 'Attributes by id, as returned by an attribute query.', {
  ids: leaves('long'),
})

export const ClassificationRequest = type(
  'classificationRequest',
  'Classifications by identifier. An empty request returns all.',
  {
    tids: leaves('string'),
    ids: leaves('long'),
    withNodes: leaf('boolean', 'Includes the nodes with all their attributes. Default false.'),
    flatNodes: leaf('boolean', 'Returns nodes as a flat list instead of nested. Default true.'),
  },
)

/** A request has exactly one of them. The type is also the reply to a query, to which that rule does not apply. */
export const NodesRequest = needsOneOf(
  type(
    'nodesRequest',
    'Nodes. A classification returns its root node, a path with a level the nodes below it, and ids exactly these nodes.',
    {
      path: leaf('string'),
      level: expects(leaf('integer', 'Number of levels below the path.'), 1),
      classificationId: leaf('long'),
      classificationTid: leaf('string'),
      ids: leaves('long'),
    },
  ),
  'path',
  'classificationId',
  'classificationTid',
  'ids',
)

export const NodesQueryRequest = needsExactlyOneOf(
  type('nodesQueryRequest', 'A query for the nodes of a product, an attribute definition or an attribute.', {
    productTid: leaf('string'),
    productId: leaf('long'),
    attributeDefinitionTid: leaf('string'),
    attributeDefinitionId: leaf('long'),
    attributeId: leaf('long'),
  }),
  'productTid',
  'productId',
  'attributeDefinitionTid',
  'attributeDefinitionId',
  'attributeId',
)
