/**
 * Finds products by facets of the search index. In the URL, facets are written as `field:value|value;field:value`, with
 * the separators escaped in names and values.
 */
import type { Infer, ProductPageRequest, Query, Search } from '@kontor/contract'
import type { Client } from '@kontor/sdk'

export type Facets = ReadonlyMap<string, ReadonlySet<string>>
type SearchQuery = Infer<typeof Query>
type PageRequest = Infer<typeof ProductPageRequest>

/** The filters of the product list that the search index understands. */
export interface FacetFilter extends Pick<PageRequest, 'nodePath' | 'text'> {
  readonly sort: NonNullable<PageRequest['sort']>
  readonly descending: boolean
  /** Selected values by field of the search index. */
  readonly facets: Facets
}

const escaped = (text: string) => text.replaceAll(/[%:;|]/g, encodeURIComponent)

export function readFacets(text: string | undefined): Facets {
  const groups = (text ?? '').split(';').filter(Boolean)
  return new Map(
    groups.map((group) => {
      const [field = '', values = ''] = group.split(':')
      return [decodeURIComponent(field), new Set(values.split('|').map((value) => decodeURIComponent(value)))]
    }),
  )
}

export const writeFacets = (facets: Facets): string =>
  [...facets].map(([field, values]) => `${escaped(field)}:${[...values].map(escaped).join('|')}`).join(';')

/** Selects or deselects a value of a field. */
export function toggleFacet(facets: Facets, field: string, value: string): Facets {
  const values = new Set(facets.get(field))
  if (!values.delete(value)) values.add(value)
  const next = new Map(facets)
  if (values.size > 0) next.set(field, values)
  else next.delete(field)
  return next
}

const field = (name: string, comparator: NonNullable<SearchQuery['comparator']>, value: unknown): SearchQuery => ({
  queryType: 'FIELD',
  name,
  comparator,
  value,
})

/** All filters as one query, without the facet that is being counted. */
export function queryOf({ nodePath, text, facets }: FacetFilter, except?: string): SearchQuery {
  const chosen = [...facets].filter(([name]) => name !== except)
  const queries: SearchQuery[] = [
    field('itemType', 'EQ', 'product'),
    ...(nodePath ? [field('classificationPath', 'EQ', nodePath)] : []),
    ...(text ? [{ queryType: 'FULLTEXT', value: text } as SearchQuery] : []),
    ...chosen.map(([name, values]) => field(name, 'IN', [...values])),
  ]
  return { queryType: 'COMBINED', operator: 'AND', queries }
}

const sorts = { modified: 'modificationDate', created: 'creationDate', tid: 'tid', name: 'name' } as const

export async function searchPage({ search }: Client, filter: FacetFilter, offset: number, count: number) {
  const body: Infer<typeof Search> = {
    context: { searchType: 'INDEX', index: 'PRODUCT' },
    query: queryOf(filter),
    pageIndex: Math.floor(offset / count),
    pageSize: count,
    maxResults: offset + count,
    sortOptions: [{ attribute: sorts[filter.sort], direction: filter.descending ? 'DESC' : 'ASC' }],
    resultAttributes: ['tid'],
  }
  const { items = [], totalHitCount = 0 } = await search.search({ body })
  const tids = items.flatMap(({ attributes = [] }) =>
    attributes.flatMap(({ name, value }) => (name === 'tid' ? String(value) : [])),
  )
  return { tids, total: Number(totalHitCount) }
}
