/** Validation of JSON values: the normalised form, and the faults of refused values. */
import { describe, expect, test } from 'vitest'
import { defaultLimits, maxFaults } from './codec.ts'
import { Part, Sample } from './sample.arbitrary.ts'
import { check } from './validate.ts'

const part = (value: object) => check(Part, { tid: 'a', ...value })
const faultsOf = (value: object) => part(value).faults.map(({ path, message }) => `${path}: ${message}`)

describe('normalised values', () => {
  // prettier-ignore
  test.each([
    ['a field under another name',               { piece: [{ tid: 'b' }] },        { part: [{ tid: 'b' }] }],
    ['a field under its XML name',               { i18n: [{ loc: 'en_GB' }] },     { i18N: [{ loc: 'en_GB' }] }],
    ['a whole number written as a text',         { id: '12', size: '-7' },         { id: 12, size: -7 }],
    ['a long beyond 2^53 written as a text',     { id: '9223372036854775807' },    { id: 9223372036854775807n }],
    ['a whole number with a fraction of zero',   { id: 1.0 },                      { id: 1 }],
    ['a boolean for a flag, as a word',          { visible: true },                { visible: 'true' }],
    ['no empty list',                            { tags: [], part: [], itm: [] },  {}],
    ['no empty text of an element',              { note: { value: '' } },          { note: {} }],
    ['an empty leaf',                            { title: '', tags: [''] },        { title: '', tags: [''] }],
    ['an empty attribute',                       { tid: '' },                      { tid: '' }],
    ['an empty object',                          { note: {} },                     { note: {} }],
    ['a date as it was written',                 { since: '2024-02-29' },          { since: '2024-02-29' }],
    ['any JSON value where anything goes',       { free: { a: [null, 1.5, {}] } }, { free: { a: [null, 1.5, {}] } }],
    ['nothing of undefined',                     { title: undefined },             {}],
  ])('%s', (_what, sent, kept) => {
    expect(part(sent)).toEqual({ value: { tid: 'a', ...kept }, faults: [] })
  })

  test('a map has no prototype', () => {
    const { value } = part({ extra: { toString: 'x' } })
    const { extra } = value as { extra: object }
    expect(Object.getPrototypeOf(extra)).toBeNull()
    expect({ ...extra }).toEqual({ toString: 'x' })
  })

  test('an object that needs no change is the same object', () => {
    const sent = { tid: 'a', note: { value: 'b' }, part: [{ tid: 'c' }] }
    expect(check(Part, sent).value).toBe(sent)
  })
})

describe('refused values', () => {
  // prettier-ignore
  test.each([
    [{ colour: 'red' },                 '/part/colour: unknown field; allowed here: title, weight, tags, ids, note, name, links, vals, i18N, itm, part, extra, free, tid, id, size, isNew, visible, since, kind'],
    [{ part: [{}] },                    '/part/part[1]/@tid: this field is missing'],
    [{ part: [{ tid: 'b' }, 7] },       '/part/part[2]: 7 is not an object'],
    [{ part: { tid: 'b' } },            '/part/part: an object is not a list'],
    [{ tags: 'a' },                     `/part/tags: 'a' is not a list`],
    [{ tags: ['a', 1] },                '/part/tags[2]: 1 is not a text'],
    [{ tags: [['a']] },                 '/part/tags[1]: a list is not a text'],
    [{ title: null },                   '/part/title: null is not a value; leave the field out'],
    [{ tags: [null] },                  '/part/tags[1]: null is not a value; leave the field out'],
    [{ note: null },                    '/part/note: null is not a value; leave the field out'],
    [{ part: null },                    '/part/part: null is not a value; leave the field out'],
    [{ title: ['a', 'b'] },             '/part/title: a list is not a text'],
    [{ title: 7 },                      '/part/title: 7 is not a text'],
    [{ note: { value: 7 } },            '/part/note: 7 is not a text'],
    [{ note: { value: '\u0001' } },     '/part/note: the character U+0001 cannot be part of a message; leave it out'],
    [{ title: 'a\ud800' },              '/part/title: the character U+D800 cannot be part of a message; leave it out'],
    [{ id: 1.5 },                       '/part/@id: 1.5 is not a whole number from -9223372036854775808 to 9223372036854775807'],
    [{ id: 2 ** 53 },                   '/part/@id: 9007199254740992 is not a whole number from -9223372036854775808 to 9223372036854775807'],
    [{ id: 2n ** 63n },                 '/part/@id: 9223372036854775808 is not a whole number from -9223372036854775808 to 9223372036854775807'],
    [{ size: 2 ** 31 },                 '/part/@size: 2147483648 is not a whole number from -2147483648 to 2147483647'],
    [{ isNew: 'true' },                 `/part/@isNew: 'true' is not true or false`],
    [{ visible: 'yes' },                `/part/@visible: 'yes' is not 'true' or 'false'`],
    [{ since: '2023-02-29' },           `/part/@since: '2023-02-29' is not a date such as 2024-02-25 or 2024-02-25T08:00:00.000Z`],
    [{ kind: 'huge' },                  `/part/@kind: 'huge' is not one of 'big', 'small'`],
    [{ weight: Infinity },              '/part/weight: Infinity is not a number'],
    [{ i18n: [], i18N: [{}] , x: 1 },   '/part/x: unknown field'],
    [{ i18n: [{}], i18N: [{}] },        '/part/i18n: this field is given twice, once as i18N'],
    [{ vals: { val: [{}, { itm: [{ pos: 'x' }] }] } },      `/part/vals/val[2]/itm[1]/@pos: 'x' is not a whole number`],
    [{ vals: { val: [{ i18n: [{ loc: 1 }] }] } },           '/part/vals/val[1]/i18n[1]/@loc: 1 is not a text'],
    [{ extra: ['a'] },                  '/part/extra: a list is not an object'],
    [{ extra: { a: 1 } },               '/part/extra/a: 1 is not a text'],
    [{ extra: JSON.parse('{"__proto__":"a"}') as object },  `/part/extra: the key '__proto__' is not allowed`],
    [{ free: [JSON.parse('{"__proto__":1}')] as object },   `/part/free: the key '__proto__' is not allowed`],
    [{ free: { a: ['\u0000'] } },       '/part/free: the character U+0000 cannot be part of a message; leave it out'],
    [{ free: [Infinity] },                 '/part/free: a number is out of range'],
  ])('%o', (sent, fault) => {
    const faults = faultsOf(sent)
    expect(faults).toHaveLength(1)
    expect(faults[0]!.slice(0, fault.length)).toBe(fault)
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s is an unknown field',
    (name) => {
      const { value, faults } = check(Part, JSON.parse(`{"tid":"a","${name}":{"kind":"big"}}`))
      expect(faults.map(({ path }) => path)).toEqual([`/part/${name}`])
      expect((value as { kind?: string }).kind).toBeUndefined()
    },
  )

  test('all faults of a value are reported', () => {
    expect(faultsOf({ id: 'x', part: [{ tid: 1 }, {}], size: 'y' }).map((fault) => fault.split(':')[0])).toEqual([
      '/part/@id',
      '/part/part[1]/@tid',
      '/part/part[2]/@tid',
      '/part/@size',
    ])
  })

  test('the number of faults is limited', () => {
    expect(part({ part: Array.from({ length: 1000 }, () => ({})) }).faults).toHaveLength(maxFaults)
  })

  test('a long name is shortened in the path', () => {
    expect(faultsOf({ ['x'.repeat(100_000)]: 1 })[0]!.length).toBeLessThan(500)
  })
})

describe('limits', () => {
  const limits = { ...defaultLimits, depth: 4, text: 10, attributes: 3 }
  const nested = (levels: number): object => (levels === 1 ? { tid: 'a' } : { tid: 'a', part: [nested(levels - 1)] })
  const pathsOf = (value: unknown, type = Part as typeof Part | typeof Sample) =>
    check(type, value, limits).faults.map(({ path, message }) => `${path}: ${message}`)

  test('a value may be as deep as allowed, but not deeper', () => {
    expect(pathsOf(nested(4))).toEqual([])
    expect(pathsOf(nested(5))).toEqual([
      '/part/part[1]/part[1]/part[1]/part[1]: objects are nested more than 4 levels deep',
    ])
  })

  test('a leaf counts as a level, as in XML', () => {
    const leafAt = (levels: number): object =>
      levels === 1 ? { tid: 'a', title: 'b' } : { tid: 'a', part: [leafAt(levels - 1)] }
    expect(pathsOf(leafAt(3))).toEqual([])
    expect(pathsOf(leafAt(4))).toEqual([
      '/part/part[1]/part[1]/part[1]/title: objects are nested more than 4 levels deep',
    ])
  })

  test('the depth of `anything` is limited too', () => {
    expect(pathsOf({ tid: 'a', free: [[[]]] })).toEqual([])
    expect(pathsOf({ tid: 'a', free: [[[[]]]] })).toEqual(['/part/free: objects are nested more than 4 levels deep'])
  })

  test('a text may be as long as allowed, but not longer', () => {
    expect(pathsOf({ tid: 'a'.repeat(10) })).toEqual([])
    expect(pathsOf({ tid: 'a'.repeat(11) })).toEqual(['/part/@tid: the text is longer than 10 characters'])
  })

  test('an object may have as many fields as allowed, but not more', () => {
    expect(pathsOf({ tid: 'a', id: 1, size: 1 })).toEqual([])
    expect(pathsOf({ tid: 'a', id: 1, size: 1, kind: 'big' })).toEqual(['/part: an object has more than 3 fields'])
  })
})
