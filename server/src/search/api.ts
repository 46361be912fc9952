/** Functions of the search area that other areas may call. */
import type { Search } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import { findConfigured } from './configurations/configurations.ts'
import type { SearchService } from './feed/service.ts'
import { runSearch } from './query/search.ts'
import { loadSearch } from './storedsearch/storedsearch.ts'

const pageSize = 1000
const mostResults = 2_000_000_000

const fields = { product: ['tid', 'itemType', 'product'], asset: ['tid'] }

/**
 * Yields the tids of the objects that a search finds, or one of the caller's stored searches, page by page. An article or a
 * variation counts as its product.
 */
export async function* tidsOfSearch(
  service: SearchService,
  { db, caller }: Context,
  search: Search | string,
  kind: keyof typeof fields = 'product',
) {
  const asked = typeof search === 'string' ? await loadSearch(db, caller, search) : search
  const running = await service.start()
  const configured = await findConfigured(db, asked, '/search')
  for (let pageIndex = 0; ; pageIndex++) {
    const page = { pageIndex, pageSize, maxResults: mostResults, resultAttributes: fields[kind] }
    const { items = [] } = await runSearch({ running, db, caller }, { ...asked, ...page }, configured)
    yield items.map(({ attributes = [] }) => {
      const values = new Map(attributes.map(({ name, value }) => [name, value as string]))
      return (values.get('itemType') === 'product' ? undefined : values.get('product')) ?? values.get('tid')!
    })
    if (items.length < pageSize) return
  }
}
