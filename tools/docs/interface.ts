/** The manual's page of calls: a table per area, and the actions of `perform`, from the OpenAPI document. */
import { type Content, methods, type OpenApi, type Operation, type Reply, type Schema } from '@kontor/contract'
import { generatedFrom, page, table } from './markdown.ts'

export function interfacePage(document: OpenApi): string {
  return page(
    '# Interface',
    generatedFrom('contract/src/endpoints'),
    'Every call, by area. The server shows the same with all fields and samples at `/api/docs`, and for tools at `/api/openapi.json`; a copy of that is [openapi.json](../openapi.json).',
    'All formats: JSON, XML and compact JSON, see [formats.md](formats.md). Besides the statuses listed, every call can be answered with 429 and 503, and one with a body with 413: see [errors.md](errors.md). Calls marked *Kontor* are additions to the interface.',
    ...document.tags.flatMap(({ name, description }) => areaBlocks(document, name, description)),
  )
}

function areaBlocks({ paths }: OpenApi, area: string, doc: string): string[] {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation?.tags.includes(area) ? [{ path, method, operation, resource: item.summary }] : []
    }),
  )
  const base = `${calls[0]!.path.split(`/${area}`)[0]}/${area}`
  const rows = calls.map(({ path, method, operation }) => [
    `${method.toUpperCase()} \`${path.slice(base.length) || '/'}\``,
    operation.summary + (operation['x-kontor'] ? ' *(Kontor)*' : ''),
    ...bodyCells(operation),
    statusesOf(operation),
  ])
  const actions = calls.flatMap(({ operation, resource }) => {
    const [, ...lines] = (operation.description ?? '').split('\n\n')
    return lines.some((line) => line.startsWith('|')) ? [`### Actions of ${resource}`, ...lines] : []
  })
  const title = area.length > 3 ? area[0]!.toUpperCase() + area.slice(1) : area.toUpperCase()
  const head = ['Call', 'What it does', 'Request', 'Reply', 'Formats', 'Statuses']
  return [`## ${title}`, doc, `All below \`${base}\`.`, table(head, rows), ...actions]
}

function bodyCells({ requestBody, responses }: Operation): [request: string, reply: string, formats: string] {
  const [reply] = Object.values(responses) as Reply[]
  const request = requestBody ? shapeOf(requestBody.content) + (requestBody.required ? '' : ' (optional)') : ''
  const spoken = Object.keys(requestBody?.content ?? reply!.content ?? {})
  return [request, shapeOf(reply!.content), spoken.length > 1 ? 'all' : 'JSON']
}

function shapeOf(content: Content = {}): string {
  const [first] = Object.entries(content)
  if (!first) return 'empty'
  const [media, { schema }] = first
  return media.startsWith('application/json') ? schemaName(schema) : media
}

/** The envelope is named with the container that the call is about. */
function schemaName({ $ref, required, oneOf, items, additionalProperties, type }: Schema): string {
  if (oneOf) return oneOf.map(schemaName).join(' or ').replaceAll(' or `pim` with', ' or')
  if (items) return `list of ${schemaName(items)}`
  if ($ref === undefined) return additionalProperties ? 'map of texts' : (type ?? 'anything')
  const [root, container = required?.[0]] = $ref.split('/').at(-1)!.split('.')
  return container ? `\`${root}\` with \`${container}\`` : `\`${root}\``
}

const generic = new Set(['413', '429', '503'])
const statusesOf = ({ responses }: Operation) =>
  Object.keys(responses)
    .filter((status) => !generic.has(status))
    .join(' ')
