/** Joins between indexes, and searches over several of them: what every engine must do. For tests only. */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createOracle } from './oracle.ts'
import type { Indexes, IndexSchema, Predicate, Scalar, SearchDocument, SearchEngine } from './port.ts'

// prettier-ignore
export const channelSchema: IndexSchema = {
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
export const productSchema: IndexSchema = {
  locales: ['en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name',     type: 'text', localized: true, weight: 3 },
    { name: 'colour',   type: 'keyword' },
    { name: 'channels', type: 'keyword' },
    { name: 'number',   type: 'number' },
  ],
}

export function linkedDocument(id: number, values: Record<string, Scalar[]>): SearchDocument {
  const place = (name: string) => (name === 'name' ? 'en_GB' : '')
  return {
    id,
    fields: new Map(Object.entries(values).map(([name, list]) => [name, new Map([[place(name), list]])])),
  }
}

const id = fc.integer({ min: 1, max: 12 })
const links = fc.array(id.map(String), { maxLength: 3 })
const name = fc.constantFrom('red shoe', 'blue shoe', 'hat')
const numbers = fc.array(id, { maxLength: 2 })
export const channel = fc
  .record({ id, name, region: fc.constantFrom('EMEA', 'NA'), products: links, numbers })
  .map((each) =>
    linkedDocument(each.id, {
      name: [each.name],
      region: [each.region],
      products: each.products,
      number: each.numbers,
    }),
  )
export const product = fc
  .record({ id, name, colour: fc.constantFrom('red', 'blue'), channels: links, numbers })
  .map((each) =>
    linkedDocument(each.id, {
      name: [each.name],
      colour: [each.colour],
      channels: each.channels,
      number: each.numbers,
    }),
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
export const joining = fc.oneof(
  joined,
  joined.map((of): Predicate => ({ kind: 'not', of })),
  joined.map((of): Predicate => ({ kind: 'and', of: [{ kind: 'text', text: 'shoe' }, of] })),
)

/** Compares joins of the products with the channels, in either direction and nested. */
export async function expectSameJoins(
  engine: Pick<SearchEngine, 'search'>,
  documents: { readonly channels: SearchDocument[]; readonly products: SearchDocument[] },
  predicates: readonly Predicate[],
): Promise<void> {
  const oracles = new Map<string, ReturnType<typeof createOracle>>()
  for (const [index, schema, put] of [
    ['CHANNEL', channelSchema, documents.channels],
    ['PRODUCT', productSchema, documents.products],
  ] as const) {
    const oracle = createOracle(schema, undefined, oracles)
    oracle.apply({ put, remove: [] })
    oracles.set(index, oracle)
  }
  for (const predicate of predicates) {
    const query = {
      predicate,
      sort: [{ field: 'none' }],
      offset: 0,
      limit: 20,
      facets: [{ field: 'colour', limit: 5 }],
    }
    const [found, wanted] = [await engine.search(query), oracles.get('PRODUCT')!.search(query)]
    expect(found.hits.map((hit) => hit.id)).toEqual(wanted.hits.map((hit) => hit.id))
    expect([found.total, found.facets]).toEqual([wanted.total, wanted.facets])
  }
}

/** Two indexes with a few documents, searched together. */
export function testSeveralIndexes(open: () => Promise<Indexes>): void {
  let indexes: Indexes
  beforeAll(async () => {
    indexes = await open()
    const fill = async (name: string, schema: IndexSchema, put: SearchDocument[]) => {
      const next = await (await indexes.open(name, schema)).rebuild(schema)
      await next.add(put)
      await next.finish('a')
      await next.activate()
    }
    await fill('CHANNEL', channelSchema, [
      linkedDocument(1, { name: ['shoe'], region: ['EMEA'], number: [3] }),
      linkedDocument(2, { name: ['hats of the world'], region: ['NA'], number: [1] }),
    ])
    await fill('PRODUCT', productSchema, [
      linkedDocument(1, { name: ['red shoe for rainy days'], colour: ['red'], channels: ['1'], number: [2] }),
      linkedDocument(3, { name: ['hat'], colour: ['red'], channels: ['2'], number: [4] }),
    ])
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
  test('are joined', async () => {
    const products = await indexes.open('PRODUCT', productSchema)
    const of: Predicate = { kind: 'field', field: 'region', comparator: 'EQ', operands: ['NA'] }
    const { hits } = await products.search({
      predicate: { kind: 'join', index: 'CHANNEL', of, from: 'id', to: 'channels' },
      offset: 0,
      limit: 9,
    })
    expect(hits.map(({ id }) => id)).toEqual([3])
  })
}
