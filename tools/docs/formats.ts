/** The manual's page of formats: the same message in all of them, written by the codecs. */
import { formats, type OpenApi } from '@kontor/contract'
import { textOf } from '../../server/src/reference/samples.ts'
import { fenced, generatedFrom, page, table } from './markdown.ts'

const names = { json: 'JSON', xml: 'XML', compact: 'Compact JSON' }
const traits = {
  json: 'The normal form. Every container is an object with a list in it, also for one element; the text of an element is `value`; XML attributes are plain properties.',
  xml: 'The reference form. UTF-8 or UTF-16 in requests, UTF-8 in replies; a message that is in another encoding, or declares one, is refused. The order of elements means nothing.',
  compact:
    'The JSON form with all lists folded that can be unfolded without loss. A container becomes its list, key/value items a map, localized items a map by locale, list items an array, a single item its text, and attribute values a map by attribute. The unfolded form is accepted everywhere. The OpenAPI document has its own schemas for it, named `compact.…`.',
}

export function formatsPage({ paths }: OpenApi): string {
  const { content } = paths['/api/core/v1/common/transform']!.post!.requestBody!
  const shown = (['json', 'xml', 'compact'] as const).flatMap((name) => {
    const text = textOf(content[formats[name].mediaType]!.example)
    return [
      `## ${names[name]}`,
      `\`${formats[name].mediaType}\``,
      traits[name],
      fenced(name === 'xml' ? 'xml' : 'json', text),
    ]
  })
  return page(
    '# Formats',
    generatedFrom('contract/src/openapi'),
    'Most calls of the Core API speak three formats. `Content-Type` names the format of the request, `Accept` that of the reply. They say the same: a message survives any way through them unchanged. `POST /api/core/v1/common/transform` converts one.',
    'Below is one message in all three.',
    ...shown,
    '## What they share',
    table(
      ['Value', 'How it is written'],
      [
        ['number', 'int64 or int32; in JSON a number, and a number as text is accepted'],
        ['date', 'ISO 8601 with a time; without a zone it means UTC'],
        ['flag', 'the text `true` or `false`; in JSON a boolean is accepted'],
        ['nothing', 'left out; an empty text and an empty list mean the same as nothing'],
      ],
    ),
  )
}
