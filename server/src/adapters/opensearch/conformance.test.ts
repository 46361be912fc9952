/** Compares OpenSearch with the oracle, as the embedded engine is: random documents, queries and changes. */
import * as fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  channel,
  channelSchema,
  createOracle,
  document,
  expectSame,
  expectSameJoins,
  joining,
  lexicon,
  product,
  productSchema,
  query,
  schema,
  step,
  type Step,
  testSeveralIndexes,
} from '@kontor/search-engine/conformance'
import type { SearchDocument } from '@kontor/search-engine'
import { openSearchAddress } from '../../../test/opensearch.ts'
import { connectCluster } from './client.ts'
import { openSharedIndexes, type SharedIndex, type SharedIndexes } from './indexes.ts'
import { createState, openGenerations } from './state.ts'

const address = openSearchAddress()
const name = 'PRODUCT'

describe.skipIf(!address)('OpenSearch', () => {
  const { cluster, prefix } = connectCluster(`${address ?? 'http://localhost'}/test-${randomUUID()}`)
  let indexes: SharedIndexes
  let index: SharedIndex
  let there = new Set<number>()

  beforeAll(async () => {
    // With the lexicon of the conformance tests instead of a learned one.
    await createState(cluster, prefix)
    const generations = openGenerations(cluster, prefix, name)
    const generation = await generations.create(schema, lexicon)
    await generations.store(generation)
    await generations.activate(generation, undefined)
    indexes = await openSharedIndexes(cluster, prefix)
    index = await indexes.open(name, schema)
  })
  afterAll(async () => {
    await cluster.call('DELETE', `/${prefix}-*`)
    await cluster.close()
  })

  async function apply(put: readonly SearchDocument[], remove: readonly number[]): Promise<void> {
    // Of several documents with one id the last counts.
    const last = new Map(put.map((each) => [each.id, each]))
    const removed = remove.filter((id) => !last.has(id))
    await index.apply({ put: [...last.values()], remove: removed }, '1')
    for (const id of removed) there.delete(id)
    for (const id of last.keys()) there.add(id)
  }
  async function clear(): Promise<void> {
    await apply([], [...there])
    there = new Set()
  }

  test('any query over any documents returns the same hits, order and facets as the oracle', async () => {
    const ids = fc.integer({ min: 1, max: 1000 })
    const documents = fc.array(document(ids), { maxLength: 25 })
    const queries = fc.array(query, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(documents, queries, async (put, each) => {
        await clear()
        const oracle = createOracle(schema, lexicon)
        await apply(put, [])
        oracle.apply({ put, remove: [] })
        for (const one of each) await expectSame(index, oracle, one)
      }),
      { numRuns: 100 },
    )
  })

  test('searches agree with the oracle between changes, and after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await clear()
        await follow(steps)
      }),
      { numRuns: 30 },
    )
  })

  async function follow(steps: readonly Step[]): Promise<void> {
    const oracle = createOracle(schema, lexicon)
    for (const each of steps) {
      if (each.do === 'apply') {
        oracle.apply(each)
        await apply(each.put, each.remove)
      } else if (each.do === 'search') {
        await expectSame(index, oracle, each.query)
      } else {
        await index.seal()
      }
    }
    await index.seal()
    const again = await (await openSharedIndexes(cluster, prefix)).open(name, schema)
    for (const each of steps) if (each.do === 'search') await expectSame(again, oracle, each.query)
  }

  test('a late write never replaces a newer state, nor brings back a removed document', async () => {
    await clear()
    const [older, newer, removed] = fc.sample(document(fc.constant(70_001)), 3) as [
      SearchDocument,
      SearchDocument,
      SearchDocument,
    ]
    const versioned = (put: SearchDocument[], remove: number[], version: number) =>
      index.apply({ put, remove, version }, '1')
    const first = Date.now() * 2000
    const found = async () => (await index.search({ predicate: { kind: 'all' }, offset: 0, limit: 10 })).total
    await versioned([newer], [], first + 2)
    await versioned([older], [], first + 1)
    const oracle = createOracle(schema, lexicon)
    oracle.apply({ put: [newer], remove: [] })
    for (const each of fc.sample(query, 20)) await expectSame(index, oracle, each)
    await versioned([], [70_001], first + 4)
    await versioned([removed], [], first + 3)
    expect(await found()).toBe(0)
  })

  test('a number is looked for in a list of thousands, and beside a range', async () => {
    await clear()
    const prices = [1, 2.5, 3000, 5000, 9999]
    const put = prices.map((price, i) => ({ id: i + 1, fields: new Map([['price', new Map([['', [price]]])]]) }))
    await apply(put, [])
    const oracle = createOracle(schema, lexicon)
    oracle.apply({ put, remove: [] })
    const listed = Array.from({ length: 4000 }, (_, i) => i)
    for (const comparator of ['IN', 'NOT_IN'] as const) {
      const predicate = { kind: 'field', field: 'price', comparator, operands: [...listed, 2.5] } as const
      await expectSame(index, oracle, { predicate, offset: 0, limit: 10 })
    }
  })

  test('any page is found, however deep', async () => {
    await clear()
    const put = Array.from({ length: 10_500 }, (_, id) => ({
      id: id + 1,
      fields: new Map([['price', new Map([['', [id % 7]]])]]),
    }))
    for (let from = 0; from < put.length; from += 3500) await apply(put.slice(from, from + 3500), [])
    const oracle = createOracle(schema, lexicon)
    oracle.apply({ put, remove: [] })
    for (const [offset, limit] of [
      [9_990, 20],
      [10_200, 100],
      [10_490, 100],
      [20_000, 5],
      // More hits than one reply of OpenSearch contains.
      [0, 10_500],
      [150, 10_200],
    ] as const) {
      const sort = [{ field: 'price', descending: true }]
      await expectSame(index, oracle, { predicate: { kind: 'all' }, sort, offset, limit })
    }
  })
})

describe.skipIf(!address)('several indexes', () => {
  const { cluster, prefix } = connectCluster(`${address ?? 'http://localhost'}/test-${randomUUID()}`)
  const opened = openSharedIndexes(cluster, prefix)
  opened.catch(() => {})
  afterAll(async () => {
    await cluster.call('DELETE', `/${prefix}-*`)
    await cluster.close()
  })
  testSeveralIndexes(() => opened)

  test('joins agree with the oracle, in either direction and nested', async () => {
    const indexes = await opened
    const channelIndex = await indexes.open('CHANNEL', channelSchema)
    const productIndex = await indexes.open('PRODUCT', productSchema)
    const last = (put: readonly SearchDocument[]) => [...new Map(put.map((each) => [each.id, each])).values()]
    const fill = async (index: SharedIndex, put: readonly SearchDocument[]) => {
      const kept = new Set(put.map(({ id }) => id))
      const remove = Array.from({ length: 12 }, (_, i) => i + 1).filter((id) => !kept.has(id))
      await index.apply({ put, remove }, '1')
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(channel, { maxLength: 12 }).map(last),
        fc.array(product, { maxLength: 12 }).map(last),
        fc.array(joining, { minLength: 1, maxLength: 6 }),
        async (channels, products, predicates) => {
          await fill(channelIndex, channels)
          await fill(productIndex, products)
          await expectSameJoins(productIndex, { channels, products }, predicates)
        },
      ),
      { numRuns: 50 },
    )
  })
})
