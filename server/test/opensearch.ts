/** The OpenSearch node for tests. */
import { randomUUID } from 'node:crypto'
import { connectCluster } from '../src/adapters/opensearch/client.ts'

/**
 * The address of a running node, in KONTOR_TEST_OPENSEARCH; undefined if there is none. Then the caller skips its tests,
 * and this says why.
 */
export function openSearchAddress(): string | undefined {
  const address = process.env['KONTOR_TEST_OPENSEARCH']
  if (address) return address.replace(/\/+$/, '')
  console.warn('SKIPPED: the tests on OpenSearch need a node; set KONTOR_TEST_OPENSEARCH=http://localhost:9200')
  return undefined
}

/** The search setting of a test server: a prefix of its own on the node, if KONTOR_TEST_SEARCH=opensearch. */
export function placeOfSearch(): { KONTOR_SEARCH?: string } {
  if (process.env['KONTOR_TEST_SEARCH'] !== 'opensearch') return {}
  const address = openSearchAddress()
  return address === undefined ? {} : { KONTOR_SEARCH: `${address}/test-${randomUUID()}` }
}

/** Removes the indexes of a test server. */
export async function removeIndexes(address: string): Promise<void> {
  const { cluster, prefix } = connectCluster(address)
  await cluster.call('DELETE', `/${prefix}-*`, { optional: true })
  await cluster.close()
}
