/**
 * Rows of a long list, loaded page by page as they come into sight, and one page to either side.
 *
 * The first page says how many rows there are. Pages stay in the query cache, so scrolling back shows them at once; while
 * the list is looked up again, the rows known so far stay.
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
  /** The pages in sight, for what is looked up beside the rows. */
  readonly loaded: readonly (readonly Row[])[]
  readonly onSight: (first: number, last: number) => void
  readonly loading: boolean
  readonly error: unknown
  refetch(): void
}

export function usePages<Row>(
  key: QueryKey,
  load: (offset: number, count: number) => Promise<RowPage<Row>>,
  size = 100,
  /** Whether a row will look different soon: then its page is asked for again every now and then. */
  isPassing: (row: Row) => boolean = () => false,
): Pages<Row> {
  const [{ from, to }, setSight] = useState({ from: 0, to: 0 })
  const toQuery = (page: number, enabled: boolean) => ({
    queryKey: [...key, page, size],
    queryFn: () => load(page * size, size),
    enabled,
    refetchInterval: ({ state }: { state: { data?: RowPage<Row> } }) =>
      state.data?.rows.some(isPassing) ? soon : (false as const),
    placeholderData: page === 0 ? keepPreviousData : undefined,
  })
  const inSight = [...new Set([0, ...range(from, to)])]
  const shown = useQueries({ queries: inSight.map((page) => toQuery(page, true)) })
  // only then: whoever jumps far waits for one page, not for three
  const isCalm = shown.every(({ isSuccess, isPlaceholderData }) => isSuccess && !isPlaceholderData)
  const total = shown[0]?.data?.total ?? 0
  const beside = [from - 1, to + 1].filter((page) => page > 0 && page * size < total)
  const near = useQueries({ queries: beside.map((page) => toQuery(page, isCalm)) })
  const numbers = [...inSight, ...beside]
  const results = [...shown, ...near]
  const byPage = new Map(numbers.map((page, i) => [page, results[i]?.data]))
  const onSight = useCallback(
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
    onSight,
    loading: results[0]?.isPending ?? true,
    error: results.find(({ error }) => error !== null)?.error,
    refetch: () => results.forEach((result) => void result.refetch()),
  }
}

const soon = 2000
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
