import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { collatedOrder, createCollations } from './collation.ts'

const collationOf = createCollations()

test.each(['de_DE', 'es_ES', 'sv_SE', 'cs_CZ', 'ru_RU', 'ja_JP', 'xx'])('texts are sorted as in %s', (locale) => {
  const { compare } = collationOf(locale)
  const piece = fc.constantFrom(
    'a',
    'Z',
    'ch',
    'n',
    'ñ',
    'å',
    'É',
    'ß',
    '9',
    '10',
    '007',
    ' ',
    '-',
    'ж',
    'Я',
    '漢',
    '𝒳',
  )
  const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((some) => some.join(''))
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 60 }), (texts) => {
      const found = Array.from(collatedOrder(texts, collationOf(locale)), (place) => texts[place])
      expect(found).toEqual(texts.toSorted(compare))
    }),
  )
})

test.each([
  ['de_DE', 'aeinorstuäöü'],
  ['es_ES', 'aeionñrsu'],
  ['ru_RU', 'абвгдежзи'],
])('most texts of %s are sorted before ICU compares them', (locale, letters) => {
  const collation = collationOf(locale)
  const mixed = (i: number) => Math.imul(i + 1, 0x9e3779b1) >>> 0
  const texts = Array.from({ length: 2000 }, (_, i) =>
    Array.from({ length: 8 }, (_unused, k) => letters[(mixed(i) >>> (3 * k)) % letters.length]).join(''),
  )
  let comparisons = 0
  const distinct = [...new Set(texts)]
  collatedOrder(distinct, { ...collation, compare: (a, b) => (comparisons++, collation.compare(a, b)) })
  expect(distinct.length).toBeGreaterThan(1000)
  expect(comparisons).toBeLessThan(3 * distinct.length)
})
