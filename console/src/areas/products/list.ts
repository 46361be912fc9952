/** The list of products: what is asked for, and all of it where a whole selection is needed. */
import type { Infer, ProductPageRequest, ProductRow } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { isChosen, type Selection } from '../../ui/grid/selection.ts'
import type { RowPage } from '../../ui/grid/use-pages.ts'

export type Row = Infer<typeof ProductRow>
type Request = Infer<typeof ProductPageRequest>
export interface ProductFilter extends Pick<Request, 'nodePath' | 'text'> {
  readonly sort: NonNullable<Request['sort']>
  readonly descending: boolean
  readonly attributes: string[]
}

export const productsKey = ['products', 'list']

export async function loadPage(
  { pim }: Client,
  filter: ProductFilter,
  offset: number,
  count: number,
): Promise<RowPage<Row>> {
  const { total = 0, products = [] } = await pim.pageProducts({ body: { ...filter, offset, count } })
  return { total, rows: products }
}

/** The tids of a selection, which may mean rows that were never loaded. */
export async function tidsOf(client: Client, filter: ProductFilter, { all, keys }: Selection): Promise<string[]> {
  if (!all) return [...keys]
  const { nodePath, text } = filter
  const tids: string[] = []
  for (let offset = 0; ; offset += 1000) {
    const { rows } = await loadPage(
      client,
      { nodePath, text, sort: 'created', descending: false, attributes: [] },
      offset,
      1000,
    )
    tids.push(...rows.flatMap(({ tid }) => (tid !== undefined && isChosen({ all, keys }, tid) ? [tid] : [])))
    if (rows.length < 1000) return tids
  }
}
