/** Queries for assets: which are in a folder or have a keyword, and their previews. */
import type { Asset, Infer } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { fact } from '../../object/items.ts'
import { useClient } from '../../object/client.tsx'
import { usePages } from '../../ui/grid/use-pages.ts'

export type AssetMessage = Infer<typeof Asset>

/** The folder or keyword whose assets are listed. */
export type Source =
  { readonly kind: 'directory'; readonly path: string } | { readonly kind: 'keyword'; readonly path: string }

export const fileKinds = ['IMG', 'VID', 'AUD', 'PDF', 'OFFICE', 'PREPRESS', 'LAYOUT', 'C3D', 'FILE'] as const

export const pictureOf = (asset: AssetMessage, format: 'thumbnail' | 'preview' | 'fullsize') => {
  const found = asset.previews?.preview?.find(({ type }) => type === format)
  return found && fact(found, 'url')
}
export const isProcessing = (asset: AssetMessage) => ['pending', 'running'].includes(fact(asset, 'importStatus') ?? '')

/** The field and direction to sort by. Without one, assets are listed in the order they were added. */
export const orders = {
  added: undefined,
  name: { attribute: 'name', direction: 'ASC' },
  newest: { attribute: 'modificationDate', direction: 'DESC' },
  largest: { attribute: 'fileSize', direction: 'DESC' },
} as const
export type Order = keyof typeof orders

interface AssetFilter {
  readonly where: Source | undefined
  readonly fileTypes: readonly string[]
  readonly text: string
  readonly order: Order
}

/**
 * Without a filter, an order or a keyword, the folder itself is listed. Otherwise the search index is queried, which
 * also includes subfolders.
 */
export function useAssets({ where, fileTypes, text, order }: AssetFilter) {
  const client = useClient()
  const isPlain = where?.kind === 'directory' && text === '' && order === 'added'
  const listed = useQuery({
    queryKey: ['assets', 'in', where, fileTypes],
    queryFn: () => tidsIn(client, where!.path, fileTypes),
    enabled: isPlain,
  })
  const tids = useMemo(() => listed.data ?? [], [listed.data])
  const load = useCallback(
    async (offset: number, count: number) => {
      if (!where) return { rows: [], total: 0 }
      if (!isPlain) return searchAssets(client, { where, fileTypes, text, order }, offset, count)
      return { rows: await retrieve(client, tids.slice(offset, offset + count)), total: tids.length }
    },
    [client, tids, where, isPlain, fileTypes, text, order],
  )
  const pages = usePages(
    ['assets', 'page', where, fileTypes, text, order, isPlain && tids],
    load,
    pageSize,
    isProcessing,
  )
  return { ...pages, loading: (isPlain && listed.isPending) || pages.loading, error: listed.error ?? pages.error }
}
const pageSize = 60

async function tidsIn(client: Client, path: string, fileTypes: readonly string[]): Promise<string[]> {
  const types = fileTypes.length > 0 && { fileTypes: [...fileTypes] }
  return (await client.dam.assets.query({ directory: { path }, ...types })).tids ?? []
}

async function searchAssets(
  client: Client,
  { where, fileTypes, text, order }: AssetFilter,
  offset: number,
  count: number,
) {
  const field = where!.kind === 'directory' ? 'directoryPath' : 'keywords'
  const condition = (name: string, comparator: 'EQ' | 'IN' | 'LIKE', value: unknown) => ({
    queryType: 'FIELD' as const,
    name,
    comparator,
    value,
  })
  const queries = [
    condition(field, 'EQ', where!.path),
    ...(fileTypes.length > 0 ? [condition('fileType', 'IN', [...fileTypes])] : []),
    ...(text === '' ? [] : [condition('name', 'LIKE', text)]),
  ]
  const sort = orders[order]
  const { items = [], totalHitCount = 0 } = await client.search.search({
    body: {
      context: { searchType: 'INDEX', index: 'ASSET' },
      query: { queryType: 'COMBINED', operator: 'AND', queries },
      ...(sort && { sortOptions: [sort] }),
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

/** Sorted in the order of the given tids. */
export async function retrieve(client: Client, tids: readonly string[]): Promise<AssetMessage[]> {
  if (tids.length === 0) return []
  const found = await client.dam.assets.retrieve({ tids: [...tids], retrievePreviews: true })
  const byTid = new Map(found.map((asset) => [asset.tid, asset]))
  return tids.flatMap((tid) => byTid.get(tid) ?? [])
}

/** Invalidates all queries of this area. */
export function useRefresh(): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => void queryClient.invalidateQueries({ queryKey: ['assets'] }), [queryClient])
}
