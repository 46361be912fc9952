/** The DAM area: assets with their files, versions, variations and previews, directories and storages. */
import { area } from '../endpoint.ts'
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
  HistoryRequest,
  PresignedUrlRequest,
  TrashRequest,
  VariationRequest,
  Version,
} from '../schema/dam.ts'
import { Pim } from '../schema/envelope.ts'
import { AttrDefinition, AttributeDefinitionsRequest } from '../schema/pim.ts'

const destination = {
  destinationDirTid: 'The directory to put it into, by tid.',
  destinationDirId: 'Or by id.',
  destinationDirPath: 'Or by path.',
  doOverwrite: 'true replaces what has the same name there; false by default. Alias: overwrite.',
}
const read = [200, 400, 401, 404, 500]
/** 403: a file exists there, or the caller may not. 409: somebody else has checked the asset out. */
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
      persist: true,
      perform: {
        delete:        { doc: 'Puts the asset into the trash.', identify: ['tid', 'id', 'path'], meta: { force: 'true deletes also an asset that is in use, and its links with it.' } },
        move:          { doc: 'Moves the asset into another directory.', identify: ['tid', 'id', 'path'], meta: destination },
        copy:          { doc: 'Copies the asset into another directory.', identify: ['tid', 'id', 'path'], meta: { ...destination, newName: 'Another name for the copy.', newTid: 'Its tid; made by the server when absent.' } },
        checkout:      { doc: 'Locks the asset for the caller.', identify: ['tid', 'id', 'path'] },
        checkin:       { doc: 'Ends the lock of the caller.', identify: ['tid', 'id', 'path'] },
        cleanCheckout: { doc: 'Ends anybody\'s lock; for administrators.', identify: ['tid', 'id', 'path'] },
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
        delete:     { doc: 'Puts the directory and everything in it into the trash.', identify: ['tid', 'id', 'path'], meta: { force: 'true deletes also what is in use.' } },
        move:       { doc: 'Moves the directory.', identify: ['tid', 'id', 'path'], meta: { ...destination, destinationRncTid: 'The top of a storage.' } },
        copy:       { doc: 'Copies the directory and everything in it.', identify: ['tid', 'id', 'path'], meta: { ...destination, destinationRncTid: 'The top of a storage.', newName: 'Another name for the copy.' } },
        createPath: { doc: 'Creates every missing directory of the path.', identify: ['path'] },
      },
      bulk: 'write',
    },
    'assets/versions': {
      doc: 'Earlier files of assets.',
      access: 'user', container: 'versions', element: 'version', item: Version, dataType: 'version', own: true,
      retrieve: AssetRequest,
      perform: {
        restore: { doc: 'Makes the version the file of its asset again; the present file becomes a version.', identify: ['tid', 'id'] },
        delete:  { doc: 'Deletes the version, unless it is protected.', identify: ['tid', 'id'] },
      },
    },
    'attribute-definitions': {
      doc: 'Attribute definitions of asset metadata.',
      access: 'user', container: 'attrDefs', element: 'attrDef', item: AttrDefinition, dataType: 'attrDefinition',
      retrieve: AttributeDefinitionsRequest,
    },
    'admin/attribute-definitions': {
      doc: 'Changes attribute definitions of asset metadata. The meta item assetTypes of one names the types of files that have it, separated by commas (DIR for directories); all, when absent.',
      access: 'admin', container: 'attrDefs', element: 'attrDef', item: AttrDefinition, dataType: 'attrDefinition', own: true,
      persist: true,
      statuses: { persist: [200, 400, 401, 500] },
      perform: { delete: { doc: 'Deletes a definition that no asset or directory has a value of.', identify: ['tid', 'id'] } },
    },
    'assets/duplicates': {
      doc: 'Assets that hold the same bytes.',
      access: 'user', container: 'assets', element: 'asset', item: Asset, dataType: 'asset', own: true,
      retrieve: DuplicateRequest,
    },
    trash: {
      doc: 'Deleted assets and directories, until they are gone for good.',
      access: 'user', container: 'assets', element: 'asset', item: Asset, dataType: 'asset', actionTypes: ['dir'], own: true,
      statuses: { retrieve: [200, 400, 401, 500] },
      retrieve: TrashRequest,
      perform: {
        restore: { doc: 'Puts an asset, or a directory with all that was deleted with it, back to its place.', identify: ['tid', 'id'],
                   meta: { destinationDirTid: 'Another directory to put it into, by tid.', destinationDirId: 'Or by id.', destinationDirPath: 'Or by path.', newName: 'Another name.' } },
      },
    },
  },
  routes: {
    retrieveRncs:         { doc: 'All storages.', access: 'user', needs: { kind: 'dir', action: 'read' }, method: 'POST', path: '/rncs/retrieve', formats: 'all', reply: Pim, statuses: [200, 401, 404, 500] },
    persistRncs:          { doc: 'Creates or changes storages.', access: 'admin', method: 'POST', path: '/rncs/persist', formats: 'all', request: Pim, reply: Pim, statuses: [200, 400, 401, 403, 500], own: true },
    checkin:              { doc: 'Ends the lock on an asset.', access: 'user', needs: { kind: 'asset', action: 'checkout' }, method: 'POST', path: '/assets/checkin', formats: 'json', request: CheckinRequest, reply: 'text', statuses: [200, 400, 401, 404, 409, 500] },
    presignedUrl:         { doc: 'A signed address of one file, of a zip of several, or of a chunk of an upload.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/presigned-url', formats: 'json', request: PresignedUrlRequest, reply: 'text', statuses: read },
    retrieveHistories:    { doc: 'What happened to assets.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/histories/retrieve', formats: 'all', request: HistoryRequest, reply: Pim, statuses: read },
    retrievePreviews:     { doc: 'The previews of assets.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/previews/retrieve', formats: 'all', request: AssetRequest, requestOptional: true, query: { arg0: 'The request as JSON, where it is not the body.' }, reply: Pim, statuses: read },
    retrieveVariations:   { doc: 'Whole trees of variations.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/variations/retrieve', formats: 'all', request: VariationRequest, requestOptional: true, query: { arg0: 'The request as JSON, where it is not the body.' }, reply: Pim, statuses: read },
    listVariationTypes:   { doc: 'The kinds of variation.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/variations/types', formats: 'all', reply: Pim, statuses: read },
    retrieveVariationTypes: { doc: 'The kinds of variation.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/variations/types/retrieve', formats: 'all', reply: Pim, statuses: read },
    retrieveStatuses:     { doc: 'Import and object states of assets.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/statuses', formats: 'all', request: AssetRequest, reply: Pim, statuses: read },
    retrieveStatus:       { doc: 'The same as /assets/statuses.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/status', formats: 'all', request: AssetRequest, reply: Pim, statuses: read, own: true },
    download:             { doc: 'The file of one asset, or one of its previews.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'GET', path: '/assets/bin', formats: 'json', query: { assetTid: 'The asset, by tid.', assetId: 'Or by id.', versionTid: 'An earlier file of an asset instead (ours).', format: 'original (default), thumbnail, preview, fullsize or, of documents, page-2 and so on.', range: 'A range of bytes: 0-1023.' }, reply: 'bytes', statuses: [200, 206, 304, 400, 401, 404, 412, 416, 500] },
    downloadMany:         { doc: 'One file, or a zip of several.', access: 'user', needs: { kind: 'asset', action: 'read' }, method: 'POST', path: '/assets/bin/retrieve', formats: 'all', request: AssetRequest, reply: 'bytes', statuses: read },
    upload:               { doc: 'Uploads a file in one request: form parts params (JSON) and payload.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/bin/persist', formats: 'all', form: AssetUploadRequest, reply: Pim, statuses: upload },
    uploadVariation:      { doc: 'Uploads a file as a variation of an asset.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/variations/bin/persist', formats: 'all', form: AssetVariationUploadRequest, reply: Pim, statuses: create },
    uploadVersion:        { doc: 'Replaces the file of an asset; the present one becomes a version.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'POST', path: '/assets/versions/bin/persist', formats: 'all', form: AssetVersionUploadRequest, reply: Pim, statuses: upload },
    startUpload:          { doc: 'Begins an upload in chunks.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/bin/chunked/start', formats: 'all', request: AssetUploadRequest, reply: Pim, statuses: create },
    uploadChunk:          { doc: 'Stores one chunk: form parts chunkId and payload.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'POST', path: '/assets/bin/chunked/upload/{uploadId}', formats: 'all', form: 'chunk', reply: Pim, statuses: chunk },
    finishUpload:         { doc: 'Puts the chunks together as an asset.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'PUT', path: '/assets/bin/chunked/persist/{uploadId}', formats: 'all', request: AssetUploadRequest, reply: Pim, statuses: upload },
    retrieveUpload:       { doc: 'How far an upload in chunks is: which chunks have arrived, how many bytes, and until when it is kept.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'GET', path: '/assets/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    cancelUpload:         { doc: 'Gives up an upload in chunks; what has arrived of it goes.', access: 'user', needs: { kind: 'asset', action: 'create' }, method: 'DELETE', path: '/assets/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    startVersion:         { doc: 'Begins a version upload in chunks.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'POST', path: '/assets/versions/bin/chunked/start', formats: 'all', request: AssetVersionUploadRequest, reply: Pim, statuses: upload, own: true },
    uploadVersionChunk:   { doc: 'Stores one chunk of a version.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'POST', path: '/assets/versions/bin/chunked/upload/{uploadId}', formats: 'all', form: 'chunk', reply: Pim, statuses: chunk, own: true },
    finishVersion:        { doc: 'Puts the chunks together as the new file of the asset.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'PUT', path: '/assets/versions/bin/chunked/persist/{uploadId}', formats: 'all', request: AssetVersionUploadRequest, reply: Pim, statuses: upload, own: true },
    retrieveVersionUpload: { doc: 'How far the upload of a version in chunks is.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'GET', path: '/assets/versions/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    cancelVersionUpload:  { doc: 'Gives up the upload of a version in chunks.', access: 'user', needs: { kind: 'asset', action: 'update' }, method: 'DELETE', path: '/assets/versions/bin/chunked/{uploadId}', formats: 'all', reply: Pim, statuses: [200, 400, 401, 404, 500], own: true },
    downloadSigned:       { doc: 'The file that a signed address is for.', access: 'public', method: 'GET', path: '/assets/signed/{ticket}', formats: 'json', reply: 'bytes', statuses: [200, 206, 304, 403, 404, 412, 416, 500], own: true },
    downloadSelection:    { doc: 'The zip that a signed address is for.', access: 'public', method: 'GET', path: '/assets/signed', formats: 'json', query: { ticket: 'What was given out.' }, reply: 'bytes', statuses: [200, 403, 404, 500], own: true },
    uploadSigned:         { doc: 'Takes a file under a signed address, which becomes the file of the asset, and the present one a version; or a chunk of an upload.', access: 'public', method: 'PUT', path: '/assets/signed/{ticket}', formats: 'all', requestBytes: true, reply: Pim, statuses: [200, 400, 403, 404, 409, 413, 500], own: true },
    downloadPreview:      { doc: 'The bytes of a preview, by the address that stands with it; browsers may keep them.', access: 'public', method: 'GET', path: '/assets/previews/bin/{file}', formats: 'json', query: { until: 'As given out.', key: 'As given out.' }, reply: 'bytes', statuses: [200, 304, 403, 404, 500], own: true },
  },
})
