/**
 * Rows of a long list, loaded page by page: the visible pages first, then one page to either side.
 *
 * The first page tells the total number of rows. Pages stay in the query cache, so scrolling back shows them at once. While
 * the list is reloaded, the rows known so far stay.
 */
import { keepPreviousData, type QueryKey, useQueries } from '@tanstack/react-query'
import { useCallback, useState } from 'react'

export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface Pages<Row> {
  readonly total: number
  readonly row: (index: number) => Row | undefined
  /** The loaded pages, for data that is requested separately for each page. */
  readonly loaded: readonly (readonly Row[])[]
  readonly onVisibleRows: (first: number, last: number) => void
  readonly loading: boolean
  readonly error: unknown
  refetch(): void
}

export function usePages<Row>(
  key: QueryKey,
  load: (offset: number, count: number) => Promise<RowPage<Row>>,
  size = 100,
  /** Whether a row is in a passing state; its page is then polled. */
  isPassing: (row: Row) => boolean = () => false,
): Pages<Row> {
  const [{ from, to }, setSight] = useState({ from: 0, to: 0 })
  const toQuery = (page: number, enabled: boolean) => ({
    queryKey: [...key, page, size],
    queryFn: () => load(page * size, size),
    enabled,
    refetchInterval: ({ state }: { state: { data: RowPage<Row> | undefined } }) =>
      state.data?.rows.some(isPassing) ? pollInterval : (false as const),
    ...(page === 0 && { placeholderData: keepPreviousData<RowPage<Row>> }),
  })
  const visible = [...new Set([0, ...range(from, to)])]
  const loadedPages = useQueries({ queries: visible.map((page) => toQuery(page, true)) })
  // neighbours wait, so that after a long jump the visible page is not queued behind them
  const isComplete = loadedPages.every(({ isSuccess, isPlaceholderData }) => isSuccess && !isPlaceholderData)
  const total = loadedPages[0]?.data?.total ?? 0
  const neighbours = [from - 1, to + 1].filter((page) => page > 0 && page * size < total)
  const near = useQueries({ queries: neighbours.map((page) => toQuery(page, isComplete)) })
  const numbers = [...visible, ...neighbours]
  const results = [...loadedPages, ...near]
  const byPage = new Map(numbers.map((page, i) => [page, results[i]?.data]))
  const onVisibleRows = useCallback(
    (first: number, last: number) => {
      const [from, to] = [Math.floor(first / size), Math.floor(last / size)]
      setSight((before) => (before.from === from && before.to === to ? before : { from, to }))
    },
    [size],
  )
  return {
    total,
    row: (index) => byPage.get(Math.floor(index / size))?.rows[index % size],
    loaded: results.flatMap(({ data }) => (data ? [data.rows] : [])),
    onVisibleRows,
    loading: results[0]?.isPending ?? true,
    error: results.find(({ error }) => error !== null)?.error,
    refetch: () => results.forEach((result) => void result.refetch()),
  }
}

const pollInterval = 2000
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
