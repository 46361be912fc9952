/** Loads collections, share pages and upload requests. */
import type { Collection as CollectionShape, Infer, ReceivedFile as FileShape, Share as ShareShape, ShareVisit } from '@kontor/contract' // prettier-ignore
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../change.ts'
import { useClient } from '../client.tsx'
import { type AssetMessage, retrieveAssets } from '../viewer/asset.ts'

export type Collection = Infer<typeof CollectionShape>
export type Share = Infer<typeof ShareShape>
export type ReceivedFile = Infer<typeof FileShape>
export type Visit = Infer<typeof ShareVisit>

export type Fields<T> = { [K in keyof T]?: T[K] | undefined }
/** The value with other fields; those that are undefined are removed. */
export const withFields = <T extends object>(value: T, fields: Fields<T>): T =>
  Object.fromEntries(Object.entries({ ...value, ...fields }).filter(([, one]) => one !== undefined)) as T

const collectionsKey = ['collections'] as const
const sharesKey = ['shares'] as const

export function useCollections() {
  const { collections } = useClient()
  return useQuery({
    queryKey: collectionsKey,
    queryFn: async () => (await collections.listCollections({ query: { count: '1000' } })).collections ?? [],
  })
}

/** The first assets of a collection, in order, and how many there are. */
export const shownAssets = 500
export function useCollectionAssets(id: number) {
  const client = useClient()
  return useQuery({
    queryKey: [...collectionsKey, id, 'assets'],
    queryFn: async (): Promise<{ count: number; assets: readonly AssetMessage[] }> => {
      const params = { id: String(id) }
      const [{ count = 0 }, { assets = [] }] = await Promise.all([
        client.collections.getCollection({ params }),
        client.collections.listCollectionAssets({ params, query: { count: String(shownAssets) } }),
      ])
      return { count, assets: await retrieveAssets(client, assets.map(({ tid = '' }) => tid)) } // prettier-ignore
    },
  })
}
export const useCollectionChange = () => useChange(collectionsKey)

export function useShares() {
  const { shares } = useClient()
  return useQuery({
    queryKey: sharesKey,
    queryFn: async () => (await shares.listShares({ query: { count: '1000' } })).shares ?? [],
    refetchInterval: 30_000,
  })
}
export const useShareChange = () => useChange(sharesKey)

export function useShareLog(id: number) {
  const { shares } = useClient()
  return useQuery({
    queryKey: [...sharesKey, id, 'log'],
    queryFn: async () => (await shares.listShareLog({ params: { id: String(id) } })).visits ?? [],
    refetchInterval: 30_000,
  })
}

export function useReceived(id: number) {
  const { shares } = useClient()
  return useQuery({
    queryKey: [...sharesKey, id, 'files'],
    queryFn: async () => (await shares.listReceived({ params: { id: String(id) } })).files ?? [],
    refetchInterval: 15_000,
  })
}
