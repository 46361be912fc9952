import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIndexes, type Indexes, type IndexSchema, type Predicate, type SearchIndex } from '../index.ts'
import type { Segment } from '../segment/segment.ts'
import { filterKey, cachedFilter, type FilterCache } from './filter-cache.ts'
import { everything } from './matcher.ts'
import type { QueryContext } from './term-scoring.ts'

const schemaOf = (...names: string[]): IndexSchema => ({
  locales: [],
  defaultLocale: 'en_GB',
  fields: names.map((name) => ({ name, type: 'keyword' })),
})
const productSchema = schemaOf('colour', 'channels')
const channelSchema = schemaOf('region')
const equals = (field: string, ...operands: (string | number)[]): Predicate => ({
  kind: 'field',
  field,
  comparator: 'EQ',
  operands,
})
const document = (id: number, values: Record<string, string[]>) => ({
  id,
  fields: new Map(Object.entries(values).map(([name, list]) => [name, new Map([['', list]])])),
})
const red = equals('colour', 'red')
const inEurope: Predicate = {
  kind: 'join',
  index: 'CHANNEL',
  of: equals('region', 'EU'),
  from: 'id',
  to: 'channels',
}

let folder: string
let indexes: Indexes
let products: SearchIndex
let channels: SearchIndex

/** Enough products for filters to be cached: every fourth is red, half are in channel 1 and half in 2. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-filters-'))
  indexes = await openIndexes({ folder, threads: 0, onFailure: (error) => expect.fail(String(error)) })
  products = await indexes.open('PRODUCT', productSchema)
  channels = await indexes.open('CHANNEL', channelSchema)
  const colourOf = (i: number) => (i % 4 ? 'blue' : 'red')
  const all = Array.from({ length: 2000 }, (_, i) =>
    document(i + 1, { colour: [colourOf(i)], channels: [String((i % 2) + 1)] }),
  )
  await fill(products, productSchema, all)
  await fill(channels, channelSchema, [document(1, { region: ['EU'] }), document(2, { region: ['US'] })])
})
afterAll(async () => {
  await indexes.close()
  await rm(folder, { recursive: true })
})

async function fill(index: SearchIndex, schema: IndexSchema, documents: ReturnType<typeof document>[]): Promise<void> {
  const rebuild = await index.rebuild(schema)
  await rebuild.add(documents)
  await rebuild.finish('filled')
  await rebuild.activate()
}
async function totals(predicate: Predicate, times = 3): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < times; i++) found.push((await products.search({ predicate, offset: 0, limit: 5 })).total)
  return found
}

test('a cached filter finds the same documents', async () => {
  expect(await totals(red)).toEqual([500, 500, 500])
  expect(await totals({ kind: 'not', of: red })).toEqual([1500, 1500, 1500])
  expect(await totals({ kind: 'and', of: [red, inEurope] })).toEqual([500, 500, 500])
})

test('changed and removed documents are not found by a cached filter', async () => {
  await totals(red)
  await products.apply(
    { put: [document(1, { colour: ['green'] }), document(2, { colour: ['red'] })], remove: [5] },
    '1',
  )
  expect(await totals(red)).toEqual([499, 499, 499])
})

test('a cached join follows changes in the other index', async () => {
  const before = await totals(inEurope)
  await channels.apply({ put: [document(2, { region: ['EU'] })], remove: [] }, '1')
  const after = await totals(inEurope)
  expect(after).toEqual(before.map((total) => total + 999))
})

test('a cached filter does not find a field that was removed from the schema', async () => {
  await totals(red)
  products.useSchema(schemaOf('channels'))
  expect(await totals(red)).toEqual([0, 0, 0])
  products.useSchema(productSchema)
  expect(await totals(red)).toEqual([499, 499, 499])
})

const keyOf = (predicate: Predicate) => filterKey(() => new Set(), predicate)

test('cache keys differ if any part of the filter differs', () => {
  const different = [
    equals('a', 1),
    equals('a', '1'),
    equals('b', 1),
    { ...equals('a', 1), locale: 'de_DE' },
    { kind: 'not', of: equals('a', 1) },
    { kind: 'or', of: [equals('a', 1)] },
    { kind: 'or', of: [equals('a', 1), equals('b', 1)] },
    { kind: 'and', of: [equals('a', 1), equals('b', 1)] },
  ] as Predicate[]
  expect(new Set(different.map(keyOf))).toHaveLength(different.length)
  expect(new Set(different.map(keyOf))).not.toContain(undefined)
})

test('predicates with text or IDs are not cached', () => {
  const text: Predicate = { kind: 'text', text: 'shoe' }
  const ids: Predicate = { kind: 'ids', ids: [1] }
  const nested: Predicate[] = [text, ids].map((each) => ({ kind: 'or', of: [equals('a', 1), each] }))
  for (const each of [text, ids, ...nested]) expect(keyOf(each)).toBeUndefined()
})

test('numbers that JSON cannot represent have no cache key', () => {
  for (const each of [NaN, Infinity, -Infinity]) expect(keyOf(equals('a', each))).toBeUndefined()
})

test('a filter is cached at its second use and evicted after others were used', () => {
  const filterCache: FilterCache = new WeakMap()
  const context = { filterCache, schema: productSchema, filterKey: keyOf } as QueryContext
  const segment = { maxDoc: 2000 } as Segment
  let made = 0
  const ask = (predicate: Predicate) =>
    cachedFilter(context, segment, predicate, () => {
      made++
      return everything(segment.maxDoc)
    })
  for (let i = 0; i < 4; i++) ask(red)
  expect(made).toBe(2)
  for (let i = 0; i < 100; i++) ask(equals('colour', `c${i}`))
  made = 0
  ask(red)
  expect(made).toBe(1)
})
