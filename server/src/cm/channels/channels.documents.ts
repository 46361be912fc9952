/** Channels as search documents, and the products that stand in them: one document for each place. */
import type { Db } from '../../adapters/postgres/db.ts'
import { stampsOf, type TargetRow, type Targets } from '../../common/api.ts'
import { commonFields, type DocumentField, type DocumentSource, isLinking, plainFields } from '../../core/documents.ts'
import { attributeFields, toDefinition } from '../../pim/api.ts'
import { findTypes, type TypeRow } from '../types/types.sql.ts'
import * as rows from './channels.documents.sql.ts'

// prettier-ignore
const channelFields: readonly DocumentField[] = [
  ...commonFields,
  { name: 'channelType', type: 'keyword', label: { '': 'Channel type', de_DE: 'Kanalart', fr_FR: 'Type de canal' } },
  { name: 'channelPath', type: 'keyword', path: true, label: { '': 'Channel tree', de_DE: 'Kanalbaum', fr_FR: 'Arbre des canaux' } },
  { name: 'parent', type: 'keyword', label: { '': 'Parent', de_DE: 'Übergeordneter Kanal', fr_FR: 'Canal parent' } },
  { name: 'products', type: 'keyword', label: { '': 'Products', de_DE: 'Produkte', fr_FR: 'Produits' }, link: { index: 'PRODUCT', from: '_channels', to: 'id', elsewhere: true } },
  { name: 'assets', type: 'keyword', label: { '': 'Assets', de_DE: 'Dateien', fr_FR: 'Fichiers' }, link: { index: 'ASSET', from: '_channels', to: 'id', elsewhere: true } },
]
const taken = new Set(channelFields.map(({ name }) => name))

/** Attributes of all kinds of channels; where two kinds define one differently, the older kind decides. */
function fieldsOf(types: readonly TypeRow[]) {
  const definitions = new Map(types.toReversed().flatMap(({ attrDefs }) => attrDefs.map((row) => [row.tid, row])))
  return attributeFields([...definitions.values()].map(toDefinition), taken)
}

export const channelDocuments: DocumentSource = {
  index: 'CHANNEL',
  kinds: ['project'],
  dataTypes: new Set(['project']),
  fields: async (db) => [...channelFields, ...fieldsOf(await findTypes(db)).fields],
  async read(db, ids) {
    const [types, channels] = await Promise.all([findTypes(db), rows.readChannels(db, ids)])
    const attributes = fieldsOf(types)
    const typeTids = new Map(types.map(({ id, tid }) => [id, tid]))
    return channels.map((row) => {
      const fields = plainFields({
        id: row.id,
        tid: row.tid,
        name: row.name,
        itemType: 'channel',
        ...datesOf(row),
        channelType: typeTids.get(row.typeId),
        channelPath: row.path,
        parent: row.parentTid,
      })
      for (const key in row.vals) attributes.put(fields, key, row.vals[key]!)
      return { id: row.id, fields, scopes: { project: [row.path] }, refs: row.above }
    })
  },
  list: rows.listChannels,
  count: rows.countChannels,
  find: rows.findChannels,
  referred: async (_db, changes) =>
    changes.filter((change) => change.dataType === 'project' && !isLinking(change)).map(({ objectId }) => objectId),
  related: async (db, changes) => {
    const types = changes.filter(({ dataType }) => dataType === 'projectTypes').map(({ objectId }) => objectId)
    return types.length > 0 ? rows.channelsOfTypes(db, types) : []
  },
}

function datesOf(stamps: Parameters<typeof stampsOf>[0]) {
  const { creationDate, modificationDate, ...users } = stampsOf(stamps)
  return { creationDate: Date.parse(creationDate), modificationDate: Date.parse(modificationDate), ...users }
}

// prettier-ignore
const placeFields: readonly DocumentField[] = [
  { name: 'id', type: 'number', label: { '': 'Id' } },
  { name: 'channel', type: 'keyword', weight: 5, label: { '': 'Channel', de_DE: 'Kanal', fr_FR: 'Canal' }, link: { index: 'CHANNEL', from: 'id', to: '_channel' } },
  { name: 'channelName', type: 'text', weight: 1, label: { '': 'Name of the channel', de_DE: 'Name des Kanals', fr_FR: 'Nom du canal' } },
  { name: 'channelPath', type: 'keyword', path: true, label: { '': 'Channel tree', de_DE: 'Kanalbaum', fr_FR: 'Arbre des canaux' } },
  { name: 'product', type: 'keyword', weight: 10, label: { '': 'Product', de_DE: 'Produkt', fr_FR: 'Produit' }, link: { index: 'PRODUCT', from: 'id', to: '_product' } },
  { name: 'productName', type: 'text', weight: 3, label: { '': 'Name of the product', de_DE: 'Name des Produkts', fr_FR: 'Nom du produit' } },
  { name: 'classificationPath', type: 'keyword', path: true, label: { '': 'Classification node', de_DE: 'Klassifikationsknoten', fr_FR: 'Nœud de classification' } },
  { name: 'linkType', type: 'keyword', label: { '': 'Kind of link', de_DE: 'Art der Verknüpfung', fr_FR: 'Type de lien' } },
  { name: 'creationDate', type: 'date', label: { '': 'Created', de_DE: 'Angelegt', fr_FR: 'Créé le' } },
  { name: 'creationUser', type: 'keyword', label: { '': 'Created by', de_DE: 'Angelegt von', fr_FR: 'Créé par' } },
  { name: '_channel', type: 'keyword', inner: true, label: {} },
  { name: '_product', type: 'keyword', inner: true, label: {} },
]
const productTypes = new Set(['product', 'article', 'variant'])

/** A place is found by who may read both the channel and the product. */
export function placeDocuments(targets: Targets): DocumentSource {
  return {
    index: 'CHANNEL_2_PRODUCT',
    kinds: ['project', 'product'],
    dataTypes: new Set(),
    fields: async () => placeFields,
    read: (db, ids) => readPlaces(db, targets, ids),
    list: rows.listPlaced,
    count: rows.countPlaced,
    find: async () => [],
    // A link is told of both ends; the product has few of them, a channel may have many.
    referred: async (_db, changes) =>
      changes
        .filter((change) => (change.dataType === 'project' ? !isLinking(change) : productTypes.has(change.dataType)))
        .map(({ objectId }) => objectId),
    async related(db, changes) {
      const products = changes.filter(({ dataType }) => productTypes.has(dataType)).map(({ objectId }) => objectId)
      const nodes = changes.filter(({ dataType }) => dataType === 'node').map(({ objectId }) => objectId)
      return products.length + nodes.length > 0 ? rows.findPlaced(db, products, nodes) : []
    },
  }
}

async function readPlaces(db: Db, targets: Targets, ids: readonly number[]) {
  const places = await rows.readPlaced(db, ids)
  const describe = async (dataType: string, of: readonly number[]) => {
    const found = of.length > 0 ? ((await targets.get(dataType)?.describe(db, [...new Set(of)])) ?? []) : []
    return new Map<number, TargetRow>(found.map((row) => [row.id, row]))
  }
  const [products, channels] = await Promise.all([
    describe(
      'product',
      places.map(({ productId }) => productId),
    ),
    describe(
      'project',
      places.map(({ channelId }) => channelId),
    ),
  ])
  return places.flatMap((place) => {
    const [product, channel] = [products.get(place.productId), channels.get(place.channelId)]
    if (!product || !channel) return []
    const [nodePath, channelPath] = [product.scopes?.[0] ?? '', channel.scopes?.[0] ?? '']
    const fields = plainFields({
      id: place.id,
      channel: channel.tid,
      channelName: channel.path,
      channelPath,
      product: product.tid,
      productName: product.path,
      classificationPath: nodePath,
      linkType: place.type,
      creationDate: place.createdAt,
      creationUser: place.createdBy,
      _channel: String(channel.id),
      _product: String(product.id),
    })
    const scopes = { project: [channelPath], product: [nodePath] }
    return [{ id: place.id, fields, scopes, refs: [product.id, channel.id] }]
  })
}
