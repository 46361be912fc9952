/** The OpenAPI document as a collection of requests for Postman and Bruno (format 2.1). */
import { methods, type OpenApi } from '@kontor/contract'

type Operation = NonNullable<OpenApi['paths'][string]['get']>
type Content = NonNullable<Operation['requestBody']>['content']
type Parameter = OpenApi['components']['parameters'][string]

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

export function postmanCollection({ info, tags, paths, components }: OpenApi): object {
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ tag: operation.tags[0], item: toItem(path, method, operation, components.parameters) }] : []
    }),
  )
  return {
    info: { name: 'Kontor', version: info.version, description: about, schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:8080' },
      { key: 'token', value: '', description: 'An access token or a personal token.' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  }
}

const about =
  'All calls of Kontor, with an example each. Set the variables baseUrl and token. Made from docs/openapi.json by npm run docs.'

function toItem(path: string, method: string, operation: Operation, shared: OpenApi['components']['parameters']) {
  const parameters = (operation.parameters ?? []).map((one) =>
    '$ref' in one ? shared[one.$ref.slice('#/components/parameters/'.length)]! : one,
  )
  const at = (place: Parameter['in']) => parameters.filter((one) => one.in === place)
  const optional = ({ name: key, description, required }: Parameter) => ({
    key,
    value: '',
    ...(description !== undefined && { description }),
    ...(!required && { disabled: true }),
  })
  const content = operation.requestBody?.content
  const [mediaType] = Object.keys(content ?? {})
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const query = at('query').map(optional)
  const contentType = mediaType === undefined || mediaType.startsWith('multipart/') ? [] : [mediaType]
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      ...(operation.security.length === 0 && { auth: { type: 'noauth' } }),
      ...(operation.description !== undefined && { description: operation.description }),
      header: [...contentType.map((value) => ({ key: 'Content-Type', value })), ...at('header').map(optional)],
      url: {
        raw: `{{baseUrl}}/${segments}`,
        host: ['{{baseUrl}}'],
        path: segments.split('/'),
        ...(query.length > 0 && { query }),
        ...(at('path').length > 0 && { variable: at('path').map(({ name }) => ({ key: name, value: '' })) }),
      },
      ...(content && mediaType !== undefined && { body: toBody(content, mediaType) }),
    },
  }
}

function toBody(content: Content, mediaType: string): object {
  const { example } = content[mediaType]!
  const fields = Object.entries((example ?? {}) as Record<string, unknown>)
  if (mediaType.startsWith('multipart/'))
    return { mode: 'formdata', formdata: fields.map(([key, value]) => toPart(key, value)) }
  if (mediaType === 'application/x-www-form-urlencoded')
    return { mode: 'urlencoded', urlencoded: fields.map(([key, value]) => ({ key, value: String(value) })) }
  if (example === undefined || !mediaType.includes('json')) return { mode: 'file', file: {} }
  return { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } }
}

/** The file of a form is chosen by the user; the example has only its name. */
const toPart = (key: string, value: unknown) =>
  key === 'payload'
    ? { key, type: 'file', src: [] }
    : { key, type: 'text', value: typeof value === 'string' ? value : JSON.stringify(value) }
