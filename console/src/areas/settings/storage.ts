/**
 * A storage of files as its page shows and edits it. The message keeps the settings as texts in `meta`; some of them name
 * the opposite of what the form offers (`rncDisablePreviewGeneration`).
 */
import { type Infer, leaf, required, type Rnc, type } from '@kontor/contract'
import { fact, toItems } from '../../object/items.ts'

export const StorageSettings = type('storageSettings', 'A storage and how previews of its files are made.', {
  tid: required(leaf('string')),
  name: leaf('string'),
  makesPreviews: leaf('boolean'),
  allPages: leaf('boolean'),
  largestPreview: leaf('string'),
  useResolution: leaf('boolean'),
  resolution: leaf('integer'),
})
export type Storage = Infer<typeof StorageSettings>
type Message = Infer<typeof Rnc>

export const newStorage: Storage = toStorage({})

export function toStorage(message: Message): Storage {
  const { tid = '', name = '' } = message
  return {
    tid,
    name,
    makesPreviews: fact(message, 'rncDisablePreviewGeneration') !== 'true',
    allPages: fact(message, 'rncPdfFirstPagePreviewOnly') === 'false',
    largestPreview: fact(message, 'rncOriginalMaxSize') ?? '1280x1024',
    useResolution: fact(message, 'rncUseResolution') === 'true',
    resolution: Number(fact(message, 'rncOriginalResolution') ?? '72'),
  }
}

export function fromStorage(storage: Storage): Message {
  const tid = storage.tid.trim()
  const { largestPreview = '', resolution = 72 } = storage
  return {
    tid,
    name: storage.name?.trim() || tid,
    meta: {
      itm: toItems({
        rncDisablePreviewGeneration: String(!storage.makesPreviews),
        rncOriginalMaxSize: largestPreview,
        rncUseResolution: String(storage.useResolution ?? false),
        rncOriginalResolution: String(resolution),
        rncPdfFirstPagePreviewOnly: String(!storage.allPages),
      }),
    },
  }
}
