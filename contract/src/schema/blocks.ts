/**
 * The building blocks of all messages: items, groups of items, attribute values, parameters.
 *
 * A type has the name of its XML element. If two types share an element name (`node`, `response`), the rarer one has a
 * longer name, and the field that contains it defines its element name.
 */
import {
  attr,
  child,
  children,
  leaf,
  oneOf,
  text,
  type,
  xmlName,
  type Infer,
  type Long,
  type Type,
} from './describe.ts'
import { attributeTypes } from './words.ts'

/** The outcome of one operation. */
export const statuses = ['SUCCESS', 'ERROR'] as const

export const Item = type('itm', 'One value, identified by key, position or locale.', {
  value: text('The text of the element.'),
  pos: attr('long', 'Position in a list, from 0.'),
  key: attr('string', 'Name of the value in key/value lists; domain value in attribute values.'),
  loc: attr('string', 'Locale of the value, for example en_GB.'),
  order: attr('string', 'Sort order among items of the same list.'),
  mode: attr('string', 'How to apply the value, for example delta or full.'),
})

export interface Items {
  itm?: Infer<typeof Item>[]
  itms?: Items[]
  id?: Long
  tid?: string
  loc?: string
  type?: string
  attr?: string
  mode?: string
}
export const Items: Type<Items> = type('itms', 'A group of items, which can contain further groups.', {
  itm: children(() => Item),
  itms: children(() => Items),
  id: attr('long'),
  tid: attr('string'),
  loc: attr('string', 'Locale of the whole group, for example en_GB.'),
  type: attr('string', 'The meaning of the group, for example kwds or assetToProduct.'),
  attr: attr('string', 'Identifier of the attribute of the group.'),
  mode: attr('string', 'delta adds to the stored items, full replaces them.'),
})

const itemList = (name: string, doc: string) => type(name, doc, { itm: children(() => Item) })

export const Meta = itemList('meta', 'Metadata of an object or a message, as key/value items.')
export const Name = itemList('name', 'Names by locale. The item without a locale is the technical name.')
export const Tooltip = itemList('tooltip', 'Tooltips by locale.')
export const ProductPreviewRefs = itemList('productPreviewRefs', 'References to product previews.')
export const Details = itemList('details', 'Details of a result, as key/value items.')
export const Tags = itemList('tags', 'Tags of a value or of an attribute definition.')

export const Abbreviation = type('abbr', 'Abbreviations by locale.', {
  itm: children(() => Item),
  tid: attr('string'),
})

export const DefaultValue = type('defaultVal', 'The value of an attribute until another value is set.', {
  itm: children(() => Item),
  tid: attr('string', 'The default domain value, if the attribute has domain values.'),
})

export const Links = type('links', 'Links to other objects.', {
  itm: children(() => Item, 'Linked objects. The key is a tid, the text is a path.'),
  itms: children(() => Items, 'Links, grouped by kind of link and then by link type.'),
})

export const Config = type('config', 'Configuration, as groups of items.', { itms: children(() => Items) })

export const I18N = type('i18N', 'The values of one locale.', {
  itm: children(() => Item),
  loc: attr('string', 'Locale of the values, for example en_GB.'),
  mode: attr('string'),
})

/** Cardinality and localization of an attribute value. */
export const valueTypes = [
  'simple',
  'localized',
  'multiple',
  'multi_loc',
  'domain',
  'loc_domain',
  'multi_domain',
  'multi_loc_domain',
] as const

export const Val = type('val', 'The value of one attribute. A value without content clears the stored value.', {
  itm: children(() => Item, 'The values. Localized values have loc, list values pos, domain values key.'),
  i18N: xmlName(
    children(() => I18N, 'One list of values per locale (types multi_loc and multi_loc_domain).'),
    'i18n',
  ),
  tags: child(() => Tags),
  attr: attr('string', 'Identifier of the attribute.'),
  type: attr(valueTypes, 'Cardinality and localization. Default simple.'),
  origin: attr('string', 'The origin of the value.'),
  inheritance: attr('string', 'Whether and how the value is inherited.'),
  parent: attr('string', 'Identifier of the table attribute that has this value as a column.'),
  node: attr('string', 'Path of the classification node of the attribute.'),
  dataType: oneOf(attr('string', 'Type of the attribute; string means text, real means number.'), attributeTypes),
  mode: attr('string'),
})
export const Vals = type('vals', 'Attribute values. Values that are not sent remain unchanged.', {
  val: children(() => Val),
})

const keyAndValue = (name: string, doc: string) => type(name, doc, { value: text(), key: attr('string') })
export const Option = keyAndValue('option', 'A named option.')
export const Param = keyAndValue('param', 'A named parameter.')

export interface Params {
  param?: Infer<typeof Param>[]
  params?: Params[]
  key?: string
}
export const Params: Type<Params> = type('params', 'Parameters and named groups of parameters.', {
  param: children(() => Param),
  params: children(() => Params),
  key: attr('string', 'Name of the group.'),
})

export const Issue = type('issue', 'A problem with one item (JSON only).', {
  code: leaf('string', 'Error code; see the list of errors.'),
  description: leaf('string'),
  content: leaf('string', 'The subject of the issue, for example an identifier.'),
})
