/** Collections, share pages and upload requests. */
import { metadataChoices } from '../embedded-tags.ts'
import { area, needed, nextPage, whole, word } from '../endpoint.ts'
import {
  Collection,
  CollectionAssets,
  CollectionChange,
  CollectionList,
  ReceivedDecision,
  ReceivedFileList,
  ReceivedOutcomes,
  Share,
  ShareList,
  ShareLog,
  SharePassword,
} from '../schema/collection.ts'

const read = { access: 'user', formats: 'all', own: true, needs: { kind: 'asset', action: 'read' } } as const
const share = { access: 'user', formats: 'all', own: true, needs: { kind: 'asset', action: 'share' } } as const
const page = (most: number) => ({ after: nextPage.whole, count: whole(`Page size. Default ${most}.`, 1, 1000) })
const id = { id: whole('The id of the object.') }
const file = { ...id, file: whole('The id of the file.') }

// prettier-ignore
export const collection = area({
  base: '/api/v1/collections',
  doc: 'Collections of assets, by hand or by a stored search. You see your own and those that are shared with you; administrators see all.',
  resources: {},
  routes: {
    listCollections:    { ...read, doc: 'Lists collections by name.', method: 'GET', path: '', reply: CollectionList, statuses: [200, 400, 401],
                          query: { after: nextPage.id, count: whole('Page size. Default 500.', 1, 1000) } },
    createCollection:   { ...read, doc: 'Creates a collection. You are its owner.', method: 'POST', path: '', request: Collection, reply: Collection, statuses: [200, 400, 401, 404] },
    getCollection:      { ...read, doc: 'Returns one collection.', method: 'GET', path: '/{id}', params: id, reply: Collection, statuses: [200, 400, 401, 404] },
    putCollection:      { ...read, doc: 'Replaces name, description, readers and search of a collection. Without storedSearch, the assets remain as they are. Only for its owner and administrators.', method: 'PUT', path: '/{id}', params: id, request: Collection, reply: Collection, statuses: [200, 400, 401, 403, 404] },
    deleteCollection:   { ...read, doc: 'Deletes a collection, not its assets. Share pages of it become empty.', method: 'DELETE', path: '/{id}', params: id, statuses: [200, 400, 401, 403, 404] },
    listCollectionAssets: { ...read, doc: 'Lists the assets of a collection that you may read, in order.', method: 'GET', path: '/{id}/assets', params: id, reply: CollectionAssets, statuses: [200, 400, 401, 404, 410, 503], query: page(500) },
    changeCollectionAssets: { ...read, doc: 'Adds, removes and moves assets of a collection by hand. All or nothing.', method: 'POST', path: '/{id}/assets', params: id, request: CollectionChange, reply: Collection, statuses: [200, 400, 401, 403, 404, 409] },
    downloadCollection: { ...read, doc: 'Downloads the files of a collection as a zip, as they are or by a rendition profile.', method: 'GET', path: '/{id}/zip', params: id, formats: 'json', query: { profile: 'The tid of a rendition profile. Excludes metadata.', metadata: word('embed writes the values that you may read into the files; those that cannot carry them get an .xmp file. sidecar adds an .xmp file to each file.', metadataChoices) }, reply: 'bytes', statuses: [200, 400, 401, 403, 404, 500, 503], refusal: 401 },
  },
})

// prettier-ignore
export const shares = area({
  base: '/api/v1/shares',
  doc: 'Share pages and upload requests: pages for people without an account. You see your own; administrators see all.',
  resources: {},
  routes: {
    listShares:       { ...read, doc: 'Lists share pages and upload requests, newest first.', method: 'GET', path: '', reply: ShareList, statuses: [200, 400, 401], query: page(100) },
    createShare:      { ...share, doc: 'Creates a share page or an upload request. The reply has its address, which is not shown again.', method: 'POST', path: '', request: Share, reply: Share, statuses: [200, 400, 401, 403, 404, 429] },
    getShare:         { ...read, doc: 'Returns one share page or upload request.', method: 'GET', path: '/{id}', params: id, reply: Share, statuses: [200, 400, 401, 404] },
    putShare:         { ...share, doc: 'Replaces everything but the kind, the address and, if none is sent, the password. Only for its owner.', method: 'PUT', path: '/{id}', params: id, request: Share, reply: Share, statuses: [200, 400, 401, 403, 404, 429] },
    revokeShare:      { ...read, doc: 'Revokes the address at once, also for downloads that are running. Delivered files still wait for a decision.', method: 'POST', path: '/{id}/revoke', params: id, reply: Share, statuses: [200, 400, 401, 404] },
    listShareLog:     { ...read, doc: 'Lists visits, downloads and deliveries, newest first.', method: 'GET', path: '/{id}/log', params: id, reply: ShareLog, statuses: [200, 400, 401, 404], query: page(100) },
    listReceived:     { ...read, doc: 'Lists delivered files that wait for a decision, oldest first.', method: 'GET', path: '/{id}/files', params: id, reply: ReceivedFileList, statuses: [200, 400, 401, 404] },
    decideReceived:   { ...read, doc: 'Accepts delivered files as assets, with your rights, or rejects and deletes them. Each file is decided for itself.', method: 'POST', path: '/{id}/files', params: id, request: ReceivedDecision, reply: ReceivedOutcomes, statuses: [200, 400, 401, 404] },
    previewReceived:  { ...read, doc: 'Returns a picture of a delivered file.', method: 'GET', path: '/{id}/files/{file}/preview', params: file, formats: 'json', reply: 'bytes', statuses: [200, 304, 400, 401, 404, 412, 416, 500, 503], refusal: 401 },
    downloadReceived: { ...read, doc: 'Downloads a delivered file, always as an attachment.', method: 'GET', path: '/{id}/files/{file}/bin', params: file, formats: 'json', reply: 'bytes', statuses: [200, 206, 304, 400, 401, 404, 412, 416, 500], refusal: 401 },
  },
})

const open = { access: 'public', formats: 'json', own: true } as const
const html = { reply: 'bytes', media: ['text/html'] } as const
const token = { token: 'The secret part of the address.' }
const format = { format: needed('original, or the tid of a rendition profile.') }

// prettier-ignore
export const sharePages = area({
  base: '/share',
  doc: 'The public pages: share pages and upload requests. A page that is unknown, expired or revoked is 404.',
  resources: {},
  routes: {
    sharePage:    { ...open, ...html, doc: 'Shows the page, or asks for its password.', method: 'GET', path: '/{token}', params: token, query: { page: whole('Number of the page, from 1.', 1, 1000) }, statuses: [200, 403, 404, 500] },
    unlockShare:  { ...open, ...html, doc: 'Checks the password of the page, sets a cookie and leads back to the page.', method: 'POST', path: '/{token}', params: token, requestForm: SharePassword, statuses: [303, 400, 401, 403, 404, 429, 500] },
    sharePreview: { ...open, doc: 'Returns the picture of a file that the page shows.', method: 'GET', path: '/{token}/preview/{asset}', params: { ...token, asset: whole('The id of the asset.') }, reply: 'bytes', statuses: [200, 206, 304, 400, 401, 403, 404, 409, 412, 416, 500, 503] },
    shareMedia:   { ...open, doc: 'Plays a film or a sound of the page, if the page offers originals.', method: 'GET', path: '/{token}/media/{asset}', params: { ...token, asset: whole('The id of the asset.') }, reply: 'bytes', statuses: [200, 206, 304, 400, 401, 403, 404, 409, 412, 416, 500, 503] },
    shareFile:    { ...open, doc: 'Downloads a file of the page.', method: 'GET', path: '/{token}/file/{asset}', params: { ...token, asset: whole('The id of the asset.') }, query: format, reply: 'bytes', statuses: [200, 206, 304, 400, 401, 403, 404, 409, 412, 416, 500, 503] },
    shareZip:     { ...open, doc: 'Downloads all files of the page as a zip. Files whose usage rights have ended are left out and listed in a text.', method: 'GET', path: '/{token}/zip', params: token, query: format, reply: 'bytes', statuses: [200, 400, 401, 403, 404, 500, 503] },
    deliverFile:  { ...open, doc: 'Delivers a file to an upload request. It waits until somebody accepts it.', method: 'POST', path: '/{token}/files', params: token, query: { name: needed('The name of the file.') }, requestBytes: true, reply: 'text', statuses: [200, 400, 401, 403, 404, 409, 413, 500] },
  },
})
