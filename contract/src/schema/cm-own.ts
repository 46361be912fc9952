/** Kontor extensions of the CM area: where-used lists and readiness of channels (JSON only). */
import { Layout } from './cm.ts'
import { children, expects, leaf, leaves, matches, oneOf, required, type, needsOneOf } from './describe.ts'
import { dataTypes, localePattern, usableTypes, useKinds } from './words.ts'

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
    locales: matches(leaves('string', 'Content locales. Default: all.'), localePattern),
    withChildren: leaf('boolean', 'Whether to include channels below. Default true.'),
    onlyAttributes: leaves('string', 'Lists only missing values of these attributes. The numbers count all.'),
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
export const MissingAttribute = type('missingAttribute', 'An attribute that lacks required values.', {
  attr: leaf('string'),
  missing: leaf('integer', 'Number of objects without a value.'),
})
export const LocaleReadiness = type('localeReadiness', 'The completeness of a locale.', {
  locale: leaf('string'),
  required: leaf('integer', 'Number of required values of attributes that the caller may see.'),
  missing: leaf('integer', 'Number of missing values.'),
  percent: leaf(
    'integer',
    'Percentage of required values that are present, rounded down, so that 100 means complete. A channel in which nothing is required has none.',
  ),
  complete: leaf('integer', 'For channels: number of products without a missing value.'),
  missingAttributes: children(
    () => MissingAttribute,
    'For channels: the 20 attributes with the most missing values, the most first.',
  ),
  missingValues: children(() => MissingValue, 'The first 1000 missing values.'),
})
export const Readiness = type('readiness', 'The readiness of a channel or a product.', {
  dataType: oneOf(leaf('string'), ['project', 'product']),
  id: leaf('long'),
  tid: leaf('string'),
  products: leaf('integer', 'For channels: number of products in the channel and below it that the caller may read.'),
  locales: children(() => LocaleReadiness),
})
export const ReadinessList = type('readinessList', 'The readiness of channels and products.', {
  objects: children(() => Readiness),
})

export const ChannelsRequest = needsOneOf(
  type('channelsRequest', 'Channels by tid or by id.', {
    tids: leaves('string', 'Take precedence over ids.'),
    ids: leaves('long'),
  }),
  'tids',
  'ids',
)

export const ChannelRequirement = type('channelRequirement', 'The locales and attributes that a channel requires.', {
  id: leaf('long'),
  tid: leaf('string'),
  locales: leaves('string', 'Own locales. Absent if the channel has the inherited ones.'),
  attributes: leaves('string', 'Own attributes that the caller may see. Absent if the channel has the inherited ones.'),
  inheritedLocales: leaves('string', 'From the nearest channel above that has some. Absent: all content locales.'),
  inheritedAttributes: leaves(
    'string',
    'From the nearest channel above that has some. Absent: the attributes that categories mark as required.',
  ),
})
export const ChannelRequirementList = type('channelRequirementList', 'The requirements of channels.', {
  channels: children(() => ChannelRequirement),
})
export const ChannelRequirementChange = type(
  'channelRequirementChange',
  'Replaces what a channel requires. It also applies to the channels below it that have no own requirement.',
  {
    tid: required(leaf('string', 'The channel.')),
    locales: leaves('string', 'Content locales. Absent or empty: those of the channel above, otherwise all.'),
    attributes: leaves(
      'string',
      'Attributes of products. A product needs those that its category has. Absent or empty: those of the channel above, otherwise the attributes that categories mark as required. Templates of channel texts can require more.',
    ),
  },
)

export const ChannelCount = type('channelCount', 'The number of products in a channel that the caller may read.', {
  id: leaf('long'),
  tid: leaf('string'),
  own: leaf('integer', 'Products in the channel itself.'),
  total: leaf('integer', 'Products in the channel or below it; a product in several of them counts once.'),
})
export const ChannelCountList = type('channelCountList', 'The number of products in channels.', {
  channels: children(() => ChannelCount),
})

export const StoredBriefing = type('storedBriefing', 'A briefing of a channel.', {
  briefingModuleCfgTid: leaf('string', 'Its configuration. Absent: none.'),
  locale: leaf('string', 'Absent: for every locale that has no briefing of its own.'),
  modifiedAt: leaf('date'),
  modifiedBy: leaf('string'),
  layout: children(() => Layout),
})
export const BriefingList = type('briefingList', 'All briefings of a channel.', {
  briefings: children(() => StoredBriefing),
})

export const ReadinessHistoryRequest = needsOneOf(
  type('readinessHistoryRequest', 'Channels and a period.', {
    tids: leaves('string', 'Channels. Take precedence over ids.'),
    ids: leaves('long'),
    locales: matches(leaves('string', 'Content locales. Default: all.'), localePattern),
    count: expects(leaf('integer', 'Number of days, counted back from today. Default 90.'), 1, 400),
  }),
  'tids',
  'ids',
)
export const ReadinessDay = type('readinessDay', 'The readiness of a channel in a locale on a day.', {
  day: leaf('string', 'As 2026-11-17, in UTC.'),
  locale: leaf('string'),
  required: leaf('integer'),
  missing: leaf('integer'),
  percent: leaf('integer', 'Absent if nothing was required.'),
})
export const ChannelReadinessHistory = type('channelReadinessHistory', 'The readiness of a channel by day.', {
  id: leaf('long'),
  tid: leaf('string'),
  days: children(() => ReadinessDay, 'Oldest first.'),
})
export const ReadinessHistory = type('readinessHistory', 'The readiness of channels by day.', {
  isRestricted: leaf(
    'boolean',
    'true: there are no days, because they count all products and your roles show only some products or attributes.',
  ),
  channels: children(() => ChannelReadinessHistory),
})
