/**
 * The keyword tree as far as it is open. Each open branch is one request for the two levels below it: the second level
 * tells which keywords can be opened. The tree as a whole is never loaded.
 */
import type { Infer, Keyword } from '@kontor/contract'
import { useQueries } from '@tanstack/react-query'
import { useClient } from './client.tsx'
import { emptyWhenNotFound } from './not-found.ts'

export type KeywordMessage = Infer<typeof Keyword>

/** The path of the keyword above; empty for a keyword at the top. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The paths of all keywords above, from the top. */
export function ancestorsOf(path: string): string[] {
  const parent = parentOf(path)
  return parent === '' ? [] : [...ancestorsOf(parent), parent]
}

export interface KeywordBranches {
  readonly byPath: ReadonlyMap<string, KeywordMessage>
  /** Undefined while the branch is loading. */
  readonly childrenOf: (path: string) => readonly KeywordMessage[] | undefined
}

/** Joins what was loaded below each of `paths`; a branch that is not loaded yet is undefined. */
export function joinBranches(
  paths: readonly string[],
  loaded: readonly (readonly KeywordMessage[] | undefined)[],
): KeywordBranches {
  const byPath = new Map(loaded.flatMap((branch) => branch ?? []).map((keyword) => [keyword.path ?? '', keyword]))
  const below = Map.groupBy(byPath.values(), ({ path = '' }) => parentOf(path))
  const loading = new Set(paths.filter((_, i) => loaded[i] === undefined))
  // The branch above a keyword tells whether the keyword has children, so both must be loaded before "none" is true.
  const isKnown = (path: string) => !loading.has(path) && !loading.has(parentOf(path))
  return { byPath, childrenOf: (path) => below.get(path) ?? (isKnown(path) ? [] : undefined) }
}

/** The branches below `open` paths, and the top of the tree. */
export function useKeywordBranches(open: Iterable<string>) {
  const { common } = useClient()
  const paths = [...new Set(['', ...open])]
  return useQueries({
    queries: paths.map((path) => ({
      queryKey: ['keywords', 'below', path],
      queryFn: () =>
        common.keywords.retrieve({ path: path || '/', level: 2 }).catch(emptyWhenNotFound<KeywordMessage[]>([])),
    })),
    combine: (results) => {
      const branches = joinBranches(
        paths,
        results.map(({ data }) => data),
      )
      const [top] = results
      return {
        branches,
        /** The state of the first request, for the page as a whole. */
        query: { data: top?.data && branches, error: top?.error, refetch: () => top?.refetch() },
        isLoading: results.some(({ isPending }) => isPending),
      }
    },
  })
}
