/**
 * The enumerations that several areas share: types of attributes, types of objects and kinds of links. Other lists
 * are derived from these; a test compares the CHECK constraints of the database with them.
 */

/** Types of attributes. The server keeps one row of rules for each, in its values/attribute-types.ts. */
export const attributeTypes = ['text', 'number', 'date', 'boolean', 'ref', 'table'] as const
export type AttributeType = (typeof attributeTypes)[number]

/** Levels of a product, from the top down. */
export const productTypes = ['product', 'article', 'variant'] as const

/** Types of objects, as replies, actions, the history and events name them. */
export const dataTypes = [
  ...productTypes,
  'attrDefinition',
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
  'searchHistory',
] as const
export type DataType = (typeof dataTypes)[number]

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

/** Data types that an action may name: besides those of objects an alias of `node`, and one for each kind of link. */
export type ActionType = DataType | 'classNode' | `${LinkKind}Link`
export const actionTypes: readonly ActionType[] = [
  ...dataTypes.filter((type) => type !== 'searchHistory'),
  'classNode',
  ...linkKinds.map((kind): ActionType => `${kind}Link`),
]
