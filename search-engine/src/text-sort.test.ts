import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedIndexes } from './text-sort.ts'

const byComparing = (texts: readonly string[]) =>
  [...texts.keys()].sort((a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : 0))

test('texts are sorted by code units, and equal texts keep their order', () => {
  const letters = fc.constantFrom('a', 'b', 'B', '1', ' ', 'é', 'ß', 'Ж', '漢', '𝒳', '\uffff', '\u0001')
  const text = fc.array(letters, { maxLength: 9 }).map((some) => some.join(''))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), (texts) => {
      expect([...sortedIndexes(texts)]).toEqual(byComparing(texts))
    }),
  )
})

test('texts with a very long common prefix are sorted by their ends', () => {
  const texts = Array.from({ length: 20 }, (_, i) => 'x'.repeat(50_000 + (i % 3)) + ((i * 7) % 20))
  expect([...sortedIndexes(texts)]).toEqual(byComparing(texts))
})
