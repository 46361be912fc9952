/** Loads the feeds of the user and their runs, and polls while one is running. */
import type { Feed as FeedShape, FeedRun, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'

export type Feed = Infer<typeof FeedShape>
export type Run = Infer<typeof FeedRun>

const key = ['feeds'] as const

export function useFeeds() {
  const { feeds } = useClient()
  return useQuery({
    queryKey: key,
    queryFn: async () => (await feeds.listFeeds()).feeds ?? [],
    refetchInterval: ({ state }) => (state.data?.some(({ lastRun }) => lastRun?.state === 'running') ? 1000 : 15_000),
  })
}

/** The last runs. They are loaded again when the last run of the feed changes. */
export function useRuns({ name = '', lastRun }: Feed) {
  const { feeds } = useClient()
  return useQuery({
    queryKey: [...key, name, 'runs', lastRun?.id, lastRun?.state, lastRun?.attempts],
    queryFn: async () => (await feeds.listRuns({ params: { name }, query: { count: '20' } })).runs ?? [],
    placeholderData: (previous) => previous,
  })
}

export function useChoices() {
  const { transfers, search } = useClient()
  const profiles = useQuery({
    queryKey: ['transfers', 'profiles'],
    queryFn: async () => ((await transfers.listProfiles()).profiles ?? []).flatMap(({ name }) => name ?? []),
  })
  const searches = useQuery({
    queryKey: ['stored searches', 'PRODUCT'],
    queryFn: async () => (await search.listStoredSearches({ query: { index: 'PRODUCT' } })).storedSearchEntries ?? [],
  })
  return { profiles: profiles.data ?? [], searches: searches.data ?? [] }
}

export const useFeedChange = () => useChange(key)
