import { describe, expect, test } from 'vitest'
import type { Scalar } from '../schema/describe.ts'
import { illegalCharacter, scalarFault, scalarOf, quoteValue, writeScalar } from './scalars.ts'

const refused = undefined
const words = ['first', 'second'] as const

// prettier-ignore
const texts: [Scalar, text: string, value: unknown][] = [
  ['string', ' as it is\n', ' as it is\n'],
  ['string', '', ''],
  ['long', '0', 0],
  ['long', '-0', 0],
  ['long', '+12', 12],
  ['long', '007', 7],
  ['long', ' 12\n', 12],
  ['long', '9007199254740991', 9007199254740991],
  ['long', '9007199254740992', 9007199254740992n],
  ['long', '9223372036854775807', 9223372036854775807n],
  ['long', '+9223372036854775807', 9223372036854775807n],
  ['long', '-9223372036854775808', -9223372036854775808n],
  ['long', '9223372036854775808', refused],
  ['long', '-9223372036854775809', refused],
  ['long', '', refused],
  ['long', '1.0', refused],
  ['long', '1e3', refused],
  ['long', '0x10', refused],
  ['long', '1 2', refused],
  ['long', '\u00a01', refused],
  ['long', '١', refused],
  ['integer', '2147483647', 2147483647],
  ['integer', '-2147483648', -2147483648],
  ['integer', '2147483648', refused],
  ['integer', '-2147483649', refused],
  ['boolean', 'true', true],
  ['boolean', '0', false],
  ['boolean', ' 1 ', true],
  ['boolean', 'TRUE', refused],
  ['boolean', '', refused],
  ['flag', 'true', 'true'],
  ['flag', ' false ', 'false'],
  ['flag', '1', refused],
  ['date', '2024-02-25', '2024-02-25'],
  ['date', '2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
  ['date', '2024-02-25T08:00', '2024-02-25T08:00'],
  ['date', '2024-02-25T08:00:00.123456', '2024-02-25T08:00:00.123456'],
  ['date', '2024-02-25T08:00:00+01:00', '2024-02-25T08:00:00+01:00'],
  ['date', '2024-02-25T08:00:00-0930', '2024-02-25T08:00:00-0930'],
  ['date', '2024-02-25T08:00:00+14:00', '2024-02-25T08:00:00+14:00'],
  ['date', '2000-02-29', '2000-02-29'],
  ['date', '1900-02-29', refused],
  ['date', '2023-02-29', refused],
  ['date', '2024-04-31', refused],
  ['date', '2024-13-01', refused],
  ['date', '2024-00-01', refused],
  ['date', '2024-01-00', refused],
  ['date', '0000-01-01', refused],
  ['date', '2024-02-25T24:00:00Z', refused],
  ['date', '2024-02-25T08:60:00Z', refused],
  ['date', '2024-02-25T08:00:60Z', refused],
  ['date', '2024-02-25T08:00:00+14:01', refused],
  ['date', '2024-02-25T08:00:00+1', refused],
  ['date', '2024-02-25 08:00:00', refused],
  ['date', '2024-02-25Z', refused],
  ['date', '25.02.2024', refused],
  ['date', '24-02-25', refused],
  ['number', '-1.50', -1.5],
  ['number', '1e3', 1000],
  ['number', '1e999', refused],
  ['number', 'NaN', refused],
  ['number', '.', refused],
  [words, 'second', 'second'],
  [words, 'Second', refused],
  [words, ' second', refused],
  [words, 'constructor', refused],
]

// prettier-ignore
const jsons: [Scalar, json: unknown, value: unknown][] = [
  ['string', 'tab\t, line\r\n, astral \u{1f600}', 'tab\t, line\r\n, astral \u{1f600}'],
  ['string', 5, refused],
  ['string', null, refused],
  ['string', '\u0000', refused],
  ['string', 'half \ud83d', refused],
  ['string', '\ude00 half', refused],
  ['string', '\uffff', refused],
  ['long', 5, 5],
  ['long', -0, 0],
  ['long', '5', 5],
  ['long', 9223372036854775807n, 9223372036854775807n],
  ['long', 5n, 5],
  ['long', 9223372036854775808n, refused],
  ['long', 2 ** 53, refused],
  ['long', 1.5, refused],
  ['long', ' 5', refused],
  ['long', true, refused],
  ['long', [5], refused],
  ['integer', '12', 12],
  ['integer', 2 ** 31, refused],
  ['integer', 5n, 5],
  ['boolean', true, true],
  ['boolean', 'true', refused],
  ['boolean', 1, refused],
  ['flag', true, 'true'],
  ['flag', 'false', 'false'],
  ['flag', 1, refused],
  ['date', '2024-02-25', '2024-02-25'],
  ['date', 20240225, refused],
  ['number', 1.5, 1.5],
  ['number', '1.5', refused],
  ['number', Number.POSITIVE_INFINITY, refused],
  [words, 'first', 'first'],
  [words, ['first'], refused],
]

// prettier-ignore
const faults: [Scalar, value: unknown, sentence: string][] = [
  ['long', 'x', `'x' is not a whole number from -9223372036854775808 to 9223372036854775807`],
  ['integer', 1.5, '1.5 is not a whole number from -2147483648 to 2147483647'],
  ['boolean', null, 'null is not true or false'],
  ['date', {}, 'an object is not a date such as 2024-02-25 or 2024-02-25T08:00:00.000Z'],
  ['string', [], 'a list is not a text'],
  ['string', 'a\u0001b', 'the character U+0001 cannot be part of a message; leave it out'],
  ['string', 'a\ud800', 'the character U+D800 cannot be part of a message; leave it out'],
  [words, 'third', `'third' is not one of 'first', 'second'`],
]

describe('a scalar', () => {
  test.each(texts)('%s reads the text %j as %s', (scalar, text, value) => {
    expect(scalarOf(scalar).fromText(text)).toBe(value)
  })
  test.each(jsons)('%s reads the JSON value %s as %s', (scalar, json, value) => {
    expect(scalarOf(scalar).fromJson(json)).toBe(value)
  })
  test.each(faults)('%s reports the fault of %s', (scalar, value, sentence) => {
    expect(scalarFault(scalarOf(scalar), value)).toBe(sentence)
  })
  test.each([
    [5, '5'],
    [-9223372036854775808n, '-9223372036854775808'],
    [true, 'true'],
    ['as it is', 'as it is'],
  ])('%s is written as %s', (value, text) => {
    expect(writeScalar(value)).toBe(text)
  })
})

test('a quoted value is short and legal in every format', () => {
  expect(quoteValue('\u{1f600}'.repeat(1000))).toHaveLength(63)
  expect(illegalCharacter(quoteValue(`x${'\u{1f600}'.repeat(1000)}`))).toBe(-1)
  expect(quoteValue('\u0000\ud800')).toBe(`'\ufffd\ufffd'`)
})

test('a number with a million digits or spaces is refused quickly', () => {
  const start = performance.now()
  for (const text of ['1'.repeat(1e6), ` 1${' '.repeat(1e6)}1 `, `${'0'.repeat(1e6)}x`]) {
    expect(scalarOf('long').fromText(text)).toBe(undefined)
    expect(scalarOf('number').fromText(text)).toBe(undefined)
  }
  expect(performance.now() - start).toBeLessThan(500)
})
