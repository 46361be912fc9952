/**
 * Wide-open requests, derived from the contract: every part that can be asked for, the most levels, and the names of all
 * objects, once by each of the fields that can name them.
 */
import { type Area, areas, type Field, type Resource, type Route, type Type } from '@kontor/contract'
import type { Names } from './canary-world.ts'
import type { CallOptions } from './server.ts'

export interface Request {
  readonly method: NonNullable<CallOptions['method']>
  readonly address: string
  readonly body?: object | string
}
/** A call of the contract that reads, and the type of its body. */
export interface ReadingCall {
  readonly route: string
  readonly request: Type | undefined
  readonly list?: boolean
  readonly query: readonly string[]
  readonly formats: Route['formats']
}

/** Every call with which somebody who is not an administrator reads. */
export const readingCalls: readonly ReadingCall[] = areas.flatMap(({ base, resources, routes }: Area) => [
  ...Object.entries(resources).flatMap(([name, resource]) => ofResource(`${base}/${name}`, resource)),
  ...Object.values(routes).flatMap((route) => ofRoute(base, route)),
])

function ofResource(path: string, { access, query, retrieve, bulk }: Resource): ReadingCall[] {
  if (access === 'admin') return []
  const call = (route: string, request?: Type): ReadingCall => ({ route, request, query: [], formats: 'all' })
  return [
    ...(query ? [call(`POST ${path}/query`, query.request)] : []),
    ...(retrieve ? [call(`POST ${path}/retrieve`, retrieve)] : []),
    ...(bulk ? [call(`GET ${path}/bulk/{id}`)] : []),
  ]
}

function ofRoute(base: string, route: Route): ReadingCall[] {
  const { access, method, path, needs, request, requestList, query = {}, formats } = route
  const action = needs?.action ?? (method === 'GET' ? 'read' : 'update')
  if (access === 'admin' || (access === 'user' && action !== 'read')) return []
  return [
    {
      route: `${method} ${base}${path}`,
      request: request ?? requestList,
      list: requestList !== undefined,
      query: Object.keys(query),
      formats,
    },
  ]
}

/** Query parameters that widen a reply. The others narrow it. */
const wideQuery: Readonly<Record<string, string>> = {
  count: '100',
  includeParentAttributes: 'true',
  showAllowedOperators: 'true',
}

export function requestsOf({ route, request, list, query }: ReadingCall, names: Names): Request[] {
  const [method = 'GET', path = ''] = route.split(' ')
  const wide = query.flatMap((name) => (name in wideQuery ? [`${name}=${wideQuery[name]}`] : []))
  const suffix = wide.length > 0 ? `?${wide.join('&')}` : ''
  const addresses = addressesOf(path, names).map((address) => `${address}${suffix}`)
  const bodies = request ? bodiesOf(request, names) : [undefined]
  return addresses.flatMap((address) =>
    bodies.map((body) => ({
      method: method as Request['method'],
      address,
      ...(body && { body: list ? [body] : body }),
    })),
  )
}

function addressesOf(path: string, { ids, tids, paths }: Names): string[] {
  if (path.endsWith('/*')) {
    return [...paths, ...ids].map((name) => path.slice(0, -1) + encodeURI(String(name).replace(/^\//, '')))
  }
  if (!path.includes('{')) return [path]
  return [...ids, ...tids].map((name) => path.replace(/\{\w+\}/, encodeURIComponent(name)))
}

/** Flags that leave something out, or choose other objects: requests are sent with and without them. */
const choosing = new Set(['all', 'root', 'flatNodes', 'namesOnly', 'numbersOnly', 'overdue'])
const largest: Readonly<Record<string, unknown>> = { level: 100, count: 200, pageSize: 1000 }

type Body = Record<string, unknown>

export function bodiesOf({ fields }: Type, names: Names): Body[] {
  const all = Object.entries(fields)
  const flags = all.filter(([, { scalar }]) => scalar === 'boolean' || scalar === 'flag')
  const wide = Object.fromEntries([
    ...flags.filter(([name]) => !choosing.has(name)).map(([name]) => [name, true] as const),
    ...all.flatMap(([name]) => (name in largest ? [[name, largest[name]] as const] : [])),
    ...all.flatMap(([name, field]) => (field.kind === 'leaves' && name === 'attributes' ? [[name, names.attributes] as const] : [])), // prettier-ignore
  ])
  const chosen = Object.fromEntries(flags.filter(([name]) => choosing.has(name)).map(([name]) => [name, true]))
  const bases = Object.keys(chosen).length > 0 ? [wide, { ...wide, ...chosen }] : [wide]
  const worded = all.reduce<Body[]>((some, [name, field]) => withWords(some, name, field), bases)
  const selections: Body[] = [{}, ...all.flatMap(([name, field]) => selectionsBy(name, field, names))]
  return worded.flatMap((base) => selections.map((selection) => ({ ...base, ...selection })))
}

/** One request per word of a required enumeration; of an optional one the last word, which is the widest. */
function withWords(bodies: Body[], name: string, { kind, scalar, words, required }: Field): Body[] {
  const known = typeof scalar === 'object' ? scalar : words
  if (!known || kind !== 'leaf') return bodies
  if (required) return known.flatMap((word) => bodies.map((body) => ({ ...body, [name]: word })))
  return name === 'retrieveLinkedAssetsBehavior' ? bodies.map((body) => ({ ...body, [name]: known.at(-1) })) : bodies
}

/** A list names everything at once, a single name one object per request. */
function selectionsBy(name: string, { kind, scalar }: Field, { tids, ids, paths }: Names): Body[] {
  const isText = scalar === 'string'
  if (kind === 'leaves') {
    if (isText && /^(tids|\w+Tids|identities)$/.test(name)) return [{ [name]: [...tids, ...paths] }]
    if (scalar === 'long' && /ids$/i.test(name)) return [{ [name]: ids }]
    return isText && /paths$/i.test(name) ? [{ [name]: paths }, ...paths.map((path) => ({ [name]: [path] }))] : []
  }
  if (kind !== 'leaf' && kind !== 'attr') return []
  if (isText && /^(tid|tid[A-Z]\w+|\w+Tid)$/.test(name)) return tids.map((tid) => ({ [name]: tid }))
  if (scalar === 'long' && /^(id|\w+Id)$/.test(name)) return ids.map((id) => ({ [name]: id }))
  return isText && /path$/i.test(name) ? paths.map((path) => ({ [name]: path })) : []
}
