/** The table of attribute types: every type of the contract has a row, and every row keeps its promises. */
import { type AttributeType, attributeTypes } from '@kontor/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributeTypeOf, typeRules } from './attribute-types.ts'
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
}
const scalarTypes = attributeTypes.filter((type): type is ScalarType => typeRules[type].scalar !== undefined)
const definitionOf = (type: AttributeType) =>
  toDefinition({ id: 1, tid: 'x', type, localized: false, multi: false, definition: {} })

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
  const { compare, isWhole } = typeRules[type].scalar ?? {}
  if (!compare) return expect(() => checkRange(type, { from: '1' })).toThrow(`a ${type} has no range`)
  const [low] = samples[type as ScalarType].same
  expect(checkRange(type, { from: low })).toHaveProperty('from')
  if (isWhole) expect(checkRange(type, { intOnly: 'true' })).toEqual({ intOnly: 'true' })
  else expect(() => checkRange(type, { intOnly: 'true' })).toThrow('intOnly is for the type number')
})

describe.each(scalarTypes)('%s', (type) => {
  const { sent, same, found, refused } = samples[type]
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
    expect(fields).toMatchObject([{ name: 'x', type: typeRules[type].scalar!.field.type }])
    expect([...document.values()].flatMap((values) => [...values.values()])).toEqual([[found]])
  })

  test('a default value is read like any other value', () => {
    expect(checkDefault(type, undefined, { itm: [{ value: same[0] }] })).toEqual({
      itm: [{ value: store(same[0])['x'] }],
    })
    if (refused === undefined) return
    expect(() => checkDefault(type, undefined, { itm: [{ value: refused }] })).toThrow(`${refused} is not`)
    expect(() => store(refused)).toThrow(typeRules[type].scalar!.expected)
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
