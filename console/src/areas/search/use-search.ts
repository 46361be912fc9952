/** Loads the hits of a search page by page as they scroll into view. The first page also has totals and facets. */
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useClient } from '../../object/client.tsx'
import { usePages } from '../../ui/grid/use-pages.ts'
import { isIdle, type SearchState, toSearch } from './state.ts'

const pageSize = 40

export function useSearch(state: SearchState, locale: string) {
  const client = useClient()
  const key = JSON.stringify(toSearch(state, locale, 0, pageSize))
  const idle = isIdle(state)
  const first = useQuery({
    queryKey: ['search', 'first', key],
    queryFn: () => client.search.search({ body: toSearch(state, locale, 0, pageSize) }),
    enabled: !idle,
    placeholderData: (before) => before,
  })
  const load = useCallback(
    async (offset: number, count: number) => {
      if (idle) return { rows: [], total: 0 }
      const body = { ...toSearch(state, locale, offset / count, count), aggregationEnabled: false }
      const { items = [], totalHitCount = 0 } = await client.search.search({ body })
      return { rows: items, total: Number(totalHitCount) }
    },
    [client, state, locale, idle],
  )
  const pages = usePages(['search', 'page', key], load, pageSize)
  return {
    ...pages,
    first: first.data,
    total: Number(first.data?.totalHitCount ?? pages.total),
    loading: first.isPending || pages.loading,
    error: first.error ?? pages.error,
  }
}
