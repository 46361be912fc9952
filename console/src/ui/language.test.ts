import { expect, test } from 'vitest'
import { defineTexts, english, translator } from './language.tsx'

const texts = defineTexts('harbour', {
  overdue: { zero: 'none overdue', one: 'one overdue', other: '{count} overdue' },
  found: { one: '{count} product', other: '{count} products' },
  files: { other: '{count} files' },
  greeting: 'Good day, {name}',
  progress: '{done} of {count}',
})
const german = {
  harbour: {
    overdue: { zero: 'keine überfällig', one: 'eine überfällig', other: '{count} überfällig' },
    found: { one: '{count} Produkt', other: '{count} Produkte' },
    progress: '{done} von {count}',
  },
}
const en = translator(texts, english)
const de = translator(texts, { tag: 'de', texts: german })
const fr = translator(texts, {
  tag: 'fr',
  texts: { harbour: { found: { one: '{count} produit', other: '{count} produits' } } },
})

test.each([
  [0, 'none overdue', 'keine überfällig'],
  [1, 'one overdue', 'eine überfällig'],
  [2, '2 overdue', '2 überfällig'],
  [1234, '1,234 overdue', '1.234 überfällig'],
])('a count of %i picks its plural form', (count, english, german) => {
  expect(en('overdue', { count })).toBe(english)
  expect(de('overdue', { count })).toBe(german)
})

test('a count of 0 reads as the language counts it when there is no form for zero', () => {
  expect(en('found', { count: 0 })).toBe('0 products')
  expect(fr('found', { count: 0 })).toBe('0 produit')
})

test('a form that is left out reads as "other"', () => {
  expect(en('files', { count: 1 })).toBe('1 files')
})

test('a text with forms reads as "other" without a count', () => {
  expect(en('found')).toBe(' products')
})

test('placeholders are filled in, numbers as the language writes them', () => {
  expect(en('greeting', { name: 'Greta' })).toBe('Good day, Greta')
  expect(de('progress', { done: 1000, count: 1 })).toBe('1.000 von 1')
})
