/**
 * Compares the embedded engine with the oracle, with enough documents for full blocks, skip data, posting lists and
 * sorted walks, in one segment and in several, sealed or not.
 */
import * as fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOracle } from './oracle.ts'
import type { FieldValues, IndexSchema, LogicalQuery, Predicate, Scalar, SearchDocument } from './port.ts'
import { createFiles } from './store/files.ts'
import { mappingOf } from './store/mapping.ts'
import { createIndex } from './store/generation-index.ts'

// prettier-ignore
const schema: IndexSchema = {
  locales: ['en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name',  type: 'text', localized: true, weight: 3 },
    { name: 'body',  type: 'text', localized: true, weight: 1, long: true },
    { name: 'sku',   type: 'keyword' },
    { name: 'brand', type: 'keyword' },
    { name: 'tags',  type: 'keyword' },
    { name: 'price', type: 'number' },
    { name: 'stock', type: 'number' },
  ],
}

/** A seeded random generator, so that failures are reproducible. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const valuesIn = (locale: string, values: Scalar[]): FieldValues => new Map([[locale, values]])

function documentsOf(count: number): SearchDocument[] {
  const random = createRandom(7)
  /** Zipf-like: small numbers are frequent. */
  const word = () => `w${Math.floor(random(40) ** 2 / 40)}`
  const words = (some: number) => Array.from({ length: some }, word).join(' ')
  return Array.from({ length: count }, (_, i) => ({
    id: i * 3 + 1,
    fields: new Map([
      ['name', valuesIn('en_GB', [words(1 + random(3))])],
      ['body', valuesIn('en_GB', random(4) ? [words(6)] : [])],
      ['sku', valuesIn('', [`SKU-${(i * 7919) % 100_003}`])],
      ['brand', valuesIn('', random(10) ? [`Brand ${random(90)}`] : [])],
      [
        'tags',
        valuesIn(
          '',
          Array.from({ length: random(4) }, () => `t${random(30)}`),
        ),
      ],
      ['price', valuesIn('', random(8) ? [random(200) / 2] : [])],
      [
        'stock',
        valuesIn(
          '',
          Array.from({ length: random(3) }, () => random(50)),
        ),
      ],
    ]),
  }))
}

const word = fc.integer({ min: 0, max: 42 }).map((n) => `w${n}`)
const field = (
  name: string,
  comparator: 'EQ' | 'GE' | 'LT' | 'NOT_EQ' | 'IN' | 'IS_EMPTY' | 'IS_NOT_EMPTY' | 'TERM_WILDCARD',
  ...operands: (string | number)[]
): Predicate => ({ kind: 'field', field: name, comparator, operands })
const leaf: fc.Arbitrary<Predicate> = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words): Predicate => ({ kind: 'text', text: words.join(' ') })),
  fc.tuple(word, word).map(([a, b]): Predicate => ({ kind: 'text', text: `"${a} ${b}"` })),
  word.map((each) => field('name', 'EQ', each)),
  fc.integer({ min: 0, max: 100 }).map((n) => field('price', 'GE', n)),
  fc.integer({ min: 0, max: 100 }).map((n) => field('price', 'LT', n)),
  fc.integer({ min: 0, max: 90 }).map((n) => field('brand', 'EQ', `brand ${n}`)),
  fc.integer({ min: 0, max: 90 }).map((n) => field('brand', 'NOT_EQ', `brand ${n}`)),
  fc
    .array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 9 })
    .map((some) => field('tags', 'IN', ...some.map((n) => `t${n}`))),
  fc.integer({ min: 0, max: 99 }).map((n) => field('sku', 'TERM_WILDCARD', `*${n}?`)),
  fc.constant(field('brand', 'IS_EMPTY')),
  fc.integer({ min: 0, max: 50 }).map((n) => field('stock', 'EQ', n)),
)
const predicate = fc.oneof(
  leaf,
  fc
    .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(leaf, { minLength: 2, maxLength: 3 }))
    .map(([kind, of]): Predicate => ({ kind, of })),
  fc.constant<Predicate>({ kind: 'all' }),
)
/** An interval sorted by its own field: the page is a slice of the sorted order. */
const interval: fc.Arbitrary<LogicalQuery> = fc
  .record({ low: fc.integer({ min: 0, max: 40 }), width: fc.integer({ min: 0, max: 100 }), descending: fc.boolean() })
  .map(({ low, width, descending }) => ({
    predicate: { kind: 'and', of: [field('price', 'GE', low), field('price', 'LT', low + width)] },
    sort: [{ field: 'price', descending }],
    offset: 0,
    limit: 20,
  }))
const anyQuery: fc.Arbitrary<LogicalQuery> = fc.record({
  predicate,
  sort: fc.array(
    fc.record({ field: fc.constantFrom('name', 'sku', 'brand', 'tags', 'price', 'stock'), descending: fc.boolean() }),
    { minLength: 1, maxLength: 2 },
  ),
  offset: fc.constantFrom(0, 0, 40, 1500),
  limit: fc.constant(20),
  facets: fc.constant(['brand', 'tags', 'price'].map((name) => ({ field: name, limit: 8, countEmpty: true }))),
})

/** Many hits that are never listed: they are counted, and tested one by one until the page is full. */
const unlisted: fc.Arbitrary<LogicalQuery> = fc.record({
  predicate: fc.oneof(
    fc.constant<Predicate>({ kind: 'all' }),
    fc.integer({ min: 0, max: 90 }).map((n) => field('brand', 'NOT_EQ', `brand ${n}`)),
    fc.integer({ min: 0, max: 30 }).map((n) => field('price', 'GE', n)),
    fc.constant(field('price', 'IS_NOT_EMPTY')),
    fc.constant(field('tags', 'IN', ...Array.from({ length: 20 }, (_, i) => `t${i}`))),
    fc.constant(field('sku', 'TERM_WILDCARD', '*1*')),
  ),
  sort: fc.oneof(
    fc.constant([]),
    fc.record({ field: fc.constantFrom('brand', 'price'), descending: fc.boolean() }).map((key) => [key]),
  ),
  offset: fc.constantFrom(0, 700, 2000),
  limit: fc.constant(20),
})

const query = fc.oneof(
  { weight: 3, arbitrary: anyQuery },
  { weight: 1, arbitrary: interval },
  { weight: 2, arbitrary: unlisted },
)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-large-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([
  ['one file', 1, 2500, true],
  ['several files', 3, 3600, true],
  ['memory', 2, 2500, false],
])('with thousands of documents in %s, queries agree with the oracle', async (name, segments, count, sealed) => {
  const documents = documentsOf(count)
  const files = await createFiles(join(folder, name), mappingOf(schema), new Map())
  const engine = createIndex({ schema, files })
  const oracle = createOracle(schema)
  for (let i = 0; i < segments; i++) {
    await engine.apply({ put: documents.filter((_each, at) => at % segments === i), remove: [] }, String(i))
    if (sealed) await engine.seal()
  }
  oracle.apply({ put: documents, remove: [] })
  // Deletions are cached from search to search.
  for (const rest of [1, 2]) {
    const removed = documents.filter((each) => each.id % 50 === rest).map(({ id }) => id)
    await engine.apply({ put: [], remove: removed }, `without ${rest}`)
    oracle.apply({ put: [], remove: removed })
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const wanted = oracle.search(asked)
        // Repeated filters come from the cache, which is another code path.
        for (let times = 0; times < 3; times++) {
          const found = await engine.search(asked)
          expect(found.total).toBe(wanted.total)
          expect(found.hits.map(({ id }) => id)).toEqual(wanted.hits.map(({ id }) => id))
          expect(found.facets).toEqual(wanted.facets)
        }
      }),
      { numRuns: 25 },
    )
  }
})
