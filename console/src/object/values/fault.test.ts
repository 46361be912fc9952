import { expect, test } from 'vitest'
import { type Attribute, toAttribute } from './attribute.ts'
import { faultOf } from './fault.ts'

const attribute = (changed: Partial<Attribute>): Attribute => ({
  ...toAttribute({ tid: 'x', type: 'text' }, 'en_GB'),
  ...changed,
})
const measure = { dataType: 'measure', units: [{ code: 'kg', factor: 1 }, { code: 'g', factor: 0.001 }], from: '100 g', to: '2 kg' } as const // prettier-ignore
const price = { dataType: 'price', currencies: ['EUR', 'USD'] } as const
const number = { dataType: 'number', from: '1', to: '9' } as const

test.each([
  ['any text', {}, ['anything'], undefined],
  ['a text that is too long', { maxLength: 3 }, ['four'], '4 / 3'],
  ['a text that is too short', { minLength: 3 }, ['ab'], '2 / ≥ 3'],
  ['an emoji as one character', { maxLength: 1 }, ['⛵'], undefined],
  ['no text at all', { minLength: 3 }, [''], undefined],
  ['a number', number, ['5.5'], undefined],
  ['a number with an exponent', number, ['5e0'], undefined],
  ['letters as a number', number, ['five'], 'five?'],
  ['a number below the range', number, ['0'], '≥ 1'],
  ['a number above the range', number, ['10'], '≤ 9'],
  ['a fraction where only whole numbers are allowed', { ...number, wholeOnly: true }, ['5.5'], '0, 1, 2 …'],
  ['a measure in another unit', measure, ['1500 g'], undefined],
  ['a measure without a unit', measure, ['5'], '5?'],
  ['a measure below the range', measure, ['0.05 kg'], '≥ 100 g'],
  ['a measure above the range', measure, ['2001 g'], '≤ 2 kg'],
  ['a price', price, ['5 EUR; 6.50 USD'], undefined],
  ['letters as an amount of a price', price, ['5 EUR; six USD'], 'six USD?'],
  ['the second value of a list', { ...number, multiple: true }, ['5', '10'], '≤ 9'],
])('%s', (_name, changed, texts, fault) => {
  expect(faultOf(attribute(changed), texts)).toBe(fault)
})
