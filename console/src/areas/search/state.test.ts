import { expect, test } from 'vitest'
import { isIdle, readState, toSearch } from './state.ts'

const searchOf = (fields: Record<string, string>) => toSearch(readState(fields), 'en_GB', 0, 20)

test('text alone is a full-text query over all indexes', () => {
  expect(searchOf({ q: 'red boots' })).toMatchObject({
    context: { index: 'GLOBAL' },
    query: { queryType: 'FULLTEXT', value: 'red boots' },
  })
})

test('values of one facet are combined with OR, facets with AND', () => {
  const { query } = searchOf({
    q: 'boots',
    index: 'PRODUCT',
    'f.itemType': 'product|article',
    'f.classificationPath': '/Shoes',
  })
  expect(query).toMatchObject({
    operator: 'AND',
    queries: [
      { queryType: 'FULLTEXT' },
      { operator: 'OR', queries: [{ name: 'itemType', value: 'product' }, { value: 'article' }] },
      { name: 'classificationPath', comparator: 'EQ', value: '/Shoes' },
    ],
  })
})

test('a range includes its lower bound and excludes its upper bound; an open end has no bound', () => {
  expect(searchOf({ index: 'ASSET', 'f.fileSize': '1000..2000' }).query).toMatchObject({
    queries: [
      { comparator: 'GE', value: 1000 },
      { comparator: 'LT', value: 2000 },
    ],
  })
  expect(searchOf({ index: 'ASSET', 'f.fileSize': '..2000' }).query).toMatchObject({ comparator: 'LT', value: 2000 })
})

test('conditions of the builder become a tree; lists are split, and IS_EMPTY has no value', () => {
  const build = JSON.stringify({
    operator: 'OR',
    of: [
      { name: 'color', comparator: 'IN', value: 'red, blue' },
      { operator: 'AND', of: [{ name: 'price', comparator: 'IS_EMPTY', value: '' }] },
    ],
  })
  expect(searchOf({ index: 'PRODUCT', build }).query).toEqual({
    queryType: 'COMBINED',
    operator: 'OR',
    queries: [
      { queryType: 'FIELD', name: 'color', comparator: 'IN', value: ['red', 'blue'] },
      {
        queryType: 'COMBINED',
        operator: 'AND',
        queries: [{ queryType: 'FIELD', name: 'price', comparator: 'IS_EMPTY' }],
      },
    ],
  })
})

test('a join searches the other side of a link', () => {
  const join = JSON.stringify({ on: 'channels', index: 'CHANNEL', text: 'spring' })
  expect(searchOf({ index: 'PRODUCT', join }).join).toMatchObject({
    joinOn: 'channels',
    search: { context: { index: 'CHANNEL' }, query: { value: 'spring' } },
  })
})

test('a URL without a search, or with an invalid one, sends no request', () => {
  expect(isIdle(readState({}))).toBe(true)
  expect(isIdle(readState({ build: '{' }))).toBe(true)
  expect(isIdle(readState({ index: 'ASSET' }))).toBe(false)
})
