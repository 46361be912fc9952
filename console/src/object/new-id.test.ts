import { expect, test } from 'vitest'
import { newId } from './new-id.ts'

test.each([
  ['Title', 'title'],
  ['Länge über alles (mm)', 'laenge-ueber-alles-mm'],
  ['Größe', 'groesse'],
  ['Café Crème', 'cafe-creme'],
  ['  100 % Wool / Silk ', '100-wool-silk'],
  ['重さ', '重さ'],
  ['!!!', 'new'],
])('%j becomes %j', (name, id) => {
  expect(newId(name)).toBe(id)
})

test('a number is added when the id is taken, whatever its case', () => {
  expect(newId('Title', ['TITLE', 'title-2'])).toBe('title-3')
})
