/** The verbs of a resource as calls of the OpenAPI document. */
import { type ActionRule, type Resource, usualStatuses, type Verb } from '../endpoint.ts'
import { replyMeta } from '../endpoints/examples/build.ts'
import { examples } from '../endpoints/examples/examples.ts'
import { Action, Pim, schemaVersion } from '../schema/envelope.ts'
import { inAllFormats, inXmlAndJson, requestOf } from './bodies.ts'
import {
  type Call,
  etagHeader,
  idempotencyKey,
  ifMatch,
  kontorAtomic,
  kontorDryRun,
  kontorMaxStaleness,
  kontorViewAs,
  nextHeader,
  outcomeHeaders,
  pageParameters,
  replayedHeader,
} from './call.ts'
import type { Parameter, Reply } from './document.ts'
import { schemaRef } from './json-schema.ts'
import { sampleOf } from './sample.ts'

const runId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the bulk run.',
  schema: { type: 'string', format: 'uuid' },
}

/** `id` and `path` identify the resource: common.keywords, /api/core/v1/common/keywords. */
export function verbsOf(id: string, path: string, resource: Resource): Call[] {
  const words = wordsOf(id)
  const verb = (name: Verb, part: Pick<Call, 'summary' | 'description' | 'reply'> & Partial<Call>): Call => ({
    id: `${id}.${name}`,
    method: 'post',
    path: `${path}/${name}`,
    access: resource.access,
    own: resource.own,
    failures: (resource.statuses?.[name] ?? usualStatuses).filter((status) => status >= 400),
    ...part,
  })
  return [
    ...(resource.query ? [verb('query', query(id, words, resource.query))] : []),
    ...(resource.retrieve ? [verb('retrieve', retrieve(id, words, resource))] : []),
    ...(resource.persist ? [verb('persist', persist(id, words, resource))] : []),
    ...(resource.perform ? [verb('perform', perform(id, words, resource))] : []),
    ...(resource.bulk === 'write' ? [verb('bulk', bulk(id, words, resource))] : []),
    ...(resource.bulk
      ? [verb('bulk', { ...run(words, resource), id: `${id}.bulkState`, method: 'get', path: `${path}/bulk/{id}` })]
      : []),
  ]
}

/** common.glossaryEntries -> glossary entries, dam.assets.versions -> versions of assets, cm.channels.actions -> channels */
const wordsOf = (id: string) =>
  id
    .split('.')
    .slice(1)
    .filter((part) => part !== 'admin' && part !== 'actions')
    .toReversed()
    .join(' of ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('-', ' ')

function query(id: string, words: string, { request, reply }: NonNullable<Resource['query']>) {
  const example = examples[`${id}.query`] ?? {}
  const content = inXmlAndJson(schemaRef(reply.name), reply, example.reply ?? sampleOf(reply))
  return {
    summary: `Finds ${words}`,
    description: 'Returns the identifiers of the objects that the request selects.',
    parameters: [...pageParameters, kontorMaxStaleness, kontorViewAs],
    request: requestOf(request, example.request),
    reply: [200, { description: reply.doc, headers: nextHeader, content }] as const,
  }
}

function retrieve(id: string, words: string, resource: Resource) {
  const { container, retrieve: request } = resource
  const example = examples[`${id}.retrieve`] ?? {}
  const schema = { ...schemaRef(Pim.name), required: [container] }
  const content = inAllFormats(schema, Pim, example.reply ?? { meta: replyMeta(), ...envelopeOf(resource) })
  return {
    summary: `Retrieves ${words}`,
    description: 'Returns the objects that the request selects. Objects that do not exist are left out.',
    parameters: [kontorMaxStaleness, kontorViewAs],
    request: requestOf(request!, example.request),
    reply: [
      200,
      { description: `An envelope with \`${container}\`.`, ...(resource.tagged && { headers: etagHeader }), content },
    ] as const,
  }
}

function persist(id: string, words: string, resource: Resource) {
  const example = examples[`${id}.persist`]?.request ?? envelopeOf(resource)
  const content = inAllFormats(schemaRef(`pim.${resource.container}`), Pim, example)
  return {
    summary: `Creates or updates ${words}`,
    description: 'Fields that are not sent remain unchanged. A refused object does not affect the others.',
    parameters: [idempotencyKey, kontorAtomic, kontorDryRun, ...(resource.tagged ? [ifMatch] : [])],
    request: { required: true, content },
    reply: [200, { ...records('object', resource, 'create'), headers: outcomeHeaders }] as const,
  }
}

function perform(id: string, words: string, resource: Resource) {
  const [type, { identify }] = Object.entries(resource.perform!)[0]!
  const named = Object.entries(sampleOf(Action)).filter(([name]) => name === identify[0])
  const action = { dataType: resource.dataType, type, ...Object.fromEntries(named) }
  const example = examples[`${id}.perform`]?.request ?? { schemaVersion, actions: { action: [action] } }
  return {
    summary: `Performs actions on ${words}`,
    description: `Executes actions one by one, in the order of the request.\n\n${actionTable(resource)}`,
    parameters: [idempotencyKey, kontorAtomic, kontorDryRun],
    request: { required: true, content: inAllFormats(schemaRef('pim.actions'), Pim, example) },
    reply: [200, { ...records('action', resource, type), headers: outcomeHeaders }] as const,
  }
}

function bulk(id: string, words: string, resource: Resource) {
  const taken = [resource.persist && resource.container, resource.perform && 'actions'].filter(
    (name) => name !== undefined,
  )
  const [first, ...rest] = taken.map((name) => schemaRef(`pim.${name}`))
  const schema = rest.length === 0 ? first! : { oneOf: [first!, ...rest] }
  const example = examples[`${id}.persist`]?.request ?? envelopeOf(resource)
  const text = { schema: { type: 'string', format: 'uuid' }, example: '0f9a3f0e-5c1e-4d3b-9a53-2f6f0a7c9d21' } as const
  return {
    summary: `Starts a bulk run of ${words}`,
    description: 'Accepts the messages of persist and perform at any length and processes them in the background.',
    parameters: [idempotencyKey],
    request: { required: true, content: inAllFormats(schema, Pim, example) },
    reply: [
      200,
      { description: 'Id of the bulk run.', headers: replayedHeader, content: { 'text/plain': text } },
    ] as const,
  }
}

function run(words: string, resource: Resource) {
  const state = '`meta` has `state` (`waiting`, `running`, `finished` or `failed`), `processed` and `total`'
  return {
    summary: `Returns the state of a bulk run of ${words}`,
    description: `${state}; \`responses\` has the records so far.`,
    parameters: [runId],
    reply: [200, records('item', resource, 'create', { state: 'finished', processed: '1', total: '1' })] as const,
  }
}

const envelopeOf = ({ container, element, item }: Resource) => ({
  schemaVersion,
  [container]: { [element]: [sampleOf(item)] },
})

function records(item: string, { dataType }: Resource, action: string, meta: Record<string, string> = {}): Reply {
  const response = [{ status: 'SUCCESS', action, dataType, id: 4711 }]
  const example = { schemaVersion, meta: replyMeta(meta), responses: { response } }
  const content = inAllFormats(schemaRef('pim.responses'), Pim, example)
  return { description: `One record per ${item}, in the same order.`, content }
}

function actionTable({ dataType, actionTypes = [], perform }: Resource): string {
  const rows = Object.entries(perform!).map(([type, rule]) => [
    anyOf([type, ...(rule.aliases ?? [])]),
    anyOf(rule.identify) || 'meta',
    [rule.doc, ...metaDocs(rule)].join('<br>'),
  ])
  const table = [['type', 'object by', 'effect and meta keys'], ['---', '---', '---'], ...rows]
  const lines = table.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  return `The \`dataType\` of an action is ${anyOf([dataType, ...actionTypes])}.\n\n${lines.join('\n')}`
}
const anyOf = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(' or ')
const metaDocs = ({ meta = {} }: ActionRule) => Object.entries(meta).map(([key, doc]) => `\`${key}\`: ${doc}`)
