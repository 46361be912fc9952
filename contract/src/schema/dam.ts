/** The DAM area: assets, directories and storages as they stand in messages, and the requests that select or upload them. */
import { Config, Item, Links, Meta, Name, Vals } from './blocks.ts'
import { attr, child, children, deprecated, leaf, leaves, oneOf, type } from './describe.ts'
import { assetTypes } from './words.ts'
import { AttrDefs } from './pim.ts'

// Messages

export const Keywords = type('keywords', 'Paths of the keywords of an asset, as items.', { itm: children(() => Item) })

export const History = type('history', 'One event in the life of an asset.', {
  meta: child(() => Meta, 'action, date, user, comment, oldValue, newValue.'),
  id: attr('long'),
})
export const Histories = type('histories', 'What happened to an asset.', { history: children(() => History) })

export const Preview = type('preview', 'A preview of an asset.', {
  meta: child(
    () => Meta,
    'width, height, fileSize, mimeType; url: a path that gives the bytes without a token, and is the same all day.',
  ),
  tid: attr('string'),
  type: attr('string', 'Format of the preview: thumbnail, preview or fullsize.'),
})
export const Previews = type('previews', 'The previews of an asset.', { preview: children(() => Preview) })

export const Asset = type('asset', 'A file with its metadata. tid or id say which; type comes from the file.', {
  name: leaf('string', 'File name, unique within the directory.'),
  meta: child(() => Meta),
  vals: child(() => Vals),
  keywords: deprecated(child(() => Keywords, 'Use links.')),
  links: child(
    () => Links,
    'Keywords of the asset: a group of type kwds with keyword paths. Products and channels: groups of type assetToProduct and assetToProject as in /common/links, without the asset.',
  ),
  histories: child(() => Histories),
  previews: child(() => Previews),
  tid: attr('string'),
  id: attr('long'),
  type: oneOf(attr('string', 'The type of the file.'), assetTypes),
  parent: attr('string', 'tid of the directory.'),
  rnc: attr('string', 'tid of the root node configuration (the storage).'),
  path: attr('string', 'Storage, directories and file name, separated by /.'),
})
export const Assets = type('assets', 'Assets.', { asset: children(() => Asset) })

export const Directory = type('dir', 'A directory of a storage.', {
  name: leaf('string', 'Unique within the parent.'),
  meta: child(() => Meta),
  vals: child(() => Vals),
  tid: attr('string'),
  rnc: attr('string', 'tid of the root node configuration (the storage).'),
  parent: attr('string', 'tid of the parent directory; absent at the top of a storage.'),
})
export const Dirs = type('dirs', 'Directories.', { dir: children(() => Directory) })

export const Version = type('version', 'An earlier file of an asset.', {
  name: leaf('string', 'File name.'),
  meta: child(
    () => Meta,
    'comment, creationDate, creationUser, timeoutDate, protectedAfterDate, protectedBeforeDate, …',
  ),
  tid: attr('string'),
  assetTid: attr('string'),
  assetId: attr('long'),
})
export const Versions = type('versions', 'Versions of assets; one is active at a time.', {
  version: children(() => Version),
})

export const Variation = type('variation', 'An asset in a tree of variations. The root has no parent.', {
  meta: child(() => Meta, 'variationType.'),
  assetId: attr('long'),
  assetTid: attr('string'),
  parentTid: attr('string', 'tid of the asset this one is a variation of.'),
})
export const Variations = type('variations', 'Variation links between assets.', {
  variation: children(() => Variation),
})

export const VariationType = type('variationType', 'A kind of variation, for example Print.', { tid: attr('string') })
export const VariationTypes = type('variationTypes', 'The kinds of variation there are.', {
  variationType: children(() => VariationType),
})

export const Rnc = type('rnc', 'A root node configuration: a storage with its preview and server settings.', {
  name: leaf('string'),
  meta: child(() => Meta, 'The settings, for example rncIdentifier and rncOriginalMaxSize.'),
  tid: attr('string'),
})
export const Rncs = type('rncs', 'Root node configurations.', { rnc: children(() => Rnc) })

export const AssetDefinition = type('assetDef', 'Which attributes a kind of asset has; tid and type say which kind.', {
  name: child(() => Name),
  meta: child(() => Meta),
  attrDefs: child(() => AttrDefs),
  config: child(() => Config),
  tid: attr('string'),
  type: attr('string'),
})
export const AssetDefs = type('assetDefs', 'Asset definitions.', { assetDef: children(() => AssetDefinition) })

// Requests

export const DirectoryIdentifier = type('directoryIdentifier', 'A directory by one of its identifiers.', {
  path: leaf('string', 'Storage and directories, separated by /.'),
  tid: leaf('string'),
  id: leaf('long'),
})

export const AssetQuery = type('assetQuery', 'Search for assets; all criteria given must hold.', {
  modifiedFrom: leaf('date', 'Changed at or after.'),
  modifiedUntil: leaf('date', 'Changed at or before.'),
  fileTypes: oneOf(leaves('string', 'Types of files.'), assetTypes),
  fileNames: leaves('string'),
  directory: child(() => DirectoryIdentifier),
})

export const AssetRequest = type('assetRequest', 'Assets by identifier, and how much of them.', {
  tids: leaves('string', 'Win over ids when both are sent.'),
  ids: leaves('long'),
  formats: leaves('string', 'original, thumbnail, preview or fullsize. Default original.'),
  retrieveHistory: leaf('boolean', 'Default false.'),
  retrievePreviews: leaf('boolean', 'Default false.'),
  retrieveMeta: leaf('boolean'),
})

const checksumDoc = 'SHA-256 of the file, in hexadecimal digits; other bytes are refused (ours).'

export const AssetUploadRequest = type('assetUploadRequest', 'Where an uploaded file goes.', {
  path: leaf('string', 'Storage, directories and file name; ending in / the name of the uploaded file is used.'),
  tid: leaf('string', 'Generated when absent.'),
  doPreviewsAsync: leaf('boolean', 'false makes the previews before the reply.'),
  doOverwrite: leaf('boolean', 'false refuses the upload (403) when the file exists.'),
  checksum: leaf('string', checksumDoc),
})

export const AssetVariationUploadRequest = type('assetVariationUploadRequest', 'An uploaded file as a variation.', {
  tid: leaf('string', 'The asset the variation is linked to.'),
  variationType: leaf('string', 'One of the variation types, for example Print.'),
  variationFileName: leaf('string', 'The name of the uploaded file when absent.'),
  checksum: leaf('string', checksumDoc),
})

export const AssetVersionUploadRequest = type(
  'assetVersionUploadRequest',
  'An uploaded file as the new content of an asset; the file so far becomes a version.',
  {
    versionComment: leaf('string'),
    id: leaf('long'),
    tid: leaf('string', 'The asset to version.'),
    timeoutDate: leaf('date', 'Until when the version is kept.'),
    protectedAfterDate: leaf('date'),
    protectedBeforeDate: leaf('date'),
    checksum: leaf('string', checksumDoc),
  },
)

export const DirectoryRequest = type('directoryRequest', 'Directories below a storage or a directory.', {
  rncTid: leaf('string', 'A storage, for its top level.'),
  dirTid: leaf('string'),
  dirPath: leaf('string'),
  level: leaf('integer', '1 immediate children (default), -1 all levels, 0 is invalid.'),
})

export const DuplicateRequest = type(
  'duplicateRequest',
  'Which duplicates are wanted; all there are, when nothing is said.',
  {
    checksums: leaves('string', 'SHA-256 of contents, in hexadecimal digits: every asset that holds one of them.'),
    tids: leaves('string', 'Assets: they and all others that hold the same bytes.'),
    ids: leaves('long', 'The same, by id.'),
  },
)

export const TrashRequest = type('trashRequest', 'What of the trash is wanted; all of it, when nothing is said.', {
  rncTid: leaf('string', 'A storage.'),
  deletedFrom: leaf('date', 'Deleted at or after.'),
  deletedUntil: leaf('date', 'Deleted at or before.'),
})

export const HistoryRequest = type('historyRequest', 'Assets whose history is wanted.', {
  ids: leaves('long'),
  tids: leaves('string'),
  paths: leaves('string'),
})

export const VariationRequest = type('variationRequest', 'Assets whose trees of variations are wanted.', {
  assetIds: leaves('long'),
  assetTids: leaves('string'),
  assetPaths: leaves('string'),
})

export const CheckinRequest = type('checkinRequest', 'Ends the lock on an asset (JSON only).', {
  tid: leaf('string'),
  id: leaf('long'),
  path: leaf('string'),
  comment: leaf('string', 'Kept in the history.'),
  doPreviewsAsync: leaf('boolean', 'false makes the previews before the reply.'),
  keepLock: leaf('boolean', 'Records the check-in but stays checked out. Default false.'),
})

export const presignedMethods = ['GET', 'PUT'] as const

export const PresignedUrlRequest = type(
  'presignedUrlRequest',
  'A signed address of one file, of a zip, or of a chunk of an upload (JSON only).',
  {
    tid: leaf('string'),
    id: leaf('long'),
    path: leaf('string'),
    tids: leaves('string', 'Several assets, as a zip; at most 1000 files.'),
    ids: leaves('long', 'The same, by id.'),
    format: leaf('string', 'original (default), thumbnail, preview or fullsize.'),
    formats: leaves('string', 'Of several assets. Default original.'),
    method: leaf(presignedMethods, 'Default GET.'),
    expiresInSeconds: leaf('integer', 'Default 900, at most 86400.'),
    uploadTid: leaf('string', 'An upload that was begun, to PUT a chunk of it; on S3 the address is one of S3.'),
    chunkId: leaf('integer', 'Which chunk of the upload. Default 0.'),
    size: leaf('long', 'How many bytes the chunk has; others are refused. At most 5 GiB.'),
  },
)
