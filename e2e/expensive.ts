/** The most expensive requests that the limits allow: derived from the contract, or from a table where that knows more. */
import { type Area, areas, type Field, type Resource, type Route, type Type } from '@kontor/contract'
import { bpmn } from '../server/test/bpmn.ts'

export interface Expensive {
  /** `POST /api/core/v1/pim/products/persist` */
  readonly route: string
  readonly method: string
  readonly path: string
  /** Differs from attempt to attempt where it stores something. */
  readonly body?: (attempt: number) => string
  readonly type?: string
  readonly accept?: string
}

const long = (length: number) =>
  'Kontor öffnet "alles" <b>&amp; mehr</b>\n'.repeat(Math.ceil(length / 40)).slice(0, length)
const many = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i))

/** A value of a type with every field: texts of a given length, lists of a given size, to a depth. */
function filled(type: Type, size: Size, depth = 0): Record<string, unknown> {
  const entries = Object.entries(type.fields).flatMap(([name, field]) => {
    const value = valueOf(field, size, depth)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}
interface Size {
  readonly text: number
  readonly list: number
}
const maxDepth = 3
const innerList = 2

function valueOf(field: Field, size: Size, depth: number): unknown {
  const { kind, scalar, words, type } = field
  if (kind === 'map') return { key: long(size.text) }
  if (kind === 'anything') return long(size.text)
  if (kind === 'child') return depth < maxDepth ? filled(type!(), size, depth + 1) : undefined
  if (kind === 'children')
    return depth < maxDepth
      ? many(depth === 0 ? size.list : innerList, () => filled(type!(), size, depth + 1))
      : undefined
  const one = scalarOf(scalar!, words, size)
  return kind === 'leaves' ? many(depth === 0 ? size.list : innerList, () => one) : one
}

function scalarOf(scalar: NonNullable<Field['scalar']>, words: Field['words'], { text }: Size): unknown {
  if (typeof scalar !== 'string') return scalar[0]
  if (scalar === 'string') return words?.[0] ?? long(text)
  if (scalar === 'date') return '2024-02-29T00:00:00Z'
  if (scalar === 'boolean') return true
  return scalar === 'flag' ? 'true' : 1
}

/** The values of path parameters. */
const parameters: Readonly<Record<string, string>> = { id: '1', tid: 'P1' }
const pathOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '1')
/** Bytes of a body; the limit is higher, but every route would take as many times longer. */
const budget = 4 * 1024 * 1024
const json = (make: (attempt: number) => unknown) => ({
  body: (attempt: number) => JSON.stringify(make(attempt)),
  type: 'application/json',
})

/** A list of as many elements as fit into the budget. */
function fitting<T>(most: number, of: (i: number) => T): T[] {
  const length = JSON.stringify(of(0)).length
  return many(Math.min(most, Math.max(1, Math.floor(budget / length))), of)
}
/** A value whose lists have as many elements as fit into the budget. */
function withLists(type: Type, text: number): object {
  const [few, more] = [1, 11].map((list) => JSON.stringify(filled(type, { text, list })).length) as [number, number]
  const each = Math.max((more - few) / 10, 1)
  return filled(type, { text, list: Math.max(1, Math.min(10_000, Math.floor((budget - few) / each))) })
}
const envelope = (container: string, element: string, items: (attempt: number) => readonly unknown[]) =>
  json((attempt) => ({ schemaVersion: '5.6.0', [container]: { [element]: items(attempt) } }))

function ofResource(path: string, resource: Resource): Expensive[] {
  const { container, element, item, query, retrieve, persist, perform = {}, bulk } = resource
  const post = (verb: string, body: object): Expensive => ({
    route: `POST ${path}/${verb}`,
    method: 'POST',
    path: `${path}/${verb}`,
    ...body,
  })
  const objects = envelope(container, element, () => fitting(1000, () => filled(item, { text: 100, list: 3 })))
  const one = envelope(container, element, () => [withLists(item, 200)])
  const actions = Object.keys(perform).map(
    (type) =>
    post('perform', envelope('actions', 'action', () => many(1000, (i) => ({ type, dataType: resource.dataType, id: i + 1, tid: `T${i}`, path: `/${long(200)}` })))), // prettier-ignore
  )
  return [
    ...(query
      ? [
          post(
            'query',
            json(() => ({})),
          ),
          post(
            'query',
            json(() => withLists(query.request, 200)),
          ),
        ]
      : []),
    ...(retrieve ? [post('retrieve', json(() => ({}))), post('retrieve', json(() => withLists(retrieve, 200)))] : []), // prettier-ignore
    ...(persist ? [post('persist', objects), post('persist', one)] : []),
    ...actions,
    ...(bulk === 'write' ? [post('bulk', objects)] : []),
    ...(bulk ? [{ route: `GET ${path}/bulk/{id}`, method: 'GET', path: `${path}/bulk/1` }] : []),
  ]
}

function ofRoute(
  base: string,
  { method, path, request, requestList, query = {}, form, requestBytes }: Route,
): Expensive {
  const asked = Object.keys(query).filter((name) => !['wait', 'after'].includes(name)).map((name) => `${name}=1`).join('&') // prettier-ignore
  return {
    route: `${method} ${base}${path}`,
    method,
    path: `${base}${pathOf(path)}${asked === '' ? '' : `?${asked}`}`,
    ...(request && json(() => withLists(request, 1000))),
    ...(requestList && json(() => fitting(10_000, () => filled(requestList, { text: 100, list: 3 })))),
    ...((form ?? requestBytes) && { body: () => 'x'.repeat(budget), type: 'application/octet-stream' }),
  }
}

const ofArea = ({ base, resources, routes }: Area): Expensive[] => [
  ...Object.entries(resources).flatMap(([name, resource]) => ofResource(`${base}/${name}`, resource)),
  ...Object.values(routes).map((route) => ofRoute(base, route)),
]

const call = (method: string, path: string, more: object = {}): Expensive => ({
  route: `${method} ${path.split('?', 1)[0]}`,
  method,
  path,
  ...more,
})
const core = '/api/core/v1'
const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
const val = (attr: string, ...values: string[]) => ({ attr, itm: values.map((value) => ({ value })) })
const products = (of: (attempt: number) => readonly object[]) => call('POST', `${core}/pim/products/persist`, envelope('products', 'product', of)) // prettier-ignore
/** The least regular text: a pattern cannot reuse what it learnt of one part for another. */
const irregular = (length: number) => many(length, (i) => 'xy'[Math.imul(i * i + 7 * i, 0x9e3779b1) >>> 31]!).join('')

const slowPattern = '(x|y)*x(x|y){15}'
const attributes = [
  ...many(20, (i) => ({ tid: `text${i}`, type: 'text', ...named(`Text ${i}`) })),
  { tid: 'list', type: 'text', multiValued: { value: 'true' }, ...named('List') },
  { tid: 'slow', type: 'text', validation: { type: slowPattern }, ...named('Slow') },
]

/** The model that the requests below need. */
export const model: readonly Expensive[] = [
  call(
    'POST',
    `${core}/pim/attribute-definitions/persist`,
    envelope('attrDefs', 'attrDef', () => attributes),
  ),
  call(
    'POST',
    `${core}/pim/classes/persist`,
    envelope('classes', 'clazz', () => [{ tid: 'C', ...named('C') }]),
  ),
  call('POST', `${core}/pim/nodes/persist`, envelope('nodes', 'node', () => [{ parentPath: '/C', tid: 'N', ...named('N') }])), // prettier-ignore
]

/** Requests that only somebody who knows the code would send. Those that store come first. */
const special: readonly Expensive[] = [
  products((t) => many(1000, (i) => ({ tid: `P${t} ${i}`, name: `P ${t} ${i}`, node: '/C/N', vals: { val: many(20, (n) => val(`text${n}`, long(400))) } }))), // prettier-ignore
  products((t) => many(1000, (i) => ({ tid: `P0 ${i}`, vals: { val: many(20, (n) => val(`text${n}`, `${t} ${i} ${long(400)}`)) } }))), // prettier-ignore
  products((t) => [{ tid: `L${t}`, name: `L ${t}`, node: '/C/N', vals: { val: [{ attr: 'list', itm: many(10_000, (i) => ({ value: `${i} ${long(100)}`, pos: i })) }] } }]), // prettier-ignore
  products((t) => [{ tid: `A${t}`, name: `A ${t}`, node: '/C/N', articles: { article: many(5000, (i) => ({ tid: `A${t} ${i}`, name: `A ${i}`, vals: { val: [val('text0', long(400))] } })) } }]), // prettier-ignore
  products((t) => many(100, (i) => ({ tid: `S${t} ${i}`, name: `S ${t} ${i}`, node: '/C/N', vals: { val: [val('slow', irregular(9000))] } }))), // prettier-ignore
  products((t) => many(1000, (i) => ({ tid: `B${t} ${i}`, name: `B ${t} ${i}`, node: '/C/N', vals: { val: many(20, (n) => val(`text${n}`, long(2300))) } }))), // prettier-ignore
  products((t) => [{ tid: `W${t}`, name: `W ${t}`, node: '/C/N', articles: { article: many(5000, (i) => ({ tid: `W${t} ${i}`, name: `W ${i}`, vals: { val: [val('text0', long(2100))] } })) } }]), // prettier-ignore
  products((t) => many(1000, (i) => ({ tid: `B0 ${i}`, vals: { val: many(20, (n) => val(`text${n}`, `${t} ${long(2300)}`)) } }))), // prettier-ignore
  call('POST', `${core}/common/keywords/persist`, envelope('kwds', 'kwd', (t) => many(1000, (i) => named(`Keyword ${t} ${i} ${long(150).replaceAll('\n', ' ').trim()}`)))), // prettier-ignore
  ...['application/json', 'application/xml', 'application/json+compact'].map((accept) =>
    call('POST', `${core}/pim/products/retrieve`, { ...json(() => ({ tids: many(1000, (i) => `B0 ${i}`) })), accept }),
  ),
  call(
    'POST',
    `${core}/pim/products/retrieve`,
    json(() => ({ tids: ['A0', 'L0', 'W0'] })),
  ),
  call(
    'POST',
    `${core}/pim/products/query`,
    json(() => ({})),
  ),
  call('GET', `/api/v1/events?after=1.0&count=1000&types=${many(50, () => `${'*k'.repeat(48)}z`).join(',')}`),
  ...[
    bpmn(`start > ${many(1500, (i) => `t${i}:user`).join(' > ')} > end`),
    bpmn('start > a:user > end').replace('<process', `${'<x/>'.repeat(60_000)}<process`),
  ].map((xml) =>
    call(
      'POST',
      '/api/v1/workflow/definitions/check',
      json(() => ({ xml })),
    ),
  ),
  ...['type-ahead', 'suggest'].map(
    (name) =>
    call('POST', `/api/v1/search/${name}`, json(() => ({ index: 'PRODUCT', text: 'a '.repeat(490), count: 100, ...(name === 'type-ahead' && { slop: 20 }) }))), // prettier-ignore
  ),
  call(
    'POST',
    '/api/v1/search',
    json(() => ({
      context: { searchType: 'INDEX', index: 'PRODUCT' },
      query: { queryType: 'FULLTEXT', value: 'kontor alles mehr' },
      pageSize: 1000,
    })),
  ),
  call('POST', `${core}/pim/attribute-definitions/persist`, envelope('attrDefs', 'attrDef', () => many(1000, (i) => ({ tid: `pattern${i}`, type: 'text', ...named('x'), validation: { type: '(x|y)*x(x|y){300}' } })))), // prettier-ignore
  call(
    'POST',
    `${core}/peo/peos/query`,
    json(() => ({ modifiedFrom: 'T'.repeat(1_000_000) })),
  ),
  call('POST', `${core}/common/transform`, json(() => ({ schemaVersion: '5.6.0', products: { product: fitting(100_000, (i) => ({ tid: `P${i}`, vals: { val: [val('text0', long(400))] } })) } }))), // prettier-ignore
]

export const expensive: readonly Expensive[] = [...special, ...areas.flatMap(ofArea)].filter(
  // The stream does not end, and signing out or changing the password would end the test.
  ({ route }) => !/events\/stream|\/me\/(sessions|password|two-factor)|logout/.test(route),
)
