/**
 * A long list that the server pages by key: each page begins after the last row of the page before it. Rows are loaded as
 * the reader scrolls (see `paging` of the list).
 */
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { QueryLike } from '../ui/states.tsx'

interface KeysetPages<Row> {
  /** The rows loaded so far. */
  readonly query: QueryLike<readonly Row[]>
  readonly paging: { readonly hasMore: boolean; readonly loadMore: () => void }
}

const pageSize = 100

/** `load` gets the key of the last known row, or nothing for the first page. */
export function useKeysetPages<Row>(
  queryKey: QueryKey,
  load: (after: string | undefined, count: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): KeysetPages<Row> {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam, pageSize),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => nextKey(page, keyOf, pageSize),
    placeholderData: keepPreviousData,
  })
  const loadMore = () => {
    if (!pages.isFetching) void pages.fetchNextPage()
  }
  return {
    query: { data: pages.data?.pages.flat(), error: pages.error, refetch: pages.refetch },
    paging: { hasMore: pages.hasNextPage && !pages.isFetchNextPageError, loadMore },
  }
}

/** A page that is not full is the last one. */
export function nextKey<Row>(page: readonly Row[], keyOf: (row: Row) => string, size: number): string | undefined {
  const last = page.at(-1)
  return last === undefined || page.length < size ? undefined : keyOf(last)
}
