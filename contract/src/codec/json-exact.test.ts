import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExactly } from './json-exact.ts'

describe('parsing exactly', () => {
  test('reads the output of JSON.stringify', () => {
    const scalar = [fc.string(), fc.maxSafeInteger().map((value) => value + 0), fc.boolean(), fc.constant(null)]
    fc.assert(
      fc.property(fc.anything({ values: scalar }), fc.constantFrom(undefined, 1, '\t\n'), (value, space) => {
        expect(parseExactly(JSON.stringify(value, null, space))).toEqual(value)
      }),
    )
  })

  // prettier-ignore
  test.each([
    ['9007199254740993',             9007199254740993n],
    ['[-9007199254740993, 1]',       [-9007199254740993n, 1]],
    [' {"a" : {"b":[ ]} , "c":"\\"]" } ', { a: { b: [] }, c: '"]' }],
    ['1e20',                         1e20],
    ['[true,false,null,"\\u0041"]',  [true, false, null, 'A']],
  ])('%s', (text, value) => {
    expect(parseExactly(text)).toEqual(value)
  })

  test('a name with an escape is not confused with a name that was parsed before', () => {
    for (const before of ['\\', 'ab\\', 'a\\nc']) JSON.parse(`{"other":1,${JSON.stringify(before)}:2}`)
    for (const name of ['\n', '"', 'ab\n', 'a\ncd']) {
      const text = `{"other":1,${JSON.stringify(name)}:2}`
      expect(Object.keys(parseExactly(text) as object)).toEqual(['other', name])
    }
  })

  test('__proto__ is a name like any other', () => {
    const value = parseExactly('{"__proto__":{"a":1}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test.each(['', '{', '[1,]', '{"a":01}', '"\t"', '[1] 2', 'nul'])('%s is refused', (text) => {
    expect(() => parseExactly(text)).toThrow(SyntaxError)
  })
})
