/** Compact JSON: how values are folded, which are not folded, and which other forms are accepted. */
import { describe, expect, test } from 'vitest'
import { Pim } from '../schema/envelope.ts'
import type { Type } from '../schema/describe.ts'
import { BadMessage } from './codec.ts'
import { compactReader } from './from-compact.ts'
import { Sample } from './sample.arbitrary.ts'
import { toCompact } from './to-compact.ts'

function read(root: Type, message: unknown): unknown {
  const reader = compactReader(root)
  reader.write(new TextEncoder().encode(JSON.stringify(message)))
  return reader.end()
}
function faultsOf(root: Type, message: unknown): string {
  try {
    read(root, message)
  } catch (error) {
    if (error instanceof BadMessage) return error.message
    throw error
  }
  return 'no fault'
}
const fold = (root: Type, value: object): unknown => JSON.parse(toCompact(root, value))

/** Checks both directions of one part of a message. */
function expectFolded(name: 'meta' | 'links' | 'parts', value: object, compact: unknown) {
  const message = { version: '1', [name]: value }
  const folded = { version: '1', [name]: compact }
  expect(fold(Sample, message)).toEqual(folded)
  expect(read(Sample, folded)).toEqual(message)
  expect(read(Sample, message)).toEqual(message)
}

describe('the example of the contract', () => {
  const value = {
    projects: {
      project: [
        {
          name: 'Spring catalogue',
          vals: {
            val: [
              { itm: [{ value: '48' }], attr: 'page_count' },
              {
                itm: [
                  { value: 'north', pos: 0 },
                  { value: 'south', pos: 1 },
                ],
                attr: 'regions',
                type: 'multiple',
              },
            ],
          },
          tid: 'SPRING-CAT',
          parentTid: 'PRINT',
          type: 'Catalogue',
        },
      ],
    },
    meta: {
      itm: [
        { value: 'request', key: 'messageType' },
        { value: 'web', key: 'sourceEnv' },
      ],
    },
    schemaVersion: '5.6.0',
  }
  const compact = {
    meta: { messageType: 'request', sourceEnv: 'web' },
    projects: [
      {
        name: 'Spring catalogue',
        vals: { page_count: '48', regions: ['north', 'south'] },
        tid: 'SPRING-CAT',
        parentTid: 'PRINT',
        type: 'Catalogue',
      },
    ],
    schemaVersion: '5.6.0',
  }

  test('is folded', () => expect(fold(Pim, value)).toEqual(compact))
  test('is read folded', () => expect(read(Pim, compact)).toEqual(value))
  test('is read in the JSON form', () => expect(read(Pim, value)).toEqual(value))
})

describe('containers', () => {
  // prettier-ignore
  test.each([
    ['only its list',           { part: [{ tid: 'a' }] },                                   [{ tid: 'a' }]],
    ['nothing',                 {},                                                         []],
    ['its list and more',       { part: [{ tid: 'a' }], meta: { itm: [{ key: 'k', value: 'v' }] } }, { part: [{ tid: 'a' }], meta: { k: 'v' } }],
    ['more without its list',   { meta: {} },                                               { meta: {} }],
  ])('with %s', (_with, value, compact) => expectFolded('parts', value, compact))
})

describe('items', () => {
  // prettier-ignore
  test.each([
    ['keys and texts',                   [{ key: 'a', value: '1' }, { key: 'b', value: '2' }],           { a: '1', b: '2' }],
    ['a key without text',               [{ key: 'a' }, { key: 'b', value: '2' }],                       { a: '', b: '2' }],
    ['a key twice',                      [{ key: 'a' }, { key: 'a' }],                                   [{ key: 'a' }, { key: 'a' }]],
    ['a key named like a field',         [{ key: 'itm', value: '1' }, { key: 'b' }],                     [{ key: 'itm', value: '1' }, { key: 'b' }]],
    ['a key named like an item field',   [{ key: 'value', value: '1' }, { key: 'key' }],                 { value: '1', key: '' }],
    ['a key like an integer',            [{ key: 'b' }, { key: '1' }],                                   [{ key: 'b' }, { key: '1' }]],
    ['keys that all look like locales',  [{ key: 'en_GB', value: '1' }],                                 [{ key: 'en_GB', value: '1' }]],
    ['one key that looks like a locale', [{ key: 'en_GB', value: '1' }, { key: 'x' }],                   { en_GB: '1', x: '' }],
    ['an empty key',                     [{ key: '', value: '1' }],                                      { '': '1' }],
    ['the key __proto__',                [{ key: '__proto__', value: '1' }],                             [{ key: '__proto__', value: '1' }]],
    ['the key constructor',              [{ key: 'constructor', value: '1' }],                           { constructor: '1' }],
    ['locales and texts',                [{ loc: 'de_DE', value: 'Rot' }, { loc: 'gsw_CH' }],            { de_DE: 'Rot', gsw_CH: '' }],
    ['a locale twice',                   [{ loc: 'de_DE' }, { loc: 'de_DE' }],                           [{ loc: 'de_DE' }, { loc: 'de_DE' }]],
    ['a locale of another pattern',      [{ loc: 'de_DE' }, { loc: 'de' }],                              [{ loc: 'de_DE' }, { loc: 'de' }]],
    ['positions and texts',              [{ pos: 0, value: 'a' }, { pos: 1 }],                           ['a', '']],
    ['positions with a gap',             [{ pos: 0, value: 'a' }, { pos: 2 }],                           [{ pos: 0, value: 'a' }, { pos: 2 }]],
    ['positions out of order',           [{ pos: 1 }, { pos: 0 }],                                       [{ pos: 1 }, { pos: 0 }]],
    ['one text',                         [{ value: '48' }],                                              '48'],
    ['one empty item',                   [{}],                                                           ''],
    ['two texts',                        [{ value: 'a' }, { value: 'b' }],                               [{ value: 'a' }, { value: 'b' }]],
    ['keys here and locales there',      [{ key: 'a' }, { loc: 'de_DE' }],                               [{ key: 'a' }, { loc: 'de_DE' }]],
    ['keys and locales',                 [{ key: 'a', loc: 'de_DE', value: '1' }],                       [{ key: 'a', loc: 'de_DE', value: '1' }]],
    ['a mode',                           [{ value: '1', mode: 'x' }],                                    [{ value: '1', mode: 'x' }]],
  ])('%s', (_what, itm, compact) => expectFolded('meta', { itm }, compact))

  test('none', () => expectFolded('meta', {}, {}))

  test('next to other fields keep their name', () => {
    expectFolded(
      'links',
      { itm: [{ key: 'a' }], itms: [{ itm: [{ key: 'assetTid', value: 'A' }], type: 'x' }, { itms: [{}] }, {}] },
      { itm: { a: '' }, itms: [{ itm: { assetTid: 'A' }, type: 'x' }, { itms: [{}] }, {}] },
    )
    expectFolded('links', { itms: [{ itm: [{ value: '1' }] }] }, { itms: ['1'] })
  })
})

describe('attribute values', () => {
  const vals = (val: object[], compact: unknown) =>
    expectFolded('parts', { part: [{ tid: 'a', vals: { val } }] }, [{ tid: 'a', vals: compact }])
  const one = { attr: 'x', itm: [{ value: '1' }] }
  const listed = [{ pos: 0, value: 'sea' }]

  // prettier-ignore
  test.each([
    ['a simple one',                     { itm: [{ value: 'true' }] },                                            'true'],
    ['a localized one',                  { itm: [{ loc: 'en_GB', value: 'Boat' }], type: 'localized' },           { en_GB: 'Boat' }],
    ['a multiple one',                   { itm: listed, type: 'multiple' },                                       ['sea']],
    ['a domain value',                   { itm: [{ key: 'acme', value: 'Acme' }], type: 'domain' },               { acme: 'Acme' }],
    ['a list per locale',                { i18N: [{ loc: 'en_GB', itm: listed }], type: 'multi_loc' },            { en_GB: ['sea'] }],
    ['a locale to be cleared',           { i18N: [{ loc: 'en_GB' }], type: 'multi_loc' },                         { en_GB: [] }],
    ['one to be cleared',                {},                                                                      {}],
    ['one with an explicit type',          { itm: [{ value: '1' }], type: 'simple' },                               { type: 'simple', value: '1' }],
    ['a list without type',              { itm: listed },                                                         { value: ['sea'] }],
    ['a list of another type',           { itm: listed, type: 'localized' },                                      { type: 'localized', value: ['sea'] }],
    ['one with a data type',             { itm: listed, type: 'multiple', dataType: 'text' },                     { type: 'multiple', dataType: 'text', value: ['sea'] }],
    ['a column of a table',              { itm: listed, type: 'multiple', dataType: 'number', parent: 'sizes' },  { type: 'multiple', dataType: 'number', parent: 'sizes', value: ['sea'] }],
    ['one with tags',                    { itm: [{}], tags: { itm: [{ key: 't', value: '1' }] } },                { tags: { t: '1' }, value: '' }],
    ['a type without content',           { type: 'multiple' },                                                    { type: 'multiple' }],
    ['localized domain values',          { itm: [{ key: 'r', loc: 'en_GB' }], type: 'loc_domain' },               { type: 'loc_domain', itm: [{ key: 'r', loc: 'en_GB' }] }],
    ['multiple domain values',           { itm: [{ pos: 0, key: 'r' }], type: 'multi_domain' },                   { type: 'multi_domain', itm: [{ pos: 0, key: 'r' }] }],
    ['domain values per locale',         { i18N: [{ loc: 'en_GB', itm: [{ pos: 0, key: 'r' }] }], type: 'multi_loc_domain' }, { type: 'multi_loc_domain', i18N: [{ loc: 'en_GB', itm: [{ pos: 0, key: 'r' }] }] }],
    ['a domain key named like a field',  { itm: [{ key: 'node', value: '1' }], type: 'domain' },                  { type: 'domain', itm: [{ key: 'node', value: '1' }] }],
    ['a domain key named value',         { itm: [{ key: 'value', value: '1' }], type: 'domain' },                 { type: 'domain', itm: { value: '1' } }],
    ['a locale twice',                   { i18N: [{ loc: 'en_GB' }, { loc: 'en_GB' }], type: 'multi_loc' },       { type: 'multi_loc', i18N: [{ loc: 'en_GB' }, { loc: 'en_GB' }] }],
    ['a list with a mode',               { i18N: [{ loc: 'en_GB', mode: 'x' }], type: 'multi_loc' },              { type: 'multi_loc', i18N: [{ loc: 'en_GB', mode: 'x' }] }],
    ['items and lists',                  { itm: [{}], i18N: [{ loc: 'en_GB' }] },                                 { itm: '', i18N: [{ loc: 'en_GB' }] }],
  ])('%s', (_what, val, compact) => vals([one, { attr: 'y', ...val }], { x: '1', y: compact }))

  // prettier-ignore
  test.each([
    ['without attr',                       [{ itm: [{ value: '1' }] }, {}],                [{ value: '1' }, {}]],
    ['of the same attr',                   [one, { ...one, type: 'simple' }],              [{ attr: 'x', value: '1' }, { attr: 'x', type: 'simple', value: '1' }]],
    ['of an attr named like a field',      [{ ...one, attr: 'val' }],                      [{ attr: 'val', value: '1' }]],
    ['of an attr that looks like integer', [one, { attr: '1' }],                           [{ attr: 'x', value: '1' }, { attr: '1' }]],
    ['of the attr __proto__',              [{ ...one, attr: '__proto__' }],                [{ attr: '__proto__', value: '1' }]],
    ['that cannot be folded either',       [{ itm: [{ mode: 'x' }] }],                     [{ itm: [{ mode: 'x' }] }]],
  ])('those %s are a list', (_what, val, compact) => vals(val, compact))

  test('none at all', () => expectFolded('parts', { part: [{ tid: 'a', vals: {} }] }, [{ tid: 'a', vals: [] }]))
})

describe('other accepted forms', () => {
  const parts = (vals: unknown) => ({ version: '1', parts: [{ tid: 'a', vals }] })
  // prettier-ignore
  test.each([
    ['a value in the JSON form, in a map',       { x: { itm: [{ value: '1' }] } },             { val: [{ attr: 'x', itm: [{ value: '1' }] }] }],
    ['a value that repeats its attr',            { x: { attr: 'x', value: '1' } },             { val: [{ attr: 'x', itm: [{ value: '1' }] }] }],
    ['values in the JSON form, in a list',       [{ attr: 'x', itm: [{ value: '1' }] }],       { val: [{ attr: 'x', itm: [{ value: '1' }] }] }],
    ['a full value in the JSON form',            { val: [{ attr: 'x', value: { en_GB: ['a'] } }] }, { val: [{ attr: 'x', i18N: [{ loc: 'en_GB', itm: [{ value: 'a', pos: 0 }] }] }] }],
    ['items in the JSON form as an entry',       { x: [{ key: 'r', loc: 'en_GB' }] },          { val: [{ attr: 'x', itm: [{ key: 'r', loc: 'en_GB' }] }] }],
    ['an empty map',                             {},                                           {}],
  ])('%s', (_what, vals, value) => {
    expect(read(Sample, parts(vals))).toEqual({ version: '1', parts: { part: [{ tid: 'a', vals: value }] } })
  })
})

describe('refused values', () => {
  // prettier-ignore
  test.each([
    [{ meta: { a: 1 } },                                   '/sample/meta/itm[1]: 1 is not a text'],
    [{ meta: { a: { b: 'c' } } },                          '/sample/meta/itm[1]: an object is not a text'],
    [{ meta: 7 },                                          '/sample/meta/itm[1]: 7 is not a text'],
    [{ meta: null },                                       '/sample/meta: null is not a value; leave the field out'],
    [{ meta: ['a', 7] },                                   `/sample/meta/itm[1]: 'a' is not an object; /sample/meta/itm[2]: 7 is not an object`],
    [{ links: { itms: [], typo: 'x' } },                   '/sample/links/typo: unknown field; allowed here: itm, itms'],
    [{ links: { itms: [{ typ: 'x', type: 'y' }] } },       '/sample/links/itms[1]/typ: unknown field; allowed here: itm, itms, id, tid, loc, type, attr, mode'],
    [{ parts: [{}] },                                      '/sample/parts/part[1]/@tid: this field is missing'],
    [{ notes: ['a'] },                                     `/sample/notes/note[1]: 'a' is not an object`],
    [{ parts: 'a' },                                       `/sample/parts: 'a' is not an object`],
    [{ parts: [{ tid: 'a', vals: { x: 7 } }] },            '/sample/parts/part[1]/vals/val[1]/itm[1]: 7 is not a text'],
    [{ parts: [{ tid: 'a', vals: { x: null } }] },         '/sample/parts/part[1]/vals/val[1]/itm: null is not a value; leave the field out'],
    [{ parts: [{ tid: 'a', vals: { y: '1', x: { type: 'no' } } }] }, `/sample/parts/part[1]/vals/val[2]/@type: 'no' is not one of`],
    [{ parts: [{ tid: 'a', vals: { x: { attr: 'y' } } }] }, '/sample/parts/part[1]/vals/val[1]/@attr: this field is given twice, once as x'],
    [{ parts: [{ tid: 'a', vals: [{ value: '1', itm: [] }] }] }, '/sample/parts/part[1]/vals/val[1]/value: unknown field'],
    [{ parts: [{ tid: 'a', vals: [{ atr: 'x' }] }] },      '/sample/parts/part[1]/vals/val[1]/atr: unknown field'],
    [{ parts: [{ tid: 'a', vals: { x: { en_GB: 7 } } }] }, '/sample/parts/part[1]/vals/val[1]/itm[1]: 7 is not a text'],
    [{ parts: [{ tid: 'a', vals: { x: { en_GB: [7] } } }] }, '/sample/parts/part[1]/vals/val[1]/i18n[1]/itm[1]: 7 is not an object'],
    [{ parts: [{ tid: 'a', vals: { val: 'x' } }] },        `/sample/parts/part[1]/vals/val: 'x' is not a list`],
  ])('%j', (message, fault) => {
    expect(faultsOf(Sample, { version: '1', ...message }).slice(0, fault.length)).toBe(fault)
  })
})
