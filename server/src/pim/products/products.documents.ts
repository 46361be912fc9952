/** Products, articles and variations as search documents, with the values that they inherit. */
import type { Db } from '../../adapters/postgres/db.ts'
import type { Targets } from '../../common/api.ts'
import {
  commonFields,
  completenessField,
  type DocumentField,
  type DocumentSource,
  type FieldScalar,
  type FieldValues,
  isLinking,
  pathsAbove,
  plainValues,
  type SourceDocument,
} from '../../core/documents.ts'
import type { OutboxRow } from '../../core/outbox.ts'
import type { Model, Models } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import { attributeFields, type AttributeFields } from '../values/fields.ts'
import { noValues, type StoredValues } from '../values/stored.ts'
import { completenessOf, demandsOf, judge } from './products.completeness.ts'
import * as rows from './products.documents.sql.ts'
import type { NodeRules, Rules } from './products.rules.ts'
import { itemTypes } from './products.show.ts'

// prettier-ignore
const standard: readonly DocumentField[] = [
  ...commonFields,
  { name: 'valueModificationDate', type: 'date', label: { '': 'Values modified', de_DE: 'Werte geändert', fr_FR: 'Valeurs modifiées le' } },
  { name: 'classification', type: 'keyword', label: { '': 'Classification', de_DE: 'Klassifikation' } },
  { name: 'classificationPath', type: 'keyword', path: true, label: { '': 'Classification node', de_DE: 'Klassifikationsknoten', fr_FR: 'Nœud de classification' } },
  { name: 'product', type: 'keyword', label: { '': 'Product', de_DE: 'Produkt', fr_FR: 'Produit' } },
  { name: 'article', type: 'keyword', label: { '': 'Article', de_DE: 'Artikel' } },
  completenessField,
  { name: 'channels', type: 'keyword', label: { '': 'Channels', de_DE: 'Kanäle', fr_FR: 'Canaux' }, link: { index: 'CHANNEL', from: 'id', to: '_channels' } },
  { name: 'assets', type: 'keyword', label: { '': 'Assets', de_DE: 'Dateien', fr_FR: 'Fichiers' }, link: { index: 'ASSET', from: '_products', to: 'id' } },
  { name: 'products', type: 'keyword', label: { '': 'Linked products', de_DE: 'Verknüpfte Produkte', fr_FR: 'Produits liés' }, link: { index: 'PRODUCT', from: 'id', to: '_products' } },
  { name: 'places', type: 'keyword', label: { '': 'Places in channels', de_DE: 'Plätze in Kanälen', fr_FR: 'Places dans les canaux' }, link: { index: 'CHANNEL_2_PRODUCT', from: '_product', to: 'id', elsewhere: true, named: 'channel' } },
  { name: '_channels', type: 'keyword', inner: true, label: {} },
  { name: '_products', type: 'keyword', inner: true, label: {} },
]
const taken = new Set(standard.map(({ name }) => name))
const isMadeOfValues = (name: string) => !taken.has(name) || name === completenessField.name
const isMadeOfLinks = (name: string) => /^_?(channels|assets|products)$/.test(name)
const isStamp = (name: string) => /(Date|User)$/.test(name) && taken.has(name)

export interface ProductDocumentNeeds {
  readonly models: Models
  readonly rules: Rules
  readonly targets: Targets
}

export function productDocuments({ models, rules, targets }: ProductDocumentNeeds): DocumentSource {
  const made = new WeakMap<Model, AttributeFields>()
  const fieldsOf = (model: Model) => {
    const known = made.get(model) ?? attributeFields(model.definitions, taken)
    made.set(model, known)
    return known
  }
  return {
    index: 'PRODUCT',
    kinds: ['product'],
    dataTypes: new Set(['product', 'article', 'variant']),
    async fields(db) {
      const model = await models.load(db)
      const nodeNames = new Map(model.nodes.map(({ path, name }) => [path, name]))
      const named = standard.map((field) =>
        field.name === 'classificationPath' ? { ...field, values: nodeNames } : field,
      )
      return [...named, ...fieldsOf(model).fields]
    },
    async read(db, ids, wanted) {
      const found = await readWithAbove(db, ids, partsFor(wanted))
      if (found.asked.length === 0) return []
      const model = await models.at(db, found.modelVersion)
      const linked = await findLinked(db, targets, found.asked)
      const reading = { model, above: found.above, rules, attributes: fieldsOf(model), wanted }
      const nodeIds = rememberAbove(model)
      return found.asked.flatMap((row) => toDocument(reading, row, linked.get(row) ?? [], nodeIds) ?? [])
    },
    list: rows.listIds,
    count: rows.countAll,
    find: rows.findIds,
    async referred(db, changes) {
      const nodes = await nodesConcerned(db, models, changes)
      return [...nodes, ...changes.filter(isReferred).map(({ objectId }) => objectId)]
    },
    async related(db, changes) {
      const idsOf = (is: (change: OutboxRow) => boolean) => changes.filter(is).map(({ objectId }) => objectId)
      const members = idsOf(({ dataType }) => dataType === 'article' || dataType === 'variant')
      const definitions = idsOf(({ dataType, event }) => dataType === 'attrDefinition' && event === 'UPDATE')
      return [
        ...(members.length > 0 ? await rows.productsOf(db, members) : []),
        ...(definitions.length > 0 ? await rows.findHaving(db, definitions) : []),
      ]
    },
  }
}

/** Nodes whose products must say other things, or other things by default: their attributes changed. */
async function nodesConcerned(db: Db, models: Models, changes: readonly OutboxRow[]): Promise<number[]> {
  const idsOf = (type: string) => changes.filter(({ dataType }) => dataType === type).map(({ objectId }) => objectId)
  const [attributes, definitions] = [idsOf('attribute'), idsOf('attrDefinition')]
  const model = definitions.length > 0 ? await models.load(db) : undefined
  return [
    ...(attributes.length > 0 ? await rows.nodesOfAttributes(db, attributes) : []),
    ...definitions.flatMap((id) => model!.attributesOfDefinition(id).map(({ nodeId }) => nodeId)),
  ]
}

/** What a product says goes down to its articles and variations; of what it is linked to, it has only the tids. */
function isReferred(change: OutboxRow): boolean {
  const { dataType, event } = change
  if (dataType === 'node') return true
  if (dataType === 'product' || dataType === 'article') return !isLinking(change)
  return event === 'DELETE' && (dataType === 'project' || dataType === 'asset' || dataType === 'variant')
}

// Reading

/** Of what a document must be read, for the fields that are wanted: all, without any. */
function partsFor(wanted: ReadonlySet<string> | undefined): rows.Parts {
  if (!wanted) return { vals: 'all', stamps: true, links: true }
  const names = [...wanted]
  return { ...valsFor(names.filter(isMadeOfValues)), stamps: names.some(isStamp), links: names.some(isMadeOfLinks) }
}

/** Picking a few values is less work than taking all of them apart; picking many is more. */
const mostPicked = 8

function valsFor(names: readonly string[]): Pick<rows.Parts, 'vals'> {
  if (names.length === 0) return {}
  if (names.length > mostPicked || names.includes(completenessField.name)) return { vals: 'all' }
  return { vals: names.flatMap((name) => (name.startsWith('attr.') ? [name, name.slice('attr.'.length)] : [name])) }
}

interface Found {
  readonly asked: readonly rows.DocumentRow[]
  /** Products and articles that others stand in, by id. */
  readonly above: ReadonlyMap<number, rows.DocumentRow>
  readonly modelVersion: number
}

async function readWithAbove(db: Db, ids: readonly number[], parts: rows.Parts): Promise<Found> {
  const asked = await rows.readRows(db, ids, parts)
  const members = asked.filter(({ level }) => level > 0)
  const idsAbove = members.flatMap(({ level, rootId, parentId }) => (level === 1 ? [rootId!] : [rootId!, parentId]))
  const others = members.length > 0 ? await rows.readRows(db, [...new Set(idsAbove)], { vals: parts.vals }) : []
  const above = new Map(others.map((row) => [row.id, row]))
  return { asked, above, modelVersion: (others[0] ?? asked[0])?.modelVersion ?? 0 }
}

type LinkField = 'channels' | 'assets' | 'products'
interface Linked {
  readonly id: number
  readonly field: LinkField
  readonly tid: string
}
const ends = {
  productToProject: { field: 'channels', dataType: 'project' },
  assetToProduct: { field: 'assets', dataType: 'asset' },
  productToProduct: { field: 'products', dataType: 'product' },
} as const

async function findLinked(db: Db, targets: Targets, found: readonly rows.DocumentRow[]) {
  const links = found.flatMap((row) => row.links ?? [])
  const described = await Promise.all(
    [...Map.groupBy(links, ({ kind }) => ends[kind].dataType)].map(async ([dataType, some]) => {
      const others = [...new Set(some.map(({ id }) => id))]
      return (await targets.get(dataType)?.describe(db, others)) ?? []
    }),
  )
  const tids = new Map(described.flat().map(({ id, tid }) => [id, tid]))
  const linked = new Map<rows.DocumentRow, Linked[]>()
  for (const row of found) {
    if (!row.links) continue
    const known = row.links.flatMap(({ kind, id }): Linked[] => {
      const tid = tids.get(id)
      return tid === undefined ? [] : [{ id, field: ends[kind].field, tid }]
    })
    linked.set(row, known)
  }
  return linked
}

// Documents

/** Where an object stands, and what it is linked to. */
interface Place {
  readonly row: rows.DocumentRow
  readonly product: rows.DocumentRow
  readonly article: rows.DocumentRow | undefined
  readonly node: NodeRow
  readonly linked: readonly Linked[]
}
const tidsOf = ({ linked }: Place, field: LinkField) =>
  linked.filter((link) => link.field === field).map(({ tid }) => tid)
const idsOf = ({ linked }: Place, field: LinkField) =>
  linked.filter((link) => link.field === field).map(({ id }) => String(id))

/** What the standard fields say. */
const facts: readonly (readonly [string, (place: Place) => FieldScalar | readonly FieldScalar[] | undefined])[] = [
  ['id', ({ row }) => row.id],
  ['tid', ({ row }) => row.tid],
  ['name', ({ row }) => row.name],
  ['itemType', ({ row }) => itemTypes[row.level]],
  ['creationDate', ({ row }) => Date.parse(row.createdAt!)],
  ['creationUser', ({ row }) => row.createdBy],
  ['modificationDate', ({ row }) => Date.parse(row.modifiedAt!)],
  ['modificationUser', ({ row }) => row.modifiedBy],
  ['valueModificationDate', ({ row }) => Date.parse(row.valueModifiedAt!)],
  ['classification', ({ node }) => node.path.split('/')[1]],
  ['classificationPath', ({ node }) => node.path],
  ['product', ({ product }) => product.tid],
  ['article', ({ row, article }) => (row.level === 1 ? row.tid : article?.tid)],
  ['channels', (place) => tidsOf(place, 'channels')],
  ['assets', (place) => tidsOf(place, 'assets')],
  ['products', (place) => tidsOf(place, 'products')],
  ['_channels', (place) => idsOf(place, 'channels')],
  ['_products', (place) => idsOf(place, 'products')],
]

interface Reading {
  readonly model: Model
  readonly above: ReadonlyMap<number, rows.DocumentRow>
  readonly rules: Rules
  readonly attributes: AttributeFields
  readonly wanted: ReadonlySet<string> | undefined
}

/** Undefined when what stands above it went away while it was read: its own end is told next. */
function toDocument(
  { model, above, rules, attributes, wanted }: Reading,
  row: rows.DocumentRow,
  linked: readonly Linked[],
  nodeIds: (node: NodeRow) => readonly number[],
): SourceDocument | undefined {
  const product = row.level === 0 ? row : above.get(row.rootId!)
  const article = row.level === 2 ? above.get(row.parentId) : undefined
  const node = product && model.node(product.nodeId!)
  if (!product || !node || (row.level === 2 && !article)) return undefined
  const place = { row, product, article, node, linked }
  const fields = new Map<string, FieldValues>()
  for (const [name, factOf] of facts) {
    const values = wanted?.has(name) === false ? undefined : plainValues(factOf(place))
    if (values) fields.set(name, values)
  }
  const steps = row.level === 0 ? [] : article ? [product, article] : [product]
  if (row.vals) putValues({ rules: rules(model, node.id), attributes, wanted }, fields, steps, row)
  return {
    id: row.id,
    fields,
    scopes: { product: [node.path] },
    refs: [...steps.map(({ id }) => id), ...nodeIds(node), ...linked.map(({ id }) => id)],
  }
}

function putValues(
  { rules, attributes, wanted }: Pick<Reading, 'attributes' | 'wanted'> & { rules: NodeRules },
  fields: Map<string, FieldValues>,
  steps: readonly rows.DocumentRow[],
  row: rows.DocumentRow,
): void {
  const values = valuesAt(rules, steps, row)
  for (const key in values) attributes.put(fields, key, values[key]!, wanted)
  if (wanted?.has(completenessField.name) === false) return
  const demands = demandsOf(rules.required(row.level))
  const valueOf = (key: string) => (Object.hasOwn(values, key) ? values[key] : undefined)
  fields.set(completenessField.name, completenessOf([judge(demands, valueOf)]))
}

/** The values that an object has in the end: its own before its defaults before what is handed down to it. */
function valuesAt(
  rules: NodeRules,
  steps: readonly rows.DocumentRow[],
  { level, vals }: rows.DocumentRow,
): StoredValues {
  const own = { ...rules.defaults(level), ...vals }
  if (steps.length === 0) return own
  const handed = steps.reduce((above, step) => ({ ...above, ...rules.defaults(step.level), ...step.vals }), noValues)
  const inherited = Object.entries(handed).filter(([key]) => rules.inherits(key, level))
  return { ...Object.fromEntries(inherited), ...own }
}

/** Ids of the node and of those above it, found once for all products of a node. */
function rememberAbove(model: Model): (node: NodeRow) => readonly number[] {
  const known = new Map<NodeRow, readonly number[]>()
  return (node) => {
    const ids = known.get(node) ?? aboveOf(model, node)
    known.set(node, ids)
    return ids
  }
}

/** Ids of what an object stands in: what changes there may change what it says. */
export const aboveOf = (model: Model, { path }: NodeRow, steps: Iterable<{ readonly id: number }> = []): number[] =>
  [...steps, ...pathsAbove(path).flatMap((above) => model.node(above) ?? [])].map(({ id }) => id)
