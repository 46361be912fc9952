/** What the CM area offers beyond the interface: where objects are used, and how ready channels are. In JSON alone. */
import { children, leaf, leaves, oneOf, required, type } from './describe.ts'
import { dataTypes, usableTypes, useKinds } from './words.ts'

export const WhereUsedRequest = type('whereUsedRequest', 'Objects of one kind, by tid or by id.', {
  dataType: required(oneOf(leaf('string', 'The type of the objects.'), usableTypes)),
  tids: leaves('string', 'Win over ids when both are sent. Of keywords and nodes, paths.'),
  ids: leaves('long'),
})

export const Use = type('use', 'An object that uses another, or is used with it.', {
  dataType: oneOf(leaf('string'), dataTypes),
  id: leaf('long'),
  tid: leaf('string'),
  path: leaf('string', 'Where it stands, or its name.'),
  kind: oneOf(
    leaf(
      'string',
      'The kind of link; or extends: it extends the product; template, type: it is made by it; below: it is below it; classified: it is in the node; attribute: the node has the attribute; entry: it is an entry of the glossary.',
    ),
    useKinds,
  ),
  linkType: leaf('string'),
  keeps: leaf('boolean', 'Whether the object cannot be deleted, without force, because of it.'),
})
export const UsedObject = type('usedObject', 'An object and who uses it.', {
  id: leaf('long'),
  tid: leaf('string'),
  path: leaf('string'),
  total: leaf('integer', 'How many uses there are.'),
  uses: children(() => Use, 'The first thousand of those that the caller may read.'),
})
export const WhereUsed = type('whereUsed', 'Where objects are used.', { objects: children(() => UsedObject) })

export const ReadinessRequest = type('readinessRequest', 'Channels, or products outside of channels.', {
  tids: leaves('string', 'Channels. Win over ids when both are sent.'),
  ids: leaves('long'),
  productTids: leaves('string', 'Products, judged by what their classification nodes demand.'),
  productIds: leaves('long', 'The same by id; also articles and variations.'),
  locales: leaves('string', 'Locales of contents; all of them when absent.'),
  withChildren: leaf('boolean', 'Whether channels below count too. Default true.'),
  numbersOnly: leaf('boolean', 'Without the lists of missing values: for grids and dashboards. Default false.'),
})

export const MissingValue = type('missingValue', 'A value that is required and not there.', {
  dataType: oneOf(leaf('string', 'Where the value is missing.'), ['peo', 'product']),
  tid: leaf('string'),
  productTid: leaf('string'),
  attr: leaf('string'),
})
export const LocaleReadiness = type('localeReadiness', 'How complete the values of a locale are.', {
  locale: leaf('string'),
  required: leaf('integer', 'How many values there must be.'),
  missing: leaf('integer', 'How many of them are not there.'),
  percent: leaf('integer', 'Of the required values, how many are there; rounded down, so that 100 means all.'),
  missingValues: children(() => MissingValue, 'The first thousand, as far as the caller may see the attributes.'),
})
export const Readiness = type('readiness', 'How ready a channel or a product is.', {
  dataType: oneOf(leaf('string'), ['project', 'product']),
  id: leaf('long'),
  tid: leaf('string'),
  locales: children(() => LocaleReadiness),
})
export const ReadinessList = type('readinessList', 'How ready channels and products are.', {
  objects: children(() => Readiness),
})
