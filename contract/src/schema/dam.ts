/** The DAM area: assets, directories and storages in messages, and the requests that select or upload them. */
import { Config, Item, Links, Meta, Name, Vals } from './blocks.ts'
import {
  attr,
  child,
  children,
  deprecated,
  expects,
  leaf,
  leaves,
  matches,
  needsOneOf,
  oneOf,
  required,
  type,
} from './describe.ts'
import { metadataChoices } from '../embedded-tags.ts'
import { assetTypes } from './words.ts'
import { AttrDefs } from './pim.ts'

// Messages

export const Keywords = type('keywords', 'Paths of the keywords of an asset, as items.', { itm: children(() => Item) })

export const History = type('history', 'One event in the history of an asset.', {
  meta: child(() => Meta, 'action, date, user, comment, oldValue, newValue.'),
  id: attr('long'),
})
export const Histories = type('histories', 'The history of an asset.', { history: children(() => History) })

export const Preview = type('preview', 'A preview of an asset.', {
  meta: child(
    () => Meta,
    'width, height, fileSize, mimeType, and url: a path that serves the preview without a token. The url changes once a day.',
  ),
  tid: attr('string'),
  type: attr('string', 'Format of the preview: thumbnail, preview or fullsize.'),
})
export const Previews = type('previews', 'The previews of an asset.', { preview: children(() => Preview) })

/** The names of dominant colours in the search, with a colour to show for each (Kontor extension). */
// prettier-ignore
export const palette = {
  black: '#111111', grey: '#808080', white: '#ffffff', red: '#d62828', orange: '#f28c28', yellow: '#f7d51d',
  olive: '#7a7a2a', green: '#2e8b3d', teal: '#16807f', turquoise: '#4fd1d9', blue: '#2f6fd6', navy: '#14275a',
  purple: '#7b3fa0', pink: '#f08cb4', brown: '#7a4a24', beige: '#dcc8a4',
} as const
/** The shapes of pictures in the search. A panorama is also landscape or portrait. */
export const orientations = ['landscape', 'portrait', 'square', 'panorama'] as const

/** Where a file may be used. */
export const usageMedia = ['print', 'web', 'social', 'email', 'advertising', 'broadcast', 'packaging', 'press'] as const
const usageStates = ['valid', 'expired', 'notYet', 'overridden'] as const

export const UsageRights = type(
  'usageRights',
  'Where and when a file may be used (Kontor extension). A file without them may be used everywhere. Sent ones replace the stored ones; an empty element removes them.',
  {
    licence: leaf('string', 'The licence, such as CC BY 4.0 or a contract number.'),
    holder: leaf('string', 'Who holds the rights.'),
    creditLine: leaf('string', 'What has to be written beside the picture.'),
    releases: leaves('string', 'Releases of people and properties, such as names or numbers of documents.'),
    territories: leaves('string', 'Countries as in ISO 3166-1, such as DE. Default: all.'),
    channels: leaves(
      'string',
      'Tids of the channels for which it is cleared, with everything below them. Default: all.',
    ),
    media: oneOf(leaves('string', 'The media for which it is cleared. Default: all.'), usageMedia),
    validFrom: leaf('date', 'It must not be used before.'),
    validUntil: leaf('date', 'It must not be used from then on.'),
    embargoUntil: leaf('date', 'It must not be used before, although the right has begun.'),
    state: leaf(usageStates, 'In replies: whether it may be used now.'),
    hiddenChannels: leaf(
      'integer',
      'In replies: the number of further channels, which you may not read. They are kept.',
    ),
    overrideUntil: leaf('date', 'In replies: until then somebody allows to use it anyway.'),
    overrideBy: leaf('string', 'In replies.'),
    overrideReason: leaf('string', 'In replies.'),
  },
)

export const Asset = type(
  'asset',
  'A file with its metadata, identified by tid or id. The server derives type from the file.',
  {
    name: leaf('string', 'File name, unique within the directory.'),
    meta: child(() => Meta),
    vals: child(() => Vals),
    keywords: deprecated(child(() => Keywords, 'Use links.')),
    links: child(
      () => Links,
      'Keywords: a group of type kwds with keyword paths. Products and channels: groups of type assetToProduct and assetToProject as in /common/links, without the asset itself.',
    ),
    usageRights: child(() => UsageRights, 'Kontor extension.'),
    histories: child(() => Histories),
    previews: child(() => Previews),
    tid: attr('string'),
    id: attr('long'),
    type: oneOf(attr('string', 'Type of the file.'), assetTypes),
    parent: attr('string', 'tid of the directory.'),
    rnc: attr('string', 'tid of the root node configuration (the storage).'),
    path: attr('string', 'Storage, directories and file name, separated by /.'),
  },
)
export const Assets = type('assets', 'Assets.', { asset: children(() => Asset) })

export const Directory = type('dir', 'A directory of a storage.', {
  name: leaf('string', 'Unique within the parent.'),
  meta: child(() => Meta),
  vals: child(() => Vals),
  tid: attr('string'),
  rnc: attr('string', 'tid of the root node configuration (the storage).'),
  parent: attr('string', 'tid of the parent directory. Absent at the top level of a storage.'),
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
export const Versions = type('versions', 'Versions of assets. One version is active at a time.', {
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

export const VariationType = type('variationType', 'A variation type, for example Print.', { tid: attr('string') })
export const VariationTypes = type('variationTypes', 'Variation types.', {
  variationType: children(() => VariationType),
})

export const Rnc = type('rnc', 'A root node configuration: a storage with its settings for previews and servers.', {
  name: leaf('string'),
  meta: child(() => Meta, 'The settings, for example rncIdentifier and rncOriginalMaxSize.'),
  tid: attr('string'),
})
export const Rncs = type('rncs', 'Root node configurations.', { rnc: children(() => Rnc) })

export const AssetDefinition = type('assetDef', 'An asset type and its attributes, identified by tid and type.', {
  name: child(() => Name),
  meta: child(() => Meta),
  attrDefs: child(() => AttrDefs),
  config: child(() => Config),
  tid: attr('string'),
  type: attr('string'),
})
export const AssetDefs = type('assetDefs', 'Asset definitions.', { assetDef: children(() => AssetDefinition) })

// Requests

export const DirectoryIdentifier = type('directoryIdentifier', 'A directory, identified by path, tid or id.', {
  path: leaf('string', 'Storage and directories, separated by /.'),
  tid: leaf('string'),
  id: leaf('long'),
})

export const AssetQuery = type('assetQuery', 'A query for assets. All given criteria must match.', {
  modifiedFrom: leaf('date', 'Changed at or after this time.'),
  modifiedUntil: leaf('date', 'Changed at or before this time.'),
  fileTypes: oneOf(leaves('string', 'File types.'), assetTypes),
  fileNames: leaves('string'),
  directory: child(() => DirectoryIdentifier),
})

const metadataDoc =
  'For downloads: embed writes the values that you may read into the files as XMP, IPTC and EXIF; in a zip, files that cannot carry them get an .xmp file. sidecar adds an .xmp file to each file; for one asset, it is the reply (Kontor extension).'

export const AssetRequest = needsOneOf(
  type('assetRequest', 'Assets by identifier, and the parts to return.', {
    tids: leaves('string', 'Take precedence over ids.'),
    ids: leaves('long'),
    formats: leaves('string', 'original, thumbnail, preview or fullsize. Default original.'),
    profile: leaf(
      'string',
      'For downloads, instead of formats: the tid of a rendition profile. The files have the names that the profile gives (Kontor extension).',
    ),
    metadata: leaf(metadataChoices, metadataDoc),
    retrieveHistory: leaf('boolean', 'Default false.'),
    retrievePreviews: leaf('boolean', 'Default false.'),
    retrieveMeta: leaf('boolean'),
  }),
  'tids',
  'ids',
)

const checksumDoc =
  'SHA-256 of the file in hexadecimal digits. A file with another checksum is refused (Kontor extension).'

const checksum = matches(leaf('string', checksumDoc), '^[0-9a-fA-F]{64}$')

export const AssetUploadRequest = needsOneOf(
  type('assetUploadRequest', 'The destination of an uploaded file.', {
    path: expects(
      leaf('string', 'Storage, directories and file name. If it ends in /, the name of the uploaded file is used.'),
      1,
    ),
    tid: leaf('string', 'Default: generated.'),
    doPreviewsAsync: leaf('boolean', 'false creates the previews before the reply.'),
    doOverwrite: leaf('boolean', 'false refuses the upload (403) if the file exists.'),
    checksum,
  }),
  'path',
)

export const AssetVariationUploadRequest = needsOneOf(
  type('assetVariationUploadRequest', 'The asset and type for an uploaded variation.', {
    tid: expects(leaf('string', 'The asset to link the variation to.'), 1),
    variationType: leaf('string', 'One of the variation types, for example Print.'),
    variationFileName: leaf('string', 'Default: the name of the uploaded file.'),
    checksum,
  }),
  'tid',
)

export const AssetVersionUploadRequest = needsOneOf(
  type('assetVersionUploadRequest', 'The asset for an uploaded file. Its current file becomes a version.', {
    versionComment: leaf('string'),
    id: leaf('long'),
    tid: leaf('string', 'The asset.'),
    timeoutDate: leaf('date', 'When the version expires.'),
    protectedAfterDate: leaf('date'),
    protectedBeforeDate: leaf('date'),
    checksum,
  }),
  'tid',
  'id',
)

export const DirectoryRequest = needsOneOf(
  type('directoryRequest', 'Directories below a storage or a directory.', {
    rncTid: leaf('string', 'A storage, for its top-level directories.'),
    dirTid: leaf('string'),
    dirPath: leaf('string'),
    level: leaf('integer', 'Number of levels. 1 returns immediate children, -1 all levels, 0 is invalid. Default 1.'),
  }),
  'rncTid',
  'dirTid',
  'dirPath',
)

export const DuplicateRequest = type(
  'duplicateRequest',
  'Selects duplicates. An empty request returns all duplicates.',
  {
    checksums: leaves('string', 'SHA-256 checksums in hexadecimal digits: returns all assets with one of them.'),
    tids: leaves('string', 'Assets: returns them and all assets with the same content.'),
    ids: leaves('long', 'Assets by id, in the same way.'),
  },
)

/** Bits of 64 that may differ. */
export const maxLookDistance = 20
export const maxSimilarTo = 20
export const maxSimilar = 1000

export const SimilarRequest = type(
  'similarRequest',
  'Selects pictures that look alike. An empty request returns near duplicates: all pictures that look almost the same as another one.',
  {
    tids: leaves('string', `Assets: returns the pictures that look like them, nearest first. At most ${maxSimilarTo}.`),
    ids: leaves('long', 'Assets by id, in the same way.'),
    distance: expects(
      leaf('integer', 'How many of 64 bits may differ: 4 for near duplicates, 10 (default) for similar pictures.'),
      0,
      maxLookDistance,
    ),
    limit: expects(leaf('integer', 'The number of assets at most. Default 100.'), 1, maxSimilar),
  },
)

export const TrashRequest = type(
  'trashRequest',
  'Selects the contents of the trash. An empty request returns all of them.',
  {
    rncTid: leaf('string', 'A storage.'),
    deletedFrom: leaf('date', 'Deleted at or after this time.'),
    deletedUntil: leaf('date', 'Deleted at or before this time.'),
  },
)

export const HistoryRequest = needsOneOf(
  type('historyRequest', 'Assets to return the history of.', {
    ids: leaves('long'),
    tids: leaves('string'),
    paths: leaves('string'),
  }),
  'ids',
  'tids',
  'paths',
)

export const VariationRequest = needsOneOf(
  type('variationRequest', 'Assets to return the variation trees of.', {
    assetIds: leaves('long'),
    assetTids: leaves('string'),
    assetPaths: leaves('string'),
  }),
  'assetTids',
  'assetIds',
  'assetPaths',
)

export const CheckinRequest = needsOneOf(
  type('checkinRequest', 'A check-in of an asset (JSON only).', {
    tid: leaf('string'),
    id: leaf('long'),
    path: leaf('string'),
    comment: leaf('string', 'Stored in the history of the asset.'),
    doPreviewsAsync: leaf('boolean', 'false creates the previews before the reply.'),
    keepLock: leaf('boolean', 'true records the check-in and keeps the asset checked out. Default false.'),
  }),
  'tid',
  'id',
  'path',
)

const presignedMethods = ['GET', 'PUT'] as const

export const PresignedUrlRequest = type(
  'presignedUrlRequest',
  'A request for a signed URL of a file, a zip or a chunk of an upload (JSON only).',
  {
    tid: leaf('string'),
    id: leaf('long'),
    path: leaf('string'),
    tids: leaves('string', 'Several assets, as a zip of at most 1000 files.'),
    ids: leaves('long', 'Several assets by id, as a zip.'),
    format: leaf('string', 'original (default), thumbnail, preview or fullsize.'),
    formats: leaves('string', 'Formats for several assets. Default original.'),
    profile: leaf(
      'string',
      'For several assets, instead of formats: the tid of a rendition profile. The files have the names that the profile gives (Kontor extension).',
    ),
    metadata: leaf(metadataChoices, metadataDoc),
    method: leaf(presignedMethods, 'Default GET.'),
    expiresInSeconds: expects(leaf('integer', 'Default 900.'), 1, 86_400),
    attachment: leaf('boolean', 'true: browsers save the file instead of displaying it.'),
    uploadTid: leaf('string', 'A started upload, to PUT one of its chunks. With S3 storage, the URL points to S3.'),
    chunkId: leaf('integer', 'Number of the chunk. Default 0.'),
    size: leaf('long', 'Size of the chunk in bytes, at most 5 GiB. A chunk of another size is refused.'),
  },
)

// Metadata in files

export const EmbeddedEntry = type('embeddedEntry', 'A tag that is written into a file.', {
  tag: required(leaf('string', 'Such as xmp:title.')),
  attribute: leaf('string', 'The tid of the attribute definition that it comes from.'),
  usage: leaf('string', 'Instead of an attribute: the part of the usage rights, or keywords.'),
  values: children(() => EmbeddedText, 'Empty if the tag is removed from the file.'),
})
export const EmbeddedText = type('embeddedText', 'A value of a tag.', {
  value: required(leaf('string')),
  loc: leaf('string', 'The locale.'),
})
export const EmbeddedMetadata = type(
  'embeddedMetadata',
  'What a download of the asset with metadata=embed writes into its file (JSON only, Kontor extension).',
  {
    carries: required(leaf('boolean', 'Whether files of this type can carry it. Otherwise: metadata=sidecar.')),
    entries: children(() => EmbeddedEntry, 'Only values that you may read.'),
  },
)
