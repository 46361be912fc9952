/** Functions of the search area that other areas may call. */
import type { Context } from '../core/context.ts'
import { findConfigured } from './configurations/configurations.ts'
import type { SearchService } from './feed/service.ts'
import { runSearch } from './query/search.ts'
import { loadSearch } from './storedsearch/storedsearch.ts'

const pageSize = 1000
const mostResults = 2_000_000_000

/**
 * Yields the tids of the products that one of the caller's stored searches finds, page by page. An article or a
 * variation counts as its product.
 */
export async function* tidsOfStoredSearch(service: SearchService, { db, caller }: Context, id: string) {
  const stored = await loadSearch(db, caller, id)
  const running = await service.start()
  const configured = await findConfigured(db, stored, '/search')
  for (let pageIndex = 0; ; pageIndex++) {
    const page = { pageIndex, pageSize, maxResults: mostResults, resultAttributes: ['tid', 'itemType', 'product'] }
    const { items = [] } = await runSearch({ running, db, caller }, { ...stored, ...page }, configured)
    yield items.map(({ attributes = [] }) => {
      const values = new Map(attributes.map(({ name, value }) => [name, value as string]))
      return (values.get('itemType') === 'product' ? values.get('tid') : values.get('product')) ?? values.get('tid')!
    })
    if (items.length < pageSize) return
  }
}
