import { expect, test } from 'vitest'
import { termsIn } from './terms.ts'

const terms = [
  { text: 'Wind', forbidden: false },
  { text: 'lasts for ever', forbidden: true },
  { text: 'Öl', forbidden: false },
]
test.each([
  ['Against wind and water', ['Wind']],
  ['Nordwind', []],
  ['windy', []],
  ['It LASTS for ever.', ['lasts for ever']],
  ['Mit Öl, ohne Ölung', ['Öl']],
  ['Ölung', []],
  ['  ', []],
])('%j has %j', (text, found) => {
  expect(termsIn(text, terms).map((term) => term.text)).toEqual(found)
})
