/** The schemas of compact JSON: every message that the codec writes is valid, and others are not. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encode, formats } from '../codec/formats.ts'
import { arbitraryOf } from '../codec/message.arbitrary.ts'
import { areas } from '../endpoints/areas.ts'
import { Val } from '../schema/blocks.ts'
import type { Type } from '../schema/describe.ts'
import { Pim } from '../schema/envelope.ts'
import { types } from '../schema/types.ts'
import { type Content, methods } from './document.ts'
import type { Schema } from './json-schema.ts'
import { openapi } from './openapi.ts'

const document = openapi(areas, { version: '1.2.3' })
const { schemas, responses } = document.components

/** OpenAPI adds keywords to JSON Schema, so unknown ones are allowed. */
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const located = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'kontor:')) as object
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(located(schema), `kontor:${name}`)

function isValid(schema: Schema, value: unknown): boolean {
  const { $ref } = located(schema) as Schema
  const validate = $ref !== undefined && !schema.required ? ajv.getSchema($ref)! : ajv.compile(located(schema))
  return validate(value) === true
}
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const compactOf = (type: Type, value: object): unknown => JSON.parse(encode(formats.compact, type, value))

const bodies = [
  ...Object.values(document.paths)
    .flatMap((item) => methods.flatMap((method) => item[method] ?? []))
    .flatMap(({ operationId, requestBody, responses }) => [
      [`request of ${operationId}`, requestBody?.content] as const,
      ...Object.values(responses).map(
        (reply) => [`reply of ${operationId}`, 'content' in reply ? reply.content : undefined] as const,
      ),
    ]),
  ...Object.entries(responses).map(([name, { content }]) => [`failure ${name}`, content] as const),
]
const jsonBodies = bodies.flatMap(([name, content = {} as Content]) =>
  [formats.json, formats.compact].flatMap(({ mediaType }) => {
    const media = content[mediaType]
    return media ? [[`${name} as ${mediaType}`, media.schema, media.example] as const] : []
  }),
)

test('every example of the contract is valid, in JSON and in compact JSON', () => {
  expect(jsonBodies.length).toBeGreaterThan(600)
  expect(jsonBodies.filter(([, schema, example]) => !isValid(schema, example)).map(([name]) => name)).toEqual([])
})

/** The codec writes a whole message as an object, so types with several forms are tested inside of others. */
const isWhole = ({ name }: Type) => schemas[`compact.${name}`]?.type === 'object' && name !== Val.name

const hasChoice =
  ({ oneOf }: Type) =>
  (value: object) =>
    oneOf === undefined || oneOf.some((name) => name in value)

test.each(types.filter(isWhole))('every message of $name that the codec writes is valid', (type) => {
  const schema = refTo(`compact.${type.name}`)
  fc.assert(
    fc.property(arbitraryOf(type).filter(hasChoice(type)), (value) => isValid(schema, compactOf(type, value))),
    { numRuns: type === Pim ? 200 : 20 },
  )
})

const product = (part: object) => ({ schemaVersion: '5.6.0', products: [{ tid: 'dinghy', ...part }] })

// prettier-ignore
test.each([
  ['a text',                   { vals: { length: '48' } }],
  ['a list',                   { vals: { colors: ['red', 'blue'] } }],
  ['texts by locale',          { vals: { title: { en_GB: 'Dinghy', de_DE: 'Jolle' } } }],
  ['lists by locale',          { vals: { words: { en_GB: ['sea'], de_DE: [] } } }],
  ['a domain value',           { vals: { brand: { acme: 'Acme' } } }],
  ['a value with a data type', { vals: { width: { dataType: 'number', value: '4' } } }],
  ['an empty value',           { vals: { width: {} } }],
  ['an empty list',            { vals: { width: [] } }],
  ['a value with a tag',       { vals: { width: { tags: ['new'], itm: [{ value: '4', order: '2' }] } } }],
  ['values in a list',         { vals: [{ attr: 'length', value: '48' }, { attr: 'length', itm: [{ value: '1', order: '2' }] }] }],
  ['metadata by key',          { meta: { colour: 'red' } }],
])('%s is valid in a product', (_name, part) => {
  expect(isValid(refTo('compact.pim.products'), product(part))).toBe(true)
  expect(isValid(refTo('compact.pim'), product(part))).toBe(true)
})

// prettier-ignore
test.each([
  ['a number for a text',           { vals: { length: 48 } }],
  ['null for a text',               { vals: { length: null } }],
  ['a list with a number',          { vals: { colors: ['red', 7] } }],
  ['texts and items in one list',   { meta: ['red', { value: 'blue' }] }],
  ['a list for a key',              { vals: { brand: { acme: ['Acme'] } } }],
  ['an unknown field of a value',   { vals: { width: { dataType: 'number', size: '4' } } }],
  ['an unknown type of a value',    { vals: { width: { type: 'single', value: '4' } } }],
  ['a text for all values',         { vals: '48' }],
  ['an attr in a map by attr',      { vals: { width: { attr: 'height', value: '4' } } }],
  ['content beside items',          { vals: { width: { value: '4', itm: [{ value: '4' }] } } }],
  ['such a value in a list',        { vals: [{ attr: 'width', value: '4', itm: [{ value: '4' }] }] }],
  ['an unknown field',              { colour: 'red' }],
  ['a list for an identifier',      { tid: ['dinghy'] }],
])('%s is refused in a product', (_name, part) => {
  expect(isValid(refTo('compact.pim.products'), product(part))).toBe(false)
  expect(isValid(refTo('compact.pim'), product(part))).toBe(false)
})

test('a domain value has a tid, so it is never folded to its labels', () => {
  const definition = (domainVals: unknown) => ({
    schemaVersion: '5.6.0',
    attrDefs: [{ tid: 'COLOR', type: 'text', domainVals }],
  })
  const isDefinition = (domainVals: unknown) => isValid(refTo('compact.pim.attrDefs'), definition(domainVals))
  expect(isDefinition([{ tid: 'red', itm: { en_GB: 'Red' } }])).toBe(true)
  expect(isDefinition([{ en_GB: 'Red' }])).toBe(false)
  expect(isDefinition(['Red'])).toBe(false)
})

test('an envelope needs a group of links; single items are none', () => {
  const isEnvelope = (form: string, links: unknown) =>
    isValid(refTo(`${form}pim.links`), { schemaVersion: '5.6.0', links })
  const itms = [{ type: 'assetToProduct', itms: [{ type: 'Main_Image' }] }]
  for (const form of ['', 'compact.']) {
    expect(isEnvelope(form, { itms })).toBe(true)
    expect(isEnvelope(form, { itm: [{ value: 'a' }], itms })).toBe(true)
    for (const links of [{}, { itms: [] }, { itm: [{ value: 'a' }] }]) expect(isEnvelope(form, links)).toBe(false)
  }
  for (const links of ['a', [], ['a'], [{ value: 'a' }], { a: 'b' }]) expect(isEnvelope('compact.', links)).toBe(false)
})

test('an envelope needs its container with an item, and its version', () => {
  const schema = refTo('compact.pim.products')
  const products = [{ tid: 'dinghy' }]
  expect(isValid(schema, { schemaVersion: '5.6.0', products })).toBe(true)
  expect(isValid(schema, { schemaVersion: '5.6.0', products: { meta: { page: '1' }, product: products } })).toBe(true)
  expect(isValid(schema, { schemaVersion: '5.6.0', products: [] })).toBe(false)
  expect(isValid(schema, { schemaVersion: '5.6.0', products: { meta: { page: '1' } } })).toBe(false)
  expect(isValid(schema, { schemaVersion: '5.6.0' })).toBe(false)
  expect(isValid(schema, { schemaVersion: 'new', products })).toBe(false)
  expect(isValid(schema, { products })).toBe(false)
  expect(isValid(schema, { schemaVersion: '5.6.0', products, kwds: [] })).toBe(false)
})
