/** The table of attribute types: every type of the contract has a row, and every row keeps its promises. */
import { type AttributeType, attributeTypes, convert, toBase, withoutError } from '@kontor/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributeTypeOf, type Format, scalarOf, typeRules } from './attribute-types.ts'
import { toDefinition } from './definition.ts'
import { checkDefault, checkRange } from './definition-parts.ts'
import { attributeFields } from './fields.ts'
import { compareNumbers, readNumber } from './numbers.ts'
import { mergeVals } from './read.ts'
import { toRule } from './rule.ts'
import { toVal } from './to-message.ts'
import { Entries } from '../core/outbox/entries.ts'
import type { FieldValues } from '../core/outbox/documents.ts'

type ScalarType = Exclude<AttributeType, 'table'>
interface Samples {
  /** Texts as clients may send them. */
  readonly sent: fc.Arbitrary<string>
  /** Two different notations of one value, and what its search field holds. */
  readonly same: readonly [string, string]
  readonly found: string | number | boolean
  readonly refused?: string
  readonly format?: Format
  /** The name of its search field. */
  readonly field?: string
}
const digits = fc.stringMatching(/^[0-9]{1,20}$/)

// prettier-ignore
const samples: Record<ScalarType, Samples> = {
  text:    { sent: fc.string({ minLength: 1 }), same: ['a b', 'a b'], found: 'a b' },
  ref:     { sent: fc.string({ minLength: 1 }), same: ['P-1', 'P-1'], found: 'P-1' },
  number:  { sent: fc.tuple(fc.constantFrom('', '+', '-'), digits, digits, fc.constantFrom('', 'e3', 'E-7')).map(([sign, whole, part, exponent]) => `${sign}${whole}.${part}${exponent}`),
             same: ['1.50', '15e-1'], found: 1.5, refused: 'much' },
  date:    { sent: fc.date({ noInvalidDate: true, min: new Date('0100-01-01'), max: new Date('9999-01-01') }).map((date) => date.toISOString()),
             same: ['2024-02-25', '2024-02-25T02:00+02:00'], found: Date.UTC(2024, 1, 25), refused: 'soon' },
  boolean: { sent: fc.constantFrom('true', 'false', 'TRUE', '0', '1', ' False'), same: ['1', 'True'], found: true, refused: 'yes' },
  identifier: { sent: fc.stringMatching(/^[0-9]{12}$/).map((digits) => digits + gtinDigit(digits)), format: { scheme: 'gtin' },
             same: ['4 006381-333931', '4006381333931'], found: '4006381333931', refused: '4006381333932' },
  price:   { sent: fc.tuple(fc.integer(), digits, fc.constantFrom(' EUR', '€', ' usd')).map(([whole, part, currency]) => `${whole}.${part}${currency}`),
             format: { unit: [{ code: 'EUR', synonym: ['€'] }, { code: 'USD' }] }, found: 19.99, field: 'x/EUR',
             same: ['21.50 usd; € 19.99', '19.99 EUR;21.5 USD;'], refused: '5 EUR; 6 EUR' },
  richtext: { sent: fc.array(fc.oneof(fc.constantFrom('<p>', '</p>', '<b>', '</b>', '<script>', '</script>', '<a href="javascript:x">', '<a href="https://a.b/?c=1&d">', '</a>', '<', '>', '&', '&lt;', '"', '<!--', '<img src=x onerror=y>'), fc.string())).map((parts) => `a${parts.join('')}`),
             same: ['<b onclick="x()">Dry &amp; warm</b><script>y()</script>', '<strong>Dry & warm</strong>'], found: 'Dry & warm', refused: '<script>x</script>' },
  measure: { sent: fc.tuple(fc.integer(), digits, fc.constantFrom('g', 'kg', ' kg', ' Gramm', 'KG')).map(([whole, part, unit]) => `${whole}.${part}${unit}`),
             format: { family: 'mass', unit: [{ code: 'kg', factor: '1' }, { code: 'g', factor: '0.001', synonym: ['gramm'] }] },
             same: ['500.0g', ' 5e2 Gramm '], found: 0.5, refused: '5 l' },
}
/** Not how the server does it, so that both can be wrong only together. */
function gtinDigit(digits: string) {
  const sum = [...digits].map(Number).reduce((total, digit, i) => total + digit * [1, 3][i % 2]!, 0)
  return String((1000 - sum) % 10)
}
const scalarTypes = attributeTypes.filter((type): type is ScalarType => scalarOf(type) !== undefined)
const definitionOf = (type: AttributeType) =>
  toDefinition({ id: 1, tid: 'x', type, localized: false, multi: false, definition: { ...formatted(type) } })
const formatOf = (type: AttributeType) => (type === 'table' ? undefined : samples[type].format)
const formatted = (type: AttributeType) => {
  const format = formatOf(type)
  return format && { format }
}

test('every type of the contract has a row, and no row is left over', () => {
  expect(Object.keys(typeRules).toSorted()).toEqual(attributeTypes.toSorted())
  expect(Object.keys(samples).toSorted()).toEqual(scalarTypes.toSorted())
})

test.each(attributeTypes)('%s is known by its name and synonyms, in any case', (type) => {
  for (const word of [type, ...(typeRules[type].synonyms ?? [])]) {
    expect(attributeTypeOf(` ${word.toUpperCase()} `)).toBe(type)
  }
  expect(attributeTypeOf('colour')).toBeUndefined()
})

test.each(attributeTypes)('%s has a range if and only if its values have an order', (type) => {
  const format = formatOf(type)
  const { compare, isWhole } = scalarOf(type, format) ?? {}
  if (!compare) return expect(() => checkRange(type, { from: '1' }, format)).toThrow(`a ${type} has no range`)
  const [low] = samples[type as ScalarType].same
  expect(checkRange(type, { from: low }, format)).toHaveProperty('from')
  if (isWhole) expect(checkRange(type, { intOnly: 'true' }, format)).toEqual({ intOnly: 'true' })
  else expect(() => checkRange(type, { intOnly: 'true' }, format)).toThrow('intOnly is for the type number')
})

describe.each(scalarTypes)('%s', (type) => {
  const { sent, same, found, refused, field = 'x' } = samples[type]
  const rule = toRule(definitionOf(type))
  const store = (value: string) => mergeVals({}, [{ attr: 'x', itm: [{ value }] }], () => rule)

  test('a value is read, stored, answered, and stored again without a change', () => {
    fc.assert(
      fc.property(sent, (text) => {
        const stored = store(text)
        const val = toVal(rule, stored['x']!)
        expect(val.itm).toEqual([{ value: stored['x'] }])
        expect(val.dataType).toBe(typeRules[type].isNamed ? type : undefined)
        expect(mergeVals(stored, [val], () => rule)).toBe(stored)
      }),
    )
  })

  test('two notations of one value are stored as the same text', () => {
    expect(store(same[0])).toEqual(store(same[1]))
  })

  test('a stored value becomes a value of its search field', () => {
    const { fields, put } = attributeFields([definitionOf(type)], new Set())
    const document = new Entries<FieldValues>()
    put(document, 'x', store(same[0])['x']!)
    expect(fields[0]).toMatchObject({ name: field, type: scalarOf(type)!.field.type })
    expect([...document.get(field)!.values()]).toEqual([[found]])
  })

  test('a default value is read like any other value', () => {
    expect(checkDefault(type, undefined, { itm: [{ value: same[0] }] }, formatOf(type))).toEqual({
      itm: [{ value: store(same[0])['x'] }],
    })
    if (refused === undefined) return
    expect(() => checkDefault(type, undefined, { itm: [{ value: refused }] }, formatOf(type))).toThrow(
      `${refused} is not`,
    )
    expect(() => store(refused)).toThrow(scalarOf(type, formatOf(type))!.expected)
  })
})

test('the order of numbers is that of their values, for any number of digits', () => {
  const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      const order = compareNumbers(readNumber(String(a))!, readNumber(String(b))!)
      expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0)
    }),
  )
})

// Without a limit these would take minutes: the expression for numbers backtracks over leading zeros.
test.each([`${'0'.repeat(1_000_000)}x`, '1'.repeat(1_000_000)])('a very long text is refused unread', (text) => {
  expect(readNumber(text)).toBeUndefined()
})

test.each(['E5', '-e1', '.e2', '.'])('a text without digits before its exponent is not a number: %s', (text) => {
  expect(readNumber(text)).toBeUndefined()
})

test.each([
  ['gtin', '96385074', '96385074'],
  ['gtin', '036000291452', '036000291452'],
  ['isbn', '978-3-16-148410-0', '9783161484100'],
  ['isbn', '0-8044-2957-x', '080442957X'],
  ['gln', '4000001000005', '4000001000005'],
  ['sscc', '340123450000000000', '340123450000000000'],
] as const)('a %s is stored without separators: %s', (scheme, sent, stored) => {
  expect(scalarOf('identifier', { scheme })!.read(sent)).toBe(stored)
})

test.each([
  ['gtin', '4006381333932', 'its check digit is wrong: 400638133393 needs 1'],
  ['gtin', '400638133393', 'its check digit is wrong'],
  ['gtin', '12345', undefined],
  ['isbn', '4006381333931', undefined],
  ['isbn', 'X804429570', undefined],
] as const)('a wrong %s is refused with the reason: %s', (scheme, sent, hint) => {
  const { read, hint: hintOf } = scalarOf('identifier', { scheme })!
  expect(read(sent)).toBeUndefined()
  if (hint === undefined) expect(hintOf!(sent)).toBeUndefined()
  else expect(hintOf!(sent)).toContain(hint)
})

test('a measure is compared in the base unit, and its range too', () => {
  const rule = toRule({ ...definitionOf('measure'), range: { from: '100 g', to: '2 kg', intOnly: false } })
  expect([rule.read('0.1 kg'), rule.read('2000g')]).toEqual(['0.1 kg', '2000 g'])
  expect(() => rule.read('99 g')).toThrow('99 g is below 100 g')
  expect(() => rule.read('2.01 kg')).toThrow('2.01 kg is above 2 kg')
  expect(() => rule.read('5 l')).toThrow(
    '"5 l" is not an amount with a unit, such as 12.5 kg; expected one of the units kg, g',
  )
})

test('a price has a search field for each currency, and one without an amount in it has no value there', () => {
  const { fields, put } = attributeFields([definitionOf('price')], new Set())
  expect(fields.map(({ name, attribute }) => [name, attribute])).toEqual([['x/EUR', 'x'], ['x/USD', 'x']]) // prettier-ignore
  const document = new Entries<FieldValues>()
  put(document, 'x', '5 USD')
  expect([...document.keys()]).toEqual(['x/USD'])
})

test.each([
  ['<p style="color:red">a</p>', '<p>a</p>'],
  ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
  ['<a href="//evil.example">a</a>', '<a>a</a>'],
  ['<a href="https://a.example/?b=1&c=2" target="_blank">a</a>', '<a href="https://a.example/?b=1&amp;c=2">a</a>'],
  ['<div><p>a</p></div><iframe src="https://a.example"></iframe>', '<p>a</p>'],
  ['<img src=x onerror=alert(1)>a', 'a'],
  ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
  ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
])('formatted text is reduced to what is safe: %s', (sent, stored) => {
  expect(scalarOf('richtext')!.read(sent)).toBe(stored)
})

test.each([
  '<p><table><td>a</table>',
  '<svg><p><select><p>b<h1>c',
  '<ul>a<p>b</ul><td><svg><td>c',
  '<blockquote><p>a<ul><li>b<p>c',
])('formatted text that was stored is read again without a change: %s', (sent) => {
  const { read } = scalarOf('richtext')!
  const stored = read(sent)
  expect(stored).toBeDefined()
  expect(read(stored!)).toBe(stored)
})

test('formatted text with very many elements inside each other is refused before they are read', () => {
  const { read } = scalarOf('richtext')!
  const [inline, unknown, lists] = ['<b>', '<x>', '<ul><li>'].map((part) => `${part.repeat(100_000)}a`)
  expect([read(inline!), read(unknown!), read(lists!)]).toEqual([undefined, undefined, undefined])
  expect(read(`${'<p>a</p>'.repeat(20_000)}`)).toHaveLength(160_000)
  expect(read('<'.repeat(900_000))).toBeUndefined() // it would be longer than what can be sent again
})

test('large whole amounts keep all their digits in search and conversion', () => {
  const [byte, kilobyte] = [{ code: 'B', factor: 1 }, { code: 'kB', factor: 1000 }] // prettier-ignore
  expect(toBase(1_234_567_890_123, byte)).toBe(1_234_567_890_123)
  expect(toBase(1_234_567_890.123, kilobyte)).toBe(1_234_567_890_123)
  expect(convert(0.1234567890123, byte, byte)).toBe(0.1234567890123)
  expect([convert(0.1 + 0.2, kilobyte, byte), withoutError(4_006_381_333_931.5)]).toEqual([300, 4_006_381_333_931.5])
})

test('an identifier without a scheme has at most 500 characters, and composed letters', () => {
  const { read } = scalarOf('identifier')!
  expect([read(' e\u0301 '), read('x'.repeat(500))?.length, read('x'.repeat(501))]).toEqual(['\u00e9', 500, undefined])
})
