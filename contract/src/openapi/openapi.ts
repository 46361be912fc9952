/**
 * The OpenAPI 3.1 document of the interface, derived from the declarations of the areas.
 *
 * Schemas describe the JSON form. `xml` hints describe the XML form of the same message.
 */
import { streamedField } from '../codec/codec.ts'
import { listIn } from '../codec/compact.ts'
import type { Area, Resource } from '../endpoint.ts'
import { matches, type Type } from '../schema/describe.ts'
import { ErrorResponse, Pim, schemaVersionPattern } from '../schema/envelope.ts'
import { SearchError } from '../schema/search.ts'
import { requestTypes, typesWithin } from '../schema/types.ts'
import { headers } from './call.ts'
import { compactName, compactSchemas, objectSchema } from './compact-schema.ts'
import type { OpenApi } from './document.ts'
import { failureReplies } from './failures.ts'
import { type Schema, typeSchema } from './json-schema.ts'
import { areaName, pathsOf } from './operations.ts'

interface OpenApiInfo {
  readonly version: string
  /** URL of the installation, without a trailing slash. */
  readonly serverUrl?: string
  readonly realm?: string
  /** The external OpenID provider, if one replaces the bundled one. */
  readonly issuer?: string | undefined
}

export function openapi(
  areas: readonly Area[],
  { version, serverUrl = '', realm = 'kontor', issuer }: OpenApiInfo,
): OpenApi {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kontor',
      version,
      summary: 'Product information, digital assets, channels, workflow and search.',
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: `${serverUrl}/api/core/v1/schema/pim.xsd`, description: 'The XML Schema of all messages' },
    servers: [{ url: serverUrl || '/' }],
    tags: areas.map((area) => ({ name: areaName(area), description: area.doc })),
    paths: Object.assign({}, ...areas.map(pathsOf)) as OpenApi['paths'],
    components: {
      schemas: { ...typeSchemas(areas), ...envelopeSchemas(areas), ...compactSchemas(compactRoots(areas)) },
      parameters: headers,
      responses: failureReplies(),
      securitySchemes: issuer === undefined ? bundled(`${serverUrl}/auth/realms/${realm}`) : external(issuer),
    },
  }
}

const introduction = `
**Verbs.** \`query\` returns identifiers, \`retrieve\` returns objects, \`persist\` creates or updates them, \`perform\` executes actions on them. \`bulk\` accepts the messages of \`persist\` and \`perform\` at any length and processes them in the background.

**Formats.** Most calls support \`application/json\`, \`application/xml\` and \`application/json+compact\`. \`Content-Type\` is the format of the request and \`Accept\` the format of the reply. \`text/xml\` is accepted as another name of \`application/xml\`, and replies then have that name. Without \`Accept\`, the reply has the format of the request. \`POST /api/core/v1/common/transform\` converts a message from one format to another.

**Compact JSON.** It is the JSON form with all lists folded that can be unfolded without loss: a container becomes its list, key/value items a map, localized items a map by locale, list items an array, a single item its text, and attribute values a map by attribute. Its schemas are named \`compact.…\` and describe what the server writes; the unfolded form is accepted everywhere.

**Identifiers.** \`id\` is a number that the system assigns. \`tid\` is a technical identifier, unique per kind of object; a client may choose it when it creates the object.

**Batches.** \`persist\` and \`perform\` reply with one record per item, \`SUCCESS\` or \`ERROR\`, in the order of the request. A refused item changes nothing and does not affect the other items. The status of the call is 200 even if items are refused.

**Dry runs and repeats.** A reply to \`Kontor-Dry-Run: true\` has the header \`Kontor-Dry-Run: true\`: nothing was stored. A stored reply to a repeated \`Idempotency-Key\` has the header \`Idempotency-Replayed: true\`.

**Failures.** Every call refuses unknown and repeated query parameters with 400, and methods that its path does not have with 405 and \`Allow\`. The reply to a failed call is an error envelope in the format of replies. Its support id is also in the server log.

**Access.** Every call requires the header \`Authorization: Bearer\` with an access token of the OpenID provider.

**Limits.** A list in a request has at most 10,000 values unless its schema says otherwise, a tree at most 64 levels, a URL at most 8 KiB. The numbers of objects in \`persist\` and \`perform\` and the sizes of messages are settings of the installation. A refusal names the limit.

Operations and headers marked with \`x-kontor\` are Kontor extensions of the interface.
`.trim()

/** Schemas of all types that messages of these areas can contain. */
function typeSchemas(areas: readonly Area[]): Record<string, Schema> {
  const resources = areas.flatMap((area) => Object.values(area.resources))
  const routes = areas.flatMap((area) => Object.values(area.routes))
  const isType = (type: unknown): type is Type => typeof type === 'object'
  const requests = [
    ...resources.flatMap(({ query, retrieve }) => [query?.request, retrieve]),
    ...routes.flatMap(({ request, requestList, requestForm, form }) => [request, requestList, requestForm, form]),
  ].filter(isType)
  const replies = [
    ...resources.map(({ query }) => query?.reply),
    ...routes.flatMap(({ reply, replyList }) => [reply, replyList]),
  ].filter(isType)
  const inXml = routes.filter(({ formats }) => formats === 'all').flatMap(({ request }) => request ?? [])
  const roots = new Set<Type>([Pim, ErrorResponse, ...requestTypes, ...inXml])
  const inReplies = typesWithin([Pim, ErrorResponse, SearchError, ...replies])
  const onlyInRequests = typesWithin(requests).filter((type) => !inReplies.includes(type))
  return Object.fromEntries([
    ...inReplies.map((type) => [type.name, typeSchema(type, { isRoot: roots.has(type) })]),
    ...onlyInRequests.map((type) => [type.name, typeSchema(type, { isRoot: roots.has(type), isRequest: true })]),
  ])
}

/** The types of all bodies that can be sent as compact JSON. */
function compactRoots(areas: readonly Area[]): Type[] {
  const resources = areas.flatMap((area) => Object.values(area.resources))
  const routes = areas.flatMap((area) => Object.values(area.routes)).filter(({ formats }) => formats === 'all')
  const bodies = [
    ...resources.flatMap(({ query, retrieve }) => [query?.request, retrieve]),
    ...routes.flatMap(({ request, reply }) => [request, reply]),
  ]
  return [...new Set([Pim, ErrorResponse, ...bodies.filter((type) => typeof type === 'object')])]
}

/** `pim.kwds`: the envelope with the container of a call, and the containers that may accompany it, in both JSON forms. */
function envelopeSchemas(areas: readonly Area[]): Record<string, Schema> {
  const persisted = areas.flatMap((area) => Object.values(area.resources)).filter(({ persist }) => persist)
  const routes = areas.flatMap((area) => Object.values(area.routes)).filter(({ container }) => container !== undefined)
  const requests = [...persisted, { container: 'actions' }, ...(routes as { container: string }[])].map(envelopeOf)
  const [name, responses] = envelopeOf({ container: 'responses' })
  return Object.fromEntries([
    ...requests.map(([name, type]) => [name, { ...typeSchema(type, { isRoot: true }), ...notEmpty(type, emptyIn) }]),
    [name, typeSchema(responses, { isRoot: true })],
    ...requests.map(([name, type]) => [compactName(name), { ...objectSchema(type), ...notEmpty(type, emptyFolded) }]),
    [compactName(name), objectSchema(responses)],
  ])
}

/** A request has at least one item. A rule by `not`, for the same reason as the choices of fields. */
function notEmpty({ fields }: Type, empty: (container: Type) => Schema): Schema {
  const containers = Object.entries(fields).filter(([name]) => name !== 'meta' && name !== 'schemaVersion')
  return { not: { properties: Object.fromEntries(containers.map(([name, field]) => [name, empty(field.type!())])) } }
}
/** The items of a container are its streamed list. Other lists, such as the single items of links, are none. */
const emptyIn = (container: Type): Schema => ({
  properties: { [streamedField(container)![0]]: { type: 'array', maxItems: 0 } },
})
/** A container that is folded to single items, as links can be, has no items. */
const emptyFolded = (container: Type): Schema => ({
  ...emptyIn(container),
  ...(!listIn(container)?.ofItems && { maxItems: 0 }),
})

function envelopeOf({ container, alongside = {} }: Pick<Resource, 'container' | 'alongside'>): [string, Type] {
  const names = [container, ...Object.keys(alongside)]
  const required = names.length === 1
  const contents = names.map((name) => [name, { ...Pim.fields[name]!, required }])
  const version = matches(Pim.fields.schemaVersion!, schemaVersionPattern)
  const fields = { schemaVersion: version, meta: Pim.fields.meta!, ...Object.fromEntries(contents) }
  return [`pim.${container}`, { name: Pim.name, doc: `The envelope with ${names.join(' and ')}.`, fields }]
}

const bundled = (issuer: string) =>
  securitySchemes(issuer, `An access token of POST ${issuer}/protocol/openid-connect/token, valid for one hour.`)
const external = (issuer: string) => securitySchemes(issuer, `An access token of the OpenID provider ${issuer}.`)

const securitySchemes = (issuer: string, description: string) => ({
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description },
  openId: {
    type: 'openIdConnect',
    openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  },
})
