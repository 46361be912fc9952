/** Assets as search documents: location, file, attributes, keywords and the metadata embedded in the file. */
import type { Db } from '../../adapters/postgres/db.ts'
import type { Targets } from '../../common/api.ts'
import {
  commonFields,
  type DocumentField,
  type DocumentSource,
  type FieldValues,
  isLinking,
  plainFields,
  type SourceDocument,
} from '../../core/outbox/documents.ts'
import type { OutboxRow } from '../../core/outbox/outbox.ts'
import { type AttributeFields, attributeFields, toDefinition } from '../../values/api.ts'
import { findDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'
import { hasText, readPages } from '../found/analysis.sql.ts'
import { colourLabels, contentLabels, orientationLabels } from '../found/labels.ts'
import { beginOf } from '../usage/usage.ts'
import * as rows from './assets.documents.sql.ts'
import { mediaFields, orientationsOf, statusOf } from './assets.messages.ts'
import { type AssetRow, describeAssets, readAssets } from './assets.sql.ts'

// prettier-ignore
const standard: readonly DocumentField[] = [
  ...commonFields,
  { name: 'fileType', type: 'keyword', label: { '': 'File type', de_DE: 'Dateityp', fr_FR: 'Type de fichier' } },
  { name: 'mimeType', type: 'keyword', label: { '': 'Media type', de_DE: 'Medientyp', fr_FR: 'Type de média' } },
  { name: 'path', type: 'keyword', weight: 1, label: { '': 'Path', de_DE: 'Pfad', fr_FR: 'Chemin' } },
  { name: 'directoryPath', type: 'keyword', path: true, label: { '': 'Directory', de_DE: 'Verzeichnis', fr_FR: 'Répertoire' } },
  { name: 'rnc', type: 'keyword', label: { '': 'Storage', de_DE: 'Ablage', fr_FR: 'Stockage' } },
  { name: 'fileSize', type: 'number', label: { '': 'Size', de_DE: 'Größe', fr_FR: 'Taille' } },
  { name: 'width', type: 'number', label: { '': 'Width', de_DE: 'Breite', fr_FR: 'Largeur' } },
  { name: 'height', type: 'number', label: { '': 'Height', de_DE: 'Höhe', fr_FR: 'Hauteur' } },
  { name: 'orientation', type: 'keyword', values: orientationLabels, label: { '': 'Orientation', de_DE: 'Ausrichtung', fr_FR: 'Orientation' } },
  { name: 'dominantColours', type: 'keyword', values: colourLabels, label: { '': 'Dominant colours', de_DE: 'Hauptfarben', fr_FR: 'Couleurs dominantes' } },
  { name: 'documentText', type: 'text', weight: 0.5, long: true, paged: true, label: { '': 'Text of the document', de_DE: 'Text des Dokuments', fr_FR: 'Texte du document' } },
  { name: 'duration', type: 'number', label: { '': 'Duration in seconds', de_DE: 'Dauer in Sekunden', fr_FR: 'Durée en secondes' } },
  { name: 'frameRate', type: 'number', label: { '': 'Frames per second', de_DE: 'Bilder pro Sekunde', fr_FR: 'Images par seconde' } },
  { name: 'videoCodec', type: 'keyword', label: { '': 'Video codec', de_DE: 'Video-Codec', fr_FR: 'Codec vidéo' } },
  { name: 'audioCodec', type: 'keyword', label: { '': 'Audio codec', de_DE: 'Audio-Codec', fr_FR: 'Codec audio' } },
  { name: 'audioChannels', type: 'number', label: { '': 'Audio channels', de_DE: 'Tonkanäle', fr_FR: 'Canaux audio' } },
  { name: 'sampleRate', type: 'number', label: { '': 'Sample rate', de_DE: 'Abtastrate', fr_FR: 'Fréquence d’échantillonnage' } },
  { name: 'bitRate', type: 'number', label: { '': 'Bit rate', de_DE: 'Bitrate', fr_FR: 'Débit binaire' } },
  { name: 'rotation', type: 'number', label: { '': 'Rotation', de_DE: 'Drehung', fr_FR: 'Rotation' } },
  { name: 'mediaTitle', type: 'text', label: { '': 'Title in the file', de_DE: 'Titel in der Datei', fr_FR: 'Titre dans le fichier' } },
  { name: 'mediaArtist', type: 'text', label: { '': 'Artist in the file', de_DE: 'Interpret in der Datei', fr_FR: 'Artiste dans le fichier' } },
  { name: 'creationMonth', type: 'keyword', label: { '': 'Month added', de_DE: 'Monat', fr_FR: 'Mois' } },
  { name: 'resolution', type: 'number', label: { '': 'Resolution', de_DE: 'Auflösung', fr_FR: 'Résolution' } },
  { name: 'colorSpace', type: 'keyword', label: { '': 'Colour space', de_DE: 'Farbraum', fr_FR: 'Espace colorimétrique' } },
  { name: 'checksum', type: 'keyword', label: { '': 'Checksum', de_DE: 'Prüfsumme', fr_FR: 'Somme de contrôle' } },
  { name: 'contentStatus', type: 'keyword', values: contentLabels, label: { '': 'Content', de_DE: 'Inhalt', fr_FR: 'Contenu' } },
  { name: 'numberOfVersions', type: 'number', label: { '': 'Versions', de_DE: 'Versionen' } },
  { name: 'lockedBy', type: 'keyword', label: { '': 'Checked out by', de_DE: 'Ausgecheckt von', fr_FR: 'Extrait par' } },
  { name: 'importStatus', type: 'keyword', label: { '': 'Import', fr_FR: 'Importation' } },
  { name: 'objectStatus', type: 'keyword', label: { '': 'Status', fr_FR: 'État' } },
  { name: 'usageLicence', type: 'keyword', label: { '': 'Licence', de_DE: 'Lizenz', fr_FR: 'Licence' } },
  { name: 'usageHolder', type: 'keyword', label: { '': 'Rights holder', de_DE: 'Rechteinhaber', fr_FR: 'Titulaire des droits' } },
  { name: 'usageCreditLine', type: 'text', label: { '': 'Credit line', de_DE: 'Bildnachweis', fr_FR: 'Crédit' } },
  { name: 'usageTerritories', type: 'keyword', label: { '': 'Territories', de_DE: 'Länder der Nutzung', fr_FR: 'Territoires' } },
  { name: 'usageMedia', type: 'keyword', label: { '': 'Media', de_DE: 'Medien der Nutzung', fr_FR: 'Médias' } },
  { name: 'usageReleases', type: 'keyword', label: { '': 'Releases', de_DE: 'Freigaben', fr_FR: 'Autorisations' } },
  { name: 'usageChannels', type: 'keyword', label: { '': 'Cleared for channels', de_DE: 'Freigegeben für Kanäle', fr_FR: 'Autorisé pour les canaux' }, link: { index: 'CHANNEL', from: 'id', to: '_usageChannels' } },
  { name: 'usableFrom', type: 'date', label: { '': 'Usable from', de_DE: 'Nutzbar ab', fr_FR: 'Utilisable à partir du' } },
  { name: 'usableUntil', type: 'date', label: { '': 'Usable until', de_DE: 'Nutzbar bis', fr_FR: 'Utilisable jusqu’au' } },
  { name: 'keywords', type: 'keyword', path: true, weight: 2, words: '_keywords', names: 'keyword', label: { '': 'Keywords', de_DE: 'Schlagwörter', fr_FR: 'Mots-clés' } },
  { name: '_keywords', type: 'text', localized: true, weight: 2, long: true, inner: true, names: 'keyword', label: {} },
  { name: 'metadata', type: 'text', weight: 0.5, long: true, label: { '': 'Metadata in the file', de_DE: 'Metadaten der Datei', fr_FR: 'Métadonnées du fichier' } },
  { name: 'products', type: 'keyword', label: { '': 'Products', de_DE: 'Produkte', fr_FR: 'Produits' }, link: { index: 'PRODUCT', from: 'id', to: '_products' } },
  { name: 'channels', type: 'keyword', label: { '': 'Channels', de_DE: 'Kanäle', fr_FR: 'Canaux' }, link: { index: 'CHANNEL', from: 'id', to: '_channels' } },
  { name: '_products', type: 'keyword', inner: true, label: {} },
  { name: '_channels', type: 'keyword', inner: true, label: {} },
  { name: '_usageChannels', type: 'keyword', inner: true, label: {} },
]
const taken = new Set(standard.map(({ name }) => name))

const loadFields = async (db: Db) => attributeFields((await findDefinitions(db)).map(toDefinition), taken)

export function assetDocuments(targets: Targets): DocumentSource {
  return {
    index: 'ASSET',
    kinds: ['asset'],
    dataTypes: new Set(['asset']),
    fields: async (db) => [...standard, ...(await loadFields(db)).fields],
    async read(db, ids, wanted) {
      const [attributes, assets, links] = await Promise.all([
        loadFields(db),
        readAssets(db, ids),
        rows.readLinks(db, ids),
      ])
      const relatedTo = await readRelated(db, targets, assets, links)
      const textsOf = await loadTexts(db, !wanted || wanted.has('documentText') ? assets : [])
      return assets.map((row) => toDocument(attributes, row, relatedTo(row), textsOf(row)))
    },
    list: rows.listIds,
    count: rows.countAll,
    find: async (db, tids) =>
      (await describeAssets(db, [], tids)).map(({ id, tid, scopes }) => ({ id, tid, scopes: { asset: scopes } })),
    referred: async (_db, changes) => changes.filter(isReferred).map(({ objectId }) => objectId),
    async related(db, changes) {
      const idsOf = (is: (change: OutboxRow) => boolean) => changes.filter(is).map(({ objectId }) => objectId)
      const copies = idsOf(({ dataType, event }) => event === 'CREATE' && productTypes.has(dataType))
      const definitions = idsOf(({ dataType, event }) => event === 'UPDATE' && dataType === 'attrDefinition')
      return [
        ...(copies.length > 0 ? await rows.assetsOfProducts(db, copies) : []),
        ...(definitions.length > 0 ? await rows.findHaving(db, definitions) : []),
      ]
    },
  }
}

const productTypes = new Set(['product', 'article', 'variant'])

function isReferred(change: OutboxRow): boolean {
  const { dataType, event } = change
  if (dataType === 'dir' || dataType === 'keyword') return !isLinking(change)
  return event === 'DELETE' && (productTypes.has(dataType) || dataType === 'project')
}

/** The directories, keywords, products and channels of an asset. */
interface Related {
  readonly dirIds: readonly number[]
  readonly keywords: readonly { path: string; names: Readonly<Record<string, string>>; above: number[] }[]
  readonly products: readonly { id: number; tid: string }[]
  readonly channels: readonly { id: number; tid: string }[]
  /** Those for which its usage rights clear it. */
  readonly usageChannels: readonly { id: number; tid: string }[]
}

async function readRelated(db: Db, targets: Targets, assets: readonly AssetRow[], links: readonly rows.LinkRow[]) {
  const others = (kind: rows.LinkRow['kind']) => [
    ...new Set(links.filter((link) => link.kind === kind).map(({ otherId }) => otherId)),
  ]
  const describe = async (dataType: string, ids: readonly number[], tids: readonly string[] = []) =>
    ids.length + tids.length > 0 ? ((await targets.get(dataType)?.describe(db, ids, tids)) ?? []) : []
  const parents = [...new Set(assets.flatMap(({ parentId }) => parentId ?? []))]
  const cleared = [...new Set(assets.flatMap(({ usage }) => usage?.channels ?? []))]
  const [dirs, keywords, products, channels, usageChannels] = await Promise.all([
    parents.length > 0 ? rows.readDirs(db, parents) : [],
    others('keywordToAsset').length > 0 ? rows.readKeywords(db, others('keywordToAsset')) : [],
    describe('product', others('assetToProduct')),
    describe('project', others('assetToProject')),
    describe('project', [], cleared),
  ])
  const dirsById = new Map(dirs.map(({ id, above }) => [id, above]))
  const byAsset = Map.groupBy(links, ({ assetId }) => assetId)
  const pick = <T extends { id: number }>(found: readonly T[]) => {
    const byId = new Map(found.map((one) => [one.id, one]))
    return (own: readonly rows.LinkRow[], kind: rows.LinkRow['kind']) =>
      own.flatMap((link) => (link.kind === kind ? (byId.get(link.otherId) ?? []) : []))
  }
  const [keywordOf, productOf, channelOf] = [pick(keywords), pick(products), pick(channels)]
  return ({ id, parentId, usage }: AssetRow): Related => {
    const own = byAsset.get(id) ?? []
    return {
      dirIds: parentId === null ? [] : (dirsById.get(parentId) ?? []),
      keywords: keywordOf(own, 'keywordToAsset'),
      products: productOf(own, 'assetToProduct'),
      channels: channelOf(own, 'assetToProject'),
      usageChannels: usageChannels.filter(({ tid }) => usage?.channels.includes(tid)),
    }
  }
}

/** The texts of documents; page 1 is the first element, and a page without text is ''. */
async function loadTexts(db: Db, assets: readonly AssetRow[]) {
  const files = [...new Set(assets.flatMap(({ mime, sha256 }) => (hasText(mime) ? [sha256] : [])))]
  const texts = new Map<string, string[]>()
  for (const { sha256, page, text } of files.length > 0 ? await readPages(db, files) : []) {
    const pages = texts.get(sha256) ?? []
    pages[page - 1] = text
    texts.set(sha256, pages)
  }
  return ({ sha256 }: AssetRow) => Array.from(texts.get(sha256) ?? [], (text) => text ?? '')
}

function toDocument(
  attributes: AttributeFields,
  row: AssetRow,
  relatedTo: Related,
  texts: readonly string[],
): SourceDocument {
  const { keywords, products, channels, usageChannels } = relatedTo
  const fields = plainFields({
    id: row.id,
    tid: row.tid,
    name: row.name,
    itemType: 'asset',
    creationDate: row.createdAt,
    creationUser: row.createdBy,
    modificationDate: row.modifiedAt,
    modificationUser: row.modifiedBy,
    fileType: row.type,
    mimeType: row.mime,
    path: row.path,
    directoryPath: row.dirPath,
    rnc: row.rnc,
    fileSize: row.size,
    width: row.width,
    height: row.height,
    orientation: orientationsOf(row),
    dominantColours: row.look?.colours ?? [],
    ...mediaFields(row),
    documentText: texts,
    creationMonth: row.createdAt.toISOString().slice(0, 7),
    resolution: Number(row.embedded.resolution) || null, // it is stored as text
    colorSpace: typeof row.embedded.colorSpace === 'string' ? row.embedded.colorSpace : null,
    checksum: row.sha256,
    contentStatus: row.hold?.state ?? 'available',
    numberOfVersions: row.versions,
    lockedBy: row.lockedBy,
    ...statusOf(row),
    ...usageFields(row),
    keywords: keywords.map(({ path }) => path),
    metadata: textsIn(row.embedded),
    products: products.map(({ tid }) => tid),
    channels: channels.map(({ tid }) => tid),
    _products: products.map(({ id }) => String(id)),
    _channels: channels.map(({ id }) => String(id)),
    usageChannels: usageChannels.map(({ tid }) => tid),
    _usageChannels: usageChannels.map(({ id }) => String(id)),
  })
  if (keywords.length > 0) fields.set('_keywords', namesByLocale(keywords))
  for (const key in row.vals) attributes.put(fields, key, row.vals[key]!)
  return {
    id: row.id,
    fields,
    scopes: { asset: [row.dirPath] },
    refs: [
      ...relatedTo.dirIds,
      ...keywords.flatMap(({ above }) => above),
      ...[...products, ...channels, ...usageChannels].map(({ id }) => id),
    ],
  }
}

/** Whether a file may be used depends on the time, so its times are fields, not its state. */
const usageFields = ({ usage }: AssetRow) => ({
  usageLicence: usage?.licence ?? null,
  usageHolder: usage?.holder ?? null,
  usageCreditLine: usage?.creditLine ?? null,
  usageTerritories: [...(usage?.territories ?? [])],
  usageMedia: [...(usage?.media ?? [])],
  usageReleases: [...(usage?.releases ?? [])],
  usableFrom: usage && dateOf(beginOf(usage)),
  usableUntil: usage?.validUntil ? new Date(usage.validUntil) : null,
})
const dateOf = (time: number) => (Number.isFinite(time) ? new Date(time) : null)

function namesByLocale(keywords: Related['keywords']): FieldValues {
  const names = new Map<string, string[]>()
  for (const keyword of keywords) {
    for (const [locale, name] of Object.entries(keyword.names)) {
      if (locale !== '') names.set(locale, [...(names.get(locale) ?? []), name])
    }
  }
  return names
}

const maxTexts = 500

/** The texts of all metadata blocks of a file, whatever the blocks are called. */
function textsIn(embedded: Readonly<Record<string, unknown>>): string[] {
  const texts = new Set<string>()
  const collect = (value: unknown): void => {
    if (texts.size >= maxTexts) return
    if (typeof value === 'string' && value.trim() !== '') texts.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect(embedded)
  return [...texts]
}
