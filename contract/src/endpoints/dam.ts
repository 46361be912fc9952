/** The DAM area: assets with their files, versions, variations and previews, directories and storages. */
import { area, flag, needed, whole, word } from '../endpoint.ts'
import {
  Asset,
  AssetQuery,
  AssetRequest,
  AssetUploadRequest,
  AssetVariationUploadRequest,
  AssetVersionUploadRequest,
  CheckinRequest,
  Directory,
  DirectoryRequest,
  DuplicateRequest,
  EmbeddedMetadata,
  HistoryRequest,
  PresignedUrlRequest,
  SimilarRequest,
  TrashRequest,
  VariationRequest,
  Version,
} from '../schema/dam.ts'
import {
  colourSpaces,
  maxRenditionSide,
  MediaList,
  MediaRequest,
  renditionCrops,
  renditionFits,
  renditionFormats,
  renditionMetadata,
  RenditionProfile,
  RenditionProfileChange,
  RenditionProfileList,
  RenditionRevocation,
  RenditionUrlList,
  RenditionUrlRequest,
  Revoked,
} from '../schema/renditions.ts'
import { Pim } from '../schema/envelope.ts'
import { metadataChoices } from '../embedded-tags.ts'
import { AttrDefinition, AttributeDefinitionsRequest } from '../schema/pim.ts'

const destination = {
  destinationDirTid: 'The target directory, by tid.',
  destinationDirId: 'Or by id.',
  destinationDirPath: 'Or by path.',
  doOverwrite: 'true replaces an existing object of the same name. Default false. Alias: overwrite.',
}
const read = [200, 400, 401, 404, 500]
/** 403: the usage rights of a file forbid it. */
const use = [200, 400, 401, 403, 404, 500]
/** 503: too many renditions are being made for the caller. */
const rendition = [200, 206, 304, 400, 401, 403, 404, 412, 416, 500, 503]
const publicRendition = [200, 206, 304, 400, 403, 404, 412, 416, 500, 503]
const renditionParameters = {
  width: whole('In pixels.', 1, maxRenditionSide),
  height: whole('In pixels.', 1, maxRenditionSide),
  fit: word('How the picture fills the box. Default inside.', renditionFits),
  crop: word('For cover. Default focus.', renditionCrops),
  enlarge: flag('true also enlarges a smaller picture.'),
  format: word('Default jpeg.', renditionFormats),
  quality: whole('Default 80.', 1, 100),
  colourSpace: word('Default srgb.', colourSpaces),
  dpi: whole('Dots per inch that the file states.', 1, 2400),
  background: { doc: 'Instead of transparency and beside the picture, such as #ffffff.', pattern: '^#[0-9a-fA-F]{6}$' },
  keepMetadata: flag('true keeps EXIF and XMP of the file. Its IPTC is not kept; metadata=embed writes that, too.'),
  t: { doc: 'Of a film: the second whose still is taken, such as 12.5.', pattern: '^[0-9]{1,5}([.][0-9]{1,3})?$' },
  metadata: word(
    'embed writes the values of the asset into the file as XMP, IPTC and EXIF. Not for avif.',
    renditionMetadata,
  ),
  removeLocation: flag('true leaves out coordinates (GPS) of the metadata.'),
}
const signedBy = { until: whole('As in the address.'), key: needed('As in the address.') }
const iiifImage = {
  region: 'full, square, x,y,w,h in pixels, or pct:x,y,w,h.',
  size: 'max, w,, ,h, pct:n, w,h or !w,h; with ^ before it, also larger than the region.',
  rotation: '0, 90, 180 or 270; with ! before it, mirrored.',
  file: 'default, color, gray or bitonal, and jpg, png, webp, avif or tif, such as default.jpg.',
}
/** 403: the file exists already, or the caller lacks the permission. 409: another user has checked out the asset. */
const upload = [200, 400, 401, 403, 404, 409, 413, 500]
const create = [200, 400, 401, 403, 404, 413, 500]
const chunk = [200, 400, 401, 404, 413, 500]

// prettier-ignore
export const dam = area({
  base: '/api/core/v1/dam',
  doc: 'Assets, versions, variations, previews, directories and root node configurations.',
  resources: {
    assets: {
      doc: 'Assets: files with metadata.',
      access: 'user', container: 'assets', element: 'asset', item: Asset, dataType: 'asset',
      query: { request: AssetQuery, reply: AssetRequest },
      retrieve: AssetRequest,
      persist: true, tagged: true,
      perform: {
        delete:        { doc: 'Moves the asset to the trash.', identify: ['tid', 'id', 'path'], meta: { force: 'true also deletes an asset that is in use, together with its links.' } },
        move:          { doc: 'Moves the asset to another directory.', identify: ['tid', 'id', 'path'], meta: destination },
        copy:          { doc: 'Copies the asset to another directory.', identify: ['tid', 'id', 'path'], meta: { ...destination, newName: 'Name of the copy.', newTid: 'Tid of the copy. Default: generated.' } },
        checkout:      { doc: 'Locks the asset for the caller.', identify: ['tid', 'id', 'path'] },
        checkin:       { doc: 'Releases the caller\'s lock.', identify: ['tid', 'id', 'path'] },
        cleanCheckout: { doc: 'Releases the lock of any user. For administrators.', identify: ['tid', 'id', 'path'] },
        replace:       { doc: 'Puts another asset into every place where this one is linked to a product or a channel: all places or none (Kontor extension).', identify: ['tid', 'id', 'path'], meta: { replacementTid: 'The other asset.' } },
        archive: { doc: 'Moves the file of the asset to the archive in the background; previews and metadata stay. Other assets with the same content must be named in the same message (Kontor extension).', identify: ['tid', 'id', 'path'] },
        unarchive: { doc: 'Brings the file of the asset back from the archive in the background; you are notified at the end (Kontor extension).', identify: ['tid', 'id', 'path'] },
        overrideUsage: { doc: 'Allows to use the asset in spite of its usage rights for a while. Needs the right to override; recorded in the audit log (Kontor extension).', identify: ['tid', 'id', 'path'], meta: { until: 'The end, within 366 days. Without it, the override ends.', reason: 'Why.' } },
        unlink:        { doc: 'Removes links of the asset.', identify: ['tid', 'id', 'path'],
                         meta: { keywordPath: 'A keyword.', productTid: 'A product.', projectTid: 'A channel.', linkType: 'The type of the link.' } },
      },
      bulk: 'write',
    },
    dirs: {
      doc: 'Directories of a storage.',
      access: 'user', container: 'dirs', element: 'dir', item: Directory, dataType: 'dir',
      retrieve: DirectoryRequest,
      persist: true,
      perform: {
        delete:     { doc: 'Moves the directory and its contents to the trash.', identify: ['tid', 'id', 'path'], meta: { force: 'true also deletes objects that are in use.' } },
        move:       { doc: 'Moves the directory.', identify: ['tid', 'id', 'path'], meta: { ...destination, destinationRncTid: 'A storage, for its top level.' } },
        copy:       { doc: 'Copies the directory and its contents.', identify: ['tid', 'id', 'path'], meta: { ...destination, destinationRncTid: 'A storage, for its top level.', newName: 'Name of the copy.' } },
        createPath: { doc: 'Creates all missing directories of the path.', identify: ['path'] },
      },
      bulk: 'write',
    },
    'assets/versions': {
      doc: 'Versions: earlier files of assets.',
      access: 'user', container: 'versions', element: 'version', item: Version, dataType: 'version', own: true,
      retrieve: AssetRequest,
      perform: {
        restore: { doc: 'Restores the version as the file of its asset. The current file becomes a version.', identify: ['tid', 'id'] },
        delete:  { doc: 'Deletes the version. Refused if it is protected.', identify: ['tid', 'id'] },
      },
    },
    'attribute-definitions': {
      doc: 'Attribute definitions of asset metadata.',
      access: 'user', container: 'attrDefs', element: 'attrDef', item: AttrDefinition, dataType: 'attrDefinition',
      retrieve: AttributeDefinitionsRequest,
    },
    'admin/attribute-definitions': {
      doc: 'Attribute definitions of asset metadata, for administrators. The meta item assetTypes of a definition lists the file types that have the attribute, separated by commas (DIR for directories). Default: all types. The meta item embedded lists the tags of metadata in files that fill the attribute, and embeddedOut those that it is written to, such as xmp:title, separated by commas; none stands for no tag.',
      access: 'admin', container: 'attrDefs', element: 'attrDef', item: AttrDefinition, dataType: 'attrDefinition', own: true,
      persist: true,
      statuses: { persist: [200, 400, 401, 500] },
      perform: { delete: { doc: 'Deletes the definition. Refused while an asset or directory has a value for it.', identify: ['tid', 'id'] } },
    },
    'assets/duplicates': {
      doc: 'Duplicates: assets with identical files.',
      access: 'user', container: 'assets', element: 'asset', item: Asset, dataType: 'asset', own: true,
      retrieve: DuplicateRequest,
    },
    'assets/similar': {
      doc: 'Pictures that look alike. Meta items of an asset say how near it is (distance, in bits of 64) and to which asset (similarTo), or in which group of near duplicates it is (nearDuplicates).',
      access: 'user', container: 'assets', element: 'asset', item: Asset, dataType: 'asset', own: true,
      retrieve: SimilarRequest,
    },
    trash: {
      doc: 'The trash: deleted assets and directories that can still be restored.',
      access: 'user', container: 'assets', element: 'asset', item: Asset, dataType: 'asset', actionTypes: ['dir'], own: true,
      statuses: { retrieve: [200, 400, 401, 500] },
      retrieve: TrashRequest,
      perform: {
        restore: { doc: 'Restores an asset, or a directory with everything that was deleted with it, to its original location.', identify: ['tid', 'id'],
                   meta: { destinationDirTid: 'Another target directory, by tid.', destinationDirId: 'Or by id.', destinationDirPath: 'Or by path.', newName: 'A new name.' } },
      },
    },
  },
  routes: {
    retrieveRncs:         { doc: 'Lists all storages.', access: 'user', needs: { kind: 'dir', action: 'read' }, method: 'POST', path: '/rncs/retrieve', formats: 'all', reply: Pim, statuses: [200, 401, 404, 500] },
    persistRncs:          { doc: 'Creates or updates storages.', access: 'admin', method: 'POST', path: '/rncs/persist', formats: 'all', request: Pim, container: 'rncs', reply: Pim, statuses: [200, 400, 401, 403, 500], own: true },
    checkin:              { doc: 'Checks in an asset.', access: 'user', needs: { kind: 'asset', action: 'checkout' }, method: 'POST', path: '/assets/checkin', formats: 'json', request: CheckinRequest, reply: 'text', statuses: [200, 400, 401, 404, 409, 500] },
    presignedUrl:         { doc: 'Creates a signed URL for one file, a zip of several files, or a chunk of an upload.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/presigned-url', formats: 'json', request: PresignedUrlRequest, reply: 'text', statuses: use, refusal: 401 },
    retrieveHistories:    { doc: 'Returns the histories of assets.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/histories/retrieve', formats: 'all', request: HistoryRequest, reply: Pim, statuses: read },
    retrievePreviews:     { doc: 'Returns the previews of assets.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/previews/retrieve', formats: 'all', request: AssetRequest, requestOptional: true, query: { arg0: 'The request as JSON, if it is not sent as the body.' }, reply: Pim, statuses: read },
    retrieveVariations:   { doc: 'Returns the variation trees of assets.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/variations/retrieve', formats: 'all', request: VariationRequest, requestOptional: true, query: { arg0: 'The request as JSON, if it is not sent as the body.' }, reply: Pim, statuses: read },
    listVariationTypes:   { doc: 'Lists the variation types.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/variations/types', formats: 'all', reply: Pim, statuses: read },
    retrieveVariationTypes: { doc: 'Lists the variation types.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/variations/types/retrieve', formats: 'all', reply: Pim, statuses: read },
    retrieveStatuses:     { doc: 'Returns the import and object states of assets.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/statuses', formats: 'all', request: AssetRequest, reply: Pim, statuses: read },
    retrieveStatus:       { doc: 'Returns the import and object states of assets. Same as /assets/statuses.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/status', formats: 'all', request: AssetRequest, reply: Pim, statuses: read, own: true },
    download:             { doc: 'Downloads the file of one asset or one of its previews.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'GET', path: '/assets/bin', formats: 'json', query: { assetTid: 'The asset, by tid.', assetId: whole('Or by id.'), versionTid: 'An earlier version of the file, by tid (Kontor extension).', format: 'original (default), thumbnail, preview, fullsize or, for documents, a page such as page-2.', range: 'A byte range such as 0-1023.', metadata: word('embed writes the values that you may read into the file as XMP, IPTC and EXIF. sidecar returns them as an .xmp file instead of the file (Kontor extension).', metadataChoices) }, reply: 'bytes', statuses: [200, 206, 304, 400, 401, 403, 404, 409, 412, 416, 500], refusal: 401 },
    embeddedMetadata:     { doc: 'Returns what a download with metadata=embed writes into the file of an asset.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'GET', path: '/assets/embedded', formats: 'json', query: { assetTid: 'The asset, by tid.', assetId: whole('Or by id.') }, reply: EmbeddedMetadata, statuses: [200, 400, 401, 404, 500], own: true },
    downloadMany:         { doc: 'Downloads one file, or several files as a zip.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/bin/retrieve', formats: 'all', request: AssetRequest, reply: 'bytes', statuses: [200, 400, 401, 403, 404, 409, 500], refusal: 401 },
    upload:               { doc: 'Uploads a file in one request. The form has the parts params (JSON) and payload.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/bin/persist', formats: 'all', form: AssetUploadRequest, reply: Pim, statuses: upload },
    uploadVariation:      { doc: 'Uploads a file as a variation of an asset.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/variations/bin/persist', formats: 'all', form: AssetVariationUploadRequest, reply: Pim, statuses: create },
    uploadVersion:        { doc: 'Uploads a new file for an asset. The current file becomes a version.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'POST', path: '/assets/versions/bin/persist', formats: 'all', form: AssetVersionUploadRequest, reply: Pim, statuses: upload },
    startUpload:          { doc: 'Starts a chunked upload.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/bin/chunked/start', formats: 'all', request: AssetUploadRequest, reply: Pim, statuses: create },
    uploadChunk:          { doc: 'Uploads one chunk. The form has the parts chunkId and payload.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/bin/chunked/upload/{uploadId}', formats: 'all', form: 'chunk', reply: Pim, statuses: chunk },
    finishUpload:         { doc: 'Completes a chunked upload and creates the asset.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'PUT', path: '/assets/bin/chunked/persist/{uploadId}', formats: 'all', request: AssetUploadRequest, reply: Pim, statuses: upload },
    retrieveUpload:       { doc: 'Returns the state of a chunked upload: the chunks and bytes received, and when it expires.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'GET', path: '/assets/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    cancelUpload:         { doc: 'Cancels a chunked upload and deletes the chunks received.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'DELETE', path: '/assets/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    startVersion:         { doc: 'Starts a chunked upload of a new version.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'POST', path: '/assets/versions/bin/chunked/start', formats: 'all', request: AssetVersionUploadRequest, reply: Pim, statuses: upload, own: true },
    uploadVersionChunk:   { doc: 'Uploads one chunk of a new version.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'POST', path: '/assets/versions/bin/chunked/upload/{uploadId}', formats: 'all', form: 'chunk', reply: Pim, statuses: chunk, own: true },
    finishVersion:        { doc: 'Completes a chunked upload and replaces the file of the asset.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'PUT', path: '/assets/versions/bin/chunked/persist/{uploadId}', formats: 'all', request: AssetVersionUploadRequest, reply: Pim, statuses: upload, own: true },
    retrieveVersionUpload: { doc: 'Returns the state of a chunked version upload.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'GET', path: '/assets/versions/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    cancelVersionUpload:  { doc: 'Cancels a chunked version upload.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'DELETE', path: '/assets/versions/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    downloadSigned:       { doc: 'Downloads the file of a signed URL.', access: 'public', method: 'GET', path: '/assets/signed/{ticket}', formats: 'json', reply: 'bytes', statuses: [200, 206, 304, 403, 404, 412, 416, 500], own: true },
    downloadSelection:    { doc: 'Downloads the zip of a signed URL.', access: 'public', method: 'GET', path: '/assets/signed', formats: 'json', query: { ticket: 'The ticket of the signed URL.' }, reply: 'bytes', statuses: [200, 403, 404, 500], own: true },
    uploadSigned:         { doc: 'Uploads a file or a chunk to a signed URL. A file replaces the file of the asset, and the current file becomes a version.', access: 'public', method: 'PUT', path: '/assets/signed/{ticket}', formats: 'all', requestBytes: true, reply: Pim, statuses: [200, 400, 403, 404, 409, 413, 500], own: true },
    downloadPreview:      { doc: 'Downloads a preview from the URL returned with it. Browsers may cache it.', access: 'public', method: 'GET', path: '/assets/previews/bin/{file}', formats: 'json', query: { until: 'As in the preview URL.', key: 'As in the preview URL.' }, reply: 'bytes', statuses: [200, 304, 403, 404, 500], own: true },
    listRenditionProfiles: { doc: 'Lists the rendition profiles.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'GET', path: '/renditions/profiles', formats: 'json', reply: RenditionProfileList, statuses: [200, 401], own: true },
    putRenditionProfile:  { doc: 'Creates or replaces a rendition profile.', access: 'admin', method: 'PUT', path: '/renditions/profiles/{tid}', formats: 'json', request: RenditionProfileChange, reply: RenditionProfile, statuses: [200, 400, 401, 403], own: true },
    deleteRenditionProfile: { doc: 'Deletes a rendition profile. Its public addresses stop working.', access: 'admin', method: 'DELETE', path: '/renditions/profiles/{tid}', formats: 'json', statuses: [200, 401, 403, 404], own: true },
    revokeRenditionProfile: { doc: 'Revokes all public addresses of a rendition profile.', access: 'admin', method: 'POST', path: '/renditions/profiles/{tid}/revoke', formats: 'json', statuses: [200, 401, 403, 404], own: true },
    rendition:            { doc: 'Returns a rendition of an asset: a picture of its file, made by a profile or by parameters. It is made once and kept.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'GET', path: '/renditions/bin', formats: 'json', query: { assetTid: 'The asset, by tid.', assetId: whole('Or by id.'), profile: 'The tid of a rendition profile. Excludes parameters.', ...renditionParameters }, reply: 'bytes', statuses: rendition, refusal: 401, own: true },
    renditionUrls:        { doc: 'Returns public addresses of renditions, which need no token. Anybody may cache them for an hour. They end with their time, with the asset, or when they are revoked.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/renditions/urls', formats: 'json', request: RenditionUrlRequest, reply: RenditionUrlList, statuses: use, own: true },
    revokeRenditionUrls:  { doc: 'Revokes all public addresses of renditions of assets.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'POST', path: '/renditions/urls/revoke', formats: 'json', request: RenditionRevocation, reply: Revoked, statuses: [200, 400, 401, 403, 404, 500], own: true },
    publicRendition:      { doc: 'Returns the rendition of a public address.', access: 'public', method: 'GET', path: '/renditions/files/{name}', formats: 'json', query: { asset: whole('As in the address.'), profile: 'As in the address.', ...renditionParameters, ...signedBy }, reply: 'bytes', statuses: publicRendition, own: true },
    retrieveMedia:        { doc: 'Returns addresses of films and sounds in a form that browsers play. If browsers do not play a file, a copy is made once as a job and kept; ask again until it is ready. Assets that are neither films nor sounds are left out.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/renditions/media', formats: 'json', request: MediaRequest, reply: MediaList, statuses: [200, 400, 401, 403, 404, 500, 503], own: true },
    publicMedia:          { doc: 'Returns the film or the sound of an address.', access: 'public', method: 'GET', path: '/renditions/media/{name}', formats: 'json', query: { asset: whole('As in the address.'), ...signedBy }, reply: 'bytes', statuses: publicRendition, own: true },
    iiifBase:             { doc: 'Redirects to the information about an image.', access: 'public', method: 'GET', path: '/renditions/iiif/{image}', formats: 'json', statuses: [303, 403, 404, 500], own: true },
    iiifInfo:             { doc: 'Returns the information about an image (IIIF Image API 3, level 2).', access: 'public', method: 'GET', path: '/renditions/iiif/{image}/info.json', formats: 'json', reply: 'bytes', media: ['application/ld+json', 'application/json'], statuses: [200, 403, 404, 500], own: true },
    iiifImage:            { doc: 'Returns a region of an image in a size, rotation, quality and format (IIIF Image API 3, level 2).', access: 'public', method: 'GET', path: '/renditions/iiif/{image}/{region}/{size}/{rotation}/{file}', params: iiifImage, formats: 'json', reply: 'bytes', statuses: publicRendition, own: true },
  },
})
