/**
 * The building blocks every message is made of: items, groups of items, attribute values, parameters.
 *
 * A type is named after its XML element. Only where two types share an element name (`node`, `response`) does the rarer
 * one carry a longer name; its element is then named by the field that holds it.
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

export const Item = type('itm', 'One value; key, position or locale say which.', {
  value: text('The text of the element.'),
  pos: attr('long', 'Position in a list, from 0.'),
  key: attr('string', 'Name of the value in key/value lists; domain value in attribute values.'),
  loc: attr('string', 'Locale of the value, for example en_GB.'),
  order: attr('string', 'Sort order among items of the same list.'),
  mode: attr('string', 'How the value is applied, for example delta or full.'),
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
export const Items: Type<Items> = type('itms', 'A group of items, with groups inside where needed.', {
  itm: children(() => Item),
  itms: children(() => Items),
  id: attr('long'),
  tid: attr('string'),
  loc: attr('string', 'Locale of the whole group, for example en_GB.'),
  type: attr('string', 'What the group means, for example kwds or assetToProduct.'),
  attr: attr('string', 'Identifier of the attribute the group belongs to.'),
  mode: attr('string', 'delta adds to what is stored, full replaces it.'),
})

const itemList = (name: string, doc: string) => type(name, doc, { itm: children(() => Item) })

export const Meta = itemList('meta', 'Facts about an object or a message, as key/value items.')
export const Name = itemList('name', 'A name per locale; the item without a locale is the technical name.')
export const Tooltip = itemList('tooltip', 'A tooltip per locale.')
export const ProductPreviewRefs = itemList('productPreviewRefs', 'References to product previews.')
export const Details = itemList('details', 'Further facts about a result, as key/value items.')
export const Tags = itemList('tags', 'Tags of a value or of an attribute definition.')

export const Abbreviation = type('abbr', 'An abbreviation per locale.', {
  itm: children(() => Item),
  tid: attr('string'),
})

export const DefaultValue = type('defaultVal', 'The value an attribute has until another is set.', {
  itm: children(() => Item),
  tid: attr('string', 'The domain value that is the default, where the attribute has domain values.'),
})

export const Links = type('links', 'Relations to other objects.', {
  itm: children(() => Item, 'Linked objects: the key is a tid, the text a path.'),
  itms: children(() => Items, 'Links grouped by the kind of objects and, inside, by link type.'),
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

export const Val = type('val', 'The value of one attribute. A value without content clears what is stored.', {
  itm: children(() => Item, 'The values; localized ones carry loc, listed ones pos, domain values key.'),
  i18N: xmlName(
    children(() => I18N, 'One list of values per locale (types multi_loc and multi_loc_domain).'),
    'i18n',
  ),
  tags: child(() => Tags),
  attr: attr('string', 'Identifier of the attribute.'),
  type: attr(valueTypes, 'Cardinality and localization; simple when absent.'),
  origin: attr('string', 'Where the value comes from.'),
  inheritance: attr('string', 'Whether and how the value is inherited.'),
  parent: attr('string', 'Identifier of the table attribute this value is a column of.'),
  node: attr('string', 'Path of the classification node the attribute belongs to.'),
  dataType: oneOf(attr('string', 'The type of the attribute; string means text, real means number.'), attributeTypes),
  mode: attr('string'),
})
export const Vals = type('vals', 'Attribute values. Only those sent are stored, the others stay.', {
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
export const Params: Type<Params> = type('params', 'Parameters, with named groups of parameters inside.', {
  param: children(() => Param),
  params: children(() => Params),
  key: attr('string', 'Name of the group.'),
})

export const Issue = type('issue', 'What went wrong with one item (JSON only).', {
  code: leaf('string', 'Code of the error, see the list of errors.'),
  description: leaf('string'),
  content: leaf('string', 'What the issue is about, for example an identifier.'),
})
