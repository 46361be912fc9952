/**
 * Input that no column can store: whole numbers beyond the range of their type, texts with a NUL or half a character.
 *
 * Every operation of the contract is called with each of them in every path parameter, every query parameter and every
 * field of its body. The reply may refuse or find nothing; it is never 500.
 */
import { type Area, areas, type Field, openapi, type Resource, type Route, type Type } from '@kontor/contract'
import { expect, test } from 'vitest'
import { type CallOptions, withServer } from './server.ts'

const api = withServer()

interface Operation {
  readonly name: string
  readonly method: NonNullable<CallOptions['method']>
  readonly path: string
  readonly query: readonly string[]
  readonly body?: { readonly type: Type; readonly sample: object; readonly asList?: boolean } | undefined
}

const document = openapi(areas, { version: '1' })

/** The sample of the reference, so that each fault is the only one in the request. */
function sampleOf(method: string, path: string): object {
  const item = document.paths[path.replace('*', '{path}')] as Record<string, { requestBody?: { content: object } }>
  const content = (item[method.toLowerCase()]?.requestBody?.content ?? {}) as Record<string, { example?: object }>
  return content['application/json']?.example ?? {}
}

const verbs = ['query', 'retrieve', 'persist', 'perform', 'bulk'] as const

function ofResource(base: string, name: string, resource: Resource, envelope: Type): Operation[] {
  return verbs
    .filter((verb) => resource[verb] && (verb !== 'bulk' || resource.bulk === 'write'))
    .map((verb) => {
      const path = `${base}/${name}/${verb}`
      const type =
        verb === 'query'
          ? resource.query!.request
          : verb === 'retrieve'
            ? resource.retrieve!
            : onlyOf(envelope, verb === 'perform' ? 'actions' : resource.container)
      return { name: `POST ${path}`, method: 'POST', path, query: [], body: { type, sample: sampleOf('POST', path) } }
    })
}

/** The envelope with one container, because the others are refused. */
const onlyOf = (envelope: Type, container: string): Type => ({
  ...envelope,
  fields: { schemaVersion: envelope.fields.schemaVersion!, [container]: envelope.fields[container]! },
})

function ofRoute(base: string, route: Route): Operation {
  const { method, request, requestList, query = {} } = route
  const path = base + route.path
  const type = request ?? requestList
  return {
    name: `${method} ${path}`,
    method,
    path,
    query: Object.keys(query),
    body: type && { type, sample: sampleOf(method, path), asList: requestList !== undefined },
  }
}

const envelope = areas
  .flatMap(({ routes }) => Object.values(routes) as Route[])
  .find(({ request }) => request?.name === 'pim')!.request!

const operations = areas.flatMap(({ base, resources, routes }: Area) => [
  ...Object.entries(resources).flatMap(([name, resource]) => ofResource(base, name, resource, envelope)),
  ...Object.values(routes).map((route) => ofRoute(base, route)),
])

/** As JSON text, because JavaScript would round them. */
const numbers = ['2147483648', '9007199254740993', '-9223372036854775808', '9223372036854775808', '1e400', '1.5']
const texts = ['"a\\u0000b"', '"a\\ud800b"']
const inUrl = [
  '2147483648',
  '9007199254740993',
  '-9223372036854775808',
  '9223372036854775808',
  '1e400',
  'a%00b',
  '%ED%A0%80',
  '%00',
]

/** Marks the place of the value in the sample. */
const place = '\u2063place\u2063'
type Place = readonly [path: string, body: unknown, values: readonly string[]]

const isNumber = ({ scalar }: Field) => scalar === 'long' || scalar === 'integer' || scalar === 'number'

/** Fields that were tried with every value. A type is used by several operations, which get one value more each. */
const tried = new Set<string>()
function firstTime(type: Type, name: string, values: readonly string[]): readonly string[] {
  const field = `${type.name}.${name}`
  if (tried.has(field)) return values.slice(0, 1)
  tried.add(field)
  return values
}

/** The sample with each field of the type replaced by the place, one at a time. */
function* placesOf(type: Type, sample: Record<string, unknown>, above: readonly Type[] = []): Generator<Place> {
  if (above.includes(type)) return
  for (const [name, field] of Object.entries(type.fields)) {
    const { kind } = field
    const put = (value: unknown) => ({ ...sample, [name]: value })
    if (kind === 'map') yield [name, put({ key: place }), firstTime(type, name, texts)]
    else if (kind === 'anything') yield [name, put(place), firstTime(type, name, [...numbers, ...texts])]
    else if (field.type === undefined) {
      const values = isNumber(field)
        ? [...numbers, ...texts]
        : [...texts, '"9223372036854775808"', '9223372036854775808']
      yield [name, put(kind === 'leaves' ? [place] : place), firstTime(type, name, values)]
    } else {
      const inside = field.type()
      const own = [sample[name]].flat()[0] as Record<string, unknown> | undefined
      for (const [path, value, values] of placesOf(inside, own ?? {}, [...above, type]))
        yield [`${name}/${path}`, put(kind === 'children' ? [value] : value), values]
    }
  }
}

/** Another administrator for every operation, and after one that signs the caller out. */
let token = ''
let count = 0
const signIn = async () => (token = await api.tokenFor({ roles: ['admin'], name: `strict${count++}` }))

async function answer(operation: Operation, parameters: Record<string, string>, body?: string | Buffer, type?: string) {
  const { method, path, query } = operation
  const inPath = (_: string, name: string) => parameters[name] ?? '4711'
  const url = path.replaceAll(/\{(\w+)\}/g, inPath).replace('*', parameters['*'] ?? 'x')
  const asked = query.filter((name) => parameters[name] !== undefined).map((name) => `${name}=${parameters[name]}`)
  const whole = asked.length > 0 ? `${url}?${asked.join('&')}` : url
  const ask = () => api.post(whole, body, { method, token, ...(type && { type }) })
  const reply = await ask()
  if (reply.status !== 401) return reply
  await signIn()
  return ask()
}

/** A start that no workflow follows is 500 by the interface; its issues say why. */
const isBug = ({ status, text }: { status: number; text: string }) =>
  status >= 500 && (/1000|1013/.test(text) || !text.startsWith('['))

test.each(operations)('$name is never answered with 500', async (operation) => {
  const { path, query, body } = operation
  await signIn()
  const wrong: string[] = []
  const note = (where: string, reply: { status: number; text: string }) => {
    if (isBug(reply)) wrong.push(`${where}: ${reply.status} ${reply.text.slice(0, 300)}`)
    if (reply.status === 401) wrong.push(`${where}: 401, so it tests nothing`)
  }
  const sample = body && JSON.stringify(body.sample)
  const names = [...path.matchAll(/\{(\w+)\}|(\*)/g)].map(([, name, rest]) => name ?? rest!)
  for (const name of [...names, ...query])
    for (const value of inUrl) note(`${name}=${value}`, await answer(operation, { [name]: value }, sample))
  if (body) {
    const first = [body.sample].flat()[0] as Record<string, unknown>
    for (const [where, value, values] of placesOf(body.type, first))
      for (const written of values) {
        const text = JSON.stringify(body.asList ? [value] : value).replace(JSON.stringify(place), written)
        note(`${where}=${written}`, await answer(operation, {}, text))
      }
  }
  expect(wrong).toEqual([])
})

/** Actions with ids and meta values that are numbers in texts. */
const actions = areas.flatMap(({ base, resources }: Area) =>
  Object.entries(resources).flatMap(([name, { perform = {}, dataType, actionTypes = [] }]) =>
    Object.entries(perform).map(([type, { meta = {} }]) => ({
      path: `${base}/${name}/perform`,
      type,
      dataType: actionTypes[0] ?? dataType,
      keys: Object.keys(meta),
    })),
  ),
)

test.each(actions)('$path with $type is never answered with 500', async ({ path, type, dataType, keys }) => {
  await signIn()
  const send = async (action: object, number: string) => {
    const body = JSON.stringify({ schemaVersion: '5.6.0', actions: { action: [{ dataType, type, ...action }] } })
    const operation = { name: '', method: 'POST', path, query: [] } as const
    const { status, text } = await answer(operation, {}, body.replace(`"${place}"`, number))
    expect([status, text]).toEqual([expect.toBeOneOf([200, 400]), expect.not.stringContaining('"1000"')])
  }
  for (const number of numbers) {
    await send({ id: place }, number)
    for (const key of keys)
      for (const address of [{ id: 1 }, { tid: 'a' }, { path: '/MAM/a' }])
        await send({ ...address, meta: { itm: [{ key, value: place }] } }, JSON.stringify(number))
  }
})

const forms = areas.flatMap(({ base, routes }: Area) =>
  (Object.values(routes) as Route[])
    .filter(({ form }) => form)
    .map((route) => ({ ...ofRoute(base, route), form: route.form! })),
)

test.each(forms)(
  '$name is never answered with 500, whatever the fields of its form',
  async ({ form, ...operation }) => {
    await signIn()
    const [name, bodies] =
    form === 'chunk'
      ? ['chunkId', [...numbers, ...texts.map((text) => JSON.parse(text) as string)]]
      : ['params', [...placesOf(form, { path: '/MAM/a.txt' })].flatMap(([, value, values]) => values.map((written) => JSON.stringify(value).replace(JSON.stringify(place), written)))] // prettier-ignore
    const part = (head: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
    for (const content of bodies) {
      const body = Buffer.from(
        `${part(`name="${name}"`, content)}${part('name="payload"; filename="a.txt"', 'x')}--x--\r\n`,
      )
      const { status, text } = await answer(operation, {}, body, 'multipart/form-data; boundary=x')
      expect([status, content, text]).toEqual([
        expect.toSatisfy((one: number) => one < 500),
        content,
        expect.anything(),
      ])
    }
  },
)

test.each([
  ['POST', '/api/v1/search', { context: { searchType: 'CONFIG', configId: place } }],
  [
    'POST',
    '/api/v1/search',
    {
      context: { searchType: 'INDEX', index: 'ASSET' },
      query: { queryType: 'FIELD', name: 'id', comparator: 'EQ', value: place },
    },
  ],
  [
    'POST',
    '/api/v1/search',
    {
      context: { searchType: 'INDEX', index: 'ASSET' },
      query: { queryType: 'FIELD', name: 'id', comparator: 'IN', value: [place] },
    },
  ],
  ['POST', '/api/v1/workflow/processes/query', { linkedObject: { type: 'product', id: place } }],
  ['POST', '/api/v1/workflow/tasks/query', { linkedObject: { type: 'product', id: place } }],
  [
    'POST',
    '/api/core/v1/common/links/persist',
    {
      schemaVersion: '5.6.0',
      links: {
        itms: [
          {
            type: 'assetToProduct',
            itms: [
              {
                type: 'a',
                itm: [
                  { key: 'assetId', value: place },
                  { key: 'productId', value: '1' },
                ],
              },
            ],
          },
        ],
      },
    },
  ],
] as const)('%s %s is never answered with 500 for %j', async (method, path, body) => {
  // prettier-ignore
  await signIn()
  for (const number of [...numbers, ...numbers.map((one) => JSON.stringify(one))]) {
    const text = JSON.stringify(body).replace(JSON.stringify(place), number)
    const reply = await answer({ name: '', method, path, query: [] }, {}, text)
    expect([text, reply.status, reply.text]).toEqual([
      text,
      expect.toSatisfy((status: number) => status < 500),
      expect.anything(),
    ])
  }
})
