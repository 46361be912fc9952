/** Cases that random tests rarely hit: phrases in selected fields, and facets of paths. */
import { expect, test } from 'vitest'
import { createOracle } from '../oracle.ts'
import type { FieldValues, IndexSchema, LogicalQuery, Scalar, SearchDocument } from '../port.ts'
import { createIndex } from '../store/generation-index.ts'

const schema: IndexSchema = {
  locales: [],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name', type: 'text', weight: 3 },
    { name: 'body', type: 'text', weight: 1, long: true },
    { name: 'path', type: 'keyword', path: true },
  ],
}
const document = (id: number, values: Record<string, Scalar[]>): SearchDocument => ({
  id,
  fields: new Map(Object.entries(values).map(([name, some]): [string, FieldValues] => [name, new Map([['', some]])])),
})

/** Queries the engine with all documents in one segment, and with one segment each; both must agree with the oracle. */
async function ask(documents: readonly SearchDocument[], query: LogicalQuery) {
  const oracle = createOracle(schema)
  oracle.apply({ put: documents, remove: [] })
  const { total, facets } = oracle.search(query)
  for (const batches of [[documents], documents.map((each) => [each])]) {
    const index = createIndex({ schema })
    for (const put of batches) await index.apply({ put, remove: [] }, 'x')
    expect(await index.search(query)).toMatchObject({ total, facets })
  }
  return { total, facets }
}

test('a phrase must match in a requested field, even if its words also occur in other fields', async () => {
  const documents = [document(1, { name: ['AB125 x'], body: ['x AB125'] }), document(2, { body: ['an AB125 x'] })]
  const phrase = (fields?: string[]): LogicalQuery => ({
    predicate: { kind: 'text', text: '"AB125 x"', ...(fields && { fields }) },
    offset: 0,
    limit: 10,
  })
  expect((await ask(documents, phrase())).total).toBe(2)
  expect((await ask(documents, phrase(['name']))).total).toBe(1)
  expect((await ask(documents, phrase(['body']))).total).toBe(1)
})

const node = (value: string, count: number, ...children: object[]) => ({
  value,
  count,
  ...(children.length && { children }),
})
// prettier-ignore
const pathCases: [what: string, paths: string[][], buckets: object[]][] = [
  ['a product counts in every ancestor of its node', [['/A/B/C']], [node('/A', 1, node('/A/B', 1, node('/A/B/C', 1)))]],
  ['two nodes of one branch count once in their common ancestors', [['/A/B/C', '/A/B/D']],
    [node('/A', 1, node('/A/B', 1, node('/A/B/C', 1), node('/A/B/D', 1)))]],
  ['a node and its ancestor count once each', [['/A/B', '/A', '/A/B/C']], [node('/A', 1, node('/A/B', 1, node('/A/B/C', 1)))]],
  ['products of a node and of its children add up', [['/A'], ['/A/B'], ['/A/B/C'], ['/A/X'], ['/Z']],
    [node('/A', 4, node('/A/B', 2, node('/A/B/C', 1)), node('/A/X', 1)), node('/Z', 1)]],
  ['the same name in two places is two nodes', [['/A/S'], ['/B/S'], ['/B']], [node('/B', 2, node('/B/S', 1)), node('/A', 1, node('/A/S', 1))]],
  ['a product without a node is counted separately', [['/A'], []], [node('/A', 1), { value: null, count: 1 }]],
]
test.each(pathCases)('facets of paths: %s', async (_, paths, buckets) => {
  const documents = paths.map((path, i) => document(i + 1, { path }))
  const { facets } = await ask(documents, {
    predicate: { kind: 'all' },
    offset: 0,
    limit: 0,
    facets: [{ field: 'path', limit: 10, countEmpty: true }],
  })
  expect(facets).toEqual([{ field: 'path', facetType: 'NAMED', buckets }])
})
