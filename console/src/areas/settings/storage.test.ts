import { expect, test } from 'vitest'
import { fromStorage, newStorage, toStorage } from './storage.ts'

const message = {
  tid: 'Archive',
  name: 'The archive',
  meta: {
    itm: [
      { key: 'rncDisablePreviewGeneration', value: 'true' },
      { key: 'rncOriginalMaxSize', value: '640x480' },
      { key: 'rncUseResolution', value: 'true' },
      { key: 'rncOriginalResolution', value: '150' },
      { key: 'rncPdfFirstPagePreviewOnly', value: 'false' },
    ],
  },
}

test('the settings of a storage survive the way into the form and back', () => {
  expect(toStorage(message)).toMatchObject({ makesPreviews: false, allPages: true, resolution: 150 })
  expect(fromStorage(toStorage(message))).toEqual(message)
})

test('a new storage makes previews of first pages', () => {
  expect(newStorage).toMatchObject({ makesPreviews: true, allPages: false, largestPreview: '1280x1024' })
})

test('a storage without a name is named by its ID', () => {
  expect(fromStorage({ ...newStorage, tid: ' Archive ' })).toMatchObject({ tid: 'Archive', name: 'Archive' })
})
