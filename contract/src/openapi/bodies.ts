/** The bodies of requests and replies by media type, each with its example. */
import { encode, formats } from '../codec/formats.ts'
import type { Type } from '../schema/describe.ts'
import type { Content, Request } from './document.ts'
import { type Schema, schemaRef } from './json-schema.ts'
import { sampleOf } from './sample.ts'

/** The compact form has no schema of its own: how it is folded depends on the values. */
export const compactSchema: Schema = {
  type: 'object',
  description:
    'Compact JSON: the JSON form with lists folded wherever nothing is lost by it. A container becomes its list, ' +
    'key/value items become a map, localized items a map by locale, listed items an array, a single item its text, ' +
    'attribute values a map by attribute. The unfolded form is accepted at any place.',
  additionalProperties: true,
}

/** The same body in the three formats. An example is given in the JSON form, which is also its form in memory. */
export function inAllFormats(schema: Schema, type: Type, example: object): Content {
  const { json, xml, compact } = formats
  const folded: unknown = JSON.parse(encode(compact, type, example))
  return {
    [json.mediaType]: { schema, example },
    [xml.mediaType]: { schema, example: indented(encode(xml, type, example)) },
    [compact.mediaType]: { schema: schemaRef('compact'), example: folded },
  }
}

export const inJson = (schema: Schema, example: unknown): Content => ({ [formats.json.mediaType]: { schema, example } })

/** What only the query verb does: it answers a compact request in plain JSON. */
export function inXmlAndJson(schema: Schema, type: Type, example: object): Content {
  const { [formats.compact.mediaType]: _, ...content } = inAllFormats(schema, type, example)
  return content
}

export const requestOf = (type: Type, example: object = sampleOf(type)): Request => ({
  required: Object.values(type.fields).some((field) => field.required),
  content: inAllFormats(schemaRef(type.name), type, example),
})

/** XML on one line -> an element per line. Messages have no mixed content, so the space between tags means nothing. */
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
