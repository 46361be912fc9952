import { expect, test } from 'vitest'
import { toItems } from '../../../object/items.ts'
import { differencesOf } from './differences.ts'

const format = { bytes: (value: number) => `${value / 1_000_000} MB`, number: String }
const file = (facts: Record<string, string>) => ({ meta: { itm: toItems({ mimeType: 'image/png', ...facts }) } })

test.each([
  [
    'sizes',
    { fileSize: '1000000', width: '800', height: '300' },
    { fileSize: '4000000', width: '400', height: '600' },
    ['smaller 3 MB', 'wider 400 px', 'lower 300 px'],
  ],
  ['formats', { mimeType: 'image/svg+xml' }, {}, ['otherFormat SVG PNG']],
  ['an unknown width', { width: '5' }, {}, ['sameLook']],
  ['the same file', { checksum: 'a', width: '5' }, { checksum: 'a' }, ['sameFile']],
])('%s are compared in words', (_, now, then, expected) => {
  const words = differencesOf(file(now), file(then), format)
  expect(words.map(([name, values]) => [name, ...Object.values(values)].join(' '))).toEqual(expected)
})
