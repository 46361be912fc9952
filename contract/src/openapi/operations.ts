/** The paths of the OpenAPI document: every verb of every resource and every single route, as an operation. */
import { type Access, type Area, nextPage, type QueryParameter, type Route } from '../endpoint.ts'
import { examples } from '../endpoints/examples/examples.ts'
import type { Type } from '../schema/describe.ts'
import { ErrorResponse } from '../schema/envelope.ts'
import { inAllFormats, inJson } from './bodies.ts'
import { type Call, idempotencyKey, ifMatch, kontorViewAs, nextHeader, pageParameters, replayedHeader } from './call.ts'
import type { Content, Operation, Parameter, PathItem, Reply, Request } from './document.ts'
import { failureRef } from './failures.ts'
import { type Schema, schemaRef } from './json-schema.ts'
import { sampleOf } from './sample.ts'
import { verbsOf } from './verbs.ts'

/** The name of an area is the last part of its base path: common, pim, search. */
export const areaName = ({ base }: Area): string => base.split('/').at(-1)!

export function pathsOf(area: Area): Record<string, PathItem> {
  const tag = areaName(area)
  const paths: Record<string, PathItem> = {}
  const add = (resource: Pick<PathItem, 'summary' | 'description'>, call: Call) => {
    paths[call.path] = { ...resource, ...paths[call.path], [call.method]: toOperation(tag, call) }
  }
  for (const [name, resource] of Object.entries(area.resources)) {
    const calls = verbsOf(`${tag}.${name.replaceAll('/', '.')}`, `${area.base}/${name}`, resource)
    for (const call of calls) add({ summary: name, description: resource.doc }, call)
  }
  for (const [name, route] of Object.entries(area.routes)) {
    add({ summary: route.path.split('/')[1] || tag }, routeCall(`${tag}.${name}`, area.base, route))
  }
  return paths
}

function toOperation(tag: string, { request, parameters = [], ...call }: Call): Operation {
  const [status, reply] = call.reply
  // Every call refuses unknown query parameters.
  const failures = new Set([...call.failures, 400, 429, 503])
  if (parameters.includes(idempotencyKey)) failures.add(409)
  if (parameters.includes(kontorViewAs)) failures.add(403)
  if (parameters.includes(pageParameters[0]!)) failures.add(410)
  if (parameters.includes(ifMatch)) failures.add(412)
  if (request) failures.add(413)
  return {
    operationId: call.id,
    tags: [tag],
    summary: call.summary,
    ...(call.description && { description: call.description }),
    ...(call.deprecated && { deprecated: true }),
    ...(call.own && { 'x-kontor': true }),
    security: security[call.access],
    ...(parameters.length > 0 && { parameters }),
    ...(request && { requestBody: request }),
    // JavaScript orders integer keys, so the responses are sorted by status.
    responses: {
      [status]: reply,
      ...Object.fromEntries([...failures].map((status) => [status, failureRef(status, tag)])),
      ...call.otherReplies,
    },
  }
}

// prettier-ignore
const security: Record<Access, Operation['security']> = {
  public: [],
  user:   [{ bearer: [] }, { openId: [] }],
  admin:  [{ bearer: ['admin'] }, { openId: ['admin'] }],
}

function routeCall(id: string, base: string, route: Route): Call {
  const example = examples[id] ?? {}
  const path = base + route.path.replace('*', '{path}')
  const isWrite = /\/(persist|perform)$/.test(path)
  const [summary, ...more] = route.doc.split(/(?<=\.) /)
  return {
    id,
    method: route.method.toLowerCase() as Lowercase<Route['method']>,
    path,
    summary: summary!.replace(/\.$/, ''),
    description: more.join(' '),
    access: route.access,
    own: route.own,
    deprecated: route.deprecated !== undefined,
    parameters: [...parametersOf(route), ...(isWrite ? [idempotencyKey] : [])],
    request: bodyOf(route, example.request),
    reply: [
      route.statuses.find((status) => status < 300) ?? 200,
      {
        ...replyOf(route, example.reply),
        ...(isWrite && { headers: replayedHeader }),
        ...(hasPages(route) && { headers: nextHeader }),
      },
    ],
    otherReplies: otherReplies(route, example.reply),
    failures: route.statuses.filter((status) => status >= 400),
  }
}

const hasPages = ({ query }: Route) => Object.values<unknown>(nextPage).includes(query?.after)

function parametersOf({ path, params = {}, query = {} }: Route): Parameter[] {
  const schema = { type: 'string' } as const
  const required = true
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]): Parameter => ({
    name: name!,
    in: 'path',
    required,
    schema: querySchema(params[name!] ?? ''),
  }))
  const rest: Parameter = {
    name: 'path',
    in: 'path',
    required,
    description: 'The rest of the URL path, including slashes.',
    schema,
  }
  const inQuery = Object.entries(query).map(([name, parameter]): Parameter => ({
    name,
    in: 'query',
    ...(typeof parameter === 'object' && parameter.required && { required }),
    description: typeof parameter === 'string' ? parameter : parameter.doc,
    schema: querySchema(parameter),
  }))
  return [...inPath, ...(path.endsWith('*') ? [rest] : []), ...inQuery]
}

function querySchema(parameter: QueryParameter): Schema {
  if (typeof parameter === 'string') return { type: 'string' }
  const { whole, words, flag, pattern, format } = parameter
  if (whole) return { type: 'integer', format: 'int64', minimum: whole[0], maximum: whole[1] }
  if (flag) return { type: 'boolean' }
  return { type: 'string', ...(words && { enum: words }), ...(pattern && { pattern }), ...(format && { format }) }
}

function bodyOf(route: Route, example?: object): Request | undefined {
  const { request, requestList, requestOptional, requestForm, requestBytes, form, container } = route
  if (requestBytes) return { required: true, content: { 'application/octet-stream': { schema: {} } } }
  if (form) return { required: true, content: { 'multipart/form-data': formOf(form, example) } }
  if (requestForm) {
    const content = { schema: schemaRef(requestForm.name), example: example ?? sampleOf(requestForm) }
    return { required: true, content: { 'application/x-www-form-urlencoded': content } }
  }
  if (requestList) {
    const schema = { type: 'array', items: schemaRef(requestList.name), minItems: 1 } as const
    return { required: true, content: inJson(schema, example ?? [sampleOf(requestList)]) }
  }
  if (container !== undefined)
    return {
      required: true,
      content: inAllFormats(schemaRef(`pim.${container}`), request!, example ?? sampleOf(request!)),
    }
  return request && { required: !requestOptional, content: described(route, request, example) }
}

/** A form contains a file and its parameters. Bytes have no example, so the example contains the file name instead. */
function formOf(form: Type | 'chunk', example?: object): Content[string] {
  const payload: Schema = { type: 'string', format: 'binary', description: 'The file, with its file name.' }
  const [name, schema, sample]: [string, Schema, unknown] =
    form === 'chunk'
      ? ['chunkId', { type: 'integer', format: 'int32', description: 'Number of the chunk, from 0.' }, 0]
      : ['params', schemaRef(form.name), example ?? sampleOf(form)]
  const required = [name, 'payload']
  return {
    schema: { type: 'object', properties: { [name]: schema, payload }, required, additionalProperties: false },
    example: { [name]: sample, payload: 'sail.jpg' },
  }
}

function replyOf(route: Route, example?: object): Reply {
  const { reply, replyList } = route
  if (replyList) {
    const schema = { type: 'array', items: schemaRef(replyList.name) } as const
    return { description: replyList.doc, content: inJson(schema, example ?? [sampleOf(replyList)]) }
  }
  if (reply === undefined) return { description: 'Success. The reply is empty.' }
  if (typeof reply === 'object') return { description: reply.doc, content: described(route, reply, example) }
  if (reply !== 'bytes') return plainReplies[reply](example)
  const { media = ['application/octet-stream', '*/*'] } = route
  return {
    description: 'The content of a file.',
    content: Object.fromEntries(media.map((type) => [type, { schema: {} }])),
  }
}

/** A failure with the body of a success: a list with the failure of each item. */
function otherReplies(route: Route, example?: object): Record<string, Reply> {
  const { repliesWith, replyList } = route
  if (repliesWith === undefined || !replyList) return {}
  const schema = {
    oneOf: [{ type: 'array', items: schemaRef(replyList.name) }, schemaRef(ErrorResponse.name)],
  } as const
  const content = inJson(schema, example ?? [sampleOf(replyList)])
  return { [repliesWith]: { description: 'Every item failed; or an internal error, as the error envelope.', content } }
}

const words: Schema = { type: 'object', additionalProperties: { type: 'string' } }
const plainReplies: Record<Exclude<Extract<Route['reply'], string>, 'bytes'>, (example?: object) => Reply> = {
  text: () => ({ description: 'A text.', content: { 'text/plain': { schema: { type: 'string' }, example: 'text' } } }),
  string: () => ({ description: 'A text.', content: inJson({ type: 'string' }, 'text') }),
  map: (example = { name: 'word' }) => ({ description: 'A map of texts.', content: inJson(words, example) }),
}

function described({ formats }: Route, type: Type, example = sampleOf(type)): Content {
  const schema = schemaRef(type.name)
  return formats === 'json' ? inJson(schema, example) : inAllFormats(schema, type, example)
}
