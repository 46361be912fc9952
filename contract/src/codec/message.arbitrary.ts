/**
 * Arbitrary valid messages of any described type, in the form that values have in memory, for property tests. Items and
 * attribute values are generated so that each way of folding them, and each near miss, is common.
 */
import * as fc from 'fast-check'
import type { Field, Fields, ScalarName, Type } from '../schema/describe.ts'

type Value = Record<string, unknown>

/** Below this depth, only required fields are generated. */
const maxDepth = 12

export function arbitraryOf(type: Type): fc.Arbitrary<object> {
  return objectOf(type, 0)
}

// Scalars

// prettier-ignore
const awkward = [
  '', ' ', '  a ', '\t', '\n', '\r', '\r\n', 'a\r\nb\rc\nd', '<&>"\'', ']]>', '&amp;', '\\', '\\u0041', 'null', 'true', '-0', '1e5',
  '\u00e9', 'e\u0301', '\u00a0', '\u0085', '\u2028', '\ufeff', '\ufffd', '\u{1f600}', '\u{10ffff}', '\u{1f469}\u200d\u{1f680}', 'مرحبا', '漢字',
]
const keys = [
  'a',
  'brand',
  'en',
  'itm',
  'itms',
  'val',
  'value',
  'attr',
  'type',
  'key',
  'i18n',
  '0',
  '1',
  '17',
  '007',
  '4294967295',
  '-1',
]
const prototypes = ['__proto__', 'constructor', 'prototype', 'toString']
const locales = ['en_GB', 'de_DE', 'de_AT', 'fr_FR', 'gsw_CH']

const illegal = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const textOfCodes = (codes: number[]) => String.fromCodePoint(...codes).replace(illegal, '')

const string = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward, ...keys, ...prototypes, ...locales) },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0x20, max: 0x10ffff }), { maxLength: 12 }).map(textOfCodes) },
)
const text = string.filter((written) => written !== '')

const limits = [0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 53n), -(2n ** 63n)]
const long = fc
  .oneof(fc.nat(20).map(BigInt), fc.constantFrom(...limits), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value))

const date = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
    fc.constantFrom('Z', '', '+02:00', '-0330', 'date only'),
  )
  .map(([day, zone]) => {
    const written = day.toISOString()
    return zone === 'date only' ? written.slice(0, 10) : written.slice(0, -1) + zone
  })

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

const scalars: Record<ScalarName, fc.Arbitrary<unknown>> = {
  string,
  long,
  integer: fc.oneof(fc.integer(), fc.constantFrom(2 ** 31 - 1, -(2 ** 31), 0)),
  boolean: fc.boolean(),
  flag: fc.constantFrom('true', 'false'),
  date,
  number,
}
function scalarOf({ scalar = 'string', range, words }: Field): fc.Arbitrary<unknown> {
  if (words) return fc.constantFrom(...words)
  if (range) return fc.integer({ min: range[0], max: range[1] })
  return typeof scalar === 'string' ? scalars[scalar] : fc.constantFrom(...scalar)
}

// Objects

const made = new WeakMap<Type, fc.Arbitrary<Value>[]>()

function objectOf(type: Type, depth: number): fc.Arbitrary<Value> {
  const known = made.get(type) ?? []
  made.set(type, known)
  return (known[depth] ??= madeOf(type.fields, depth))
}

function madeOf(fields: Fields, depth: number): fc.Arbitrary<Value> {
  const entries = Object.entries(fields)
  const objects = entries.filter(([, { kind }]) => kind === 'child' || kind === 'children').length
  const parts = entries.map(([, field]) => {
    if (field.required) return valueOf(field, depth)
    if (!field.type) return sometimes(valueOf(field, depth), 4)
    return depth < maxDepth ? sometimes(valueOf(field, depth), objects + depth / 2) : fc.constant(undefined)
  })
  return fc.tuple(...parts).map((values) => {
    const set = entries.map(([name], i) => [name, values[i]] as const).filter(([, value]) => value !== undefined)
    return Object.fromEntries(set)
  })
}

const sometimes = (value: fc.Arbitrary<unknown>, absent: number) =>
  fc.oneof({ weight: Math.ceil(absent), arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: value })

const few = { minLength: 1, maxLength: 4 }

// prettier-ignore
const kinds: Record<Field['kind'], (field: Field, depth: number) => fc.Arbitrary<unknown>> = {
  attr:     (field) => scalarOf(field),
  text:     (field) => scalarOf(field).filter((value) => value !== ''),
  leaf:     (field) => scalarOf(field),
  leaves:   (field) => fc.array(scalarOf(field), few),
  child:    (field, depth) => objectOf(field.type!(), depth + 1),
  children: (field, depth) => listOf(field.type!(), depth + 1),
  map:      () => fc.dictionary(string.filter(isKey), string, { maxKeys: 4 }),
  anything: () => anything,
}
const valueOf = (field: Field, depth: number) => kinds[field.kind](field, depth)

function listOf(type: Type, depth: number): fc.Arbitrary<unknown[]> {
  const any = fc.array(objectOf(type, depth), few)
  if (type.name === 'itm') return fc.oneof(any, ...Object.values(items))
  return type.name === 'val' ? fc.oneof(any, values) : any
}

// Items and attribute values

const optionalText = fc.option(text, { nil: undefined })
const item = (value: string | undefined, by: Value): Value => (value === undefined ? by : { value, ...by })

const mapped = (by: 'key' | 'loc', names: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(names, optionalText), { ...few, selector: ([name]) => name })
    .map((pairs) => pairs.map(([name, value]) => item(value, { [by]: name })))

const items = {
  domain: fc.oneof(mapped('key', fc.constantFrom('acme', 'red', 'a b', '1.5')), mapped('key', string)),
  localized: mapped('loc', fc.constantFrom(...locales)),
  multiple: fc.array(optionalText, few).map((texts) => texts.map((value, pos) => item(value, { pos }))),
  simple: optionalText.map((value) => [item(value, {})]),
}
const localizedLists = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...locales), fc.option(items.multiple, { nil: undefined })), {
    ...few,
    selector: ([loc]) => loc,
  })
  .map((pairs) => pairs.map(([loc, itm]) => (itm ? { itm, loc } : { loc })))

const content = fc.oneof(
  items.simple.map((itm) => ({ itm })),
  items.domain.map((itm) => ({ itm, type: 'domain' })),
  items.localized.map((itm) => ({ itm, type: 'localized' })),
  items.multiple.map((itm) => ({ itm, type: 'multiple' })),
  localizedLists.map((i18N) => ({ i18N, type: 'multi_loc' })),
  fc.constant({}),
)
const extra = fc.constantFrom({}, {}, {}, { dataType: 'number' }, { type: 'simple' }, { type: 'multiple' })
const attribute = fc.oneof(fc.constantFrom('width', 'colors', 'brand', 'name'), string)
const values = fc
  .uniqueArray(fc.tuple(attribute, content, extra), { ...few, selector: ([attr]) => attr })
  .map((all) => all.map(([attr, content, more]): Value => ({ ...content, attr, ...more })))

// JSON only

const isKey = (key: string) => key !== '__proto__'
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 3 },
    string,
    fc.oneof(
      long,
      number.filter((value) => !Number.isInteger(value)),
    ),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(string.filter(isKey), tie('anything'), { maxKeys: 3 }),
  ),
}))
