/** Queries for channels and their tree, and changes that refresh them. */
import type { Infer, Project } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { fact } from '../../object/items.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'

export type Channel = Infer<typeof Project>
export const channelsKey = ['channels']

export const orderOf = ({ orderSequence = 0 }: Channel) => Number(orderSequence)
/** The user's permissions on this channel. */
export const allows = (channel: Channel, action: string) =>
  (fact(channel, 'allowedFunctions') ?? '').split(',').includes(action)

async function inOrder({ cm }: Client, tids: readonly string[]): Promise<Channel[]> {
  if (tids.length === 0) return []
  return (await cm.channels.retrieve({ tids: [...tids] })).toSorted((a, b) => orderOf(a) - orderOf(b))
}

export const rootsQuery = (client: Client) => ({
  queryKey: [...channelsKey, 'below', ''],
  queryFn: async () => {
    const { tids = [] } = await client.cm.channels
      .query({ root: true })
      .catch(emptyWhenNotFound<{ tids?: string[] }>({}))
    return inOrder(client, tids)
  },
})
export const useRoots = () => useQuery(rootsQuery(useClient()))

/** The children of each expanded channel. */
export function useChildren(open: ReadonlySet<string>): ReadonlyMap<string, readonly Channel[]> {
  const client = useClient()
  const parents = useMemo(() => [...open].toSorted(), [open])
  return useQueries({
    queries: parents.map((tid) => ({
      queryKey: [...channelsKey, 'below', tid],
      queryFn: async () => {
        const { tids = [] } = await client.cm.channels
          .query({ tid, level: 1 })
          .catch(emptyWhenNotFound<{ tids?: string[] }>({}))
        return inOrder(
          client,
          tids.filter((one) => one !== tid),
        )
      },
    })),
    combine: (results) => new Map(results.flatMap(({ data }, i) => (data ? [[parents[i]!, data] as const] : []))),
  })
}

/** The number of products in each channel and below it. */
export function useCounts(tids: readonly string[]): ReadonlyMap<string, number> {
  const { cm } = useClient()
  const asked = [...tids].toSorted()
  const { data } = useQuery({
    queryKey: [...channelsKey, 'counts', asked],
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { channels = [] } = await cm.countProducts({ body: { tids: asked } })
      return new Map(channels.map(({ tid = '', total = 0 }) => [tid, total]))
    },
  })
  return data ?? new Map()
}

/** A channel with its assets. */
export function useChannel(tid: string) {
  const { cm } = useClient()
  return useQuery({
    queryKey: [...channelsKey, 'one', tid],
    queryFn: async () => {
      const [channel] = await cm.channels.retrieve({ tids: [tid], retrieveLinkedAssets: true })
      return channel!
    },
  })
}

/** Runs a change of channels and refreshes channels and readiness. */
export const useChannelChange = () => useChange(channelsKey, ['readiness'])
