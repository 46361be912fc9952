/** Kontor extensions of the CM area: where-used lists and readiness of channels (JSON only). */
import { children, leaf, leaves, oneOf, required, type, needsOneOf } from './describe.ts'
import { dataTypes, usableTypes, useKinds } from './words.ts'

export const WhereUsedRequest = needsOneOf(
  type('whereUsedRequest', 'Objects of one kind, by tid or by id.', {
    dataType: required(oneOf(leaf('string', 'Kind of the objects.'), usableTypes)),
    tids: leaves('string', 'Take precedence over ids. For keywords and nodes: paths.'),
    ids: leaves('long'),
  }),
  'tids',
  'ids',
)

export const Use = type('use', 'An object that uses another object.', {
  dataType: oneOf(leaf('string'), dataTypes),
  id: leaf('long'),
  tid: leaf('string'),
  path: leaf('string', 'The path of the object, or its name.'),
  kind: oneOf(
    leaf(
      'string',
      'The kind of link, or one of: extends (extends the product), template or type (created from it), below (is below it), classified (is in the node), attribute (the node has the attribute), entry (entry of the glossary).',
    ),
    useKinds,
  ),
  linkType: leaf('string'),
  keeps: leaf('boolean', 'Whether this use prevents deletion without force.'),
})
export const UsedObject = type('usedObject', 'An object and its uses.', {
  id: leaf('long'),
  tid: leaf('string'),
  path: leaf('string'),
  total: leaf('integer', 'Number of uses that the caller may read.'),
  uses: children(() => Use, 'The first 1000 uses that the caller may read.'),
})
export const WhereUsed = type('whereUsed', 'The uses of objects.', { objects: children(() => UsedObject) })

export const ReadinessRequest = needsOneOf(
  type('readinessRequest', 'Channels, or products independent of channels.', {
    tids: leaves('string', 'Channels. Take precedence over ids.'),
    ids: leaves('long'),
    productTids: leaves('string', 'Products, checked against the requirements of their classification nodes.'),
    productIds: leaves('long', 'Products by id. Also accepts articles and variations.'),
    onlyProducts: leaves(
      'string',
      'For channels: counts only these products, by tid. Default: all products of the channel.',
    ),
    locales: leaves('string', 'Content locales. Default: all.'),
    withChildren: leaf('boolean', 'Whether to include channels below. Default true.'),
    numbersOnly: leaf('boolean', 'true omits the lists of missing values, for grids and dashboards. Default false.'),
  }),
  'tids',
  'ids',
  'productTids',
  'productIds',
)

export const MissingValue = type('missingValue', 'A required value that is missing.', {
  dataType: oneOf(leaf('string', 'The object that lacks the value.'), ['peo', 'product']),
  tid: leaf('string'),
  productTid: leaf('string'),
  attr: leaf('string'),
})
export const LocaleReadiness = type('localeReadiness', 'The completeness of a locale.', {
  locale: leaf('string'),
  required: leaf('integer', 'Number of required values of attributes that the caller may see.'),
  missing: leaf('integer', 'Number of missing values.'),
  percent: leaf('integer', 'Percentage of required values that are present, rounded down, so that 100 means complete.'),
  missingValues: children(() => MissingValue, 'The first 1000 missing values.'),
})
export const Readiness = type('readiness', 'The readiness of a channel or a product.', {
  dataType: oneOf(leaf('string'), ['project', 'product']),
  id: leaf('long'),
  tid: leaf('string'),
  locales: children(() => LocaleReadiness),
})
export const ReadinessList = type('readinessList', 'The readiness of channels and products.', {
  objects: children(() => Readiness),
})
