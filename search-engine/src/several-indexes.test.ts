/** Joins between indexes, and searches over several of them. */
import * as fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLocalWorkers } from './workers/workers.ts'
import {
  openIndexes,
  type Indexes,
  type IndexSchema,
  type Predicate,
  type Scalar,
  type SearchDocument,
} from './index.ts'
import { createOracle } from './oracle.ts'
import { createIndex } from './store/generation-index.ts'

// prettier-ignore
const channelSchema: IndexSchema = {
  locales: ['en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name',     type: 'text', localized: true, weight: 3 },
    { name: 'region',   type: 'keyword' },
    { name: 'products', type: 'keyword' },
    { name: 'number',   type: 'number' },
  ],
}
// prettier-ignore
const productSchema: IndexSchema = {
  locales: ['en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name',     type: 'text', localized: true, weight: 3 },
    { name: 'colour',   type: 'keyword' },
    { name: 'channels', type: 'keyword' },
    { name: 'number',   type: 'number' },
  ],
}

function document(id: number, values: Record<string, Scalar[]>): SearchDocument {
  const place = (name: string) => (name === 'name' ? 'en_GB' : '')
  return {
    id,
    fields: new Map(Object.entries(values).map(([name, list]) => [name, new Map([[place(name), list]])])),
  }
}

describe('a join', () => {
  const id = fc.integer({ min: 1, max: 12 })
  const links = fc.array(id.map(String), { maxLength: 3 })
  const name = fc.constantFrom('red shoe', 'blue shoe', 'hat')
  const numbers = fc.array(id, { maxLength: 2 })
  const channel = fc
    .record({ id, name, region: fc.constantFrom('EMEA', 'NA'), products: links, numbers })
    .map((each) =>
      document(each.id, { name: [each.name], region: [each.region], products: each.products, number: each.numbers }),
    )
  const product = fc
    .record({ id, name, colour: fc.constantFrom('red', 'blue'), channels: links, numbers })
    .map((each) =>
      document(each.id, { name: [each.name], colour: [each.colour], channels: each.channels, number: each.numbers }),
    )
  const ofChannels: fc.Arbitrary<Predicate> = fc.oneof(
    fc.constantFrom<Predicate>(
      { kind: 'all' },
      { kind: 'text', text: 'shoe' },
      { kind: 'field', field: 'region', comparator: 'EQ', operands: ['emea'] },
    ),
    // And in the other direction: channels of the red products.
    fc.constant<Predicate>({
      kind: 'join',
      index: 'PRODUCT',
      of: { kind: 'field', field: 'colour', comparator: 'EQ', operands: ['red'] },
      from: 'channels',
      to: 'id',
    }),
  )
  const joined = fc
    .record({
      of: ofChannels,
      link: fc.constantFrom(
        ['id', 'channels'],
        ['products', 'id'],
        ['number', 'number'],
        ['number', 'channels'],
        ['id', 'none'],
      ),
    })
    .map(({ of, link: [from, to] }): Predicate => ({ kind: 'join', index: 'CHANNEL', of, from: from!, to: to! }))
  const predicate = fc.oneof(
    joined,
    joined.map((of): Predicate => ({ kind: 'not', of })),
    joined.map((of): Predicate => ({ kind: 'and', of: [{ kind: 'text', text: 'shoe' }, of] })),
  )

  test('agrees with the oracle, in either direction and nested', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(channel, { maxLength: 12 }),
        fc.array(product, { maxLength: 12 }),
        fc.array(predicate, { minLength: 1, maxLength: 6 }),
        async (channels, products, queries) => {
          const workers = createLocalWorkers()
          const oracles = new Map<string, ReturnType<typeof createOracle>>()
          const make = async (index: string, schema: IndexSchema, put: SearchDocument[]) => {
            const made = createIndex({ name: index, schema, workers })
            await made.apply({ put: put.slice(0, 5), remove: [] }, '1')
            await made.apply({ put: put.slice(5), remove: [] }, '2')
            const oracle = createOracle(schema, undefined, oracles)
            oracle.apply({ put, remove: [] })
            oracles.set(index, oracle)
            return { made, oracle }
          }
          await make('CHANNEL', channelSchema, channels)
          const { made, oracle } = await make('PRODUCT', productSchema, products)
          for (const each of queries) {
            const query = {
              predicate: each,
              sort: [{ field: 'none' }],
              offset: 0,
              limit: 20,
              facets: [{ field: 'colour', limit: 5 }],
            }
            const [found, wanted] = [await made.search(query), oracle.search(query)]
            expect(found.hits.map((hit) => hit.id)).toEqual(wanted.hits.map((hit) => hit.id))
            expect([found.total, found.facets]).toEqual([wanted.total, wanted.facets])
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('several indexes', () => {
  let folder: string
  let indexes: Indexes
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-several-'))
    indexes = await openIndexes({ folder, threads: 1 })
    const fill = async (name: string, schema: IndexSchema, put: SearchDocument[]) => {
      const next = await (await indexes.open(name, schema)).rebuild(schema)
      await next.add(put)
      await next.finish('a')
      await next.activate()
    }
    await fill('CHANNEL', channelSchema, [
      document(1, { name: ['shoe'], region: ['EMEA'], number: [3] }),
      document(2, { name: ['hats of the world'], region: ['NA'], number: [1] }),
    ])
    await fill('PRODUCT', productSchema, [
      document(1, { name: ['red shoe for rainy days'], colour: ['red'], channels: ['1'], number: [2] }),
      document(3, { name: ['hat'], colour: ['red'], channels: ['2'], number: [4] }),
    ])
  })
  afterAll(async () => {
    await indexes.close()
    await rm(folder, { recursive: true })
  })
  const everywhere = (predicate: Predicate) => ['CHANNEL', 'PRODUCT'].map((index) => ({ index, predicate }))
  const surface = ({ hits }: Awaited<ReturnType<Indexes['search']>>) => hits.map(({ index, id }) => `${index} ${id}`)

  test('are ranked as one: the shorter text comes first, whichever its index', async () => {
    const text = (words: string) =>
      indexes.search({ members: everywhere({ kind: 'text', text: words }), offset: 0, limit: 9 })
    expect(surface(await text('shoe'))).toEqual(['CHANNEL 1', 'PRODUCT 1'])
    expect(surface(await text('hat'))).toEqual(['PRODUCT 3', 'CHANNEL 2'])
  })
  test('are sorted and counted as one', async () => {
    const found = await indexes.search({
      members: everywhere({ kind: 'all' }),
      sort: [{ field: 'number' }],
      offset: 1,
      limit: 2,
      facets: [
        { field: 'colour', limit: 5, countEmpty: true },
        { field: 'region', limit: 5 },
      ],
    })
    expect([found.total, surface(found)]).toEqual([4, ['PRODUCT 1', 'CHANNEL 1']])
    expect(found.facets.map(({ buckets }) => buckets)).toEqual([
      [
        { value: 'red', count: 2 },
        { value: null, count: 2 },
      ],
      [
        { value: 'EMEA', count: 1 },
        { value: 'NA', count: 1 },
      ],
    ])
  })
  test('are joined across threads', async () => {
    const products = await indexes.open('PRODUCT', productSchema)
    const of: Predicate = { kind: 'field', field: 'region', comparator: 'EQ', operands: ['NA'] }
    const { hits } = await products.search({
      predicate: { kind: 'join', index: 'CHANNEL', of, from: 'id', to: 'channels' },
      offset: 0,
      limit: 9,
    })
    expect(hits.map(({ id }) => id)).toEqual([3])
  })
})

describe('a tolerant search', () => {
  const index = createIndex({ schema: productSchema })
  beforeAll(() =>
    index.apply(
      {
        put: [
          document(1, { name: ['leather shoe'], colour: ['red'] }),
          document(2, { name: ['leather boots'], colour: ['blue'] }),
          document(3, { name: ['shoo'], colour: ['blue'] }),
          document(4, { name: ['cart for carpets'], colour: ['red'] }),
        ],
        remove: [],
      },
      '1',
    ),
  )
  const ask = async (text: string, ...also: Predicate[]) => {
    const predicate: Predicate = { kind: 'and', of: [{ kind: 'text', text }, ...also] }
    const { hits, corrected } = await index.search({ predicate, offset: 0, limit: 9, tolerant: true })
    return { found: hits.map(({ id }) => id), corrected }
  }
  test('replaces unknown words by similarly spelled ones', async () => {
    expect(await ask('laether boots')).toEqual({ found: [2], corrected: 'leather boots' })
  })
  test('does not change words that merely contain the misspelled one', async () => {
    expect(await ask('carp carpets')).toEqual({ found: [4], corrected: 'cart carpets' })
  })
  test('corrects a text by the documents of its branch, and reports it once', async () => {
    const colour = (name: string): Predicate => ({ kind: 'field', field: 'colour', comparator: 'EQ', operands: [name] })
    const either = async (text: string) => {
      const of = ['red', 'blue'].map((name): Predicate => ({ kind: 'and', of: [colour(name), { kind: 'text', text }] }))
      const query = { predicate: { kind: 'or' as const, of }, sort: [{ field: 'colour' }], offset: 0, limit: 9 }
      const { hits, corrected } = await index.search({ ...query, tolerant: true })
      return { found: hits.map(({ id }) => id), corrected }
    }
    expect(await either('laether boots')).toEqual({ found: [2], corrected: 'leather boots' })
    expect(await either('shox')).toEqual({ found: [3, 1], corrected: 'shoe' })
  })
  test('does not correct very long texts', async () => {
    expect(await ask('laether boots '.repeat(33))).toEqual({ found: [], corrected: undefined })
    expect((await ask('laether boots '.repeat(32))).found).toEqual([2])
  })
  test('changes nothing if something is found', async () => {
    expect(await ask('leather')).toEqual({ found: [1, 2], corrected: undefined })
  })
  test('corrects only to words of visible documents', async () => {
    const red: Predicate = { kind: 'field', field: 'colour', comparator: 'EQ', operands: ['red'] }
    expect(await ask('shox', red)).toEqual({ found: [1], corrected: 'shoe' })
    expect(await ask('bootz', red)).toEqual({ found: [], corrected: undefined })
  })
})
