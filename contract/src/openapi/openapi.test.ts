/** The OpenAPI document: self-contained, complete and consistent with the contract. */
import { expect, test } from 'vitest'
import { decode, formats } from '../codec/formats.ts'
import { area } from '../endpoint.ts'
import { areas } from '../endpoints/areas.ts'
import { examples } from '../endpoints/examples/examples.ts'
import { Glossary, GlossaryRequest } from '../schema/common.ts'
import { ErrorResponse, Pim } from '../schema/envelope.ts'
import { types } from '../schema/types.ts'
import { type Content, methods, type Operation, type OpenApi } from './document.ts'
import type { Schema } from './json-schema.ts'
import { openapi } from './openapi.ts'

const document = openapi(areas, { version: '1.2.3' })
const { schemas, responses, parameters } = document.components
const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  )
const operations = operationsOf(document)
const inCommon = operations.filter(({ operation }) => operation.tags.includes('common'))
const byId = (id: string) => operations.find(({ operation }) => operation.operationId === id)!.operation

function* valuesOf(part: unknown): Generator<[key: string, value: unknown]> {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part)) {
    yield [key, value]
    if (key !== 'example') yield* valuesOf(value)
  }
}

test('all paths of Common are present', () => {
  expect(inCommon.map(({ path, method }) => `${method} ${path.replace('/api/core/v1/common', '')}`)).toEqual([
    'post /keywords/retrieve',
    'post /keywords/persist',
    'post /keywords/perform',
    'post /keywords/bulk',
    'get /keywords/bulk/{id}',
    'post /glossaries/retrieve',
    'post /glossaries/persist',
    'post /glossaries/perform',
    'post /glossaries/bulk',
    'get /glossaries/bulk/{id}',
    'post /glossaryEntries/persist',
    'post /glossaryEntries/perform',
    'post /glossaryEntries/bulk',
    'get /glossaryEntries/bulk/{id}',
    'post /links/persist',
    'post /links/bulk',
    'get /links/bulk/{id}',
    'post /links/actions/perform',
    'post /locales/retrieve',
    'post /messages/persist',
    'get /messages',
    'post /messages/read',
    'get /runs',
    'put /locales/{locale}',
    'get /units',
    'put /units/{code}',
    'delete /units/{code}',
    'post /components/retrieve',
    'post /transform',
  ])
})

test('every reference has a target', () => {
  const resolve = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], document)
  const refs = [...valuesOf(document)].filter(([key]) => key === '$ref').map(([, ref]) => ref as string)
  expect(refs.length).toBeGreaterThan(100)
  expect(refs.filter((ref) => !ref.startsWith('#/') || resolve(ref) === undefined)).toEqual([])
})

test('operation ids are unique and made of words', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z]+(\.[a-zA-Z-]+){1,3}$/.test(id))).toEqual([])
})

test.each(operations)('$method $path declares exactly the parameters of its path', ({ path, operation }) => {
  const declared = (operation.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'path' ? [one] : []))
  expect(declared.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
  expect(declared.every(({ required }) => required)).toBe(true)
})

test.each(operations)('$method $path has a tag, a success, its failures and a security rule', ({ operation }) => {
  const statuses = Object.keys(operation.responses)
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...operation.tags]))
  expect(statuses.filter((status) => status < '300')).toHaveLength(1)
  const isPublic = operation.security.length === 0 // an address or a body that carries its own right
  const refusal = operation.operationId === 'identity.backchannelLogout' ? '400' : isPublic ? '403' : '401'
  expect(statuses).toEqual(expect.arrayContaining([refusal, '429', '503']))
  expect('413' in operation.responses).toBe(operation.requestBody !== undefined)
})

test('a resource has the usual statuses and those it declares', () => {
  expect(Object.keys(byId('common.keywords.retrieve').responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '413',
    '429',
    '500',
    '503',
  ])
  expect(Object.keys(byId('common.persistMessages').responses)).toEqual([
    '200',
    '400',
    '401',
    '409',
    '413',
    '429',
    '503',
  ])
})

const headersOf = ({ parameters: given = [] }: Operation) =>
  given.flatMap((one) => ('$ref' in one ? [parameters[one.$ref.split('/').at(-1)!]!.name] : []))

test('writing calls accept Idempotency-Key, and persist and perform accept Kontor-Atomic', () => {
  expect(headersOf(byId('common.keywords.persist'))).toEqual(['Idempotency-Key', 'Kontor-Atomic', 'Kontor-Dry-Run'])
  expect(headersOf(byId('common.keywords.perform'))).toEqual(['Idempotency-Key', 'Kontor-Atomic', 'Kontor-Dry-Run'])
  expect(headersOf(byId('common.keywords.bulk'))).toEqual(['Idempotency-Key'])
  expect(headersOf(byId('common.persistMessages'))).toEqual(['Idempotency-Key'])
  expect(headersOf(byId('common.keywords.retrieve'))).toEqual(['Kontor-Max-Staleness', 'Kontor-View-As'])
  expect(headersOf(byId('common.listMessages'))).toEqual([])
})

test('query parameters have their types, ranges and words', () => {
  const schemaOf = (id: string, name: string) =>
    (byId(id).parameters ?? []).flatMap((one) => ('name' in one && one.name === name ? [one] : []))[0]
  expect(schemaOf('events.listEvents', 'wait')!.schema).toEqual({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: 60,
  })
  expect(schemaOf('common.listMessages', 'unread')!.schema).toEqual({ type: 'boolean' })
  expect(schemaOf('webhooks.listDeliveries', 'state')!.schema.enum).toEqual(['waiting', 'delivered', 'refused'])
  expect(schemaOf('pim.addDomainValue', 'domainValue')).toMatchObject({ required: true, schema: { type: 'string' } })
  expect(schemaOf('events.listEvents', 'after')).toMatchObject({ schema: { type: 'string' } })
})

test('headers have their lengths and characters', () => {
  const matches = ({ schema: { pattern = '' } }: { schema: Schema }, text: string) =>
    new RegExp(pattern, 'u').test(text)
  expect(['k', 'a-1', '~'].every((text) => matches(parameters.idempotencyKey!, text))).toBe(true)
  expect(['', 'two words', 'ü'].some((text) => matches(parameters.idempotencyKey!, text))).toBe(false)
  expect(['kim', 'J%C3%BCrgen'].every((text) => matches(parameters.kontorViewAs!, text))).toBe(true)
  expect(['50%', '%zz', 'ü'].some((text) => matches(parameters.kontorViewAs!, text))).toBe(false)
  expect(parameters.idempotencyKey!.schema.maxLength).toBe(255)
})

test('replies to writing calls declare how a dry run and a repeat are marked', () => {
  const headersOfReply = (id: string) => Object.keys((byId(id).responses['200'] as { headers?: object }).headers ?? {})
  expect(headersOfReply('common.keywords.persist')).toEqual(['Kontor-Dry-Run', 'Idempotency-Replayed'])
  expect(headersOfReply('common.keywords.perform')).toEqual(['Kontor-Dry-Run', 'Idempotency-Replayed'])
  expect(headersOfReply('common.keywords.bulk')).toEqual(['Idempotency-Replayed'])
  expect(headersOfReply('common.persistMessages')).toEqual(['Idempotency-Replayed'])
})

test('a file has its own media type, and the failures of a workflow are a list', () => {
  const contentOf = (id: string, status = '200') => (byId(id).responses[status] as { content: Content }).content
  expect(Object.keys(contentOf('events.streamEvents'))).toEqual(['text/event-stream'])
  expect(Object.keys(contentOf('transfers.downloadResult'))).toEqual(['text/csv'])
  expect(Object.keys(contentOf('dam.download'))).toEqual(['application/octet-stream', '*/*'])
  expect(contentOf('workflow.start', '500')['application/json']!.schema.oneOf).toHaveLength(2)
})

test('only Kontor extensions are marked with x-kontor', () => {
  const own = inCommon.filter(({ operation }) => operation['x-kontor']).map(({ operation }) => operation.operationId)
  expect(own).toEqual([
    'common.links.actions.perform',
    'common.listMessages',
    'common.readMessages',
    'common.listRuns',
    'common.putLocale',
    'common.listUnits',
    'common.putUnit',
    'common.deleteUnit',
  ])
})

test('perform lists its actions with identifiers, aliases and meta keys', () => {
  const { description } = byId('common.glossaryEntries.perform')
  expect(description).toContain('| `copyToGlossary` or `copy` | `tid` or `id` | Copies the entry')
  expect(description).toContain('`glossaryTid`: The target glossary, by tid.')
  expect(description).toContain('The `dataType` of an action is `glossaryEntry`.')
})

test('bulk accepts only the objects and actions of the resource', () => {
  const schemaOf = (id: string) => byId(id).requestBody!.content['application/json']!.schema
  expect(schemaOf('common.keywords.bulk').oneOf?.map(({ $ref }) => $ref)).toEqual([
    '#/components/schemas/pim.kwds',
    '#/components/schemas/pim.actions',
  ])
  expect(schemaOf('common.links.bulk')).toEqual({ $ref: '#/components/schemas/pim.links' })
})

// Schemas

test('the schema of every request in XML names its root element', () => {
  const bodies = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const schema = item[method]?.requestBody?.content[formats.xml.mediaType]?.schema
      return (schema?.oneOf ?? (schema ? [schema] : [])).map(({ $ref }) => [path, $ref!.split('/').at(-1)!] as const)
    }),
  )
  expect(bodies.length).toBeGreaterThan(80)
  expect(bodies.filter(([, name]) => schemas[name]!.xml?.namespace === undefined)).toEqual([])
})

test('every schema describes a type with all its fields', () => {
  const described = new Map(types.map((type) => [type.name, type]))
  for (const [name, schema] of Object.entries(schemas).filter(([name]) => !/^(pim|compact)\./.test(name))) {
    const { doc, fields, oneOf, isExclusive } = described.get(name)!
    const rule = isExclusive ? 'Exactly one of' : 'At least one of'
    const choice = oneOf?.length === 1 ? `\`${oneOf[0]}\`` : `${rule} ${oneOf?.join(', ')}`
    const description = oneOf ? `${doc} ${choice} is required.` : doc
    expect(schema).toMatchObject({ type: 'object', description, additionalProperties: false })
    if (schema.minProperties === undefined) expect(Object.keys(schema.not?.properties ?? {})).toEqual(oneOf ?? [])
    expect(Object.keys(schema.dependentSchemas ?? {})).toEqual(isExclusive ? oneOf : [])
    expect(Object.keys(schema.properties!)).toEqual(Object.keys(fields))
    expect(schema.required ?? []).toEqual(Object.keys(fields).filter((field) => fields[field]!.required))
  }
})

test('fields have the JSON form and hints for the XML form', () => {
  const property = (type: string, name: string) => schemas[type]!.properties![name]
  expect(property('itm', 'value')).toMatchObject({ type: 'string', xml: { 'x-text': true } })
  expect(property('itm', 'pos')).toMatchObject({ type: 'integer', format: 'int64', xml: { attribute: true } })
  expect(property('val', 'type')).toMatchObject({
    type: 'string',
    enum: expect.arrayContaining(['multi_loc']) as unknown,
  })
  expect(property('val', 'i18N')).toMatchObject({ type: 'array', items: { xml: { name: 'i18n' } } })
  expect(property('kwds', 'kwd')).toEqual({ type: 'array', items: { $ref: '#/components/schemas/kwd' } })
  expect(property('message', 'parameters')).toMatchObject({ additionalProperties: { type: 'string' } })
  expect(property('message', 'creationDate')).toMatchObject({ type: 'string', format: 'date-time' })
  expect(property('asset', 'keywords')).toMatchObject({ deprecated: true })
  expect(property('glossaryRequest', 'retrieveEntries')!.description).toMatch(/Also accepted as retrieveLinks\.$/)
  expect(schemas['pim']!.xml).toEqual({ name: 'pim', namespace: 'http://www.apollon.de/omn' })
})

// prettier-ignore
const keywords = new Set([
  'minProperties', 'propertyNames', 'dependentSchemas', 'minLength', 'maxLength', 'minItems', 'not', 'pattern', '$ref', 'type', 'format', 'enum', 'minimum', 'maximum', 'maxItems', 'description', 'deprecated', 'properties', 'required', 'additionalProperties', 'items', 'oneOf', 'xml'])

test('schemas use only JSON Schema keywords and require only their own properties', () => {
  const check = (schema: Schema, at: string): void => {
    expect(
      Object.keys(schema).filter((key) => !keywords.has(key)),
      at,
    ).toEqual([])
    for (const name of schema.required ?? []) expect(schema.properties, at).toHaveProperty(name)
    if (schema.enum) expect(new Set(schema.enum).size, at).toBe(schema.enum.length)
    if (schema.type === 'array') expect(schema.items, at).toBeDefined()
    for (const [name, part] of Object.entries(schema.properties ?? {})) check(part, `${at}/${name}`)
    if (schema.items) check(schema.items, `${at}/items`)
  }
  for (const [name, schema] of Object.entries(schemas)) check(schema, name)
})

// Examples

const textOf = (example: unknown) => (typeof example === 'string' ? example : JSON.stringify(example))
const rootOf = (content: Content) => {
  const ref = content['application/json']?.schema.oneOf?.[0]?.$ref ?? content['application/json']?.schema.$ref
  const name = ref?.split('/').at(-1)
  return name?.startsWith('pim.') ? Pim : types.find((type) => type.name === name)
}
const bodies: [string, Content][] = [
  ...operations.flatMap(({ operation: { operationId, requestBody, responses } }): [string, Content][] => [
    ...(requestBody ? [[`request of ${operationId}`, requestBody.content] as [string, Content]] : []),
    ...Object.values(responses).flatMap((reply): [string, Content][] =>
      'content' in reply && reply.content ? [[`reply of ${operationId}`, reply.content]] : [],
    ),
  ]),
  ...Object.entries(responses).map(([name, reply]): [string, Content] => [`failure ${name}`, reply.content!]),
]

test.each(bodies)('the %s has an example with the same content in all formats', (_name, content) => {
  const root = rootOf(content)
  const read = Object.values(formats).flatMap((format) => {
    const media = content[format.mediaType]
    if (!media || !root) return []
    return [decode(format, root, new TextEncoder().encode(textOf(media.example)))]
  })
  const texts = Object.values(content).filter(({ schema }) => Object.keys(schema).length > 0)
  expect(texts.every(({ example }) => example !== undefined)).toBe(true)
  for (const value of read) expect(value).toEqual(read[0])
})

test('every example belongs to an operation', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(Object.keys(examples).filter((id) => !ids.includes(id))).toEqual([])
})

test('the error envelope is offered in all three formats', () => {
  const { content } = responses['badRequest']!
  expect(Object.keys(content!)).toEqual(['application/json', 'application/xml', 'application/json+compact'])
  expect(content!['application/json']!.schema.$ref).toBe(`#/components/schemas/${ErrorResponse.name}`)
})

// Features that Common does not use

const other = area({
  base: '/api/v1/other',
  doc: 'An area with everything that Common does not have.',
  resources: {
    things: {
      doc: 'Things.',
      access: 'admin',
      container: 'glossaries',
      element: 'glossary',
      item: Glossary,
      dataType: 'keyword',
      query: { request: GlossaryRequest, reply: Glossary },
      bulk: 'read',
      statuses: { query: [200, 403] },
    },
  },
  routes: {
    get: {
      doc: 'A file.',
      access: 'public',
      method: 'GET',
      path: '/files/{id}/{part}',
      formats: 'json',
      reply: 'bytes',
      statuses: [200, 404],
    },
    remove: {
      doc: 'Removes it.',
      access: 'user',
      method: 'DELETE',
      path: '/files/{id}/{part}',
      formats: 'json',
      statuses: [204, 404],
    },
  },
})
const otherPaths = openapi([other], { version: '1', serverUrl: 'https://pim.example.org' }).paths

test('a query for administrators replies with identifiers in XML and JSON, with its own statuses', () => {
  const { post } = otherPaths['/api/v1/other/things/query']!
  expect(post!.security).toEqual([{ bearer: ['admin'] }, { openId: ['admin'] }])
  expect(post!.responses).toHaveProperty('403')
  expect(Object.keys((post!.responses['200'] as { content: Content }).content)).toEqual([
    'application/json',
    'application/xml',
  ])
  expect(otherPaths).not.toHaveProperty('/api/v1/other/things/bulk')
  expect(otherPaths).toHaveProperty('/api/v1/other/things/bulk/{id}')
})

test('routes can share a path, a public route needs no token, and an empty reply has no body', () => {
  const { get, delete: remove } = otherPaths['/api/v1/other/files/{id}/{part}']!
  expect(get!.security).toEqual([])
  expect((get!.responses['200'] as { content: Content }).content).toHaveProperty('application/octet-stream')
  expect(remove!.responses['204']).toEqual({ description: 'Success. The reply is empty.' })
  expect(remove!.parameters!.map((one) => 'name' in one && one.name)).toEqual(['id', 'part'])
})

test('a declared status without a description is an error', () => {
  const broken = { ...other, resources: { things: { ...other.resources.things, statuses: { query: [418] } } } }
  expect(() => openapi([broken], { version: '1' })).toThrow('status 418 is declared, but has no description')
})
