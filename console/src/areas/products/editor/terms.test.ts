import { expect, test } from 'vitest'
import { createFinder, termsOf } from './terms.ts'

const find = createFinder(
  ['Wind', 'lasts for ever', 'lasts', 'Öl', 'dry bag'].map((text) => ({ text, forbidden: text === 'lasts for ever' })),
)
test.each([
  ['Against wind and water', ['Wind']],
  ['Nordwind', []],
  ['windy', []],
  ['It LASTS for ever.', ['lasts for ever']],
  ['It lasts for years', ['lasts']],
  ['Mit Öl, ohne Ölung', ['Öl']],
  ['wind, Wind and WIND', ['Wind']],
  ['a dry-bag, a dry bag', ['dry bag']],
  ['  ', []],
  ['', []],
])('%j has %j', (text, found) => {
  const pieces = find(text)
  expect(termsOf(pieces).map((term) => term.text)).toEqual(found)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})

test('the cost does not grow with the number of terms', () => {
  const many = createFinder(
    Array.from({ length: 20_000 }, (_, i) => ({ text: `term${i} of a glossary`, forbidden: false })),
  )
  const text = Array.from({ length: 2000 }, (_, i) => `term${i * 7} of a glossary`).join(', ')
  expect(termsOf(many(text))).toHaveLength(2000)
})
