/**
 * Products in channels (placements) as search documents: one for each link, with the completeness of the product there.
 * The completeness covers the required values of the product and of its product extension objects in the channel.
 */
import { productTypes as productLevels } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { TargetRow, Targets } from '../../common/api.ts'
import type { Caller } from '../../core/context.ts'
import {
  completenessField,
  type DocumentField,
  type DocumentSource,
  isLinking,
  plainFields,
  type SourceDocument,
} from '../../core/outbox/documents.ts'
import type { OutboxRow } from '../../core/outbox/outbox.ts'
import { findExtending, findTemplates } from '../../peo/api.ts'
import { completenessOf, type Judgement, type ProductView, type ProductViews } from '../../pim/api.ts'
import { type IndexedQuality, qualityFields, qualityIn } from '../quality/documents.ts'
import { type Facts, findAlike, findFacts, findWriting } from '../quality/facts.sql.ts'
import { judgePeo, judgeProduct } from '../readiness/judge.ts'
import { countOf, withPictures } from '../requirements/pictures.ts'
import { type Requirement, requirementsOf } from '../requirements/requirements.ts'
import * as rows from './placements.sql.ts'

// prettier-ignore
const placementFields: readonly DocumentField[] = [
  { name: 'id', type: 'number', label: { '': 'Id' } },
  { name: 'channel', type: 'keyword', weight: 5, label: { '': 'Channel', de_DE: 'Kanal', fr_FR: 'Canal' }, link: { index: 'CHANNEL', from: 'id', to: '_channel' } },
  { name: 'channelName', type: 'text', weight: 1, label: { '': 'Name of the channel', de_DE: 'Name des Kanals', fr_FR: 'Nom du canal' } },
  { name: 'channelPath', type: 'keyword', path: true, label: { '': 'Channel tree', de_DE: 'Kanalbaum', fr_FR: 'Arbre des canaux' } },
  { name: 'product', type: 'keyword', weight: 10, label: { '': 'Product', de_DE: 'Produkt', fr_FR: 'Produit' }, link: { index: 'PRODUCT', from: 'id', to: '_product' } },
  { name: 'productName', type: 'text', weight: 3, label: { '': 'Name of the product', de_DE: 'Name des Produkts', fr_FR: 'Nom du produit' } },
  { name: 'classificationPath', type: 'keyword', path: true, label: { '': 'Classification node', de_DE: 'Klassifikationsknoten', fr_FR: 'Nœud de classification' } },
  { name: 'linkType', type: 'keyword', label: { '': 'Kind of link', de_DE: 'Art der Verknüpfung', fr_FR: 'Type de lien' } },
  completenessField,
  ...qualityFields,
  { name: 'creationDate', type: 'date', label: { '': 'Created', de_DE: 'Angelegt', fr_FR: 'Créé le' } },
  { name: 'creationUser', type: 'keyword', label: { '': 'Created by', de_DE: 'Angelegt von', fr_FR: 'Créé par' } },
  { name: '_channel', type: 'keyword', inner: true, label: {} },
  { name: '_product', type: 'keyword', inner: true, label: {} },
]

export interface PlacementNeeds {
  readonly targets: Targets
  readonly productViews: ProductViews
  readonly productsReferred: DocumentSource['referred']
}

const judgedFields = [completenessField, ...qualityFields].map(({ name }) => name)
const productTypes: ReadonlySet<string> = new Set(productLevels)

/** Changes of forbidden words, and of pictures. */
const referredTypes: ReadonlySet<string> = new Set(['peo', 'template', 'glossaryEntry', 'asset'])

/** Linking is reported for both ends. Only the product's side is followed, because a channel may have many links. */
const isReferred = (change: OutboxRow) =>
  change.dataType === 'project'
    ? !isLinking(change)
    : productTypes.has(change.dataType) ||
      (referredTypes.has(change.dataType) && !(change.dataType === 'asset' && isLinking(change)))

/** A placement is visible to callers who may read both the channel and the product. */
export function placementDocuments(needs: PlacementNeeds): DocumentSource {
  return {
    index: 'CHANNEL_2_PRODUCT',
    kinds: ['project', 'product'],
    dataTypes: new Set(),
    fields: async () => placementFields,
    read: (db, ids, wanted) =>
      readPlacements(db, needs, ids, wanted ? judgedFields.some((name) => wanted.has(name)) : true),
    list: rows.listPlaced,
    count: rows.countPlaced,
    find: async () => [],
    referred: async (db, changes) => [
      ...(await needs.productsReferred(db, changes)),
      ...changes.filter(isReferred).map(({ objectId }) => objectId),
    ],
    // Existing placements already refer to these objects; only new ones have to be found.
    async related(db, changes) {
      const fresh = changes.filter((change) => isLinking(change) || change.event === 'CREATE')
      const idsOf = (is: (dataType: string) => boolean) =>
        fresh.filter(({ dataType }) => is(dataType)).map(({ objectId }) => objectId)
      const products = idsOf((dataType) => productTypes.has(dataType))
      const peos = idsOf((dataType) => dataType === 'peo')
      const others = await concerned(db, changes)
      const all = [...products, ...others]
      return all.length + peos.length > 0 ? rows.findPlaced(db, all, peos) : []
    },
  }
}

/** Products whose quality depends on changes elsewhere: on new duplicates, and on words that became forbidden. */
async function concerned(db: Db, changes: readonly OutboxRow[]): Promise<readonly number[]> {
  const idsOf = (is: (change: OutboxRow) => boolean) => changes.filter(is).map(({ objectId }) => objectId)
  const products = idsOf(
    (change) => productTypes.has(change.dataType) && change.event !== 'DELETE' && !isLinking(change),
  )
  const entries = idsOf(({ dataType, event }) => dataType === 'glossaryEntry' && event !== 'DELETE')
  return [
    ...(products.length > 0 ? await findAlike(db, products) : []),
    ...(entries.length > 0 ? await findWriting(db, entries) : []),
  ]
}

async function readPlacements(
  db: Db,
  needs: PlacementNeeds,
  ids: readonly number[],
  isJudged: boolean,
): Promise<SourceDocument[]> {
  const placements = await rows.readPlaced(db, ids)
  if (placements.length === 0) return []
  const productIds = [...new Set(placements.map(({ productId }) => productId))]
  const channelIds = [...new Set(placements.map(({ channelId }) => channelId))]
  const describe = async (dataType: string, of: readonly number[]) =>
    new Map<number, TargetRow>(
      ((await needs.targets.get(dataType)?.describe(db, of)) ?? []).map((row) => [row.id, row]),
    )
  const [products, channels, views, extensions, requirementOf, facts] = await Promise.all([
    describe('product', productIds),
    describe('project', channelIds),
    isJudged ? needs.productViews({ db, caller: reader }, productIds) : undefined,
    isJudged ? readExtensions(db, productIds, channelIds) : undefined,
    isJudged ? requirementsOf(db, channelIds) : undefined,
    isJudged ? findFacts(db, productIds, reader.permissions) : [],
  ])
  const factsOf = new Map(facts.map((row) => [row.id, row]))
  return placements.flatMap((placement) => {
    const { productId, channelId } = placement
    const [product, channel, view] = [products.get(productId), channels.get(channelId), views?.get(productId)]
    if (!product || !channel || (views && !view)) return []
    const ofProduct = factsOf.get(productId)
    const judged =
      view &&
      ofProduct &&
      extensions &&
      requirementOf &&
      judgePlacement(view, ofProduct, extensions(placement), requirementOf(channelId))
    return [toDocument(placement, product, channel, judged)]
  })
}

/** Completeness does not depend on the caller, so it is computed with full read rights. */
const reader: Caller = {
  userId: '',
  userName: 'kontor',
  roles: new Set(),
  permissions: ['product', 'asset', 'glossaryEntry'].map((kind) => ({ kind, actions: ['read'] })),
}

type Extensions = Awaited<ReturnType<typeof readExtensions>>

/** The product extension objects of products in channels, by placement. */
async function readExtensions(db: Db, productIds: readonly number[], channelIds: readonly number[]) {
  const peos = await findExtending(db, channelIds, { productIds })
  const templates = new Map((peos.length > 0 ? await findTemplates(db) : []).map((row) => [row.id, row]))
  const keyOf = (productId: number, channelId: number) => `${productId} ${channelId}`
  const byPlacement = Map.groupBy(
    peos.map((peo) => ({ peo, template: templates.get(peo.templateId)! })),
    ({ peo }) => keyOf(peo.productId, peo.projectId),
  )
  return ({ productId, channelId }: rows.PlacedProduct) => byPlacement.get(keyOf(productId, channelId)) ?? []
}

interface JudgedPlacement {
  readonly judged: readonly Judgement[]
  readonly locales: readonly string[] | undefined
  readonly quality: IndexedQuality
  readonly refs: readonly number[]
}

const judgePlacement = (
  view: ProductView,
  facts: Facts,
  extensions: ReturnType<Extensions>,
  { locales, attributes, checks, pictures }: Requirement,
): JudgedPlacement => ({
  judged: [
    withPictures(judgeProduct(view, attributes), pictures, countOf(facts.pictures)),
    ...extensions.map(({ peo, template }) => judgePeo(peo, template, view, attributes)),
  ],
  locales,
  quality: qualityIn(view, facts, extensions, checks ?? undefined, locales),
  refs: [...view.above(), ...extensions.flatMap(({ peo, template }) => [peo.id, template.id])],
})

function toDocument(
  { id, type, createdAt, createdBy }: rows.PlacedProduct,
  product: TargetRow,
  channel: TargetRow,
  judged: JudgedPlacement | undefined,
): SourceDocument {
  const [nodePath, channelPath] = [product.scopes?.[0] ?? '', channel.scopes?.[0] ?? '']
  const fields = plainFields({
    id,
    channel: channel.tid,
    channelName: channel.path,
    channelPath,
    product: product.tid,
    productName: product.path,
    classificationPath: nodePath,
    linkType: type,
    creationDate: createdAt,
    creationUser: createdBy,
    _channel: String(channel.id),
    _product: String(product.id),
  })
  if (judged) {
    fields.set(completenessField.name, completenessOf(judged.judged, judged.locales))
    for (const [name, values] of judged.quality.fields) fields.set(name, values)
  }
  return {
    id,
    fields,
    scopes: { project: [channelPath], product: [nodePath] },
    refs: [product.id, channel.id, ...(judged?.refs ?? []), ...(judged?.quality.refs ?? [])],
  }
}
