/** Values as PostgreSQL writes them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStored } from './stored-text.ts'

/** jsonb as text: a space after every separating colon and comma. */
const written = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${written(each)}`)
    .join(', ')}}`
}

test.each([
  ['no values', {}],
  ['a text', { size: '8' }],
  ['texts with what separates', { 'a": {': '}, "b": [', b: ']"\\', 'c\\"': '\\\\', d: '\n\u0001é😀' }],
  ['lists and locales', { tags: ['a', null, '"'], title: { en_GB: 'red', de_DE: ['rot', '}'] }, size: '8' }],
  ['the long form', { colour: { v: { en_GB: 'red' }, tags: [{ key: 'new' }] } }],
  ['empty ones', { a: '', '': 'b', c: [], d: {} }],
  ['neither a text nor a list', { a: null, b: 1.5, c: true, d: 'e' }],
  ['names that objects have', JSON.parse('{"__proto__": "a", "constructor": "b"}')],
])('%s', (_what, values) => {
  expect([...readStored(written(values))]).toEqual(Object.entries(values))
  expect([...readStored(JSON.stringify(values))]).toEqual(Object.entries(values))
})

test('any values are read as JSON.parse reads them', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^["\\{}[\]:, ]*$/))
  const list = fc.array(fc.option(text))
  const value = fc.oneof(text, list, fc.dictionary(text, fc.oneof(text, list)))
  fc.assert(
    fc.property(fc.dictionary(text, value), (values) => {
      expect([...readStored(written(values))]).toEqual(Object.entries(values))
    }),
  )
})
