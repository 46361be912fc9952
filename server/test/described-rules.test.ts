/** The rules that the OpenAPI document gives for the body of a request: the server refuses a request that breaks one. */
import { areas, methods, openapi, type Operation, type Schema } from '@kontor/contract'
import { expect, test } from 'vitest'
import { withServer } from './server.ts'

const api = withServer()
const document = openapi(areas, { version: '1' })

type Body = Readonly<Record<string, unknown>>
interface Case {
  readonly method: Uppercase<(typeof methods)[number]>
  readonly path: string
  readonly rule: string
  readonly body: Body
}

/** A deprecated call with the request of another one: it lists everything if the request names nothing. */
const listsEverything = '/api/core/v1/peo/peos'

/** Longer lists are left out, because they take long to send. */
const longestList = 1000

/** Some fields are read only if another one is set. */
const switches = { aggregationEnabled: true }
const switchedOn = ({ properties = {} }: Schema) =>
  Object.fromEntries(Object.entries(switches).filter(([name]) => name in properties))

function* brokenBodies(schema: Schema, sample: Body): Generator<[rule: string, body: Body]> {
  const without = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(sample).filter(([name]) => !names.includes(name)))
  for (const name of schema.required ?? []) yield [`without ${name}`, without([name])]
  const choices = Object.keys(schema.not?.properties ?? {})
  if (choices.length > 0) yield [`without ${choices.join(', ')}`, without(choices)]
  for (const [name, empty] of Object.entries(schema.not?.properties ?? {}))
    if (empty.properties && choices.length === 1) yield [`${name} without items`, { ...sample, [name]: {} }]
  for (const name of Object.keys(schema.dependentSchemas ?? {}).slice(1))
    yield [`with ${choices[0]} and ${name}`, { ...sample, ...valuesOf(schema, [choices[0]!, name]) }]
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const { minimum, maximum, minItems, maxItems, minLength, maxLength, pattern = field.items?.pattern } = field
    const put = (value: unknown) => ({ ...sample, [name]: value })
    const item = [sample[name]].flat()[0] ?? '1'
    if (minimum !== undefined) yield [`${name} < ${minimum}`, put(minimum - 1)]
    if (maximum !== undefined) yield [`${name} > ${maximum}`, put(maximum + 1)]
    if (minItems) yield [`${name} with 0 values`, put([])]
    if (maxItems !== undefined && maxItems <= longestList)
      yield [`${name} with more than ${maxItems} values`, put(Array.from({ length: maxItems + 1 }, () => item))]
    if (pattern !== undefined) yield [`${name} unlike ${pattern}`, put(field.items ? ['[]'] : '[]')]
    if (minLength) yield [`${name} empty`, put('')]
    if (maxLength !== undefined) yield [`${name} longer than ${maxLength}`, put('a'.repeat(maxLength + 1))]
  }
}

const valuesOf = ({ properties = {} }: Schema, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const value = (properties[name]!.items ?? properties[name]!).type === 'integer' ? 1 : 'a'
      return [name, properties[name]!.items ? [value] : value]
    }),
  )

function casesOf(path: string, method: (typeof methods)[number], { requestBody }: Operation): Case[] {
  const { schema, example } = requestBody?.content['application/json'] ?? {}
  const name = schema?.$ref?.split('/').at(-1)
  if (name === undefined) return []
  const described = document.components.schemas[name]!
  const cases = [...brokenBodies(described, { ...(example as Body), ...switchedOn(described) })]
  const verb = method.toUpperCase() as Case['method']
  return cases.map(([rule, body]) => ({ method: verb, path: path.replaceAll(/\{\w+\}/g, '4711'), rule, body }))
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods
    .flatMap((method) => (item[method] ? [casesOf(path, method, item[method])] : []))
    .filter(({ length }) => length),
)

test('every rule that the document gives for a body is checked', { timeout: 300_000 }, async () => {
  const cases = operations.flat().filter(({ path }) => path !== listsEverything)
  expect(cases.length).toBeGreaterThan(150)
  const accepted: string[] = []
  for (const { method, path, rule, body } of cases) {
    const { status, text } = await api.post(path, JSON.stringify(body), { method, token: api.adminToken })
    // Some calls look for the object of their path or for the named objects first.
    if (status !== 400 && status !== 404) accepted.push(`${method} ${path} ${rule}: ${status} ${text.slice(0, 100)}`)
  }
  expect(accepted).toEqual([])
})
