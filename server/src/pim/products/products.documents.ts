/** Products, articles and variations as search documents, with the values that they inherit. */
import { productTypes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import {
  commonFields,
  completenessField,
  type DocumentField,
  type DocumentSource,
  type FieldScalar,
  type FieldValues,
  isLinking,
  type PassedOver,
  pathsAbove,
  plainValues,
  type SourceDocument,
  withoutLocale,
} from '../../core/outbox/documents.ts'
import type { RelationTypeRow } from '../../common/api.ts'
import { Entries } from '../../core/outbox/entries.ts'
import type { OutboxRow } from '../../core/outbox/outbox.ts'
import type { EffectiveAttribute } from '../model/effective.ts'
import { type Model, type Models, memoized } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import {
  type AttributeFields,
  attributeFields,
  readStored,
  type StoredValue,
  type StoredValues,
} from '../../values/api.ts'
import { completenessOf, type Demand, demandsOf, judge } from './products.completeness.ts'
import * as rows from './products.documents.sql.ts'
import type { NodeRules, Rules } from './products.rules.ts'
import { itemTypes } from './products.view.ts'
import { findRelationTypes, sourcesOf } from '../relations/relations.sql.ts'
import type { LevelNumber } from './products.sql.ts'

/** Whether a text in the locale is to be looked at again. */
const staleField: DocumentField = {
  name: 'staleTexts',
  type: 'boolean',
  localized: true,
  label: {
    '': 'Texts whose source changed',
    de_DE: 'Texte mit geänderter Quelle',
    fr_FR: 'Textes dont la source a changé',
  },
}

// prettier-ignore
const standard: readonly DocumentField[] = [
  ...commonFields,
  { name: 'valueModificationDate', type: 'date', label: { '': 'Values modified', de_DE: 'Werte geändert', fr_FR: 'Valeurs modifiées le' } },
  { name: 'classification', type: 'keyword', label: { '': 'Classification', de_DE: 'Klassifikation' } },
  { name: 'classificationPath', type: 'keyword', path: true, label: { '': 'Classification node', de_DE: 'Klassifikationsknoten', fr_FR: 'Nœud de classification' } },
  { name: 'product', type: 'keyword', label: { '': 'Product', de_DE: 'Produkt', fr_FR: 'Produit' } },
  { name: 'article', type: 'keyword', label: { '': 'Article', de_DE: 'Artikel' } },
  completenessField,
  staleField,
  { name: 'channels', type: 'keyword', label: { '': 'Channels', de_DE: 'Kanäle', fr_FR: 'Canaux' }, link: { index: 'CHANNEL', from: 'id', to: '_channels' } },
  { name: 'assets', type: 'keyword', label: { '': 'Assets', de_DE: 'Dateien', fr_FR: 'Fichiers' }, link: { index: 'ASSET', from: '_products', to: 'id' } },
  { name: 'products', type: 'keyword', label: { '': 'Linked products', de_DE: 'Verknüpfte Produkte', fr_FR: 'Produits liés' }, link: { index: 'PRODUCT', from: 'id', to: '_products' } },
  { name: 'places', type: 'keyword', label: { '': 'Places in channels', de_DE: 'Plätze in Kanälen', fr_FR: 'Places dans les canaux' }, link: { index: 'CHANNEL_2_PRODUCT', from: '_product', to: 'id', elsewhere: true, named: 'channel' } },
  { name: '_channels', type: 'keyword', inner: true, label: {} },
  { name: '_products', type: 'keyword', inner: true, label: {} },
]
const taken = new Set(standard.map(({ name }) => name))
const isMadeOfLinks = (name: string) => /^_?(channels|assets|products|products\/.*)$/.test(name)
const isMadeOfValues = (name: string) => (!taken.has(name) && !isMadeOfLinks(name)) || name === completenessField.name
const isStamp = (name: string) => /(Date|User)$/.test(name) && taken.has(name)

/**
 * The fields of a relation type: the tids of its targets, and of the objects that have this one as a target. No attribute has
 * such a name, because `products` is a standard field.
 */
function relationFields({ tid, label, inverse }: RelationTypeRow): DocumentField[] {
  const name = `products/${tid}`
  return [
    { name, type: 'keyword', label: { '': tid, ...label }, link: { index: 'PRODUCT', from: 'id', to: `_${name}` } },
    { name: `${name}/of`, type: 'keyword', label: { '': `${tid} (inverse)`, ...inverse }, link: { index: 'PRODUCT', from: `_${name}`, to: 'id', elsewhere: true } }, // prettier-ignore
    { name: `_${name}`, type: 'keyword', inner: true, label: {} },
  ]
}

function putRelations(fields: Entries<FieldValues>, linked: readonly rows.Linked[], wanted: Reading['wanted']): void {
  const typed = linked.filter(({ type }) => type != null)
  for (const [type, same] of Map.groupBy(typed, (link) => link.type!)) {
    const name = `products/${type}`
    if (!wanted || wanted.has(name)) fields.add(name, withoutLocale(same.map(({ tid }) => tid)))
    if (!wanted || wanted.has(`_${name}`)) fields.add(`_${name}`, withoutLocale(same.map(({ id }) => String(id))))
  }
}

interface ProductDocumentNeeds {
  readonly models: Models
  readonly rules: Rules
}

export function productDocuments({ models, rules }: ProductDocumentNeeds): DocumentSource {
  const fieldsOf = memoized((model: Model) => attributeFields(model.definitions, taken))
  const nodeIdsOf = memoized((model: Model) => memoized((node: NodeRow) => aboveOf(model, node)))
  const demandedBy = memoized(demandsOf)
  const byKey = memoized((stored: StoredValues): Values => new Map(Object.entries(stored)))
  return {
    index: 'PRODUCT',
    kinds: ['product'],
    dataTypes: new Set(productTypes),
    async fields(db) {
      const model = await models.load(db)
      const nodeNames = new Map(model.nodes.map(({ path, name }) => [path, name]))
      const named = standard.map((field) =>
        field.name === 'classificationPath' ? { ...field, values: nodeNames, labelled: 'node' } : field,
      )
      const relations = (await findRelationTypes(db)).flatMap(relationFields)
      return [...named, ...relations, ...fieldsOf(model).fields]
    },
    async read(db, ids, wanted, passed) {
      const { asked, above, modelVersion } = await readWithAbove(db, ids, partsFor(wanted, passed))
      if (asked.length === 0) return []
      const model = await models.at(db, modelVersion)
      const [attributes, nodeIds] = [fieldsOf(model), nodeIdsOf(model)]
      const wantedFacts = wanted ? facts.filter(([name]) => wanted.has(name)) : facts
      return toDocuments(
        { model, above, inherited: new Map(), rules, attributes, nodeIds, demandedBy, byKey, wanted, wantedFacts },
        asked,
      )
    },
    list: rows.listIds,
    count: rows.countAll,
    find: rows.findObjects,
    async referred(db, changes) {
      const nodes = await nodesConcerned(db, models, changes)
      return [...nodes, ...changes.filter(isReferred).map(({ objectId }) => objectId)]
    },
    async related(db, changes) {
      const idsOf = (is: (change: OutboxRow) => boolean) => changes.filter(is).map(({ objectId }) => objectId)
      const members = idsOf(({ dataType }) => dataType === 'article' || dataType === 'variant')
      const definitions = idsOf((change) => isDefining(change) && change.event === 'UPDATE')
      const relationTypes = idsOf(({ dataType }) => dataType === 'pim.relationType')
      return [
        ...(relationTypes.length > 0 ? await sourcesOf(db, relationTypes) : []),
        ...(members.length > 0 ? await rows.productsOf(db, members) : []),
        ...(definitions.length > 0 ? await rows.findHaving(db, definitions) : []),
      ]
    },
  }
}

/** A definition that moved to another group means the same values as before. */
const isDefining = ({ dataType, action }: OutboxRow) => dataType === 'attrDefinition' && action !== 'group'

/** Nodes whose attributes changed, and with them the required and default values of their products. */
async function nodesConcerned(db: Db, models: Models, changes: readonly OutboxRow[]): Promise<number[]> {
  const idsOf = (is: (change: OutboxRow) => boolean) => changes.filter(is).map(({ objectId }) => objectId)
  const [attributes, definitions] = [idsOf(({ dataType }) => dataType === 'attribute'), idsOf(isDefining)]
  const model = definitions.length > 0 ? await models.load(db) : undefined
  return [
    ...(attributes.length > 0 ? await rows.nodesOfAttributes(db, attributes) : []),
    ...definitions.flatMap((id) => model!.attributesOfDefinition(id).map(({ nodeId }) => nodeId)),
  ]
}

/**
 * Whether a change affects documents that refer to the object. Articles and variations inherit values; of a linked object,
 * only the tid is indexed.
 */
function isReferred(change: OutboxRow): boolean {
  const { dataType, event } = change
  if (dataType === 'node') return true
  if (dataType === 'product' || dataType === 'article') return !isLinking(change)
  return event === 'DELETE' && (dataType === 'project' || dataType === 'asset' || dataType === 'variant')
}

// Reading

/** The parts of a row that the wanted fields need; all parts without `wanted`. */
function partsFor(wanted: ReadonlySet<string> | undefined, passed: PassedOver | undefined): rows.Parts {
  if (!wanted) return { vals: 'all', stamps: true, links: true, stale: true }
  const names = [...wanted]
  return {
    ...valsFor(names.filter(isMadeOfValues)),
    passed: passed && { ...passed, fields: passed.fields.filter(isMadeOfValues) },
    stamps: names.some(isStamp),
    links: names.some(isMadeOfLinks),
    stale: wanted.has(staleField.name),
  }
}

/** Up to this many values, selecting them in SQL is cheaper than parsing all values of a row. */
const mostPicked = 8

function valsFor(names: readonly string[]): Pick<rows.Parts, 'vals'> {
  if (names.length === 0) return {}
  if (names.length > mostPicked || names.includes(completenessField.name)) return { vals: 'all' }
  return { vals: names.flatMap((name) => keysFor(name)) }
}

/** The keys of values that a field may be made of: it may have a prefix, or be the part of a price. */
function keysFor(name: string): string[] {
  const own = name.startsWith('attr.') ? [name, name.slice('attr.'.length)] : [name]
  return own.flatMap((key) => (key.includes('/') ? [key, key.slice(0, key.lastIndexOf('/'))] : [key]))
}

/** Values by key. */
type Values = ReadonlyMap<string, StoredValue>
const noValues: Values = new Map()

/** A product or article above others. */
interface Step extends rows.DocumentRow {
  readonly values: Values
}

interface Found {
  readonly asked: readonly rows.DocumentRow[]
  /** Products and articles above the rows, by id. */
  readonly above: ReadonlyMap<number, Step>
  readonly modelVersion: number
}

async function readWithAbove(db: Db, ids: readonly number[], parts: rows.Parts): Promise<Found> {
  const asked = await rows.readRows(db, ids, parts)
  const members = asked.filter(({ level }) => level > 0)
  const idsAbove = members.flatMap(({ level, rootId, parentId }) => (level === 1 ? [rootId!] : [rootId!, parentId]))
  const others =
    members.length > 0
      ? await rows.readRows(db, [...new Set(idsAbove)], { vals: parts.vals, passed: parts.passed })
      : []
  const above = new Map(others.map((row) => [row.id, { ...row, values: row.vals ? readStored(row.vals) : noValues }]))
  return { asked, above, modelVersion: (others[0] ?? asked[0])?.modelVersion ?? 0 }
}

// Documents

/** An object with the objects above it and its links. */
interface Place {
  readonly row: rows.DocumentRow
  readonly product: rows.DocumentRow
  readonly article: rows.DocumentRow | undefined
  readonly node: NodeRow
  readonly linked: readonly rows.Linked[]
}
const tidsOf = ({ linked }: Place, field: rows.Linked['field']) => [
  ...new Set(linked.filter((link) => link.field === field).map(({ tid }) => tid)),
]
const idsOf = ({ linked }: Place, field: rows.Linked['field']) => [
  ...new Set(linked.filter((link) => link.field === field).map(({ id }) => String(id))),
]

/** The values of the standard fields. */
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
  readonly above: ReadonlyMap<number, Step>
  /** The values that they hand down, filled on demand. */
  readonly inherited: Map<Step, Values>
  readonly rules: Rules
  readonly attributes: AttributeFields
  readonly wanted: ReadonlySet<string> | undefined
  /** The standard fields among the wanted ones. */
  readonly wantedFacts: typeof facts
  /** The ids of a node and of those above it. */
  nodeIds(node: NodeRow): readonly number[]
  demandedBy(required: readonly EffectiveAttribute[]): readonly Demand[]
  /** The default values of a level of a node, converted once. */
  byKey(defaults: StoredValues): Values
}

/** One at a time, so that the memory for a document is free before the next is built. */
function* toDocuments(reading: Reading, asked: readonly rows.DocumentRow[]): Generator<SourceDocument> {
  for (const row of asked) {
    const document = toDocument(reading, row)
    if (document) yield document
  }
}

/** Undefined if an object above was deleted while reading: the deletion of this one follows in the outbox. */
function toDocument(reading: Reading, row: rows.DocumentRow): SourceDocument | undefined {
  const { model, above } = reading
  const product = row.level === 0 ? row : above.get(row.rootId!)
  const article = row.level === 2 ? above.get(row.parentId) : undefined
  const node = product && model.node(product.nodeId!)
  if (!product || !node || (row.level === 2 && !article)) return undefined
  const linked = row.links ?? []
  const place = { row, product, article, node, linked }
  const fields = new Entries<FieldValues>()
  for (const [name, factOf] of reading.wantedFacts) {
    const values = plainValues(factOf(place))
    if (values) fields.add(name, values)
  }
  putRelations(fields, linked, reading.wanted)
  if (row.stale) fields.add(staleField.name, new Map(row.stale.map((locale) => [locale, [true]])))
  const steps = [above.get(row.rootId ?? 0), article].filter((step) => step !== undefined)
  if (row.vals) putValues(reading, reading.rules(model, node.id), fields, steps, row)
  return {
    id: row.id,
    fields,
    scopes: { product: [node.path] },
    refs: [...steps.map(({ id }) => id), ...reading.nodeIds(node), ...linked.map(({ id }) => id)],
  }
}

function putValues(
  reading: Reading,
  rules: NodeRules,
  fields: Entries<FieldValues>,
  steps: readonly Step[],
  { level, vals }: rows.DocumentRow,
): void {
  const { attributes, demandedBy, byKey, wanted } = reading
  // Own values win over defaults, and defaults over inherited values.
  const own = over(byKey(rules.defaults(level)), readStored(vals!))
  const values = over(handedDown(reading, rules, steps), own)
  values.forEach((value, key) => attributes.put(fields, key, value, wanted))
  if (wanted?.has(completenessField.name) === false) return
  const demands = demandedBy(rules.required(level))
  const judged = demands.length > 0 ? [judge(demands, (key) => values.get(key))] : []
  fields.add(completenessField.name, completenessOf(judged))
}

/** The values that the last of `steps` hands down, computed once for all objects below it. */
function handedDown({ inherited, byKey }: Reading, rules: NodeRules, steps: readonly Step[]): Values {
  const last = steps.at(-1)
  if (!last) return noValues
  const known = inherited.get(last)
  if (known) return known
  const all = steps.reduce(
    (above, { level, values }) => over(over(above, byKey(rules.defaults(level))), values),
    noValues,
  )
  const below = (last.level + 1) as LevelNumber
  const handed = new Map([...all].filter(([key]) => rules.inherits(key, below)))
  inherited.set(last, handed)
  return handed
}

/** Skips copying when `below` is empty, which is frequent: copying costs more than reading. */
function over(below: Values, values: Values): Values {
  if (below.size === 0) return values
  const both = new Map(below)
  values.forEach((value, key) => both.set(key, value))
  return both
}

/** The ids of the objects above; a change of one of them may change the values of this one. */
export const aboveOf = (model: Model, { path }: NodeRow, steps: Iterable<{ readonly id: number }> = []): number[] =>
  [...steps, ...pathsAbove(path).flatMap((above) => model.node(above) ?? [])].map(({ id }) => id)
