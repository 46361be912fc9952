/** Kontor extensions of the CM area: where-used lists and readiness of channels (JSON only). */
import { Layout } from './cm.ts'
import { atMost, children, expects, leaf, leaves, matches, oneOf, required, type, needsOneOf } from './describe.ts'
import { dataTypes, localePattern, productTypes, usableTypes, useKinds } from './words.ts'

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
  attr: leaf('string', 'Absent if a picture is missing.'),
  picture: leaf('string', 'The role of the picture that is missing; * for any role.'),
})
export const MissingAttribute = type('missingAttribute', 'An attribute that lacks required values, or a picture.', {
  attr: leaf('string', 'Absent if pictures are missing.'),
  picture: leaf('string', 'The role of the pictures that are missing; * for any role.'),
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

export const RequiredPicture = type('requiredPicture', 'Pictures or other files that a product needs in a channel.', {
  role: leaf('string', 'The type of the links between the files and the product. Absent: any.'),
  count: expects(leaf('integer', 'How many. Default 1.'), 1, 100),
})
export const ChannelRequirement = type(
  'channelRequirement',
  'The locales, attributes and pictures that a channel requires.',
  {
    id: leaf('long'),
    tid: leaf('string'),
    locales: leaves('string', 'Own locales. Absent if the channel has the inherited ones.'),
    attributes: leaves(
      'string',
      'Own attributes that the caller may see. Absent if the channel has the inherited ones.',
    ),
    inheritedLocales: leaves('string', 'From the nearest channel above that has some. Absent: all content locales.'),
    inheritedAttributes: leaves(
      'string',
      'From the nearest channel above that has some. Absent: the attributes that categories mark as required.',
    ),
    pictures: children(() => RequiredPicture, 'Own pictures. Absent if the channel has the inherited ones.'),
    inheritedPictures: children(() => RequiredPicture, 'From the nearest channel above that has some.'),
  },
)
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
    pictures: atMost(
      50,
      children(
        () => RequiredPicture,
        'Pictures of the products that are linked to the channel. Files in the trash, and those whose usage rights have ended or not begun, do not count. Absent or empty: those of the channel above.',
      ),
    ),
  },
)

/** The checks of quality, in the order of replies. */
// prettier-ignore
export const qualityChecks = ['length', 'forbiddenWords', 'identicalTexts', 'staleTranslation', 'mainPicture', 'duplicateIdentifier', 'similarName'] as const

export const QualitySetting = type('qualitySetting', 'A check that counts in a channel.', {
  check: required(
    leaf(
      qualityChecks,
      'length (of an attribute, in characters), forbiddenWords (of glossaries), identicalTexts (in two languages), staleTranslation (older than its source), mainPicture, duplicateIdentifier, similarName.',
    ),
  ),
  weight: expects(leaf('integer', 'How much it counts in the score, 1 to 10. Default 1.'), 1, 10),
  attr: leaf('string', 'For length: the attribute. There may be one such check per attribute.'),
  min: expects(
    leaf(
      'integer',
      'For length: the least number of characters. For identicalTexts: shorter texts are not compared; default 20.',
    ),
    0,
    1_000_000,
  ),
  max: expects(leaf('integer', 'For length: the largest number of characters.'), 1, 1_000_000),
  role: leaf('string', 'For mainPicture: the type of the link that the picture must have. Default: any picture.'),
})
export const ChannelQuality = type('channelQuality', 'The checks of quality that count in a channel.', {
  id: leaf('long'),
  tid: leaf('string'),
  checks: children(() => QualitySetting, 'Own checks. Absent if the channel has the inherited ones.'),
  inheritedChecks: children(
    () => QualitySetting,
    'From the nearest channel above that has some; otherwise the default: all checks except length.',
  ),
})
export const ChannelQualityList = type('channelQualityList', 'The checks of quality of channels.', {
  channels: children(() => ChannelQuality),
})
export const ChannelQualityChange = type(
  'channelQualityChange',
  'Replaces the checks of quality of a channel. They also apply to the channels below it that have no own checks.',
  {
    tid: required(leaf('string', 'The channel.')),
    checks: children(() => QualitySetting, 'Absent or empty: those of the channel above, otherwise the default.'),
  },
)

export const QualityRequest = needsOneOf(
  type('qualityRequest', 'Products whose quality in their channels is computed.', {
    productTids: leaves('string', 'Up to 1000 products, articles or variations.'),
    productIds: leaves('long'),
    channelTids: leaves('string', 'Only these channels. Default: all channels of the products.'),
    locales: matches(leaves('string', 'Content locales. Default: those that each channel requires.'), localePattern),
    numbersOnly: leaf('boolean', 'true omits the checks, for lists. Default false.'),
  }),
  'productTids',
  'productIds',
)
export const QualityFault = type('qualityFault', 'A place at which a check failed.', {
  dataType: oneOf(leaf('string', 'The object with the fault.'), ['peo', ...productTypes]),
  tid: leaf('string'),
  attr: leaf('string'),
  value: leaf('string', 'The forbidden word, the number of characters, the identifier, the name, or the other locale.'),
  expected: leaf('string', 'The word to write instead, the allowed number of characters, or the role of the picture.'),
  others: leaves('string', 'Products with the same identifier or a similar name, at most 5.'),
  text: leaf('string', 'What is wrong and what to do, for people.'),
})
export const QualityResult = type('qualityResult', 'The result of a check.', {
  check: leaf(qualityChecks),
  attr: leaf('string', 'For length: the attribute.'),
  weight: leaf('integer'),
  passed: leaf('boolean'),
  faults: children(() => QualityFault, 'Absent if it passed. At most 20.'),
})
export const LocaleQuality = type('localeQuality', 'The quality of a product in a channel and a locale.', {
  locale: leaf('string'),
  score: leaf(
    'integer',
    'Weighted percentage of checks that passed, rounded down, so that 100 means all. Absent if no check applies.',
  ),
  completeness: leaf('integer', 'Percentage of required values that are present. Absent if nothing is required.'),
  checks: children(() => QualityResult, 'The checks that apply.'),
})
export const QualityPlace = type('qualityPlace', 'The quality of a product in a channel.', {
  channelId: leaf('long'),
  channelTid: leaf('string'),
  channelPath: leaf('string'),
  locales: children(() => LocaleQuality),
})
export const ProductQuality = type('productQuality', 'The quality of a product in its channels.', {
  id: leaf('long'),
  tid: leaf('string'),
  places: children(() => QualityPlace, 'The channels of the product that the caller may read.'),
})
export const ProductQualityList = type('productQualityList', 'The quality of products in their channels.', {
  products: children(() => ProductQuality),
})

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
