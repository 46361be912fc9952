/** The three formats of the interface with their media types and codecs, and functions that read or write whole messages. */
import type { Type } from '../schema/describe.ts'
import type { Codec, ReadOptions } from './codec.ts'
import { compactReader } from './from-compact.ts'
import { jsonReader } from './from-json.ts'
import { xmlReader } from './from-xml.ts'
import { compactWriter, toCompact } from './to-compact.ts'
import { jsonWriter, toJson } from './to-json.ts'
import { xmlWriter } from './to-xml.ts'

export interface Format {
  readonly name: 'xml' | 'json' | 'compact'
  readonly mediaType: string
  readonly contentType: string
  readonly codec: Codec
  /** Writes a whole message at once. */
  readonly write: (root: Type, value: object) => string
}

function writeXml(root: Type, value: object): string {
  const writer = xmlWriter(root)
  return writer.start(value) + writer.end()
}

const format = (name: Format['name'], mediaType: string, codec: Codec, write: Format['write']): Format => ({
  name,
  mediaType,
  contentType: `${mediaType};charset=UTF-8`,
  codec,
  write,
})

// prettier-ignore
export const formats = {
  xml:     format('xml',     'application/xml',          { reader: xmlReader,     writer: xmlWriter },     writeXml),
  json:    format('json',    'application/json',         { reader: jsonReader,    writer: jsonWriter },    toJson),
  compact: format('compact', 'application/json+compact', { reader: compactReader, writer: compactWriter }, toCompact),
}

export function decode(format: Format, root: Type, bytes: Uint8Array, options?: ReadOptions): object {
  const reader = format.codec.reader(root, options)
  reader.write(bytes)
  return reader.end()
}

export const encode = (format: Format, root: Type, value: object): string => format.write(root, value)
