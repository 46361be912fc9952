/** The bodies of requests and replies by media type, each with its example. */
import { encode, formats } from '../codec/formats.ts'
import type { Type } from '../schema/describe.ts'
import { inCompact } from './compact-schema.ts'
import type { Content, Request } from './document.ts'
import { type Schema, schemaRef } from './json-schema.ts'
import { sampleOf } from './sample.ts'

/** The same body in the three formats. `example` has the JSON form, which is also the form in memory. */
export function inAllFormats(schema: Schema, type: Type, example: object): Content {
  const { json, xml, compact } = formats
  const folded: unknown = JSON.parse(encode(compact, type, example))
  return {
    [json.mediaType]: { schema, example },
    [xml.mediaType]: { schema, example: indented(encode(xml, type, example)) },
    [compact.mediaType]: { schema: inCompact(schema, type), example: folded },
  }
}

export const inJson = (schema: Schema, example: unknown): Content => ({ [formats.json.mediaType]: { schema, example } })

/** For the query verb, which replies to a compact request in plain JSON. */
export function inXmlAndJson(schema: Schema, type: Type, example: object): Content {
  const { [formats.compact.mediaType]: _, ...content } = inAllFormats(schema, type, example)
  return content
}

export const requestOf = (type: Type, example: object = sampleOf(type)): Request => ({
  required: Object.values(type.fields).some((field) => field.required),
  content: inAllFormats(schemaRef(type.name), type, example),
})

/** Breaks XML into one element per line. Messages have no mixed content, so white space between tags has no meaning. */
function indented(xml: string): string {
  let depth = 0
  return xml
    .replaceAll('><', '>\n<')
    .split('\n')
    .map((line) => {
      const closes = line.startsWith('</')
      if (closes) depth--
      const text = '  '.repeat(depth) + line
      if (!closes && /^<\w[^>]*[^/]>$/.test(line)) depth++
      return text
    })
    .join('\n')
}
