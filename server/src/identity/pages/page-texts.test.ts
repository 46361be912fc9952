import { expect, test } from 'vitest'
import { languageOf } from './page-texts.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT, en;q=0.5', 'de'],
  ['en-GB, de;q=0.9', 'en'],
  ['it, en;q=0.3, de;q=0.8', 'de'],
  ['fr-CH, de;q=0.8', 'fr'],
  ['es, it', 'en'],
  ['*', 'en'],
  ['den, ;q=x', 'en'],
  ['de;q=0, en', 'en'],
  ['de;q=0', 'en'],
])('a browser that asks for %s is answered in %s', (accepted, language) => {
  expect(languageOf(accepted)).toBe(language)
})

test('a header of very many spaces is read in no time', () => {
  expect(languageOf(`de${' '.repeat(1_000_000)}x`)).toBe('en')
  expect(languageOf(`de${' '.repeat(1_000_000)};${' '.repeat(1_000_000)}q=0.5`)).toBe('de')
})
