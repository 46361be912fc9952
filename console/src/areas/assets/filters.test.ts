import { expect, test } from 'vitest'
import { conditionsOf, filtersOf } from './filters.ts'

const field = (fieldName: string, attrIdentifier?: string) => ({
  fieldName,
  fieldType: 'text',
  ...(attrIdentifier && { attrIdentifier }),
})
const fields = [
  ...['fileType', 'mimeType', 'fileSize', 'creationDate', 'keywords', 'products'].map((name) => field(name)),
  ...['TITLE', 'CAMERA', 'LICENSE_EXPIRES'].map((name) => field(name, name)),
]
const noon = Date.parse('2026-01-31T12:00Z')
const written = (state: Record<string, string>) =>
  conditionsOf(filtersOf(state), fields, noon).map(({ name, comparator, value, queries }) =>
    queries
      ? queries.map((one) => `${one.name} ${one.comparator}`)
      : `${name} ${comparator} ${String(value ?? '')}`.trim(),
  )

test.each([
  ['several values', { kinds: 'IMG|PDF' }, ['fileType IN IMG,PDF']],
  ['a range of sizes', { 'f.size': 'medium' }, ['fileSize GE 1000000', 'fileSize LT 10000000']],
  ['an unknown size', { 'f.size': 'toString' }, []],
  ['dates', { 'f.from': '2025-01-01', 'f.to': '2025' }, ['creationDate GE 2025-01-01']],
  [
    'rights that end soon',
    { 'f.rights': 'expiring' },
    ['LICENSE_EXPIRES GE 2026-01-31', 'LICENSE_EXPIRES LE 2026-03-02'],
  ],
  ['files without metadata', { 'f.bare': '1' }, ['keywords IS_EMPTY', 'TITLE IS_EMPTY', 'LICENSE_EXPIRES IS_EMPTY']],
  ['fields that the caller has', { 'f.usage': 'unused', 'f.rights': 'unlicensed' }, ['products IS_EMPTY']],
  ['used files', { 'f.usage': 'used' }, [['products IS_NOT_EMPTY']]],
])('%s become conditions', (_, state, expected) => {
  expect(written(state)).toEqual(expected)
})
