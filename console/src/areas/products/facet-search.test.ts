import { expect, test } from 'vitest'
import { readFacets, toggleFacet, writeFacets } from './facet-search.ts'

test('facets survive a round trip through the URL, whatever their values are', () => {
  const facets = new Map([
    ['colour', new Set(['navy', 'a|b;c:d%'])],
    ['waterproof', new Set(['true'])],
  ])
  expect(readFacets(writeFacets(facets))).toEqual(facets)
  expect(writeFacets(new Map([['colour', new Set(['navy', 'red'])]]))).toBe('colour:navy|red')
  expect(readFacets(undefined)).toEqual(new Map())
})

test('a value is selected and deselected; a field without values is dropped', () => {
  const one = toggleFacet(new Map(), 'colour', 'navy')
  expect(one).toEqual(new Map([['colour', new Set(['navy'])]]))
  expect(toggleFacet(one, 'colour', 'navy')).toEqual(new Map())
})
