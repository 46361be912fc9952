/** Joins between indexes, and searches over several of them. */
import * as fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLocalWorkers } from './workers/workers.ts'
import {
  channel,
  channelSchema,
  expectSameJoins,
  joining,
  linkedDocument,
  product,
  productSchema,
  testSeveralIndexes,
} from './conformance.several.ts'
import { openIndexes, type Indexes, type IndexSchema, type Predicate, type SearchDocument } from './index.ts'
import { createIndex } from './store/generation-index.ts'

describe('a join', () => {
  test('agrees with the oracle, in either direction and nested', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(channel, { maxLength: 12 }),
        fc.array(product, { maxLength: 12 }),
        fc.array(joining, { minLength: 1, maxLength: 6 }),
        async (channels, products, predicates) => {
          const workers = createLocalWorkers()
          const make = async (index: string, schema: IndexSchema, put: SearchDocument[]) => {
            const made = createIndex({ name: index, schema, workers })
            await made.apply({ put: put.slice(0, 5), remove: [] }, '1')
            await made.apply({ put: put.slice(5), remove: [] }, '2')
            return made
          }
          await make('CHANNEL', channelSchema, channels)
          await expectSameJoins(await make('PRODUCT', productSchema, products), { channels, products }, predicates)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('several indexes', () => {
  let folder: string
  let indexes: Indexes
  testSeveralIndexes(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-several-'))
    return (indexes = await openIndexes({ folder, threads: 1 }))
  })
  afterAll(async () => {
    await indexes.close()
    await rm(folder, { recursive: true })
  })
})

describe('a tolerant search', () => {
  const index = createIndex({ schema: productSchema })
  beforeAll(() =>
    index.apply(
      {
        put: [
          linkedDocument(1, { name: ['leather shoe'], colour: ['red'] }),
          linkedDocument(2, { name: ['leather boots'], colour: ['blue'] }),
          linkedDocument(3, { name: ['shoo'], colour: ['blue'] }),
          linkedDocument(4, { name: ['cart for carpets'], colour: ['red'] }),
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
