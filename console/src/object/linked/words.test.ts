import { expect, test } from 'vitest'
import { withWords } from './words.ts'

const words = new Map([
  ['FJ-1', 'Harbour boot'],
  ['FJ-1-XL', 'Harbour boot XL'],
  ['de_DE', 'German'],
])

test('whole ids become names, and longer ids are not cut', () => {
  expect(withWords('Translate the texts of FJ-1, FJ-1-XL and FJ-10 to de_DE.', words)).toBe(
    'Translate the texts of Harbour boot, Harbour boot XL and FJ-10 to German.',
  )
})

test('an id with signs of regular expressions is a text, and so is a name with a dollar sign', () => {
  expect(withWords('about a.b(1)', new Map([['a.b(1)', '$& cash']]))).toBe('about $& cash')
  expect(withWords('about axb', new Map([['a.b', 'X']]))).toBe('about axb')
  expect(withWords('unchanged', new Map())).toBe('unchanged')
})
