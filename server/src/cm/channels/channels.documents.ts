/** Channels as search documents. */
import { stampsOf } from '../../common/api.ts'
import {
  commonFields,
  type DocumentField,
  type DocumentSource,
  isLinking,
  plainFields,
} from '../../core/outbox/documents.ts'
import { attributeFields, toDefinition } from '../../values/api.ts'
import { findTypes, type TypeRow } from './types/types.sql.ts'
import * as rows from './channels.documents.sql.ts'

// prettier-ignore
const channelFields: readonly DocumentField[] = [
  ...commonFields,
  { name: 'channelType', type: 'keyword', label: { '': 'Channel type', de_DE: 'Kanalart', fr_FR: 'Type de canal' } },
  { name: 'channelPath', type: 'keyword', path: true, label: { '': 'Channel tree', de_DE: 'Kanalbaum', fr_FR: 'Arbre des canaux' } },
  { name: 'parent', type: 'keyword', label: { '': 'Parent', de_DE: 'Übergeordneter Kanal', fr_FR: 'Canal parent' } },
  { name: 'products', type: 'keyword', label: { '': 'Products', de_DE: 'Produkte', fr_FR: 'Produits' }, link: { index: 'PRODUCT', from: '_channels', to: 'id', elsewhere: true } },
  { name: 'places', type: 'keyword', label: { '': 'Places of products', de_DE: 'Plätze von Produkten', fr_FR: 'Places de produits' }, link: { index: 'CHANNEL_2_PRODUCT', from: '_channel', to: 'id', elsewhere: true, named: 'product' } },
  { name: 'assets', type: 'keyword', label: { '': 'Assets', de_DE: 'Dateien', fr_FR: 'Fichiers' }, link: { index: 'ASSET', from: '_channels', to: 'id', elsewhere: true } },
]
const taken = new Set(channelFields.map(({ name }) => name))

/** Attributes of all channel types. If two types define the same attribute differently, the older type wins. */
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
