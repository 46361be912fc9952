import { expect, test } from 'vitest'
import { toPlace } from './stored-searches.ts'

const context = { searchType: 'INDEX', index: 'PRODUCT' } as const
test.each([
  ['{"q":"rope","to":"/products"}', { to: '/products', fields: { q: 'rope' } }],
  ['{"q":"rope"}', { fields: { q: 'rope' } }],
  ['{"q":"rope","to":"javascript:alert(1)"}', { fields: { q: 'rope' } }],
  ['not ours', { fields: { q: 'sail', index: 'PRODUCT' } }],
  [undefined, { fields: { q: 'sail', index: 'PRODUCT' } }],
])('a stored search with the property %j opens %j', (customProperty, place) => {
  const search = { context, query: { queryType: 'FULLTEXT', value: 'sail' } as const }
  expect(toPlace(customProperty === undefined ? search : { ...search, customProperty })).toEqual(place)
})
