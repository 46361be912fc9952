import { expect, test } from 'vitest'

const sources = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true })
/** The opening tags of buttons whose look is fixed. */
const buttons = Object.entries(sources).flatMap(([path, source]) =>
  [...source.matchAll(/<Button\b(?:[^>{]|\{(?:[^{}]|\{[^{}]*\})*\})*>/g)].map(([tag]) => ({ path, tag })),
)

test('a light button deletes or discards and is red; every other one is filled, default or subtle', () => {
  expect(buttons.length).toBeGreaterThan(100)
  const odd = buttons.filter(({ tag }) => tag.includes('variant="light"') !== tag.includes('color="red"'))
  expect(odd.map(({ path, tag }) => `${path}: ${tag}`)).toEqual([])
})
