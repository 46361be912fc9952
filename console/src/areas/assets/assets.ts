/** Queries for assets: all, those in a folder or with a keyword, filtered; and their previews. */
import type { FieldCfg, Query } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { fact } from '../../object/items.ts'
import { useClient } from '../../object/client.tsx'
import { type AssetMessage, retrieveAssets as retrieve } from '../../object/viewer/asset.ts'
import { usePages } from '../../ui/grid/use-pages.ts'
export { type AssetMessage, pictureOf, retrieveAssets as retrieve } from '../../object/viewer/asset.ts'
import { condition, conditionsOf, countOf, type Filters } from './filters.ts'

/** The path of the folder that contains a file. */
export const containerOf = ({ path = '' }: AssetMessage) => path.slice(0, path.lastIndexOf('/'))

export const isProcessing = (asset: AssetMessage) => ['pending', 'running'].includes(fact(asset, 'importStatus') ?? '')

/** The field and direction to sort by. */
export const orders = {
  newest: { attribute: 'creationDate', direction: 'DESC' },
  changed: { attribute: 'modificationDate', direction: 'DESC' },
  name: { attribute: 'name', direction: 'ASC' },
  largest: { attribute: 'fileSize', direction: 'DESC' },
} as const
export type Order = keyof typeof orders

/** The files to list: those in a folder, with a keyword, or all. */
export interface AssetSelection {
  readonly dir: string | undefined
  readonly keyword: string | undefined
  readonly filters: Filters
  readonly text: string
  readonly order: Order
}

/** The fields of the index that the caller may use. */
export const fieldsOf = ({ search }: Client) => ({
  queryKey: ['assets', 'fields'],
  queryFn: async () => (await search.fields({ body: { index: 'ASSET' } })).fields ?? [],
  staleTime: 60_000,
})
export const useAssetFields = () => useQuery(fieldsOf(useClient()))

/** The tids of a folder, newest first. The pages of a list share them. */
const folderOf = ({ dam }: Client, path: string) => ({
  queryKey: ['assets', 'in', path],
  queryFn: async () => ((await dam.assets.query({ directory: { path } })).tids ?? []).toReversed(),
  staleTime: 5000,
})

export const isPlainFolder = ({ dir, keyword, filters, text, order }: AssetSelection) =>
  dir !== undefined && !keyword && text === '' && order === 'newest' && countOf(filters) === 0

/**
 * A folder without filters, newest first, is listed from the database. Everything else is found by the search index,
 * which also includes subfolders.
 */
export function useAssets(selection: AssetSelection) {
  const client = useClient()
  const queryClient = useQueryClient()
  const { order } = selection
  const isPlain = isPlainFolder(selection)
  const load = useCallback(
    async (offset: number, count: number) => {
      if (!isPlain) {
        const query = queryOf(selection, await queryClient.fetchQuery(fieldsOf(client)))
        return searchAssets(client, query, selection.order, offset, count)
      }
      const tids = await queryClient.fetchQuery(folderOf(client, selection.dir!))
      return { rows: await retrieve(client, tids.slice(offset, offset + count)), total: tids.length }
    },
    [client, queryClient, isPlain, selection],
  )
  const pages = usePages(['assets', 'page', selection], load, pageSize, isProcessing)
  return { ...pages, months: useMonths(selection, !isPlain && order === 'newest') }
}
const pageSize = 60

export interface Month {
  /** 2026-11 */
  readonly month: string
  readonly count: number
  /** The index of its first file in the list. */
  readonly first: number
}

/** The months in which the found files were added, newest first, as the list is. */
function useMonths(selection: AssetSelection, enabled: boolean): readonly Month[] {
  const { search } = useClient()
  const fields = useAssetFields()
  const { data } = useQuery({
    queryKey: ['assets', 'months', selection],
    queryFn: () => countFacets(search, queryOf(selection, fields.data!), ['creationMonth'], mostMonths),
    enabled: enabled && fields.isSuccess,
  })
  return useMemo(() => {
    if (!enabled) return []
    let first = 0
    return (data?.get('creationMonth') ?? [])
      .map(({ value, count }) => ({ month: value, count }))
      .toSorted((a, b) => (a.month < b.month ? 1 : -1))
      .map((one) => {
        first += one.count
        return { ...one, first: first - one.count }
      })
  }, [data, enabled])
}
const mostMonths = 1000

export interface Counted {
  readonly value: string
  readonly label: string
  readonly count: number
}

/** The most frequent values of some fields. Values with a path come with those below them. */
export async function countFacets(
  search: Client['search'],
  query: Query,
  aggregationAttributes: string[],
  aggregationMaxResults: number,
  labelLocalization?: string,
): Promise<ReadonlyMap<string, readonly Counted[]>> {
  const { facets = [] } = await search.search({
    body: {
      context: { searchType: 'INDEX', index: 'ASSET', ...(labelLocalization && { labelLocalization }) },
      query,
      pageSize: 1,
      resultAttributes: ['tid'],
      aggregationEnabled: true,
      aggregationAttributes,
      aggregationMaxResults,
    },
  })
  type Bucket = NonNullable<(typeof facets)[number]['facets']>[number]
  const flat = (buckets: readonly Bucket[]): Counted[] =>
    buckets.flatMap(({ value, label, count = 0, children = [] }) => [
      { value: String(value), label: label ?? String(value), count: Number(count) },
      ...flat(children),
    ])
  return new Map(facets.map(({ name = '', facets: buckets = [] }) => [name, flat(buckets)]))
}

export function queryOf({ dir, keyword, filters, text }: AssetSelection, fields: readonly FieldCfg[]): Query {
  const queries = [
    condition('itemType', 'EQ', 'asset'), // a combination needs at least one condition
    ...(dir === undefined ? [] : [condition('directoryPath', 'EQ', dir)]),
    ...(keyword ? [condition('keywords', 'EQ', keyword)] : []),
    ...(text === '' ? [] : [condition('name', 'LIKE', text)]),
    ...conditionsOf(filters, fields),
  ]
  return { queryType: 'COMBINED', operator: 'AND', queries }
}

async function searchAssets(client: Client, query: Query, order: Order, offset: number, count: number) {
  const { items = [], totalHitCount = 0 } = await client.search.search({
    body: {
      context: { searchType: 'INDEX', index: 'ASSET' },
      query,
      sortOptions: [orders[order]],
      resultAttributes: ['tid'],
      pageIndex: offset / count,
      pageSize: count,
      maxResults: offset + count,
    },
  })
  const tids = items.flatMap(({ attributes = [] }) => attributes.flatMap(({ value }) => (value as string) ?? []))
  return { rows: await retrieve(client, tids), total: Number(totalHitCount) }
}

export const keywordsOf = (asset: AssetMessage): string[] =>
  (asset.links?.itms ?? [])
    .filter(({ type }) => type === 'kwds')
    .flatMap(({ itm = [] }) => itm.flatMap(({ value }) => value ?? []))

/** The search index follows the database within a moment, so what it has found is read a second time. */
const indexDelayMs = 1500

/** Invalidates all queries of this area, and the pictures with their usage rights. */
export function refreshAssets(queryClient: QueryClient): void {
  const refresh = () => ['assets', 'pictures'].forEach((key) => void queryClient.invalidateQueries({ queryKey: [key] }))
  refresh()
  setTimeout(refresh, indexDelayMs)
}

export function useRefresh(): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => refreshAssets(queryClient), [queryClient])
}
