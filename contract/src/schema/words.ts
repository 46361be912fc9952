/**
 * The enumerations that several areas share: types of attributes, types of objects and kinds of links. Other lists
 * are derived from these; a test compares the CHECK constraints of the database with them.
 */

/** Types of attributes. The server keeps one row of rules for each, in its values/attribute-types.ts. */
export const attributeTypes = [
  'text',
  'number',
  'date',
  'boolean',
  'ref',
  'table',
  'identifier',
  'measure',
  'price',
  'richtext',
] as const
export type AttributeType = (typeof attributeTypes)[number]

/** Schemes of identifiers, whose values have a check digit. */
export const identifierSchemes = ['gtin', 'isbn', 'gln', 'sscc'] as const

/** Levels of a product, from the top down. */
export const productTypes = ['product', 'article', 'variant'] as const

/** Types of objects, as replies, actions, the history and events name them. */
export const dataTypes = [
  ...productTypes,
  'attrDefinition',
  'attrGroup',
  'classification',
  'node',
  'attribute',
  'asset',
  'dir',
  'version',
  'rnc',
  'project',
  'projectTypes',
  'peo',
  'template',
  'keyword',
  'glossary',
  'glossaryEntry',
  'link',
  'locale',
  'message',
  'workflow',
  'feed',
  'rule',
  'collection',
  'share',
  'searchHistory',
] as const
export type DataType = (typeof dataTypes)[number]

/**
 * The catalogue of events: the types of objects whose changes are events, and what such an event reports. Others have no
 * events of their own: a change of a link or of a version is an update of the objects that it belongs to.
 */
export const eventKinds = {
  product: 'A product: its name, category, values or links.',
  article: 'An article of a product.',
  variant: 'A variation of an article.',
  attrDefinition: 'An attribute definition of products, assets or channels.',
  attrGroup: 'A group of attributes of products.',
  classification: 'A classification.',
  node: 'A category of a classification.',
  attribute: 'An attribute of a category.',
  asset: 'An asset: its file, name, folder, values, links, previews or versions.',
  dir: 'A folder of the DAM.',
  rnc: 'A storage of the DAM.',
  project: 'A channel: its name, place, values, links or briefing.',
  projectTypes: 'A type of channels.',
  peo: 'The text of a product in a channel.',
  template: 'A template of such texts.',
  keyword: 'A keyword.',
  glossary: 'A glossary.',
  glossaryEntry: 'An entry of a glossary.',
  workflow: 'A process: it began, advanced or ended, or one of its tasks or jobs changed.',
  feed: 'A feed: its definition changed, or a run finished, failed or is held. For its owner and administrators.',
  rule: 'A rule: it was saved, deleted, run or switched off. For its owner and administrators.',
  collection: 'A collection: its name, readers or assets. For those who may see it.',
  share:
    'A share page or an upload request: it was saved or revoked, or delivered files were decided. For its owner and administrators.',
  searchHistory: 'The search history of a user. For administrators only.',
} as const satisfies Partial<Record<DataType, string>>
export type EventKind = keyof typeof eventKinds

export const eventWords = { CREATE: 'created', UPDATE: 'updated', DELETE: 'deleted' } as const
/** All types of events: kontor.product.created … */
export const eventTypes: readonly string[] = Object.keys(eventKinds).flatMap((kind) =>
  Object.values(eventWords).map((word) => `kontor.${kind}.${word}`),
)

/** Types of objects that deletion records may name. Some exist only in the interface, not in Kontor. */
export const deletionTypes = [
  'product',
  'attrDefinition',
  'assetDefinition',
  'classification',
  'general',
  'unknown',
  'article',
  'project',
  'variant',
  'tagDefinition',
  'classNode',
  'attribute',
  'template',
  'peo',
  'mixed',
  'projectTypes',
  'locale',
  'asset',
  'productPreviewRefs',
  'keyword',
  'dir',
  'glossary',
  'variation',
  'link',
] as const

/** Types of objects whose uses can be listed. */
export const usableTypes = [
  'asset',
  'dir',
  'product',
  'node',
  'attrDefinition',
  'project',
  'projectTypes',
  'peo',
  'template',
  'keyword',
  'glossary',
] as const satisfies readonly DataType[]

/** Types of assets, by their file. */
export const assetTypes = [
  'IMG',
  'VID',
  'AUD',
  'PDF',
  'OFFICE',
  'PREPRESS',
  'DOC',
  'LAYOUT',
  'C360',
  'C3D',
  'FILE',
] as const

/** Kinds of links: the type of the object at either end. */
export const linkKinds = [
  'assetToProduct',
  'assetToProject',
  'productToProduct',
  'productToProject',
  'peoToProject',
  'keywordToAsset',
] as const
export type LinkKind = (typeof linkKinds)[number]

/** Why one object uses another: a link, or a relation that is part of the object. */
export const useKinds = [
  ...linkKinds,
  'extends',
  'template',
  'type',
  'below',
  'classified',
  'attribute',
  'entry',
] as const

/** Types of objects that no action names. */
const personalTypes: ReadonlySet<string> = new Set(['searchHistory', 'feed', 'rule', 'collection', 'share'])
/** Data types that an action may name: besides those of objects an alias of `node`, and one for each kind of link. */
export type ActionType = DataType | 'classNode' | `${LinkKind}Link`
export const actionTypes: readonly ActionType[] = [
  ...dataTypes.filter((type) => !personalTypes.has(type)),
  'classNode',
  ...linkKinds.map((kind): ActionType => `${kind}Link`),
]

/** A locale: language and country. The country need not be one of ISO, en_EN is common. */
export const localePattern = '^[a-z]{2,3}_[A-Z]{2,3}$'
