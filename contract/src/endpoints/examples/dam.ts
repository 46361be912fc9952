/** Samples for assets, directories and storages. */
import { actions, byLocale, type Examples, items, noon, pim } from './build.ts'

const photo = 'sail-photo'
const path = '/MAM/Boats/sail.jpg'
const version = { tid: photo, versionComment: 'Brighter' }
const upload = { path, tid: photo, doPreviewsAsync: true }

export const damExamples: Examples = {
  'dam.assets.query': { request: { modifiedFrom: noon, fileTypes: ['IMG'], directory: { path: '/MAM/Boats' } } },
  'dam.assets.retrieve': { request: { tids: [photo], retrievePreviews: true } },
  'dam.assets.persist': {
    request: pim({ assets: { asset: [{ name: 'sail.jpg', keywords: { itm: [{ value: '/boats' }] }, tid: photo }] } }),
  },
  'dam.assets.perform': actions({ dataType: 'asset', type: 'delete', tid: photo }),
  'dam.assets.versions.retrieve': { request: { tids: [photo] } },
  'dam.assets.versions.perform': actions({ dataType: 'version', type: 'restore', tid: 'sail-photo-1' }),
  'dam.assets.duplicates.retrieve': { request: { tids: [photo] } },
  'dam.assets.similar.retrieve': { request: { tids: [photo], distance: 10 } },
  'dam.dirs.retrieve': { request: { dirPath: '/MAM/Boats', level: 1 } },
  'dam.dirs.persist': { request: pim({ dirs: { dir: [{ name: 'Boats', tid: 'boats', rnc: 'MAM' }] } }) },
  'dam.dirs.perform': actions({ dataType: 'dir', type: 'delete', tid: 'boats' }),
  'dam.trash.retrieve': { request: { rncTid: 'MAM', deletedFrom: noon } },
  'dam.trash.perform': actions({ dataType: 'asset', type: 'restore', tid: photo }),
  'dam.attribute-definitions.retrieve': { request: { all: true } },
  'dam.admin.attribute-definitions.persist': {
    request: pim({
      attrDefs: {
        attrDef: [
          {
            meta: items({ assetTypes: 'IMG', embedded: 'xmp:creator' }),
            name: byLocale({ en_GB: 'Photographer', de_DE: 'Fotograf' }),
            tid: 'PHOTOGRAPHER',
            type: 'text',
          },
        ],
      },
    }),
  },
  'dam.admin.attribute-definitions.perform': actions({
    dataType: 'attrDefinition',
    type: 'delete',
    tid: 'PHOTOGRAPHER',
  }),
  'dam.persistRncs': { request: pim({ rncs: { rnc: [{ name: 'Archive', tid: 'ARCHIVE' }] } }) },
  'dam.checkin': { request: { tid: photo, comment: 'Brighter' } },
  'dam.presignedUrl': { request: { tid: photo, format: 'preview', expiresInSeconds: 3600 } },
  'dam.retrieveHistories': { request: { tids: [photo] } },
  'dam.retrievePreviews': { request: { tids: [photo], formats: ['thumbnail', 'preview'] } },
  'dam.retrieveVariations': { request: { assetTids: [photo] } },
  'dam.retrieveStatuses': { request: { tids: [photo] } },
  'dam.retrieveStatus': { request: { tids: [photo] } },
  'dam.downloadMany': { request: { tids: [photo], formats: ['original'] } },
  'dam.upload': { request: upload },
  'dam.uploadVersion': { request: version },
  'dam.startUpload': { request: upload },
  'dam.finishUpload': { request: upload },
  'dam.startVersion': { request: version },
  'dam.finishVersion': { request: version },
  'dam.putRenditionProfile': { request: { name: 'Web shop', width: 1600, height: 1600, format: 'webp', quality: 82 } },
  'dam.renditionUrls': { request: { tids: [photo], width: 800, format: 'webp', days: 30 } },
  'dam.retrieveMedia': { request: { tids: ['fjord-film'] } },
  'dam.revokeRenditionUrls': { request: { tids: [photo] } },
}
