/**
 * Detects the media type of a file by its first bytes, and the asset type that follows from it.
 *
 * Content takes precedence over the name. The name decides only if the content is ambiguous (text) or generic (a zip
 * that is a Word document). An unknown file is application/octet-stream.
 */
import { extname } from 'node:path'

export type AssetType =
  'IMG' | 'VID' | 'AUD' | 'PDF' | 'OFFICE' | 'PREPRESS' | 'DOC' | 'LAYOUT' | 'C360' | 'C3D' | 'FILE'

interface FileType {
  readonly type: AssetType
  readonly mime: string
}

interface Kind extends FileType {
  /** Without the dot. */
  readonly extensions: readonly string[]
  /** The first bytes (magic numbers) at an offset, in Latin-1. */
  readonly magic?: readonly (readonly [offset: number, text: string])[]
  /** The media type of its container format. */
  readonly inside?: string
}

const zip = 'application/zip'
const ole = 'application/x-ole-storage'
const text = 'text/plain'
const office = 'application/vnd.openxmlformats-officedocument'

// prettier-ignore
const kinds: readonly Kind[] = [
  { type: 'IMG', mime: 'image/jpeg',    extensions: ['jpg', 'jpeg', 'jpe'], magic: [[0, '\xff\xd8\xff']] },
  { type: 'IMG', mime: 'image/png',     extensions: ['png'],         magic: [[0, '\x89PNG\r\n\x1a\n']] },
  { type: 'IMG', mime: 'image/gif',     extensions: ['gif'],         magic: [[0, 'GIF8']] },
  { type: 'IMG', mime: 'image/webp',    extensions: ['webp'],        magic: [[0, 'RIFF'], [8, 'WEBP']] },
  { type: 'IMG', mime: 'image/avif',    extensions: ['avif'],        magic: [[4, 'ftypavif']] },
  { type: 'IMG', mime: 'image/avif',    extensions: [],              magic: [[4, 'ftypavis']] },
  { type: 'IMG', mime: 'image/heic',    extensions: ['heic', 'heif'], magic: [[4, 'ftyphei']] },
  { type: 'IMG', mime: 'image/heic',    extensions: [],              magic: [[4, 'ftypmif1']] },
  { type: 'IMG', mime: 'image/tiff',    extensions: ['tif', 'tiff'], magic: [[0, 'II*\0']] },
  { type: 'IMG', mime: 'image/tiff',    extensions: [],              magic: [[0, 'MM\0*']] },
  { type: 'IMG', mime: 'image/bmp',     extensions: ['bmp'],         magic: [[0, 'BM'], [6, '\0\0\0\0']] },
  { type: 'IMG', mime: 'image/vnd.adobe.photoshop', extensions: ['psd', 'psb'], magic: [[0, '8BPS']] },
  { type: 'IMG', mime: 'image/svg+xml', extensions: ['svg'],         inside: text },
  { type: 'PDF', mime: 'application/pdf', extensions: ['pdf'],       magic: [[0, '%PDF-']] },
  { type: 'PREPRESS', mime: 'application/illustrator', extensions: ['ai'], inside: 'application/pdf' },
  { type: 'PREPRESS', mime: 'application/postscript', extensions: ['ps', 'eps'], magic: [[0, '%!PS']] },
  { type: 'PREPRESS', mime: 'application/postscript', extensions: [], magic: [[0, '\xc5\xd0\xd3\xc6']] },
  { type: 'VID', mime: 'video/quicktime', extensions: ['mov', 'qt'], magic: [[4, 'ftypqt']] },
  { type: 'AUD', mime: 'audio/mp4',     extensions: ['m4a'],         magic: [[4, 'ftypM4A']] },
  { type: 'VID', mime: 'video/mp4',     extensions: ['mp4', 'm4v'],  magic: [[4, 'ftyp']] },
  { type: 'VID', mime: 'video/webm',    extensions: ['webm', 'mkv'], magic: [[0, '\x1aE\xdf\xa3']] },
  { type: 'VID', mime: 'video/x-msvideo', extensions: ['avi'],       magic: [[0, 'RIFF'], [8, 'AVI ']] },
  { type: 'VID', mime: 'video/x-ms-wmv', extensions: ['wmv', 'asf', 'wma'], magic: [[0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11']] },
  { type: 'VID', mime: 'video/mpeg',    extensions: ['mpg', 'mpeg'], magic: [[0, '\0\0\x01\xba']] },
  { type: 'AUD', mime: 'audio/wav',     extensions: ['wav'],         magic: [[0, 'RIFF'], [8, 'WAVE']] },
  { type: 'AUD', mime: 'audio/aiff',    extensions: ['aif', 'aiff'], magic: [[0, 'FORM'], [8, 'AIF']] },
  { type: 'AUD', mime: 'audio/mpeg',    extensions: ['mp3'],         magic: [[0, 'ID3']] },
  { type: 'AUD', mime: 'audio/mpeg',    extensions: [],              magic: [[0, '\xff\xfb']] },
  { type: 'AUD', mime: 'audio/flac',    extensions: ['flac'],        magic: [[0, 'fLaC']] },
  { type: 'AUD', mime: 'audio/ogg',     extensions: ['ogg', 'oga', 'opus'],  magic: [[0, 'OggS']] },
  { type: 'LAYOUT', mime: 'application/x-indesign', extensions: ['indd', 'indt'], magic: [[0, '\x06\x06\xed\xf5']] },
  { type: 'LAYOUT', mime: 'application/vnd.adobe.indesign-idml-package', extensions: ['idml'], inside: zip },
  { type: 'OFFICE', mime: `${office}.wordprocessingml.document`,   extensions: ['docx'], inside: zip },
  { type: 'OFFICE', mime: `${office}.spreadsheetml.sheet`,         extensions: ['xlsx'], inside: zip },
  { type: 'OFFICE', mime: `${office}.presentationml.presentation`, extensions: ['pptx'], inside: zip },
  { type: 'OFFICE', mime: 'application/vnd.oasis.opendocument.text',         extensions: ['odt'], inside: zip },
  { type: 'OFFICE', mime: 'application/vnd.oasis.opendocument.spreadsheet',  extensions: ['ods'], inside: zip },
  { type: 'OFFICE', mime: 'application/vnd.oasis.opendocument.presentation', extensions: ['odp'], inside: zip },
  { type: 'OFFICE', mime: 'application/msword',            extensions: ['doc'], inside: ole },
  { type: 'OFFICE', mime: 'application/vnd.ms-excel',      extensions: ['xls'], inside: ole },
  { type: 'OFFICE', mime: 'application/vnd.ms-powerpoint', extensions: ['ppt'], inside: ole },
  { type: 'FILE', mime: ole,            extensions: [],              magic: [[0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']] },
  { type: 'DOC', mime: 'application/epub+zip', extensions: ['epub'], inside: zip },
  { type: 'C3D', mime: 'model/vnd.usdz+zip', extensions: ['usdz'],   inside: zip },
  { type: 'C3D', mime: 'model/gltf-binary', extensions: ['glb'],     magic: [[0, 'glTF']] },
  { type: 'C3D', mime: 'model/gltf+json', extensions: ['gltf'],      inside: text },
  { type: 'C3D', mime: 'model/obj',     extensions: ['obj'],         inside: text },
  { type: 'OFFICE', mime: 'application/rtf', extensions: ['rtf'],    magic: [[0, '{\\rtf']] },
  { type: 'FILE', mime: zip,            extensions: ['zip'],         magic: [[0, 'PK\x03\x04']] },
  { type: 'FILE', mime: 'text/html',    extensions: ['html', 'htm', 'xhtml'], inside: text },
  { type: 'FILE', mime: 'text/javascript', extensions: ['js', 'mjs'], inside: text },
  { type: 'FILE', mime: 'text/css',     extensions: ['css'],         inside: text },
  { type: 'FILE', mime: 'application/xml', extensions: ['xml'],      inside: text },
  { type: 'FILE', mime: 'application/json', extensions: ['json'],    inside: text },
  { type: 'DOC', mime: 'text/csv',      extensions: ['csv'],         inside: text },
  { type: 'DOC', mime: 'text/markdown', extensions: ['md'],          inside: text },
  { type: 'DOC', mime: text,            extensions: ['txt', 'log'],  inside: text },
]
const unknown: FileType = { type: 'FILE', mime: 'application/octet-stream' }
const byExtension = new Map(kinds.flatMap((kind) => kind.extensions.map((extension) => [extension, kind])))

export function fileTypeOf(name: string, head: Buffer): FileType {
  const named = byExtension.get(extname(name).slice(1).toLowerCase())
  const found = kinds.find(({ magic }) =>
    magic?.every(([at, bytes]) => head.toString('latin1', at, at + bytes.length) === bytes),
  )
  if (found) return toFileType(named?.inside === found.mime ? named : found)
  if (!isText(head)) return unknown
  return toFileType(named?.inside === text ? named : { type: 'DOC', mime: text })
}

/** True if an upload of this type is followed by an import, for previews or metadata. */
export const isImported = ({ type }: FileType): boolean => importedTypes.includes(type)
export const importedTypes: readonly string[] = ['IMG', 'PDF', 'VID', 'AUD', 'OFFICE', 'PREPRESS']

const toFileType = ({ type, mime }: FileType): FileType => ({ type, mime })

/** True if there are no control characters. UTF-16 contains zero bytes and counts as unknown. */
// oxlint-disable-next-line no-control-regex
const isText = (head: Buffer) => !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))
