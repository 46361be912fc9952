import { describe, expect, test } from 'vitest'
import { Problem } from '../errors.ts'
import { mergeVals } from './read.ts'
import { type Constraints, toColumn, toRule, type ValueRule } from './rule.ts'
import { scalarOf } from './attribute-types.ts'
import { compareNumbers } from './numbers.ts'
import { toVal } from './to-message.ts'
import { type StoredValues, valueChanges, type ValMessage } from './stored.ts'

const plain: Constraints = {
  tid: 'x',
  type: 'text',
  localized: false,
  multi: false,
  cardinality: 1,
  domain: undefined,
  range: undefined,
  validation: undefined,
  format: undefined,
  columns: [],
}
const colors = {
  values: new Map<string, Record<string, string>>([
    ['red', { en_GB: 'Red', de_DE: 'Rot' }],
    ['blue', { '': 'bleu', de_DE: 'Blau' }],
    ['none', {}],
  ]),
  allowNewValue: false,
}
const list = { multi: true, cardinality: undefined }

// prettier-ignore
const attributes: Constraints[] = [
  { ...plain, tid: 'simple' },
  { ...plain, tid: 'localized', localized: true },
  { ...plain, tid: 'multiple', multi: true, cardinality: 3 },
  { ...plain, tid: 'multi_loc', ...list, localized: true },
  { ...plain, tid: 'domain', domain: colors },
  { ...plain, tid: 'loc_domain', localized: true, domain: colors },
  { ...plain, tid: 'multi_domain', ...list, domain: colors },
  { ...plain, tid: 'multi_loc_domain', ...list, localized: true, domain: colors },
  { ...plain, tid: 'open', domain: { ...colors, allowNewValue: true }, validation: { maxLength: 5, matches: () => true } },
  { ...plain, tid: 'number', type: 'number', range: { from: '-1', to: '1e2', intOnly: false } },
  { ...plain, tid: 'whole', type: 'number', range: { intOnly: true } },
  { ...plain, tid: 'date', type: 'date', range: { from: '2020-01-01', intOnly: false } },
  { ...plain, tid: 'boolean', type: 'boolean' },
  { ...plain, tid: 'code', validation: { pattern: '[A-Z]+', minLength: 2, maxLength: 4, matches: (text) => /^[A-Z]+$/.test(text) } },
  { ...plain, tid: 'sizes', type: 'table', cardinality: 4, columns: ['width', 'label'] },
  { ...plain, tid: 'width', type: 'number' },
  { ...plain, tid: 'label', localized: true },
]
const rules = new Map(attributes.map((one) => [one.tid, toRule(one)]))
for (const column of ['width', 'label']) {
  const rule = toColumn(rules.get('sizes')!, rules.get(column)!)
  rules.set(rule.key, rule)
}
const ruleOf = (key: string): ValueRule => rules.get(key)!
const orRefused = (key: string) => rules.get(key) ?? new Problem('invalid', 'has no definition')
const merge = (stored: StoredValues, ...sent: ValMessage[]) => mergeVals(stored, sent, orRefused)
const faultOf = (...sent: ValMessage[]): string => {
  try {
    merge({}, ...sent)
    return 'no fault'
  } catch (error) {
    return (error as Problem).message
  }
}

/** The eight types and tables: the message of a reply, and the stored form. */
// prettier-ignore
const forms: [string, ValMessage, StoredValues][] = [
  ['simple', { itm: [{ value: 'a' }], attr: 'simple' }, { simple: 'a' }],
  ['localized', { itm: [{ value: 'a', loc: 'en_GB' }, { value: 'b', loc: 'de_DE' }], attr: 'localized', type: 'localized' },
    { localized: { en_GB: 'a', de_DE: 'b' } }],
  ['multiple', { itm: [{ value: 'a', pos: 0 }, { value: 'b', pos: 1 }], attr: 'multiple', type: 'multiple' }, { multiple: ['a', 'b'] }],
  ['multi_loc', { i18N: [{ itm: [{ value: 'a', pos: 0 }], loc: 'en_GB' }], attr: 'multi_loc', type: 'multi_loc' }, { multi_loc: { en_GB: ['a'] } }],
  ['domain', { itm: [{ value: 'Red', key: 'red' }], attr: 'domain', type: 'domain' }, { domain: 'red' }],
  ['loc_domain', { itm: [{ value: 'Rot', key: 'red', loc: 'de_DE' }], attr: 'loc_domain', type: 'loc_domain' }, { loc_domain: { de_DE: 'red' } }],
  ['multi_domain', { itm: [{ value: 'bleu', pos: 0, key: 'blue' }, { value: 'none', pos: 1, key: 'none' }], attr: 'multi_domain', type: 'multi_domain' },
    { multi_domain: ['blue', 'none'] }],
  ['multi_loc_domain', { i18N: [{ itm: [{ value: 'Blau', pos: 0, key: 'blue' }], loc: 'de_DE' }], attr: 'multi_loc_domain', type: 'multi_loc_domain' },
    { multi_loc_domain: { de_DE: ['blue'] } }],
  ['a number', { itm: [{ value: '1.5' }], attr: 'number', dataType: 'number' }, { number: '1.5' }],
  ['a date', { itm: [{ value: '2024-02-25T08:00:00.000Z' }], attr: 'date', dataType: 'date' }, { date: '2024-02-25T08:00:00.000Z' }],
  ['a boolean', { itm: [{ value: 'true' }], attr: 'boolean', dataType: 'boolean' }, { boolean: 'true' }],
  ['a column', { itm: [{ value: '10', pos: 0 }, { value: '12', pos: 2 }], attr: 'width', type: 'multiple', parent: 'sizes', dataType: 'number' },
    { 'sizes/width': ['10', null, '12'] }],
  ['a localized column', { i18N: [{ itm: [{ value: 'S', pos: 1 }], loc: 'en_GB' }], attr: 'label', type: 'multi_loc', parent: 'sizes' },
    { 'sizes/label': { en_GB: [null, 'S'] } }],
  ['tags', { itm: [{ value: 'a' }], tags: { itm: [{ value: 'new', key: 't' }] }, attr: 'simple' },
    { simple: { v: 'a', tags: [{ value: 'new', key: 't' }] } }],
]
describe('a value is stored and returned', () => {
  test.each(forms)('%s', (_name, message, stored) => {
    expect(merge({}, message)).toEqual(stored)
    const [key, value] = Object.entries(stored)[0]!
    expect(toVal(ruleOf(key), value)).toEqual(message)
    expect(merge(stored, message)).toBe(stored)
  })
})

test('an inherited value has its origin in replies, and is not stored when it is sent back', () => {
  const inherited = toVal(ruleOf('simple'), 'a', { origin: 'product', inheritance: 'inherited' })
  expect(inherited).toEqual({ itm: [{ value: 'a' }], attr: 'simple', origin: 'product', inheritance: 'inherited' })
  expect(merge({}, inherited)).toEqual({})
})

// prettier-ignore
const written: [string, string, string | undefined][] = [
  ['number', '12', '12'], ['number', '+01.50', '1.5'], ['number', '1e3', '1000'], ['number', '12.5e-3', '0.0125'], ['number', '-0', '0'],
  ['number', '-0.0', '0'], ['number', '.5', '0.5'], ['number', '7.', '7'], ['number', ' 3 ', '3'], ['number', '100', '100'],
  ['number', '123456789012345678901234567890.10', '123456789012345678901234567890.1'], ['number', '0.00', '0'], ['number', '-1.20E+2', '-120'],
  ['number', '1e999', undefined], ['number', '1e-999', undefined], ['number', '', undefined], ['number', '.', undefined], ['number', '1,5', undefined],
  ['number', 'NaN', undefined], ['number', '0x10', undefined], ['number', '1e', undefined], ['number', '--1', undefined],
  ['date', '2024-02-25', '2024-02-25T00:00:00.000Z'], ['date', '2024-02-29T08:00', '2024-02-29T08:00:00.000Z'],
  ['date', '2024-02-25T08:00:00+02:00', '2024-02-25T06:00:00.000Z'], ['date', '2024-02-25T08:00:00.5+0200', '2024-02-25T06:00:00.500Z'],
  ['date', '2023-02-29', undefined], ['date', '2024-13-01', undefined], ['date', '25.02.2024', undefined], ['date', '2024-02-25T25:00', undefined],
  ['date', '0000-00-00', undefined], ['date', '2024-01-31T23:59:59.999Z', '2024-01-31T23:59:59.999Z'],
  ['boolean', 'TRUE', 'true'], ['boolean', '0', 'false'], ['boolean', ' true', 'true'], ['boolean', 'yes', undefined],
]
test.each(written)('%s %s is stored as %s', (type, text, stored) => {
  expect(scalarOf(type as 'number')!.read(text)).toBe(stored)
})

test('numbers are compared exactly', () => {
  const ordered = [
    '-100',
    '-20.5',
    '-20.05',
    '-1',
    '0',
    '0.5',
    '1',
    '9',
    '10',
    '12345678901234567890',
    '12345678901234567891',
  ]
  const shuffled = ordered.toReversed()
  expect(shuffled.sort(compareNumbers)).toEqual(ordered)
  expect(compareNumbers('7.25', '7.25')).toBe(0)
})

// prettier-ignore
const sent: [string, StoredValues, ValMessage, StoredValues][] = [
  ['a domain value by its key in the text', {}, { attr: 'domain', itm: [{ value: 'red' }] }, { domain: 'red' }],
  ['a domain value by any of its labels', {}, { attr: 'domain', itm: [{ value: 'Rot' }] }, { domain: 'red' }],
  ['a new value into an open list', {}, { attr: 'open', itm: [{ value: 'green' }] }, { open: 'green' }],
  ['a list in the order of positions', {}, { attr: 'multiple', itm: [{ value: 'b', pos: 7 }, { value: 'a', pos: 3 }] }, { multiple: ['a', 'b'] }],
  ['a simple value with a position', {}, { attr: 'simple', itm: [{ value: 'a', pos: 0 }] }, { simple: 'a' }],
  ['a localized value in an i18N', {}, { attr: 'localized', i18N: [{ loc: 'en_GB', itm: [{ value: 'a' }] }] }, { localized: { en_GB: 'a' } }],
  ['a list per locale in single items', {}, { attr: 'multi_loc', itm: [{ value: 'a', loc: 'en_GB' }, { value: 'b', loc: 'en_GB' }] }, { multi_loc: { en_GB: ['a', 'b'] } }],
  ['one locale, the others stay', { localized: { en_GB: 'a', de_DE: 'b' } }, { attr: 'localized', itm: [{ value: 'c', loc: 'de_DE' }] }, { localized: { en_GB: 'a', de_DE: 'c' } }],
  ['all locales with mode full', { localized: { en_GB: 'a' } }, { attr: 'localized', mode: 'full', itm: [{ value: 'c', loc: 'de_DE' }] }, { localized: { de_DE: 'c' } }],
  ['nothing, which clears', { simple: 'a', date: 'd' }, { attr: 'simple' }, { date: 'd' }],
  ['an item without text, which clears', { simple: 'a' }, { attr: 'simple', itm: [{}] }, {}],
  ['a list without texts, which clears', { multiple: ['a'] }, { attr: 'multiple', itm: [{ pos: 0 }] }, {}],
  ['an item of a locale without text, which clears that locale', { localized: { en_GB: 'a', de_DE: 'b' } }, { attr: 'localized', itm: [{ loc: 'de_DE' }] }, { localized: { en_GB: 'a' } }],
  ['an empty i18N, which clears that locale', { multi_loc: { en_GB: ['a'] } }, { attr: 'multi_loc', i18N: [{ loc: 'en_GB' }] }, {}],
  ['an empty table, which clears its columns', { 'sizes/width': ['1'], 'sizes/label': { en_GB: ['S'] }, simple: 'a' }, { attr: 'sizes' }, { simple: 'a' }],
  ['a value without tags, which keeps them', { simple: { v: 'a', tags: [{ value: 't' }] } }, { attr: 'simple', itm: [{ value: 'b' }] }, { simple: { v: 'b', tags: [{ value: 't' }] } }],
  ['a value with empty tags, which drops them', { simple: { v: 'a', tags: [{ value: 't' }] } }, { attr: 'simple', itm: [{ value: 'a' }], tags: {} }, { simple: 'a' }],
]
test.each(sent)('accepts %s', (_name, stored, val, expected) => {
  const before = structuredClone(stored)
  expect(merge(stored, val)).toEqual(expected)
  expect(stored).toEqual(before)
})

// prettier-ignore
const refused: [ValMessage, string][] = [
  [{ attr: 'unknown', itm: [{ value: 'a' }] }, 'attribute unknown: has no definition'],
  [{ itm: [{ value: 'a' }] }, 'attribute : has no definition'],
  [{ attr: 'simple', itm: [{ value: 'a' }, { value: 'b' }] }, 'attribute simple: takes one value, but 2 were sent'],
  [{ attr: 'simple', itm: [{ value: 'a', loc: 'en_GB' }] }, 'attribute simple: is not localized, but a value for en_GB was sent'],
  [{ attr: 'simple', i18N: [{ loc: 'en_GB', itm: [{ value: 'a' }] }] }, 'attribute simple: is not localized, but values for en_GB were sent'],
  [{ attr: 'localized', itm: [{ value: 'a' }] }, 'attribute localized: is localized; every value needs a locale in loc'],
  [{ attr: 'localized', itm: [{ value: 'a', loc: 'english' }] }, 'attribute localized: "english" is not a locale; expected language and country like en_GB'],
  [{ attr: 'multiple', itm: ['a', 'b', 'c', 'd'].map((value) => ({ value })) }, 'attribute multiple: takes at most 3 values, but 4 were sent'],
  [{ attr: 'multiple', itm: [{ value: 'a', pos: 1 }, { value: 'b', pos: 1 }] }, 'attribute multiple: two values have the same position'],
  [{ attr: 'domain', itm: [{ value: 'Green' }] }, 'attribute domain: "Green" is not in the list of values; expected red, blue, none'],
  [{ attr: 'domain', itm: [{ key: 'Rot' }] }, 'attribute domain: "Rot" is not in the list of values; expected red, blue, none'],
  [{ attr: 'open', itm: [{ value: 'turquoise' }] }, 'attribute open: "turquoise" has 9 characters; at most 5 are allowed'],
  [{ attr: 'number', itm: [{ value: 'many' }] }, 'attribute number: "many" is not a number such as 12.5'],
  [{ attr: 'number', itm: [{ value: '-1.5' }] }, 'attribute number: -1.5 is below -1, the least value allowed'],
  [{ attr: 'number', itm: [{ value: '100.01' }] }, 'attribute number: 100.01 is above 100, the largest value allowed'],
  [{ attr: 'whole', itm: [{ value: '1.5' }] }, 'attribute whole: 1.5 is not a whole number'],
  [{ attr: 'date', itm: [{ value: '2019-12-31' }] }, 'attribute date: 2019-12-31T00:00:00.000Z is below 2020-01-01T00:00:00.000Z, the least value allowed'],
  [{ attr: 'boolean', itm: [{ value: 'perhaps' }] }, 'attribute boolean: "perhaps" is not true or false'],
  [{ attr: 'code', itm: [{ value: 'A' }] }, 'attribute code: "A" has 1 characters; at least 2 are needed'],
  [{ attr: 'code', itm: [{ value: 'ABCDE' }] }, 'attribute code: "ABCDE" has 5 characters; at most 4 are allowed'],
  [{ attr: 'code', itm: [{ value: 'abc' }] }, 'attribute code: "abc" does not match [A-Z]+'],
  [{ attr: 'sizes', itm: [{ value: 'a' }] }, 'attribute sizes: is a table; send its columns, each with parent sizes'],
  [{ attr: 'width', parent: 'sizes', itm: [{ value: '1', pos: 4 }] }, 'attribute sizes/width: the row 4 is not one of the 4 rows that sizes may have'],
  [{ attr: 'width', parent: 'sizes', itm: [{ value: '1', pos: 0 }, { value: '2', pos: 0 }] }, 'attribute sizes/width: the row 0 has two values'],
  [{ attr: 'simple', parent: 'sizes', itm: [{ value: '1' }] }, 'attribute sizes/simple: has no definition'],
]
test.each(refused)('refuses %j', (val, sentence) => {
  expect(faultOf(val)).toBe(sentence)
})

test('every fault of an object is reported', () => {
  const faults = faultOf(
    { attr: 'boolean', itm: [{ value: '?' }] },
    { attr: 'simple', itm: [{ value: 'a' }] },
    { attr: 'unknown' },
  )
  expect(faults).toBe('attribute boolean: "?" is not true or false; attribute unknown: has no definition')
})

test('an attribute named like a property of every object is an attribute like any other', () => {
  for (const tid of ['constructor', 'toString']) rules.set(tid, toRule({ ...plain, tid }))
  const stored = merge({}, { attr: 'constructor', itm: [{ value: 'a' }] }, { attr: 'toString' })
  expect(JSON.stringify(stored)).toBe('{"constructor":"a"}')
})

test('changes are reported by attribute and by locale', () => {
  const before = { same: 'a', gone: 'b', name: { en_GB: 'x', de_DE: 'y' }, list: ['1'], tagged: { v: 'p', tags: [] } }
  const after = {
    same: 'a',
    name: { en_GB: 'x', de_DE: 'z', fr_FR: 'w' },
    list: ['1', '2'],
    fresh: { it_IT: 'n' },
    tagged: 'q',
  }
  expect(valueChanges(before, after)).toEqual({
    'vals.gone': { from: 'b' },
    'vals.name.de_DE': { from: 'y', to: 'z' },
    'vals.name.fr_FR': { to: 'w' },
    'vals.list': { from: ['1'], to: ['1', '2'] },
    'vals.fresh.it_IT': { to: 'n' },
    'vals.tagged': { from: 'p', to: 'q' },
  })
  expect(valueChanges(before, before)).toEqual({})
})
