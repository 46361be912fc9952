/**
 * The JSON objects of the data-item endpoints: any object of PIM or DAM in one shape, with its attributes and values.
 * They contain the same data as the messages of pim.ts in simpler JSON: names are maps by locale, flags are booleans.
 */
import { Issue, Item, statuses, valueTypes } from './blocks.ts'
import {
  child,
  children,
  leaf,
  leaves,
  map,
  needsOneOf,
  oneOf,
  type,
  type Field,
  type Infer,
  type Type,
} from './describe.ts'
import { attributeOptions, attributeRestrictions } from './pim.ts'
import { attributeTypes } from './words.ts'

// Attribute definitions and attributes

export const MultiValuedSetting = type('multiValuedSetting', 'Whether an attribute holds a list of values.', {
  value: leaf('boolean'),
  cardinality: leaf('integer', 'Maximum number of values.'),
})

export const ValidationSetting = type('validationSetting', 'Constraints on text values.', {
  type: leaf('string', 'Regular expression that the value must match.'),
  minLength: leaf('integer'),
  maxLength: leaf('integer'),
})

export const DomainValue = type('domainValue', 'One domain value with its labels by locale.', {
  tID: leaf('string'),
  items: children(() => Item),
})

export const DomainValues = type('domainValues', 'The domain of an attribute: its list of allowed values.', {
  allowNewValue: leaf('boolean', 'Whether users may add values.'),
  sortDirection: leaf('string', 'MANUAL, ASC or DESC.'),
  sortLanguageId: leaf('long', 'Id of the locale whose labels define the order.'),
  domainValues: children(() => DomainValue),
})

export const DomainRangeSetting = type('domainRangeSetting', 'The allowed range of a number or date.', {
  from: leaf('string'),
  to: leaf('string'),
  intOnly: leaf('boolean', 'Whether only whole numbers are allowed.'),
})

export const AttributeDefinition = type('attributeDefinition', 'The definition of an attribute.', {
  tID: leaf('string'),
  type: oneOf(leaf('string', 'Type of the values.'), attributeTypes),
  domain: leaf('string', 'Name of the domain of the values.'),
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
  references: leaves('string', 'Attributes that belong to this attribute: the columns of a table.'),
})

export const Attribute = type('attribute', 'An attribute of a classification node, with its definition.', {
  id: leaf('long'),
  key: leaf('string', 'Identifier of the attribute definition.'),
  level: leaf('string', 'Levels that have the attribute: p (product), a (article), v (variation).'),
  inheritance: leaf('string', 'visible or not_visible.'),
  restriction: leaf(attributeRestrictions),
  localized: leaf('boolean', 'Whether the attribute has a value per locale.'),
  cardinality: leaf('integer', 'Maximum number of values.'),
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

/** A `map` holds texts. A map of booleans is described as `anything`, with a precise type. */
const booleans = (doc: string): Field<Record<string, boolean>, false> => ({ kind: 'anything', doc })

export const AccessRights = type('accessRights', 'The permissions of the caller on a value, by locale.', {
  visible: booleans('Map of booleans.'),
  editable: booleans('Map of booleans.'),
})

export const AttributeValue = type('attributeValue', 'The value of one attribute.', {
  items: children(() => Item, 'The values. Localized values have loc, list values pos, domain values key.'),
  i18N: children(() => LocalizedItems, 'One list of values per locale.'),
  tags: children(() => Item),
  key: leaf('string', 'Identifier of the attribute.'),
  type: leaf(valueTypes, 'Cardinality and localization. Default simple.'),
  origin: leaf('string', 'The origin of the value.'),
  inheritance: leaf('boolean', 'Whether the value is inherited.'),
  parent: leaf('string', 'Identifier of the table attribute that has this value as a column.'),
  node: leaf('string', 'Path of the classification node of the attribute.'),
  dataType: oneOf(leaf('string', 'Type of the attribute; string means text, real means number.'), attributeTypes),
  group: leaf('string', 'The group of the attribute (Kontor extension). Values are listed by group, in its order.'),
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
  class: leaf('string', 'The classification of the node.'),
  meta: map(),
  values: children(() => AttributeValue),
  children: children(() => DataItem),
})

// Requests and replies

export const DataItemGetByIdsRequest = needsOneOf(
  type('dataItemGetByIdsRequest', 'Data items by identifier.', {
    identities: leaves('string', 'A tid, or data type and tid joined by a colon: product:P-1.'),
    groups: leaves('string', 'Only values of attributes in these groups (Kontor extension). Default: all values.'),
  }),
  'identities',
)

export const DataItemsMeta = type('dataItemsMeta', 'The format of numbers and dates in the values.', {
  numberFormatLocale: leaf('string'),
  numberFormatPattern: leaf('string'),
  datePattern: leaf('string'),
})

export const DataItemState = type('dataItemState', 'The status of one requested item.', {
  status: leaf('string', 'ok, notFound or forbidden.'),
  dataType: leaf('string'),
  tid: leaf('string'),
  issues: children(() => Issue),
})

export const DataItemsResponse = type('dataItemsResponse', 'Data items, and the status of each requested item.', {
  meta: child(() => DataItemsMeta),
  results: children(() => DataItem),
  states: children(() => DataItemState),
})

export const DataItemPatchResult = type('dataItemPatchResult', 'The result for one changed item.', {
  status: leaf(statuses),
  description: leaf('string'),
  dataType: leaf('string'),
  tID: leaf('string'),
  action: leaf('string'),
})

export const DataItemPatchResponse = type('dataItemPatchResponse', 'One result per changed item.', {
  results: children(() => DataItemPatchResult),
})
