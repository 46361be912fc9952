/** Functions of the search area that other areas may call. */
import type { Search } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import type { IndexName } from '../core/outbox/documents.ts'
import { Problem } from '../errors.ts'
import { findConfigured } from './configurations/configurations.ts'
import type { SearchService } from './feed/service.ts'
import { checkSearch, indexOf, runSearch } from './query/search.ts'
import { orUnavailable } from './query/unavailable.ts'
import { loadSearch } from './storedsearch/storedsearch.ts'

export { loadSearch } from './storedsearch/storedsearch.ts'

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
    yield items.map(productOf)
    if (items.length < pageSize) return
  }
}

function productOf({
  attributes = [],
}: {
  readonly attributes?: readonly { readonly name?: string; readonly value?: unknown }[]
}) {
  const values = new Map(attributes.map(({ name, value }) => [name, value as string]))
  return (values.get('itemType') === 'product' ? undefined : values.get('product')) ?? values.get('tid')!
}

/** The tids of the best products that have some of the words in a language. */
export async function productsWithWords(
  service: SearchService,
  { db, caller }: Context,
  words: readonly string[],
  language: string,
  count: number,
): Promise<readonly string[]> {
  const queries = words.map((value) => ({ queryType: 'FULLTEXT' as const, value, language }))
  const search: Search = {
    context: { searchType: 'INDEX', index: 'PRODUCT' },
    query: { queryType: 'COMBINED', operator: 'OR', queries },
    pageSize: count,
    resultAttributes: fields.product,
  }
  const running = await service.start()
  const { items = [] } = await runSearch({ running, db, caller }, search, await findConfigured(db, search, '/search'))
  return [...new Set(items.map(productOf))]
}

/** The same for a search that must miss nothing: everything that was committed before the call is in the index. */
export async function* tidsOfSearchNow(
  service: SearchService,
  ctx: Context,
  search: Search,
  kind: keyof typeof fields,
) {
  await catchUp(service, indexOf(search, '/search'))
  yield* tidsOfSearch(service, ctx, search, kind)
}

/** Resolves when everything that was committed before the call is in the index; refused as unavailable while it cannot. */
export async function catchUp(service: SearchService, index: IndexName): Promise<void> {
  const running = await service.start()
  if (!(await running.isComplete(index)))
    throw new Problem('unavailable', `the index ${index} is being built; try again later`)
  await orUnavailable(running.catchUp(index))
}

/** Throws a Problem if the search cannot be run: it names unknown or hidden fields, or compares them wrongly. */
export async function demandSearch(service: SearchService, { db, caller }: Context, search: Search, place: string) {
  checkSearch({ running: await service.start(), db, caller }, search, place)
}
