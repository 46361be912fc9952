/**
 * The JSON objects of the data-item endpoints: any object of PIM or DAM in one shape, with its attributes and values.
 * They say the same as the messages of pim.ts in plainer JSON: names are maps by locale, flags are booleans.
 */
import { Issue, Item, statuses, valueTypes } from './blocks.ts'
import { child, children, leaf, leaves, map, oneOf, type, type Field, type Infer, type Type } from './describe.ts'
import { attributeOptions, attributeRestrictions } from './pim.ts'
import { attributeTypes } from './words.ts'

// Attribute definitions and attributes

export const MultiValuedSetting = type('multiValuedSetting', 'Whether an attribute holds a list of values.', {
  value: leaf('boolean'),
  cardinality: leaf('integer', 'The largest number of values.'),
})

export const ValidationSetting = type('validationSetting', 'What a text value must satisfy.', {
  type: leaf('string', 'Regular expression the value must match.'),
  minLength: leaf('integer'),
  maxLength: leaf('integer'),
})

export const DomainValue = type('domainValue', 'One value of a closed list, with its label per locale.', {
  tID: leaf('string'),
  items: children(() => Item),
})

export const DomainValues = type('domainValues', 'The closed list of values of an attribute.', {
  allowNewValue: leaf('boolean', 'Whether users may add values.'),
  sortDirection: leaf('string', 'MANUAL, ASC or DESC.'),
  sortLanguageId: leaf('long', 'Id of the locale by which labels are sorted.'),
  domainValues: children(() => DomainValue),
})

export const DomainRangeSetting = type('domainRangeSetting', 'The range a number or date must lie in.', {
  from: leaf('string'),
  to: leaf('string'),
  intOnly: leaf('boolean', 'Whether only whole numbers are allowed.'),
})

export const AttributeDefinition = type('attributeDefinition', 'The definition of an attribute.', {
  tID: leaf('string'),
  type: oneOf(leaf('string', 'The type of its values.'), attributeTypes),
  domain: leaf('string', 'Name of the domain the values come from.'),
  meta: map(),
  name: map('Name by locale.'),
  abbreviation: map('Abbreviation by locale.'),
  tooltip: map('Tooltip by locale.'),
  defaultValue: child(() => DomainValue),
  multiValued: child(() => MultiValuedSetting),
  validation: child(() => ValidationSetting),
  domainValues: child(() => DomainValues),
  domainRange: child(() => DomainRangeSetting),
  tags: children(() => Item),
  references: leaves('string', 'Attributes that belong to this one: the columns of a table.'),
})

export const Attribute = type('attribute', 'An attribute of a classification node, with its definition.', {
  id: leaf('long'),
  key: leaf('string', 'Identifier of the attribute definition.'),
  level: leaf('string', 'Levels that have the attribute: any of p (product), a (article), v (variation).'),
  inheritance: leaf('string', 'visible or not_visible.'),
  restriction: leaf(attributeRestrictions),
  localized: leaf('boolean', 'Whether there is a value per locale.'),
  cardinality: leaf('integer', 'The largest number of values.'),
  option: leaf(attributeOptions),
  defaultValue: child(() => DomainValue),
  domainValue: child(() => DomainValues),
  domainRange: child(() => DomainRangeSetting),
  definition: child(() => AttributeDefinition),
})

// Values

export const LocalizedItems = type('localizedItems', 'The values of one locale.', {
  items: children(() => Item),
  locale: leaf('string', 'For example en_GB.'),
})

/** Maps hold text; a map of booleans is described as any JSON value, but typed. */
const booleans = (doc: string): Field<Record<string, boolean>, false> => ({ kind: 'anything', doc })

export const AccessRights = type('accessRights', 'What the caller may do with a value, by locale.', {
  visible: booleans('Map of booleans.'),
  editable: booleans('Map of booleans.'),
})

export const AttributeValue = type('attributeValue', 'The value of one attribute.', {
  items: children(() => Item, 'The values; localized ones carry loc, listed ones pos, domain values key.'),
  i18N: children(() => LocalizedItems, 'One list of values per locale.'),
  tags: children(() => Item),
  key: leaf('string', 'Identifier of the attribute.'),
  type: leaf(valueTypes, 'Cardinality and localization; simple when absent.'),
  origin: leaf('string', 'Where the value comes from.'),
  inheritance: leaf('boolean', 'Whether the value is inherited.'),
  parent: leaf('string', 'Identifier of the table attribute this value is a column of.'),
  node: leaf('string', 'Path of the classification node the attribute belongs to.'),
  dataType: oneOf(leaf('string', 'The type of the attribute; string means text, real means number.'), attributeTypes),
  accessRights: child(() => AccessRights),
})

export interface DataItem {
  tID?: string
  name?: string
  informationType?: string
  node?: string
  class?: string
  meta?: Record<string, string>
  values?: Infer<typeof AttributeValue>[]
  children?: DataItem[]
}
export const DataItem: Type<DataItem> = type('dataItem', 'An object of PIM or DAM with its values and children.', {
  tID: leaf('string'),
  name: leaf('string'),
  informationType: leaf('string', 'Kind of object: Product, Article, Variation, Asset, …'),
  node: leaf('string', 'Path of the classification node.'),
  class: leaf('string', 'The classification the node belongs to.'),
  meta: map(),
  values: children(() => AttributeValue),
  children: children(() => DataItem),
})

// Requests and replies

export const DataItemGetByIdsRequest = type('dataItemGetByIdsRequest', 'Data items by identifier; at least one.', {
  identities: leaves('string', 'A tid, or data type and tid joined by a colon: product:P-1.'),
})

export const DataItemsMeta = type('dataItemsMeta', 'How numbers and dates in the values are written.', {
  numberFormatLocale: leaf('string'),
  numberFormatPattern: leaf('string'),
  datePattern: leaf('string'),
})

export const DataItemState = type('dataItemState', 'What became of one requested item.', {
  status: leaf('string', 'ok, notFound or forbidden.'),
  dataType: leaf('string'),
  tid: leaf('string'),
  issues: children(() => Issue),
})

export const DataItemsResponse = type('dataItemsResponse', 'Data items, and a state per requested item.', {
  meta: child(() => DataItemsMeta),
  results: children(() => DataItem),
  states: children(() => DataItemState),
})

export const DataItemPatchResult = type('dataItemPatchResult', 'What became of one changed item.', {
  status: leaf(statuses),
  description: leaf('string'),
  dataType: leaf('string'),
  tID: leaf('string'),
  action: leaf('string'),
})

export const DataItemPatchResponse = type('dataItemPatchResponse', 'A result per changed item.', {
  results: children(() => DataItemPatchResult),
})
