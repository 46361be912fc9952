import { describe, expect, test } from 'vitest'
import { evaluate, faultOf } from './expressions.ts'

const scope = { approved: true, word: 'true', n: 3, text: '12', locales: ['de_DE', 'en_GB'], deep: { a: [{ b: 'x' }] } }

test.each<[string, unknown]>([
  ['${approved}', true],
  [' ${approved} ', true],
  ['${word == true}', true],
  ['${not approved}', false],
  ['${!approved or n >= 3}', true],
  ['${approved and n < 3}', false],
  ['${approved && (n < 3 || n == 3)}', true],
  ['${text > 9}', true],
  ["${'b' > 'a'}", true],
  ['${n}', 3],
  ['${1.5}', 1.5],
  ['${count(locales)}', 2],
  ['${empty(nothing)}', true],
  ['${empty(n)}', false],
  ["${'de_DE' in locales}", true],
  ["${'fr_FR' in locales}", false],
  ['${deep.a[0].b}', 'x'],
  ['${locales[1]}', 'en_GB'],
  ['${nothing.at.all}', null],
  ['${locales}', ['de_DE', 'en_GB']],
  ['P3D', 'P3D'],
  ['for ${locales}: ${n} of ${nothing}', 'for de_DE, en_GB: 3 of '],
])('%s is %j', (text, value) => {
  expect(evaluate(text, scope)).toEqual(value)
})

describe('inherited properties are not readable', () => {
  test.each(['${constructor}', '${deep.constructor}', '${deep.__proto__}', '${toString}'])('%s', (text) => {
    expect(evaluate(text, scope)).toBeNull()
  })
})

test.each([
  ['${}', 'it ends too early'],
  ['${a ==}', 'it ends too early'],
  ['${a b}', 'unexpected b'],
  ['${(a}', 'expected ) at the end'],
  ['${a = b}', '"= b" is not understood'],
  ["${'open}", '"\'open" is not understood'],
  ['${a.}', 'expected a name after the dot'],
  ['${f(x)}', 'unexpected ('],
  ['text ${a', 'an expression is not closed with }'],
])('%s is refused: %s', (text, why) => {
  expect(faultOf(text)).toContain(why)
})

test('very many openings are judged in no time', () => {
  expect(faultOf('${'.repeat(1_000_000))).toContain('not closed')
  expect(faultOf(`${'${'.repeat(1_000_000)}}`)).toContain('longer than 2000')
})

test('an expression that is too long is refused', () => {
  expect(faultOf(`\${${'('.repeat(500)}a${')'.repeat(500)}}`)).toBeUndefined()
  expect(faultOf(`\${${'('.repeat(5000)}a`)).toBeDefined()
  expect(faultOf(`\${${'a and '.repeat(1000)}a}`)).toContain('longer than 2000')
})
