/** The conformance suite of every engine: random documents and queries, and the oracle. For tests only. */
import { expect } from 'vitest'
import type { Lexicon } from './analysis/compounds.ts'
import type { Oracle } from './oracle.ts'
import type { LogicalQuery, SearchEngine } from './port.ts'

export { document, query, schema, step, type Step } from './conformance.arbitrary.ts'
export {
  channel,
  channelSchema,
  expectSameJoins,
  joining,
  product,
  productSchema,
  testSeveralIndexes,
} from './conformance.several.ts'
export { createOracle, type Oracle } from './oracle.ts'

export const lexicon: Lexicon = new Map([['de', new Set(['dam', 'schuh'])]])

export async function expectSame(
  engine: Pick<SearchEngine, 'search'>,
  oracle: Oracle,
  query: LogicalQuery,
): Promise<void> {
  const found = await engine.search(query)
  const expected = oracle.search(query)
  const shape = ({ total, exact, hits, facets }: typeof found) => ({
    total,
    exact,
    hits: hits.map(({ id }) => id),
    facets,
  })
  expect(shape(found)).toEqual(shape(expected))
}
