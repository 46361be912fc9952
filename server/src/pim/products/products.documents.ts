/** Products, articles and variations as search documents, with the values that they inherit. */
import type { Db } from '../../adapters/postgres/db.ts'
import type { Targets } from '../../common/api.ts'
import {
  commonFields,
  completenessField,
  type DocumentField,
  type DocumentSource,
  isLinking,
  pathsAbove,
  plainFields,
  type SourceDocument,
} from '../../core/documents.ts'
import type { OutboxRow } from '../../core/outbox.ts'
import type { Model, Models } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'
import { attributeFields, type AttributeFields } from '../values/fields.ts'
import { completenessOf, demandsOf, judge } from './products.completeness.ts'
import * as rows from './products.documents.sql.ts'
import type { NodeRules, Rules } from './products.rules.ts'
import { handDown, type Inheritance, itemTypes, nothingAbove } from './products.show.ts'
import type { ShownRow } from './products.sql.ts'

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
      const asksFor = (is: (name: string) => boolean) => wanted === undefined || [...wanted].some(is)
      const withValues = asksFor(isMadeOfValues)
      const [model, found, linked] = await Promise.all([
        models.load(db),
        rows.readWithAbove(db, ids, withValues),
        asksFor(isMadeOfLinks) ? readLinks(db, targets, ids) : noLinks,
      ])
      const byId = new Map(found.map((row) => [row.id, row]))
      const reading = { model, byId, rules, attributes: fieldsOf(model), wanted, withValues }
      return found.flatMap((row) => (row.asked ? (toDocument(reading, row, linked.get(row.id) ?? []) ?? []) : []))
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

interface Linked {
  readonly id: number
  readonly field: 'channels' | 'assets' | 'products'
  readonly tid: string
}
const ends = {
  productToProject: { field: 'channels', dataType: 'project' },
  assetToProduct: { field: 'assets', dataType: 'asset' },
  productToProduct: { field: 'products', dataType: 'product' },
} as const

async function readLinks(db: Db, targets: Targets, ids: readonly number[]): Promise<ReadonlyMap<number, Linked[]>> {
  const links = await rows.readLinks(db, ids)
  const described = await Promise.all(
    [...Map.groupBy(links, ({ kind }) => ends[kind].dataType)].map(async ([dataType, some]) => {
      const others = [...new Set(some.map(({ otherId }) => otherId))]
      return (await targets.get(dataType)?.describe(db, others)) ?? []
    }),
  )
  const tids = new Map(described.flat().map(({ id, tid }) => [id, tid]))
  const linked = new Map<number, Linked[]>()
  for (const { id, kind, otherId } of links) {
    const tid = tids.get(otherId)
    if (tid === undefined) continue
    const own = linked.get(id) ?? []
    own.push({ id: otherId, field: ends[kind].field, tid })
    linked.set(id, own)
  }
  return linked
}

const noLinks: ReadonlyMap<number, Linked[]> = new Map()

interface Reading {
  readonly model: Model
  readonly byId: ReadonlyMap<number, ShownRow>
  readonly rules: Rules
  readonly attributes: AttributeFields
  readonly wanted: ReadonlySet<string> | undefined
  readonly withValues: boolean
}

/** Undefined when what stands above it went away while it was read: its own end is told next. */
function toDocument(
  { model, byId, rules, attributes, wanted, withValues }: Reading,
  row: ShownRow,
  linked: readonly Linked[],
): SourceDocument | undefined {
  const product = row.level === 0 ? row : byId.get(row.rootId!)
  const article = row.level === 2 ? byId.get(row.parentId) : undefined
  const node = product && model.node(product.nodeId!)
  if (!product || !node || (row.level === 2 && !article)) return undefined
  const tidsOf = (field: Linked['field']) => linked.filter((link) => link.field === field).map(({ tid }) => tid)
  const idsOf = (field: Linked['field']) => linked.filter((link) => link.field === field).map(({ id }) => String(id))
  const fields = plainFields({
    id: row.id,
    tid: row.tid,
    name: row.name,
    itemType: itemTypes[row.level],
    creationDate: Date.parse(row.createdAt),
    creationUser: row.createdBy,
    modificationDate: Date.parse(row.modifiedAt),
    modificationUser: row.modifiedBy,
    valueModificationDate: Date.parse(row.valueModifiedAt),
    classification: node.path.split('/')[1],
    classificationPath: node.path,
    product: product.tid,
    article: row.level === 1 ? row.tid : article?.tid,
    channels: tidsOf('channels'),
    assets: tidsOf('assets'),
    products: tidsOf('products'),
    _channels: idsOf('channels'),
    _products: idsOf('products'),
  })
  const nodeRules = rules(model, node.id)
  const steps = row.level === 0 ? [] : article ? [product, article] : [product]
  const values = withValues ? inheritedBy(nodeRules, steps, row) : nothingAbove
  for (const [key, { value }] of values) attributes.put(fields, key, value, wanted)
  if (!wanted || wanted.has(completenessField.name)) {
    const demands = demandsOf(nodeRules.required(row.level))
    fields.set(completenessField.name, completenessOf([judge(demands, (key) => values.get(key)?.value)]))
  }
  return {
    id: row.id,
    fields,
    scopes: { product: [node.path] },
    refs: [...aboveOf(model, node, steps), ...linked.map(({ id }) => id)],
  }
}

/** Ids of what an object stands in: what changes there may change what it says. */
export const aboveOf = (model: Model, { path }: NodeRow, steps: Iterable<ShownRow>): number[] =>
  [...steps, ...pathsAbove(path).flatMap((above) => model.node(above) ?? [])].map(({ id }) => id)

function inheritedBy(rules: NodeRules, steps: readonly ShownRow[], row: ShownRow): Inheritance {
  const handed = steps.reduce<Inheritance>((above, step) => handDown(rules, above, step), nothingAbove)
  const inherited = new Map([...handed].filter(([key]) => rules.inherits(key, row.level)))
  return handDown(rules, inherited, row)
}
