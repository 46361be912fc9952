/** Loads pages of the product list, and all tids of a selection. */
import type { ChangeSelection, Infer, ProductRow } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { keyOfVal } from '../../object/values/draft.ts'
import { isChosen, type Selection } from '../../ui/grid/selection.ts'
import type { RowPage } from '../../ui/grid/use-pages.ts'
import { type FacetFilter, queryOf, searchPage } from './facet-search.ts'

export type Row = Infer<typeof ProductRow>
/** With facets, the search index finds the products. */
export interface ProductFilter extends FacetFilter {
  readonly attributes: string[]
}

export const valOf = ({ vals }: Row, key: string) => vals?.val?.find((val) => keyOfVal(val) === key)

export const productsKey = ['products', 'list']

export async function loadPage(
  client: Client,
  filter: ProductFilter,
  offset: number,
  count: number,
): Promise<RowPage<Row>> {
  const { facets, ...page } = filter
  if (facets.size > 0) {
    const { tids, total } = await searchPage(client, filter, offset, count)
    if (tids.length === 0) return { total, rows: [] }
    const { products = [] } = await client.pim.pageProducts({ body: { tids, attributes: page.attributes } })
    return { total, rows: products }
  }
  const { total = 0, products = [] } = await client.pim.pageProducts({
    body: { ...page, offset, count, total: offset === 0 }, // the total is counted once, with the first page
  })
  return { total, rows: products }
}

/** The tids of a selection, which may include rows that were never loaded. */
export async function tidsOf(client: Client, filter: ProductFilter, { all, keys }: Selection): Promise<string[]> {
  if (!all) return [...keys]
  const tids: string[] = []
  for (let offset = 0; ; offset += 1000) {
    const { rows } = await loadPage(
      client,
      { ...filter, sort: 'created', descending: false, attributes: [] },
      offset,
      1000,
    )
    tids.push(...rows.flatMap(({ tid }) => (tid !== undefined && isChosen({ all, keys }, tid) ? [tid] : [])))
    if (rows.length < 1000) return tids
  }
}

/** The selection as the server finds it itself, if it can; else by tids. */
export async function selectionOf(
  client: Client,
  filter: ProductFilter,
  selection: Selection,
): Promise<Infer<typeof ChangeSelection>> {
  const isWhole = selection.all && selection.keys.size === 0
  if (isWhole && filter.facets.size > 0)
    return { search: { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: queryOf(filter) } }
  if (isWhole && filter.nodePath && !filter.text) return { nodePaths: [filter.nodePath] }
  return { tids: await tidsOf(client, filter, selection) }
}
